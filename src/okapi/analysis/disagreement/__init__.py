"""Where judges of positions disagree: brains with each other, or a brain with its teacher."""

from okapi.analysis.disagreement.apart import Compared, Gap, Judge, Pair, compare, gap, most_apart
from okapi.analysis.disagreement.chosen import chosen_positions, own_positions, quiet_ones
from okapi.analysis.disagreement.kinds import KINDS, PositionKind, kinds_of
from okapi.analysis.disagreement.listed import DISAGREEMENTS, Disagreement, Listed, list_disagreements

__all__ = [
    "DISAGREEMENTS",
    "KINDS",
    "Compared",
    "Disagreement",
    "Gap",
    "Judge",
    "Listed",
    "Pair",
    "PositionKind",
    "chosen_positions",
    "compare",
    "gap",
    "kinds_of",
    "list_disagreements",
    "most_apart",
    "own_positions",
    "quiet_ones",
]
