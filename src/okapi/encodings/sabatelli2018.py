"""bitmap-768 and algebraic-768: a channel for each of the twelve pieces, flat for perceptrons or as images.

Sabatelli, Bidoia, Codreanu, Wiering, Learning to Evaluate Chess Positions with Deep Neural Networks, 2018, section 3.1.
"""

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np

from okapi.core import Color, Kind
from okapi.encodings.boards import SQUARES, code, piece_codes
from okapi.encodings.encoding import Encoding, Numbers, Positions

STRENGTH: Final = (1, 3, 3, 5, 9, 10)  # pawns 1, bishops and knights 3, rooks 5, queens 9 and kings 10
CHANNELS: Final = tuple(f"{color.name.lower()} {kind.name.lower()}" for color in Color for kind in Kind)


def signed(positions: Positions, *, worth: tuple[int, ...]) -> Numbers:
    """A piece's worth where it belongs to the player who should move, negated where to the opponent, 0 elsewhere."""
    codes = piece_codes(positions)
    turn = positions["turn"][:, np.newaxis]
    channels = [
        (codes == code(color, kind)) * np.where(turn == color.value, value, -value)
        for color in Color
        for kind, value in zip(Kind, worth, strict=True)
    ]
    return np.concatenate(channels, axis=1).astype(np.int8)


def _as_images(positions: Positions, *, flat: Encoding) -> Numbers:
    return flat.in_numpy(positions).reshape(-1, 12, 8, 8)


def _image(flat: Encoding, name: str) -> Encoding:
    summary, in_numpy = f"{flat.summary}, as 12 planes", partial(_as_images, flat=flat)
    return replace(flat, name=name, summary=summary, parts=CHANNELS, in_numpy=in_numpy, in_cpp=flat.write_rows)


BITMAP_768: Final = Encoding(
    name="bitmap-768",
    source="sabatelli2018 §3.1",
    summary="12 pieces x 64 squares: 1 the mover's, -1 the opponent's",
    parts=tuple(f"{channel} {square}" for channel in CHANNELS for square in SQUARES),
    in_numpy=partial(signed, worth=(1, 1, 1, 1, 1, 1)),
)

ALGEBRAIC_768: Final = replace(
    BITMAP_768,
    name="algebraic-768",
    summary="12 pieces x 64 squares: their worth, negative for the opponent's",
    in_numpy=partial(signed, worth=STRENGTH),
)

BITMAP_IMAGE: Final = _image(BITMAP_768, "bitmap-12x8x8")
ALGEBRAIC_IMAGE: Final = _image(ALGEBRAIC_768, "algebraic-12x8x8")
