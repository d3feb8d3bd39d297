"""Judges: one position, judged by several brains at once; and where a brain and its teacher disagree most."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final

from okapi.analysis.disagreement import Disagreement, Listed
from okapi.brains import opinions
from okapi.brains.classes import class_shares
from okapi.core import Color, Position, Value
from okapi.core.packed import pack
from okapi.core.samples import Rows
from okapi.errors import NotFound, OkapiError
from okapi.web.inquiry import Inquiry, Steps
from okapi.web.messages import Fen, Many, Nothing, Text
from okapi.web.panel import Answer, Desk, Panel, answers
from okapi.web.views import position_view, side_name, value_view

__all__ = ["Judges"]

AT_ONCE: Final = 8
"""Brains that one page may ask at a time."""

Name = Annotated[str, Text(300)]


@dataclass(frozen=True, slots=True)
class Question:
    """Which position, and which brains?"""

    fen: Fen
    brains: Annotated[tuple[Name, ...], Many(AT_ONCE)]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which list?"""

    place: Name


class Judges(Panel):
    """Brains judge in a thread, one after the other; the page is told all that have spoken after each."""

    name = "judges"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._asked: Inquiry | None = None

    @answers(Nothing)
    def listed(self, message: Nothing) -> Answer:
        """What there is to choose from comes as news."""
        self._inquire(self._choices(), lambda found: self.desk.tell("judges.listed", **found))
        return None

    @answers(Question)
    def judge(self, question: Question) -> Answer:
        """The position at once; opinions come as news. A newer question ends an older one."""
        position = Position.from_fen(question.fen)
        sources = {name: self.house.source(name) for name in question.brains}
        if self._asked is not None:
            self._asked.stop()
        fen, spoken = position.fen(), []

        def heard(opinion: dict[str, Any]) -> None:
            spoken.append(opinion)
            self.desk.tell("judges.judged", fen=fen, opinions=spoken)

        self._asked = self._inquire(_opinions(position, sources), heard)
        return {"position": position_view(position)}

    @answers(Choice)
    def disagreements(self, choice: Choice) -> Answer:
        """The positions of a list come as news."""
        path = self.house.shelf.lists().get(choice.place)
        if path is None:
            raise NotFound("there is no such list here", hint="choose one that is offered")

        def steps() -> Steps:
            yield Listed.read(path)

        def heard(listed: Listed) -> None:
            positions = [_disagreement(told) for told in listed.positions]
            self.desk.tell(
                "judges.disagreed", place=choice.place, brain=listed.brain, teacher=listed.teacher, positions=positions
            )

        self._inquire(steps(), heard)
        return None

    def close(self) -> None:
        """The page has gone."""
        if self._asked is not None:
            self._asked.stop()

    def _inquire(self, steps: Steps, heard: Callable[[Any], object]) -> Inquiry:
        def failed(error: OkapiError) -> None:
            self.desk.tell("error", error=str(error), hint=error.hint)

        inquiry = Inquiry(self, steps, stop=lambda: None, on_news=heard, on_failed=failed)
        self.house.inquiries.submit(inquiry)
        return inquiry

    def _choices(self) -> Steps:
        shelf = self.house.shelf
        brains = [{"brain": name, "place": "shipped"} for name in self.house.brains]
        left = (name for name in shelf.brains() if not self.house.predicts_moves(name))
        brains += [{"brain": name, "place": "runs"} for name in left]
        yield {"brains": brains, "lists": list(shelf.lists())}


def _opinions(position: Position, sources: dict[str, str]) -> Steps:
    """What each brain says. One that cannot be used says why, and the others speak all the same."""
    positions = pack([position])
    for name, source in sources.items():
        try:
            yield _opinion(name, source, position, positions)
        except OkapiError as error:
            yield {"brain": name, "value": None, "classes": [], "error": str(error)}


def _opinion(name: str, source: str, position: Position, positions: Rows) -> dict[str, Any]:
    """As White sees it, whoever is to move."""
    found = opinions(source, positions)
    value = Value(float(found.values[0]), position.turn)
    shares = class_shares(found, 0, position.turn, Color.WHITE)
    return {
        "brain": name,
        "value": value_view(value),
        "classes": [share.as_json() for share in shares],
        "error": None,
    }


def _disagreement(told: Disagreement) -> dict[str, Any]:
    turn = Position.from_fen(told.fen).turn
    return {
        "fen": told.fen,
        "turn": side_name(turn),
        "teacher": value_view(Value(told.teacher, turn)),
        "value": value_view(Value(told.value, turn)),
        "apart": round(abs(told.teacher - told.value), 3),
        "kinds": list(told.kinds),
    }
