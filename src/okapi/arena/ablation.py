"""The Elo of each heuristic of the search: the player with it against the same player without it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from okapi.arena.elo import EloEstimate
from okapi.arena.games import PlayedGame, delete_store
from okapi.arena.match import Keeping, Match, MatchReport, WorkerFactory, play_match
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

NEEDS: Final = {"tablebases": "syzygy", "learned_reductions": "moves", "learned_ordering": "moves"}
"""Heuristics that have no effect without this option."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One heuristic, and the two players that differ in it alone."""

    name: str
    on_by_default: bool
    """Is the heuristic on in the given player?"""
    enabled: str
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

    @property
    def specs(self) -> tuple[str, ...]:
        return (self.player,)

    def trials(self, only: Sequence[str] = ()) -> list[Trial]:
        """The heuristics that affect this player, or those in `only`; UsageError if the player is no search."""
        kind, rest = kind_of(self.player)
        if kind != "alphabeta":
            raise UsageError(f"`{self.player}` has no heuristics to switch off", hint="the search has: alphabeta:BRAIN")
        options = alphabeta_options(rest)
        affecting = (name for name in heuristics() if name not in NEEDS or NEEDS[name] in options)
        return [_trial(name, self.player, rest, options) for name in known_heuristics(only) or affecting]

    def run_name(self) -> str:
        return f"ablate-{digest(self.describe())}"


def _trial(name: str, player: str, rest: str, options: dict[str, Any]) -> Trial:
    without, extras = (known_heuristics(options.get(what, ())) for what in ("without", "extras"))
    has = name in extras or (name in heuristics(usual=True) and name not in without)
    if has:
        without = [*without, name]
    extras = [other for other in extras if other != name] + [name] * (not has)
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
    watch: Watch = lambda results, played: None,
) -> list[AblationResult]:
    """Play `games` games for each heuristic, in turns; games in the folder are not played again."""
    where = folder or run_folder(None, ablation.run_name())
    stores = {trial: where / f"{trial.name}.sqlite" for trial in ablation.trials(only)}
    reports = {trial: MatchReport((trial.name, DISABLED)) for trial in stores}

    def count(trial: Trial, report: MatchReport, played: PlayedGame | None = None) -> None:
        reports[trial] = report
        watch([AblationResult(*row) for row in reports.items()], played)

    for store in stores.values() if fresh else ():
        delete_store(store)
    for so_far in (*range(GAMES_PER_TURN, games, GAMES_PER_TURN), games):
        for trial, store in stores.items():
            match, names = Match.between(trial.enabled, trial.disabled, ablation), (trial.name, DISABLED)
            how: Keeping = {"store": store, "make_workers": make_workers}
            count(trial, play_match(match, so_far, names=names, on_game=partial(count, trial), **how))
    return [AblationResult(*row) for row in reports.items()]
