"""
Sunfish as a UCI program that obeys `go nodes N` to the node, once it has a move.

    okapi match PLAYER "limited:uci:python bench/sunfish_nodes.py,nodes=10-1000" --nodes 1 --games 200

Sunfish 2026.1 itself (`sunfish-uci`, from `pip install --no-deps sunfish`) looks at its nodes only between two probes of
a depth, and from the second depth on: told to look at 10 it looks at several hundred, sometimes at two thousand. Here the
first depth is finished, because before there is no legal move to play, and then the search ends at the node it was told.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import sunfish


class Obedient(sunfish.Searcher):  # type: ignore[misc]
    """Looks at no more nodes than its interface asked for, which sets `node_cap` before each search."""

    node_cap: float = math.inf

    def search(self, history: Sequence[Any]) -> Iterator[Any]:
        """What it finds, probe by probe; the next search has a cap of its own."""
        self._has_a_move = False
        try:
            yield from super().search(history)
        finally:
            self.node_cap = math.inf

    def bound(self, pos: Any, gamma: int, depth: int, root: bool = False) -> int:
        """One node."""
        self._has_a_move |= root and depth > 1
        if self._has_a_move and self.nodes >= self.node_cap:
            raise sunfish.Stop
        value: int = super().bound(pos, gamma, depth, root)
        return value


if __name__ == "__main__":
    sunfish.Searcher = Obedient
    sunfish.main()
