"""Shards: packed positions with values and results, in files that the NNUE and the ResNet are trained on.

A shard is a .npz compressed by bzip2, with each board as the difference from the one before: positions of one game then
take about a third of their size. A plain shard is not compressed, 36 bytes a position: it stays on one machine.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.core.keys import position_keys
from okapi.core.packed import NO_GAME
from okapi.core.samples import Rows, as_samples
from okapi.data.samples import RANDOM_MOVE, SampleFilter
from okapi.data.shuffle import hashed
from okapi.data.sources import read_samples
from okapi.data.split import Subset, assign
from okapi.encodings.boards import packed_codes
from okapi.errors import InvalidSamples, NotFound
from okapi.files import replace_file
from okapi.settings import Config

SHARD_SUFFIX: Final = ".part.npz"

NO_RESULT: Final = -1

ABOUT: Final = "about"
PLAIN: Final = "plain"  # whether the arrays are stored uncompressed

PARSING: Final = Lock()  # for array headers, which are literals: Python 3.11 may fail to parse two at a time

COLUMNS: Final = ("boards", "black", "values", "results")
ROWS: Final = 1 << 20  # samples of a shard, before filtering
SHARES: Final = 1 << 20  # resolution of the hash that divides games into training and validation

NIBBLES: Final = np.array([*(1 + (code >> 1) + 6 * (code & 1) for code in range(12)), 4, 10, 0, 0], np.uint8)
"""The four bits of a shard for the codes 0 to 13 of a packed position; castling rights are lost."""


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """Positions with values and results. The last `validation` ones are of the games of the validation set."""

    boards: NDArray[np.uint8]
    """n x 32: four bits a square from a1 on, low bits first: 0 empty, else 1 + piece type, 6 more for Black."""
    black: NDArray[np.uint8]  # 1 where Black is to move
    values: NDArray[np.int16]  # centipawns for the side to move
    results: NDArray[np.int8]  # for the side to move: 0 lost, 1 drawn, 2 won, NO_RESULT
    validation: int
    about: Mapping[str, Any]  # source and filters: JSON

    def __len__(self) -> int:
        return len(self.boards)

    def fingerprint(self) -> str:
        digest = hashlib.blake2b(str(self.validation).encode(), digest_size=16)
        for name in COLUMNS:
            digest.update(np.ascontiguousarray(getattr(self, name)).data)
        return digest.hexdigest()

    def write(self, path: Path, *, plain: bool = False) -> None:
        arrays: dict[str, NDArray[Any]] = {name: getattr(self, name) for name in COLUMNS}
        if not plain:
            changes = self.boards.copy()
            changes[1:] ^= self.boards[:-1]  # bitwise_xor.accumulate is the inverse
            values = np.ascontiguousarray(self.values, "<i2").view(np.uint8).reshape(-1, 2)
            arrays |= {"boards": changes.T, "black": np.packbits(self.black), "values": values.T}
        about = {**self.about, "validation": self.validation, PLAIN: plain}
        arrays[ABOUT] = np.frombuffer(json.dumps(about).encode(), np.uint8)
        method = zipfile.ZIP_STORED if plain else zipfile.ZIP_BZIP2
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", method) as file:
            for name, array in arrays.items():
                content = io.BytesIO()
                np.save(content, np.ascontiguousarray(array))
                file.writestr(zipfile.ZipInfo(f"{name}.npy"), content.getbuffer(), method)
        replace_file(path, buffer.getvalue())

    @classmethod
    def read(cls, path: Path) -> Self:
        """InvalidSamples if a file is not a shard, or damaged."""
        try:
            arrays = _read_arrays(path, *COLUMNS, ABOUT)
            about = json.loads(arrays.pop(ABOUT).tobytes())
            validation = int(about.pop("validation"))
            if about.pop(PLAIN, False):
                return cls(**arrays, validation=validation, about=about)
            values = np.ascontiguousarray(arrays["values"].T).view("<i2").reshape(-1)
            boards = np.bitwise_xor.accumulate(np.ascontiguousarray(arrays["boards"].T), axis=0)
            black = np.unpackbits(arrays["black"], count=len(values))
            return cls(boards, black, values, arrays["results"], validation, about)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            hint = "copy it again, or pack it again"
            raise InvalidSamples(f"`{path}` is not a shard of packed positions: {error}", hint=hint) from None

    @staticmethod
    def read_about(path: Path) -> dict[str, Any]:
        """The description of a shard; its positions are not read."""
        return dict(json.loads(_read_arrays(path, ABOUT)[ABOUT].tobytes()))


def find_shards(places: Iterable[Path]) -> list[Path]:
    """Shards in folders, and those named themselves, by file name; one that is named twice weighs more in training."""
    found = [path for place in places for path in (place.glob(f"*{SHARD_SUFFIX}") if place.is_dir() else [place])]
    if not found:
        raise NotFound("there are no packed positions", hint="`okapi.training.shards.pack_samples` makes them")
    if missing := [path for path in found if not path.is_file()]:
        raise NotFound(f"there is no `{missing[0]}`")
    return sorted(found, key=lambda path: (path.name, path))


def load_shards(paths: Sequence[Path], *, threads: int = 1) -> tuple[Shard, Shard]:
    """The training set, with each shard as often as it is named, and the validation set, with each shard once."""
    distinct = list(dict.fromkeys(paths))
    with ThreadPoolExecutor(max(1, threads)) as pool:
        shards = dict(zip(distinct, pool.map(Shard.read, distinct), strict=True))
    train = [shards[path] for path in paths]
    return _concatenated(train, validation=False), _concatenated(list(shards.values()), validation=True)


def _read_arrays(path: Path, *names: str) -> dict[str, NDArray[Any]]:
    """Some arrays of a file. Decompression takes most of the time, and threads do it in parallel."""
    with zipfile.ZipFile(path) as file:
        contents = {name: file.read(f"{name}.npy") for name in names}
    with PARSING:
        return {name: np.load(io.BytesIO(content), allow_pickle=False) for name, content in contents.items()}


def _concatenated(shards: Sequence[Shard], *, validation: bool) -> Shard:
    cuts = [len(shard) - shard.validation for shard in shards]
    chosen = [(shard, slice(cut, None) if validation else slice(cut)) for shard, cut in zip(shards, cuts, strict=True)]
    columns = {name: np.concatenate([getattr(shard, name)[which] for shard, which in chosen]) for name in COLUMNS}
    about = {"parts": [dict(shard.about) for shard in shards]}
    return Shard(**columns, validation=len(columns["black"]) if validation else 0, about=about)


@dataclass(frozen=True, slots=True, kw_only=True)
class PackingConfig(Config):
    first_ply: int = 8  # earlier positions are left out: games resemble each other there
    largest_value: int = 10_000  # centipawns for either side, at most
    quiet: bool = True
    """Take quiet positions only: not in check, and the best move is neither a capture nor a promotion."""
    validation: float = 0.01
    seed: int = 1

    def __post_init__(self) -> None:
        self.require("a share above 0, below 0.5", lambda share: 0 < share < 0.5, "validation")

    def filters(self, rows: Rows) -> SampleFilter:
        """Filters for these samples; without `first_ply` where the plies are unknown, so that all are 0 or 1."""
        plies = (self.first_ply, 65535) if (rows["ply"] > 1).any() else None
        return SampleFilter(quiet=self.quiet, plies=plies, largest_value=self.largest_value)


@dataclass(frozen=True, slots=True)
class PackedShards:
    shards: list[Path]
    read: int
    positions: int
    validation: int  # of those
    size: int


def pack_samples(
    sources: Sequence[Path],
    folder: Path,
    packing: PackingConfig | None = None,
    *,
    watch: Callable[[str, float], None] = lambda name, share: None,
    rows_per_shard: int = ROWS,
) -> PackedShards:
    """Pack sample files and game stores into shards; of existing ones only the last of a source that grew is new."""
    packing = packing or PackingConfig()
    folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    described: list[dict[str, Any]] = []
    for number, source in enumerate(sources):
        before = len(described)
        for count, rows in enumerate(_chunks(source, rows_per_shard, partial(watch, source.name))):
            path = folder / f"{number:02d}-{source.stem}-{count:03d}{SHARD_SUFFIX}"
            about = {"source": source.name, "first": count * rows_per_shard, "read": len(rows)}
            about["packing"] = packing.as_json()
            known = Shard.read_about(path) if path.exists() else {}
            if {name: known.get(name) for name in about} != about:
                pack_rows(rows, packing, about).write(path)
            paths.append(path)
            described.append(Shard.read_about(path))
        if not sum(each["positions"] for each in described[before:]):
            nothing = f"there is nothing to learn in `{source}`: no quiet position with a value after the opening"
            raise InvalidSamples(nothing, hint="`okapi label` gives positions their values")
    read, positions, held = (sum(each[name] for each in described) for name in ("read", "positions", "validation"))
    return PackedShards(paths, read, positions, held, sum(path.stat().st_size for path in paths))


def pack_rows(rows: Rows, packing: PackingConfig, about: dict[str, Any]) -> Shard:
    """The shard of some samples; those for validation come last. A sample without a game counts as one of its own."""
    rows = rows[packing.filters(rows).keep(rows)]
    numbers = np.where(rows["game"] == NO_GAME, position_keys(rows["position"]), rows["game"])
    chosen = validation_mask(numbers, packing)
    rows = rows[np.argsort(chosen, kind="stable")]
    results = np.where(rows["flags"] & RANDOM_MOVE, NO_RESULT, rows["result"]).astype(np.int8)
    about = {**about, "positions": len(rows), "with_result": int((results != NO_RESULT).sum())}
    positions = rows["position"]
    return Shard(boards_of(positions), positions["turn"], rows["value"], results, int(chosen.sum()), about)


def validation_mask(numbers: NDArray[Any], packing: PackingConfig) -> NDArray[np.bool_]:
    draws = hashed(numbers, packing.seed) % np.uint64(SHARES)
    chosen: NDArray[np.bool_] = assign(draws, 0, int(packing.validation * SHARES)) == Subset.VALIDATION
    return chosen


def unlabelled_shard(positions: NDArray[np.void]) -> Shard:
    values, results = np.zeros(len(positions), np.int16), np.full(len(positions), NO_RESULT, np.int8)
    return Shard(boards_of(positions), positions["turn"], values, results, 0, {})


def boards_of(positions: NDArray[np.void]) -> NDArray[np.uint8]:
    """The boards of packed positions in the format of a shard: n x 32.

    >>> from okapi.core.packed import pack_fens
    >>> boards_of(pack_fens(["8/8/8/8/8/8/8/k1KR4 w - - 0 1"]))[0, :6].tolist()
    [12, 70, 0, 0, 0, 0]
    """
    packed, occupied = packed_codes(positions)
    codes = np.multiply(NIBBLES[packed], occupied)
    boards: NDArray[np.uint8] = codes[:, ::2] | codes[:, 1::2] << 4
    return boards


def _chunks(source: Path, count: int, watch: Callable[[float], None]) -> Iterator[Rows]:
    """The samples of a file in chunks of `count`; the last one is smaller."""
    waiting: list[Rows] = []
    pending = 0
    for rows in read_samples(source, on_progress=watch):
        waiting.append(as_samples(rows))
        pending += len(rows)
        while pending >= count:
            together = np.concatenate(waiting)
            yield together[:count]
            waiting, pending = [together[count:]], pending - count
    if pending:
        yield np.concatenate(waiting)
