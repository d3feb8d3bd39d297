"""Chapter 4: evolution of the piece networks against its start (Table 9), ratings (Table 10), and other networks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.elo import MatchResult
from okapi.brains.files import read_tensors
from okapi.brains.library import BRAIN
from okapi.optimize.population import Generation
from okapi.papers import rating as rated
from okapi.papers.experiment import ExperimentContext, write_file
from okapi.papers.rating import MatchTerms, elo_of, outcomes, play_brains
from okapi.papers.stored import evolve, make_runs, run_row
from okapi.recipes import usual_settings
from okapi.recipes.evolution import CHAMPIONS, Evolution, read_generations
from okapi.recipes.vazquez2012.pieces import as_board, by_results, recipe, tournament, without

LEVELS: Final = (1700, 1900, 2100, 2300)  # of Rybka in the thesis

VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "c as a gene of each piece": {"free": "c"},
    "1 to 15 hidden nodes, their number a gene of each piece": {"free": "nodes", "hidden": 15},
    "mutations that adapt themselves": {"free": "sigma"},
}
ON_RESULTS: Final = "CMA-ES on the results of masters' games"


@dataclass(frozen=True, slots=True)
class PieceRun:
    """One of several evolutions of piece networks, in a folder of its own, and matches under its settings."""

    context: ExperimentContext
    what: str
    number: int
    settings: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.what}/run-{self.number + 1:02}"

    @property
    def seed(self) -> int:
        return self.context.seed + self.number

    @property
    def recipe(self) -> Evolution:
        return recipe(self.context.recipe_config(self.seed, **self.settings))

    def evolve(self) -> Generation:
        """The last generation; nothing is evolved again."""
        return evolve(self.context, self.name, self.recipe, self._tell)

    def _tell(self, now: Generation) -> None:
        said = f"generation {now.number}, best {now.best_score:g} points"
        self.context.tell(f"{self.what}: run {self.number + 1}, {said}")

    def champions(self) -> tuple[Path, Path]:
        """The best of the last generation, and of the first."""
        found = sorted((self.context.folder / self.name / CHAMPIONS).glob("*.safetensors"))
        return found[-1], found[0]

    def best_by_long_tournament(self, games: int) -> Path:
        """Of the last generation, the player with most points when each plays so many games."""
        made, last, nameless = self.recipe, self.evolve(), {"name": "best by a long tournament"}
        points = tournament(
            lambda player: made.express(player, nameless),
            self.context.executor,
            games=games,
            depth=self.settings["depth"],
            without=without(self.settings),
            seed=self.seed,
        )(last.population, last.number + 1)
        path = self.context.folder / self.name / "long.safetensors"
        write_file(path, made.express(last.population[int(points.argmax())], nameless))
        return path

    def play(self, first: Path, second: Path | bytes, games: int) -> MatchResult:
        """The result of the first brain, under the conditions of the tournaments."""
        plies, shortcuts = self.settings["depth"], without(self.settings)
        terms = MatchTerms(games=games, depth=plies, without=shortcuts, seed=self.context.seed)
        other = second if isinstance(second, bytes) else second.read_bytes()
        return play_brains(first.read_bytes(), other, terms, self.context.executor)


def pieces(context: ExperimentContext) -> dict[str, Any]:
    """Experiment A: Tables 9 and 11."""
    usual = usual_settings("vazquez-pieces", context.size)
    chosen = context.read_settings("vazquez2012", "pieces", **usual)
    settings = {name: chosen[name] for name in usual}
    every = (PieceRun(context, "pieces", number, settings) for number in range(chosen["runs"]))
    runs = [partial(_measured, run, chosen["match"]) for run in every]
    return make_runs(context, runs, lambda rows: _found(context, rows, settings))


def _found(context: ExperimentContext, runs: list[dict[str, Any]], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Of the runs so far."""
    best = int(np.argmax([run["score"] for run in runs]))
    shares = [MatchResult(*run["everybody"]).score for run in runs]
    champion, start = PieceRun(context, "pieces", best, settings).champions()
    note = (
        "The best of generation 0 was found by games. Against all players of generation 0, the best of the last one "
        f"scores {np.mean(shares):.1%} ({min(shares):.1%} to {max(shares):.1%})."
    )
    table_11 = as_board(read_tensors(champion)["bishop_pawns"][0])
    brains = {"champion": context.inside(champion), "start": context.inside(start)}
    about = {"seconds": sum(run["seconds"] for run in runs), "settings": dict(settings), "notes": [note]}
    return {"runs": runs, "best_run": best + 1, "table11": table_11, **brains, **about}


def _measured(run: PieceRun, match: int) -> dict[str, Any]:
    """A row of Table 9, and games against all of generation 0."""

    def measure(folder: Path) -> dict[str, Any]:
        run.evolve()
        champion, start = run.champions()
        games, against_all = run.play(champion, start, match), _match_all(run, champion, match)
        said = f"{games.score:.1%}, {against_all.score:.1%} against all"
        run.context.tell(f"pieces: run {run.number + 1} scores {said}")
        return {
            "seed": run.seed,
            **outcomes(games),
            "score": round(games.score, 4),
            "everybody": list(outcomes(against_all).values()),
            "seconds": read_generations(folder)[-1]["seconds"],
            "brains": [brain.relative_to(folder).as_posix() for brain in (start, champion)],
        }

    return run_row(run.context, run.name, {**run.settings, "match": match, "seed": run.seed}, measure)


def pieces_rating(context: ExperimentContext) -> dict[str, Any]:
    """Experiment B: Table 10, with Stockfish in the place of Rybka."""
    rated.need_stockfish()
    found = context.result("pieces")
    last = f"generation {found['settings']['generations']}"
    brains = {"generation 0": context.folder / found["start"], last: context.folder / found["champion"]}
    terms = context.read_settings("vazquez2012", "pieces_rating")
    if find_spec("cma") is not None:
        brains[ON_RESULTS] = trained_on_results(context, 0)
    standings, notes = rated.meet(context, "pieces_rating", brains, LEVELS, **terms), []
    gain = rated.gain(standings, "generation 0", last)
    if ON_RESULTS in brains:
        more = rated.gain(standings, "generation 0", ON_RESULTS)
        notes.append(
            f"Beyond the thesis, the same networks learn by {ON_RESULTS}, and gain {more['elo']:+.0f} Elo "
            f"({more['low']:+.0f} … {more['high']:+.0f}) on the best of generation 0."
        )
    gains = {"gain": gain["elo"], "gain_low": gain["low"], "gain_high": gain["high"]}
    return {"notes": notes, **rated.table(standings, **terms), "tallies": rated.tallies(standings), **gains}


def beyond_pieces(context: ExperimentContext) -> dict[str, Any]:
    """The thesis' future work, against its own networks from the same seeds after as many generations."""
    settings = context.result("pieces")["settings"]  # its runs are the ones to compare with
    chosen = context.read_settings("vazquez2012", "beyond_pieces")

    def raised(place: int, changes: Mapping[str, Any], run: int) -> Path:
        variant = PieceRun(context, f"beyond_pieces/{place}", run, {**settings, **changes})
        variant.evolve()
        return variant.champions()[0]

    ways: dict[str, Callable[[int], Path]] = {
        what: partial(raised, place, changes) for place, (what, changes) in enumerate(VARIANTS.items(), start=1)
    }
    if find_spec("cma") is not None:
        ways[ON_RESULTS] = partial(trained_on_results, context)
    rows = []
    for what, way in ways.items():
        players = [way(run) for run in range(chosen["runs"])]
        rows.append(_compared(context, settings, what, players, chosen["match"]))
    return {"rows": rows, "runs": chosen["runs"]}


def trained_on_results(context: ExperimentContext, number: int) -> Path:
    name, said = f"beyond_pieces/results/run-{number + 1:02}", f"{ON_RESULTS}: run {number + 1}, generation"
    recipe = by_results(context.recipe_config(context.seed + number))
    evolve(context, name, recipe, lambda now: context.tell(f"{said} {now.number}"))
    return context.folder / name / BRAIN


def _compared(
    context: ExperimentContext, settings: Mapping[str, Any], what: str, raised: Sequence[Path], games: int
) -> dict[str, Any]:
    """The result of players against the thesis' own of the same runs."""
    plain = [PieceRun(context, "pieces", number, settings) for number in range(len(raised))]
    tallies = (run.play(player, run.champions()[0], games) for run, player in zip(plain, raised, strict=True))
    tally = sum(tallies, MatchResult())
    elo = elo_of(tally)
    context.tell(f"beyond_pieces: {what}: {elo['elo']:+.0f} Elo")
    return {"what": what, **outcomes(tally), "score": round(tally.score, 4), **elo}


def _match_all(run: PieceRun, champion: Path, games: int) -> MatchResult:
    """The result of a champion against each player of its generation 0, equally many games."""
    start = run.recipe
    first = next(start.learn(lambda population, _: np.zeros(len(population)))).population
    beginners = (start.express(player, {"name": "beginner"}) for player in first)
    return sum((run.play(champion, beginner, max(2, games // len(first))) for beginner in beginners), MatchResult())
