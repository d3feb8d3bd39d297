"""Values and results at the border: whose they are, in which unit, and how files write them.

Inside okapi a sample's value is in centipawns for the side to move, mate in n moves is 32000 - n, and its result is 0,
1 or 2 for the side to move. Files differ in all of that, and "wrong signs" is what people who train networks complain
about most; so everything that turns a sign or a unit stands here.
"""

import re
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core.packed import NO_VALUE
from okapi.core.samples import MATE

__all__ = [
    "NO_RESULT",
    "RESULTS",
    "View",
    "for_white",
    "from_engine",
    "is_black_to_move",
    "parse_result",
    "parse_value",
    "results_for_white",
    "to_engine",
]

NO_RESULT: Final = -1

RESULTS: Final = ("0-1", "1/2-1/2", "1-0")
"""Of White: lost, drawn, won."""

LARGEST: Final = 30000
"""A value that is no mate; more is cut down to it."""

NEAR_MATE: Final = 31000
"""From here on a value is a mate, and no unit changes it."""

ENGINE_MATE: Final = 32000
ENGINE_LONGEST: Final = 246
"""Stockfish counts half-moves: mate in n of them is 32000 - n, and it looks no further ahead than this."""

ENGINE_NONE: Final = 32002
"""Stockfish's way to say that it has no value."""

MATE_TEXT: Final = re.compile(r"([+-]?)[#M]([+-]?)(\d+)")


class View(StrEnum):
    """Whose value or result a file tells."""

    WHITE = "white"
    MOVER = "mover"


def is_black_to_move(fen: str) -> bool:
    """The side to move, without reading the rest of the FEN."""
    return fen.split(" ", 2)[1:2] == ["b"]


def for_white(values: NDArray[np.int16], turns: NDArray[np.uint8]) -> NDArray[np.int16]:
    """Values of the side to move as White's; NO_VALUE stays what it is."""
    return np.where((turns == 1) & (values != NO_VALUE), -values, values)


def results_for_white(results: NDArray[np.int8], turns: NDArray[np.uint8]) -> NDArray[np.int8]:
    """The same of results."""
    return np.where((turns == 1) & (results >= 0), 2 - results, results).astype(np.int8)


def parse_value(text: str, *, view: View, black: bool, scale: float = 1.0) -> int:
    """The value for the side to move that a text such as 35, -112, +0.5, #3, -M2 means. ValueError if it means none.

    >>> parse_value("-150", view=View.WHITE, black=True), parse_value("#-3", view=View.MOVER, black=True)
    (150, -31997)
    """
    if (mate := MATE_TEXT.fullmatch(text)) is not None:
        loses = "-" in (mate[1], mate[2])
        moves = min(int(mate[3]), MATE - NEAR_MATE - 1)
        if moves == 0 and not loses:
            return NO_VALUE  # somebody is mated, but the text does not say who
        value = moves - MATE if loses else MATE - moves
    else:
        value = _scaled(float(text), scale)
    return -value if view is View.WHITE and black and value != NO_VALUE else value


def _scaled(number: float, scale: float) -> int:
    if abs(number) > MATE:
        return NO_VALUE
    if abs(number) >= NEAR_MATE:
        return round(number)
    return max(-LARGEST, min(LARGEST, round(number * scale)))


def parse_result(text: str, *, view: View, black: bool, signed: bool = False) -> int:
    """The result for the side to move: 0 lost, 1 drawn, 2 won, NO_RESULT if the text says nothing.

    1-0, 0-1 and 1/2-1/2 are White's whatever the view. Numbers are points (0, 0.5, 1), or, signed, -1, 0, 1.

    >>> parse_result("1-0", view=View.MOVER, black=True), parse_result("0.5", view=View.WHITE, black=True)
    (0, 1)
    >>> parse_result("-1", view=View.MOVER, black=True, signed=True)
    0
    """
    if text in ("", "-", "*", "?"):
        return NO_RESULT
    if text in RESULTS or text == "1/2":
        result, view = RESULTS.index(text) if text in RESULTS else 1, View.WHITE
    else:
        number = float(text)
        result = round(number) + 1 if signed else round(2 * number)
        if result not in (0, 1, 2) or (number + 1 if signed else 2 * number) != result:
            raise ValueError(f"the result is {text!r}")
    return 2 - result if view is View.WHITE and black else result


def from_engine(scores: NDArray[np.int16], scale: float) -> NDArray[np.int16]:
    """Values from an engine's own numbers, as .plain and .binpack hold them.

    >>> from_engine(np.array([100, 31999, -31998, 32002], np.int16), 0.5).tolist() == [50, 31999, -31999, NO_VALUE]
    True
    """
    wide = scores.astype(np.int32)
    size = np.abs(wide)
    values = np.clip(np.rint(wide * scale), -LARGEST, LARGEST).astype(np.int32)
    moves = (ENGINE_MATE - size + 1) // 2
    values = np.where(size >= ENGINE_MATE - ENGINE_LONGEST, np.sign(wide) * (MATE - moves), values)
    return np.where(size > ENGINE_MATE, NO_VALUE, values).astype(np.int16)


def to_engine(values: NDArray[np.int16], scale: float) -> NDArray[np.int16]:
    """The way back."""
    wide = values.astype(np.int32)
    size = np.abs(wide)
    plies = np.minimum(2 * (MATE - size) - (wide > 0), ENGINE_LONGEST)
    scores = np.clip(np.rint(wide / scale), -LARGEST, LARGEST).astype(np.int32)
    scores = np.where(size >= NEAR_MATE, np.sign(wide) * (ENGINE_MATE - plies), scores)
    return np.where(wide == NO_VALUE, ENGINE_NONE, scores).astype(np.int16)
