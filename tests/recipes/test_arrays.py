"""Arrays come back from the disk as they were, however they were written."""

from pathlib import Path

import numpy as np
import pytest

from okapi.errors import InvalidText, NotFound
from okapi.recipes.arrays import read_array, unpack_arrays, write_array


@pytest.mark.parametrize("compressed", [False, True])
def test_an_array_comes_back(compressed: bool, tmp_path: Path) -> None:
    array = np.random.default_rng(1).integers(0, 16, (500, 32)).astype(np.uint8)
    path = write_array(tmp_path, "positions", array, compressed=compressed)

    back = read_array(tmp_path, "positions")
    assert (back == array).all() and back.dtype == array.dtype and back.flags["C_CONTIGUOUS"]
    assert (path.stat().st_size < array.nbytes) is compressed and [path] == list(tmp_path.iterdir())


def test_what_is_not_there_or_no_array_is_told(tmp_path: Path) -> None:
    (tmp_path / "values.npy").write_bytes(b"nothing")
    (tmp_path / "parts.npy.xz").write_bytes(b"nothing")

    with pytest.raises(NotFound, match=r"has no `positions.npy`"):
        read_array(tmp_path, "positions")
    for name in ("values", "parts"):
        with pytest.raises(InvalidText, match=f"`{name}` in .* is no array"):
            read_array(tmp_path, name)


def test_what_is_compressed_is_unpacked_once(tmp_path: Path) -> None:
    array = np.arange(64, dtype=np.uint8).reshape(2, 32)
    write_array(tmp_path, "positions", array, compressed=True)
    write_array(tmp_path, "values", np.arange(2), compressed=True)
    write_array(tmp_path, "values", np.arange(3))

    unpack_arrays(tmp_path)
    assert (np.load(tmp_path / "positions.npy", mmap_mode="r") == array).all()
    assert 3 == len(read_array(tmp_path, "values"))
