"""Counts over samples, chunk by chunk: points of view, calibration of values against results, shares of everything."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from okapi.brains.output import expected_scores
from okapi.core.keys import KeySet, position_keys
from okapi.core.packed import NO_VALUE, Trait, traits
from okapi.data.samples import RANDOM_MOVE

# --- The point of view of values and results --------------------------------------------------------------------------

ENOUGH, OVERWHELMING = 50, 200  # rows of each colour that are needed for an answer, and to flip signs

CLEAR, OVERWHELMINGLY_CLEAR = 0.7, 0.8
"""Shares of rows that must agree or disagree. Not all agree in correct data: the side that is a piece ahead may be
about to lose it."""


class PointOfView(StrEnum):
    """The side for which a positive number is good."""

    MOVER = "mover"  # the side to move: correct
    WHITE = "white"
    BLACK = "black"
    OPPONENT = "opponent"  # the side that is not to move
    UNKNOWN = "unknown"  # too few rows, or no clear answer


SIGNS: Final = dict(zip([(1, 1), (1, -1), (-1, 1), (-1, -1)], PointOfView, strict=False))
"""The view of a column by whether its signs are right, 1, or wrong, -1, with White to move and with Black to move."""

WRONG_TURNS: Final = {PointOfView.WHITE: (1,), PointOfView.BLACK: (0,), PointOfView.OPPONENT: (0, 1)}
"""The sides to move, 0 for White, whose signs are wrong in a column of that view."""


def flipped(view: PointOfView, turn: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which rows need their sign flipped, if a column was written from this point of view."""
    return np.isin(turn, WRONG_TURNS.get(view, ()))


@dataclass(slots=True)
class ColumnAgreement:
    """How often two columns agree about which side is better; [0] White to move, [1] Black to move."""

    agree: list[int] = field(default_factory=lambda: [0, 0])
    disagree: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, turn: NDArray[np.uint8], one: NDArray[np.int16], other: NDArray[np.int16]) -> None:
        """The sign of a number says which side is better; 0 is undecided."""
        product = np.sign(one) * np.sign(other)
        for side in (0, 1):
            self.agree[side] += int((product[turn == side] > 0).sum())
            self.disagree[side] += int((product[turn == side] < 0).sum())

    @property
    def rows(self) -> tuple[int, int]:
        """Rows on which both columns are decided, by side to move."""
        return self.agree[0] + self.disagree[0], self.agree[1] + self.disagree[1]

    @property
    def shares(self) -> list[float]:
        """Of these rows, how many agree."""
        return [agree / max(1, rows) for agree, rows in zip(self.agree, self.rows, strict=True)]

    @property
    def view(self) -> PointOfView:
        """The point of view of one column, if the other is right."""
        return self._view(ENOUGH, CLEAR)

    @property
    def certain_view(self) -> PointOfView:
        """The same; unknown, unless the evidence is strong enough to flip signs without asking."""
        return self._view(OVERWHELMING, OVERWHELMINGLY_CLEAR)

    def _view(self, enough: int, clear: float) -> PointOfView:
        white, black = ((share >= clear) - (share <= 1 - clear) for share in self.shares)
        return SIGNS.get((white, black), PointOfView.UNKNOWN) if min(self.rows) >= enough else PointOfView.UNKNOWN


# --- Calibration: values against results ------------------------------------------------------------------------------

BIN, REACH = 50, 1500  # centipawns; values beyond the last count as this
BINS = 2 * REACH // BIN + 1
FEWEST = 20  # rows that a bin needs to be shown
STEEPEST = np.log(10) / 20  # a scale of 20 centipawns for ten to one: steeper than any real scale


def bins(values: NDArray[np.int16]) -> NDArray[np.int64]:
    """The bin of each value."""
    return np.rint(np.clip(values, -REACH, REACH) / BIN).astype(np.int64) + BINS // 2


@dataclass(slots=True)
class CalibrationCurve:
    """Bins of values, with the results that followed."""

    count: NDArray[np.int64] = field(default_factory=lambda: np.zeros(BINS, np.int64))
    points: NDArray[np.float64] = field(default_factory=lambda: np.zeros(BINS))  # 0 lost, ½ drawn, 1 won

    def add(self, values: NDArray[np.int16], results: NDArray[np.int8]) -> None:
        cells = bins(values)
        self.count += np.bincount(cells, minlength=BINS)
        self.points += np.bincount(cells, results / 2, BINS)

    def __add__(self, other: "CalibrationCurve") -> "CalibrationCurve":
        return CalibrationCurve(self.count + other.count, self.points + other.points)

    def bins(self) -> Iterator[tuple[int, int, float]]:
        """Value, rows and mean result of each bin with enough rows."""
        for index in np.flatnonzero(self.count >= FEWEST):
            value = (int(index) - BINS // 2) * BIN
            yield value, int(self.count[index]), float(self.points[index] / self.count[index])

    @property
    def scale(self) -> float | None:
        """Centipawns for odds of ten to one, by maximum likelihood; below 0 for flipped signs, None if unclear."""
        count, points = self.count[1:-1], self.points[1:-1]  # values beyond REACH are unknown
        values = (np.arange(1, BINS - 1) - BINS // 2) * float(BIN)
        if count.sum() < FEWEST:
            return None
        low, high = -STEEPEST, STEEPEST
        for _ in range(60):
            slope = (low + high) / 2
            # The derivative of the likelihood decreases with the slope; at 0, the likelihood is highest.
            excess = float((values * (points - count / (1 + np.exp(-slope * values)))).sum())
            low, high = (slope, high) if excess > 0 else (low, slope)
        return None if abs(slope) < 1e-7 else float(np.log(10) / slope)

    @property
    def error(self) -> float | None:
        """Distance of the mean results from the fitted curve: root mean square over the rows, in points."""
        scale, seen = self.scale, np.array(list(self.bins()))
        if scale is None or not len(seen):
            return None
        values, count, mean = seen.T
        return float(np.sqrt((count * (mean - expected_scores(values, scale)) ** 2).sum() / count.sum()))


# --- Counts -----------------------------------------------------------------------------------------------------------

MATE_FROM = 31_000  # values from here to 32,000 are mates
HIGHEST = 32_000
PIECE = 3
"""Pawns by which the side to move must lead for material to be evidence; and it must not be in check. A side that is
behind may be about to recapture, so it is not counted."""

BETTER = 150  # centipawns from which a value is decided
LONGEST = 600  # plies; later ones are counted here
PAWNS = np.array([1, -1, 3, -3, 3, -3, 5, -5, 9, -9, 0, 0, 5, -5, 0, 0], np.int8)  # of each code in POSITION
PAIRS = (PAWNS[np.arange(256) & 15] + PAWNS[np.arange(256) >> 4]).astype(np.int8)


def material(positions: NDArray[np.void]) -> NDArray[np.int16]:
    """Pawns by which the side to move leads: 1 3 3 5 9."""
    empty = 32 - np.bitwise_count(positions["occupied"]).astype(np.int16)  # codes that are 0 stand for a white pawn
    white = PAIRS[positions["pieces"]].sum(axis=1, dtype=np.int16) - empty
    return np.asarray(np.where(positions["turn"] == 0, white, -white), np.int16)


@dataclass
class SampleCounts:
    rows: int = 0
    turns: NDArray[np.int64] = field(default_factory=lambda: np.zeros(2, np.int64))  # White, Black to move
    values: int = 0  # rows that have one
    zeros: int = 0
    mates: int = 0
    out_of_range: int = 0
    results: NDArray[np.int64] = field(default_factory=lambda: np.zeros(4, np.int64))  # unknown, lost, drawn, won
    odd_results: int = 0
    random_with_result: int = 0
    moves: int = 0  # rows that have one
    traits: dict[Trait, int] = field(default_factory=lambda: dict.fromkeys(Trait, 0))
    pieces: NDArray[np.int64] = field(default_factory=lambda: np.zeros(33, np.int64))
    plies: NDArray[np.int64] = field(default_factory=lambda: np.zeros(LONGEST + 1, np.int64))
    repeated: int = 0  # rows whose position stood in an earlier row
    value_and_material: ColumnAgreement = field(default_factory=ColumnAgreement)
    result_and_material: ColumnAgreement = field(default_factory=ColumnAgreement)
    value_and_result: ColumnAgreement = field(default_factory=ColumnAgreement)
    seen: KeySet = field(default_factory=KeySet)
    white: CalibrationCurve = field(default_factory=CalibrationCurve)
    """With White to move. Where signs are right, both curves are equal."""
    black: CalibrationCurve = field(default_factory=CalibrationCurve)

    @property
    def calibration(self) -> CalibrationCurve:
        return self.white + self.black

    def add(self, samples: NDArray[np.void]) -> None:
        positions, moves = samples["position"], samples["move"]
        found = traits(positions, moves)
        self.rows += len(positions)
        self.turns += np.bincount(positions["turn"], minlength=2)[:2]
        self.pieces += np.bincount(np.bitwise_count(positions["occupied"]), minlength=33)[:33]
        self.plies += np.bincount(np.minimum(samples["ply"], LONGEST), minlength=LONGEST + 1)
        self.repeated += int((~self.seen.add(position_keys(positions))).sum())
        self.moves += int((moves != 0).sum())
        for trait in Trait:
            self.traits[trait] += int(((found & trait) != 0).sum())
        whole = (found & Trait.BROKEN) == 0
        self._add_labels(samples[whole], (found[whole] & Trait.IN_CHECK) != 0)

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
        for side, curve in enumerate((self.white, self.black)):
            mine = both & (turn == side)
            curve.add(values[mine], results[mine])


class Evidence(NamedTuple):
    """What a column was compared with: on which rows, as text, and the result."""

    where: str
    agreement: ColumnAgreement


def evidence_of(counts: SampleCounts) -> dict[str, Evidence]:
    """By comparison with material; where that is too rare, with the other column if that one is known to be right."""
    columns = {"value": counts.value_and_material, "result": counts.result_and_material}
    found = {what: Evidence("the side to move is a piece or more ahead", each) for what, each in columns.items()}
    for what, other, where in (("value", "result", "the game was decided"), ("result", "value", "the value is clear")):
        if found[what].agreement.view is PointOfView.UNKNOWN and found[other].agreement.view is PointOfView.MOVER:
            return found | {what: Evidence(where, counts.value_and_result)}
    return found
