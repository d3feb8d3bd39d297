"""Samples packed for the NNUE: what its eye cannot learn is left out, and games are kept apart."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core.keys import position_keys
from okapi.core.packed import NO_GAME
from okapi.core.samples import Rows, as_samples
from okapi.data.samples import RANDOM_MOVE, SampleFilter
from okapi.data.shuffle import hashed
from okapi.data.sources import read_samples
from okapi.errors import InvalidSamples, UsageError
from okapi.training.nnue.parts import NO_RESULT, PART, Part

__all__ = ["Packed", "Packing", "bare_part", "boards_of", "held_back", "pack"]

ROWS: Final = 1 << 20
"""Samples that make a part, before any are left out."""

SHARES: Final = 1 << 20
"""Dice have so many sides."""

NIBBLES: Final = np.array([*(1 + (code >> 1) + 6 * (code & 1) for code in range(12)), 4, 10, 0, 0], np.uint8)
"""How a part writes what a packed position calls 0 to 13: a rook is a rook, whether it may castle or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packing:
    """What is taken."""

    first_ply: int = 8
    """Before it, positions are too much alike."""
    largest_value: int = 10_000
    """Centipawns for either side, at most."""
    quiet: bool = True
    """Not in check, and the best move neither takes nor promotes: the others are for a search to see."""
    validation: float = 0.01
    """The share of games that are not taught."""
    seed: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.validation < 0.5:
            raise UsageError(f"`validation` is {self.validation}", hint="expected a share above 0, below 0.5")

    def filters(self, rows: Rows) -> SampleFilter:
        """The same as filters of these samples: where all are first moves, nobody wrote down what came before."""
        plies = (self.first_ply, 65535) if (rows["ply"] > 1).any() else None
        return SampleFilter(quiet=self.quiet, plies=plies, largest_value=self.largest_value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """What packing came to."""

    parts: list[Path]
    read: int
    """Samples that were looked at."""
    positions: int
    validation: int
    """Of those."""
    size: int
    """Bytes of all parts."""


def pack(
    sources: Sequence[Path],
    folder: Path,
    packing: Packing | None = None,
    *,
    heard: Callable[[str, float], None] = lambda name, share: None,
    rows_a_part: int = ROWS,
) -> Packed:
    """Pack sample files and game stores into parts of a folder; parts that are there already are kept.

    A source that grew meanwhile gets its new samples in new parts, and its last part anew.
    """
    packing = packing or Packing()
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    told: list[dict[str, Any]] = []
    for number, source in enumerate(sources):
        before = len(told)
        for count, rows in enumerate(_pieces(source, rows_a_part, partial(heard, source.name))):
            path = folder / f"{number:02d}-{source.stem}-{count:03d}{PART}"
            about = {"source": source.name, "first": count * rows_a_part, "read": len(rows), "packing": asdict(packing)}
            if not _is_there(path, about):
                packed_part(rows, packing, about).write(path)
            paths.append(path)
            told.append(Part.read_about(path))
        if not sum(each["positions"] for each in told[before:]):
            raise InvalidSamples(
                f"there is nothing to learn in `{source}`: no quiet position with a value after the first moves",
                hint="`okapi label` gives positions their values",
            )
    return Packed(
        parts=paths,
        read=sum(each["read"] for each in told),
        positions=sum(each["positions"] for each in told),
        validation=sum(each["validation"] for each in told),
        size=sum(path.stat().st_size for path in paths),
    )


def packed_part(rows: Rows, packing: Packing, about: dict[str, Any]) -> Part:
    """The samples that are taken, those for validation last."""
    rows = rows[packing.filters(rows).keep(rows)]
    held = _held_back(rows, packing)
    rows = rows[np.argsort(held, kind="stable")]
    results = np.where(rows["flags"] & RANDOM_MOVE, NO_RESULT, rows["result"]).astype(np.int8)
    return Part(
        boards=boards_of(rows["position"]),
        black=rows["position"]["turn"],
        values=rows["value"],
        results=results,
        validation=int(held.sum()),
        about={**about, "positions": len(rows), "with_result": int((results != NO_RESULT).sum())},
    )


def held_back(numbers: NDArray[Any], packing: Packing) -> NDArray[np.bool_]:
    """Whether games of these numbers are for validation."""
    dice = hashed(numbers, packing.seed) % np.uint64(SHARES)
    held: NDArray[np.bool_] = dice < int(packing.validation * SHARES)
    return held


def bare_part(positions: NDArray[np.void]) -> Part:
    """Positions of which nothing is known."""
    nothing = np.zeros(len(positions), np.int16)
    results = np.full(len(positions), NO_RESULT, np.int8)
    boards = boards_of(positions)
    return Part(boards=boards, black=positions["turn"], values=nothing, results=results, validation=0, about={})


def boards_of(positions: NDArray[np.void]) -> NDArray[np.uint8]:
    """The boards of packed positions as a part has them: n x 32.

    >>> from okapi.core.packed import pack_fens
    >>> boards_of(pack_fens(["8/8/8/8/8/8/8/k1KR4 w - - 0 1"]))[0, :6].tolist()
    [12, 70, 0, 0, 0, 0]
    """
    pieces = positions["pieces"]
    nibbles = np.stack([pieces & 15, pieces >> 4], axis=2).reshape(len(positions), 32)
    occupied = np.ascontiguousarray(positions["occupied"]).view(np.uint8).reshape(-1, 8)
    bits = np.unpackbits(occupied, axis=1, bitorder="little")
    place = np.clip(bits.cumsum(axis=1, dtype=np.int64) - 1, 0, 31)
    codes = NIBBLES[np.take_along_axis(nibbles, place, axis=1)] * bits
    boards: NDArray[np.uint8] = codes[:, ::2] | codes[:, 1::2] << 4
    return boards


def _pieces(source: Path, count: int, heard: Callable[[float], None]) -> Iterator[Rows]:
    """The samples of a file, so many at a time; the last fewer."""
    waiting: list[Rows] = []
    have = 0
    for rows in read_samples(source, on_progress=heard):
        waiting.append(as_samples(rows))
        have += len(rows)
        while have >= count:
            together = np.concatenate(waiting)
            yield together[:count]
            waiting, have = [together[count:]], have - count
    if have:
        yield np.concatenate(waiting)


def _held_back(rows: Rows, packing: Packing) -> NDArray[np.bool_]:
    """Of each sample, whether its game is for validation; those without a game are told apart by their position."""
    alone = rows["game"] == NO_GAME
    return held_back(np.where(alone, position_keys(rows["position"]), rows["game"]), packing)


def _is_there(path: Path, about: dict[str, Any]) -> bool:
    if not path.exists():
        return False
    known = Part.read_about(path)
    return {name: known.get(name) for name in about} == about
