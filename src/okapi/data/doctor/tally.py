"""Counting over samples, chunk by chunk: everything that the doctor says about them comes from here."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from okapi.core.keys import KeySet, position_keys
from okapi.core.packed import NO_VALUE
from okapi.core.traits import Trait, traits
from okapi.data.doctor.calibration import BINS, Calibration, Curve, bins
from okapi.data.doctor.views import Agreement, Evidence, Whose

__all__ = ["Tally", "evidence_of", "material"]

MATE_FROM = 31_000
"""Values from here to 32,000 are mates."""

HIGHEST = 32_000
PIECE = 3
"""Pawns that the side to move must be ahead, before material is evidence; and it must not be in check. A side that is
behind may be about to take back, and says nothing."""

BETTER = 150
"""Centipawns from which on a value says clearly who is better."""

RANDOM_MOVE = 1
"""The flag of a sample that a random move led to: the game's result says nothing about it."""

LONGEST = 600
"""Plies; later ones are counted here."""

PAWNS = np.array([1, -1, 3, -3, 3, -3, 5, -5, 9, -9, 0, 0, 5, -5, 0, 0], np.int8)
"""Of each code in POSITION."""

PAIRS = (PAWNS[np.arange(256) & 15] + PAWNS[np.arange(256) >> 4]).astype(np.int8)


def material(positions: NDArray[np.void]) -> NDArray[np.int16]:
    """How many pawns' worth the side to move is ahead: 1 3 3 5 9.

    >>> from okapi.core.packed import pack_fens
    >>> material(pack_fens(["4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 b - - 0 1"])).tolist()
    [5, -5]
    """
    empty = 32 - np.bitwise_count(positions["occupied"]).astype(np.int16)  # codes that are 0 stand for a white pawn
    white = PAIRS[positions["pieces"]].sum(axis=1, dtype=np.int16) - empty
    return np.asarray(np.where(positions["turn"] == 0, white, -white), np.int16)


def _two() -> NDArray[np.int64]:
    return np.zeros(2, np.int64)


@dataclass
class Opinions:
    """Rows on which two columns say who is better: whether they agree, by the side to move."""

    agree: NDArray[np.int64] = field(default_factory=_two)
    disagree: NDArray[np.int64] = field(default_factory=_two)

    def add(self, turn: NDArray[np.uint8], one: NDArray[np.int16], other: NDArray[np.int16]) -> None:
        """Both as numbers whose sign says who is better; 0 is no opinion."""
        product = np.sign(one) * np.sign(other)
        self.agree += np.bincount(turn[product > 0], minlength=2)[:2]
        self.disagree += np.bincount(turn[product < 0], minlength=2)[:2]

    def summary(self) -> Agreement:
        """As a record."""
        agree, disagree = self.agree.tolist(), self.disagree.tolist()
        return Agreement((agree[0], agree[1]), (disagree[0], disagree[1]))


@dataclass
class Tally:
    """What was counted so far."""

    rows: int = 0
    turns: NDArray[np.int64] = field(default_factory=_two)
    """Rows with White and with Black to move."""
    values: int = 0
    """Rows that have one."""
    zeros: int = 0
    mates: int = 0
    out_of_range: int = 0
    results: NDArray[np.int64] = field(default_factory=lambda: np.zeros(4, np.int64))
    """Unknown, lost, drawn, won, for the side to move."""
    odd_results: int = 0
    random_with_result: int = 0
    moves: int = 0
    """Rows that have one."""
    traits: dict[Trait, int] = field(default_factory=lambda: dict.fromkeys(Trait, 0))
    pieces: NDArray[np.int64] = field(default_factory=lambda: np.zeros(33, np.int64))
    plies: NDArray[np.int64] = field(default_factory=lambda: np.zeros(LONGEST + 1, np.int64))
    repeated: int = 0
    """Rows whose position stood in an earlier row."""
    value_and_material: Opinions = field(default_factory=Opinions)
    result_and_material: Opinions = field(default_factory=Opinions)
    value_and_result: Opinions = field(default_factory=Opinions)
    seen: KeySet = field(default_factory=KeySet)
    curve_count: NDArray[np.int64] = field(default_factory=lambda: np.zeros((2, BINS), np.int64))
    curve_points: NDArray[np.float64] = field(default_factory=lambda: np.zeros((2, BINS)))

    def add(self, samples: NDArray[np.void]) -> None:
        """Count these rows, too."""
        positions = samples["position"]
        found = traits(positions, samples["move"])
        self._add_positions(positions, samples["ply"])
        self._add_traits(found, samples["move"])
        whole = (found & Trait.BROKEN) == 0
        self._add_labels(samples[whole], (found[whole] & Trait.IN_CHECK) != 0)

    @property
    def calibration(self) -> Calibration:
        """Values against results."""
        white, black = (Curve(self.curve_count[turn], self.curve_points[turn]) for turn in (0, 1))
        return Calibration(white, black)

    def _add_positions(self, positions: NDArray[np.void], plies: NDArray[np.uint16]) -> None:
        self.rows += len(positions)
        self.turns += np.bincount(positions["turn"], minlength=2)[:2]
        self.pieces += np.bincount(np.bitwise_count(positions["occupied"]), minlength=33)[:33]
        self.plies += np.bincount(np.minimum(plies, LONGEST), minlength=LONGEST + 1)
        self.repeated += int((~self.seen.add(position_keys(positions))).sum())

    def _add_traits(self, found: NDArray[np.uint16], moves: NDArray[np.uint16]) -> None:
        self.moves += int((moves != 0).sum())
        for trait in Trait:
            self.traits[trait] += int(((found & trait) != 0).sum())

    def _add_labels(self, samples: NDArray[np.void], in_check: NDArray[np.bool_]) -> None:
        turn, values, results = samples["position"]["turn"], samples["value"], samples["result"]
        ahead = material(samples["position"])
        ahead[(ahead < PIECE) | in_check] = 0
        known = values != NO_VALUE
        extent = np.abs(values.astype(np.int32))
        self.values += int(known.sum())
        self.zeros += int((values == 0).sum())
        self.out_of_range += int((known & (extent > HIGHEST)).sum())
        self.mates += int(((extent >= MATE_FROM) & (extent <= HIGHEST)).sum())
        finished = (results >= 0) & (results <= 2)
        self.odd_results += int((~finished & (results != -1)).sum())
        self.results += np.bincount(np.where(finished, results, -1).astype(np.int64) + 1, minlength=4)
        random = (samples["flags"] & RANDOM_MOVE) != 0
        self.random_with_result += int((random & finished).sum())

        better = np.where(known & (extent <= HIGHEST), values, 0).astype(np.int16)
        won = np.where(finished & ~random, results.astype(np.int16) - 1, 0).astype(np.int16)
        self.value_and_material.add(turn, better, ahead)
        self.result_and_material.add(turn, won, ahead)
        self.value_and_result.add(turn, np.where(extent >= BETTER, better, 0), won)
        both = known & finished & ~random & (extent < MATE_FROM)
        cells = (turn[both].astype(np.int64), bins(values[both]))
        np.add.at(self.curve_count, cells, 1)
        np.add.at(self.curve_points, cells, results[both] / 2)


def evidence_of(tally: Tally) -> dict[str, Evidence]:
    """Whose view values and results are: by material, which cannot lie about its colour.

    Where such positions are too few, a column that is known to be right is a witness for the other.
    """
    found = {
        "value": Evidence("the side to move is a piece or more ahead", tally.value_and_material.summary()),
        "result": Evidence("the side to move is a piece or more ahead", tally.result_and_material.summary()),
    }
    for what, other, where in (("value", "result", "the game was decided"), ("result", "value", "the value is clear")):
        if found[what].agreement.view is Whose.UNKNOWN and found[other].agreement.view is Whose.MOVER:
            return found | {what: Evidence(where, tally.value_and_result.summary())}
    return found
