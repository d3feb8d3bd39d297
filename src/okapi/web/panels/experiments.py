"""Experiments: the ledgers of `okapi experiment`, and the test that is being played."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from okapi.arena.experiments import STATUS, Ledger, QueueStatus, kept, verdict
from okapi.brains.library import Library, is_running
from okapi.data.runs import RunInfo
from okapi.errors import OkapiError
from okapi.formats.numbers import interval, number, signed
from okapi.web.jobs import Throttle
from okapi.web.messages import RunName
from okapi.web.panel import Answer, WatchingPanel, action
from okapi.web.runs import changed_ns
from okapi.web.views import error_view

MOST_QUEUES: Final = 20
MOST_ROWS: Final = 500
TELL_S: Final = 1.0
TOLD: Final = 300  # characters of a text in a ledger


def queue_folders(library: Library) -> dict[str, Path]:
    """The runs of queues by name, that with the newest result first."""
    folders = {name: folder for name, folder in library.folders().items() if (folder / STATUS).is_file()}
    found = sorted(folders, key=lambda name: -changed_ns(folders[name] / STATUS))
    return {name: folders[name] for name in found[:MOST_QUEUES]}


def queue_title(folder: Path) -> str:
    try:
        return RunInfo.read(folder).title
    except OkapiError:
        return folder.name


def queue_view(folder: Path) -> dict[str, Any]:
    """A queue as the page shows it, the newest result first. A sentence takes the place of files that are damaged."""
    shown: dict[str, Any] = {"state": "stopped", "note": "", "command": "", "playing": None}
    shown |= {"rows": [], "left_out": 0, "problem": None}
    try:
        status, about = QueueStatus.read(folder), RunInfo.read(folder)
        killed = about.state == "running" and not is_running(folder)
        shown |= {"state": "stopped" if killed else about.state, "note": about.note[:TOLD]}
        shown |= {"command": shlex.join(("okapi", "experiment", status.queue.name))}
        playing = status.playing
        shown["playing"] = None if playing is None else _test_view(playing, status)
        rows = Ledger(status.ledger).rows
        if playing is not None and any(row["key"] == playing["key"] for row in rows):
            shown["playing"] = None  # killed after the result was written
        shown["rows"] = [_row_view(row) for row in reversed(rows[-MOST_ROWS:])]
        shown["left_out"] = len(rows) - len(shown["rows"])
    except OkapiError as error:
        shown["problem"] = error_view(error)
    return shown


def _row_view(row: Mapping[str, Any]) -> dict[str, Any]:
    test = row["sprt"]
    texts = {
        name: str(row.get(name, ""))[:TOLD] for name in ("name", "about", "commit", "player", "against", "gate", "date")
    }
    return {
        **texts,
        "games": row["games"],
        "counts": f"{row['wins']} won, {row['draws']} drawn, {row['losses']} lost",
        "elo": signed(row["elo"]),
        "interval": interval(row["low"], row["high"]),
        "llr": number(test["llr"], 2),
        "bounds": interval(test["lower"], test["upper"], 2),
        "verdict": verdict(row)[:TOLD],
        "kept": kept(row),
    }


def _test_view(row: Mapping[str, Any], status: QueueStatus) -> dict[str, Any]:
    """The test that is being played, with its numbers as `okapi match --json` has them."""
    match = {name: row[name] for name in ("wins", "draws", "losses", "elo", "low", "high", "los", "sprt")}
    told = {"number": status.number, "experiments": status.experiments, "most": status.most}
    return {**_row_view(row), **told, "match": match}


class Experiments(WatchingPanel):
    """The page gets the queues, and the one that it chose, after every change."""

    _queue: str | None = None

    @action
    def watch(self, queue: RunName | None = None) -> Answer:
        self._queue = queue
        self.state.runs.listen(self, frozenset(), Throttle(self._tell, TELL_S))
        self._tell()
        return None

    def _tell(self) -> None:
        folders = queue_folders(self.state.library)
        chosen = self._queue if self._queue in folders else next(iter(folders), None)
        queues = [{"name": name, "title": queue_title(folder)} for name, folder in folders.items()]
        shown = None if chosen is None else queue_view(folders[chosen])
        self.tell("experiments.shown", queues=queues, queue=chosen, shown=shown)
