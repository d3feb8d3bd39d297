"""The boards of the thesis' sample moves and evaluations.

Its pictures are lost. Each board here fits what its caption and the text around it say; only that of the sixth game of
Carlsen against Anand is known to be the thesis' own, since the game was published.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

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


MATE: Final = "6k1/5ppp/p7/1p6/8/1r6/3R1PPP/6K1 w - - 0 1"
CHECK: Final = "8/8/4p3/4Pp2/5P2/6k1/7p/6K1 w - - 0 50"
EN_PASSANT: Final = "rnbqkbnr/ppp2ppp/4p3/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"
CASTLING: Final = "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5"
SOCHI: Final = "6rr/1k3p2/1pb1p1np/p1p1P2R/2P3R1/2P1B3/P1BK1PP1/8 b - - 5 26"
QUEEN: Final = "rnb1kbnr/ppp2ppp/4p3/3q4/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 4"

CASES: Final = (
    Case(
        key="mate",
        figure="3.6",
        title="Mate in one",
        fen=MATE,
        move="d2d8",
        theirs=PUBLISHED.figure_3_6,
        source="chosen; the caption says that Black's king is trapped in the last row and that the rook on d2 mates "
        "on d8",
    ),
    Case(
        key="check",
        figure="3.7",
        title="A check, and a promotion to stop",
        fen=CHECK,
        move="g1h1",
        theirs=PUBLISHED.figure_3_7,
        source="chosen; the caption mentions the king on g1 and the pawn on h2, which gives check and wants to promote",
    ),
    Case(
        key="en_passant",
        figure="3.8",
        title="En passant",
        fen=EN_PASSANT,
        move="e5d6",
        theirs={},
        source="chosen; the caption says that Black's d-pawn just moved two squares, past a pawn on e5; here the game "
        "began 1 e4 e6 2 e5 d5",
    ),
    Case(
        key="castling",
        figure="3.9",
        title="Castling",
        fen=CASTLING,
        move="e1g1",
        theirs=PUBLISHED.figure_3_9,
        source="chosen; the caption says that White may castle to g1; here the game began 1 e4 e5 2 Nf3 Nc6 3 Bb5 a6 "
        "4 Ba4 Nf6",
    ),
    Case(
        key="sochi",
        figure="3.10",
        title="Carlsen against Anand, Sochi 2014, sixth game, after 26 Kd2",
        fen=SOCHI,
        move="g6e5",
        theirs=PUBLISHED.table_3_5,
        source="the game as it was played; all moves of Table 3.5 are legal there",
    ),
)

EVALUATED: Final = (
    Evaluated(
        key="queen",
        figure="3.11",
        title="A knight may take a queen",
        fen=QUEEN,
        best="c3d5",
        theirs=PUBLISHED.figure_3_11,
    ),
    Evaluated(key="mate", figure="3.12", title="Mate in one", fen=MATE, best="d2d8", theirs=PUBLISHED.figure_3_12),
    Evaluated(key="check", figure="3.13", title="A check, and a promotion to stop", fen=CHECK, best="g1h2", theirs={}),
)
"""The board of Figure 3.12 is that of Figure 3.6: the thesis prints d2a8, which no piece can play, for d2d8.

In Figure 3.13 the king takes a pawn that is guarded: the thesis evaluates boards after such illegal moves, too.
"""
