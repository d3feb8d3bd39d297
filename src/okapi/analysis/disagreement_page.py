"""Where judges of positions disagree, as one page of HTML that needs nothing else."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from okapi.analysis.disagreement import KINDS, Compared, Pair, kinds_of
from okapi.core import Value
from okapi.core.packed import unpack
from okapi.formats.html import Boards, Figure, Part, Prose, Section, Table, document
from okapi.formats.numbers import number, signed
from okapi.formats.svg import Grid, Interval, Intervals, figure

__all__ = ["disagreement_page"]

BINS: Final = 10
"""Of each judge's values, in the heat map."""

HUNDREDTHS: Final = 100


def disagreement_page(found: Compared, source: str) -> str:
    """The page."""
    names = [judge.name for judge in found.judges]
    sections = [
        Section("How far apart", [_meaning(), _gaps(found.pairs, names), _heat(found)]),
        Section("Kinds of positions", list(_kinds(found.pairs, names))),
    ]
    if len(found.worst):
        sections.append(Section("Where they are furthest apart", [_boards(found)]))
    return document(
        " and ".join(names), f"{len(found.rows):,} positions of {source}, judged without looking ahead", sections
    )


def _meaning() -> Part:
    return Prose(
        "A judge says the expected score of the side to move: 0 lost, ½ drawn, 1 won. Differences are in hundredths of "
        "a point. Intervals are of 95 %; positions of one game count as one observation of many."
    )


def _gaps(pairs: Sequence[Pair], names: Sequence[str]) -> Part:
    return Table(
        name="All positions",
        caption="Mean and median of the absolute differences; by how much the first thinks better of the side to move; "
        "Pearson's and Spearman's correlation.",
        heads=("judges", "mean", "95 %", "median", "lean", "correlation", "order"),
        rows=[
            (
                f"{names[pair.first]} – {names[pair.second]}",
                _hundredths(pair.whole.mean),
                f"{_hundredths(pair.whole.low)} … {_hundredths(pair.whole.high)}",
                _hundredths(pair.whole.median),
                signed(HUNDREDTHS * pair.whole.lean, 1),
                number(pair.whole.correlation, 3),
                number(pair.whole.order, 3),
            )
            for pair in pairs
        ],
    )


def _heat(found: Compared) -> Part:
    """How often the second judge says this where the first says that."""
    first, second = found.judges[:2]
    ends = np.linspace(0, 1, BINS + 1)
    counts, _, _ = np.histogram2d(first.values, second.values, bins=(ends, ends))
    labels = [f"{end:.1f}" for end in ends[:-1]]
    shares = HUNDREDTHS * counts / len(found.rows)
    grid = Grid(
        f"{first.name} upwards, {second.name} to the right; percent", shares[::-1].tolist(), labels[::-1], labels
    )
    agree = np.trace(counts) / len(found.rows)
    described = f"heat map of both judges' values in tenths; {agree:.0%} of the positions lie on the diagonal"
    return Figure(
        name="One against the other",
        caption=f"Of all positions, how many percent {first.name} and {second.name} put into which tenth; "
        "a tenth begins where its label says. On the diagonal they agree.",
        pictures=[figure(grid, described, width=60 + 34 * BINS)],
    )


def _kinds(pairs: Sequence[Pair], names: Sequence[str]) -> Iterator[Part]:
    first, *others = pairs
    groups = [KINDS[name].group for name in first.kinds]
    yield Table(
        name="By kind",
        caption="Mean absolute difference on each kind; a position may be of several.",
        heads=(
            "kind of position",
            "positions",
            *(head for pair in pairs for head in (f"{names[pair.first]} – {names[pair.second]}", "95 %")),
        ),
        rows=[
            (
                name,
                number(gap.positions),
                *(
                    cell
                    for pair in (first, *others)
                    for cell in (
                        _hundredths(pair.kinds[name].mean),
                        f"{_hundredths(pair.kinds[name].low)} … {_hundredths(pair.kinds[name].high)}",
                    )
                ),
            )
            for name, gap in first.kinds.items()
        ],
        bands=[(group, groups.count(group)) for group in dict.fromkeys(groups)],
    )
    rows = [
        Interval(name, HUNDREDTHS * gap.mean, HUNDREDTHS * gap.low, HUNDREDTHS * gap.high, KINDS[name].group)
        for name, gap in first.kinds.items()
    ]
    described = "; ".join(f"{row.name} {row.value:.1f}" for row in rows)
    picture = Intervals(f"{names[first.first]} and {names[first.second]}", rows, "hundredths of a point")
    yield Figure(name="Kinds in a picture", caption="The same.", pictures=[figure(picture, described, width=720)])


def _boards(found: Compared) -> Part:
    kinds = kinds_of(found.rows["position"][found.worst])
    boards = []
    for place, row in enumerate(found.worst):
        position = unpack(found.rows["position"][row])
        words = [f"{position.turn.name.capitalize()} to move"]
        for judge in found.judges:
            value = Value(float(judge.values[row]), position.turn)
            words.append(f"{judge.name}: {value.expected:.2f} ({value} pawns)")
        boards.append((position, [*words, ", ".join(name for name, are in kinds.items() if are[place])]))
    return Boards(
        name="Boards",
        caption="The worst first, one of each game; values and boards are those of the side to move.",
        boards=boards,
    )


def _hundredths(score: float) -> str:
    return number(HUNDREDTHS * score, 1)
