"""Label positions with a teacher engine: in the order of the sources, on several workers, resumable."""

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Limits
from okapi.core.keys import KeySet, position_keys
from okapi.core.lessons import play_random_moves
from okapi.core.packed import NO_VALUE, unpack
from okapi.core.samples import Columns, Rows
from okapi.core.thinker import value_from_core
from okapi.core.traits import Trait, traits
from okapi.data.runs import Run
from okapi.data.samples import RANDOM_MOVE, Samples, SampleWriter
from okapi.data.shuffle import hashed
from okapi.data.sources import Chunk, read_positions, write_samples
from okapi.errors import NotFound, UsageError
from okapi.formats.samples import Skipped, format_to_write
from okapi.players.teacher import AHEAD, Teacher, TeacherLabels, TeacherSettings

__all__ = [
    "LabelBatch",
    "LabelConfig",
    "LabelProgress",
    "PositionSelection",
    "PositionSelector",
    "label",
]

# --- Which positions --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionSelection:
    """Which of the positions that there are."""

    sources: tuple[Path, ...]
    every: int = 1
    """One of so many."""
    most: int | None = None
    """No more than so many in all."""
    random_moves: float = 0.0
    """The share of positions in which one random move is played first, as in lai2015, section 4.3."""
    seed: int = 1

    def __post_init__(self) -> None:
        if not 0.0 <= self.random_moves <= 1.0:
            raise UsageError(f"{self.random_moves} of all positions cannot be", hint="a share is between 0 and 1")

    def as_json(self) -> dict[str, Any]:
        """For a card. Sources are told by name and size: whoever moves a folder has the same files."""
        return {
            "sources": [f"{path.name}, {_size(path)} bytes" for path in self.sources],
            "every": self.every,
            "max": self.most,
            "random_moves": self.random_moves,
            "seed": self.seed,
        }


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise NotFound(f"`{path}` cannot be read: {error.strerror}") from None


@dataclass(frozen=True, slots=True)
class LabelBatch:
    """Positions that are asked about one after another, beginning with empty tables."""

    number: int
    rows: Rows
    """SAMPLE, without value and move."""


@dataclass(slots=True)
class PositionSelector:
    """Goes through the sources and counts what it leaves out."""

    plan: PositionSelection
    planned: int = 0
    duplicates: int = 0
    over: int = 0
    """Positions without a legal move."""
    part: float = 0.0
    """How much of the sources was read, 0 to 1."""
    _seen: KeySet = field(default_factory=KeySet)
    _met: int = 0

    def batches(self, chunks: Iterable[Chunk], size: int) -> Iterator[LabelBatch]:
        """The same positions in batches of one size; the last may be smaller."""
        waiting: list[Rows] = []
        count = number = 0
        for rows in self._rows(chunks):
            waiting.append(rows)
            count += len(rows)
            if count < size:
                continue
            whole = np.concatenate(waiting)
            for start in range(0, count - size + 1, size):
                yield LabelBatch(number, whole[start : start + size])
                number += 1
            waiting = [whole[count - count % size :]]
            count %= size
        if count:
            yield LabelBatch(number, np.concatenate(waiting))

    def _rows(self, chunks: Iterable[Chunk]) -> Iterator[Rows]:
        for chunk in chunks:
            self.part = chunk.part
            rows = self._chosen(chunk.rows)
            left = len(rows) if self.plan.most is None else self.plan.most - self.planned
            rows = rows[:left]
            self.planned += len(rows)
            yield rows
            if self.planned == self.plan.most:
                break
        self.part = 1.0

    def _chosen(self, rows: Rows) -> Rows:
        """Those of some rows that are to be asked about."""
        first = -self._met % self.plan.every
        numbers = np.arange(self._met, self._met + len(rows), dtype=np.uint64)[first :: self.plan.every]
        self._met += len(rows)
        rows = rows[first :: self.plan.every].copy()
        rows["value"], rows["move"], rows["nodes"] = NO_VALUE, 0, 0
        if self.plan.random_moves:
            self._play_random_moves(rows, numbers)
        ended = (traits(rows["position"]) & (Trait.CHECKMATE | Trait.STALEMATE)) != 0
        self.over += int(ended.sum())
        rows = rows[~ended]
        is_new = self._seen.add(position_keys(rows["position"]))
        self.duplicates += len(rows) - int(is_new.sum())
        return rows[is_new]

    def _play_random_moves(self, rows: Rows, numbers: NDArray[np.uint64]) -> None:
        """In the share of rows that the dice choose. The result of the game says nothing about what follows."""
        which, where_to = map(int, hashed(np.arange(2), self.plan.seed))
        chosen = hashed(numbers, which) < self.plan.random_moves * 2.0**64
        positions = rows["position"][chosen]
        moved = play_random_moves(positions, hashed(numbers[chosen], where_to))
        where = np.flatnonzero(chosen)[moved]
        rows["position"][where] = positions[moved]
        rows["result"][where] = -1
        rows["flags"][where] |= RANDOM_MOVE
        rows["ply"][where] += 1


# --- Labelling --------------------------------------------------------------------------------------------------------


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
class LabelConfig:
    """What is to be labelled by whom: all that decides what the file will say."""

    plan: PositionSelection
    teaching: TeacherSettings
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
class LabelProgress:
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
    def of(cls, writer: SampleWriter) -> "LabelProgress":
        """What a file says."""
        kept = writer.cursor or {}
        found = cls(positions=len(writer), kept=len(writer), kept_nodes=kept.get("nodes", 0), **kept)
        found.total = float(found.positions)
        return found


def label(
    labelling: LabelConfig, *, workers: int = 1, watch: Callable[[LabelProgress], object] = lambda progress: None
) -> LabelProgress:
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
            progress = LabelProgress.of(writer)
            watch(progress)
            if not progress.done:
                ahead = AHEAD if first.reads_ahead() else 0
                first.close()
                _label_rest(labelling, writer, progress, workers, ahead, partial(_tell, run, watch))
    if labelling.journal != labelling.to:
        write_samples(labelling.to, Samples.open(labelling.journal).blocks(), card=card)
    return progress


def _run_of(labelling: LabelConfig) -> Run:
    """Where others can watch, beside the file."""
    teaching = labelling.teaching
    folder, title = labelling.to.with_name(f"{labelling.to.name}.run"), labelling.to.name
    limits = {key: value for key, value in asdict(teaching.limits).items() if value}
    settings = {"engine": teaching.command, "limits": limits, "lines": teaching.lines}
    return Run.start(folder, "label", unit="positions", title=title, settings=settings)


def _tell(run: Run, watch: Callable[[LabelProgress], object], progress: LabelProgress, rows: NDArray[np.void]) -> None:
    """After each batch: to whoever called, and to whoever looks into the run."""
    watch(progress)
    new = progress.positions - progress.kept
    run.plan(max(round(progress.total), progress.positions))
    run.log(progress.positions, positions_a_second=new / max(progress.seconds, 1e-3), left_out=progress.failed)
    if len(rows):
        position = unpack(rows[-1]["position"])
        run.sample(position, value_from_core(int(rows[-1]["value"]), position.turn), step=progress.positions)


def _label_rest(
    labelling: LabelConfig,
    writer: SampleWriter,
    progress: LabelProgress,
    workers: int,
    ahead: int,
    watch: Callable[[LabelProgress, NDArray[np.void]], object],
) -> None:
    skipped = Skipped()
    planner = PositionSelector(labelling.plan)
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


def _samples(batch: LabelBatch, labelled: TeacherLabels, columns: Columns) -> NDArray[np.void]:
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

    def __init__(self, teaching: TeacherSettings, count: int, ahead: int) -> None:
        self._teaching = teaching
        self._ahead = ahead
        self._tasks: queue.SimpleQueue[LabelBatch | None] = queue.SimpleQueue()
        self._finished: queue.SimpleQueue[tuple[LabelBatch, TeacherLabels] | Exception] = queue.SimpleQueue()
        self._teachers: list[Teacher] = []
        self._leaving = False
        self._threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def work(self, batches: Iterator[LabelBatch]) -> Iterator[tuple[LabelBatch, TeacherLabels]]:
        """Each batch with its labels, in order. Raises what a worker raised."""
        early: dict[int, tuple[LabelBatch, TeacherLabels]] = {}
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

    def _wait(self) -> tuple[LabelBatch, TeacherLabels]:
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
