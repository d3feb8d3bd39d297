"""Labelled positions from a file, or made here; what takes long is done once and kept in a folder."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import load
from okapi.core import Evaluator
from okapi.core.exercises import judge
from okapi.core.keys import position_keys
from okapi.core.packed import NO_GAME, NO_VALUE
from okapi.core.samples import as_samples
from okapi.data.samples import RANDOM_MOVE
from okapi.data.shuffle import hashed
from okapi.data.sources import SUFFIXES, read_samples, write_samples
from okapi.errors import InvalidText, NotFound, UsageError
from okapi.files import file_hash
from okapi.formats.samples import Options, View
from okapi.recipes.lab import Lab
from okapi.recipes.labelled.library import Library, Tell
from okapi.recipes.labelled.made_here import made_here
from okapi.recipes.labelled.record import Labelled
from okapi.recipes.order import Order, Size

__all__ = ["MADE_HERE", "labelled"]

MADE_HERE: Final = "made here"

KEPT: Final = "labels"
"""The folder, in that of a lab, where what takes long is kept."""

ASKED: Final = 20_000
"""Positions with Black to move that tell whose values a file has."""

Rows = NDArray[np.void]


def labelled(asked: Lab | Order, *, most: int | None = None, folder: Path | None = None) -> Labelled:
    """The positions of --labels FILE, each with a value; without a file, games that Okapi plays and labels itself.

    Where the file names no games, its positions are looked up in those of --games FILE. At most `most` positions: whole
    games, chosen by their hashes. `folder` keeps what takes long; that of the lab or order, if there is one.
    """
    tell: Tell = asked.tell if isinstance(asked, Lab) else lambda line: None
    if folder is None:
        folder = asked.folder / KEPT if isinstance(asked, Lab) else asked.kept
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    if asked.labels is None:
        return _some(_record(_played(asked.size, asked.executor.workers, folder, tell), MADE_HERE), most)
    if not asked.labels.is_file():
        raise NotFound(f"no labels at `{asked.labels}`", hint="`okapi label` makes some; docs/imitation.md tells more")
    hash_ = file_hash(asked.labels)
    found = _record(_read(asked.labels, hash_, folder, tell), f"{asked.labels.name} {hash_}")
    if found.games is None and asked.games is not None:
        library = Library.open(asked.games, folder, tell)
        found = found.among(library, library.find(found.keys()))
    return _some(found, most)


def _record(rows: Rows, name: str) -> Labelled:
    rows = as_samples(rows[rows["value"] != NO_VALUE])
    if not len(rows):
        raise InvalidText(f"{name} has no position with a value", hint="`okapi label` makes labels of positions")
    _refuse_wrong_signs(rows, name)
    known = rows["game"] != NO_GAME
    told = rows["result"] >= 0
    return Labelled(
        name=name,
        positions=np.ascontiguousarray(rows["position"]),
        values=rows["value"].copy(),
        games=np.where(known, rows["game"].astype(np.int64), -1) if known.any() else None,
        plies=np.where(known, rows["ply"].astype(np.int64), -1),
        random=((rows["flags"] & RANDOM_MOVE) != 0) | (~known & ~told & told.any()),
        moves=rows["move"].copy(),
    )


def _refuse_wrong_signs(rows: Rows, name: str) -> None:
    """Values for White, taken for the mover's, contradict the material wherever Black is to move."""
    black = rows[rows["position"]["turn"] == 1]
    black = black[np.argsort(hashed(np.arange(len(black)), 1))[:ASKED]]
    material = judge([Evaluator.from_brain(load("material"))], np.ascontiguousarray(black["position"]))[0]
    agreement = int((np.sign(material) * np.sign(black["value"].astype(np.int32))).sum())
    if agreement < 0:
        raise InvalidText(
            f"{name}: with Black to move, values are good where material is lost; they seem to be White's",
            hint="okapi samples convert FILE --view white --to labels.samples",
        )


# --- What takes long --------------------------------------------------------------------------------------------------


def _played(size: Size, threads: int, folder: Path | None, tell: Tell) -> Rows:
    def make() -> Rows:
        tell("Okapi plays games and labels them")
        return _made_here(size, threads)

    return _kept(folder, f"made-{size}", make)


@lru_cache(maxsize=1)
def _made_here(size: Size, threads: int) -> Rows:
    return made_here(size, threads)


def _read(path: Path, hash_: str, folder: Path | None, tell: Tell) -> Rows:
    """The rows of a file; of one that is not ours, a sample file is kept, which takes no time to read."""

    def make() -> Rows:
        def heard(part: float) -> None:
            tell(f"reading {path.name}: {part:.0%}")

        try:
            rows = [as_samples(some) for some in read_samples(path, on_progress=heard)]
        except UsageError:  # the header does not say whose the values are: engines speak for the mover
            rows = [
                as_samples(some) for some in read_samples(path, options=Options(view=View.MOVER), on_progress=heard)
            ]
        if not rows:
            raise InvalidText(f"{path.name} has no positions", hint="`okapi label` makes labels of positions")
        return np.concatenate(rows)

    return make() if path.suffix in SUFFIXES else _kept(folder, f"read-{hash_}", make)


def _kept(folder: Path | None, name: str, make: Callable[[], Rows]) -> Rows:
    """Rows from a sample file in a folder, or made and then written there."""
    if folder is None:
        return make()
    path = folder / f"{name}.samples"
    if not path.exists():
        write_samples(path, [make()])
    return np.concatenate(list(read_samples(path)))


# --- Not too many -----------------------------------------------------------------------------------------------------


def _some(labels: Labelled, most: int | None) -> Labelled:
    """At most so many, chosen by hashes: whole games where the file names them."""
    if most is None or len(labels) <= most:
        return labels
    if labels.games is None or labels.library is not None:
        return labels.take(np.sort(np.argsort(hashed(position_keys(labels.positions), 0), kind="stable")[:most]))
    order = np.argsort(hashed(labels.games, 0), kind="stable")
    ends = np.flatnonzero(np.diff(labels.games[order], append=-2))  # where a game ends
    whole = ends[ends < most]
    return labels.take(np.sort(order[: whole[-1] + 1 if len(whole) else most]))
