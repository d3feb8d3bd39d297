"""A teacher labels positions: many at a time, in the order of the sources, and where it was left if it was stopped."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Limits
from okapi.core.packed import unpack
from okapi.core.samples import Columns
from okapi.core.thinker import value_from_core
from okapi.data.convert import write_samples
from okapi.data.plan import Batch, Plan, Planner
from okapi.data.positions import read_positions
from okapi.data.runs import Run
from okapi.data.samples import Samples, SampleWriter
from okapi.formats.samples import Skipped, format_to_write
from okapi.players.teacher import AHEAD, Labelled, Teacher, Teaching

__all__ = ["Labelling", "Progress", "label"]

NODES_IN_A_BATCH: Final = 250_000
MS_IN_A_BATCH: Final = 500
"""Some tenths of a second: then it costs nothing that tables are emptied in between, and a kill loses little."""

SMALLEST_BATCH: Final = 16
LARGEST_BATCH: Final = 512
BATCH_BY_DEPTH: Final = 64
"""Where nobody knows how long an answer takes."""

WINDOW: Final = 8
"""Batches for each worker that may be begun before the oldest is done: one that hangs stops the others only then."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelling:
    """What is to be labelled by whom: all that decides what the file will say."""

    plan: Plan
    teaching: Teaching
    to: Path

    @property
    def columns(self) -> Columns:
        """What the samples say beyond value and move."""
        asked = self.teaching
        return Columns(lines=asked.lines if asked.lines > 1 else 0, wdl=asked.wdl, depth=True)

    @property
    def batch(self) -> int:
        """Positions that are asked about one after another, beginning with empty tables."""
        return _batch_size(self.teaching.limits)

    @property
    def journal(self) -> Path:
        """The sample file that grows: what was asked for, or one beside it that is turned into that at the end."""
        return self.to if self.to.suffix == ".samples" else self.to.with_name(f"{self.to.name}.samples")

    def card(self, teacher: str) -> dict[str, Any]:
        """What the file tells about itself."""
        asked = self.teaching
        limits = {"depth": asked.limits.depth, "nodes": asked.limits.nodes, "movetime": asked.limits.movetime_ms}
        return {
            "teacher": teacher,
            "command": asked.command,
            "options": dict(asked.options),
            "limits": {name: number for name, number in limits.items() if number is not None},
            "independent": asked.independent,
            "batch": self.batch,
            **self.plan.as_json(),
        }


@dataclass(slots=True)
class Progress:
    """How far a labelling is."""

    positions: int = 0
    """Labels in the file."""
    nodes: int = 0
    """Searched for them."""
    failed: int = 0
    """Positions that the teacher failed at."""
    batches: int = 0
    kept: int = 0
    """Labels that were there before this began."""
    kept_nodes: int = 0
    unread: int = 0
    """Lines or games of the sources that make no sense."""
    duplicates: int = 0
    over: int = 0
    """Positions without a legal move."""
    total: float = 0.0
    """Positions that there will be, as far as one can tell."""
    seconds: float = 0.0
    done: bool = False
    complaints: list[str] = field(default_factory=list)
    """What was left out lately, and why."""

    def cursor(self) -> dict[str, Any]:
        """What the file has to know to go on."""
        counted = {name: getattr(self, name) for name in ("batches", "nodes", "failed")}
        whole = {name: getattr(self, name) for name in ("unread", "duplicates", "over")}
        return {**counted, "done": True, **whole} if self.done else counted

    @classmethod
    def of(cls, writer: SampleWriter) -> "Progress":
        """What a file says."""
        kept = writer.cursor or {}
        found = cls(positions=len(writer), kept=len(writer), kept_nodes=kept.get("nodes", 0), **kept)
        found.total = float(found.positions)
        return found


def label(
    labelling: Labelling, *, workers: int = 1, watch: Callable[[Progress], object] = lambda progress: None
) -> Progress:
    """Label what is not labelled yet. `watch` is told after each batch, and once before the first.

    The file is the same however often it was interrupted and whoever did the work, given a teacher that answers a
    question always alike.
    """
    if labelling.journal != labelling.to:
        format_to_write(labelling.to)  # complain before work begins
    with Teacher(labelling.teaching) as first:
        card = labelling.card(first.name)
        writer = SampleWriter.open(labelling.journal, card=card, columns=labelling.columns)
        with closing(writer), _run_of(labelling) as run:
            progress = Progress.of(writer)
            watch(progress)
            if not progress.done:
                ahead = AHEAD if first.reads_ahead() else 0
                first.close()
                _label_rest(labelling, writer, progress, workers, ahead, partial(_tell, run, watch))
    if labelling.journal != labelling.to:
        write_samples(labelling.to, Samples.open(labelling.journal).blocks(), card=card)
    return progress


def _run_of(labelling: Labelling) -> Run:
    """Where others can watch, beside the file."""
    teaching = labelling.teaching
    folder, title = labelling.to.with_name(f"{labelling.to.name}.run"), labelling.to.name
    limits = {key: value for key, value in asdict(teaching.limits).items() if value}
    settings = {"engine": teaching.command, "limits": limits, "lines": teaching.lines}
    return Run.start(folder, "label", unit="positions", title=title, settings=settings)


def _tell(run: Run, watch: Callable[[Progress], object], progress: Progress, rows: NDArray[np.void]) -> None:
    """After each batch: to whoever called, and to whoever looks into the run."""
    watch(progress)
    new = progress.positions - progress.kept
    run.plan(max(round(progress.total), progress.positions))
    run.log(progress.positions, positions_a_second=new / max(progress.seconds, 1e-3), left_out=progress.failed)
    if len(rows):
        position = unpack(rows[-1]["position"])
        run.sample(position, value_from_core(int(rows[-1]["value"]), position.turn), step=progress.positions)


def _label_rest(
    labelling: Labelling,
    writer: SampleWriter,
    progress: Progress,
    workers: int,
    ahead: int,
    watch: Callable[[Progress, NDArray[np.void]], object],
) -> None:
    skipped = Skipped()
    planner = Planner(labelling.plan)
    batches = planner.batches(read_positions(labelling.plan.sources, skipped), labelling.batch)
    for _ in range(progress.batches):
        next(batches)  # what was labelled before: the planner has to know what it has seen
    begun = time.monotonic()
    with closing(_Workers(labelling.teaching, workers, ahead)) as hired:
        for batch, labelled in hired.work(batches):
            rows = _samples(batch, labelled, labelling.columns)
            progress.positions += len(rows)
            progress.nodes += int(rows["nodes"].sum(dtype=np.int64))
            progress.failed += len(labelled.complaints)
            progress.batches += 1
            progress.complaints = list(labelled.complaints)
            writer.append(rows)
            writer.commit(progress.cursor())
            progress.seconds = time.monotonic() - begun
            progress.total = planner.planned / planner.part if planner.part else float(progress.positions)
            watch(progress, rows)
    progress.done = True
    progress.complaints = skipped.told
    progress.unread, progress.duplicates, progress.over = skipped.count, planner.duplicates, planner.over
    writer.commit(progress.cursor())


def _batch_size(limits: Limits) -> int:
    """Positions that take some tenths of a second, as far as the limits tell.

    >>> [_batch_size(Limits(nodes=nodes)) for nodes in (100, 2_000, 1_000_000)]
    [512, 125, 16]
    """
    if limits.nodes is not None:
        wanted = NODES_IN_A_BATCH // limits.nodes
    elif limits.movetime_ms is not None:
        wanted = MS_IN_A_BATCH // limits.movetime_ms
    else:
        wanted = BATCH_BY_DEPTH
    return min(max(wanted, SMALLEST_BATCH), LARGEST_BATCH)


def _samples(batch: Batch, labelled: Labelled, columns: Columns) -> NDArray[np.void]:
    """Rows for the file: those that got a label."""
    rows = np.zeros(len(batch.rows), columns.dtype)
    for name in batch.rows.dtype.names or ():
        rows[name] = batch.rows[name]
    for name in ("value", "move", "nodes", "depth", *(["wdl"] if columns.wdl else [])):
        rows[name] = labelled.labels[name]
    if columns.lines:
        rows["lines"] = labelled.lines
    return rows[labelled.answered]


# --- Workers ----------------------------------------------------------------------------------------------------------


class _Workers:
    """Threads with a teacher each. They wait for pipes nearly all the time, and C++ does that without Python."""

    def __init__(self, teaching: Teaching, count: int, ahead: int) -> None:
        self._teaching = teaching
        self._ahead = ahead
        self._tasks: queue.SimpleQueue[Batch | None] = queue.SimpleQueue()
        self._finished: queue.SimpleQueue[tuple[Batch, Labelled] | Exception] = queue.SimpleQueue()
        self._teachers: list[Teacher] = []
        self._leaving = False
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def work(self, batches: Iterator[Batch]) -> Iterator[tuple[Batch, Labelled]]:
        """Each batch with its labels, in order. Raises what a worker raised."""
        early: dict[int, tuple[Batch, Labelled]] = {}
        running: list[int] = []
        while True:
            while len(running) < WINDOW * len(self._threads) and (batch := next(batches, None)) is not None:
                self._tasks.put(batch)
                running.append(batch.number)
            if not running:
                return
            while running[0] not in early:
                outcome = self._wait()
                early[outcome[0].number] = outcome
            yield early.pop(running.pop(0))

    def close(self) -> None:
        """End the teachers, also those that are thinking."""
        self._leaving = True
        for teacher in list(self._teachers):
            teacher.stop()
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()

    def _wait(self) -> tuple[Batch, Labelled]:
        while True:
            try:
                outcome = self._finished.get(timeout=0.5)  # now and then, so that Ctrl-C is heard everywhere
            except queue.Empty:
                continue
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

    def _serve(self) -> None:
        """The life of a worker: the teacher dies with this thread."""
        try:
            with Teacher(self._teaching, ahead=self._ahead) as teacher:
                self._teachers.append(teacher)
                while not self._leaving and (batch := self._tasks.get()) is not None:
                    self._finished.put((batch, teacher.label(batch.rows["position"])))
        except Exception as error:
            self._finished.put(error)
