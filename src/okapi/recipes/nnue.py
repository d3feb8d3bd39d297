"""`okapi train nnue`: an NNUE learns from positions that a brain labels on the spot, or from labels or games."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
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
from okapi.errors import UsageError, WrongBrain
from okapi.files import file_hash
from okapi.formats.numbers import lasted
from okapi.models.nnue import Nnue
from okapi.recipes.config import RecipeConfig
from okapi.recipes.labels import GameLibrary
from okapi.recipes.minutes import steps_per_second
from okapi.recipes.run import DataUse, RecipeProgress, RecipeResult, RecipeRun
from okapi.recipes.snapshots import SHARE, Snapshots
from okapi.recipes.training import EpochLog
from okapi.settings import Config
from okapi.training.devices import find_device
from okapi.training.nnue import NnueConfig, NnueDataset, NnueStep, train_nnue
from okapi.training.nnue_export import export_brain, quantised
from okapi.training.report import TrainingReport
from okapi.training.shards import PackedShards, PackingConfig, find_shards, load_shards, pack_rows, pack_samples

OWN: Final = "own.samples"
PACKED: Final = "packed.json"
MEASURE_S: Final = 2.0

MOST_TRIED: Final = 256

EPOCHS: Final = (8, 12, 16)
"""In a given time: at least, planned and at most. Fewer learn too little, more overfit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionsConfig(Config):
    """The positions that an NNUE learns from, where no labels are given."""

    brain: str = ""
    """Plays and labels; the default brain if empty."""
    games: int = 8_000
    nodes: int = 100
    """A search starts no new depth after so many."""
    random_plies: int = 8
    """Random moves at the start of a game: so many, or one more."""
    balanced: int = 1_000
    """Centipawns by which a side may lead after them."""
    validation: float = 0.02

    def __post_init__(self) -> None:
        for name in ("games", "nodes"):
            if getattr(self, name) < 1:
                raise UsageError(f"`{name}` is {getattr(self, name)}", hint="expected 1 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class NnueTraining:
    positions: PositionsConfig
    network: NnueConfig
    settings: Mapping[str, Any]
    """Everything that makes it what it is; JSON."""

    @property
    def teacher(self) -> str:
        return self.positions.brain or default_name()


def nnue(config: RecipeConfig) -> NnueTraining:
    usual = {**PositionsConfig().as_json(), **NnueConfig().as_json()}
    del usual["seed"]
    settings = config.settings_of("nnue", usual)
    made = NnueTraining(
        positions=PositionsConfig.from_settings(settings),
        network=NnueConfig.from_settings(settings, seed=config.seed),
        settings={**settings, "size": config.size, "seed": config.seed},
    )
    evaluator(made.teacher)  # says at once what is wrong with it
    if not is_native(made.teacher):
        raise WrongBrain(f"brain `{made.teacher}` is too slow to label positions in bulk", hint="--brain champion")
    return made


# --- Positions --------------------------------------------------------------------------------------------------------


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
        tried = min(2 * tried, MOST_TRIED)
    played_s = time.monotonic() - begun
    shard = pack_rows(some, packing, {})
    data = NnueDataset.from_shard(shard, find_device(device))
    return NnueSpeed(
        positions_per_second=positions / played_s,
        nodes_per_second=searched / played_s,
        positions_a_game=positions / games,
        taken=len(shard) / len(some),
        samples_per_second=_samples_per_second(config, data, seconds),
    )


def _samples_per_second(config: NnueConfig, data: NnueDataset, seconds: float = MEASURE_S) -> float:
    device = data.codes.device
    step = NnueStep(config, Nnue(config.neurons, config.buckets).to(device), data, device)

    def take() -> None:
        step.begin(0)
        step.take()
        float(step.total)  # waits for the device

    return config.batch * steps_per_second(take, seconds)


def _packing(made: NnueTraining) -> PackingConfig:
    return PackingConfig(validation=made.positions.validation)


def _play(run: RecipeRun, made: NnueTraining, games: int, to: Path) -> Path:
    asked = made.positions

    def told(now: DatagenProgress) -> None:
        text = f"{now.positions:,} positions, {now.positions_per_second:,.0f}/s"
        run.watch(RecipeProgress(done=now.games / games, text=text, stage=f"{made.teacher} plays and labels"))

    own = DatagenConfig(
        brain=asked.brain or None,
        nodes=asked.nodes,
        random_plies=asked.random_plies,
        balanced=asked.balanced,
        seed=made.network.seed,
    )
    generate_samples(own, games, to, threads=run.config.executor.workers, watch=told, stop=run.stop)
    return to


def _label_games(run: RecipeRun, made: NnueTraining, games: Path, to: Path) -> Path:
    """The positions of games with their results, and the value that the brain gives each without a search."""
    if to.exists():
        return to
    store = GameLibrary.open(games, run.config.cache, run.tell).store
    judge, threads = evaluator(made.teacher), run.config.executor.workers

    def labelled() -> Any:
        for of, plies in in_chunks(store.plies(), np.arange(len(store))):
            rows = store.samples(of, plies)
            values = evaluate([judge], np.ascontiguousarray(rows["position"]), threads=threads)[0]
            rows["value"] = values.clip(-30_000, 30_000)
            run.watch(
                RecipeProgress(
                    done=(int(of[-1]) + 1) / len(store), text=f"{int(of[-1]) + 1:,} games", stage="labelling"
                )
            )
            yield rows

    write_samples(to, labelled())
    return to


def pack_positions(run: RecipeRun, made: NnueTraining, games: int) -> PackedShards:
    """The shards of labels, of games, or of self-play; made once."""
    folder = run.folder / "labels"
    folder.mkdir(parents=True, exist_ok=True)
    if run.labels:
        sources = list(run.labels)
    elif run.config.games is not None:
        name = f"games-{file_hash(run.config.games)}.samples"
        sources = [_label_games(run, made, run.config.games, folder / name)]
    else:
        sources = [_play(run, made, games, folder / OWN)]

    def told(name: str, share: float) -> None:
        run.watch(RecipeProgress(done=share, text=name, stage="packing"))

    return pack_samples(sources, folder, _packing(made), watch=told)


# --- The run ----------------------------------------------------------------------------------------------------------


def run_recipe(run: RecipeRun) -> RecipeResult:
    begun = time.monotonic()
    made: NnueTraining = run.make()
    run.folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # more are hardly faster for networks this small, and give other bits
    title = "An NNUE on labels" if run.labels or run.config.games else f"An NNUE learns from {made.teacher}"
    run.tell(title)
    about = {"recipe": run.name, **made.settings}
    with Run.start(run.folder, "train", unit="steps", title=title, settings=about) as log:
        games = _games(run, made)
        packed = pack_positions(run, made, games)
        network = _network(run, made, packed)
        report = _train(run, log, network, begun)
        sample = load_shards(find_shards([run.folder / "labels"])[-1:])[1]
        entries = {"recipe": f"okapi train {run.name}", "made_with": f"okapi {version}"}
        exported = export_brain(run.folder, run.folder / BRAIN, name=run.name, sample=sample, card=entries)
    figures = {
        "epochs": report.epochs,
        "best_epoch": report.best_epoch,
        "seconds": report.seconds,
        "samples_per_second": report.samples_per_second,
        "device": report.device,
        "positions": packed.positions,
        "validation": dict(report.validation),
        "quantised_value_mae": exported.value_mae,
    }
    known = report.train["count"] + report.validation["count"]
    left = {"unquiet, in check or of the first moves": packed.read - packed.positions}
    left["twice, or in the validation set"] = packed.positions - known
    line = (
        f"{report.epochs} epochs, the best {report.best_epoch}, in {report.seconds:,.1f} s, "
        f"{report.samples_per_second:,.0f} samples/s: mean error of the expected score "
        f"{report.validation['value_mae']:.3f} on {report.validation['count']:,} positions of other games"
    )
    return RecipeResult(
        figures=figures, lines=[line], data=DataUse(used=known, found=packed.read, left_out=left), curve=report.curve
    )


def _games(run: RecipeRun, made: NnueTraining) -> int:
    """The number of games of self-play; where a time is given, as many as fit."""
    if run.time is None or run.labels or run.config.games:
        return made.positions.games
    threads = run.config.executor.workers

    def decide(left: float) -> int:
        pace = measure_speed(
            made.teacher,
            made.network,
            _packing(made),
            nodes=made.positions.nodes,
            threads=threads,
            device=run.device,
            seconds=MEASURE_S,
        )
        play_s = 1 / pace.positions_per_second
        train_s = EPOCHS[1] * pace.taken / pace.samples_per_second
        positions = (1 - SHARE) * left / (play_s + train_s)
        games = max(20, int(positions / pace.positions_a_game))
        run.plan(
            f"{games:,} games of {made.teacher}, {positions:,.0f} positions at "
            f"{pace.positions_per_second:,.0f}/s, {lasted(positions * play_s)}; then {EPOCHS[1]} epochs at "
            f"{pace.samples_per_second:,.0f} samples/s, {lasted(positions * train_s)}, and short matches: "
            f"about {lasted(left)} in all"
        )
        return games

    return int(run.time.once("games", decide))


def _network(run: RecipeRun, made: NnueTraining, packed: PackedShards) -> NnueConfig:
    """The settings of the training; where a time is given, with as many epochs as fit."""
    if run.time is None:
        return made.network

    def decide(left: float) -> dict[str, int]:
        data = load_shards(find_shards([run.folder / "labels"])[-1:])[0]
        per_second = _samples_per_second(made.network, NnueDataset.from_shard(data, find_device(run.device)))
        samples = int((1 - SHARE) * left * per_second)
        epochs = min(EPOCHS[2], max(EPOCHS[0], samples // packed.positions))
        each = 0 if samples >= epochs * packed.positions else max(made.network.batch, samples // epochs)
        run.plan(
            f"{epochs} epochs of {each or packed.positions:,} positions at {per_second:,.0f} samples/s: "
            f"about {lasted(epochs * (each or packed.positions) / per_second)}, and short matches"
        )
        return {"epochs": epochs, "samples": each}

    return made.network.changed(run.time.once("training", decide))


def _train(run: RecipeRun, log: Run, network: NnueConfig, begun: float) -> TrainingReport:
    lines = EpochLog(log)
    kept = Snapshots(log, run.config.snapshots(), threads=run.config.executor.workers, begun=begun)

    def both(now: Any) -> None:
        lines.note(now)
        log.set_total(now.epochs * now.batches)
        run.show_epoch(now)

    def take(step: int, weights: Mapping[str, Tensor]) -> None:
        card = {"name": f"{run.name} at step {step}", "recipe": f"okapi train {run.name}", "step": str(step)}
        kept.take(step, quantised({name: each.cpu() for name, each in weights.items()}, network.scale).file(card))

    report = train_nnue(
        network,
        [run.folder / "labels"],
        run.folder,
        device=run.device,
        watch=both,
        stop=run.stop,
        snapshot=take,
        snapshots=kept.count,
        threads=run.config.executor.workers,
    )
    kept.finish()
    return report
