"""Brains: what they say about themselves, and two of them on one position, side by side."""

from dataclasses import dataclass
from typing import Annotated, Any, Final

from okapi.brains.summary import summary
from okapi.core import Decision, Limits, Position, Value
from okapi.errors import OkapiError
from okapi.web.jobs import EngineSlot, SearchJob, SearchUpdate
from okapi.web.messages import Between, BrainName, BrainRef, Fen, Nothing
from okapi.web.panel import Answer, Panel, PanelContext, answers
from okapi.web.views import position_view, update_view, value_view

LINES: Final = 3
MOST_NODES: Final = 50_000_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two brains, a position, and the nodes of each search."""

    first: BrainName
    second: BrainName
    fen: Fen
    nodes: Annotated[int, Between(1, MOST_NODES)] = 200_000


class Brains(Panel):
    """Two searches at most, one for each brain; the page gets both after every change."""

    name = "brains"

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._slots: dict[str, EngineSlot] = {}
        self._searches: list[SearchJob] = []
        self._found: list[dict[str, Any]] = []

    @answers(Nothing)
    def listed(self, message: Nothing) -> Answer:
        """All brains, the preferred one first and those that predict moves last, and the folder of the user's."""
        offered = self.state.offer()
        return {
            "brains": [self._summary(name) for name in (*offered["brains"], *offered["predicting"])],
            "folder": self.state.runs_folder,
        }

    @answers(BrainRef)
    def card(self, named: BrainRef) -> Answer:
        """The model card, as `okapi brains show` prints it."""
        card = self.state.card(named.brain)
        hidden = ("okapi", "name", "kind")
        facts = [[key, _readable(value)] for key, value in card.details().items() if key not in hidden]
        tensors = [f"{name} {'×'.join(map(str, shape))}" for name, shape in card.tensors.items()]
        facts += [["tensors", ", ".join(tensors)], ["file", card.path.name]]
        return {**self._summary(named.brain), "facts": facts}

    @answers(Comparison)
    def compare(self, wanted: Comparison) -> Answer:
        """Both values without a search at once; results of the searches come as news."""
        position = Position.from_fen(wanted.fen)
        names = [self.state.known(wanted.first), self.state.known(wanted.second)]
        self._rest()
        view = position_view(position)
        self._found = [{"brain": name, "done": False, "lines": []} for name in names]
        if view["ending"] is None:
            self._searches = [
                self._search(seat, name, position, Limits(nodes=wanted.nodes)) for seat, name in enumerate(names)
            ]
            for search in self._searches:
                self.state.pool.submit(search)
        return {"position": view, "evaluations": [self._evaluation(name, position) for name in names]}

    @answers(Nothing)
    def stop(self, message: Nothing) -> Answer:
        self._rest()
        return None

    def close(self) -> None:
        self._rest()

    def _search(self, seat: int, name: str, position: Position, limits: Limits) -> SearchJob:
        """The search of one brain, in a slot of its own: both brains may be the same."""
        slot = self._slots.get(f"{seat}:{name}") or self.state.engine_slot(name)
        self._slots = {key: kept for key, kept in self._slots.items() if not key.startswith(f"{seat}:")}
        self._slots[f"{seat}:{name}"] = slot

        def news(news: SearchUpdate) -> None:
            self._found[seat].update(update_view(position, news))
            self._tell(position)

        def done(decision: Decision) -> None:
            if decision.lines:
                self._found[seat].update(
                    update_view(position, SearchUpdate(decision.lines, decision.nodes, search.seconds))
                )
            self._found[seat]["done"] = True
            self._tell(position)

        def failed(error: OkapiError) -> None:
            self.context.tell("error", error=str(error), hint=error.hint)

        search = SearchJob(self, slot, position, limits, multipv=LINES, on_update=news, on_done=done, on_failed=failed)
        return search

    def _tell(self, position: Position) -> None:
        lines = [search["lines"][:1] for search in self._found]
        parting = _parting(position, *(line[0]["moves"] for line in lines)) if all(lines) else None
        self.context.tell("brains.compared", fen=position.fen(), searches=self._found, parting=parting)

    def _evaluation(self, name: str, position: Position) -> dict[str, Any]:
        value = Value.from_centipawns(self.state.evaluator(name).centipawns(position), position.turn)
        terms = self.state.terms(name)
        if terms is None:
            return {"brain": name, "value": value_view(value), "terms": None, "rest": 0}
        explained = terms(position)
        parts = [{"name": term.name.replace("_", " "), "centipawns": term.centipawns} for term in explained.terms]
        return {"brain": name, "value": value_view(value), "terms": parts, "rest": explained.rest}

    def _summary(self, name: str) -> dict[str, Any]:
        card = self.state.card(name)
        details = card.details()
        return {
            "brain": name,
            **summary(card),
            "name": name,
            "default": name == self.state.default_brain,
            "note": _readable(details.get("note", "")),
            "source": _readable(details.get("source", "")),
        }

    def _rest(self) -> None:
        for search in self._searches:
            search.stop()
        self._searches = []


def _parting(position: Position, first: list[dict[str, Any]], second: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Where two lines part: the moves they share, the position after those, and what each plays there.

    Nothing, if they agree as far as the shorter one goes.
    """
    for number, (one, other) in enumerate(zip(first, second, strict=False)):
        if one["uci"] != other["uci"]:
            fen = first[number - 1]["fen"] if number else position.fen()
            return {"shared": [move["san"] for move in first[:number]], "fen": fen, "moves": [one, other]}
    return None


def _readable(value: Any) -> str:
    match value:
        case dict():
            return "; ".join(f"{key}: {_readable(item)}" for key, item in value.items())
        case list():
            return ", ".join(map(_readable, value))
        case _:
            return str(value)
