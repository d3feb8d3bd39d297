"""Evolution: the generations of a run pass by, and the champions of two of them play each other."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, Final

import numpy as np

from okapi.data.evolution_log import MOST_GENES, EvolutionLog, GenerationStats, moved_most
from okapi.errors import NotFound, UsageError
from okapi.web.messages import Between, GameRef, Many, Text, TournamentRef
from okapi.web.panel import Answer, PanelContext, WatchingPanel, answers
from okapi.web.runs import EVOLVE, champion_name
from okapi.web.tournaments import LiveTournament, TournamentPlayer, TournamentSettings, game_view, tournament_summary

MOST_SHOWN: Final = 12
"""Weights whose curves are shown at a time."""

FIRST_SHOWN: Final = 6
MOST_DEPTH: Final = 6
MOST_GAMES: Final = 400
TELL_S: Final = 0.2

RunName = Annotated[str, Text(255)]
Generation = Annotated[int, Between(0, 999_999)]
Gene = Annotated[int, Between(0, MOST_GENES - 1)]


@dataclass(frozen=True, slots=True)
class LineageView:
    """Which run, and which of its weights; those that moved most if none are named."""

    run: RunName | None = None
    genes: Annotated[tuple[Gene, ...], Many(MOST_SHOWN)] | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    run: RunName
    generation: Generation


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionMatch:
    """The champions of two generations, their search depth, and the number of games."""

    run: RunName
    first: Generation
    second: Generation
    depth: Annotated[int, Between(1, MOST_DEPTH)]
    games: Annotated[int, Between(2, MOST_GAMES)]


class EvolutionPanel(WatchingPanel):
    """The page gets the list of runs, details of the one it chose, and the match between its champions."""

    name = "evolution"

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._view = LineageView()
        self._chosen: int | None = None
        self._due = False

    @answers(LineageView)
    def watch(self, view: LineageView) -> Answer:
        """Watch the runs, and this one in detail."""
        known = view.run == self._view.run
        self._chosen = self._chosen if known else None
        self._view = view
        loop = asyncio.get_running_loop()
        followed = frozenset() if view.run is None else frozenset([view.run])
        self.state.runs.listen(self, followed, lambda: loop.is_closed() or loop.call_soon_threadsafe(self._tell_runs))
        self.state.tournaments.listen(self, lambda: loop.is_closed() or loop.call_soon_threadsafe(self._soon))
        self._tell_match()
        if known:
            self._tell_runs()
        return {"folder": self.state.runs_folder}

    @answers(Moment)
    def generation(self, moment: Moment) -> Answer:
        """Every weight of a generation, and whether its champion can play."""
        with self.state.runs.lineage(moment.run) as lineage:
            passed = lineage.find(moment.generation)
            return {**_passed(passed), "champion": passed.number in lineage.champions}

    @answers(ChampionMatch)
    def begin(self, meeting: ChampionMatch) -> Answer:
        """Play a match of two champions; stored games are not played again."""
        if meeting.first == meeting.second:
            raise UsageError("a champion does not play against itself", hint="choose two generations")
        names = [champion_name(meeting.run, number) for number in (meeting.first, meeting.second)]
        players = tuple(TournamentPlayer(name, self.state.spec("alphabeta", name, None)) for name in names)
        settings = TournamentSettings(rounds=(meeting.games + 1) // 2, depth=meeting.depth, in_process=True)
        self._chosen = self.state.tournaments.begin(players, settings).number
        self._tell_match()
        return {"number": self._chosen}

    @answers(TournamentRef)
    def choose(self, which: TournamentRef) -> Answer:
        self._chosen = self._match(which.number).number
        self._tell_match()
        return None

    @answers(TournamentRef)
    def stop(self, which: TournamentRef) -> Answer:
        """Stop; games that are over stay stored."""
        self._match(which.number).stop()
        return None

    @answers(GameRef)
    def game(self, wanted: GameRef) -> Answer:
        return {"game": game_view(self._match(wanted.number), wanted.game)}

    def close(self) -> None:
        """The page has gone; a match continues."""
        self.state.runs.leave(self)
        self.state.tournaments.leave(self)

    # --- Matches ----------------------------------------------------------------------------------------------------

    def _matches(self) -> list[LiveTournament]:
        return [tournament for tournament in self.state.tournaments.all if _is_of(tournament, self._view.run)]

    def _match(self, number: int) -> LiveTournament:
        found = next((tournament for tournament in self._matches() if tournament.number == number), None)
        if found is None:
            raise NotFound("there is no such match any more", hint="begin it again: its games are kept")
        return found

    # --- Speaking ---------------------------------------------------------------------------------------------------

    def _soon(self) -> None:
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_later(TELL_S, self._tell_match)

    def _tell_runs(self) -> None:
        runs = [run for run in self.state.runs.listed() if run["kind"] == EVOLVE]
        self.context.tell("evolution.listed", runs=runs)
        chosen = next((run for run in runs if run["name"] == self._view.run), None)
        self.context.tell("evolution.shown", run=None if chosen is None else {**chosen, **self._lineage()})

    def _lineage(self) -> dict[str, Any]:
        try:
            with self.state.runs.lineage(self._view.run or "") as lineage:
                return _lineage(lineage, self._view.genes)
        except NotFound:  # it was thrown away a moment ago
            return {"genes": None, "problem": None}

    def _tell_match(self) -> None:
        self._due = False
        matches = self._matches()
        shown = next(
            (tournament for tournament in matches if tournament.number == self._chosen), matches[0] if matches else None
        )
        self.context.tell(
            "evolution.matches",
            matches=[{**tournament_summary(tournament), "depth": tournament.settings.depth} for tournament in matches],
            match=None if shown is None else _match(shown),
        )


def _is_of(tournament: LiveTournament, run: str | None) -> bool:
    return tournament.settings.in_process and all(name.rpartition("@")[0] == run for name in tournament.names)


def _match(tournament: LiveTournament) -> dict[str, Any]:
    error = tournament.error
    games = [
        {"number": game.number, "first": game.pairing.white == 0, "result": game.result, "plies": len(game.moves)}
        for game in sorted(tournament.kept.values(), key=lambda game: game.number)
    ]
    return {
        **tournament_summary(tournament),
        "depth": tournament.settings.depth,
        "error": None if error is None else {"error": str(error), "hint": error.hint},
        "match": tournament.match,
        "played": games,
    }


def _lineage(lineage: EvolutionLog, wanted: tuple[int, ...] | None) -> dict[str, Any]:
    problem = lineage.problem
    genes, generations = lineage.genes, lineage.generations
    if genes is None:
        said = None if problem is None else {"error": str(problem), "hint": problem.hint}
        return {"genes": None, "problem": said}
    told = [passed for passed in generations if passed.weights is not None]
    shown = moved_most(genes, told, FIRST_SHOWN) if wanted is None else wanted
    return {
        "problem": None,
        "recipe": genes.recipe,
        "genes": {"names": genes.names, "low": genes.low, "high": genes.high},
        "generations": [passed.number for passed in generations],
        "scores": {
            "best": [passed.best for passed in generations],
            "mean": [passed.mean for passed in generations],
            "spread": [passed.spread for passed in generations],
        },
        "weights": [_curve(told, gene) for gene in shown if told and gene < len(genes.names)],
        "champions": [*lineage.champions[:1], *lineage.champions[-1:]],
    }


def _curve(told: list[GenerationStats], gene: int) -> dict[str, Any]:
    best, mean, deviation = np.stack([passed.weights[:, gene] for passed in told if passed.weights is not None], axis=1)
    return {
        "gene": gene,
        "generations": [passed.number for passed in told],
        "best": _plain(best),
        "mean": _plain(mean),
        "deviation": _plain(deviation),
    }


def _passed(passed: GenerationStats) -> dict[str, Any]:
    weights = passed.weights
    return {
        "generation": passed.number,
        "best": passed.best,
        "mean": passed.mean,
        "spread": passed.spread,
        "weights": None
        if weights is None
        else {key: _plain(row) for key, row in zip(("best", "mean", "deviation"), weights, strict=True)},
    }


def _plain(numbers: np.ndarray[Any, np.dtype[np.float32]]) -> list[float]:
    """Rounded to five digits, to be sent often."""
    return [float(f"{number:.5g}") for number in numbers.tolist()]
