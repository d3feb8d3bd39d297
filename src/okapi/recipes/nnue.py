"""`okapi train nnue`: an NNUE learns from positions that a brain labels on the spot, or from labels or games."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from okapi.brains import default_name, evaluator, is_native
from okapi.brains.library import BRAIN
from okapi.core import version
from okapi.core.evaluation import evaluate
from okapi.core.selfplay import play_games
from okapi.data.datagen import DatagenConfig, DatagenProgress, generate_samples
from okapi.data.runs import Run
from okapi.data.sources import write_samples
from okapi.data.split import in_chunks
from okapi.errors import WrongBrain
from okapi.files import file_hash
from okapi.formats.numbers import lasted
from okapi.recipes.labels import GameLibrary
from okapi.recipes.run import DataUse, RecipeProgress, RecipeResult, RecipeRun, fitting_epochs, steps_per_second
from okapi.recipes.snapshots import SHARE, Snapshots
from okapi.recipes.training import EpochLog, trained, training_figures
from okapi.training.devices import find_device
from okapi.training.nnue import NnueConfig, NnueDataset, NnueTask, train_nnue
from okapi.training.nnue_export import export_brain, quantised
from okapi.training.report import TrainingReport
from okapi.training.shards import PackedShards, PackingConfig, find_shards, load_shards, pack_rows, pack_samples

MEASURE_S: Final = 2.0
EPOCHS: Final = (8, 12, 16)
"""In a given time: at least, planned and at most. Fewer learn too little, more overfit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionsConfig(DatagenConfig):
    """The positions that an NNUE learns from, where no labels are given."""

    brain: str = ""
    """Plays and labels; the default brain if empty."""
    games: int = 8_000
    nodes: int = 100
    validation: float = 0.02

    def __post_init__(self) -> None:
        self.require("1 or more", lambda value: value >= 1, "games", "nodes")

    @property
    def teacher(self) -> str:
        return self.brain or default_name()


@dataclass(frozen=True, slots=True, kw_only=True)
class NnueSpeed:
    """Speeds that were measured on this machine; a champion's run stores them."""

    positions_per_second: float
    """Played, on all threads."""
    nodes_per_second: float
    positions_a_game: float
    taken: float
    """The share of positions that are quiet enough to be learned from."""
    samples_per_second: float


def measure_speed(
    brain: str, config: NnueConfig, packing: PackingConfig, *, nodes: int, threads: int, device: str, seconds: float
) -> NnueSpeed:
    """Play and train for some seconds each; nothing of it is kept."""
    judge = evaluator(brain)
    tried, positions, searched, games = 2 * threads, 0, 0, 0
    begun = time.monotonic()
    while games == 0 or time.monotonic() - begun < seconds:
        some = play_games(judge, games=tried, nodes=nodes, seed=games, threads=threads)
        positions, searched, games = positions + len(some), searched + int(some["nodes"].sum()), games + tried
        tried = min(2 * tried, 256)
    played_s = time.monotonic() - begun
    shard = pack_rows(some, packing, {})
    data = NnueDataset.from_shard(shard, find_device(device))  # of the last games
    speeds = {"positions_per_second": positions / played_s, "nodes_per_second": searched / played_s}
    shares = {"positions_a_game": positions / games, "taken": len(shard) / len(some)}
    return NnueSpeed(**speeds, **shares, samples_per_second=_samples_per_second(config, data, seconds))


def _samples_per_second(config: NnueConfig, data: NnueDataset, seconds: float = MEASURE_S) -> float:
    task = NnueTask(config, data, data, data.codes.device)

    def take() -> None:
        task.begin_epoch(0)
        task.step()
        float(task.total)  # waits for the device

    return config.batch * steps_per_second(take, seconds)


def pack_positions(run: RecipeRun, asked: PositionsConfig) -> PackedShards:
    """The shards of labels, of games, or of self-play; made once."""
    folder = run.folder / "labels"
    folder.mkdir(parents=True, exist_ok=True)
    sources = list(run.labels)
    if not sources and run.config.games is not None:
        sources = [_label_games(run, asked.teacher, run.config.games, folder)]
    elif not sources:
        sources = [folder / "own.samples"]
        stage, threads = f"{asked.teacher} plays and labels", run.config.executor.workers

        def played(now: DatagenProgress) -> None:
            text = f"{now.positions:,} positions, {now.positions_per_second:,.0f}/s"
            run.watch(RecipeProgress(done=now.games / asked.games, text=text, stage=stage))

        generate_samples(asked, asked.games, sources[0], threads=threads, watch=played, stop=run.stop)

    def packed(name: str, share: float) -> None:
        run.watch(RecipeProgress(done=share, text=name, stage="packing"))

    return pack_samples(sources, folder, PackingConfig(validation=asked.validation), watch=packed)


def _label_games(run: RecipeRun, teacher: str, games: Path, folder: Path) -> Path:
    """The positions of games with their results, and the value that the brain gives each without a search."""
    to = folder / f"games-{file_hash(games)}.samples"
    if to.exists():
        return to
    store = GameLibrary.open(games, run.config.cache, run.tell).store
    judge, threads = evaluator(teacher), run.config.executor.workers

    def labelled() -> Iterator[NDArray[np.void]]:
        for of, plies in in_chunks(store.plies(), np.arange(len(store))):
            rows = store.samples(of, plies)
            values = evaluate([judge], np.ascontiguousarray(rows["position"]), threads=threads)[0]
            rows["value"] = values.clip(-30_000, 30_000)
            done = int(of[-1]) + 1
            run.watch(RecipeProgress(done=done / len(store), text=f"{done:,} games", stage="labelling"))
            yield rows

    write_samples(to, labelled())
    return to


def run_recipe(run: RecipeRun) -> RecipeResult:
    begun = time.monotonic()
    settings = run.config.settings_of("nnue", {**PositionsConfig().as_json(), **NnueConfig().as_json()})
    asked = PositionsConfig.from_settings(settings, seed=run.config.seed)
    network = NnueConfig.from_settings(settings, seed=run.config.seed)
    evaluator(asked.teacher)  # says at once what is wrong with it
    if not is_native(asked.teacher):
        raise WrongBrain(f"brain `{asked.teacher}` is too slow to label positions in bulk", hint="--brain champion")
    torch.set_num_threads(1)  # more are hardly faster for networks this small, and give other bits
    title = "An NNUE on labels" if run.labels or run.config.games else f"An NNUE learns from {asked.teacher}"
    run.tell(title)
    about = {"recipe": run.name, **run.config.about(settings)}
    with Run.start(run.folder, "train", unit="steps", title=title, settings=about) as log:
        packed = pack_positions(run, _with_fitting_games(run, asked, network))
        network = _with_fitting_epochs(run, network, packed)
        report = _train(run, log, network, begun)
        held_out = (load_shards([place])[1] for place in reversed(find_shards([run.folder / "labels"])))
        sample = next((some for some in held_out if len(some)), None)  # a shard of few games may have none
        entries = {"recipe": f"okapi train {run.name}", "made_with": f"okapi {version}"}
        exported = export_brain(run.folder, run.folder / BRAIN, name=run.name, sample=sample, card=entries)
    test, known = report.validation, report.train["count"] + report.validation["count"]
    figures = {**training_figures(report), "positions": packed.positions, "validation": dict(test)}
    figures["quantised_value_mae"] = exported.value_mae
    left = {"unquiet, in check or of the first moves": packed.read - packed.positions}
    left["twice, or in the validation set"] = packed.positions - known
    data = DataUse(used=known, found=packed.read, left_out=left)
    error = f"mean error of the expected score {test['value_mae']:.3f} on {test['count']:,} positions of other games"
    return RecipeResult(figures=figures, lines=[f"{trained(report)}: {error}"], data=data, curve=report.curve)


def _with_fitting_games(run: RecipeRun, asked: PositionsConfig, network: NnueConfig) -> PositionsConfig:
    """With as many games of self-play as fit into the run's time, if one is given."""
    if run.time is None or run.labels or run.config.games:
        return asked

    def decide(left: float) -> int:
        how: dict[str, Any] = {"nodes": asked.nodes, "threads": run.config.executor.workers, "device": run.device}
        pace = measure_speed(
            asked.teacher, network, PackingConfig(validation=asked.validation), **how, seconds=MEASURE_S
        )
        speed, play_s = f"{pace.positions_per_second:,.0f}/s", 1 / pace.positions_per_second
        train_s = EPOCHS[1] * pace.taken / pace.samples_per_second
        positions = (1 - SHARE) * left / (play_s + train_s)
        games = max(20, int(positions / pace.positions_a_game))
        run.plan(
            f"{games:,} games of {asked.teacher}, {positions:,.0f} positions at {speed}, {lasted(positions * play_s)}; "
            f"then {EPOCHS[1]} epochs at {pace.samples_per_second:,.0f} samples/s, {lasted(positions * train_s)}, and "
            f"short matches: about {lasted(left)} in all"
        )
        return games

    return asked.changed({"games": run.time.once("games", decide)})


def _with_fitting_epochs(run: RecipeRun, network: NnueConfig, packed: PackedShards) -> NnueConfig:
    """With as many epochs as fit into the run's time, if one is given."""
    if run.time is None:
        return network

    def decide(left: float) -> dict[str, int]:
        data = load_shards(find_shards([run.folder / "labels"])[-1:])[0]
        per_second = _samples_per_second(network, NnueDataset.from_shard(data, find_device(run.device)))
        samples = int((1 - SHARE) * left * per_second)
        epochs, each = fitting_epochs(samples, packed.positions, network.batch, least=EPOCHS[0], most=EPOCHS[2])
        size = each or packed.positions
        learned = f"{epochs} epochs of {size:,} positions at {per_second:,.0f} samples/s"
        run.plan(f"{learned}: about {lasted(epochs * size / per_second)}, and short matches")
        return {"epochs": epochs, "samples": each}

    return network.changed(run.time.once("training", decide))


def _train(run: RecipeRun, log: Run, network: NnueConfig, begun: float) -> TrainingReport:
    threads = run.config.executor.workers
    kept = Snapshots(log, run.config.snapshots(), threads=threads, begun=begun)

    def take(step: int, weights: Mapping[str, Tensor]) -> None:
        card = {"name": f"{run.name} at step {step}", "recipe": f"okapi train {run.name}", "step": str(step)}
        kept.take(step, quantised({name: each.cpu() for name, each in weights.items()}, network.scale).file(card))

    how: dict[str, Any] = {"device": run.device, "stop": run.stop, "threads": threads}
    how |= {"watch": EpochLog(log, run).note, "snapshot": take, "snapshots": kept.count}
    report = train_nnue(network, [run.folder / "labels"], run.folder, **how)
    kept.finish()
    return report
