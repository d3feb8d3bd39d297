"""What a brain's opinion is made of, if it is a sum of weights that have names."""

import json
import struct
from dataclasses import dataclass
from typing import Final

from okapi.brains import find
from okapi.brains.card import ModelCard
from okapi.core import Brain, Color, Evaluator, Position

__all__ = ["Explained", "Term", "Terms", "explains"]

SUMS: Final = ("material", "linear-5", "linear-28", "linear-35")
"""The kinds of brains that are sums."""

FLOAT: Final = 4
"""Bytes of a weight."""


@dataclass(frozen=True, slots=True)
class Term:
    """One weight's share."""

    name: str
    centipawns: int
    """For White."""


@dataclass(frozen=True, slots=True)
class Explained:
    """An opinion and its parts, for White."""

    centipawns: int
    terms: tuple[Term, ...]

    @property
    def rest(self) -> int:
        """What no weight says: rounding, and what every brain knows about bare endings."""
        return self.centipawns - sum(term.centipawns for term in self.terms)


class Terms:
    """Explains one brain: a term is what its opinion would lose if that weight were nothing.

    >>> terms = Terms("material")
    >>> [(term.name, term.centipawns) for term in terms(Position.from_fen("4k3/pp6/8/8/8/8/P7/4KR2 b - - 0 1")).terms]
    [('pawn', -100), ('knight', 0), ('bishop', 0), ('rook', 500), ('queen', 0)]
    """

    def __init__(self, brain: str) -> None:
        """A brain by name or path, one that explains() says can be explained."""
        path = find(brain)
        data = path.read_bytes()
        (length,) = struct.unpack_from("<Q", data)
        begin = 8 + length + json.loads(data[8 : 8 + length])["weights"]["data_offsets"][0]
        self.names = names_of(ModelCard.read(path))
        self._whole = Evaluator.from_brain(Brain.from_bytes(data))
        self._without = [_without(data, begin + FLOAT * number) for number in range(len(self.names))]

    def __call__(self, position: Position) -> Explained:
        """The parts of its opinion of a position."""
        sign = 1 if position.turn is Color.WHITE else -1
        whole = self._whole.centipawns(position)
        shares = (whole - evaluator.centipawns(position) for evaluator in self._without)
        return Explained(sign * whole, tuple(map(Term, self.names, (sign * share for share in shares))))


def explains(card: ModelCard) -> bool:
    """Is this brain a sum of named weights?"""
    return card.kind in SUMS and bool(names_of(card))


def names_of(card: ModelCard) -> list[str]:
    """The names of a brain's weights; none if it does not tell them."""
    settings = card.details().get("settings")
    order = settings.get("order") if isinstance(settings, dict) else None
    known = isinstance(order, list) and (len(order),) == card.tensors.get("weights")
    return [str(name) for name in order] if known and order else []


def _without(data: bytes, at: int) -> Evaluator:
    """The same brain with the weight at this byte set to nothing."""
    return Evaluator.from_brain(Brain.from_bytes(data[:at] + bytes(FLOAT) + data[at + FLOAT :]))
