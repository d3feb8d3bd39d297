"""vector-64 and vector-65: one number for each square, and the piece differential.

J. Sheehan, Neural Networks for Chess State Evaluation, 2016, sections 3 and 4.
"""

from typing import Final

import numpy as np

from okapi.core import Color, Kind
from okapi.encodings.boards import EMPTY, SQUARES, code, piece_codes
from okapi.encodings.encoding import Encoding, Numbers, Positions

WORTH: Final = (1, 3, 3, 5, 9, 0)  # table 1, from the pawn on; a king's is infinite there, which makes no difference


def vector_64(positions: Positions) -> Numbers:
    """Pieces are integers from 1 to 6, and adding 6 to the black values distinguishes the colours (Figure 3)."""
    codes = piece_codes(positions)
    kind, black = codes >> 1, codes & 1
    return np.where(codes == EMPTY, 0, 1 + kind + 6 * black).astype(np.uint8)


def vector_65(positions: Positions) -> Numbers:
    """The sum of the values of black's pieces, subtracted from the sum of white's, is the 65th value (section 4.4)."""
    codes = piece_codes(positions)
    differential = sum(
        worth * ((codes == code(Color.WHITE, kind)).sum(axis=1) - (codes == code(Color.BLACK, kind)).sum(axis=1))
        for kind, worth in zip(Kind, WORTH, strict=True)
    )
    return np.column_stack([vector_64(positions), differential]).astype(np.int8)


VECTOR_64: Final = Encoding(
    name="vector-64",
    source="sheehan2016 §4",
    summary="a number from 0 to 12 for each square",
    parts=SQUARES,
    in_numpy=vector_64,
)

VECTOR_65: Final = Encoding(
    name="vector-65",
    source="sheehan2016 §4.4",
    summary="the same, and White's material less Black's",
    parts=(*SQUARES, "piece differential"),
    in_numpy=vector_65,
)
