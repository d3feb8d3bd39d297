"""Evolution of a brain: the definition, the run and its folder.

The folder is a run (docs/reference/runs.md) with the cache of scores, the genes, a line and a champion for each
generation, and at the end the brain. After kill -9 the same call resumes, and gives the same bytes.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from okapi.brains.files import replace_file
from okapi.brains.library import BRAIN
from okapi.core import version
from okapi.data.evolution_log import GENERATIONS, GENES, MOST_GENES
from okapi.data.runs import Run, snapshot_steps
from okapi.errors import UsageError
from okapi.formats.numbers import lasted
from okapi.optimize.population import FloatArray, Generation, ParameterSpace, Score
from okapi.optimize.run_log import EvaluationCache, read_json_lines, whole_lines
from okapi.recipes.config import NO_SNAPSHOTS, RecipeConfig, SnapshotConfig
from okapi.recipes.exercises import MasterGames
from okapi.recipes.run import DataUse, RecipeProgress, RecipeResult, RecipeRun
from okapi.recipes.snapshots import SHARE, Snapshots


@dataclass(frozen=True, slots=True, kw_only=True)
class Evolution:
    """The genes, the optimizer, the score function, and how genes become a brain."""

    name: str
    title: str
    genes: ParameterSpace
    generations: int | None = None
    """The number of the last one, if that is known."""
    settings: Mapping[str, Any]
    """Everything that makes it what it is, seed and hashes of data among it; JSON."""
    learn: Callable[[Score], Iterator[Generation]]
    """The learner, which is given the score function below, or a cache of it."""
    score: Score
    express: Callable[[FloatArray, Mapping[str, str]], bytes]
    """Genes and entries of a card: the file of a brain."""


def described(
    config: RecipeConfig, name: str, title: str, settings: Mapping[str, Any], masters: MasterGames | None = None
) -> dict[str, Any]:
    """The fields of an evolution that say what it is; `masters` are the games that it learns from."""
    about = {**settings, "seed": config.seed} | ({} if masters is None else {"masters": masters.about()})
    return {"name": name, "title": title, "generations": settings.get("generations"), "settings": about}


TAPE, CHAMPIONS = "tape.jsonl", "champions"


def run_evolution(
    recipe: Evolution,
    folder: Path,
    watch: Callable[[Generation], object] = lambda now: None,
    *,
    snapshots: SnapshotConfig = NO_SNAPSHOTS,
    threads: int = 1,
    is_over: Callable[[], bool] = lambda: False,
) -> Generation:
    """Run an evolution, or resume; `watch` gets each generation, those of earlier sessions included. It ends with its
    last generation, or after the first new one at which `is_over`. UsageError if the folder belongs to another recipe,
    other settings, or somebody who is still at work in it."""
    settings = {"recipe": recipe.name, **recipe.settings}
    total = recipe.generations
    with Run.start(folder, "evolve", total=total, unit="generations", title=recipe.title, settings=settings) as run:
        cache, genes = EvaluationCache(folder / TAPE, recipe.score, identity(recipe)), recipe.genes
        told = {"names": list(genes.names), "low": genes.low.tolist(), "high": genes.high.tolist()}
        told |= {"recipe": recipe.name, "title": recipe.title}
        replace_file(folder / GENES, json.dumps(told, indent=1).encode())
        log = _GenerationLog(folder, recipe, run)
        kept = Snapshots(run, snapshots, threads=threads, folder=CHAMPIONS, digits=4)
        ever_fewer = {0, *(round(1.5**number) for number in range(2 * kept.count))} if kept.count else ()
        measured = ever_fewer if total is None else snapshot_steps(total, kept.count)
        last: Generation | None = None
        for last in recipe.learn(cache):
            log.note(last)
            if last.number in measured:
                kept.add(last.number)
            watch(last)
            if last.number >= log.written - 1 and is_over():
                break
        assert last is not None, "a learner makes at least the generation that it starts with"
        if kept.count:
            kept.add(last.number)
        kept.finish()
        replace_file(folder / BRAIN, recipe.express(last.best, log.card(last, final=True)))
    return last


def identity(recipe: Evolution) -> dict[str, Any]:
    """What a cache of scores belongs to."""
    return {"recipe": recipe.name, "okapi": version, "genes": list(recipe.genes.names), "settings": recipe.settings}


def run_recipe(run: RecipeRun) -> RecipeResult:
    made = _fitted(run)
    kept = len(read_generations(run.folder))
    curves: dict[str, list[tuple[float, float]]] = {"best": [], "mean": []}
    run.tell(made.title)
    if kept:
        run.tell(f"{kept} generations are in {run.folder}")

    def watch(now: Generation) -> None:
        curves["best"].append((now.number, now.best_score))
        curves["mean"].append((now.number, now.mean_score))
        if now.number < kept - 1:
            return
        last = made.generations
        number, done = (f"{now.number}", None) if last is None else (f"{now.number}/{last}", now.number / max(last, 1))
        text = f"generation {number}, best {now.best_score:g}, mean {now.mean_score:.4g}, "
        text += f"spread {round(now.spread, 6):.3g}"
        run.watch(RecipeProgress(done=done, text=text, curves=curves))

    how: dict[str, Any] = {"snapshots": run.config.snapshots(), "threads": run.config.executor.workers}
    last = run_evolution(made, run.folder, watch, **how, is_over=lambda: run.time is not None and run.time.is_over)
    final = read_generations(run.folder)[-1]
    keys = ("best", "mean", "spread", "seconds", "evaluations")
    figures = {"generations": last.number, **{key: final[key] for key in keys}}
    line = (
        f"{last.number} generations, {last.evaluations:,} players scored in {final['seconds']:,.1f} s: "
        f"best {last.best_score:g}, mean {last.mean_score:g}, spread {round(last.spread, 6):.3g}"
    )
    data = None
    if masters := made.settings.get("masters"):
        used, fresh = masters["positions"], masters["fresh_positions"]
        data = DataUse(used=used, found=used + fresh, left_out={"of games for the test": fresh})
    return RecipeResult(figures=figures, lines=[line], data=data)


def _fitted(run: RecipeRun) -> Evolution:
    """The evolution, and where a time is given, with as many generations as fit."""
    made: Evolution = run.make()
    if run.time is None:
        return made
    length = next((name for name in ("generations", "budget") if name in made.settings), None)
    if length is None:
        raise UsageError(f"the length of `{run.name}` cannot be chosen", hint="leave out --minutes")

    def decide(left: float) -> int:
        players = int(made.settings.get("players", 8))
        population = made.genes.random(np.random.default_rng(0), max(2, players // 2))
        begun = time.monotonic()
        made.score(population, 0)
        each = (time.monotonic() - begun) / len(population)
        scored = max(4 * players, int((1 - SHARE) * left / max(each, 1e-4)))
        speed = f"{1 / max(each, 1e-9):,.1f} a second"
        run.plan(f"about {scored:,} players are scored at {speed}, and short matches: about {lasted(left)}")
        return scored if length == "budget" else max(2, scored // players - 1)

    fitted: Evolution = run.changed(**{length: run.time.once(length, decide)}).make()
    return fitted


def read_generations(folder: Path) -> list[dict[str, Any]]:
    """The generations of a run so far; an incomplete last line is ignored."""
    return read_json_lines(folder / GENERATIONS, "delete the folder")


class _GenerationLog:
    """Logs each generation once, however often the optimizer repeats it."""

    def __init__(self, folder: Path, recipe: Evolution, run: Run) -> None:
        self._folder, self._recipe, self._run = folder, recipe, run
        self._curve: dict[str, list[float]] = {"best": [], "mean": []}
        lines = whole_lines(folder / GENERATIONS)
        self.written = len(lines)
        self._spent: float = json.loads(lines[-1])["seconds"] if lines else 0.0
        self._begun = time.monotonic()
        (folder / CHAMPIONS).mkdir(exist_ok=True)

    def note(self, now: Generation) -> None:
        """Write the champion, the curves, and last the line: if it is missing, all three are written again."""
        for what, score in (("best", now.best_score), ("mean", now.mean_score)):
            self._curve[what].append(float(f"{score:.6g}"))
        if now.number < self.written:
            self._begun = time.monotonic()
            return
        seconds = self._spent + time.monotonic() - self._begun
        champion = self._recipe.express(now.best, self.card(now, final=False))
        replace_file(self._folder / CHAMPIONS / f"{now.number:04}.safetensors", champion)
        names, scores = self._recipe.genes.names, {"best": now.best_score, "mean": now.mean_score, "spread": now.spread}
        means = dict(zip(names, now.mean.tolist(), strict=True)) if len(names) <= 40 else {}  # as many curves
        self._run.log(now.number, **scores, **means)
        line: dict[str, Any] = {"generation": now.number, "at": round(time.time(), 3), **scores}
        line |= {"evaluations": now.evaluations, "seconds": round(seconds, 3)}
        if len(names) <= MOST_GENES:
            weights = {"best": now.best, "mean": now.mean, "deviation": now.deviation}
            line["weights"] = {what: [float(f"{value:.6g}") for value in each] for what, each in weights.items()}
        with (self._folder / GENERATIONS).open("ab") as file:
            file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    def card(self, now: Generation, *, final: bool) -> dict[str, str]:
        """The model card, without time and machine: the same run gives the same bytes."""
        recipe = self._recipe
        entries = {"name": recipe.name if final else f"{recipe.name} {now.number}"}
        entries |= {"recipe": f"okapi evolve {recipe.name}", "made_with": f"okapi {version}"}
        entries |= {"settings": json.dumps(recipe.settings, default=str), "generation": str(now.number)}
        entries |= {"evaluations": str(now.evaluations), "score": f"{now.best_score:.6g}"}
        return entries | {"curve": json.dumps(self._curve)} if final else entries
