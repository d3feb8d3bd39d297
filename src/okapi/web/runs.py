"""The runs that can be watched."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from okapi.brains.library import BRAIN, Library, checkpoints
from okapi.data.evolution_log import EvolutionLog
from okapi.data.runs import RunReader, runs_in
from okapi.errors import NotFound, OkapiError
from okapi.recipes.summary import read_summary
from okapi.web.views import picked

LOOK_S: Final = 0.5
MOST_RUNS: Final = 100  # the newest ones are watched
EVOLVE: Final = "evolve"  # the kind of those runs that have a lineage


class RunWatcher:
    """Watches the runs while there are listeners. Names that pages send are looked up, and never become paths."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._listeners: dict[object, tuple[frozenset[str], Callable[[], object]]] = {}
        self._listed: dict[str, RunReader] = {}
        self._followed: dict[str, RunReader] = {}
        self._lineages: dict[str, EvolutionLog] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def listen(self, owner: object, names: frozenset[str], on_change: Callable[[], object]) -> None:
        """Call back after every change, from a thread; of the runs with these names, the whole log is read."""
        with self._changed:
            self._listeners[owner] = (names, on_change)
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._look_on, name="watching", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def leave(self, owner: object) -> None:
        with self._changed:
            self._listeners.pop(owner, None)

    def folders(self) -> dict[str, Path]:
        """The folders of the runs by name, the most recently written first."""
        return runs_in(self._library.folders(), MOST_RUNS)

    def listed(self) -> list[dict[str, Any]]:
        with self._changed:
            return [run_summary(self._followed.get(name, run)) for name, run in self._listed.items()]

    def details(self, names: tuple[str, ...]) -> list[dict[str, Any]]:
        """Curves, samples and settings of those runs that are known and have been read."""
        with self._changed:
            return [_details(self._followed[name]) for name in names if name in self._followed]

    @contextmanager
    def lineage(self, name: str) -> Iterator[EvolutionLog]:
        """The generations of a run that is followed, locked against changes: NotFound."""
        with self._changed:
            if name not in self._lineages:
                raise NotFound("there is no such run of evolution here", hint="choose one from the list")
            yield self._lineages[name]

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._listeners.clear()
            self._changed.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join()

    def _look_on(self) -> None:
        """The thread: it ends when there are no listeners."""
        told: set[object] = set()
        while True:
            with self._changed:
                listeners = dict(self._listeners)
                if not listeners:
                    self._thread = None
                    return
            changed = self._look(frozenset().union(*(names for names, _ in listeners.values())))
            for owner, (names, on_change) in listeners.items():
                if changed or (owner, names) not in told:
                    on_change()
            told = {(owner, names) for owner, (names, _) in listeners.items()}
            with self._changed:
                self._changed.wait(0.0 if self._closed or self._listeners != listeners else LOOK_S)

    def _look(self, wanted: frozenset[str]) -> bool:
        """Read all runs once. Is anything new?"""
        folders = self.folders()
        listed = {name: self._listed.get(name) or RunReader(folders[name], name, whole=False) for name in folders}
        names = [name for name in folders if name in wanted]
        followed = {name: self._followed.get(name) or RunReader(folders[name], name) for name in names}
        changed = list(listed) != list(self._listed) or followed.keys() != self._followed.keys()
        for runs in (listed, followed):
            for name, run in list(runs.items()):
                with self._changed:
                    try:
                        changed |= run.look()
                    except OkapiError:  # it was thrown away, or is no run
                        changed |= runs.pop(name) is not None and name in self._listed
        evolving = [name for name, run in followed.items() if run.about.kind == EVOLVE]
        lineages = {name: self._lineages.get(name) or EvolutionLog(folders[name]) for name in evolving}
        for lineage in lineages.values():
            with self._changed:
                changed |= lineage.look()
        with self._changed:
            self._listed, self._followed, self._lineages = listed, followed, lineages
        return changed


def changed_ns(path: Path) -> int:
    """When a file was changed; 0 if it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def run_summary(run: RunReader) -> dict[str, Any]:
    about, last = run.about, run.last
    report = read_summary(run.folder) if about.state == "done" else None
    kept = checkpoints(run.folder)
    newest: dict[str, Any] = {"last_at": None, "step": None, "numbers": {}}
    return {
        **picked(run, "name", "left_s"),
        **picked(about, "kind", "unit", "state", "total"),
        "title": about.title or run.name,
        "note": about.note[:500],
        "started": about.sessions[0] if about.sessions else None,
        "sessions": len(about.sessions),
        "brain": bool(kept) or (run.folder / BRAIN).is_file(),
        "ages": len(kept),
        "report": [] if report is None else [str(sentence)[:500] for sentence in report.sentences[:12]],
        **(newest if last is None else {"last_at": last.at, **picked(last, "step", "numbers")}),
    }


def _details(run: RunReader) -> dict[str, Any]:
    settings = {key: str(value)[:200] for key, value in list(run.about.settings.items())[:40]}
    return {**run_summary(run), "settings": settings, "curves": run.curves, "samples": list(run.samples)}
