"""Trees: where searches of two shapes look in the same position; and the position as Giraffe sees it, in words."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from okapi.brains import find, is_native, move_prior
from okapi.core import Position
from okapi.core.explain import over
from okapi.encodings.lai2015_words import in_words
from okapi.errors import OkapiError, UsageError
from okapi.web.inquiring import InquiringPanel
from okapi.web.inquiry import Steps
from okapi.web.messages import Between, Fen, Many, MoveText, Nothing, Text
from okapi.web.panel import Answer, answers
from okapi.web.tree_views import MOST_NODES, grow_pair, subject_view, tree_view
from okapi.web.views import choices, played_view, position_view

__all__ = ["Trees"]

FEWEST_NODES: Final = 20
LONGEST_LINE: Final = 200

Name = Annotated[str, Text(300)]
Number = Annotated[int, Between(0, 2**53)]
"""Comes back with what is found, so that the page knows which question it answers."""

Shape = Literal["depth", "even", "shares", "learned"]


@dataclass(frozen=True, slots=True)
class Place:
    """Which position?"""

    fen: Fen


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Where do searches of these shapes look?"""

    fen: Fen
    brain: Name
    left: Shape = "depth"
    right: Shape = "even"
    moves: Name | None = None
    """The brain that says how likely moves are, where a shape is learned."""
    nodes: Annotated[int, Between(FEWEST_NODES, MOST_NODES)] = 1000
    naive: bool = True
    """Without anything that makes a search clever, as the thesis compares them."""
    number: Number = 0


@dataclass(frozen=True, slots=True)
class Way:
    """Moves from a position, as two squares or in SAN."""

    fen: Fen
    moves: Annotated[tuple[MoveText, ...], Many(LONGEST_LINE)]
    number: Number = 0


class Trees(InquiringPanel):
    """Trees grow in a thread; a newer question ends an older one."""

    name = "trees"

    @answers(Nothing)
    def listed(self, message: Nothing) -> Answer:
        """Brains that judge positions in a search of the core, and move networks, come as news."""

        def steps() -> Steps:
            names = [*self.house.brains, *self.house.shelf.brains()]
            yield {
                "brains": [name for name in names if self._judges(name)],
                "moves": [name for name in self.house.all_brains() if self.house.knows_moves(name)],
            }

        self.inquire(steps(), "listed")
        return None

    @answers(Place)
    def see(self, place: Place) -> Answer:
        """What can be done in a position, and what Giraffe sees of it, in words."""
        position = Position.from_fen(place.fen)
        return {
            "position": position_view(position),
            "subjects": [subject_view(subject) for subject in in_words(position)],
        }

    @answers(Way)
    def walk(self, way: Way) -> Answer:
        """Where moves lead: each as it is written, and what comes of it."""
        position = Position.from_fen(way.fen)
        return {
            "moves": [played_view(position, choices(position).get(move) or position.move(move)) for move in way.moves]
        }

    @answers(Question)
    def grow(self, question: Question) -> Answer:
        """Both trees come as news, together."""
        position = Position.from_fen(question.fen)
        if not position.legal_moves():
            raise over(position)
        if not self._judges(question.brain):
            self.house.source(question.brain)
            raise UsageError(f"no tree grows with `{question.brain[:40]}`", hint="choose one that is offered")
        if "learned" in (question.left, question.right) and question.moves is None:
            raise UsageError("a learned shape needs a brain that knows moves", hint="choose one that is offered")
        path = find(self.house.source(question.brain))
        source = None if question.moves is None else self.house.source(question.moves)
        without = ("all",) if question.naive else ()

        def steps() -> Steps:
            moves = None if source is None else move_prior(source)
            shapes = (question.left, question.right)
            with self.house.evaluators.use(path) as evaluator:
                trees = grow_pair(evaluator, position, shapes, question.nodes, moves, without)
            views = [{"shape": shape, **tree_view(position, tree)} for shape, tree in zip(shapes, trees, strict=True)]
            yield {"fen": question.fen, "brain": question.brain, "trees": views}

        self.inquire(steps(), "grown", number=question.number)
        return None

    def _judges(self, name: str) -> bool:
        """Is it a brain that the core alone can judge positions with?"""
        try:
            return not self.house.predicts_moves(name) and is_native(self.house.source(name))
        except OkapiError:
            return False
