"""Inside: what each piece is worth to a brain, what its neurons like, and what changed since another brain."""

from dataclasses import dataclass
from typing import Annotated, Final

from okapi.analysis.explain import changes
from okapi.brains import card, find
from okapi.brains.nnue import KIND
from okapi.brains.worth import worths
from okapi.core import Position
from okapi.errors import OkapiError, UsageError
from okapi.web.inquiring import InquiringPanel
from okapi.web.inquiry import Steps
from okapi.web.inside_views import changes_view, neuron_view, neurons_view, own_rows, worths_view
from okapi.web.messages import Between, Fen, MoveText, Nothing, Text
from okapi.web.panel import Answer, answers
from okapi.web.views import choices, position_view

__all__ = ["Inside"]

JUDGED: Final = 1000
WORTHS: Final = 250
BOARDS: Final = 8
"""Of two brains: positions they judge, positions whose pieces are taken off, boards where they are furthest apart."""

MOST_NEURONS: Final = 1024

Name = Annotated[str, Text(300)]
Number = Annotated[int, Between(0, 2**53)]
"""Comes back with what is found, so that the page knows which question it answers."""


@dataclass(frozen=True, slots=True)
class Question:
    """What are the pieces worth to a brain, and to another one?"""

    fen: Fen
    brain: Name
    against: Name | None = None
    move: MoveText | None = None
    """To be played first."""
    number: Number = 0


@dataclass(frozen=True, slots=True)
class Named:
    """Which brain?"""

    brain: Name


@dataclass(frozen=True, slots=True)
class Closer:
    """Which neuron, and what does it say in this position?"""

    brain: Name
    neuron: Annotated[int, Between(0, MOST_NEURONS - 1)]
    fen: Fen
    number: Number = 0


@dataclass(frozen=True, slots=True)
class Generations:
    """Which brain was before, and which is now?"""

    before: Name
    now: Name


class Inside(InquiringPanel):
    """Everything but the position itself comes as news."""

    name = "inside"

    @answers(Nothing)
    def listed(self, message: Nothing) -> Answer:
        """Brains that judge positions, and whether they have neurons to look at."""

        def steps() -> Steps:
            names = [name for name in (*self.house.brains, *self.house.shelf.brains()) if self._judges(name)]
            yield {"brains": [{"brain": name, "neurons": self._has_neurons(name)} for name in names]}

        self.inquire(steps(), "listed")
        return None

    @answers(Question)
    def pieces(self, question: Question) -> Answer:
        """The position at once; what its pieces are worth comes as news."""
        position = Position.from_fen(question.fen)
        if question.move is not None:
            position.play(choices(position).get(question.move) or position.move(question.move))
        names = [question.brain, *([] if question.against is None else [question.against])]
        paths = [find(self.house.source(name)) for name in names]

        def steps() -> Steps:
            found = []
            for path in paths:
                with self.house.evaluators.use(path) as evaluator:
                    found.append(worths_view(worths(evaluator, position)))
            yield {"fen": position.fen(), "worths": found}

        self.inquire(steps(), "worth", number=question.number)
        return {"position": position_view(position)}

    @answers(Named)
    def neurons(self, named: Named) -> Answer:
        """Those with the most influence first."""
        path = find(self.house.source(named.brain))

        def steps() -> Steps:
            with self.house.surveys.use(path) as surveyed:
                yield neurons_view(surveyed)

        self.inquire(steps(), "surveyed", brain=named.brain)
        return None

    @answers(Closer)
    def neuron(self, closer: Closer) -> Answer:
        """What one of them likes."""
        path = find(self.house.source(closer.brain))
        position = Position.from_fen(closer.fen)

        def steps() -> Steps:
            with self.house.surveys.use(path) as surveyed:
                surveyed.neurons.check(closer.neuron)
                yield neuron_view(surveyed, closer.neuron, position)

        self.inquire(steps(), "liked", brain=closer.brain, neuron=closer.neuron, number=closer.number)
        return None

    @answers(Generations)
    def changes(self, generations: Generations) -> Answer:
        """What changed from one brain to the other."""
        before, now = (self.house.source(name) for name in (generations.before, generations.now))
        if before == now:
            raise UsageError("a brain has not changed since it was itself", hint="choose two brains")

        def steps() -> Steps:
            rows = own_rows()[:: len(own_rows()) // JUDGED]
            yield changes_view(changes(before, now, rows, worst=BOARDS, worths=WORTHS))

        self.inquire(steps(), "changed", before=generations.before, now=generations.now)
        return None

    def _judges(self, name: str) -> bool:
        """Can it be asked at all?"""
        try:
            return not self.house.predicts_moves(name) and bool(card(self.house.source(name)).kind)
        except OkapiError:
            return False

    def _has_neurons(self, name: str) -> bool:
        return card(self.house.source(name)).kind == KIND
