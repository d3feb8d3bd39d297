"""`okapi train`, and its alias `okapi evolve`: options, and the progress and result of every recipe in the terminal."""

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.text import Text

from okapi.cli.console import Json, answer, interruptible, table_of
from okapi.cli.options import make_executor
from okapi.cli.parameters import Amount, Cluster, Positive, Size, Texts, about, out_flag
from okapi.cli.progress import THOUSANDTHS, Progress
from okapi.errors import NotFound, UsageError
from okapi.settings import parse_override

if TYPE_CHECKING:
    from okapi.recipes.run import RecipeProgress

OUT_HELP = "The run, by name or folder, where its brain is found then; train-RECIPE-PLAYER-SIZE-SEED if not given."
LABELS_HELP = (
    "Labelled positions: samples of any format, plain or compressed. Without any, Okapi labels games of its own. "
    "Of `champion`: may be given several times; without any it learns from its own games alone."
)
ELO_HELP = "Of `personal`: the player's rating, if games do not say it. Of `moves`: the least of both players."
BRAIN_HELP = (
    "Of `personal`, `tdleaf` and `champion`: the brain that training starts from. Of `nnue`, `distil` and `bounds`: "
    "the one whose values are learned. Of `time`: the one that searches."
)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class DataOptions:
    labels: Annotated[list[Path] | None, about(LABELS_HELP, negative="")] = None
    games: Annotated[Path | None, about("Games to train on, or that labelled positions came from.")] = None
    player: Annotated[str | None, about("Of `personal`: whose moves; usually who is in most games.")] = None
    brain: Annotated[str | None, about(BRAIN_HELP)] = None
    suite: Annotated[Path | None, about("Of `giraffe` and `tdleaf`: an EPD file to measure points on.")] = None
    elo: Annotated[Positive, about(ELO_HELP)] = None
    generations: Annotated[Positive, about("Of `champion`: generations of self-play, training and test.")] = None

    @property
    def given(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if value is not None}

    def settings(self) -> dict[str, Any]:
        """Those that a recipe takes as its settings."""
        settings = {name: value for name, value in self.given.items() if name not in ("labels", "games")}
        return settings | ({} if self.suite is None else {"suite": str(self.suite)})

    def check(self) -> None:
        """NotFound for a file that does not exist."""
        given = [*(("labels", path) for path in self.labels or []), ("games", self.games), ("suite", self.suite)]
        for what, path in given:
            if path is not None and not path.exists():
                raise NotFound(f"no {what} at `{path}`", hint="`okapi label` makes labels" if what == "labels" else "")


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How much is trained, where, and on what machine."""

    to: Annotated[str | None, out_flag("--to", help=OUT_HELP)] = None
    size: Annotated[Size, about("tiny: seconds; quick: minutes; full: as large as in the paper.")] = "quick"
    minutes: Annotated[Amount, about("How long it may take: as much is played and trained as fits.")] = None
    estimate: Annotated[bool, about("Say what would be done in these minutes, and end.", negative="")] = False
    seed: Annotated[int, about("Random seed.")] = 1
    device: Annotated[str, about("Where: cpu, cuda, or auto for a GPU if there is one.")] = "auto"
    threads: Annotated[Positive, about("Threads to use; the number of processors if not given.")] = None
    cluster: Annotated[Cluster, about("Of evolution: use the Ray cluster at this address.")] = None
    change: Annotated[Texts, about("A setting, KEY=VALUE; may be given several times.", negative="")] = None


def train(
    recipe: Annotated[str | None, about("A recipe's name; --list shows them.")] = None,
    /,
    *,
    list_: Annotated[bool, Parameter(name="--list", negative="", help="List the recipes.")] = False,
    data: DataOptions = DataOptions(),
    run: RunOptions = RunOptions(),
    json: Json = False,
) -> None:
    """Train a brain by a recipe: on labelled positions, on games, by self-play or by evolution.

    An interrupted or killed command continues when it is given again; on a CPU the result is the same to the byte. On
    several GPUs, start it as `torchrun --nproc-per-node 4 -m okapi train …`.

    For example:
      okapi train nnue --minutes 10 --out mine
      okapi train giraffe --games masters.okapi --suite sts.epd --size full
      okapi train champion --labels labels.samples --generations 4 --out mine
    """
    if list_:
        list_recipes(json=json)
    elif recipe is None:
        raise UsageError("which recipe?", hint="`okapi train --list` shows them")
    else:
        train_with(recipe, data, run, json=json)


def evolve(
    recipe: Annotated[str | None, about("A recipe; --list shows them.")] = None,
    /,
    *,
    list_: Annotated[bool, Parameter(name="--list", negative="", help="List the recipes of evolution.")] = False,
    games: Annotated[Path | None, about("Games of masters: a PGN file or a store; Okapi can play its own.")] = None,
    run: RunOptions = RunOptions(),
    json: Json = False,
) -> None:
    """Evolve a brain by a recipe, and show best, mean, spread and time left of each generation: an alias of train.

    The same command gives the same brain, on however many threads or machines. An interrupted or killed command
    continues when it is given again.

    For example:
      okapi evolve --list
      okapi evolve vazquez-28 --games masters.pgn
    """
    if list_:
        list_recipes("evolution", json=json)
    elif recipe is None:
        raise UsageError("which recipe?", hint="`okapi evolve --list` shows them")
    else:
        train_with(recipe, DataOptions(games=games), run, json=json)


def list_recipes(method: str | None = None, *, json: bool) -> None:
    from okapi.recipes import RECIPES

    shown = {name: recipe for name, recipe in RECIPES.items() if method in (None, recipe.method)}
    listed = [{"name": name, "what": recipe.title, "needs": recipe.needs} for name, recipe in shown.items()]
    rows = ((name, recipe.needs, recipe.title) for name, recipe in shown.items())
    table = table_of({"recipe": "", "learns from": "", "what it makes": ""}, rows)
    table.columns[0].no_wrap, table.columns[0].style = True, "bold"
    answer({"recipes": listed, "trainings": listed}, table, json=json)  # `trainings`: until version 0.9


def train_with(name: str, data: DataOptions, options: RunOptions, *, json: bool) -> None:
    """Run a recipe, show its progress and print its result."""
    data.check()
    from okapi.recipes import check_data, find_recipe

    recipe, labels = find_recipe(name), data.labels or []
    check_data(name, data.given)
    if recipe.needs_torch and find_spec("torch") is None:
        raise NotFound(f"`{name}` needs PyTorch, which is not installed", hint="pip install okapi-chess[learn]")
    one_file = recipe.method not in ("champion", "nnue")
    if one_file and len(labels) > 1:
        raise UsageError(f"`{name}` learns from one file of labels", hint="okapi samples convert A B --out ALL.samples")
    from okapi.brains.library import run_folder
    from okapi.recipes.config import RecipeConfig  # here, because numpy takes a while to import
    from okapi.recipes.run import RecipeRun

    verb = "evolve" if recipe.method == "evolution" else "train"
    words = (verb, name, *re.findall(r"\w+", (data.player or "").lower()), options.size, str(options.seed))
    folder = Path() if options.estimate else run_folder(options.to, "-".join(words))  # an estimate makes none
    executor = make_executor(options.threads, options.cluster)
    changes = data.settings() | dict(map(parse_override, options.change or []))
    one = labels[0] if labels and one_file else None
    config = RecipeConfig(options.size, options.seed, executor, data.games, changes, one, folder / "labels")
    how: dict[str, Any] = {name: getattr(options, name) for name in ("minutes", "device", "threads")}
    with RecipeDisplay() as display, interruptible() as stop:
        told: dict[str, Any] = {"tell": display.note, "watch": display.show, "stop": stop}
        run = RecipeRun(name=name, config=config, folder=folder, labels=labels, **how, **told)
        plan = run.estimate() if options.estimate else None
        result = run.start() if plan is None else None
    if plan is not None:
        from okapi.recipes.league.report import expectation

        measured = "" if data.given or recipe.measured is None else str(recipe.measured)
        known = " ".join(filter(None, (measured, expectation(name))))
        told = {"recipe": name, "minutes": options.minutes, "plan": plan, "measured": known}
        answer(told, *filter(None, (f"plan: {plan}", known)), json=json)
    elif result is not None:
        brain = [f"brain: {result.figures['brain']}"] if "brain" in result.figures else []
        answer(result.figures, *result.lines, *brain, json=json)


class RecipeDisplay(Progress):
    def __init__(self) -> None:
        super().__init__("", bar=False)
        self._stage: str | None = None
        self._begun_at = self._begun_with = 0.0

    def show(self, now: "RecipeProgress") -> None:
        """Draw how far it is. The time left is that of the stage."""
        if now.stage != self._stage:
            self._stage, self._begun_at, self._begun_with = now.stage, self.seconds, now.done or 0.0
        done = now.done or 0.0
        line = f"{now.stage}{': ' if now.stage else ''}{now.text}"
        if done > self._begun_with:
            left = (self.seconds - self._begun_at) / (done - self._begun_with) * (1 - done)
            line += f", {round(left) // 60}:{round(left) % 60:02} left"

        def drawn() -> Text:
            from okapi.cli.drawing import bar, plot  # here, because it imports the core

            parts = (plot(now.curves), "" if now.done is None else bar(now.done), line)
            return Text("\n".join(filter(None, parts)))

        self.update(round(THOUSANDTHS * done), line, above=drawn)
