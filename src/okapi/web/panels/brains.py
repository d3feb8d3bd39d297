"""Brains: what they say about themselves, and two of them on one position, side by side."""

from collections.abc import Sequence
from typing import Annotated, Any, Final

from okapi.brains import card as read_card
from okapi.brains.summary import summary
from okapi.core import Decision, Limits, Position, Value
from okapi.web.jobs import SearchJob, SearchUpdate
from okapi.web.messages import Between, BrainName, Fen
from okapi.web.panel import Answer, JobPanel, action
from okapi.web.views import position_view, update_view, value_view

LINES: Final = 3
Nodes = Annotated[int, Between(1, 50_000_000)]


class Brains(JobPanel):
    """Two searches at most, one for each brain; the page gets both after every change."""

    _found: Sequence[dict[str, Any]] = ()

    @action
    def listed(self) -> Answer:
        """All brains, the preferred one first and those that predict moves last, and the folder of the user's."""
        offered = self.state.offer()
        brains = [self._summary(name) for name in (*offered["brains"], *offered["predicting"])]
        return {"brains": brains, "folder": self.state.runs_folder}

    @action
    def card(self, brain: BrainName) -> Answer:
        """The model card, as `okapi brains show` prints it."""
        card = read_card(self.state.source(self.state.known(brain)))
        hidden = ("okapi", "name", "kind")
        facts = [[key, _readable(value)] for key, value in card.details().items() if key not in hidden]
        tensors = [f"{name} {'×'.join(map(str, shape))}" for name, shape in card.tensors.items()]
        facts += [["tensors", ", ".join(tensors)], ["file", card.path.name]]
        return {**self._summary(brain), "facts": facts}

    @action
    def compare(self, first: BrainName, second: BrainName, fen: Fen, nodes: Nodes = 200_000) -> Answer:
        """Both values without a search at once; results of the searches come as news."""
        position = Position.from_fen(fen)
        names = [self.state.known(first), self.state.known(second)]
        self.stop()
        view = position_view(position)
        self._found = [{"brain": name, "done": False, "lines": []} for name in names]
        if view["ending"] is None:
            for seat, name in enumerate(names):
                self._search(seat, name, position, nodes)
        return {"position": view, "evaluations": [self._evaluation(name, position) for name in names]}

    @action
    def stop(self) -> None:
        self.stop_jobs(*self.running)

    def _search(self, seat: int, name: str, position: Position, nodes: int) -> None:
        def tell(news: SearchUpdate, done: bool = False) -> None:
            self._found[seat].update(update_view(position, news) if news.lines else {}, done=done)
            lines = [search["lines"][:1] for search in self._found]
            parting = _parting(position, *(line[0]["moves"] for line in lines)) if all(lines) else None
            self.tell("brains.compared", fen=position.fen(), searches=self._found, parting=parting)

        def done(decision: Decision) -> None:
            tell(SearchUpdate(decision.lines, decision.nodes, search.seconds), done=True)

        slot = self.engine(seat, name)  # both brains may be the same
        search = SearchJob(self, slot, position, Limits(nodes=nodes), multipv=LINES, on_update=tell)
        search.on_done, search.on_failed = done, self.complain
        self.run_job(f"seat {seat}", search, self.state.pool)

    def _evaluation(self, name: str, position: Position) -> dict[str, Any]:
        value = Value.from_centipawns(self.state.evaluator(name).centipawns(position), position.turn)
        terms, parts, rest = self.state.terms(name), None, 0
        if terms is not None:
            explained = terms(position)
            parts = [{"name": term.name.replace("_", " "), "centipawns": term.centipawns} for term in explained.terms]
            rest = explained.rest
        return {"brain": name, "value": value_view(value), "terms": parts, "rest": rest}

    def _summary(self, name: str) -> dict[str, Any]:
        card = read_card(self.state.source(name))
        written = {key: _readable(card.details().get(key, "")) for key in ("note", "source")}
        return {**summary(card), "brain": name, "name": name, "default": name == self.state.default_brain, **written}


def _parting(position: Position, first: list[dict[str, Any]], second: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Where two lines part: the moves they share, the position after those, and what each plays there; if they do."""
    for number, (one, other) in enumerate(zip(first, second, strict=False)):
        if one["uci"] != other["uci"]:
            fen = first[number - 1]["fen"] if number else position.fen()
            return {"shared": [move["san"] for move in first[:number]], "fen": fen, "moves": [one, other]}
    return None


def _readable(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_readable(item)}" for key, item in value.items())
    return ", ".join(map(_readable, value)) if isinstance(value, list) else str(value)
