"""Runs: what training, labelling, matches and other long work leave in their folders, while it goes on."""

from typing import Annotated, Any, Final

from okapi.core import Color, Position, Value
from okapi.errors import OkapiError
from okapi.web.jobs import Throttle
from okapi.web.messages import Many, RunName
from okapi.web.panel import Answer, WatchingPanel, action
from okapi.web.views import side_name, value_view

AT_ONCE: Final = 6  # runs that one page may compare


class Runs(WatchingPanel):
    """The page gets the list of runs, and details of those it chose, after every change."""

    _names: tuple[str, ...] = ()

    @action
    def watch(self, names: Annotated[tuple[RunName, ...], Many(AT_ONCE)] = ()) -> Answer:
        self._names = names
        self.state.runs.listen(self, frozenset(names), Throttle(self._tell_runs))
        return {"folder": self.state.runs_folder}

    def _tell_runs(self) -> None:
        details = self.state.runs.details(self._names)
        shown = [{**run, "samples": [_sample(sample) for sample in run["samples"]]} for run in details]
        self.tell("runs.listed", runs=self.state.runs.listed())
        self.tell("runs.shown", runs=shown)


def _sample(sample: dict[str, Any]) -> dict[str, Any]:
    """A position that a run shows; files may hold anything, so it is read as strictly as a message."""
    white, note, step = sample.get("white"), sample.get("note"), sample.get("step")
    try:
        position = Position.from_fen(str(sample["fen"])[:120])
    except OkapiError:
        return {"fen": None}
    value = Value(float(white), Color.WHITE) if isinstance(white, int | float) and 0 <= white <= 1 else None
    return {
        "fen": position.fen(),
        "turn": side_name(position.turn),
        "value": None if value is None else value_view(value),
        "step": step if isinstance(step, int | float) else None,
        "note": str(note)[:300] if note else "",
    }
