"""`okapi train teacher`: a ResNet learns from labelled positions, then labels those of hundreds of thousands of games.

The run has `labelled` (shards of --labels), `resnet` (the network) and `judged` (shards of the positions of --games).
`python -m okapi.training train RUN/judged RUN/labelled --out NNUE` trains a small network on both.

Of a game, positions are taken in which the mover is not in check and the move played neither takes nor promotes.
Players avoid positions that lose at once, a search does not: so from some of them a random legal move is played, and
the position after it is taken, too, if nobody is in check there and nothing can be taken for less than it is worth.
"""

import json
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from okapi.core.labelling import play_random_moves
from okapi.core.packed import SAMPLE, rows
from okapi.core.samples import quiet
from okapi.data.runs import Run
from okapi.data.shuffle import hashed
from okapi.data.store import Store
from okapi.errors import InvalidSamples, UsageError
from okapi.files import replace_file
from okapi.models.torch_boards import GIRAFFE_VALUES, KING, attackers, plain_codes, raw_codes_of_mover, table, views
from okapi.recipes.moves import PlayedMoves, game_library
from okapi.recipes.run import RecipeResult, RecipeRun
from okapi.settings import Config
from okapi.training.devices import find_device
from okapi.training.nnue import NnueDataset
from okapi.training.report import TrainingReport, read_network
from okapi.training.resnet import ResNetConfig, ResNetLabeller, label_positions, train_resnet
from okapi.training.shards import SHARD_SUFFIX, PackingConfig, pack_samples, unlabelled_shard, validation_mask

GAMES_AT_ONCE: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionFilter(Config):
    first_ply: int = 8
    """Earlier positions are too similar."""
    random: float = 0.5
    """The share of them from which a random move is played, too. About half of the positions after it are quiet."""
    seed: int = 1

    def __post_init__(self) -> None:
        self.require("a share from 0 to 1", lambda value: 0 <= value <= 1, "random")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledGames:
    """Quiet positions that were found in games and after random moves, each once, and those there was time for."""

    games: int
    found: int
    distinct: int
    positions: int
    find_seconds: float
    label_seconds: float
    write_seconds: float
    shards: list[str]


def run_recipe(run: RecipeRun) -> RecipeResult:
    """Train the network and label the positions of the games, or resume: UsageError without --labels and --games."""
    config, labels, folder, threads = run.config, run.config.labels, run.folder, run.config.executor.workers
    if labels is None:
        raise UsageError("a teacher learns from labels", hint="--labels FILE: samples, or a folder of shards")
    settings = config.settings_of("teacher", ResNetConfig().as_json())
    network = ResNetConfig.from_settings(settings, seed=config.seed)
    positions = PositionFilter.from_settings(settings, seed=config.seed)
    library = game_library(config)
    about = {"recipe": run.name, **config.about(settings, games=library.name)}
    with Run.start(folder, "train", title="A ResNet that labels positions of games", settings=about):
        shards = labels if labels.is_dir() else folder / "labelled"
        if shards != labels:
            pack_samples([labels], shards, watch=lambda name, share: run.say(f"packing {name}: {share:.0%}"))
        resnet, path = folder / "resnet", folder / "teacher.json"
        report = train_resnet(network, [shards], resnet, device=run.device, watch=run.show_epoch, threads=threads)
        if path.exists():
            labelled = LabelledGames(**json.loads(path.read_bytes()))
        else:
            labelled = label_games(run, settings, library.store, positions)
            replace_file(path, json.dumps(asdict(labelled), indent=1).encode())
    counts = f"{labelled.positions:,} positions of {labelled.games:,} games"
    figures = {"validation": dict(report.validation), **asdict(labelled)}
    lines = [f"{counts} labelled in {labelled.label_seconds:,.0f} s", f"shards: {folder / 'judged'}"]
    return RecipeResult(figures=figures, lines=lines)


def label_games(run: RecipeRun, settings: Mapping[str, Any], store: Store, positions: PositionFilter) -> LabelledGames:
    """Label the positions of games with the run's ResNet, and write shards, replacing those there. Games that packing
    keeps for validation are left out. At most `most` positions are labelled (0: all), and as many as there is time for
    in `label_seconds` (0: no limit)."""
    begun, where = time.monotonic(), find_device(run.device)
    resnet, batch = run.folder / "resnet", settings["label_batch"]
    network, report = read_network(resnet), TrainingReport.read(resnet)
    columns = store.columns()
    usable = (columns.result >= 0) & (columns.plies > 0)
    games = np.flatnonzero(usable & ~validation_mask(np.arange(len(store)), PackingConfig()))
    found = []
    for some in game_positions(store, games, positions, where):
        found.append(some)
        run.say(f"{sum(map(len, found)):,} positions, {time.monotonic() - begun:.0f} s")
    together = NnueDataset.concatenate(found) if found else None
    if together is None or not len(together):
        raise InvalidSamples("there are no quiet positions in these games")
    del found
    dataset = together.distinct()
    rng = torch.Generator(where).manual_seed(positions.seed)
    dataset = dataset.take(torch.randperm(len(dataset), generator=rng, device=where)[: settings["most"] or None])
    run.say(f"{len(dataset):,} distinct positions, {time.monotonic() - begun:.0f} s")
    at = [begun, time.monotonic()]

    def told(done: int, of: int) -> None:
        run.say(f"{done:,} of {of:,} labelled, {done / (time.monotonic() - at[1]):,.0f}/s")

    labeller = ResNetLabeller(network, where, batch=batch, compiled=settings["compile"])
    until = begun + settings["label_seconds"] if settings["label_seconds"] else None
    at_once = -(-(1 << 20) // batch) * batch  # between two looks at the clock
    known = label_positions(labeller, dataset, at_once=at_once, until=until, watch=told)
    at.append(time.monotonic())
    made = {} if report is None else {"plan": report.about["config"], "validation": dict(report.validation)}
    about = {"source": f"labelled by {resnet.name}", "positions_of_games": asdict(positions), "resnet": made}
    shards = _write(known, run.folder / "judged", about, run.config.executor.workers)
    at.append(time.monotonic())
    counts = {"games": len(games), "found": len(together), "distinct": len(dataset), "positions": len(known)}
    steps = zip(("find_seconds", "label_seconds", "write_seconds"), at[:-1], at[1:], strict=True)
    seconds: dict[str, Any] = {name: round(end - start, 1) for name, start, end in steps}
    return LabelledGames(**counts, **seconds, shards=list(map(str, shards)))


def game_positions(
    store: Store, games: NDArray[Any], chosen: PositionFilter, device: torch.device
) -> Iterator[NnueDataset]:
    """Quiet positions of games with their results, and positions after random moves; values are 0. Some may repeat."""
    for begin in range(0, len(games), GAMES_AT_ONCE):
        played = PlayedMoves.played(store, games[begin : begin + GAMES_AT_ONCE])
        samples = np.zeros(len(played), SAMPLE)
        samples["position"], samples["move"] = played.positions, played.moves
        usable = (played.plies >= chosen.first_ply) & quiet(samples)
        positions, outcomes = played.positions[usable], played.outcomes[usable]
        shard = replace(unlabelled_shard(positions), results=outcomes)
        yield NnueDataset.from_shard(shard, device)
        choices = hashed(np.arange(len(positions)), chosen.seed + begin)
        moved = positions[choices < chosen.random * 2.0**64].copy()
        moved = moved[play_random_moves(moved, hashed(np.arange(len(moved)), chosen.seed + begin + 1))]
        samples = np.zeros(len(moved), SAMPLE)
        samples["position"] = moved
        moved = moved[quiet(samples)]
        codes = plain_codes(raw_codes_of_mover(torch.from_numpy(rows(moved).copy()).to(device)))
        calm = (~hanging(codes)).cpu().numpy() if len(moved) else np.zeros(0, np.bool_)
        yield NnueDataset.from_shard(unlabelled_shard(moved[calm]), device)


def hanging(codes: Tensor) -> Tensor:
    """Of boards, n x 64, the mover's pieces even: can the mover take something for less than it is worth, or for free?
    One capture is examined, without the replies."""
    seen = views(codes)
    own, theirs = attackers(seen, 0), attackers(seen, 1)
    worth = table((*GIRAFFE_VALUES, 1 << 20), codes.device, torch.int64)
    victim = worth[(codes >> 1).clamp(max=KING)]
    wins = (own.count > 0) & ((theirs.count == 0) | (worth[own.least] < victim))
    return (wins & (codes & 1 == 1)).any(dim=1)


def _write(dataset: NnueDataset, out: Path, about: dict[str, Any], threads: int) -> list[Path]:
    out.mkdir(parents=True, exist_ok=True)
    pieces = list(dataset.chunks(1 << 22))  # the positions of a shard
    paths = [out / f"judged-{number:03d}{SHARD_SUFFIX}" for number in range(len(pieces))]
    for path in set(out.glob(f"judged-*{SHARD_SUFFIX}")) - set(paths):
        path.unlink()
    with ThreadPoolExecutor(max(1, threads)) as pool:
        list(pool.map(lambda path, piece: piece.to_shard(about).write(path, plain=True), paths, pieces))
    return paths
