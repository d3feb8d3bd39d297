"""The boards of the sample moves and evaluations; the thesis' are lost, and boards.toml says where each is from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from okapi.core import Position
from okapi.papers.published import read_toml
from okapi.papers.singh2015.headlines import PUBLISHED


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A board of the thesis, whose moves are predicted (section 3.4) or whose successors V evaluates (section 3.5)."""

    key: str
    figure: str
    title: str
    fen: str
    move: str
    """The one that the thesis expected, or whose board has the highest V in it."""
    theirs: Mapping[str, float]
    """What the thesis states: probabilities of origin squares and of whole moves, or V after the two best moves."""
    source: str
    """Where the board is from."""

    @property
    def position(self) -> Position:
        return Position.from_fen(self.fen)


BOARDS: Final = read_toml("singh2015", "boards")
FENS: Final = BOARDS["fens"]
MATE, CHECK, EN_PASSANT, CASTLING, SOCHI, QUEEN = FENS.values()

CASES, EVALUATED = (
    tuple(
        Case(**{**row, "fen": FENS[row["fen"]], "theirs": PUBLISHED.get(row.get("theirs", ""), {})})
        for row in BOARDS[kind]
    )
    for kind in ("cases", "evaluated")
)
