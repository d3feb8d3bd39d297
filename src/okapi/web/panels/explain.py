"""Explain: what each piece contributes to a brain's value, what its neurons react to, and how two brains differ."""

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from okapi.analysis.attribution import BrainChanges, PositionAttribution, attribute_pieces, brain_changes
from okapi.analysis.compare import EvaluatorComparison
from okapi.analysis.neurons import FULL, Neurons, NeuronSurvey
from okapi.analysis.positions import self_play_positions
from okapi.brains import card, find
from okapi.brains.nnue import KIND
from okapi.core import Color, Kind, Position, Value
from okapi.core.packed import pack, unpack
from okapi.core.samples import Rows
from okapi.errors import OkapiError, UsageError
from okapi.web.jobs import Steps
from okapi.web.messages import Between, BrainName, BrainRef, Fen, MoveText, Nothing
from okapi.web.panel import Answer, JobPanel, answers
from okapi.web.state import open_evaluator
from okapi.web.views import choices, position_view, side_name, value_view

SURVEYED: Final = 2000
"""Positions that neurons are asked about."""

LISTED: Final = 128
"""Neurons that a page gets a list of: those with the most influence."""

STRONGEST: Final = 6
MOST_ACTIVE: Final = 8
SQUARES: Final = 16
"""For a page: pieces on squares that are named, positions of the largest activations, squares whose worth changed."""


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
    return {
        "count": len(surveyed.neurons),
        "positions": len(surveyed.survey.rows),
        "neurons": [
            {
                "number": fact.number,
                "influence": round(fact.influence, 1),
                "active": round(fact.active, 3),
                "saturated": round(fact.saturated, 3),
                "contribution": round(fact.mean_contribution, 1),
            }
            for fact in surveyed.survey.neurons[:LISTED]
        ],
    }


def neuron_view(surveyed: Surveyed, number: int, position: Position) -> dict[str, Any]:
    """The weights of a neuron, the positions with its largest activations, and its contribution in this position."""
    neurons, survey = surveyed.neurons, surveyed.survey
    weights = neurons.weights(number)
    positions = pack([position])
    sums = neurons.sums(positions)
    contributions = neurons.contributions(positions, sums)[0, :, number].tolist()
    sides = (position.turn, position.turn.other)
    return {
        "maps": [
            {
                "side": whose,
                "kind": kind.name.lower(),
                "weights": [
                    None if math.isnan(weight) else round(weight, 3) for weight in weights[side, kind.value].tolist()
                ],
            }
            for side, whose in enumerate(("own", "enemy"))
            for kind in Kind
        ],
        "strongest": [[what, round(weight, 2)] for what, weight in neurons.strongest(number, STRONGEST, survey.seen)],
        "most_active": [
            {
                "fen": unpack(survey.rows["position"][active.row]).fen(),
                "side": side_name(active.side),
                "activation": round(active.activation, 2),
            }
            for active in survey.most_active(number, MOST_ACTIVE)
        ],
        "here": [
            {
                "side": side_name(side),
                "activation": round(int(sums[0, view, number]) / FULL, 2),
                "centipawns": round(contributions[view] if view == 0 else -contributions[view], 1),
            }
            for view, side in enumerate(sides)
        ],
    }


def changes_view(found: BrainChanges) -> dict[str, Any]:
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


def _boards(compared: EvaluatorComparison) -> list[dict[str, Any]]:
    """Where the values are furthest apart; the newer brain's first."""
    boards = []
    for row in compared.worst.tolist():
        position = unpack(compared.rows["position"][row])
        now, before = (value_view(Value(float(judge.values[row]), position.turn)) for judge in compared.evaluators)
        boards.append({"fen": position.fen(), "turn": side_name(position.turn), "now": now, "before": before})
    return boards


JUDGED: Final = 1000
TAKEN_OFF: Final = 250
BOARDS: Final = 8
"""Of two brains: positions they judge, positions whose pieces are taken off, boards where they are furthest apart."""

MOST_NEURONS: Final = 1024

Number = Annotated[int, Between(0, 2**53)]
"""Comes back with what is found, so that the page knows which question it answers."""


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """A position whose pieces are attributed, for one brain or two."""

    fen: Fen
    brain: BrainName
    against: BrainName | None = None
    move: MoveText | None = None
    """To be played first."""
    number: Number = 0


@dataclass(frozen=True, slots=True)
class Closer:
    brain: BrainName
    neuron: Annotated[int, Between(0, MOST_NEURONS - 1)]
    fen: Fen
    number: Number = 0


@dataclass(frozen=True, slots=True)
class Generations:
    before: BrainName
    now: BrainName


class Explain(JobPanel):
    """Everything but the position itself comes as news."""

    name = "explain"

    @answers(Nothing)
    def listed(self, message: Nothing) -> Answer:

        def steps() -> Steps:
            names = [name for name in self.state.brains if self._judges(name)]
            yield {"brains": [{"brain": name, "neurons": self._has_neurons(name)} for name in names]}

        self.start_job(steps(), "listed")
        return None

    @answers(ExplainRequest)
    def pieces(self, question: ExplainRequest) -> Answer:
        """The position at once; what its pieces contribute comes as news."""
        position = Position.from_fen(question.fen)
        if question.move is not None:
            position.play(choices(position).get(question.move) or position.move(question.move))
        names = [question.brain, *([] if question.against is None else [question.against])]
        paths = [find(self.state.source(name)) for name in names]

        def steps() -> Steps:
            found = []
            for path in paths:
                with self.state.cached(open_evaluator, path) as evaluator:
                    found.append(worths_view(attribute_pieces(evaluator, position)))
            yield {"fen": position.fen(), "attributions": found}

        self.start_job(steps(), "attributed", number=question.number)
        return {"position": position_view(position)}

    @answers(BrainRef)
    def neurons(self, named: BrainRef) -> Answer:
        path = find(self.state.source(named.brain))

        def steps() -> Steps:
            with self.state.cached(Surveyed, path) as surveyed:
                yield neurons_view(surveyed)

        self.start_job(steps(), "surveyed", brain=named.brain)
        return None

    @answers(Closer)
    def neuron(self, closer: Closer) -> Answer:
        path = find(self.state.source(closer.brain))
        position = Position.from_fen(closer.fen)

        def steps() -> Steps:
            with self.state.cached(Surveyed, path) as surveyed:
                surveyed.neurons.check(closer.neuron)
                yield neuron_view(surveyed, closer.neuron, position)

        self.start_job(steps(), "neuron", brain=closer.brain, neuron=closer.neuron, number=closer.number)
        return None

    @answers(Generations)
    def changes(self, generations: Generations) -> Answer:
        before, now = (self.state.source(name) for name in (generations.before, generations.now))
        if before == now:
            raise UsageError("a brain has not changed since it was itself", hint="choose two brains")

        def steps() -> Steps:
            rows = own_rows()[:: len(own_rows()) // JUDGED]
            yield changes_view(brain_changes(before, now, rows, worst=BOARDS, attributed=TAKEN_OFF))

        self.start_job(steps(), "changed", before=generations.before, now=generations.now)
        return None

    def _judges(self, name: str) -> bool:
        try:
            return not self.state.predicts_moves(name) and bool(card(self.state.source(name)).kind)
        except OkapiError:
            return False

    def _has_neurons(self, name: str) -> bool:
        return card(self.state.source(name)).kind == KIND
