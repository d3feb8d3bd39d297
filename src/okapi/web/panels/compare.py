"""Compare: one position, valued by several brains at once; and where a brain and its teacher disagree most."""

from pathlib import Path
from typing import Annotated, Any

from okapi.analysis.compare import DISAGREEMENTS, Disagreement, DisagreementList
from okapi.brains import evaluations
from okapi.brains.evaluation import class_shares
from okapi.core import Color, Position, Value
from okapi.core.packed import pack
from okapi.errors import NotFound, OkapiError
from okapi.web.jobs import Steps
from okapi.web.messages import BrainName, Fen, Many, Text
from okapi.web.panel import Answer, JobPanel, action, job
from okapi.web.views import position_view, side_name, value_view

BrainNames = Annotated[tuple[BrainName, ...], Many(8)]


class Compare(JobPanel):
    """Brains value a position in a thread, one after the other; the page gets all values so far after each."""

    @job("listed")
    def listed(self) -> Steps:
        yield None
        own = self.state.library.brains()
        brains = [{"brain": name, "place": "runs" if name in own else "shipped"} for name in self.state.brains]
        yield {"brains": brains, "lists": list(self._lists())}

    @action
    def values(self, fen: Fen, brains: BrainNames) -> Answer:
        """The position at once; values come as news."""
        position = Position.from_fen(fen)
        sources = {name: self.state.source(name) for name in brains}
        self.run_steps(_evaluations(position, sources), "valued", fen=position.fen())
        return {"position": position_view(position)}

    @job("disagreed", "place")
    def disagreements(self, place: Annotated[str, Text(300)]) -> Steps:
        if (path := self._lists().get(place)) is None:
            raise NotFound("there is no such list here", hint="choose one that is offered")
        yield None
        listed = DisagreementList.read(path)
        positions = [_disagreement(told) for told in listed.positions]
        yield {"brain": listed.brain, "teacher": listed.teacher, "positions": positions}

    def _lists(self) -> dict[str, Path]:
        files = {place: folder / DISAGREEMENTS for place, folder in self.state.library.places()}
        return {place: file for place, file in files.items() if file.is_file()}


def _evaluations(position: Position, sources: dict[str, str]) -> Steps:
    """The value of each brain, and the error of each brain that cannot be used."""
    positions = pack([position])
    found: list[dict[str, Any]] = []
    for name, source in sources.items():
        told: dict[str, Any] = {"brain": name, "value": None, "classes": [], "error": None}
        try:
            judged = evaluations(source, positions)
            classes = [share.as_json() for share in class_shares(judged, 0, position.turn, Color.WHITE)]
            told |= {"value": value_view(Value(float(judged.values[0]), position.turn)), "classes": classes}
        except OkapiError as error:
            told["error"] = str(error)
        found.append(told)
        yield {"evaluations": list(found)}


def _disagreement(told: Disagreement) -> dict[str, Any]:
    turn = Position.from_fen(told.fen).turn
    values = {name: value_view(Value(getattr(told, name), turn)) for name in ("teacher", "value")}
    apart = round(abs(told.teacher - told.value), 3)
    return {"fen": told.fen, "turn": side_name(turn), "apart": apart, "kinds": list(told.kinds), **values}
