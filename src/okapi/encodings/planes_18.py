"""planes-18: everything a FEN says but its counters, as images of the board for our own convolutional networks.

The planes of singh2015 do not say who may castle, where a pawn may be taken in passing, or whose side is shown; a value
that is learned for White needs the last.
"""

from typing import Final

import numpy as np

from okapi.core import Color
from okapi.encodings.boards import castling_rights
from okapi.encodings.encoding import Encoding, Numbers, Positions, native
from okapi.encodings.singh2015 import PLANES_12, planes_12

__all__ = ["PLANES_18"]


def planes_18(positions: Positions) -> Numbers:
    """planes-12, four planes for castling, one for en passant, one for White."""
    white = positions["turn"] == Color.WHITE.value
    rights = [castling_rights(positions, color) for color in Color]
    castling = [
        np.where(white, rights[mine][wing], rights[1 - mine][wing]) for mine in (0, 1) for wing in (0, 1)
    ]  # the mover's towards h, towards a; the opponent's
    squares = np.where(white, positions["en_passant"], positions["en_passant"] ^ 56)[:, np.newaxis]
    passing = (np.arange(64) == squares).reshape(-1, 1, 8, 8)
    whole = np.broadcast_to(np.stack([*castling, white], axis=1)[:, :, np.newaxis, np.newaxis], (len(white), 5, 8, 8))
    return np.concatenate([planes_12(positions), whole[:, :4], passing, whole[:, 4:]], axis=1).astype(np.uint8)


PLANES_18: Final = Encoding(
    name="planes-18",
    source="ours",
    summary="planes-12, castling rights, en passant, and whether the mover is White",
    shape=(18, 8, 8),
    dtype=np.dtype(np.uint8),
    parts=(
        *PLANES_12.parts,
        *(f"{whose} castling towards {file}" for whose in ("own", "enemy") for file in "ha"),
        "en passant",
        "White to move",
    ),
    in_numpy=planes_18,
    in_cpp=native("planes-18"),
)
