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
from okapi.papers.lab import Lab

__all__ = ["CAST", "Cast", "cast", "made"]

GIRAFFE: Final = "giraffe"
MOVES: Final = "giraffe-moves"
"""The names under which they ship."""

CAST: Final[dict[str, Any]] = {"brain": "", "moves": ""}
"""The settings of every experiment that plays: brains by name or path; none named, the usual ones."""


@dataclass(frozen=True, slots=True)
class Cast:
    """A brain that judges, and one that says which moves are likely, if there is one."""

    brain: str
    moves: str | None

    def player(self, shape: str = "", without: str = "") -> str:
        """A player's specification: a search of this shape; without any, the one that suits the brains best."""
        chosen = shape or ("depth" if self.moves is None else "learned")
        shaped = "" if chosen == "depth" else f",shape={chosen}"
        network = f",moves={self.moves}" if chosen == "learned" else ""
        return f"alphabeta:{self.brain}{shaped}{network}{f',without={without}' if without else ''}"


def cast(lab: Lab, chosen: dict[str, Any]) -> Cast | str:
    """Who plays; or why nobody does, for `skipped`."""
    brain = _first(chosen["brain"], GIRAFFE, made(lab, "tdleaf"))
    if brain is None:
        return f"no brain `{GIRAFFE}` ships, and none was raised here: --only tdleaf, or name one by its `brain`"
    return Cast(brain, _first(chosen["moves"], MOVES, made(lab, "move_network")))


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
