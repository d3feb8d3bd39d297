"""Examine a store, a file of samples or two files, and write a fixed copy."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color
from okapi.core.game import RawGame
from okapi.core.keys import KeySet, position_keys
from okapi.core.packed import NO_VALUE, Trait, traits
from okapi.core.samples import Rows, as_samples
from okapi.data.doctor.checks import (
    POSITION_CHECKS,
    UNCHANGED,
    CheckedStore,
    DoctorReport,
    Finding,
    Severity,
    check_games,
    found,
    report_on,
)
from okapi.data.doctor.statistics import (
    HIGHEST,
    ColumnAgreement,
    PointOfView,
    SampleCounts,
    evidence_of,
    flipped,
)
from okapi.data.samples import RANDOM_MOVE, Samples, is_sample_file
from okapi.data.sources import SAMPLES, OnProgress, read_samples, write_samples
from okapi.data.split import AFTER_MOVE, Split, Subset, in_chunks, is_late
from okapi.data.store import Store, StoreWriter, is_store
from okapi.errors import InvalidSamples, InvalidSplit, InvalidStore, UsageError
from okapi.formats.samples import SampleOptions, SkippedSamples
from okapi.formats.samples.base import RESULTS

# --- Files to examine -------------------------------------------------------------------------------------------------


def no_progress(_: float) -> None:
    pass


def _torn_tail(size: int) -> Iterator[Finding]:
    text = f"A writer was stopped: {size:,} bytes after the last complete block are left out."
    return found("torn-tail", Severity.NOTE, size, text)


class SampleInput:
    """A file of samples; damaged blocks are left out."""

    def __init__(self, path: Path, options: SampleOptions, kind: str | None = None) -> None:
        if ".pgn" in path.suffixes:
            raise UsageError(f"{path.name} holds games", hint=f"first: okapi games import {path} --out games.okapi")
        self.name = path.name
        self.card: dict[str, Any] = {}
        self._path, self._options = path, options
        self._skipped = SkippedSamples()
        self._damage, self._torn = "", 0
        self._kind = SAMPLES if is_sample_file(path) or path.suffix == f".{SAMPLES}" else kind
        if self._kind == SAMPLES:
            self._look_at_file()

    def rows(self, on_progress: OnProgress) -> Iterator[Rows]:
        self._skipped = SkippedSamples()
        return read_samples(
            self._path,
            kind=self._kind,
            options=self._options,
            skipped=self._skipped,
            skip_damaged=bool(self._damage),
            on_progress=on_progress,
        )

    def damage_findings(self) -> Iterator[Finding]:
        """Damaged blocks, a torn tail, entries that cannot be read."""
        if self._damage:
            text = f"{self._damage[0].upper()}{self._damage[1:]}. Damaged blocks are left out here."
            yield Finding("damaged-blocks", Severity.FAULT, text, 1, "leaves them out")
        yield from _torn_tail(self._torn)
        if self._skipped.count:
            text = f"{self._skipped.count:,} entries cannot be read; the first is {self._skipped.told[0]}."
            yield Finding("unreadable-entries", Severity.FAULT, text, self._skipped.count, "leaves them out")

    def _look_at_file(self) -> None:
        try:
            samples = Samples.open(self._path)
            samples.verify()
        except InvalidSamples as error:
            self._damage = str(error)
            samples = Samples.open(self._path, skip_damaged=True)
        self.card, self._torn = samples.card, samples.torn


# --- Fixing -----------------------------------------------------------------------------------------------------------


@dataclass
class SampleFixer:
    """Fixes the rows of an examined file, chunk by chunk, and keeps the first row of each position.

    Only what is certain is changed.
    """

    value_view: PointOfView
    result_view: PointOfView
    seen: KeySet = field(default_factory=KeySet)

    @classmethod
    def after(cls, counts: SampleCounts) -> "SampleFixer":
        views = {
            what: evidence.agreement.view if evidence.agreement.is_overwhelming else PointOfView.MOVER
            for what, evidence in evidence_of(counts).items()
        }
        return cls(views["value"], views["result"])

    def fix(self, rows: Rows) -> Rows:
        bits = traits(rows["position"], rows["move"])
        whole = (bits & Trait.BROKEN) == 0
        whole[whole] = self.seen.add(position_keys(rows["position"][whole]))
        kept: Rows = rows[whole]
        kept["move"][(bits[whole] & Trait.ILLEGAL) != 0] = 0
        self._fix_values(kept)
        self._fix_results(kept)
        return kept

    def _fix_values(self, rows: Rows) -> None:
        values = rows["value"]
        values[np.abs(values.astype(np.int32)) > HIGHEST] = NO_VALUE
        wrong = flipped(self.value_view, rows["position"]["turn"])
        values[wrong] = _negated(values[wrong])
        names = rows.dtype.names or ()
        if "lines" in names:
            rows["lines"]["value"][wrong] = _negated(rows["lines"]["value"][wrong])
        if "wdl" in names:
            rows["wdl"][wrong] = rows["wdl"][wrong][:, ::-1]

    def _fix_results(self, rows: Rows) -> None:
        results = rows["result"]
        known = (results >= 0) & (results <= 2)
        results[~known | ((rows["flags"] & RANDOM_MOVE) != 0)] = -1
        wrong = flipped(self.result_view, rows["position"]["turn"]) & (results >= 0)
        results[wrong] = 2 - results[wrong]


def _negated(values: NDArray[np.int16]) -> NDArray[np.int16]:
    return np.where(values == NO_VALUE, values, -values)


AT_A_TIME: Final = 1000
"""Games between two reports of progress."""


@dataclass(frozen=True, slots=True)
class StoreFixer:
    drop: frozenset[int] = frozenset()
    results: Mapping[int, int] = field(default_factory=dict)
    removed_tags: Mapping[int, set[str]] = field(default_factory=dict)
    values: PointOfView = PointOfView.MOVER

    @classmethod
    def after(cls, checked: CheckedStore, values: ColumnAgreement) -> "StoreFixer":
        changed = np.flatnonzero(checked.results != UNCHANGED)
        return cls(
            drop=frozenset(np.flatnonzero(checked.drop).tolist()),
            results=dict(zip(changed.tolist(), checked.results[changed].tolist(), strict=True)),
            removed_tags=checked.removed_tags,
            values=values.view if values.is_overwhelming else PointOfView.MOVER,
        )

    def copy(self, store: Store, to: Path | str, on_progress: OnProgress = no_progress) -> int:
        """Write the copy and return its games. The file gets its name when it is complete."""
        to = Path(to)
        part = to.with_name(f".{to.name}.part")
        part.unlink(missing_ok=True)
        with StoreWriter.open(part) as writer:
            for number, game in _readable(store):
                if number not in self.drop:
                    writer.add(self._fixed(number, game))
                if number % AT_A_TIME == 0:
                    on_progress(number / len(store))
            written = len(writer)
        part.replace(to)
        return written

    def _fixed(self, number: int, game: RawGame) -> RawGame:
        turns_values = self.values is not PointOfView.MOVER and game.values
        if number not in self.results and number not in self.removed_tags and not turns_values:
            return game
        removed_tags = self.removed_tags.get(number, set())
        return RawGame(
            tags=[(name, text) for name, text in game.tags if name not in removed_tags],
            start=game.start,
            moves=game.moves,
            result=RESULTS[self.results[number]] if number in self.results else game.result,
            values=self._flipped_values(game) if turns_values else game.values,
            best=game.best,
            lines=game.lines,
            clocks=game.clocks,
        )

    def _flipped_values(self, game: RawGame) -> list[int]:
        first = int(game.start.turn is Color.BLACK)
        turn = (np.arange(len(game.values)) + first) % 2
        wrong = flipped(self.values, turn.astype(np.uint8)).tolist()
        return [-value if turn and value != NO_VALUE else value for value, turn in zip(game.values, wrong, strict=True)]


def _readable(store: Store) -> Iterator[tuple[int, RawGame]]:
    """All games except those of damaged blocks."""
    for number in range(len(store)):
        try:
            yield number, store.record(number)
        except InvalidStore:
            continue


# --- Examinations -----------------------------------------------------------------------------------------------------


class Examination(Protocol):
    """A report, and a way to fix what it lists."""

    @property
    def report(self) -> DoctorReport: ...

    def fix(self, to: Path | str, on_progress: OnProgress = no_progress) -> int:
        """Write a corrected copy and return how many games or samples it has."""


@dataclass(frozen=True, slots=True)
class SampleExamination:
    source: SampleInput
    report: DoctorReport
    fixer: SampleFixer

    @classmethod
    def examine(cls, source: SampleInput, on_progress: OnProgress = no_progress) -> "SampleExamination":
        counts = SampleCounts()
        for rows in source.rows(on_progress):
            counts.add(as_samples(rows))
        return cls(source, report_on(counts, source.name, source.damage_findings()), SampleFixer.after(counts))

    def fix(self, to: Path | str, on_progress: OnProgress = no_progress) -> int:
        """The name of the file selects the format."""
        return copy_samples(self.source, replace(self.fixer, seen=KeySet()).fix, to, on_progress)


def copy_samples(source: SampleInput, change: Callable[[Rows], Rows], to: Path | str, on_progress: OnProgress) -> int:
    written = 0

    def changed(rows: Rows) -> Rows:
        nonlocal written
        kept = change(rows)
        written += len(kept)
        return kept

    write_samples(to, map(changed, source.rows(on_progress)), card={**source.card, "mended": source.name})
    return written


MOST: Final = 1_000_000
"""Positions that are examined as samples; more would not change the result."""


class StoreInput:
    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.store = Store.open(path)
        self.damaged_places = self.store.verify()
        """A sentence for each damaged place."""

    def rows(self, on_progress: OnProgress) -> Iterator[Rows]:
        return self.some(np.arange(len(self.store)), on_progress)

    def some(self, games: NDArray[np.int64], on_progress: OnProgress) -> Iterator[Rows]:
        done = 0
        for of, plies in in_chunks(self.store.plies(), games):
            yield self.store.samples(of, plies)
            done += int((np.diff(of) != 0).sum()) + 1
            on_progress(done / len(games))

    def damage_findings(self) -> Iterator[Finding]:
        """Damaged blocks, and a torn tail."""
        for sentence in self.damaged_places:
            yield Finding("damaged-blocks", Severity.FAULT, sentence, 1, "leaves these games out")
        yield from _torn_tail(self.store.tail)


@dataclass(frozen=True, slots=True)
class StoreExamination:
    source: StoreInput
    report: DoctorReport
    fixer: StoreFixer

    @classmethod
    def examine(cls, path: Path, on_progress: OnProgress = no_progress) -> "StoreExamination":
        """Check all games, about a million positions, and the split file beside the store."""
        source = StoreInput(path)
        if source.damaged_places:
            findings = [
                *source.damage_findings(),
                Finding("not-examined", Severity.NOTE, "Fix it first, then examine it again."),
            ]
            return cls(source, DoctorReport(source.name, "games", findings), StoreFixer())
        checked = CheckedStore(source.store)
        earlier = [
            *source.damage_findings(),
            *check_games(checked),
            *_split(source, path.with_name(path.name + ".split"), on_progress),
        ]
        counts = SampleCounts()
        for rows in source.some(_spread(checked.plies), on_progress):
            counts.add(rows)
        report = replace(report_on(counts, source.name, earlier, POSITION_CHECKS), kind="games")
        return cls(source, report, StoreFixer.after(checked, evidence_of(counts)["value"].agreement))

    def fix(self, to: Path | str, on_progress: OnProgress = no_progress) -> int:
        return self.fixer.copy(self.source.store, to, on_progress)


def _spread(plies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Games spread evenly over the store, with about MOST positions in all."""
    step = max(1, -(-int(plies.sum()) // MOST))
    return np.arange(0, len(plies), step)


def _split(source: StoreInput, file: Path, on_progress: OnProgress) -> Iterator[Finding]:
    """Count the positions that a subset may use although a later subset holds them."""
    if not file.exists():
        return
    try:
        split = Split.open(file)
        split.check(source.store.hashes())
    except InvalidSplit as error:
        yield Finding("split", Severity.WARNING, f"{file.name} cannot be used: {error}.")
        return
    held = KeySet()
    leaks = 0
    for subset in (Subset.TEST, Subset.VALIDATION, Subset.TRAIN):
        late: list[NDArray[np.uint64]] = []
        for rows in source.some(np.flatnonzero(split.subsets == subset), on_progress):
            keys = position_keys(rows["position"])
            leaks += int((held.contains(keys) & split.allows(rows["game"], rows["ply"])).sum())
            if subset is not Subset.TRAIN:
                late.append(keys[is_late(rows["position"], rows["ply"])])
        for keys in late:
            held.add(keys)
    text = f"{file.name} lets {leaks:,} positions into a subset that a later subset has after move {AFTER_MOVE}."
    ok = f"{file.name} keeps its subsets apart: none uses what a later one has after move {AFTER_MOVE}."
    yield from found("split", Severity.FAULT, leaks, text, ok=ok)


Input = SampleInput | StoreInput


@dataclass(frozen=True, slots=True)
class PairExamination:
    """Two files that were compared. Fixing removes from the first what the second also has."""

    one: Input
    other: Input
    report: DoctorReport
    held: KeySet
    """Keys of the second's positions after move 10."""

    @classmethod
    def examine(cls, one: Input, other: Input, on_progress: OnProgress = no_progress) -> "PairExamination":
        held = KeySet()
        for rows in other.rows(on_progress):
            positions = rows["position"]
            held.add(position_keys(positions[is_late(positions, rows["ply"])]))
        findings = [*_common_games(one, other), *_common_positions(one, other, held, on_progress)]
        kind = "games" if isinstance(one, StoreInput) else "samples"
        return cls(one, other, DoctorReport(f"{one.name} and {other.name}", kind, findings), held)

    def fix(self, to: Path | str, on_progress: OnProgress = no_progress) -> int:
        """Write the first without what both have: games of a store, positions of a sample file."""
        if isinstance(self.one, StoreInput):
            common = np.flatnonzero(_in_both(self.one, self.other))
            return StoreFixer(drop=frozenset(common.tolist())).copy(self.one.store, to, on_progress)
        return copy_samples(self.one, partial(_without, self.held), to, on_progress)


def _without(held: KeySet, rows: Rows) -> Rows:
    kept: Rows = rows[~held.contains(position_keys(rows["position"]))]
    return kept


def _in_both(one: StoreInput, other: Input) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which games of the first are in the second; none if the second is not a store."""
    hashes = one.store.hashes()
    held = KeySet()
    if isinstance(other, StoreInput):
        held.add(other.store.hashes())
    return held.contains(hashes)


def _common_games(one: Input, other: Input) -> Iterator[Finding]:
    if not (isinstance(one, StoreInput) and isinstance(other, StoreInput)):
        return
    count = int(_in_both(one, other).sum())
    text = f"{count:,} games of {one.name} are in {other.name}, too, move for move."
    fix, ok = f"leaves them out of {one.name}", f"No game of {one.name} is in {other.name}."
    yield from found("common-games", Severity.FAULT, count, text, fix, ok)


def _common_positions(one: Input, other: Input, held: KeySet, on_progress: OnProgress) -> Iterator[Finding]:
    shared = total = 0
    common = KeySet()
    for rows in one.rows(on_progress):
        keys = position_keys(rows["position"])
        inside = held.contains(keys)
        common.add(keys[inside])
        shared, total = shared + int(inside.sum()), total + len(rows)
    text = (
        f"{len(common):,} of the {len(held):,} positions after move {AFTER_MOVE} of {other.name} are in {one.name}, "
        f"at {shared:,} of its {total:,} places. A model trained on one and tested on the other looks too good."
    )
    fix = "" if isinstance(one, StoreInput) else f"leaves them out of {one.name}"
    ok = f"No position after move {AFTER_MOVE} of {other.name} is in {one.name}."
    yield from found("common-positions", Severity.FAULT, shared, text, fix, ok)


AS_IT_SAYS = SampleOptions()
"""The format or header of a file defines the point of view of its values."""


def examine(
    path: Path | str,
    options: SampleOptions = AS_IT_SAYS,
    kind: str | None = None,
    on_progress: OnProgress = no_progress,
) -> Examination:
    """Examine a store or a file of samples. `kind` is the format, if name and bytes do not show it."""
    path = Path(path)
    if is_store(path):
        return StoreExamination.examine(path, on_progress)
    return SampleExamination.examine(SampleInput(path, options, kind), on_progress)


def examine_pair(
    one: Path | str,
    other: Path | str,
    options: SampleOptions = AS_IT_SAYS,
    kind: str | None = None,
    on_progress: OnProgress = no_progress,
) -> Examination:
    """Examine what two files have in common; the second may be the test set of the first."""
    first, second = (
        StoreInput(path) if is_store(path) else SampleInput(path, options, kind) for path in map(Path, (one, other))
    )
    return PairExamination.examine(first, second, on_progress)
