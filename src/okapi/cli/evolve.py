"""`okapi evolve`: a brain is raised by a recipe, generation by generation."""

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from rich.live import Live
from rich.table import Table

from okapi.cli.console import Exit, Json, emit, out, talk
from okapi.cli.options import Positive, make_executor
from okapi.cli.progress import Pulse
from okapi.errors import NotFound, UsageError
from okapi.settings import parse_override

if TYPE_CHECKING:
    from okapi.optimize.generation import Generation
    from okapi.recipes.evolution import Evolution

__all__ = ["RUNS", "clock", "evolve", "tell_makers"]

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
    watch = _Watch(made, folder, kept=len(read_generations(folder)))
    try:
        with watch:
            last = run_evolution(made, folder, watch)
    except KeyboardInterrupt:
        return watch.interrupted()
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


class _Watch:
    """Shows generations as they pass: a table that lives on a terminal, plain lines now and then elsewhere."""

    def __init__(self, recipe: "Evolution", folder: Path, *, kept: int) -> None:
        self._recipe = recipe
        self._folder = folder
        self._kept = kept
        self._rows: deque[tuple[str, ...]] = deque(maxlen=ROWS)
        self._pulse = Pulse()
        self._seen = 0
        self._live = Live(self._table(), console=talk(), auto_refresh=False, transient=True)

    def __enter__(self) -> None:
        if self._kept:
            talk().print(f"{self._kept} generations are in {self._folder}", markup=False)
        if talk().is_terminal:
            self._live.start()

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def __call__(self, now: "Generation") -> None:
        """Another generation, or one of an earlier life."""
        self._seen = now.number + 1
        best, mean, spread = f"{now.best_score:g}", f"{now.mean_score:.4g}", f"{now.spread:.3g}"
        self._rows.append((str(now.number), best, mean, spread, self._left(now.number)))
        if self._live.is_started and (now.number >= self._kept or now.number == self._kept - 1):
            self._live.update(self._table(), refresh=True)
        if self._pulse.due and now.number >= self._kept:
            total = self._recipe.generations
            so_far = f"best {best}, mean {mean}, spread {spread}"
            if total is None:
                self._pulse.say(f"{now.number} {so_far}")
            else:
                self._pulse.tell(self._seen, total + 1, so_far, kept=self._kept)

    def interrupted(self) -> int:
        """Ctrl-C."""
        done = max(self._seen, self._kept)
        talk().print(
            f"interrupted; {done} generations are in {self._folder}, and the same command goes on", markup=False
        )
        return Exit.INTERRUPTED

    def _left(self, number: int) -> str:
        total, new = self._recipe.generations, number + 1 - self._kept
        if total is None or new <= 0:
            return ""
        return clock(self._pulse.seconds / new * (total - number))

    def _table(self) -> Table:
        table = Table(title=self._recipe.title, title_justify="left")
        table.add_column("generation", justify="right")
        for name in ("best", "mean", "spread", "time left"):
            table.add_column(name, justify="right")
        for row in self._rows:
            table.add_row(*row)
        return table


def clock(seconds: float) -> str:
    """As minutes and seconds.

    >>> clock(3754.2)
    '62:34'
    """
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"
