"""Packed positions on their way to a learner: files that need numpy alone, small enough to be carried.

A part is a .npz whose arrays are compressed by bzip2. Boards are stored as what changes from one to the next, square by
square: positions of one game, one after the other, then take about a third of their size. A plain part has its arrays
as they are: 36 bytes a position, written and read at the speed of the disk, for those that stay where they were made.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.errors import InvalidSamples, NotFound
from okapi.files import replace_file

__all__ = ["NO_RESULT", "PART", "Part", "find_parts", "joined"]

PART: Final = ".part.npz"

NO_RESULT: Final = -1

ABOUT: Final = "about"
PLAIN: Final = "plain"
"""Whether arrays are as they are; parts say so about themselves."""

PARSING: Final = Lock()
"""The headers of arrays are Python literals, and Python 3.11 now and then fails to parse two of those at a time."""

COLUMNS: Final = ("boards", "black", "values", "results")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Part:
    """Positions and what is known of them. The last `validation` ones are of games that no learner is taught."""

    boards: NDArray[np.uint8]
    """n x 32: four bits a square from a1 on, low bits first: 0 empty, else 1 + kind, 6 more for Black's."""
    black: NDArray[np.uint8]
    """1 where Black is to move."""
    values: NDArray[np.int16]
    """Centipawns for the side to move."""
    results: NDArray[np.int8]
    """For the side to move: 0 lost, 1 drawn, 2 won, NO_RESULT."""
    validation: int
    about: Mapping[str, Any]
    """Where they came from, and what was left out: JSON."""

    def __len__(self) -> int:
        return len(self.boards)

    def fingerprint(self) -> str:
        """A hash of all that is taught."""
        digest = hashlib.blake2b(str(self.validation).encode(), digest_size=16)
        for name in COLUMNS:
            digest.update(np.ascontiguousarray(getattr(self, name)).data)
        return digest.hexdigest()

    def write(self, path: Path, *, plain: bool = False) -> None:
        """All at once; `plain` is for parts that do not travel."""
        arrays: dict[str, NDArray[Any]] = {name: getattr(self, name) for name in COLUMNS}
        if not plain:
            arrays |= {
                "boards": _changes(self.boards).T,
                "black": np.packbits(self.black),
                "values": np.ascontiguousarray(self.values, "<i2").view(np.uint8).reshape(-1, 2).T,
            }
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
        """InvalidSamples where a file is no part, or damaged."""
        try:
            arrays = _unpacked(path, *COLUMNS, ABOUT)
            about = json.loads(arrays.pop(ABOUT).tobytes())
            validation = int(about.pop("validation"))
            if about.pop(PLAIN, False):
                return cls(**arrays, validation=validation, about=about)
            values = np.ascontiguousarray(arrays["values"].T).view("<i2").reshape(-1)
            return cls(
                boards=np.bitwise_xor.accumulate(np.ascontiguousarray(arrays["boards"].T), axis=0),
                black=np.unpackbits(arrays["black"], count=len(values)),
                values=values,
                results=arrays["results"],
                validation=validation,
                about=about,
            )
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            hint = "carry it again, or pack it again"
            raise InvalidSamples(f"`{path}` is no part of packed positions: {error}", hint=hint) from None

    @staticmethod
    def read_about(path: Path) -> dict[str, Any]:
        """What a part says about itself; its positions are not read."""
        told: dict[str, Any] = json.loads(_unpacked(path, ABOUT)[ABOUT].tobytes())
        return told


def find_parts(places: Iterable[Path]) -> list[Path]:
    """The parts in folders, and those that are named themselves; by name, so that folders may be cut up anyhow.

    What is named several times is found as often: who learns from it gives it more weight.
    """
    found = [path for place in places for path in (place.glob(f"*{PART}") if place.is_dir() else [place])]
    if not found:
        raise NotFound("there are no packed positions", hint="`python -m okapi.training.nnue pack` makes them")
    if missing := [path for path in found if not path.is_file()]:
        raise NotFound(f"there is no `{missing[0]}`")
    return sorted(found, key=lambda path: (path.name, path))


def joined(paths: Sequence[Path], *, threads: int = 1) -> tuple[Part, Part]:
    """All parts as two: what is taught, as often as it is named, and what is only asked for validation, once."""
    distinct = list(dict.fromkeys(paths))
    with ThreadPoolExecutor(max(1, threads)) as pool:
        parts = dict(zip(distinct, pool.map(Part.read, distinct), strict=True))
    taught = [parts[path] for path in paths]
    return _together(taught, validation=False), _together(list(parts.values()), validation=True)


def _unpacked(path: Path, *names: str) -> dict[str, NDArray[Any]]:
    """Some arrays of a file. Decompressing, which takes the time, is for as many threads as there are."""
    with zipfile.ZipFile(path) as file:
        contents = {name: file.read(f"{name}.npy") for name in names}
    with PARSING:
        return {name: np.load(io.BytesIO(content), allow_pickle=False) for name, content in contents.items()}


def _together(parts: Sequence[Part], *, validation: bool) -> Part:
    cuts = [len(part) - part.validation for part in parts]
    chosen = [slice(cut, None) if validation else slice(cut) for cut in cuts]
    columns = {
        name: np.concatenate([getattr(part, name)[which] for part, which in zip(parts, chosen, strict=True)])
        for name in COLUMNS
    }
    count = len(columns["black"])
    return Part(**columns, validation=count if validation else 0, about={"parts": [dict(part.about) for part in parts]})


def _changes(boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Each board against the one before; bitwise_xor.accumulate puts them back."""
    changes = boards.copy()
    changes[1:] ^= boards[:-1]
    return changes
