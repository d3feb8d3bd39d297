"""What each heuristic of the search is worth: a player with it meets the same player without it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Final

from okapi.arena.elo import EloEstimate
from okapi.arena.games import RUNS, PlayedGame, delete_store
from okapi.arena.match import Match, MatchReport, WorkerFactory, play_match
from okapi.arena.settings import MatchSettings
from okapi.core import heuristics
from okapi.core.search import known_heuristics
from okapi.errors import UsageError
from okapi.files import digest
from okapi.players.spec import alphabeta_options, kind_of

__all__ = ["Ablation", "AblationResult", "Trial", "play_ablation"]

TURN: Final = 100
"""Games of one heuristic before it is the next one's turn: so the whole table is there early, and grows surer."""

LACKING: Final = "without"
"""What the player is called that does not have the heuristic."""

NEEDS: Final = {"tablebases": "syzygy", "learned_reductions": "moves", "learned_ordering": "moves"}
"""Heuristics that do nothing in a player without this option."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One heuristic, and the two players that differ in it alone."""

    name: str
    on_by_default: bool
    """Does the player have it?"""
    enabled: str
    """The specification of the player with it."""
    disabled: str


@dataclass(frozen=True, slots=True)
class AblationResult:
    """What the games of one trial have shown so far; Elo are those of the player that has the heuristic."""

    trial: Trial
    report: MatchReport

    @property
    def estimate(self) -> EloEstimate:
        """How much stronger it makes the player."""
        return self.report.estimate

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        told = self.report.as_json()
        kept = ("games", "wins", "draws", "losses", "pairs", "elo", "low", "high", "los")
        return {"name": self.trial.name, "usual": self.trial.on_by_default, **{key: told[key] for key in kept}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablation(MatchSettings):
    """What is tried: everything that decides how its games go, except how many there are."""

    player: str
    """A specification of the search."""

    def trials(self, only: Sequence[str] = ()) -> list[Trial]:
        """Heuristics that make a difference to this player, or those that are asked for: UsageError for no search.

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
        """The games of a trial."""
        shared = {field.name: getattr(self, field.name) for field in fields(MatchSettings)}
        return Match(first=trial.enabled, second=trial.disabled, **shared)

    def folder(self) -> Path:
        """Where the games are kept if nobody says where."""
        return RUNS / f"ablate-{digest(self._described((self.player,)))}"


def _trial(name: str, player: str, rest: str, options: dict[str, Any]) -> Trial:
    """The player beside itself with one switch turned."""
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
"""Told how everything stands after each new game and, with None, when a heuristic's turn is over."""


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
    """Play so many games for each heuristic, all of them in turns; what is in the folder is not played again."""
    table = _Table(ablation, folder or ablation.folder(), ablation.trials(only), make_workers, watch)
    if fresh:
        table.clear()
    for so_far in _turns(games):
        table.take_turns(so_far)
    return table.rows


class _Table:
    """The trials, and what their games have shown."""

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
        self._found = {trial: MatchReport((trial.name, LACKING)) for trial in trials}

    @property
    def rows(self) -> list[AblationResult]:
        """In the order in which they are played."""
        return [AblationResult(trial, report) for trial, report in self._found.items()]

    def clear(self) -> None:
        """Throw away what was played."""
        for trial in self._found:
            delete_store(self._store(trial))

    def take_turns(self, games: int) -> None:
        """Play until each trial has so many games."""
        for trial in self._found:
            self._found[trial] = play_match(
                self._ablation.match(trial),
                games,
                names=(trial.name, LACKING),
                store=self._store(trial),
                make_workers=self._make_workers,
                on_game=partial(self._count, trial),
            )
            self._tell(None)

    def _count(self, trial: Trial, report: MatchReport, played: PlayedGame) -> None:
        self._found[trial] = report
        self._tell(played)

    def _tell(self, played: PlayedGame | None) -> None:
        if self._watch is not None:
            self._watch(self.rows, played)

    def _store(self, trial: Trial) -> Path:
        return self._folder / f"{trial.name}.sqlite"


def _turns(games: int) -> Iterator[int]:
    """The games that there are to be after each turn.

    >>> list(_turns(250))
    [100, 200, 250]
    """
    yield from range(TURN, games, TURN)
    yield games
