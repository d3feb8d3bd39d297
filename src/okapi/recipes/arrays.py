"""Arrays on disk, plain or compressed, and the codes of training, validation and test."""

import lzma
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.errors import InvalidText, NotFound
from okapi.files import write_whole

TRAIN, VALIDATION, TEST, NONE = 0, 1, 2, 255
"""What a row is for, as a number in an array of uint8."""

AS_CODES: Final = np.array([NONE, TRAIN, VALIDATION, TEST], np.uint8)
"""The same for each okapi.data.split.Subset: `AS_CODES[subsets]`."""

PARTS: Final = {"train": TRAIN, "validation": VALIDATION, "test": TEST}

PLAIN, COMPRESSED = ".npy", ".npy.xz"


def write_array(folder: Path, name: str, array: NDArray[Any], *, compressed: bool = False) -> Path:
    """Write `folder/name.npy`, or the same as .npy.xz: columns first, which makes it a tenth smaller again."""
    path = folder / f"{name}{COMPRESSED if compressed else PLAIN}"
    # a higher preset takes several times as long and saves a tenth
    with write_whole(path) as part, lzma.open(part, "wb", preset=1) if compressed else part.open("wb") as file:
        np.save(file, np.asfortranarray(array) if compressed else array)
    return path


def read_array(folder: Path, name: str) -> NDArray[Any]:
    """What stands in `folder/name.npy` or `folder/name.npy.xz`: NotFound if neither is there."""
    plain, compressed = folder / f"{name}{PLAIN}", folder / f"{name}{COMPRESSED}"
    try:
        if plain.exists():
            return np.asarray(np.load(plain))
        if compressed.exists():
            with lzma.open(compressed) as file:
                return np.ascontiguousarray(np.load(file))
    except (ValueError, EOFError, lzma.LZMAError) as error:
        raise InvalidText(f"`{name}` in `{folder}` is no array: {error}", hint="delete it, and make it again") from None
    hint = f"nor `{compressed.name}`; is it a folder of training jobs?"
    raise NotFound(f"`{folder}` has no `{plain.name}`", hint=hint)


def unpack_arrays(folder: Path) -> None:
    """Write each array that is there only compressed as a plain one, too, which takes no time to open."""
    for path in folder.glob(f"*{COMPRESSED}"):
        name = path.name.removesuffix(COMPRESSED)
        if not (folder / f"{name}{PLAIN}").exists():
            write_array(folder, name, read_array(folder, name))
