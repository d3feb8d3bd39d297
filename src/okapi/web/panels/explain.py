"""Explain: what each piece contributes to a brain's value, what its neurons react to, and how two brains differ."""

import math
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from okapi.analysis.attribution import BrainChanges, PositionAttribution, attribute_pieces, brain_changes
from okapi.analysis.neurons import FULL, Neurons, NeuronSurvey
from okapi.analysis.positions import self_play_positions
from okapi.brains import evaluator, find
from okapi.brains.nnue import KIND
from okapi.core import Color, Kind, Position, Value
from okapi.core.packed import pack, unpack
from okapi.core.samples import Rows
from okapi.errors import UsageError
from okapi.web.jobs import Steps
from okapi.web.messages import Between, BrainName, Fen, MoveText, Number
from okapi.web.panel import JobPanel, job
from okapi.web.views import picked, position_view, read_position, side_name, value_view

JUDGED: Final = 1000  # positions that two brains are asked to judge
TAKEN_OFF: Final = 250  # positions whose pieces are taken off
BOARDS: Final = 8  # where two brains are furthest apart
NeuronNumber = Annotated[int, Between(0, 1023)]
SURVEYED: Final = 2000  # positions that neurons are asked about
LISTED: Final = 128  # neurons that a page gets a list of: those with the most influence
STRONGEST: Final = 6  # pieces on squares with the largest weights of a neuron
MOST_ACTIVE: Final = 8  # positions of its largest activations
SQUARES: Final = 16  # those whose worth changed most


@cache
def own_rows() -> Rows:
    """The positions that brains are measured on: of games of Okapi against itself."""
    return self_play_positions(SURVEYED)


class Surveyed:
    """The neurons of a brain, and their activations in those positions."""

    def __init__(self, path: Path) -> None:
        self.neurons = Neurons.open(path)
        self.survey = NeuronSurvey.of(self.neurons, own_rows())


def worths_view(found: PositionAttribution) -> dict[str, Any]:
    """A position piece by piece; centipawns are the owner's."""
    pieces = []
    for worth in found.pieces:
        kind, side = worth.piece.kind, side_name(worth.piece.color)
        usual = {"centipawns": worth.centipawns, "usual": round(found.usual(kind))}
        pieces.append({"square": str(worth.square), "side": side, "kind": kind.name.lower(), **usual})
    totals = {side_name(side): found.total(side) for side in Color}
    return {"value": value_view(Value.from_centipawns(found.centipawns, Color.WHITE)), **totals, "pieces": pieces}


def neuron_view(surveyed: Surveyed, number: int, position: Position) -> dict[str, Any]:
    """The weights of a neuron, the positions with its largest activations, and its contribution in this position."""
    neurons, survey = surveyed.neurons, surveyed.survey
    weights, rows = neurons.weights(number), survey.rows["position"]
    positions = pack([position])
    sums = neurons.sums(positions)
    own, enemy = neurons.contributions(positions, sums)[0, :, number].tolist()
    here = zip((position.turn, position.turn.other), sums[0, :, number].tolist(), (own, -enemy), strict=True)
    return {
        "maps": [
            {"side": whose, "kind": kind.name.lower(), "weights": _rounded(weights[side, kind.value].tolist())}
            for side, whose in enumerate(("own", "enemy"))
            for kind in Kind
        ],
        "strongest": [[what, round(weight, 2)] for what, weight in neurons.strongest(number, STRONGEST, survey.seen)],
        "most_active": [
            {"fen": unpack(rows[active.row]).fen(), "side": side_name(active.side), **picked(active, activation=2)}
            for active in survey.most_active(number, MOST_ACTIVE)
        ],
        "here": [
            {"side": side_name(side), "activation": round(total / FULL, 2), "centipawns": round(contribution, 1)}
            for side, total, contribution in here
        ],
    }


def _rounded(weights: list[float]) -> list[float | None]:
    return [None if math.isnan(weight) else round(weight, 3) for weight in weights]


def changes_view(found: BrainChanges) -> dict[str, Any]:
    """How two brains differ, and boards on which their values are furthest apart; the newer brain is the first."""
    pair, boards = found.compared.pairs[0], []
    for row in found.compared.worst.tolist():
        position = unpack(found.compared.rows["position"][row])
        values = [Value(float(judge.values[row]), position.turn) for judge in found.compared.evaluators]
        now, before = map(value_view, values)
        boards.append({"fen": position.fen(), "turn": side_name(position.turn), "now": now, "before": before})
    pieces = [(kind.name.lower(), round(before), round(now)) for kind, before, now in found.kinds()]
    return {
        "positions": len(found.compared.rows),
        "whole": pair.whole.as_json(),
        "kinds": [{"name": name, **gap.as_json()} for name, gap in pair.kinds.items()],
        "pieces": [{"kind": kind, "before": before, "now": now} for kind, before, now in pieces],
        "squares": [
            {"kind": change.kind.name.lower(), **picked(change, "square", "seen", before=None, now=None, beyond=None)}
            for change in found.squares(SQUARES)
        ],
        "boards": boards,
    }


class Explain(JobPanel):
    """Everything but the position itself comes as news."""

    @job("listed")
    def listed(self) -> Steps:
        yield None
        cards = {name: self.state.card(name) for name in self.state.brains}
        brains = [
            {"brain": name, "neurons": card.kind == KIND}
            for name, card in cards.items()
            if card is not None and card.kind and not card.predicts_moves
        ]
        yield {"brains": brains}

    @job("attributed", "number")
    def pieces(
        self,
        fen: Fen,
        brain: BrainName,
        against: BrainName | None = None,
        move: MoveText | None = None,
        number: Number = 0,
    ) -> Steps:
        """A position, after a move if there is one; what its pieces contribute, for one brain or two, comes as news."""
        position = read_position(fen, move)
        paths = [find(self.state.source(name)) for name in (brain, against) if name is not None]
        yield {"position": position_view(position)}
        found = []
        for path in paths:
            with self.state.cached(evaluator, path) as judge:
                found.append(worths_view(attribute_pieces(judge, position)))
        yield {"fen": position.fen(), "attributions": found}

    @job("surveyed", "brain")
    def neurons(self, brain: BrainName) -> Steps:
        path = find(self.state.source(brain))
        yield None
        with self.state.cached(Surveyed, path) as surveyed:
            facts = surveyed.survey.neurons[:LISTED]
            told = [picked(fact, "number", influence=1, active=3, saturated=3) for fact in facts]
            for view, fact in zip(told, facts, strict=True):
                view["contribution"] = round(fact.mean_contribution, 1)
            yield {"count": len(surveyed.neurons), "positions": len(surveyed.survey.rows), "neurons": told}

    @job("neuron", "brain", "neuron", "number")
    def neuron(self, brain: BrainName, neuron: NeuronNumber, fen: Fen, number: Number = 0) -> Steps:
        path = find(self.state.source(brain))
        position = Position.from_fen(fen)
        yield None
        with self.state.cached(Surveyed, path) as surveyed:
            surveyed.neurons.check(neuron)
            yield neuron_view(surveyed, neuron, position)

    @job("changed", "before", "now")
    def changes(self, before: BrainName, now: BrainName) -> Steps:
        sources = self.state.source(before), self.state.source(now)
        if sources[0] == sources[1]:
            raise UsageError("a brain has not changed since it was itself", hint="choose two brains")
        yield None
        rows = own_rows()[:: len(own_rows()) // JUDGED]
        yield changes_view(brain_changes(*sources, rows, worst=BOARDS, attributed=TAKEN_OFF))
