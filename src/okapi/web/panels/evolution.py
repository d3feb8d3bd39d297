"""Evolution: the generations of a run pass by, and the champions of two of them play each other."""

from contextlib import suppress
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.data.evolution_log import MOST_GENES, EvolutionLog, moved_most
from okapi.errors import NotFound, UsageError
from okapi.web.jobs import Throttle
from okapi.web.messages import Between, Many, RunName
from okapi.web.panel import Answer, action
from okapi.web.panels.tournaments import TournamentPanel
from okapi.web.runs import EVOLVE
from okapi.web.tournaments import SUMMARY, LiveTournament
from okapi.web.views import error_view, picked

MOST_SHOWN: Final = 12  # weights whose curves are shown at a time
FIRST_SHOWN: Final = 6
Generation = Annotated[int, Between(0, 999_999)]
Gene = Annotated[int, Between(0, MOST_GENES - 1)]
Genes = Annotated[tuple[Gene, ...], Many(MOST_SHOWN)]
Depth = Annotated[int, Between(1, 6)]
GameCount = Annotated[int, Between(2, 400)]


class EvolutionPanel(TournamentPanel):
    """The page gets the list of runs, details of the one it chose, and the match between its champions."""

    word = "match"
    _run: str | None = None
    _genes: tuple[int, ...] | None = None  # the weights to show; None: those that moved most

    @action
    def watch(self, run: RunName | None = None, genes: Genes | None = None) -> Answer:
        known = run == self._run
        self.chosen = self.chosen if known else None
        self._run, self._genes = run, genes
        followed = frozenset() if run is None else frozenset([run])
        self.state.runs.listen(self, followed, Throttle(self._tell_runs))
        self.watch_tournaments()
        if known:
            self._tell_runs()
        return {"folder": self.state.runs_folder}

    @action
    def generation(self, run: RunName, generation: Generation) -> Answer:
        """Every weight of a generation, and whether its champion can play."""
        with self.state.runs.lineage(run) as lineage:
            passed = lineage.find(generation)
            weights = None if passed.weights is None else _rows(passed.weights)
            about = {"generation": passed.number, "champion": passed.number in lineage.champions}
            return {**about, **picked(passed, "best", "mean", "spread"), "weights": weights}

    @action
    def begin(self, run: RunName, first: Generation, second: Generation, depth: Depth, games: GameCount) -> Answer:
        """Play a match of the champions of two generations; stored games are not played again."""
        if first == second:
            raise UsageError("a champion does not play against itself", hint="choose two generations")
        return self.show(self.state.begin_match(f"{run}@{first}", f"{run}@{second}", games, depth=depth))

    def tournaments(self) -> list[LiveTournament]:
        in_process = [each for each in super().tournaments() if each.settings and each.settings.in_process]
        return [each for each in in_process if all(name.rpartition("@")[0] == self._run for name in each.names)]

    def _tell_runs(self) -> None:
        runs = [run for run in self.state.runs.listed() if run["kind"] == EVOLVE]
        self.tell("evolution.listed", runs=runs)
        chosen = next((run for run in runs if run["name"] == self._run), None)
        told: dict[str, Any] = {"genes": None, "problem": None}
        with suppress(NotFound), self.state.runs.lineage(self._run or "") as lineage:  # or it has just been thrown away
            told = _lineage(lineage, self._genes)
        self.tell("evolution.shown", run=None if chosen is None else {**chosen, **told})

    def tell_tournaments(self) -> None:
        shown = self.watched()
        matches = [picked(match, *SUMMARY, "depth") for match in self.tournaments()]
        self.tell("evolution.matches", matches=matches, match=None if shown is None else _match(shown))


def _match(tournament: LiveTournament) -> dict[str, Any]:
    games = [
        {"number": game.number, "first": game.pairing.white == 0, "result": game.result, "plies": len(game.moves)}
        for game in sorted(tournament.kept.values(), key=lambda game: game.number)
    ]
    error = None if tournament.error is None else error_view(tournament.error)
    return {**picked(tournament, *SUMMARY, "depth", "match"), "error": error, "played": games}


def _lineage(lineage: EvolutionLog, wanted: tuple[int, ...] | None) -> dict[str, Any]:
    genes, generations = lineage.genes, lineage.generations
    if genes is None:
        return {"genes": None, "problem": None if lineage.problem is None else error_view(lineage.problem)}
    told = [(passed.number, passed.weights) for passed in generations if passed.weights is not None]
    curves: list[dict[str, Any]] = []
    for gene in moved_most(genes, generations, FIRST_SHOWN) if wanted is None else wanted:
        if told and gene < len(genes.names):
            curve = _rows(np.stack([weights[:, gene] for _, weights in told], axis=1))
            curves.append({"gene": gene, "generations": [number for number, _ in told], **curve})
    return {
        "problem": None,
        "recipe": genes.recipe,
        "genes": picked(genes, "names", "low", "high"),
        "generations": [passed.number for passed in generations],
        "scores": {name: [getattr(passed, name) for passed in generations] for name in ("best", "mean", "spread")},
        "weights": curves,
        "champions": [*lineage.champions[:1], *lineage.champions[-1:]],
    }


def _rows(weights: NDArray[np.float32]) -> dict[str, list[float]]:
    """Rounded to five digits, to be sent often."""
    rows = zip(("best", "mean", "deviation"), weights.tolist(), strict=True)
    return {name: [float(f"{number:.5g}") for number in row] for name, row in rows}
