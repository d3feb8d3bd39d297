"""Planes, layers and labels of singh2015."""

import numpy as np
import pytest

from okapi import Position
from okapi.core.packed import pack, pack_fens, random_positions
from okapi.encodings import ENCODINGS, Known, encode_known, find_encoding, move_labels, with_layers
from okapi.encodings.singh2015 import PLANES_6, PLANES_12
from okapi.errors import NotFound, UsageError

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


class TestNamesWithLayers:
    def test_they_say_what_is_known(self) -> None:
        positions = pack_fens([AFTER_E4, Position.start().fen()])
        seen = encode_known(
            find_encoding("planes-6+elo+piece+outcome"), positions, Known(elo=[2000, 2900], piece=[52, 12], outcome=0)
        )

        np.testing.assert_array_equal(PLANES_6.in_numpy(positions), seen[:, :6])
        assert [0, 1] == seen[:, 6].mean(axis=(1, 2)).tolist()
        assert [12, 12] == seen[:, 7].reshape(2, 64).argmax(axis=1).tolist()
        assert 2 == seen[:, 7].sum()
        assert 0 == seen[:, 8].sum()

    @pytest.mark.parametrize("name", ["planes-12+elo", "planes-18+elo+outcome", "planes-6+piece", "bitmap-12x8x8+elo"])
    def test_what_is_not_known_has_a_default(self, name: str) -> None:
        positions = random_positions(50, seed=7)
        encoding = find_encoding(name)

        np.testing.assert_array_equal(encoding.in_numpy(positions), encoding.encode_many(positions, threads=2))
        np.testing.assert_array_equal(encoding.in_numpy(positions), encode_known(encoding, positions, Known()))
        assert (*encoding.shape[:1], name) == (len(encoding.parts), encoding.name)

    @pytest.mark.parametrize(
        "name", ["planes-12+", "planes-12+piece+elo", "planes-12+elo+elo", "vector-64+elo", "x+elo"]
    )
    def test_names_that_are_none(self, name: str) -> None:
        with pytest.raises(NotFound, match="no encoding named"):
            find_encoding(name)
