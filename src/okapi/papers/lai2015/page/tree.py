"""A search tree as a picture: one row a ply, children below their parents."""

from collections.abc import Sequence
from html import escape
from typing import Final

from okapi.formats.svg import TYPE

__all__ = ["places", "tree_picture"]

Drawn = Sequence[Sequence[int]]
"""Nodes, parents before children: parent (-1: none), ply, and whether the node is to be coloured."""

WIDTH: Final = 460
ROW: Final = 46
TOP: Final = 34
COLOURS: Final = ("#a8a8a8", "#cf6238")


def tree_picture(title: str, nodes: Drawn, marked: str) -> str:
    """The tree as SVG, with words for those who cannot see it."""
    deepest = max((ply for _, ply, _ in nodes), default=0)
    height = TOP + ROW * (deepest + 1)
    xs = places(nodes)
    coloured = sum(colour for _, _, colour in nodes)
    described = f"{title}: {len(nodes)} nodes to ply {deepest}, {coloured} of them below {marked}"
    paths: dict[int, list[str]] = {0: [], 1: []}
    for (parent, ply, colour), x in zip(nodes, xs, strict=True):
        if parent >= 0:
            y = TOP + ROW * ply
            paths[colour].append(f"M{xs[parent] * WIDTH:.1f} {y - ROW}L{x * WIDTH:.1f} {y}")
    drawn = "".join(
        f'<path d="{"".join(lines)}" fill="none" stroke="{COLOURS[colour]}" stroke-width="0.8"/>'
        for colour, lines in paths.items()
        if lines
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="{escape(described)}" {TYPE}>'
        f'<text x="8" y="18" font-weight="bold">{escape(title)}</text>{drawn}</svg>'
    )


def places(nodes: Drawn) -> list[float]:
    """Where nodes stand from left to right, from 0 to 1: each has as much room as leaves below it, and their middle.

    >>> places([(-1, 0, 0), (0, 1, 0), (0, 1, 0), (1, 2, 0), (1, 2, 0)])
    [0.5, 0.3333333333333333, 0.8333333333333334, 0.16666666666666666, 0.5]
    """
    leaves = [0] * len(nodes)
    for node in range(len(nodes) - 1, -1, -1):
        leaves[node] = leaves[node] or 1
        if nodes[node][0] >= 0:
            leaves[nodes[node][0]] += leaves[node]
    begins, free = [0.0] * len(nodes), [0.0] * len(nodes)
    for node, (parent, _, _) in enumerate(nodes):
        if parent >= 0:
            begins[node] = free[node] = free[parent]
            free[parent] += leaves[node]
    whole = max(leaves[:1], default=1)
    return [(begin + count / 2) / whole for begin, count in zip(begins, leaves, strict=True)]
