"""The view of lai2015's Table 1: a position in Giraffe's features, for people. Read back from the 363 numbers."""

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color, Kind, Position
from okapi.encodings.boards import SQUARES
from okapi.encodings.lai2015 import GIRAFFE_363, USUAL

__all__ = ["SLOTS", "inspect", "table_1"]

SLOTS: Final = tuple(
    f"{color.name.title()} {kind.name.title()} {n + 1}"
    for color in Color
    for kind, usual in USUAL.items()
    for n in range(usual)
)
"""The slots of the piece list, in the order of Table 1."""


def inspect(position: Position) -> dict[str, str]:
    """Table 1 of a position.

    >>> table = inspect(Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    >>> table["Side to Move"], table["White Short Castle"], table["White Rook 1 Exists"], table["White Rook 2 Position"]
    ('White', 'Yes', 'No', 'h1')
    """
    return table_1(GIRAFFE_363.encode(position))


def table_1(values: NDArray[np.float32]) -> dict[str, str]:
    """Features with their values, in the thesis' order; mobility, attack and defend maps are left out there, too."""
    return dict(_rows(dict(zip(GIRAFFE_363.parts, values.tolist(), strict=True))))


def _rows(values: dict[str, float]) -> Iterator[tuple[str, str]]:
    yield "Side to Move", "White" if values["Side to Move"] else "Black"
    for color in Color:
        for castle in ("Long Castle", "Short Castle"):
            name = f"{color.name.title()} {castle}"
            yield name, _yes_or_no(values[name])
    for color in Color:
        for kind, usual in USUAL.items():
            name = f"{color.name.title()} {kind.name.title()}s"
            yield name, str(round(values[name] * usual))
    for color in Color:
        name = f"{color.name.title()} {Kind.KING.name.title()}"
        yield f"{name} Position", _square(values, name)
    for slot in SLOTS:
        exists = values[f"{slot} Exists"]
        yield f"{slot} Exists", _yes_or_no(exists)
        yield f"{slot} Position", _square(values, slot) if exists else "N/A"


def _yes_or_no(value: float) -> str:
    return "Yes" if value else "No"


def _square(values: dict[str, float], name: str) -> str:
    return SQUARES[round(values[f"{name} X"] * 7) + 8 * round(values[f"{name} Y"] * 7)]
