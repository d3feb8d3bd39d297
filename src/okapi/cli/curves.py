"""Learning curves in a terminal: a small plot that grows."""

import math
from collections.abc import Mapping, Sequence

__all__ = ["plot"]

MARKS = "•○+x"
"""One for each curve, so that they can be told apart without colours."""

Curve = Sequence[tuple[float, float]]


def plot(curves: Mapping[str, Curve], *, width: int = 60, height: int = 10) -> str:
    """Curves of points (x, y), their marks and last values below; nothing where there are no points.

    >>> print(plot({"loss": [(1, 4.0), (2, 2.0), (3, 1.0)]}, width=9, height=4))
          4 ┤•
            │
            │    •
          1 ┤        •
            └─────────
             1       3
             • loss 1
    """
    points = [point for curve in curves.values() for point in curve if math.isfinite(point[1])]
    if not points:
        return ""
    (left, right), (low, high) = ((min(axis), max(axis)) for axis in zip(*points, strict=True))
    canvas = [[" "] * width for _ in range(height)]
    for mark, curve in zip(MARKS, curves.values(), strict=False):
        for x, y in curve:
            if math.isfinite(y):
                canvas[height - 1 - _place(y, low, high, height)][_place(x, left, right, width)] = mark
    edges = {0: f"{high:.4g}", height - 1: f"{low:.4g}"}
    lines = [
        f"{edges.get(row, ''):>7} {'┤' if row in edges else '│'}{''.join(line)}" for row, line in enumerate(canvas)
    ]
    lines.append(f"{'':8}└{'─' * width}")
    lines.append(f"{'':9}{f'{left:g}':<{width - len(f'{right:g}')}}{right:g}")
    named = zip(MARKS, curves.items(), strict=False)
    legend = "   ".join(f"{mark} {name} {curve[-1][1]:.4g}" for mark, (name, curve) in named if curve)
    return "\n".join(line.rstrip() for line in [*lines, f"{'':9}{legend}"])


def _place(value: float, low: float, high: float, room: int) -> int:
    return 0 if high <= low else round((value - low) / (high - low) * (room - 1))
