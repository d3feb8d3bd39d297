"""
Few labels made many: a ResNet learns from labelled positions, then labels those of hundreds of thousands of games.

`python -m okapi.recipes.teacher` does it from the command line. Everything but `write_transcripts` needs torch and
numpy alone.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from okapi.errors import InvalidSamples
from okapi.recipes.transcripts import Transcripts
from okapi.recipes.unlabelled import Asking, unlabelled
from okapi.training.devices import find_device
from okapi.training.nnue import NnueDataset
from okapi.training.report import TrainingReport, read_network
from okapi.training.resnet import ResNetLabeller, label_positions
from okapi.training.shards import SHARD_SUFFIX

if TYPE_CHECKING:
    from okapi.data.store import Store
    from okapi.training.shards import PackingConfig

__all__ = ["Judged", "judge_games", "write_transcripts"]

ROWS: Final = 1 << 22
"""Positions of a part …"""
AT_ONCE: Final = 1 << 20
"""… and those that are judged between two looks at the clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What judging came to."""

    games: int
    found: int
    """Quiet positions of games, and after random moves; …"""
    distinct: int
    """… each once; …"""
    positions: int
    """… and those for which there was time."""
    find_seconds: float
    judge_seconds: float
    write_seconds: float
    parts: list[str]


def write_transcripts(
    store: "Store",
    folder: Path,
    packing: "PackingConfig",
    *,
    files: int = 1,
    watch: Callable[[int, int], object] = lambda done, of: None,
) -> list[Path]:
    """The games of a store as transcripts, without those that `packing` holds back for validation.

    Each of the files has games from the whole store.
    """
    from okapi.recipes.arrays import TRAIN
    from okapi.recipes.tournaments import common_start, transcribed
    from okapi.training.shards import validation_mask

    columns = store.columns()
    usable = common_start(store) & (columns.result >= 0) & (columns.plies > 0)
    games = np.flatnonzero(usable & ~validation_mask(np.arange(len(store)), packing))
    games = games[np.argsort(np.arange(len(games)) % files, kind="stable")]
    return transcribed(store, games, np.full(len(games), TRAIN), watch).write(folder, files)


def judge_games(
    resnet: Path,
    transcripts: Sequence[Path],
    out: Path,
    asking: Asking | None = None,
    *,
    device: str = "auto",
    batch: int = 16_384,
    compiled: bool = False,
    most: int = 0,
    seconds: float | None = None,
    threads: int = 4,
    heard: Callable[[str], object] = lambda line: None,
) -> Judged:
    """Let the ResNet that was taught in a folder judge the positions of games; plain parts in `out` say what it thinks.

    `transcripts` are folders. At most `most` positions are judged (0: all), and what cannot be in so many seconds is
    left out. Parts that are there are replaced.
    """
    asking = asking or Asking()
    begun = time.monotonic()
    where = find_device(device)
    network, report = read_network(resnet), TrainingReport.read(resnet)
    games, found = 0, []
    for folder in transcripts:
        some = Transcripts.read(folder)
        games += len(some)
        found += list(unlabelled(some, asking, where))
        heard(f"{games:,} games, {sum(map(len, found)):,} positions, {time.monotonic() - begun:.0f} s")
    together = NnueDataset.concatenate(found)
    if not len(together):
        raise InvalidSamples("there are no quiet positions in these games")
    del found
    lessons = together.distinct()
    dice = torch.Generator(where).manual_seed(asking.seed)
    lessons = lessons.take(torch.randperm(len(lessons), generator=dice, device=where)[: most or None])
    heard(f"{len(lessons):,} distinct positions, {time.monotonic() - begun:.0f} s")
    at = [time.monotonic()]
    known = label_positions(
        ResNetLabeller(network, where, batch=batch, compiled=compiled),
        lessons,
        at_once=-(-AT_ONCE // batch) * batch,
        until=None if seconds is None else begun + seconds,
        watch=lambda done, of: heard(f"{done:,} of {of:,} judged, {done / (time.monotonic() - at[0]):,.0f}/s"),
    )
    at.append(time.monotonic())
    about = {
        "source": f"judged by {resnet.name}",
        "asking": asdict(asking),
        "resnet": {} if report is None else {"plan": report.about["plan"], "validation": dict(report.validation)},
    }
    parts = _write(known, out, about, threads)
    at.append(time.monotonic())
    return Judged(
        games=games,
        found=len(together),
        distinct=len(lessons),
        positions=len(known),
        find_seconds=round(at[0] - begun, 1),
        judge_seconds=round(at[1] - at[0], 1),
        write_seconds=round(at[2] - at[1], 1),
        parts=[str(path) for path in parts],
    )


def _write(lessons: NnueDataset, out: Path, about: dict[str, Any], threads: int) -> list[Path]:
    out.mkdir(parents=True, exist_ok=True)
    pieces = list(lessons.chunks(ROWS))
    paths = [out / f"judged-{number:03d}{SHARD_SUFFIX}" for number in range(len(pieces))]
    for path in set(out.glob(f"judged-*{SHARD_SUFFIX}")) - set(paths):
        path.unlink()
    with ThreadPoolExecutor(max(1, threads)) as pool:
        list(pool.map(lambda path, piece: piece.to_shard(about).write(path, plain=True), paths, pieces))
    return paths


if __name__ == "__main__":
    from okapi.recipes.teacher_command import main

    raise SystemExit(main())
