"""The boards of the thesis' sample moves and evaluations.

Its pictures are lost; boards.toml says where each board is from.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from okapi.core import Position
from okapi.papers.singh2015.headlines import PUBLISHED


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A sample move: section 3.4."""

    key: str
    figure: str
    title: str
    fen: str
    move: str
    """The one that the thesis expected."""
    theirs: Mapping[str, float]
    """Probabilities that the thesis states: of origin squares, and of whole moves."""
    source: str
    """Where the board is from."""

    @property
    def position(self) -> Position:
        return Position.from_fen(self.fen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """A board whose successors V evaluates: section 3.5."""

    key: str
    figure: str
    title: str
    fen: str
    best: str
    """The move whose board has the highest V in the thesis."""
    theirs: Mapping[str, float]
    """V of the boards after the two best moves, where the thesis states it."""
    source: str
    """Where the board is from."""


BOARDS: Final = tomllib.loads(Path(__file__).with_name("boards.toml").read_text(encoding="utf-8"))
MATE, CHECK, EN_PASSANT, CASTLING, SOCHI, QUEEN = BOARDS["fens"].values()


def _described(row: dict[str, Any]) -> dict[str, Any]:
    """With the board, and what the thesis states in one of its figures or tables."""
    return {**row, "fen": BOARDS["fens"][row["fen"]], "theirs": PUBLISHED.get(row.get("theirs", ""), {})}


CASES: Final = tuple(Case(**_described(row)) for row in BOARDS["cases"])
EVALUATED: Final = tuple(Evaluated(**_described(row)) for row in BOARDS["evaluated"])
