"""Which games are for training, validation and test, and which of their positions must be left out.

docs/reference/split.md describes the file byte by byte.
"""

import json
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import IntEnum
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.core.keys import Keys, KeySet, position_keys
from okapi.data.samples import json_bytes, padded, padded_length
from okapi.data.shuffle import hashed
from okapi.data.store import Store
from okapi.errors import InvalidSplit, UsageError
from okapi.files import file_errors, replace_file

MAGIC: Final = b"OKSPLIT\n"
VERSION: Final = 1
HEAD: Final = struct.Struct("<8sII")  # magic, version, bytes of JSON
ALIGNED: Final = 8  # bytes to which arrays are aligned
LAST_PLY: Final = 0xFFFF  # positions after this ply are in no subset: samples cannot say where they stand, either


class Subset(IntEnum):
    NONE = 0
    TRAIN = 1
    VALIDATION = 2
    TEST = 3

    @classmethod
    def named(cls, name: str) -> "Subset":
        if name.upper() not in cls.__members__:
            raise UsageError(f"`{name}` is no subset of a split", hint="there are train, validation and test")
        return cls[name.upper()]


@dataclass(frozen=True, slots=True)
class Shares:
    """Per cent of the games for each subset, and a salt: another salt gives another split."""

    train: float = 80.0
    validation: float = 10.0
    test: float = 10.0
    salt: int = 0

    def __post_init__(self) -> None:
        named = {"--train": self.train, "--validation": self.validation, "--test": self.test}
        for name, share in named.items():
            if not 0 <= share <= 100:
                raise UsageError(f"{name} {share:g} is not a share", hint="give per cent, from 0 to 100")
        if (total := sum(named.values())) > 100 + 1e-9:
            given = " ".join(f"{name} {share:g}" for name, share in named.items())
            raise UsageError(
                f"{given} make {total:g} %", hint="together they may be 100 or less; the rest is in no subset"
            )


def subsets_of(hashes: Keys, shares: Shares) -> NDArray[np.uint8]:
    """The subset of each game, from its own hash alone: other games, their order and their number do not matter.

    A hash, mixed with the salt, is a number from 0 to 1. Test takes from the low end, then validation; training takes
    from the high end. So test and training keep every game that they had when their shares grow.

    >>> subsets_of(np.arange(8, dtype=np.uint64), Shares(50, 25, 25)).tolist()
    [3, 1, 2, 3, 1, 3, 2, 3]
    """
    draws = (hashed(hashes, shares.salt) >> np.uint64(11)) / float(1 << 53)
    test, held_out = shares.test / 100, (shares.test + shares.validation) / 100
    return assign(draws, test, held_out, train=draws >= 1 - shares.train / 100)


def assign(
    draws: NDArray[Any], test_below: Any, validation_below: Any, train: NDArray[np.bool_] | bool = True
) -> NDArray[np.uint8]:
    """The subset of each draw: test takes the lowest, then validation; training takes the rest, or what `train` says.

    A draw follows from a game, a tournament or a position alone, as a hash does. Every split of Okapi is made here.

    >>> assign(np.array([0.9, 0.05, 0.15, 0.2]), 0.1, 0.2).tolist()
    [1, 3, 2, 1]
    """
    subsets = np.full(len(draws), Subset.NONE, np.uint8)
    subsets[np.broadcast_to(train, len(draws))] = Subset.TRAIN
    subsets[draws < validation_below] = Subset.VALIDATION
    subsets[draws < test_below] = Subset.TEST
    return subsets


def drop_leaks(subsets: NDArray[np.uint8], keys: Keys) -> None:
    """Put into no subset what has a key that a later subset holds: test is left whole, then validation."""
    for later in (Subset.TEST, Subset.VALIDATION):
        held = KeySet()
        held.add(keys[subsets == later])
        subsets[(subsets != Subset.NONE) & (subsets < later) & held.contains(keys)] = Subset.NONE


def identity(hashes: Keys) -> str:
    """Identifies a store: a hash of the hashes of its games, in order."""
    return blake2b(hashes.astype("<u8").tobytes(), digest_size=16).hexdigest()


@dataclass(frozen=True, eq=False)
class Split:
    """A split of one store. Make one with `okapi games split`.

    `split.games("train")` are numbers of games; `split.allows(games, plies)` says of each position whether the subset
    of its game may use it. No position after move 10 of a test game is allowed in training or validation, nor one of
    validation in training.
    """

    shares: Shares
    of: str  # identifies the store
    subsets: NDArray[np.uint8]
    runs: NDArray[np.uint64]  # plies that are left out, in order: game << 32 | first ply << 16 | (count - 1)
    counts: dict[str, Any]  # games and positions of each subset, and how many are left out

    def __len__(self) -> int:
        return len(self.subsets)

    def games(self, subset: str) -> NDArray[np.int64]:
        return np.flatnonzero(self.subsets == Subset.named(subset))

    def allows(self, games: NDArray[Any], plies: NDArray[Any]) -> NDArray[np.bool_]:
        """Of each position, the one before move `ply` of a game, whether the game's subset may use it."""
        games, plies = np.broadcast_arrays(np.asarray(games, np.uint64), np.asarray(plies, np.uint64))
        known = (games < len(self.subsets)) & (plies <= LAST_PLY)
        allowed = np.zeros(games.shape, np.bool_)
        allowed[known] = self.subsets[games[known]] != Subset.NONE
        if len(self.runs):
            place = games << np.uint64(32) | np.minimum(plies, LAST_PLY) << np.uint64(16) | np.uint64(0xFFFF)
            index = np.searchsorted(self.runs, place, side="right")
            run = self.runs[np.maximum(index, 1) - 1]
            first, more = run >> np.uint64(16) & np.uint64(0xFFFF), run & np.uint64(0xFFFF)
            allowed &= ~((index > 0) & (run >> np.uint64(32) == games) & (plies - first <= more))
        return allowed

    def check(self, hashes: Keys) -> None:
        if len(hashes) == len(self) and identity(hashes) == self.of:
            return
        if len(hashes) > len(self) and identity(hashes[: len(self)]) == self.of:
            known = f"the split knows {len(self):,} of the store's {len(hashes):,} games"
            raise InvalidSplit(known, hint="the same `okapi games split` again brings it up to date")
        raise InvalidSplit("the split was made for another store", hint="okapi games split STORE")

    # --- The file ---------------------------------------------------------------------------------------------------

    @classmethod
    def open(cls, path: Path | str) -> Self:
        path = Path(path)
        with file_errors(path, "read", hint="okapi games split STORE"):
            data = path.read_bytes()
        try:
            if len(data) < HEAD.size or data[:8] != MAGIC:
                raise InvalidSplit(f"{path.name} is not a split")
            _, version, length = HEAD.unpack(data[: HEAD.size])
            if version != VERSION:
                raise InvalidSplit(f"{path.name} is of version {version}, this okapi reads {VERSION}")
            if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
                raise InvalidSplit(f"{path.name} is damaged")
            begin = padded_length(HEAD.size + length, ALIGNED)
            parsed = json.loads(data[HEAD.size : HEAD.size + length])
            subsets = np.frombuffer(data, np.uint8, parsed["counts"]["games"], begin)
            runs = np.frombuffer(data, "<u8", parsed["runs"], begin + padded_length(len(subsets), ALIGNED))
            return cls(Shares(**parsed["shares"]), parsed["store"], subsets, runs, parsed["counts"])
        except (ValueError, KeyError, TypeError, InvalidSplit) as error:
            known = isinstance(error, InvalidSplit)
            what = f"{error}" if known else f"the header of {path.name} is not valid: {error}"
            raise InvalidSplit(what, hint="make it again: okapi games split STORE") from None

    def write(self, path: Path | str) -> None:
        header = {"counts": self.counts, "runs": len(self.runs), "shares": asdict(self.shares), "store": self.of}
        text = json_bytes(header)
        data = padded(HEAD.pack(MAGIC, VERSION, len(text)) + text, ALIGNED) + padded(self.subsets.tobytes(), ALIGNED)
        data += self.runs.astype("<u8").tobytes()
        replace_file(Path(path), data + zlib.crc32(data).to_bytes(4, "little"))


# --- Making a split ---------------------------------------------------------------------------------------------------

AFTER_MOVE: Final = 10  # positions after this move are kept apart; earlier ones are theory that all games share
POSITIONS_AT_ONCE: Final = 1 << 18

MOST_KEYS: Final = 1 << 25  # keys in memory: half a gigabyte; with more, several passes are made over the games


def make_split(store: Store, shares: Shares, on_progress: Callable[[float], None] = lambda _: None) -> Split:
    """Split the games of a store. `on_progress` is called with the fraction that is done, 0 to 1."""
    hashes, plies = store.hashes(), store.plies()
    subsets = subsets_of(hashes, shares)
    held = int((plies[subsets >= Subset.VALIDATION].astype(np.int64) + 1).sum())
    passes = max(1, -(-held // MOST_KEYS))
    found: list[Keys] = []
    for number in range(passes):
        for share, places in _left_out(store, plies, subsets, number, passes, min(held, MOST_KEYS)):
            found.append(places)
            on_progress((number + share) / passes)
    left_out = np.sort(np.concatenate(found)) if found else np.zeros(0, np.uint64)
    return Split(shares, identity(hashes), subsets, _runs(left_out), _counts(plies, subsets, left_out))


def in_chunks(plies: NDArray[Any], games: NDArray[np.int64]) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """The game and ply of every position of these games, including the last, in chunks of whole games."""
    lengths = plies[games].astype(np.int64) + 1
    ends, start = lengths.cumsum(), 0
    while start < len(games):
        stop = max(start + 1, int(np.searchsorted(ends, ends[start] - lengths[start] + POSITIONS_AT_ONCE)))
        some = lengths[start:stop]
        yield np.repeat(games[start:stop], some), np.arange(some.sum()) - np.repeat(some.cumsum() - some, some)
        start = stop


def is_late(positions: NDArray[np.void], plies: NDArray[Any]) -> NDArray[np.bool_]:
    """Which positions are after move 10, by plies played or by move number: a game may start from a set-up position."""
    return np.asarray((plies >= 2 * AFTER_MOVE) | (positions["fullmove_number"] > AFTER_MOVE))


def _left_out(
    store: Store, plies: NDArray[np.uint16], subsets: NDArray[np.uint8], number: int, passes: int, expected: int
) -> Iterator[tuple[float, Keys]]:
    """Places, game << 32 | ply, of positions that a later subset holds; with the fraction done of this pass.

    Test is left whole, validation leaves out what test holds, training what either holds. A position at any ply may
    be left out; only those after move 10 are held. A pass is for a share of the keys, `expected` of them.
    """
    held = KeySet(expected)
    steps = ((Subset.TEST, True), (Subset.VALIDATION, False), (Subset.VALIDATION, True), (Subset.TRAIN, False))
    total = sum(int((subsets == subset).sum()) for subset, _ in steps)
    done = 0
    for subset, holds in steps:
        for games, when in in_chunks(plies, np.flatnonzero(subsets == subset)):
            positions = store.positions(games, when)
            keys = position_keys(positions)
            mine = (keys >> np.uint64(40)) % np.uint64(passes) == number
            done += int((np.diff(games) != 0).sum()) + 1
            found = np.zeros(len(keys), np.bool_) if holds else mine & held.contains(keys)
            if holds:
                held.add(keys[mine & is_late(positions, when)])
            yield done / total, games[found].astype(np.uint64) << np.uint64(32) | when[found].astype(np.uint64)


def _runs(places: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Consecutive plies of a game as one number; see Split.runs."""
    if not len(places):
        return places
    begins = np.flatnonzero(np.diff(places, prepend=places[:1] - np.uint64(2)) != 1)
    lengths = np.diff(begins, append=len(places)).astype(np.uint64)
    first = places[begins]
    game, ply = first >> np.uint64(32), first & np.uint64(0xFFFF)
    return np.asarray(game << np.uint64(32) | ply << np.uint64(16) | lengths - np.uint64(1))


def _counts(plies: NDArray[Any], subsets: NDArray[np.uint8], left_out: Keys) -> dict[str, Any]:
    of = subsets[(left_out >> np.uint64(32)).astype(np.int64)]
    counts: dict[str, Any] = {"games": len(subsets), "left_out": len(left_out), "positions": {}}
    for subset in (Subset.TRAIN, Subset.VALIDATION, Subset.TEST):
        mine = subsets == subset
        positions = np.minimum(plies[mine].astype(np.int64), LAST_PLY) + 1
        counts[subset.name.lower()] = int(mine.sum())
        counts["positions"][subset.name.lower()] = int(positions.sum()) - int((of == subset).sum())
    return counts
