"""`okapi evolve`: an alias of `okapi train` for recipes of evolution, and the display of generations."""

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from rich.table import Table

from okapi.cli.console import Exit, Json, emit, out
from okapi.cli.options import Positive
from okapi.cli.progress import Progress, minutes
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.optimize.population import Generation
    from okapi.recipes import Recipe
    from okapi.recipes.config import RecipeConfig
    from okapi.recipes.evolution import Evolution

__all__ = ["evolve", "run_evolution_recipe"]

ROWS = 12
"""Generations in the table."""


def evolve(
    recipe: Annotated[str | None, Parameter(help="A recipe; --list shows them.")] = None,
    /,
    *,
    list_: Annotated[bool, Parameter(name="--list", negative="")] = False,
    to: Annotated[str | None, Parameter(name=("--out", "--to"))] = None,
    size: Literal["tiny", "quick", "full"] = "quick",
    seed: int = 1,
    games: Path | None = None,
    threads: Positive = None,
    cluster: str | None = None,
    change: Annotated[list[str] | None, Parameter(negative="")] = None,
    json: Json = False,
) -> int:
    """Evolve a brain by a recipe, and show best, mean, spread and time left of each generation: an alias of train.

    The same command gives the same brain, on however many threads or machines. An interrupted or killed command
    continues when it is given again.

    Examples:
      okapi evolve --list
      okapi evolve vazquez-28 --games masters.pgn
      okapi evolve vazquez-five --size full --seed 7 --games masters.pgn
      okapi evolve vazquez-pieces --size tiny --change sigma=0.75 --out wilder

    Parameters
    ----------
    list_
        List the recipes of evolution.
    to
        The name of the run, or a path of its folder; evolve-RECIPE-SIZE-SEED if not given.
    size
        tiny: seconds; quick: minutes; full: as large as in the paper.
    seed
        Random seed.
    games
        Games of masters: a PGN file, plain or compressed, or a game store. Recipes that need some can play their own.
    threads
        Threads to use; the number of processors if not given.
    cluster
        Work on the Ray cluster at this address (host:port, or auto).
    change
        A setting to change, KEY=VALUE; may be given several times.
    """
    from okapi.cli.train import list_recipes, train

    if list_:
        return list_recipes("evolution", json=json)
    if recipe is None:
        raise UsageError("which recipe?", hint="`okapi evolve --list` shows them")
    return train(
        recipe, to=to, size=size, seed=seed, games=games, threads=threads, cluster=cluster, change=change, json=json
    )


def run_evolution_recipe(recipe: "Recipe", name: str, config: "RecipeConfig", folder: Path, *, json: bool) -> int:
    """Run a recipe of method `evolution` and show its generations: exit code."""
    from okapi.recipes.evolution import BRAIN, read_generations, run_evolution

    made = recipe.make(config)
    with _EvolutionProgress(made, folder, kept=len(read_generations(folder))) as watch:
        try:
            threads = config.executor.workers
            last = run_evolution(made, folder, watch.generation, snapshots=config.snapshots(), threads=threads)
        except KeyboardInterrupt:
            return watch.interrupted(f"; {watch.seen} generations are in {folder}")
    described = {
        "run": str(folder),
        "brain": str(folder / BRAIN),
        "recipe": name,
        "generations": last.number,
        "best": last.best_score,
        "mean": last.mean_score,
        "spread": last.spread,
        "seconds": read_generations(folder)[-1]["seconds"],
        "evaluations": last.evaluations,
    }
    if json:
        emit(described)
    else:
        _print(described)
    return Exit.DONE


def _print(described: dict[str, Any]) -> None:
    """The result, and where it is."""
    out().print(
        f"{described['generations']} generations, {described['evaluations']:,} players scored in "
        f"{described['seconds']:,.1f} s: best {described['best']:g}, mean {described['mean']:g}, "
        f"spread {described['spread']:.3g}",
        markup=False,
    )
    out().print(f"brain: {described['brain']}", markup=False)


class _EvolutionProgress(Progress):
    """A table of the latest generations."""

    def __init__(self, recipe: "Evolution", folder: Path, *, kept: int) -> None:
        total = recipe.generations
        super().__init__("generations", None if total is None else total + 1, bar=False)
        self._recipe, self._kept = recipe, kept
        self._rows: deque[tuple[str, ...]] = deque(maxlen=ROWS)
        self.seen = kept
        self.resume(kept)
        if kept:
            self.note(f"{kept} generations are in {folder}")

    def generation(self, now: "Generation") -> None:
        """Another generation, or one of an earlier run."""
        self.seen = max(self.seen, now.number + 1)
        best, mean, spread = f"{now.best_score:g}", f"{now.mean_score:.4g}", f"{now.spread:.3g}"
        self._rows.append((str(now.number), best, mean, spread, self._left(now.number)))
        if now.number >= self._kept - 1:
            text = f"best {best}, mean {mean}, spread {spread}"
            line = None if self._recipe.generations is not None else f"{now.number} {text}"
            self.update(now.number + 1, text, line=line, above=self._table)

    def _left(self, number: int) -> str:
        total, new = self._recipe.generations, number + 1 - self._kept
        if total is None or new <= 0:
            return ""
        return minutes(self.seconds / new * (total - number))

    def _table(self) -> Table:
        table = Table(title=self._recipe.title, title_justify="left")
        table.add_column("generation", justify="right")
        for name in ("best", "mean", "spread", "time left"):
            table.add_column(name, justify="right")
        for row in self._rows:
            table.add_row(*row)
        return table
