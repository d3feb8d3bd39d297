"""Network files of Stockfish are read and written byte for byte; others are refused with a reason."""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from random_nnue import random_nnue

from okapi.errors import InvalidBrain
from okapi.formats.nnue_file import NnueFile


@pytest.fixture(scope="module")
def content() -> bytes:
    return random_nnue().to_bytes()


def test_every_array_is_read_as_it_was_written(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "made.nnue").write_bytes(content)
    read, made = NnueFile.open(tmp_path / "made.nnue"), random_nnue()
    assert content == read.to_bytes()
    assert len(content) == 12 + 6 + 4 + 2 * 1024 + 22528 * (2 * 1024 + 4 * 8) + 8 * 17640
    for each in fields(NnueFile)[1:]:
        assert np.array_equal(getattr(made, each.name), getattr(read, each.name)), each.name


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda content: b"MZ" + content[2:], "no network file"),
        (lambda content: content[:4] + b"\0\0\0\0" + content[8:], "another architecture"),
        (lambda content: content[:5], "no network file"),
        (lambda content: content[:-1], "cut off"),
        (lambda content: content + b"\0", "1 bytes too many"),
    ],
)
def test_a_damaged_file_is_not_read(content: bytes, tmp_path: Path, change, reason: str) -> None:
    (tmp_path / "bad.nnue").write_bytes(change(content))
    with pytest.raises(InvalidBrain, match=reason):
        NnueFile.open(tmp_path / "bad.nnue")
