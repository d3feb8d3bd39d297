"""`okapi train`: everything that a recipe can train, and its curves in the terminal."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter
from rich.text import Text

from okapi.brains.library import run_folder
from okapi.cli.console import Exit, Json, emit, interruptible, out, talk
from okapi.cli.drawing import plot
from okapi.cli.evolve import run_evolution_recipe
from okapi.cli.options import Positive, make_executor
from okapi.cli.progress import THOUSANDTHS, Progress, fraction_done, minutes
from okapi.errors import NotFound, Unfinished, UsageError
from okapi.formats.numbers import counted
from okapi.settings import parse_override

if TYPE_CHECKING:
    from okapi.recipes import Recipe
    from okapi.recipes.champion.config import ChampionEstimate
    from okapi.recipes.champion.generation import GenerationResult
    from okapi.recipes.champion.run import ChampionResult
    from okapi.recipes.config import RecipeConfig
    from okapi.recipes.tdleaf import TdLeafEstimate
    from okapi.recipes.tdleaf_run import TdLeafResult
    from okapi.training.report import TrainingReport
    from okapi.training.tdleaf import TdLeafProgress
    from okapi.training.trainer import TrainingProgress

__all__ = ["list_recipes", "train"]


def train(
    recipe: Annotated[str | None, Parameter(help="A recipe's name; --list shows them.")] = None,
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
    to: Annotated[str | None, Parameter(name=("--out", "--to"))] = None,
    size: Literal["tiny", "quick", "full"] = "quick",
    seed: int = 1,
    device: str = "auto",
    threads: Positive = None,
    cluster: str | None = None,
    change: Annotated[list[str] | None, Parameter(negative="")] = None,
    json: Json = False,
) -> int:
    """Train a brain by a recipe: on labelled positions, on games, by self-play or by evolution.

    An interrupted or killed command continues when it is given again; on a CPU the result is the same to the byte. On
    several GPUs, start it as `torchrun --nproc-per-node 4 -m okapi train …`.

    Examples:
      okapi train --list
      okapi train perceptron --labels labels.samples
      okapi train perceptron --size tiny --seed 7 --change lr=0.01 --out faster
      okapi train moves --games masters.okapi
      okapi train personal --games me.pgn --player "Doe, Jane"
      okapi train giraffe --games masters.okapi --suite sts.epd --size full
      okapi train tdleaf --brain okapi-28 --games masters.okapi
      okapi train champion --labels labels.samples --generations 4 --out mine

    Parameters
    ----------
    list_
        List the recipes.
    labels
        Labelled positions: samples of any format, plain or compressed. Without any, Okapi labels games of its own. Of
        `champion`: may be given several times; without any it learns from its own games alone.
    games
        Games to train on, or that labelled positions came from: a PGN file or a game store.
    player
        Of `personal`: whose moves; the name that is in most games if not given.
    brain
        Of `personal`, `tdleaf` and `champion`: the brain that training starts from. Of `distil` and `bounds`: the one
        whose values are learned. Of `time`: the one that searches.
    suite
        Of `giraffe` and `tdleaf`: a test suite, EPD, whose points are measured during training.
    elo
        Of `personal`: the player's rating, if it is not what the games say. Of `moves`: the least of both players.
    generations
        Of `champion`: generations of self-play, training and test.
    to
        The name of the run, by which its brain is found then, or a path of its folder; train-RECIPE-PLAYER-SIZE-SEED
        if not given.
    size
        tiny: seconds; quick: minutes; full: as large as in the paper.
    seed
        Random seed.
    device
        Where: cpu, cuda, or auto for a GPU if there is one.
    threads
        Threads to use; the number of processors if not given.
    cluster
        Of evolution: use the Ray cluster at this address (host:port, or auto).
    change
        A setting to change, KEY=VALUE; may be given several times.
    """
    if list_:
        return list_recipes(json=json)
    given = [*(("labels", path) for path in labels or []), ("games", games), ("suite", suite)]
    for what, path in given:
        if path is not None and not path.exists():
            raise NotFound(f"no {what} at `{path}`", hint="`okapi label` makes labels" if what == "labels" else "")
    if recipe is None:
        raise UsageError("which recipe?", hint="`okapi train --list` shows them")
    from okapi.recipes import find_recipe

    found = find_recipe(recipe)
    if found.method != "evolution":
        _need_torch()
    if found.method != "champion" and len(labels or []) > 1:
        raise UsageError(
            f"`{recipe}` learns from one file of labels", hint="okapi samples convert A B --to BOTH.samples"
        )
    from okapi.recipes.config import RecipeConfig  # here, because numpy takes a while to import

    asked = {"player": player, "brain": brain, "elo": elo, "suite": suite and str(suite), "generations": generations}
    changes = {name: value for name, value in asked.items() if value is not None}
    changes |= dict(map(parse_override, change or []))
    folder = run_folder(to, "-".join([_prefix(found), recipe, *_words(player), size, str(seed)]))
    config = RecipeConfig(
        size,
        seed,
        make_executor(threads, cluster),
        games,
        changes,
        labels[0] if labels and found.method != "champion" else None,
        folder / "labels",
    )
    match found.method:
        case "evolution":
            return run_evolution_recipe(found, recipe, config, folder, json=json)
        case "tdleaf":
            return _run_tdleaf(found, recipe, config, folder, json=json)
        case "time":
            return _run_time(config, folder, json=json)
        case "champion":
            return _run_champion(found, config, labels or [], folder, device=device, json=json)
        case "inner-nodes":
            return _run_inner_nodes(found, config, folder, device=device, json=json)
        case "teacher":
            return _run_teacher(found, config, folder, device=device, json=json)
        case _:
            return _run_supervised(found, recipe, config, folder, device=device, threads=threads, json=json)


def _prefix(recipe: "Recipe") -> str:
    """Of the run's folder."""
    return "evolve" if recipe.method == "evolution" else "train"


def list_recipes(method: str | None = None, *, json: bool) -> int:
    """Print all recipes, or those of one method: exit code."""
    from okapi.recipes import RECIPES

    shown = {name: recipe for name, recipe in RECIPES.items() if method in (None, recipe.method)}
    if json:
        listed = [{"name": name, "what": recipe.title, "needs": recipe.needs} for name, recipe in shown.items()]
        emit({"recipes": listed, "trainings": listed})  # `trainings`: until version 0.9
        return Exit.DONE
    width, wide = max(map(len, shown)), max(len(recipe.needs) for recipe in shown.values())
    for name, recipe in shown.items():
        out().print(f"[bold]{name:{width}}[/]  {recipe.needs:{wide}}  {recipe.title}")
    return Exit.DONE


def _run_supervised(
    recipe: "Recipe", name: str, config: "RecipeConfig", folder: Path, *, device: str, threads: int | None, json: bool
) -> int:
    from okapi.recipes.evolution import BRAIN
    from okapi.recipes.training import run_training
    from okapi.training.devices import Ranks  # here, because torch takes seconds to import

    first = Ranks().first  # of the processes of torchrun, one writes and prints
    made = recipe.make(config if first else replace(config, cache=None))
    if not first:
        run_training(made, folder, device=device, threads=threads)
        return Exit.DONE
    with _TrainingProgress(made.title) as progress, interruptible() as stop:
        try:
            report, found = run_training(
                made,
                folder,
                device=device,
                threads=threads,
                watch=progress.batch,
                stop=stop,
                snapshots=config.snapshots(),
            )
        except (Unfinished, KeyboardInterrupt):
            return progress.interrupted(f"; the run is in {folder}")
    described = {"run": str(folder), "brain": str(folder / BRAIN), "recipe": name, **_headline(report)}
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


def _headline(report: "TrainingReport") -> dict[str, Any]:
    short = {key: value for key, value in report.test.items() if key != "confusion"}
    keys = ("epochs", "best_epoch", "seconds", "samples_per_second", "device", "busy")
    return {**{key: getattr(report, key) for key in keys}, "test": short}


def _need_torch() -> None:
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise NotFound("training needs PyTorch, which is not installed", hint="pip install okapi-chess[learn]")


def _print(described: dict[str, Any]) -> None:
    """The result, and where it is."""
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


class _TrainingProgress(Progress):
    """Losses as curves."""

    def __init__(self, title: str) -> None:
        super().__init__(title, bar=False)
        self._title = title
        self._first: float | None = None
        if not self._console.is_terminal:
            self.note(title)

    def line(self, text: str) -> None:
        """A step before or after the training."""
        self.update(0, line=text)

    def batch(self, now: "TrainingProgress") -> None:
        """Some more batches."""
        if self._first is None:
            self._first = now.done
        done = now.done - self._first
        left = minutes(self.seconds / done * (1 - now.done)) if done > 0 else "?"
        line = f"epoch {now.epoch}/{now.epochs}, {now.samples_per_second:,.0f} samples/s, {left} left at most"
        loss = "" if now.train_loss is None else f", loss {now.train_loss:.4g}"
        known = f", validation {now.curve[-1]['validation_loss']:.4g}" if now.curve else ""
        self.update(
            round(THOUSANDTHS * now.done),
            line=f"{line}{loss}{known}",
            above=lambda: Text(f"{self._title}\n{_curves(now)}\n{line}"),
        )


def _curves(now: "TrainingProgress") -> str:
    train = [(float(entry["epoch"]), float(entry["train_loss"])) for entry in now.curve]
    if now.train_loss is not None:
        train.append((now.epoch - 1 + now.batch / now.batches, now.train_loss))
    validation = [(float(entry["epoch"]), float(entry["validation_loss"])) for entry in now.curve]
    return plot({"training loss": train, "validation loss": validation})


POINTS = 400
"""Points of the curve of errors in the terminal."""


def _run_tdleaf(recipe: "Recipe", name: str, config: "RecipeConfig", folder: Path, *, json: bool) -> int:
    from okapi.recipes.evolution import BRAIN
    from okapi.recipes.tdleaf_run import run_tdleaf

    made = recipe.make(config)
    with _TdLeafProgress(made.title, made.threads) as progress, interruptible() as stop:
        try:
            outcome = run_tdleaf(
                made,
                folder,
                tell=progress.estimate,
                watch=progress.iteration,
                stop=stop,
                snapshots=config.snapshots(),
            )
        except (Unfinished, KeyboardInterrupt):
            return progress.interrupted(f"; the run is in {folder}")
    described = {"run": str(folder), "brain": str(folder / BRAIN), "recipe": name, **_numbers(outcome)}
    if json:
        emit(described)
    else:
        _print_outcome(outcome, folder / BRAIN)
    return Exit.DONE


def _numbers(outcome: "TdLeafResult") -> dict[str, Any]:
    told = {**asdict(outcome), "positions_per_second": round(outcome.positions_per_second, 1)}
    told["trained"] = {name: _finite(value) for name, value in outcome.trained.items()}
    told["outlook"] = told["estimate"]  # until version 0.9
    return told


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


def _print_outcome(outcome: "TdLeafResult", brain: Path) -> None:
    """The result beside the estimate."""
    say: Callable[[str], None] = lambda line: out().print(line, markup=False)  # noqa: E731
    plan, begun, now = outcome.estimate, outcome.begun, outcome.trained
    say(f"{'':26}{'plan':>12}{'outcome':>12}")
    rows = [
        ("positions searched", f"{plan['positions']:,}", f"{outcome.positions:,}"),
        ("positions/s", f"{plan['positions_per_second']:,.0f}", f"{outcome.positions_per_second:,.0f}"),
        ("time (min:s)", minutes(plan["seconds"]), minutes(outcome.seconds)),
        ("Elo over its beginning", f"{plan['elo_gain']:+.0f}", f"{now['elo']:+.0f}"),
    ]
    if now["sts"] is not None:
        was = begun["sts"]
        rows.append(("STS points of 15,000", f"{was + plan['sts_gain']:,.0f}", f"{now['sts']:,.0f}"))
    for name, before, after in rows:
        say(f"{name:<26}{before:>12}{after:>12}")
    low, high = (_finite(now[end]) for end in ("elo_low", "elo_high"))
    between = f"{'−∞' if low is None else f'{low:+.0f}'} … {'∞' if high is None else f'{high:+.0f}'}"
    say(f"Elo within {between}" + ("" if now["sts"] is None else f"; it began with {begun['sts']:,.0f} points"))
    say(f"brain: {brain}")


class _TdLeafProgress(Progress):
    """Errors, or Elo once it was measured, as a curve."""

    def __init__(self, title: str, threads: int) -> None:
        super().__init__(title, bar=False)
        self._threads = threads
        self._first: int | None = None
        self._errors: list[tuple[float, float]] = []
        self._elos: list[tuple[float, float]] = []
        self.note(title)

    def estimate(self, estimate: "TdLeafEstimate") -> None:
        """The estimate, before anything begins."""
        self.note(
            f"plan: {estimate.iterations:,} iterations, {estimate.positions:,} positions at "
            f"{estimate.positions_per_second:,.0f}/s on {self._threads} threads: about {minutes(estimate.seconds)} "
            f"(min:s); earlier runs of this length gained {estimate.sts_gain:,.0f} of 15,000 STS points and "
            f"{estimate.elo_gain:.0f} Elo over their beginning"
        )

    def iteration(self, now: "TdLeafProgress", strength: Mapping[str, Any]) -> None:
        """Another iteration."""
        if self._first is None:
            self._first = now.iteration - 1
        left = minutes(self.seconds / (now.iteration - self._first) * (now.iterations - now.iteration))
        rate = now.positions / max(now.seconds, 1e-9)
        line = f"iteration {now.iteration}/{now.iterations}, {rate:,.0f} positions/s, {left} left"
        told = ", ".join(_measured(strength))
        self._errors = [*self._errors, (float(now.iteration), now.error)][-POINTS:]
        if strength and (not self._elos or self._elos[-1][0] != strength["iteration"]):
            self._elos.append((float(strength["iteration"]), float(strength["elo"] or 0.0)))
        curves = {"Elo over its beginning": self._elos} if self._elos else {"error": self._errors}
        self.update(
            now.iteration,
            line=f"{line}, error {now.error:.4f}{', ' if told else ''}{told}",
            above=lambda: Text(f"{plot(curves)}\n{line}\n{told}"),
        )


def _measured(strength: Mapping[str, Any]) -> list[str]:
    """The last measurement in words."""
    if not strength:
        return []
    told = [f"after {strength['iteration']} Elo {strength['elo']:+.0f}" if strength["elo"] is not None else ""]
    told += [f"STS {strength['sts']:,.0f}"] if strength["sts"] is not None else []
    return [words for words in told if words]


def _run_champion(
    recipe: "Recipe", config: "RecipeConfig", labels: Sequence[Path], folder: Path, *, device: str, json: bool
) -> int:
    from okapi.recipes.champion.run import train_champion

    champion = recipe.make(config, labels=labels)
    with _ChampionProgress(champion.generations, champion.threads) as progress, interruptible() as stop:
        try:
            crowned = train_champion(
                champion,
                folder,
                device=device,
                tell=progress.estimate,
                watch=progress.step,
                stop=stop,
                on_outcome=progress.outcome,
                snapshots=config.snapshots(),
            )
        except Unfinished as unfinished:
            progress.stop()
            progress.note(f"{unfinished}; everything is in {folder}, and the same command goes on")
            if unfinished.hint:
                progress.note(f"hint: {unfinished.hint}")
            return Exit.INTERRUPTED
        except KeyboardInterrupt:
            return progress.interrupted(f"; everything is in {folder}")
    if json:
        emit({"run": str(folder), "brain": str(crowned.brain), "recipe": "champion", **crowned.as_json()})
    else:
        _print_champion(crowned)
    return Exit.DONE


class _ChampionProgress(Progress):
    """The step of a generation, and a line for each generation that was tested."""

    def __init__(self, generations: int, threads: int) -> None:
        super().__init__("champion", THOUSANDTHS)
        self._generations, self._threads = generations, threads
        self._step = ""
        self._step_begun = self._step_from = 0.0

    def estimate(self, estimate: "ChampionEstimate") -> None:
        """The estimate, before anything begins."""
        pace = estimate.pace
        self.note(
            f"plan: {estimate.generations} × {estimate.positions:,} positions at {pace.positions_per_second:,.0f}/s on "
            f"{self._threads} threads, {minutes(estimate.play_seconds)} (min:s); training at "
            f"{pace.samples_per_second:,.0f} samples/s, {minutes(estimate.train_seconds)}; tests by games, "
            f"{minutes(estimate.test_seconds)} at most: about {minutes(estimate.seconds)} in all"
        )

    def step(self, generation: int, step: str, part: float, words: str) -> None:
        """So much of a step is done."""
        where = f"generation {generation}/{self._generations}, {step}"
        if where != self._step:
            self._step, self._step_begun, self._step_from = where, self.seconds, part
        done, taken = part - self._step_from, self.seconds - self._step_begun
        left = f", {minutes(taken / done * (1 - part))} left" if done > 0 else ""
        line = f"{where}: {part:.0%}, {words}{left}"
        self.update(round(THOUSANDTHS * part), f"{where} {words}", line=line)

    def outcome(self, outcome: "GenerationResult") -> None:
        """A generation was tested."""
        self.note(
            f"generation {outcome.generation}: {_elo(outcome)} Elo after {outcome.games:,} games, {_fate(outcome)}"
        )


def _elo(outcome: "GenerationResult") -> str:
    low, high = ("?" if end is None else f"{end:+.0f}" for end in (outcome.low, outcome.high))
    return f"{outcome.elo:+.0f} ({low} … {high})"


def _fate(outcome: "GenerationResult") -> str:
    return "accepted" if outcome.accepted else f"discarded: {outcome.verdict}"


def _print_champion(crowned: "ChampionResult") -> None:
    """A row for each generation, and where the champion is."""
    say: Callable[[str], None] = lambda line: out().print(line, markup=False)  # noqa: E731
    say(f"{'':>4}{'positions':>12}{'learned from':>14}{'loss':>10}{'games':>8}{'min:s':>8}  Elo over the champion")
    for outcome in crowned.generations:
        say(
            f"{outcome.generation:>4}{outcome.positions:>12,}{outcome.learned_from:>14,}{outcome.validation_loss:>10.5f}"
            f"{outcome.games:>8,}{minutes(sum(outcome.seconds.values())):>8}  {_elo(outcome)}, {_fate(outcome)}"
        )
    taken = sum(sum(outcome.seconds.values()) for outcome in crowned.generations)
    say(
        f"{crowned.accepted} of {len(crowned.generations)} accepted in {minutes(taken)} (min:s); planned were "
        f"{minutes(crowned.estimate.seconds)} at most"
    )
    say(f"brain: {crowned.brain}, of generation {crowned.champion}")


def _run_inner_nodes(recipe: "Recipe", config: "RecipeConfig", folder: Path, *, device: str, json: bool) -> int:
    from okapi.recipes.evolution import BRAIN
    from okapi.recipes.inner_nodes import run_giraffe_moves

    made = recipe.make(config)
    with _TrainingProgress("The move network of lai2015") as progress, interruptible() as stop:
        try:
            figures = run_giraffe_moves(
                made, folder, device=device, tell=progress.line, watch=progress.batch, stop=stop
            )
        except (Unfinished, KeyboardInterrupt):
            return progress.interrupted(f"; the run is in {folder}")
    if json:
        emit({"run": str(folder), "brain": str(folder / BRAIN), "recipe": "giraffe-moves", **figures})
        return Exit.DONE
    first, third = figures["table_4"][0][1], figures["table_4"][2][1]
    out().print(
        f"{figures['train']:,} training positions; of {figures['positions']:,} test positions the best move is "
        f"first in {first:.1f} % and among the first three in {third:.1f} %",
        markup=False,
    )
    out().print(f"brain: {folder / BRAIN}", markup=False)
    return Exit.DONE


def _run_teacher(recipe: "Recipe", config: "RecipeConfig", folder: Path, *, device: str, json: bool) -> int:
    from okapi.recipes.teacher import run_teacher

    made = recipe.make(config)
    with _TrainingProgress("A ResNet that labels positions of games") as progress:
        try:
            report, labelled = run_teacher(made, folder, device=device, watch=progress.batch, tell=progress.line)
        except (Unfinished, KeyboardInterrupt):
            return progress.interrupted(f"; the run is in {folder}")
    if json:
        validation = {"validation": dict(report.validation)}
        emit({"run": str(folder), "recipe": "teacher", **validation, **asdict(labelled)})
        return Exit.DONE
    out().print(
        f"{labelled.positions:,} positions of {labelled.games:,} games labelled in {labelled.label_seconds:,.0f} s",
        markup=False,
    )
    out().print(f"shards: {folder / 'judged'}", markup=False)
    return Exit.DONE


def _run_time(config: "RecipeConfig", folder: Path, *, json: bool) -> int:
    from okapi.recipes.evolution import BRAIN
    from okapi.recipes.time_manager import train_time_manager

    try:
        with fraction_done("recording searches") as tell:
            found = train_time_manager(config, folder, tell)
    except KeyboardInterrupt:
        talk().print(f"interrupted; what was recorded is in {folder}, and the same command goes on", markup=False)
        return Exit.INTERRUPTED
    if json:
        emit({"run": str(folder), "brain": str(folder / BRAIN), "recipe": "time", **asdict(found)})
        return Exit.DONE
    for line in (
        f"{found.searches:,} searches were held out; a longer search changes {found.changed:.1%} of the moves in them",
        f"cross-entropy {found.loss:.4f}; {found.loss_of_none:.4f} for the base rate",
        f"it stops at the final move in {found.same:.1%} after {found.nodes:.2f} of the usual time;"
        f" the rule in {found.same_usual:.1%} after {found.nodes_usual:.2f}",
        f"brain: {folder / BRAIN}",
    ):
        out().print(line, markup=False)
    return Exit.DONE
