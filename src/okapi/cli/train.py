"""`okapi train`: a network learns a teacher's eye, and its curves grow in the terminal."""

import re
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from rich.live import Live
from rich.text import Text

from okapi.cli.conditions import Positive
from okapi.cli.console import Exit, Json, Pulse, emit, out, talk
from okapi.cli.curves import plot
from okapi.cli.evolve import RUNS, clock, tell_makers
from okapi.cli.executors import make_executor
from okapi.cli.gently import gently
from okapi.cli.timing import TIME, learn_to_allot
from okapi.errors import NotFound, Unfinished, UsageError
from okapi.formats.numbers import counted
from okapi.settings import parse_override

if TYPE_CHECKING:
    from okapi.training.supervised import Now, Report

__all__ = ["train"]

CHAMPION = "champion"


def train(
    recipe: Annotated[str | None, Parameter(help="A training's name; --list shows them.")] = None,
    /,
    *,
    list_: Annotated[bool, Parameter(name="--list", negative="")] = False,
    labels: Annotated[list[Path] | None, Parameter(negative="")] = None,
    games: Path | None = None,
    player: str | None = None,
    brain: str | None = None,
    suite: Path | None = None,
    elo: Positive = None,
    generations: Positive = None,
    to: Annotated[Path | None, Parameter(name=("--out", "--to"))] = None,
    size: Literal["tiny", "quick", "full"] = "quick",
    seed: int = 1,
    device: str = "auto",
    threads: Positive = None,
    change: Annotated[list[str] | None, Parameter(negative="")] = None,
    json: Json = False,
) -> int:
    """Train a network on labelled positions, on games or on its own play, and see its curves grow.

    Interrupted or killed, the same command goes on where it was; on a CPU it comes to the same bytes. On several GPUs,
    start it as `torchrun --nproc-per-node 4 -m okapi train …`.

    Examples:
      okapi train --list
      okapi train perceptron --labels labels.samples
      okapi train perceptron --size tiny --seed 7 --change lr=0.01 --out runs/faster
      okapi train moves --games masters.okapi
      okapi train personal --games me.pgn --player "Doe, Jane"
      okapi train giraffe --games masters.okapi --suite sts.epd --size full
      okapi train tdleaf --brain okapi-28 --games masters.okapi
      okapi train champion --labels labels.samples --generations 4 --out runs/champion

    Parameters
    ----------
    list_
        Show the trainings that there are.
    labels
        Labelled positions: samples of any format, plain or compressed. Without any, Okapi labels games of its own. Of
        `champion`: may be given several times; without any it learns from its own games alone.
    games
        Games to learn from, or in which positions are looked up whose file names no games: a PGN file or a game store.
    player
        Of `personal`: whose moves; the name that is in most games if not given.
    brain
        Of `personal`: the brain that learns on. Of `tdleaf`: the one that teaches itself. Of `distil` and `bounds`: the
        one that teaches. Of `time`: the one that searches. Of `champion`: the one that it begins with.
    suite
        Of `giraffe` and `tdleaf`: a test suite, EPD, whose points show how strength grows.
    elo
        Of `personal`: the player's rating, if it is not what the games say. Of `moves`: the least of both players.
    generations
        Of `champion`: how many times it plays, learns and is tested.
    to
        The folder for everything that comes of it; runs/train-RECIPE-PLAYER-SIZE-SEED if not given.
    size
        How much of it: a first look, minutes, or as the paper has it.
    seed
        Throws the dice.
    device
        Where: cpu, cuda, or auto for a GPU if there is one.
    threads
        Threads to use here; as many as there are processors if not given.
    change
        A setting that is to be different, KEY=VALUE; may be given several times.
    """
    if list_:
        return _list(json=json)
    given = [*(("labels", path) for path in labels or []), ("games", games), ("suite", suite)]
    for what, path in given:
        if path is not None and not path.exists():
            raise NotFound(f"no {what} at `{path}`", hint="`okapi label` makes labels" if what == "labels" else "")
    if recipe is None:
        raise UsageError("which training?", hint="`okapi train --list` shows those there are")
    _need_torch()
    from okapi.recipes.order import Order
    from okapi.recipes.raising import BRAIN
    from okapi.recipes.self_taught import LESSONS
    from okapi.recipes.trainings import find_training
    from okapi.recipes.trainings import train as carry_out
    from okapi.training.supervised.ranks import Ranks  # here, because torch takes seconds and others do without

    asked = {"player": player, "brain": brain, "elo": elo, "suite": suite and str(suite), "generations": generations}
    changes = {name: value for name, value in asked.items() if value is not None}
    changes |= dict(map(parse_override, change or []))
    folder = to or RUNS / "-".join(["train", recipe, *_words(player), size, str(seed)])
    if recipe == CHAMPION:
        from okapi.cli.champion import raise_it

        order = Order(size, seed, make_executor(threads, None), changes=changes)
        return raise_it(order, labels or [], folder, device=device, json=json)
    if len(labels or []) > 1:
        raise UsageError(
            f"`{recipe}` learns from one file of labels", hint="okapi samples convert A B --to BOTH.samples"
        )
    labelled = labels[0] if labels else None
    if recipe in LESSONS:
        from okapi.cli.self_taught import teach_itself

        order = Order(size, seed, make_executor(threads, None), games, changes, kept=folder / "labels")
        return teach_itself(recipe, order, folder, json=json)
    if recipe == TIME:
        return learn_to_allot(
            Order(size, seed, make_executor(threads, None), games, changes, labelled, folder / "labels"),
            folder,
            json=json,
        )
    maker = find_training(recipe)
    first = Ranks().first  # of several processes that torchrun started, one keeps things and talks
    kept = folder / "labels" if first else None
    made = maker(Order(size, seed, make_executor(threads, None), games, changes, labelled, kept))
    if not first:
        carry_out(made, folder, device=device, threads=threads)
        return Exit.DONE
    try:
        with _Watch(made.title, folder) as watch, gently() as stop:
            report, found = carry_out(made, folder, device=device, threads=threads, watch=watch, stop=stop)
    except (Unfinished, KeyboardInterrupt):
        talk().print(f"interrupted; what was learned is in {folder}, and the same command goes on", markup=False)
        return Exit.INTERRUPTED
    described = {"run": str(folder), "brain": str(folder / BRAIN), "recipe": recipe, **_headline(report)}
    if json:
        emit({**described, **found.figures})
    else:
        _print(described)
        for sentence in found.sentences:
            out().print(sentence, markup=False)
    return Exit.DONE


def _words(name: str | None) -> list[str]:
    """A name as parts of a folder's."""
    return re.findall(r"\w+", (name or "").lower())


def _headline(report: "Report") -> dict[str, Any]:
    short = {key: value for key, value in report.test.items() if key != "confusion"}
    keys = ("epochs", "best_epoch", "seconds", "samples_per_second", "device", "busy")
    return {**{key: getattr(report, key) for key in keys}, "test": short}


def _need_torch() -> None:
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise NotFound("training needs PyTorch, which is not installed", hint="pip install okapi-chess[learn]")


def _list(*, json: bool) -> int:
    _need_torch()
    from okapi.recipes.self_taught import LESSONS
    from okapi.recipes.trainings import TRAININGS, find_training

    makers: dict[str, object] = {name: find_training(name) for name in TRAININGS}
    makers[TIME] = resolve_name("okapi.recipes.timing:time")
    makers |= {name: resolve_name(where) for name, where in LESSONS.items()}
    makers[CHAMPION] = resolve_name("okapi.recipes.champion.orders:champion")
    return tell_makers("trainings", makers, json=json)


def _print(described: dict[str, Any]) -> None:
    """Two lines: what was found, and where it is."""
    test = described["test"]
    known = {"accuracy": ".2%", "near": ".2%", "top_3": ".2%", "mse": ".5g"}
    how = ", ".join(f"{name.replace('_', ' ')} {test[name]:{form}}" for name, form in known.items() if name in test)
    out().print(
        f"{counted(described['epochs'], 'epoch')}, the best {described['best_epoch']}, in "
        f"{described['seconds']:,.1f} s, {described['samples_per_second']:,.0f} samples/s: "
        f"loss {test['loss']:.5g}, {how} on {test['count']:,} test positions",
        markup=False,
    )
    out().print(f"brain: {described['brain']}", markup=False)


class _Watch:
    """Shows how training goes: a plot that lives on a terminal, plain lines now and then elsewhere."""

    def __init__(self, title: str, folder: Path) -> None:
        self._title = title
        self._folder = folder
        self._pulse = Pulse()
        self._first: float | None = None
        self._live = Live(Text(""), console=talk(), auto_refresh=False, transient=True)

    def __enter__(self) -> "_Watch":
        if talk().is_terminal:
            self._live.start()
        else:
            talk().print(self._title, markup=False)
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def __call__(self, now: "Now") -> None:
        """Another look."""
        if self._first is None:
            self._first = now.done
        line = (
            f"epoch {now.epoch}/{now.epochs}, {now.samples_per_second:,.0f} samples/s, {self._left(now)} left at most"
        )
        if self._live.is_started:
            self._live.update(Text(f"{self._title}\n{_curves(now)}\n{line}"), refresh=True)
        if self._pulse.due:
            loss = "" if now.train_loss is None else f", loss {now.train_loss:.4g}"
            known = f", validation {now.curve[-1]['validation_loss']:.4g}" if now.curve else ""
            self._pulse.say(f"{line}{loss}{known}")

    def _left(self, now: "Now") -> str:
        done = now.done - (self._first or 0.0)
        return clock(self._pulse.seconds / done * (1 - now.done)) if done > 0 else "?"


def _curves(now: "Now") -> str:
    train = [(float(entry["epoch"]), float(entry["train_loss"])) for entry in now.curve]
    if now.train_loss is not None:
        train.append((now.epoch - 1 + now.batch / now.batches, now.train_loss))
    validation = [(float(entry["epoch"]), float(entry["validation_loss"])) for entry in now.curve]
    return plot({"training loss": train, "validation loss": validation})
