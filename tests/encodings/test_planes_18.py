"""What planes-18 says beyond planes-12."""

import numpy as np

from okapi.core import Position
from okapi.core.packed import pack_fens
from okapi.encodings.singh2015 import PLANES_12, PLANES_18


def test_rights_passing_and_colour_are_the_movers() -> None:
    fen = "r3k2r/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/R3K2R b Kq d3 0 1"

    planes = PLANES_18.encode(Position.from_fen(fen))

    assert PLANES_12.encode(Position.from_fen(fen)).tolist() == planes[:12].tolist()
    # Black may castle towards a, White towards h; the pawn on d4 can be taken on d3, which Black sees as d6.
    assert [0, 64, 64, 0, 1, 0] == planes[12:].sum(axis=(1, 2)).tolist()
    assert 1 == planes[16, 5, 3]


def test_a_position_and_its_opposite_differ_in_the_colour_only() -> None:
    white, black = PLANES_18.encode_many(
        pack_fens(["4k3/8/8/3Pp3/8/8/8/R3K3 w Q e6 0 2", "r3k3/8/8/8/3pP3/8/8/4K3 b q e3 0 2"])
    )

    np.testing.assert_array_equal(white[:17], black[:17])
    assert (64, 0) == (white[17].sum(), black[17].sum())
