"""The words of sentences."""

from collections import Counter
from collections.abc import Sequence

from okapi.analysis.report.replay import PAWNS
from okapi.core import Kind

__all__ = ["haul", "listed", "piece", "the", "times"]

MINOR = (Kind.KNIGHT, Kind.BISHOP)


def piece(kind: Kind) -> str:
    """knight, and so on."""
    return kind.name.lower()


def the(kind: Kind) -> str:
    """There are many pawns, and any other piece is known by its kind."""
    return "a pawn" if kind is Kind.PAWN else f"the {piece(kind)}"


def times(count: int) -> str:
    """How often.

    >>> times(1), times(2), times(4)
    ('once', 'twice', '4 times')
    """
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def listed(names: Sequence[str]) -> str:
    """king, queen and rook."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def haul(won: Counter[Kind], lost: Counter[Kind]) -> str | None:
    """What remains of what both sides took when like is set against like; nothing, if that is nothing.

    >>> haul(Counter({Kind.ROOK: 1, Kind.PAWN: 1}), Counter({Kind.BISHOP: 1, Kind.PAWN: 1}))
    'the exchange'
    >>> haul(Counter({Kind.QUEEN: 1}), Counter({Kind.ROOK: 1, Kind.PAWN: 2}))
    'a queen for a rook and two pawns'
    """
    ours, theirs = won - lost, lost - won
    for mine in MINOR:
        other = MINOR[1 - MINOR.index(mine)]
        paired = min(ours[mine], theirs[other])
        ours -= Counter({mine: paired})
        theirs -= Counter({other: paired})
    if ours == Counter({Kind.ROOK: 1}) and theirs.total() == 1 and next(iter(theirs)) in MINOR:
        return "the exchange"
    if not ours:
        return None
    return f"{_counted(ours)} for {_counted(theirs)}" if theirs else _counted(ours)


def _counted(kinds: Counter[Kind]) -> str:
    numbers = {1: "a", 2: "two", 3: "three", 4: "four"}
    ordered = sorted(kinds.items(), key=lambda item: (-PAWNS[item[0]], item[0].value))
    return listed([f"{numbers.get(n, n)} {piece(kind)}{'s' if n > 1 else ''}" for kind, n in ordered])
