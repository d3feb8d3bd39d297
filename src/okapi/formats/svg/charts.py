"""Charts as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bars:
    title: str
    labels: Sequence[str]
    counts: Sequence[float]
    of: str = ""
    """What the labels mean, under the bars."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Points in the order of x. Joined, or dots where each stands for itself."""

    name: str
    points: Sequence[tuple[float, float]]
    dots: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    title: str
    lines: Sequence[Curve]
    x: str = ""
    y: str = ""
    within: tuple[float, float] | None = None
    """The least and the largest number upwards, so that two charts can be compared; as the points need if not given."""


@dataclass(frozen=True, slots=True)
class Stacks:
    """Bars that consist of parts, the first at the bottom."""

    title: str
    labels: Sequence[str]
    parts: Mapping[str, Sequence[float]]
    """Of each part, its name and how much of it is in each bar."""
    of: str = ""
    """What the labels mean, under the bars."""
    colours: Sequence[str] = ()
    """Of the parts; the usual ones if not given."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A number, and how far off it may be."""

    name: str
    value: float
    low: float
    high: float
    group: str = ""
    """Those of one group have one colour."""


@dataclass(frozen=True, slots=True)
class Intervals:
    """Numbers with their intervals, one under the other."""

    title: str
    rows: Sequence[Interval]
    x: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A heat map: the larger a number, the deeper the colour of its cell."""

    title: str
    cells: Sequence[Sequence[float]]
    rows: Sequence[str]
    columns: Sequence[str]
    most: float | None = None
    """The number that has the deepest colour; the largest of all if nothing is said. Others may be compared with it."""


@dataclass(frozen=True, slots=True)
class Cloud:
    """Points of a map whose axes mean nothing, and paths over it."""

    title: str
    points: Sequence[tuple[float, float]]
    values: Sequence[float]
    """Of each point, from 0, which is blue, to 1, which is red."""
    paths: Mapping[str, Sequence[tuple[float, float]]]
    """By name, from their first place to their last."""


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """A number with its interval, somewhere from left to right."""

    name: str
    x: float
    """More than 0, unless the chart is given a place for nothing."""
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Scatter:
    """Numbers with their intervals over another number, whose steps are powers of ten. Each has its name beside it."""

    title: str
    places: Sequence[ScatterPoint]
    """Those of one name are joined, in the order of x, and named once."""
    x: str = ""
    y: str = ""
    front: Sequence[str] = ()
    """The names of those that stand out; the others are pale."""


Chart = Bars | Lines
"""Charts of statistics."""

Picture = Chart | Stacks | Intervals | Grid | Cloud | Scatter
"""Everything that can be drawn."""
