"""What is inside a brain, as pages get it."""

import math
from functools import cache
from pathlib import Path
from typing import Any, Final

from okapi.analysis.disagreement import Compared, own_positions
from okapi.analysis.explain import Changes, Survey
from okapi.brains.neurons import FULL, Neurons
from okapi.brains.worth import Worths
from okapi.core import Color, Kind, Position, Value
from okapi.core.packed import pack, unpack
from okapi.core.samples import Rows
from okapi.web.views import side_name, value_view

__all__ = ["Surveyed", "changes_view", "neuron_view", "neurons_view", "own_rows", "worths_view"]

SURVEYED: Final = 2000
"""Positions that neurons are asked about."""

LISTED: Final = 128
"""Neurons that a page gets a list of: those with the most influence."""

STRONGEST: Final = 6
EXCITING: Final = 8
SQUARES: Final = 16
"""For a page: pieces on squares that are named, positions that excite a neuron, squares whose worth changed."""


@cache
def own_rows() -> Rows:
    """The positions that brains are looked into with: of games that Okapi plays against itself."""
    return own_positions(SURVEYED)


class Surveyed:
    """The neurons of a brain, and what they do in those positions."""

    def __init__(self, path: Path) -> None:
        self.neurons = Neurons.open(path)
        self.survey = Survey.of(self.neurons, own_rows())


def worths_view(found: Worths) -> dict[str, Any]:
    """A position piece by piece; centipawns are the owner's."""
    return {
        "value": value_view(Value.from_centipawns(found.centipawns, Color.WHITE)),
        "white": found.total(Color.WHITE),
        "black": found.total(Color.BLACK),
        "pieces": [
            {
                "square": str(worth.square),
                "side": side_name(worth.piece.color),
                "kind": worth.piece.kind.name.lower(),
                "centipawns": worth.centipawns,
                "usual": round(found.usual(worth.piece.kind)),
            }
            for worth in found.pieces
        ],
    }


def neurons_view(surveyed: Surveyed) -> dict[str, Any]:
    """Those with the most influence."""
    return {
        "count": len(surveyed.neurons),
        "positions": len(surveyed.survey.rows),
        "neurons": [
            {
                "number": fact.number,
                "influence": round(fact.influence, 1),
                "awake": round(fact.awake, 3),
                "full": round(fact.full, 3),
                "favour": round(fact.favour, 1),
            }
            for fact in surveyed.survey.neurons[:LISTED]
        ],
    }


def neuron_view(surveyed: Surveyed, number: int, position: Position) -> dict[str, Any]:
    """What one neuron likes, what excites it most, and what it says in this position."""
    neurons, survey = surveyed.neurons, surveyed.survey
    likes = neurons.likes(number)
    positions = pack([position])
    sums = neurons.sums(positions)
    says = neurons.says(positions, sums)[0, :, number].tolist()
    sides = (position.turn, position.turn.other)
    return {
        "maps": [
            {
                "side": whose,
                "kind": kind.name.lower(),
                "weights": [
                    None if math.isnan(weight) else round(weight, 3) for weight in likes[side, kind.value].tolist()
                ],
            }
            for side, whose in enumerate(("own", "enemy"))
            for kind in Kind
        ],
        "strongest": [[what, round(weight, 2)] for what, weight in neurons.strongest(number, STRONGEST, survey.seen)],
        "exciting": [
            {
                "fen": unpack(survey.rows["position"][excited.row]).fen(),
                "side": side_name(excited.side),
                "loudness": round(excited.loudness, 2),
            }
            for excited in survey.exciting(number, EXCITING)
        ],
        "here": [
            {
                "side": side_name(side),
                "loudness": round(int(sums[0, view, number]) / FULL, 2),
                "centipawns": round(says[view] if view == 0 else -says[view], 1),
            }
            for view, side in enumerate(sides)
        ],
    }


def changes_view(found: Changes) -> dict[str, Any]:
    """What changed from one brain to another."""
    pair = found.compared.pairs[0]
    return {
        "positions": len(found.compared.rows),
        "whole": pair.whole.as_json(),
        "kinds": [{"name": name, **gap.as_json()} for name, gap in pair.kinds.items()],
        "pieces": [
            {"kind": kind.name.lower(), "before": round(before), "now": round(now)}
            for kind, before, now in found.kinds()
        ],
        "squares": [
            {
                "kind": change.kind.name.lower(),
                "square": change.square,
                "before": round(change.before),
                "now": round(change.now),
                "beyond": round(change.beyond),
                "seen": change.seen,
            }
            for change in found.squares(SQUARES)
        ],
        "boards": _boards(found.compared),
    }


def _boards(compared: Compared) -> list[dict[str, Any]]:
    """Where the opinions are furthest apart; the newer brain's first."""
    boards = []
    for row in compared.worst.tolist():
        position = unpack(compared.rows["position"][row])
        now, before = (value_view(Value(float(judge.values[row]), position.turn)) for judge in compared.judges)
        boards.append({"fen": position.fen(), "turn": side_name(position.turn), "now": now, "before": before})
    return boards
