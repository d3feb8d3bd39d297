"""
What the thesis published: its tables, each with its number, and what its text says about figures and matches.

The text that we work from has lost the pictures, and the numbers of Table 3. Those here are as the version of the
thesis on arXiv (1509.01549) is known to have them, from memory and not compared with it.
"""

from dataclasses import dataclass
from typing import Final

__all__ = [
    "BOOTSTRAP_STS",
    "CORE_HOURS",
    "FEATURES",
    "MOST_POINTS",
    "MOST_SLOWER",
    "MOVE_NETWORK_NODES",
    "MOVE_NETWORK_TIME",
    "NAIVE_PROBABILITY",
    "PEAK_STS",
    "POSITIONS",
    "RATING",
    "SELF_PLAY_RATE",
    "TABLE_1",
    "TABLE_2",
    "TABLE_2_TOTAL",
    "TABLE_3",
    "TABLE_4",
    "TABLE_5",
    "TRAINED_STS",
    "Engine",
    "Gain",
    "Step",
]


@dataclass(frozen=True, slots=True)
class Step:
    """A row of Table 2: a move of self-play."""

    score: float
    change: float
    contribution: float
    """To the error of the first position, as it is printed."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A row of Table 3."""

    name: str
    rating: int
    nodes: int
    """Searched for a position, on average."""
    points: int
    """Of 15,000."""


@dataclass(frozen=True, slots=True)
class Gain:
    """Elo, and how far it may be off."""

    elo: float
    bound: float


FEATURES: Final = 363

TABLE_1: Final = {
    "Side to Move": "White",
    "White Long Castle": "No",
    "White Short Castle": "No",
    "Black Long Castle": "No",
    "Black Short Castle": "No",
    "White Queens": "1",
    "White Rooks": "2",
    "White Bishops": "1",
    "White Knights": "2",
    "White Pawns": "7",
    "Black Queens": "1",
    "Black Rooks": "2",
    "Black Bishops": "1",
    "Black Knights": "2",
    "Black Pawns": "7",
    "White Queen 1 Exists": "Yes",
    "White Queen 1 Position": "b7",
    "White Rook 1 Exists": "Yes",
    "White Rook 1 Position": "b1",
    "White Rook 2 Exists": "Yes",
    "White Rook 2 Position": "f1",
    "White Bishop 1 Exists": "Yes",
    "White Bishop 1 Position": "c1",
    "White Bishop 2 Exists": "No",
    "White Bishop 2 Position": "N/A",
}
"""The position itself, Figure 2, is lost."""

TABLE_2: Final = (
    Step(10, 0, 0),
    Step(20, 10, 7),
    Step(20, 0, 0),
    Step(20, 0, 0),
    Step(-10, -30, -7.2),
    Step(-10, 0, 0),
    Step(-10, 0, 0),
    Step(40, 50, 4.12),
    Step(40, 0, 0),
    Step(40, 0, 0),
    Step(40, 0, 0),
    Step(40, 0, 0),
)
TABLE_2_TOTAL: Final = 4.10
"""As it is printed; the contributions add up to 3.92."""

MOST_POINTS: Final = 15_000
"""Of the Strategic Test Suite: 1,500 positions, 10 points each."""

BOOTSTRAP_STS: Final = 6_000
TRAINED_STS: Final = 9_500
PEAK_STS: Final = 9_700
"""Figure 4, about: before, in the end, and at its best. It does not say how long the engine thought."""

POSITIONS: Final = 175_000_000
"""That training went through (section 4.3)."""
CORE_HOURS: Final = 72 * 20
"""72 hours on 20 cores (section 4.6)."""
SELF_PLAY_RATE: Final = POSITIONS / CORE_HOURS / 3600
"""Positions a second and core, which follows."""

TABLE_3: Final = (
    Engine("Giraffe (1s)", 2400, 258_570, 9_641),
    Engine("Giraffe (0.5s)", 2400, 119_843, 9_211),
    Engine("Giraffe (0.1s)", 2400, 24_134, 8_526),
    Engine("Stockfish 5", 3387, 108_540, 10_505),
    Engine("Senpai 1.0", 3096, 86_711, 9_414),
    Engine("Texel 1.04", 2995, 119_455, 8_494),
    Engine("Arasan 17.5", 2847, 79_442, 7_961),
    Engine("Scorpio 2.7.6", 2821, 139_143, 8_795),
    Engine("Crafty 24.0", 2801, 296_918, 8_541),
    Engine("GNU Chess 6 / Fruit 2.1", 2685, 58_552, 8_307),
    Engine("Sungorus 1.4", 2309, 145_069, 7_729),
)
"""0.1 s a position, but for Giraffe where it says so."""

NAIVE_PROBABILITY: Final = Gain(26, 12)
"""Naive probability-limited against naive depth-limited search (section 5.4)."""

TABLE_4: Final = (45.73, 15.95, 7.91, 5.18, 3.71, 3.00, 2.38, 1.77, 1.86, 1.35, 1.54, 9.62)
TABLE_5: Final = (28.37, 15.97, 11.03, 7.99, 5.94, 4.01, 3.59, 3.13, 2.86, 2.45, 1.99, 12.66)
"""Per cent of positions whose best move has rank 0, 1, … 10, or a worse one: of all, and of quiet ones."""

MOVE_NETWORK_NODES: Final = Gain(48, 12)
"""The move network against even probabilities, "with the negative effect on search speed excluded", 3,000 games."""
MOVE_NETWORK_TIME: Final = Gain(20, 12)
"""The same as it was used in the end: only where about 100 nodes or more lie below."""

RATING: Final = 2400
"""A FIDE International Master (abstract)."""
MOST_SLOWER: Final = 10
"""The best engines are less than so many times faster (section 7)."""
