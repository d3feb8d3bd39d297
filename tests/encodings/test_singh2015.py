"""Planes, layers and labels of singh2015."""

import numpy as np
import pytest

from okapi import Position
from okapi.core.packed import pack, pack_fens
from okapi.encodings import ENCODINGS, move_labels, with_layers
from okapi.encodings.singh2015 import PLANES_6, PLANES_12
from okapi.errors import UsageError

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_the_first_figure() -> None:
    """Figure 2.2: pawn, rook, knight, bishop, queen, king of the initial position."""
    planes = ENCODINGS["planes-6"].encode(Position.start())

    assert [[1] * 8, [-1] * 8] == planes[0, [1, 6]].tolist()
    assert [[0, 7], [1, 6], [2, 5], [3], [4]] == [np.flatnonzero(plane[0]).tolist() for plane in planes[1:]]
    assert (planes[1:, 7] == -planes[1:, 0]).all()


def test_black_sees_the_board_as_white_would() -> None:
    mirrored = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    for planes in (PLANES_6, PLANES_12):
        black, white = planes.encode_many(pack_fens([AFTER_E4, mirrored]))

        assert (black == white).all()


def test_twelve_planes_are_six_taken_apart() -> None:
    array = pack_fens([AFTER_E4])
    six, twelve = PLANES_6.encode_many(array), PLANES_12.encode_many(array, np.int8)

    assert (six == twelve[:, 0::2] - twelve[:, 1::2]).all()
    assert twelve[0, 1, 4, 4] == 1, "alternate channels: own pawns, then enemy pawns"


def test_layers_come_in_the_order_of_the_thesis() -> None:
    array = pack_fens([AFTER_E4, AFTER_E4])

    planes = with_layers(PLANES_12, array, elo=[2000, 2400], elo_range=(2000, 2400), piece=[52, 62], outcome=[1, 0.5])

    assert (2, 15, 8, 8) == planes.shape
    assert [0, 1] == planes[:, 12].mean(axis=(1, 2)).tolist()
    assert [12, 6] == planes[:, 13].reshape(2, 64).argmax(axis=1).tolist(), "e7 and g8, as Black counts"
    assert [1, 1] == planes[:, 13].sum(axis=(1, 2)).tolist()
    assert [1, 0.5] == planes[:, 14].mean(axis=(1, 2)).tolist()
    assert (12, 8, 8) == with_layers(PLANES_12, array).shape[1:]


def test_an_elo_layer_needs_its_range() -> None:
    with pytest.raises(UsageError, match="lowest and highest"):
        with_layers(PLANES_6, pack_fens([AFTER_E4]), elo=[2000])


@pytest.mark.parametrize(
    ("fen", "move", "origin", "target", "piece"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Nf3", 6, 21, 2),
        (AFTER_E4, "Nf6", 6, 21, 2),
        (AFTER_E4, "e5", 12, 28, 0),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O", 4, 2, 5),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O", 4, 6, 5),
        ("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1", "O-O-O", 3, 2, 5),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=N", 48, 56, 0),
    ],
)
def test_labels(fen: str, move: str, origin: int, target: int, piece: int) -> None:
    position = Position.from_fen(fen)

    labels = move_labels(pack([position]), [position.move(move).bits])

    assert ([origin], [target], [piece]) == (
        labels.from_square.tolist(),
        labels.to_square.tolist(),
        labels.piece.tolist(),
    )
    assert [piece * 64 + target] == labels.piece_and_to.tolist()
