"""The Elo of each heuristic of the search: the player with it against the same player without it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Final

from okapi.arena.elo import EloEstimate
from okapi.arena.games import PlayedGame, delete_store
from okapi.arena.match import Match, MatchReport, WorkerFactory, play_match
from okapi.arena.settings import MatchSettings
from okapi.brains.library import run_folder
from okapi.core import heuristics
from okapi.core.search import known_heuristics
from okapi.errors import UsageError
from okapi.files import digest
from okapi.players.spec import alphabeta_options, kind_of

GAMES_PER_TURN: Final = 100
"""Games of one heuristic in a row, so that the whole table is there early."""

DISABLED: Final = "without"
"""The name of the player without the heuristic."""

NEEDS: Final = {"tablebases": "syzygy", "learned_reductions": "moves", "learned_ordering": "moves"}
"""Heuristics that have no effect without this option."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One heuristic, and the two players that differ in it alone."""

    name: str
    on_by_default: bool
    """Is the heuristic on in the given player?"""
    enabled: str
    """The specification of the player with it."""
    disabled: str


@dataclass(frozen=True, slots=True)
class AblationResult:
    """The games of one trial so far; Elo is that of the player with the heuristic."""

    trial: Trial
    report: MatchReport

    @property
    def estimate(self) -> EloEstimate:
        return self.report.estimate

    def as_json(self) -> dict[str, Any]:
        report = self.report.as_json()
        keys = ("games", "wins", "draws", "losses", "pairs", "elo", "low", "high", "los")
        return {"name": self.trial.name, "usual": self.trial.on_by_default, **{key: report[key] for key in keys}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation(MatchSettings):
    """Everything that decides how the games of an ablation go, except their number."""

    player: str

    def trials(self, only: Sequence[str] = ()) -> list[Trial]:
        """The heuristics that affect this player, or those in `only`; UsageError if the player is no search.

        >>> from okapi.arena.time_control import TimeControl
        >>> trial, = Ablation(player="okapi-28", control=TimeControl(nodes=1000)).trials(["killers"])
        >>> trial.enabled, trial.disabled
        ('okapi-28', 'alphabeta:okapi-28,without=killers')
        """
        kind, rest = kind_of(self.player)
        if kind != "alphabeta":
            raise UsageError(f"`{self.player}` has no heuristics to switch off", hint="the search has: alphabeta:BRAIN")
        options = alphabeta_options(rest)
        wanted = known_heuristics(only) or [
            name for name in heuristics() if name not in NEEDS or NEEDS[name] in options
        ]
        return [_trial(name, self.player, rest, options) for name in wanted]

    def match(self, trial: Trial) -> Match:
        shared = {field.name: getattr(self, field.name) for field in fields(MatchSettings)}
        return Match(first=trial.enabled, second=trial.disabled, **shared)

    def run_name(self) -> str:
        """The name of the run, unless another is given."""
        return f"ablate-{digest(self._described((self.player,)))}"


def _trial(name: str, player: str, rest: str, options: dict[str, Any]) -> Trial:
    without, extras = (known_heuristics(options.get(what, ())) for what in ("without", "extras"))
    has = name in extras or (name in heuristics(usual=True) and name not in without)
    if has:
        without, extras = [*without, name], [other for other in extras if other != name]
    else:
        extras = [*extras, name]
    kept = [item for item in rest.split(",") if not item.startswith(("without=", "with="))]
    switches = [f"{what}={'+'.join(names)}" for what, names in (("without", without), ("with", extras)) if names]
    turned = ",".join([f"alphabeta:{kept[0]}", *kept[1:], *switches])
    return Trial(name, has, *((player, turned) if has else (turned, player)))


Watch = Callable[[Sequence[AblationResult], PlayedGame | None], object]
"""Gets all results after each new game and, with None, after the games of each heuristic."""


def play_ablation(
    ablation: Ablation,
    games: int,
    *,
    only: Sequence[str] = (),
    folder: Path | None = None,
    fresh: bool = False,
    make_workers: WorkerFactory | None = None,
    watch: Watch | None = None,
) -> list[AblationResult]:
    """Play `games` games for each heuristic, in turns; games in the folder are not played again."""
    table = _Table(
        ablation, folder or run_folder(None, ablation.run_name()), ablation.trials(only), make_workers, watch
    )
    if fresh:
        table.clear()
    for so_far in _turns(games):
        table.take_turns(so_far)
    return table.rows


class _Table:
    def __init__(
        self,
        ablation: Ablation,
        folder: Path,
        trials: Sequence[Trial],
        make_workers: WorkerFactory | None,
        watch: Watch | None,
    ) -> None:
        self._ablation = ablation
        self._folder = folder
        self._make_workers = make_workers
        self._watch = watch
        self._reports = {trial: MatchReport((trial.name, DISABLED)) for trial in trials}

    @property
    def rows(self) -> list[AblationResult]:
        return [AblationResult(trial, report) for trial, report in self._reports.items()]

    def clear(self) -> None:
        for trial in self._reports:
            delete_store(self._store(trial))

    def take_turns(self, games: int) -> None:
        for trial in self._reports:
            self._reports[trial] = play_match(
                self._ablation.match(trial),
                games,
                names=(trial.name, DISABLED),
                store=self._store(trial),
                make_workers=self._make_workers,
                on_game=partial(self._count, trial),
            )
            self._notify(None)

    def _count(self, trial: Trial, report: MatchReport, played: PlayedGame) -> None:
        self._reports[trial] = report
        self._notify(played)

    def _notify(self, played: PlayedGame | None) -> None:
        if self._watch is not None:
            self._watch(self.rows, played)

    def _store(self, trial: Trial) -> Path:
        return self._folder / f"{trial.name}.sqlite"


def _turns(games: int) -> Iterator[int]:
    """The number of games of a heuristic after each turn.

    >>> list(_turns(250))
    [100, 200, 250]
    """
    yield from range(GAMES_PER_TURN, games, GAMES_PER_TURN)
    yield games
