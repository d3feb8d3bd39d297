"""Positions in bulk: the same bytes in numpy and in C++, and none that do harm."""

import random

import numpy as np
import pytest

from okapi import Position
from okapi.core import _core, random_openings
from okapi.core.packed import NO_SQUARE, POSITION, SAMPLE, fens, pack, pack_fens, rows, unpack
from okapi.errors import InvalidFen, InvalidPosition


def layout(dtype: np.dtype[np.void]) -> list[tuple[str, int]]:
    assert dtype.names is not None and dtype.fields is not None
    return [*((name, dtype.fields[name][1]) for name in dtype.names), ("", dtype.itemsize)]


def test_numpy_and_cpp_mean_the_same_bytes() -> None:
    assert _core.position_layout() == layout(POSITION)
    assert _core.sample_layout() == layout(SAMPLE)


def test_a_position_is_what_its_fields_say() -> None:
    row = pack_fens(["rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 3 2"])[0]

    assert 42 == row["en_passant"]
    assert (0, 3, 2) == (row["turn"], row["halfmove_clock"], row["fullmove_number"])
    assert 0x2C == row["pieces"][0]  # a rook to castle with on a1, a knight on b1


def test_positions_come_back() -> None:
    positions = [*random_openings(50, seed=1), Position.from_fen("4k3/8/8/8/8/8/8/4KR1R w F - 0 1")]

    array = pack(positions)

    assert [position.fen() for position in positions] == fens(array)
    assert positions == [unpack(row) for row in array]
    assert (array == pack_fens(fens(array))).all()


def test_positions_inside_samples_are_read_in_place() -> None:
    samples = np.zeros(4, SAMPLE)
    samples["position"] = pack(random_openings(4, seed=2))

    assert np.shares_memory(samples, rows(samples["position"]))
    assert fens(samples["position"])[::-1] == fens(samples["position"][::-1])
    assert unpack(samples[1]["position"]).fen() == fens(samples["position"])[1]


def test_an_error_names_the_fen_that_is_wrong() -> None:
    with pytest.raises(InvalidFen, match=r"^number 2: the side to move"):
        pack_fens(["4k3/8/8/8/8/8/8/4K3 w", "4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 x"])


def test_an_error_names_the_row_that_is_wrong() -> None:
    array = pack(random_openings(3, seed=3))
    array["en_passant"][1] = 12

    with pytest.raises(InvalidPosition, match=r"^number 1: "):
        fens(array)


def test_no_bytes_do_harm() -> None:
    rng = random.Random(4)
    refused = 0
    for _ in range(2000):
        try:
            assert isinstance(unpack(np.frombuffer(rng.randbytes(32), POSITION)[0]), Position)
        except InvalidPosition:
            refused += 1

    assert refused > 1990


def test_what_is_no_array_of_positions_is_refused() -> None:
    for wrong in (np.zeros(3, SAMPLE), np.zeros((2, 2), POSITION), np.zeros((3, 32), np.uint8)):
        with pytest.raises(TypeError, match="expected an array of POSITION"):
            fens(wrong)


def test_nothing_is_packed_into_nothing() -> None:
    assert [] == fens(pack([]))
    assert NO_SQUARE == pack([Position.start()])["en_passant"][0]
