"""Giraffe's 363 features as text: a table of all, and sentences about the position, its pieces and its squares."""

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color, Kind, Position
from okapi.encodings.boards import SQUARES
from okapi.encodings.lai2015 import GIRAFFE_363, MODALITIES, USUAL, WORTH

SIDES: Final = tuple(color.name.title() for color in Color)
USUALLY: Final = {f"{kind.name.title()}s": usual for kind, usual in USUAL.items()}
SLOTS: Final = tuple(
    f"{side} {kinds[:-1]} {n + 1}" for side in SIDES for kinds in USUALLY for n in range(USUALLY[kinds])
)
"""The slots of the piece list, in the order of Table 1."""


def inspect(position: Position) -> dict[str, str]:
    """Table 1 of a position.

    >>> table = inspect(Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    >>> table["Side to Move"], table["White Short Castle"], table["White Rook 1 Exists"], table["White Rook 2 Position"]
    ('White', 'Yes', 'No', 'h1')
    """
    return table_1(GIRAFFE_363.encode(position))


def table_1(values: NDArray[np.float32]) -> dict[str, str]:
    """Features with their values, in the thesis' order; mobility, attack and defend maps are left out there, too."""
    numbers = dict(zip(GIRAFFE_363.parts, values.tolist(), strict=True))
    castles = [f"{side} {wing} Castle" for side in SIDES for wing in ("Long", "Short")]
    counts = {f"{side} {kinds}": usual for side in SIDES for kinds, usual in USUALLY.items()}
    table = {"Side to Move": "White" if numbers["Side to Move"] else "Black"}
    table |= {name: "Yes" if numbers[name] else "No" for name in castles}
    table |= {name: str(round(numbers[name] * usual)) for name, usual in counts.items()}
    table |= {f"{side} King Position": str(_square(f"{side} King", numbers)) for side in SIDES}
    for slot in SLOTS:
        table[f"{slot} Exists"] = "Yes" if numbers[f"{slot} Exists"] else "No"
        table[f"{slot} Position"] = _square(slot, numbers) or "N/A"
    return table


PART: Final = re.compile(
    r"(?P<subject>[a-h][1-8]|(?:White|Black) (?:King|[A-Z][a-z]+ \d)|(?:Rooks: )?(?:White|Black)|Side) (?P<aspect>.+)"
)
"""The name of a feature: its subject and its aspect."""

CHEAPEST: Final = {
    WORTH[Kind.PAWN]: "a pawn",
    WORTH[Kind.KNIGHT]: "a knight or bishop",
    WORTH[Kind.ROOK]: "a rook",
    WORTH[Kind.QUEEN]: "a queen",
    WORTH[Kind.KING]: "the king",
}
"""The least valuable attacker, by its value; knights and bishops have the same."""


@dataclass(frozen=True, slots=True)
class Fact:
    index: int
    name: str
    value: float
    words: str


@dataclass(frozen=True, slots=True)
class Subject:
    name: str
    modality: str
    squares: tuple[str, ...]  # where that is on the board, if it is there
    facts: tuple[Fact, ...]  # one for each of its features
    sentence: str  # the facts as text; directions without reach are left out


def in_words(position: Position) -> list[Subject]:
    """All features of giraffe-363 of a position, in order.

    >>> told = in_words(Position.from_fen("4k3/8/8/8/8/4p3/8/4K2R w K - 0 1"))
    >>> for subject in told:
    ...     if subject.name in ("White Rook 2", "e2"):
    ...         print(subject.sentence)
    White Rook 2 on h1: reaches 3 west, 7 north; 10 safe moves; undefended; not attacked
    e2: attacked by the king of White; not attacked by Black
    """
    return subjects(GIRAFFE_363.encode(position))


def subjects(values: NDArray[np.float32]) -> list[Subject]:
    numbers = dict(zip(GIRAFFE_363.parts, values.tolist(), strict=True))
    found = []
    for name, group in groupby(enumerate(numbers), key=lambda row: _split(row[1])[0]):
        square = _square(name, numbers)
        rows = [(index, part, numbers[part], _split(part)[1]) for index, part in group]
        facts = [Fact(index, part, value, _words(name, aspect, value, square)) for index, part, value, aspect in rows]
        modality = next(known for known, part in MODALITIES.items() if facts[0].index < part.stop)
        squares = () if square is None else (square,)
        found.append(Subject(name, modality, squares, tuple(facts), _sentence(name, facts, square)))
    return found


def _split(part: str) -> tuple[str, str]:
    found = PART.fullmatch(part)
    assert found is not None, f"there are no words for the feature `{part}`"
    return found["subject"], found["aspect"]


def _square(subject: str, numbers: dict[str, float]) -> str | None:
    """Where a piece or square is; None where it is not, or where a side is meant."""
    if subject in SQUARES:
        return subject
    if f"{subject} X" not in numbers or not numbers.get(f"{subject} Exists", 1):
        return None
    return SQUARES[round(7 * numbers[f"{subject} X"]) + 8 * round(7 * numbers[f"{subject} Y"])]


def _words(subject: str, aspect: str, value: float, square: str | None) -> str:
    match aspect.split():
        case ["to", "Move"]:
            return f"{'White' if value else 'Black'} is to move"
        case [wing, "Castle"]:
            return f"may castle {wing.lower()}" if value else f"may not castle {wing.lower()}"
        case [kinds] if kinds in USUALLY:
            return _counted(round(value * USUALLY[kinds]), kinds.lower())
        case _ if square is None:
            return "is not on the board"
        case ["Exists"]:
            return "is on the board"
        case ["X"]:
            return f"on file {square[0]}"
        case ["Y"]:
            return f"on rank {square[1]}"
        case ["Safe", "Moves"]:
            return _counted(round(16 * value), "safe moves")
        case [side, "Control"]:
            return _control(subject, side, value)
        case _:
            return f"reaches {round(7 * value)} {aspect.lower()}"


def _control(subject: str, side: str, value: float) -> str:
    """Who of a side is the least valuable to attack a square, or to defend its own piece there."""
    own = subject.startswith(side)
    attackers = f" of {side}" if subject in SQUARES else ""
    if not value:
        return "undefended" if own else f"not attacked by {side}" if attackers else "not attacked"
    worth = 1.5 * WORTH[Kind.KING] - 2 * WORTH[Kind.KING] * value
    cheapest = CHEAPEST[min(CHEAPEST, key=lambda known: abs(known - worth))]
    return f"{'defended' if own else 'attacked'} by {cheapest}{attackers}"


def _sentence(subject: str, facts: list[Fact], square: str | None) -> str:
    told = [fact.words for fact in facts]
    if subject in SQUARES:
        return f"{subject}: {'; '.join(told)}"
    if subject == "Side":
        return told[0]
    if subject in ("White", "Black"):
        return f"{subject} {'; '.join(told)}" if "castle" in told[0] else f"{subject} has {', '.join(told)}"
    if subject.startswith("Rooks"):
        return f"The rooks of {subject.split()[1]} {'; '.join(told)}"
    if square is None:
        return f"{subject} is not on the board"
    ways = [fact.words.removeprefix("reaches ") for fact in facts if fact.words.startswith("reaches ") and fact.value]
    reach = [f"reaches {', '.join(ways)}"] if ways else []
    rest = [words for words in told if not words.startswith(("is ", "on ", "reaches "))]
    return f"{subject} on {square}" + (f": {'; '.join(reach + rest)}" if rest else "")


def _counted(number: int, several: str) -> str:
    return f"{number or 'no'} {several.removesuffix('s') if number == 1 else several}"
