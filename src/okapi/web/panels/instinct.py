"""Instinct: what somebody would play at first sight, square by square; and where a game lies on a map of positions."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from okapi.core import Game, Position
from okapi.core.packed import pack
from okapi.encodings.layers import ELO_RANGE
from okapi.errors import NotFound, OkapiError
from okapi.web.inquiry import Inquiry, Steps
from okapi.web.instinct_views import felt_view, map_view, walk_view
from okapi.web.messages import LONGEST, Between, Fen, Many, MoveText, Nothing, Text
from okapi.web.panel import Answer, Desk, Panel, answers
from okapi.web.tree import main_line, read_text
from okapi.web.views import choices, played_view, position_view

__all__ = ["Instinct"]

LONGEST_WALK: Final = 600
"""Plies that are drawn on the map; no game between masters was as long."""

Name = Annotated[str, Text(300)]
Number = Annotated[int, Between(0, 2**53)]
"""Comes back with what is found, so that the page knows which question it answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What would somebody of this rating play here, says this brain?"""

    fen: Fen
    brain: Name | None = None
    """None: only the position is asked for."""
    elo: Annotated[int, Between(*ELO_RANGE)] | None = None
    number: Number = 0


@dataclass(frozen=True, slots=True)
class Written:
    """A FEN or a PGN."""

    text: Annotated[str, Text(LONGEST)]


@dataclass(frozen=True, slots=True)
class Step:
    """A move as two squares or in SAN."""

    fen: Fen
    move: MoveText


@dataclass(frozen=True, slots=True)
class Named:
    """Whose atlas?"""

    brain: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """A game whose positions are looked up in an atlas."""

    brain: Name
    start: Fen
    moves: Annotated[tuple[MoveText, ...], Many(LONGEST_WALK)] = ()
    number: Number = 0


class Instinct(Panel):
    """Networks answer in a thread; a newer question of a kind ends an older one."""

    name = "instinct"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._asked: dict[str, Inquiry] = {}

    @answers(Nothing)
    def listed(self, message: Nothing) -> Answer:
        """Brains that predict moves, and those that have an atlas, come as news."""
        self._inquire("listed", self._choices(), None)
        return None

    @answers(Written)
    def open(self, message: Written) -> Answer:
        """The position, or the main line of the game, that a text stands for."""
        return main_line(read_text(message.text))

    @answers(Step)
    def move(self, message: Step) -> Answer:
        """A move as it is written, and what comes of it."""
        position = Position.from_fen(message.fen)
        return {"move": played_view(position, choices(position).get(message.move) or position.move(message.move))}

    @answers(Question)
    def feel(self, question: Question) -> Answer:
        """What can be done in the position, at once; what the brain would do comes as news."""
        position = Position.from_fen(question.fen)
        answer = {"position": position_view(position)}
        if question.brain is None:
            return answer
        path = self.house.predicting(question.brain)
        said = {"fen": question.fen, "brain": question.brain, "elo": question.elo}

        def steps() -> Steps:
            with self.house.predictors.use(path) as predictor:
                elo = question.elo if "elo" in predictor.dials else None
                squares = predictor.squares(pack([position]), elo=elo)
                (moves,) = predictor.moves(pack([position]), elo=elo)
                dials = sorted(predictor.dials)
            yield {**said, "dials": dials, **felt_view(position, squares, moves)}

        self._inquire("felt", steps(), question.number)
        return answer

    @answers(Named)
    def atlas(self, named: Named) -> Answer:
        """The dots of a map come as news."""
        path = self._atlas_of(named.brain)

        def steps() -> Steps:
            with self.house.atlases.use(path) as atlas:
                yield {"brain": named.brain, **map_view(atlas)}

        self._inquire("atlas", steps(), None)
        return None

    @answers(Walk)
    def walk(self, walk: Walk) -> Answer:
        """Where the positions of a game lie on the map comes as news."""
        path = self._atlas_of(walk.brain)
        game = Game.of(list(walk.moves), Position.from_fen(walk.start))

        def steps() -> Steps:
            with self.house.atlases.use(path) as atlas:
                yield {"brain": walk.brain, "points": walk_view(atlas, game)}

        self._inquire("walked", steps(), walk.number)
        return None

    def close(self) -> None:
        """The page has gone."""
        for inquiry in self._asked.values():
            inquiry.stop()

    def _inquire(self, kind: str, steps: Steps, number: int | None) -> None:
        """Tell the page what is found as `instinct.KIND`, or that nothing was."""
        if kind in self._asked:
            self._asked[kind].stop()
        which = {} if number is None else {"number": number}

        def heard(found: dict[str, Any]) -> None:
            self.desk.tell(f"instinct.{kind}", **which, **found)

        def failed(error: OkapiError) -> None:
            self.desk.tell("error", error=str(error), hint=error.hint)
            self.desk.tell("instinct.failed", of=kind, **which)

        inquiry = Inquiry(self, steps, stop=lambda: None, on_news=heard, on_failed=failed)
        self._asked[kind] = inquiry
        self.house.inquiries.submit(inquiry)

    def _choices(self) -> Steps:
        names = self.house.all_brains()
        predicting = [name for name in names if self.house.predicts_moves(name)]
        charted = [name for name in names if name not in predicting and self.house.atlas(name) is not None]
        yield {"brains": predicting, "atlases": charted, "elo": list(ELO_RANGE)}

    def _atlas_of(self, brain: str) -> Path:
        path = self.house.atlas(brain)
        if path is None:
            raise NotFound(f"`{brain[:40]}` has no atlas", hint="choose one that is offered")
        return path
