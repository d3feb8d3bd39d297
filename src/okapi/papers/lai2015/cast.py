"""
Who plays: the brains that experiments judge and search with.

A brain that somebody names, or else the one that ships, or else, where none ships, the one that `tdleaf` or
`move_network` made in this lab.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from okapi.brains import find
from okapi.errors import NotFound
from okapi.recipes.lab import Lab

__all__ = ["CAST", "ORDERED", "REDUCED", "Cast", "cast", "made"]

GIRAFFE: Final = "giraffe"
MOVES: Final = "giraffe-moves"
"""The names under which they ship."""

CAST: Final[dict[str, Any]] = {"brain": "", "moves": "", "shape": "", "openings": ""}
"""The settings of every experiment that plays: brains by name or path, none named, the usual ones; and how Giraffe
searches, where nothing else is asked for: a shape, `reduced` or `ordered`; and a file of openings for its matches."""

REDUCED: Final = "reduced"
"""Depth-limited, late moves less far the unlikelier the move network finds them: the usual way, if there is one."""
ORDERED: Final = "ordered"
"""The same, and moves are tried in the order that the move network gives them."""

ASK: Final = "depth+ask=4"
"""The shape in which the network's opinion reduces or orders moves: it is asked where four plies are left."""


@dataclass(frozen=True, slots=True)
class Cast:
    """A brain that judges, and one that says which moves are likely, if there is one."""

    brain: str
    moves: str | None
    usual: str = ""
    """How it searches; if nothing is said, to a depth, reduced by the move network if there is one."""

    def player(self, shape: str = "", without: str = "") -> str:
        """A player's specification: a search of this shape, or the usual one."""
        chosen = shape or self.usual or ("depth" if self.moves is None else REDUCED)
        in_depth = chosen in (REDUCED, ORDERED)
        asks = in_depth or chosen.partition("+")[0] == "learned"
        told = {
            "shape": ASK if in_depth else "" if chosen == "depth" else chosen,
            "moves": (self.moves or "") if asks else "",
            "with": "learned_ordering" if chosen == ORDERED else "",
            "without": without,
        }
        return f"alphabeta:{self.brain}" + "".join(f",{name}={value}" for name, value in told.items() if value)


def cast(lab: Lab, chosen: dict[str, Any]) -> Cast | str:
    """Who plays; or why nobody does, for `skipped`."""
    brain = _first(chosen["brain"], GIRAFFE, made(lab, "tdleaf"))
    if brain is None:
        return f"no brain `{GIRAFFE}` ships, and none was raised here: --only tdleaf, or name one by its `brain`"
    return Cast(brain, _first(chosen["moves"], MOVES, made(lab, "move_network")), chosen["shape"])


def _first(named: str, shipped: str, made: Path | None) -> str | None:
    if named:
        return str(find(named)) if Path(named).suffix else named
    try:
        find(shipped)
    except NotFound:
        return None if made is None else str(made)
    return shipped


def made(lab: Lab, experiment: str, what: str = "brain") -> Path | None:
    """A brain that an experiment left in this lab, or was shown."""
    try:
        told = lab.result(experiment).get(what)
    except NotFound:
        return None
    return lab.folder / told if told else None
