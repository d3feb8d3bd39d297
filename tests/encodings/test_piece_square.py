"""Features for the NNUE."""

import numpy as np
import pytest
from numpy.typing import NDArray

from okapi import Position
from okapi.core.packed import pack, pack_fens
from okapi.encodings import FOUR_BUCKETS, PIECE_SQUARES, PieceSquare
from okapi.errors import UsageError

PLAIN = PieceSquare()
MIRRORED = PieceSquare(mirror=True)


def described(piece_square: PieceSquare, fen: str) -> list[list[str]]:
    indices = piece_square.indices(pack([Position.from_fen(fen)]))[0]
    return [[piece_square.describe(i) for i in view if i < piece_square.features] for view in indices.tolist()]


def test_each_side_sees_the_board_from_below() -> None:
    mover, opponent = described(PLAIN, "4k3/8/8/8/8/8/P7/4K3 b - - 0 1")

    assert ["enemy king e8", "enemy pawn a7", "own king e1"] == mover
    assert ["own king e1", "own pawn a2", "enemy king e8"] == opponent


def test_the_mirror_turns_files_by_the_own_king() -> None:
    white, black = described(MIRRORED, "1k6/8/8/8/8/8/P7/6K1 w - - 0 1")

    assert ["own king b1", "own pawn h2", "enemy king g8"] == white
    assert ["enemy king g8", "enemy pawn a7", "own king b1"] == black


def test_buckets_follow_the_own_king() -> None:
    piece_square = PieceSquare(mirror=True, buckets=FOUR_BUCKETS)
    white, black = described(piece_square, "8/8/8/4k3/8/8/8/6K1 w - - 0 1")

    assert ["own king b1, bucket 0", "enemy king d5, bucket 0"] == white
    assert ["enemy king b8, bucket 3", "own king d4, bucket 3"] == black


def test_dense_and_sparse_say_the_same(positions: NDArray[np.void]) -> None:
    sample = positions[::1000]
    for piece_square in PIECE_SQUARES.values():
        dense = piece_square.encoding.encode_many(sample)
        for n, views in enumerate(piece_square.indices(sample)):
            for view in range(2):
                there = sorted(views[view][views[view] < piece_square.features])

                assert there == np.flatnonzero(dense[n, view]).tolist()


def test_a_mirrored_position_looks_the_same() -> None:
    left, right = pack_fens(["1k6/8/8/3p4/8/8/8/1K6 w - - 0 1", "6k1/8/8/4p3/8/8/8/6K1 w - - 0 1"])

    assert sorted(MIRRORED.indices(np.array([left]))[0, 0]) == sorted(MIRRORED.indices(np.array([right]))[0, 0])


def test_options_have_names() -> None:
    assert ["piece-square", "piece-square-mirrored", "piece-square-mirrored-4"] == list(PIECE_SQUARES)


def test_nonsense_is_refused() -> None:
    with pytest.raises(UsageError, match="64 numbers"):
        PieceSquare(buckets=(0, 1))
    with pytest.raises(UsageError, match="no feature 768"):
        PLAIN.describe(768)
