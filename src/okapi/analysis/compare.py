"""Evaluators side by side: how far apart they are, on which kinds of positions, and where most."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.analysis.positions import KINDS, kinds_of
from okapi.brains.output import expected_scores
from okapi.core import Position, Value
from okapi.core.keys import position_keys
from okapi.core.packed import NO_GAME, fens, unpack
from okapi.core.samples import Rows
from okapi.errors import InvalidText, NotFound, OkapiError
from okapi.files import replace_file
from okapi.formats.html import Boards, Figure, Part, Prose, Section, Table, document
from okapi.formats.numbers import interval, number, signed
from okapi.formats.svg import Grid, Interval, Intervals, figure

# --- Gaps -------------------------------------------------------------------------------------------------------------

Values = NDArray[np.float64]
Numbers = NDArray[np.int64]
SURE: Final = 1.96  # standard errors on each side of a mean for an interval of 95 %
FEWEST: Final = 2  # fewer positions or games give no result


@dataclass(frozen=True, slots=True, eq=False)
class EvaluatorValues:
    name: str
    values: Values  # expected scores of the side to move


@dataclass(frozen=True, slots=True)
class Gap:
    """The difference of two evaluators, in expected score."""

    positions: int
    mean: float  # of the absolute differences
    low: float
    high: float  # the 95 % interval of the mean; positions of one game count as one observation of many
    median: float
    lean: float  # the mean of first minus second, for the side to move
    correlation: float | None  # Pearson's; None where one of them is constant
    order: float | None  # Spearman's

    def as_json(self) -> dict[str, Any]:
        return {name: round(value, 5) if isinstance(value, float) else value for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class PairGap:
    first: str
    second: str  # the names of the evaluators
    whole: Gap
    kinds: dict[str, Gap]  # by kind of position; kinds with fewer than FEWEST positions are left out

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"


@dataclass(frozen=True, slots=True, eq=False)
class EvaluatorComparison:
    rows: Rows
    evaluators: tuple[EvaluatorValues, ...]
    pairs: tuple[PairGap, ...]  # the first two evaluators first
    worst: Numbers  # numbers of the positions where the first two differ most, the largest gap first
    worst_of_kind: dict[str, Numbers]  # the same for each kind of position, if requested


def compare(rows: Rows, evaluators: Sequence[EvaluatorValues], *, worst: int, each: int = 0) -> EvaluatorComparison:
    """Compare evaluators on the same samples; list the `worst` gaps of the first two, and `each` of every kind."""
    games, kinds, pairs = rows["game"].astype(np.int64), kinds_of(rows["position"]), []
    alone = games == NO_GAME
    games[alone] += np.arange(int(alone.sum()))  # a position without a game is a game of its own
    for first, second in combinations(evaluators, 2):
        one, other = first.values, second.values
        found = {name: gap(one[are], other[are], games[are]) for name, are in kinds.items() if are.sum() >= FEWEST}
        pairs.append(PairGap(first.name, second.name, gap(one, other, games), found))
    apart = np.abs(evaluators[0].values - evaluators[1].values)
    worst_of_kind = worst_of_kinds(rows, apart, kinds, each) if each else {}
    return EvaluatorComparison(rows, tuple(evaluators), tuple(pairs), largest_gaps(rows, apart, worst), worst_of_kind)


def gap(first: Values, second: Values, games: Numbers | None = None) -> Gap:
    """The gap of two evaluators on the same positions."""
    apart = np.abs(first - second)
    mean = float(apart.mean())
    margin = SURE * _standard_error(apart, np.arange(len(apart)) if games is None else games)
    median, lean = float(np.median(apart)), float((first - second).mean())
    correlation, order = _correlation(first, second), _correlation(ranks(first), ranks(second))
    return Gap(len(apart), mean, max(0.0, mean - margin), min(1.0, mean + margin), median, lean, correlation, order)


def largest_gaps(rows: Rows, apart: Values, count: int) -> Numbers:
    """Numbers of the positions with the largest differences, the largest first: no position and no game twice."""
    keys, games = position_keys(rows["position"]).tolist(), rows["game"].tolist()
    chosen: list[int] = []
    seen: set[tuple[str, int]] = set()
    for row in np.argsort(-apart, kind="stable").tolist():
        marks = {("position", keys[row])} | ({("game", games[row])} if games[row] != NO_GAME else set())
        if len(chosen) == count:
            break
        if not marks & seen:
            chosen.append(row)
            seen |= marks
    return np.array(chosen, np.int64)


def worst_of_kinds(rows: Rows, apart: Values, kinds: dict[str, NDArray[np.bool_]], count: int) -> dict[str, Numbers]:
    """For each kind of position, those with the largest differences; kinds that do not occur are left out."""
    members = {name: np.flatnonzero(are) for name, are in kinds.items()}
    return {name: are[largest_gaps(rows[are], apart[are], count)] for name, are in members.items() if len(are)}


def _standard_error(values: Values, groups: Numbers) -> float:
    """Of the mean of clustered observations: the sandwich estimator."""
    _, group = np.unique(groups, return_inverse=True)
    sums = np.bincount(group, values - values.mean())
    count = len(sums)
    return float(np.sqrt(np.square(sums).sum() * count / (count - 1))) / len(values) if count >= FEWEST else 1.0


def _correlation(first: Values, second: Values) -> float | None:
    if len(first) < FEWEST or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def ranks(values: Values) -> Values:
    """The rank of each value; equal values share their mean rank."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = counts.cumsum()
    return np.asarray(((2 * ends - counts - 1) / 2)[inverse], np.float64)


# --- Lists of disagreements, for the board ----------------------------------------------------------------------------

DISAGREEMENTS: Final = "disagreements.json"  # the name of the file, in the folder of a run or below it
MOST_LISTED: Final = 200
OF_EACH_KIND: Final = 5  # positions of each kind in a list, if there are so many
MOST_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Disagreement:
    fen: str
    teacher_cp: int  # centipawns
    teacher: float  # the same as an expected score
    value: float  # the brain's expected score
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DisagreementList:
    """Positions of a brain and its teacher, the largest gap first."""

    brain: str
    teacher: str
    positions: tuple[Disagreement, ...]

    def write(self, folder: Path | str) -> None:
        content = json.dumps(asdict(self), ensure_ascii=False, indent=1)
        replace_file(Path(folder) / DISAGREEMENTS, content.encode() + b"\n")

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """The contents are validated: NotFound, InvalidText."""
        path = Path(path)
        try:
            if os.path.getsize(path) > MOST_BYTES:
                raise InvalidText(f"{path.name} is too large for a list of disagreements")
            parsed = json.loads(path.read_text(encoding="utf-8"))
            positions = tuple(_read_disagreement(entry) for entry in parsed["positions"][:MOST_LISTED])
            return cls(str(parsed["brain"])[:200], str(parsed["teacher"])[:200], positions)
        except OSError as error:
            raise NotFound(f"`{path}` cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, OkapiError):
            hint = "`okapi brains compare` makes one"
            raise InvalidText(f"{path.name} is not a list of disagreements", hint=hint) from None


def list_disagreements(
    brain: str, teacher: str, rows: Rows, values: NDArray[Any], count: int = 60, each: int = OF_EACH_KIND
) -> DisagreementList:
    """The list for a brain with the expected scores `values` of these labelled samples, for the side to move.

    It has the `count` largest gaps of all, and the `each` largest of each kind of position.
    """
    teachers = expected_scores(rows["value"])
    apart = np.abs(teachers - values)
    kinds = kinds_of(rows["position"])
    found = [largest_gaps(rows, apart, min(count, MOST_LISTED)), *worst_of_kinds(rows, apart, kinds, each).values()]
    chosen = np.unique(np.concatenate(found))
    worst = chosen[np.argsort(-apart[chosen], kind="stable")][:MOST_LISTED]
    positions, centipawns = fens(rows["position"][worst]), rows["value"][worst].tolist()
    scores = (np.round(np.asarray(column, np.float64)[worst], 4).tolist() for column in (teachers, values))
    names = [tuple(name for name, are in kinds.items() if are[row]) for row in worst.tolist()]
    return DisagreementList(brain, teacher, tuple(map(Disagreement, positions, centipawns, *scores, names)))


def _read_disagreement(entry: Any) -> Disagreement:
    fen, kinds = Position.from_fen(str(entry["fen"])[:120]).fen(), entry.get("kinds", ())
    teacher, value = float(entry["teacher"]), float(entry["value"])
    if not (0 <= teacher <= 1 and 0 <= value <= 1):
        raise ValueError(entry)
    return Disagreement(fen, int(entry["teacher_cp"]), teacher, value, tuple(name for name in KINDS if name in kinds))


# --- The page ---------------------------------------------------------------------------------------------------------

BINS: Final = 10  # of the values of an evaluator, in the heat map
HUNDREDTHS: Final = 100


def comparison_page(found: EvaluatorComparison, source: str) -> str:
    meaning = (
        "Values are expected scores of the side to move: 0 lost, ½ drawn, 1 won. Differences are in hundredths. "
        "Intervals are of 95 %, clustered by game."
    )
    sections = [
        Section("How far apart", [Prose(meaning), _gaps(found.pairs), _heat(found)]),
        Section("Kinds of positions", [_kinds(found.pairs), _intervals(found.pairs[0])]),
    ]
    if len(found.worst):
        sections.append(Section("Where they differ most", [_boards(found)]))
    title = " and ".join(each.name for each in found.evaluators)
    return document(title, f"{len(found.rows):,} positions of {source}, evaluated without a search", sections)


def _gaps(pairs: Sequence[PairGap]) -> Part:
    caption = (
        "Mean and median of the absolute differences; the mean of first minus second; "
        "Pearson's and Spearman's correlation."
    )
    heads, rows = ("evaluators", "mean", "95 %", "median", "lean", "correlation", "order"), []
    for pair in pairs:
        whole = pair.whole
        middle = (number(HUNDREDTHS * whole.median, 1), signed(HUNDREDTHS * whole.lean, 1))
        rows.append((str(pair), *_mean(whole), *middle, number(whole.correlation, 3), number(whole.order, 3)))
    return Table(name="All positions", caption=caption, heads=heads, rows=rows)


def _mean(gap: Gap) -> tuple[str, str]:
    """The mean difference and its interval."""
    return number(HUNDREDTHS * gap.mean, 1), interval(HUNDREDTHS * gap.low, HUNDREDTHS * gap.high, 1)


def _heat(found: EvaluatorComparison) -> Part:
    """How often each pair of tenths occurs."""
    first, second = found.evaluators[:2]
    ends = np.linspace(0, 1, BINS + 1)
    counts, _, _ = np.histogram2d(first.values, second.values, bins=(ends, ends))
    labels, shares = [f"{end:.1f}" for end in ends[:-1]], HUNDREDTHS * counts / len(found.rows)
    title = f"{first.name} upwards, {second.name} to the right; percent"
    grid = Grid(title, shares[::-1].tolist(), labels[::-1], labels)
    agree = np.trace(counts) / len(found.rows)
    described = f"heat map of both evaluators' values in tenths; {agree:.0%} of the positions lie on the diagonal"
    return Figure(
        name="One against the other",
        caption=f"Of all positions, how many percent {first.name} and {second.name} put into which tenth; "
        "a tenth begins where its label says. On the diagonal they agree.",
        pictures=[figure(grid, described, width=60 + 34 * BINS)],
    )


def _kinds(pairs: Sequence[PairGap]) -> Part:
    counts = {name: gap.positions for name, gap in pairs[0].kinds.items()}
    groups, rows = [KINDS[name].group for name in counts], []
    for name, count in counts.items():
        rows.append((name, number(count), *(cell for pair in pairs for cell in _mean(pair.kinds[name]))))
    return Table(
        name="By kind",
        caption="Mean absolute difference on each kind; a position may be of several.",
        heads=("kind of position", "positions", *(head for pair in pairs for head in (str(pair), "95 %"))),
        rows=rows,
        bands=[(group, groups.count(group)) for group in dict.fromkeys(groups)],
    )


def _intervals(pair: PairGap) -> Part:
    rows = [
        Interval(name, HUNDREDTHS * gap.mean, HUNDREDTHS * gap.low, HUNDREDTHS * gap.high, KINDS[name].group)
        for name, gap in pair.kinds.items()
    ]
    described = "; ".join(f"{row.name} {row.value:.1f}" for row in rows)
    picture = Intervals(f"{pair.first} and {pair.second}", rows, "hundredths of a point")
    return Figure(name="Kinds in a picture", caption="The same.", pictures=[figure(picture, described, width=720)])


def _boards(found: EvaluatorComparison) -> Part:
    kinds = kinds_of(found.rows["position"][found.worst])
    boards = []
    for place, row in enumerate(found.worst):
        position = unpack(found.rows["position"][row])
        words = [f"{position.turn.name.capitalize()} to move"]
        for each in found.evaluators:
            value = Value(float(each.values[row]), position.turn)
            words.append(f"{each.name}: {value.expected:.2f} ({value} pawns)")
        boards.append((position, [*words, ", ".join(name for name, are in kinds.items() if are[place])]))
    caption = "The worst first, one of each game; values and boards are those of the side to move."
    return Boards(name="Boards", caption=caption, boards=boards)
