"""Tune constants of the search by SPSA: a pair of games from one opening, colours changed, compares two settings."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from okapi.arena.in_process import can_play_in_process, core_adjudication, core_player
from okapi.arena.settings import GameSettings, MatchSettings
from okapi.core import Constant, InProcessMatch, both_colors, constants
from okapi.data.runs import Run
from okapi.errors import UsageError, did_you_mean
from okapi.files import digest, replace_file
from okapi.formats.svg import Curve, Lines, page
from okapi.optimize.executor import ThreadExecutor
from okapi.optimize.population import FloatArray, ParameterSpace
from okapi.optimize.run_log import RunLog
from okapi.optimize.spsa import Gains, spsa, usual_rate
from okapi.players.spec import alphabeta_options, kind_of


class PairedGames:
    """A score function of games inside this process. Each pair is written down when it is over, and played once. Rows 0
    and 1 of a population meet, 2 and 3, and so on; each scores its points, 0 to 2."""

    def __init__(self, tuning: "TuneConfig", log: RunLog, *, threads: int | None = None) -> None:
        self.played = 0
        """Pairs that were played in this session."""
        self._tuning, self._log, self._executor = tuning, log, ThreadExecutor(threads)
        self._starts = tuning.starts(tuning.pairs)
        self._kept = {line["pair"]: line for line in log.lines}
        self._writing = Lock()

    def __call__(self, population: FloatArray, number: int) -> FloatArray:
        specs = [self._tuning.spec(genes) for genes in population]
        pairs = enumerate(zip(specs[::2], specs[1::2], strict=True), number * (len(specs) // 2))
        meetings = [{"pair": pair, "players": list(players)} for pair, players in pairs]
        points = np.array(self._executor.map(self._points, meetings))
        return np.stack([points, 2.0 - points], axis=1).reshape(-1)

    def _points(self, meeting: dict[str, Any]) -> float:
        """The points of the first player, played now or in an earlier session."""
        number = meeting["pair"]
        if number not in self._kept:
            line = {**meeting, "points": self._play(number, *meeting["players"])}
            with self._writing:
                self._log.add(line)
                self._kept[number] = line
                self.played += 1
        kept = self._kept[number]
        if kept["players"] != meeting["players"]:
            told = f"pair {number} is between other players than when `{self._log.path}` was written"
            raise UsageError(told, hint="okapi or numpy has changed since: begin again in another folder")
        return float(sum(kept["points"]))

    def _play(self, number: int, *specs: str) -> list[float]:
        first, second = (core_player(spec, self._tuning.control) for spec in specs)
        starts = both_colors([self._starts[number % len(self._starts)]])
        rules = core_adjudication(self._tuning.adjudication, 400)  # plies; longer games are drawn
        return [game.score for game in InProcessMatch(first, second, starts, adjudication=rules)]


PAIRS, TUNED, PICTURE = "pairs.jsonl", "tuned.json", "constants.svg"


def chosen_constants(names: Sequence[str] = ()) -> tuple[Constant, ...]:
    """The constants of these names, or all that there are: UsageError.

    >>> [constant.usual for constant in chosen_constants(["null_move_base"])]
    [4]
    """
    known = {constant.name: constant for constant in constants()}
    for name in names:
        if name not in known:
            raise UsageError(f"the search has no constant `{name}`", hint=did_you_mean(name, known))
    return tuple(known[name] for name in names or known)


@dataclass(frozen=True, slots=True, kw_only=True)
class TuneConfig(MatchSettings):
    player: str
    """A specification of the search; constants that it sets are where tuning begins."""
    constants: tuple[Constant, ...]
    iterations: int
    directions: int = 8
    """Pairs of games in each iteration, each with a random direction."""
    rate: float | None = None
    """How far it goes for a won game in the end, in steps of the constants; as suits the number of games if None."""

    def __post_init__(self) -> None:
        orders = GameSettings(players=(self.player, self.player), control=self.control, adjudication=self.adjudication)
        if not can_play_in_process(orders):
            told = f"`{self.player}` cannot be tuned: games are played inside this process, without a clock"
            raise UsageError(told, hint="alphabeta:BRAIN with --nodes or --depth can")

    @property
    def specs(self) -> tuple[str, ...]:
        return (self.player,)

    @property
    def pairs(self) -> int:
        return self.iterations * self.directions

    @property
    def gains(self) -> Gains:
        return Gains(iterations=self.iterations, rate=usual_rate(self.pairs) if self.rate is None else self.rate)

    @property
    def start(self) -> dict[str, int]:
        given = alphabeta_options(kind_of(self.player)[1]).get("constants", {})
        return {constant.name: given.get(constant.name, constant.usual) for constant in self.constants}

    def values(self, genes: FloatArray) -> dict[str, int]:
        return {constant.name: round(float(gene)) for constant, gene in zip(self.constants, genes, strict=True)}

    def spec(self, genes: FloatArray) -> str:
        return with_constants(self.player, self.values(genes))

    def about(self) -> dict[str, Any]:
        """What the pairs of games are kept under."""
        return {**self.describe(), "rate": self.gains.rate}

    def run_name(self) -> str:
        return f"tune-{digest(self.about())}"


def with_constants(player: str, values: Mapping[str, int]) -> str:
    """The specification of a player with some constants set; what it said of them before counts no more.

    >>> with_constants("okapi-28,hash=4", {"null_move_base": 5})
    'alphabeta:okapi-28,hash=4,null_move_base=5'
    """
    return ",".join([f"alphabeta:{kind_of(player)[1]}", *(f"{name}={value}" for name, value in values.items())])


@dataclass(frozen=True, slots=True)
class TuneResult:
    tuning: TuneConfig
    path: Sequence[FloatArray]
    """The point after each iteration, from the start."""

    @property
    def iterations(self) -> int:
        return len(self.path) - 1

    @property
    def games(self) -> int:
        return 2 * self.tuning.directions * self.iterations

    @property
    def values(self) -> dict[str, int]:
        return self.tuning.values(self.path[-1])

    @property
    def moved(self) -> dict[str, float]:
        """How far each constant went, in steps."""
        ways = zip(self.tuning.constants, self.path[-1] - self.path[0], strict=True)
        return {constant.name: round(float(way) / constant.step, 2) for constant, way in ways}

    @property
    def player(self) -> str:
        """The player with them; those that stayed where they were are not said."""
        start = self.tuning.start
        return with_constants(self.tuning.player, {name: at for name, at in self.values.items() if at != start[name]})

    @property
    def proof(self) -> str:
        tuning, control = self.tuning, self.tuning.control
        given = {"nodes": control.nodes, "depth": control.depth, "openings": tuning.openings}
        said = " ".join(f"--{name} {value}" for name, value in given.items() if value is not None)
        return f"okapi match {self.player} {tuning.player} {said} --games 20000 --sprt 0 5"

    def as_json(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in ("iterations", "games", "values", "moved", "player", "proof")}
        return {**found, "start": self.tuning.start, "rate": round(self.tuning.gains.rate, 6)}

    def picture(self) -> str:
        """Each constant over the iterations, as SVG; all with room for as many steps, so that they can be compared."""
        every = -(-len(self.path) // 300)  # more points are not to be seen
        shown = [*range(0, len(self.path) - 1, every), len(self.path) - 1]
        steps = np.array([constant.step for constant in self.tuning.constants])
        room = max(1.0, float((np.abs(np.array(self.path) - self.path[0]) / steps).max()))
        charts = []
        for place, (name, start) in enumerate(self.tuning.start.items()):
            points = [(float(number), float(self.path[number][place])) for number in shown]
            reach, title = room * steps[place], f"{name}: {start} → {self.values[name]}"
            charts.append(Lines(title, [Curve("", points)], "iterations", within=(start - reach, start + reach)))
        return page(f"{self.tuning.player}: {self.games} games", charts)


def tune(
    tuning: TuneConfig,
    folder: Path,
    *,
    threads: int | None = None,
    watch: Callable[[TuneResult, bool], object] = lambda found, played: None,
) -> TuneResult:
    """Tune, or resume. The folder gets the pairs of games, a run, the result and a picture. `watch` gets the result
    after each iteration, and whether games were played already, or only remembered."""
    names, title, total = list(tuning.start), tuning.player, tuning.iterations
    settings = {**tuning.summary((title,)), "constants": ", ".join(names), "rate": tuning.gains.rate}
    path: list[FloatArray] = []
    with Run.start(folder, "tune", total=total, unit="iterations", title=title, settings=settings) as run:
        games = PairedGames(tuning, RunLog(folder / PAIRS, tuning.about()), threads=threads)
        bounds = [(each.least, each.most, each.step) for each in tuning.constants]
        least, most, step = np.array(bounds, np.float64).reshape(-1, 3).T
        how: dict[str, Any] = {"gains": tuning.gains, "seed": tuning.seed, "directions": tuning.directions}
        how |= {"start": np.array([*tuning.start.values()], np.float64), "reach": step}
        try:
            for now in spsa(games, ParameterSpace(tuple(names), least, most), whole=True, **how):
                path.append(now.best)
                if games.played:
                    run.log(now.number, **dict(zip(names, now.best.tolist(), strict=True)))
                watch(TuneResult(tuning, path), games.played > 0)
        finally:
            if path:
                found = TuneResult(tuning, path)
                replace_file(folder / TUNED, json.dumps(found.as_json(), indent=1).encode())
                replace_file(folder / PICTURE, found.picture().encode())
    return TuneResult(tuning, path)
