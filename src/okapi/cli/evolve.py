"""`okapi evolve`: a brain is raised by a recipe, generation by generation."""

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from rich.table import Table

from okapi.cli.console import Exit, Json, emit, out
from okapi.cli.options import Positive, make_executor
from okapi.cli.progress import Progress, minutes
from okapi.errors import NotFound, UsageError
from okapi.settings import parse_override

if TYPE_CHECKING:
    from okapi.optimize.generation import Generation
    from okapi.recipes.evolution import Evolution

__all__ = ["RUNS", "evolve", "tell_makers"]

RUNS = Path("runs")
"""Where it happens if nobody says where."""

ROWS = 12
"""Generations that a person sees at a time."""


def evolve(
    recipe: Annotated[str | None, Parameter(help="A recipe's name; --list shows them.")] = None,
    /,
    *,
    list_: Annotated[bool, Parameter(name="--list", negative="")] = False,
    to: Annotated[Path | None, Parameter(name=("--out", "--to"))] = None,
    size: Literal["tiny", "quick", "full"] = "quick",
    seed: int = 1,
    games: Path | None = None,
    threads: Positive = None,
    cluster: str | None = None,
    change: Annotated[list[str] | None, Parameter(negative="")] = None,
    json: Json = False,
) -> int:
    """Raise a brain by a recipe, and see its generations pass: best, mean, spread, time left.

    The same command gives the same brain, on however many threads or machines. Interrupted or killed, it goes on where
    it was.

    Examples:
      okapi evolve --list
      okapi evolve vazquez-28 --games masters.pgn
      okapi evolve vazquez-five --size full --seed 7 --games masters.pgn
      okapi evolve vazquez-pieces --size tiny --change sigma=0.75 --out runs/wilder

    Parameters
    ----------
    list_
        Show the recipes that there are.
    to
        The folder for everything that comes of it; runs/evolve-RECIPE-SIZE-SEED if not given.
    size
        How much of it: a first look, minutes, or as the paper has it.
    seed
        Throws the dice.
    games
        Games of masters: a PGN file, plain or compressed, or a game store. Recipes that need some can play their own.
    threads
        Threads to use here; as many as there are processors if not given.
    cluster
        Work on the Ray cluster at this address (host:port, or auto).
    change
        A setting that is to be different, KEY=VALUE; may be given several times.
    """
    if list_:
        return _list(json=json)
    if games is not None and not games.exists():
        raise NotFound(f"no games at `{games}`")
    if recipe is None:
        raise UsageError("which recipe?", hint="`okapi evolve --list` shows those there are")
    from okapi.recipes.config import RecipeConfig  # here, because numpy takes a while and others do without
    from okapi.recipes.evolution import BRAIN, find_recipe, read_generations, run_evolution

    maker = find_recipe(recipe)
    changes = dict(map(parse_override, change or []))
    folder = to or RUNS / f"evolve-{recipe}-{size}-{seed}"
    made = maker(RecipeConfig(size, seed, make_executor(threads, cluster), games, changes))
    with _EvolutionProgress(made, folder, kept=len(read_generations(folder))) as watch:
        try:
            last = run_evolution(made, folder, watch.generation)
        except KeyboardInterrupt:
            return watch.interrupted(f"; {watch.seen} generations are in {folder}")
    described = {
        "run": str(folder),
        "brain": str(folder / BRAIN),
        "recipe": recipe,
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


def _list(*, json: bool) -> int:
    from okapi.recipes.evolution import RECIPES, find_recipe

    return tell_makers("recipes", {name: find_recipe(name) for name in RECIPES}, json=json)


def tell_makers(called: str, makers: Mapping[str, object], *, json: bool) -> int:
    """Names of functions that make something, and the first line of what they say about it."""
    told = {name: (maker.__doc__ or "").strip().splitlines()[0] for name, maker in makers.items()}
    if json:
        emit({called: [{"name": name, "what": what} for name, what in told.items()]})
        return Exit.DONE
    width = max(map(len, told))
    for name, what in told.items():
        out().print(f"[bold]{name:{width}}[/]  {what}")
    return Exit.DONE


def _print(described: dict[str, Any]) -> None:
    """Two lines: what was found, and where it is."""
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
