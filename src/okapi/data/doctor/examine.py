"""Examine a store, a file of samples or two files, and write a fixed copy."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Color
from okapi.core.game import RawGame
from okapi.core.keys import KeySet, position_keys
from okapi.core.packed import NO_VALUE, Trait, traits
from okapi.core.samples import Rows, as_samples
from okapi.data.doctor import checks
from okapi.data.doctor.checks import UNCHANGED, CheckedStore, DoctorReport, Finding, found, report_on, stated
from okapi.data.doctor.statistics import HIGHEST, WRONG_TURNS, PointOfView, SampleCounts, evidence_of, flipped
from okapi.data.samples import RANDOM_MOVE, Samples, is_sample_file
from okapi.data.sources import SAMPLES, OnProgress, read_samples, write_samples
from okapi.data.split import AFTER_MOVE, Split, Subset, in_chunks, is_late
from okapi.data.store import Store, StoreWriter, is_store
from okapi.errors import InvalidSamples, InvalidSplit, InvalidStore, UsageError
from okapi.files import write_whole
from okapi.formats.samples import SampleOptions, SkippedSamples
from okapi.formats.samples.base import RESULTS


@dataclass(frozen=True, slots=True)
class Examination:
    """A report, and a way to fix what it lists."""

    report: DoctorReport
    copy: Callable[[Path, OnProgress], int]

    def fix(self, to: Path | str, on_progress: OnProgress = lambda _: None) -> int:
        """Write a corrected copy and return how many games or samples it has."""
        return self.copy(Path(to), on_progress)


def examine(
    path: Path | str,
    other: Path | str | None = None,
    *,
    options: SampleOptions | None = None,
    kind: str | None = None,
    on_progress: OnProgress = lambda _: None,
) -> Examination:
    """Examine a store or a file of samples. `kind` is the format, if name and bytes do not show it.

    Of a store: all games, about a million positions, and the split file beside it. With another file, which may be the
    test set of the first: what the two have in common; fixing removes that from the first, games of a store, positions
    of a sample file. Without options, a file's format or header says whose its values are.
    """
    files = [Path(file) for file in (path, other) if file is not None]
    source, *others = (StoreInput(file) if is_store(file) else SampleInput(file, options, kind) for file in files)
    if others:
        return _examine_pair(source, others[0], on_progress)
    return source.examined(on_progress)


class SampleInput:
    """A file of samples; damaged blocks are left out."""

    def __init__(self, path: Path, options: SampleOptions | None, kind: str | None) -> None:
        if ".pgn" in path.suffixes:
            raise UsageError(f"{path.name} holds games", hint=f"first: okapi games import {path} --out games.okapi")
        self.name = path.name
        self.card: dict[str, Any] = {}
        self._skipped = SkippedSamples()
        self._damage, self._torn = "", 0
        if is_sample_file(path) or path.suffix == f".{SAMPLES}":
            kind = SAMPLES
            try:
                samples = Samples.open(path)
                samples.verify()
            except InvalidSamples as error:
                self._damage = str(error)
                samples = Samples.open(path, skip_damaged=True)
            self.card, self._torn = samples.card, samples.torn
        self._read = partial(read_samples, path, kind=kind, options=options, skip_damaged=bool(self._damage))

    def rows(self, on_progress: OnProgress) -> Iterator[Rows]:
        self._skipped = SkippedSamples()
        return self._read(skipped=self._skipped, on_progress=on_progress)

    def examined(self, on_progress: OnProgress) -> Examination:
        counts = SampleCounts()
        for rows in self.rows(on_progress):
            counts.add(as_samples(rows))
        report = report_on(counts, self.name, self._damage_findings())
        return Examination(report, lambda to, tell: self.copied(SampleFixer.after(counts).fix, to, tell))

    def _damage_findings(self) -> Iterator[Finding]:
        if self._damage:
            yield stated("damaged-blocks.samples", 1, damage=self._damage[0].upper() + self._damage[1:])
        yield from found("torn-tail", self._torn)
        yield from found("unreadable-entries", self._skipped.count, first="".join(self._skipped.told[:1]))

    def copied(self, change: Callable[[Rows], Rows], to: Path, on_progress: OnProgress) -> int:
        """Write the rows as `change` makes them, in the format of the new name, and return how many."""
        written = 0

        def changed() -> Iterator[Rows]:
            nonlocal written
            for rows in map(change, self.rows(on_progress)):
                written += len(rows)
                yield rows

        write_samples(to, changed(), card={**self.card, "mended": self.name})
        return written


@dataclass
class SampleFixer:
    """Fixes what is certain in the rows of an examined file, and keeps the first row of each position."""

    value_view: PointOfView
    result_view: PointOfView
    seen: KeySet = field(default_factory=KeySet)

    @classmethod
    def after(cls, counts: SampleCounts) -> "SampleFixer":
        evidence = evidence_of(counts)
        return cls(evidence["value"].agreement.certain_view, evidence["result"].agreement.certain_view)

    def fix(self, rows: Rows) -> Rows:
        bits = traits(rows["position"], rows["move"])
        whole = (bits & Trait.BROKEN) == 0
        whole[whole] = self.seen.add(position_keys(rows["position"][whole]))
        kept: Rows = rows[whole]
        kept["move"][(bits[whole] & Trait.ILLEGAL) != 0] = 0

        values, turns, names = kept["value"], kept["position"]["turn"], kept.dtype.names or ()
        values[np.abs(values.astype(np.int32)) > HIGHEST] = NO_VALUE
        wrong = flipped(self.value_view, turns)
        for column in (values, *([kept["lines"]["value"]] if "lines" in names else [])):
            column[wrong] = _negated(column[wrong])
        if "wdl" in names:
            kept["wdl"][wrong] = kept["wdl"][wrong][:, ::-1]

        results = kept["result"]
        known = (results >= 0) & (results <= 2)
        results[~known | ((kept["flags"] & RANDOM_MOVE) != 0)] = -1
        wrong = flipped(self.result_view, turns) & (results >= 0)
        results[wrong] = 2 - results[wrong]
        return kept


def _negated(values: NDArray[np.int16]) -> NDArray[np.int16]:
    return np.where(values == NO_VALUE, values, -values)


MOST: Final = 1_000_000  # positions that are examined as samples; more would not change the result
GAMES_AT_ONCE: Final = 1000  # games between two reports of progress


class StoreInput:
    def __init__(self, path: Path) -> None:
        self.name, self.path, self.store = path.name, path, Store.open(path)

    def rows(self, on_progress: OnProgress) -> Iterator[Rows]:
        return self.some(np.arange(len(self.store)), on_progress)

    def some(self, games: NDArray[np.int64], on_progress: OnProgress) -> Iterator[Rows]:
        done = 0
        for of, plies in in_chunks(self.store.plies(), games):
            yield self.store.samples(of, plies)
            done += int((np.diff(of) != 0).sum()) + 1
            on_progress(done / len(games))

    def examined(self, on_progress: OnProgress) -> Examination:
        damaged = [stated("damaged-blocks.store", 1, damage=sentence) for sentence in self.store.verify()]
        damage = [*damaged, *found("torn-tail", self.store.tail)]
        if damaged:
            report = DoctorReport(self.name, "games", [*damage, stated("not-examined")])
            return Examination(report, partial(self.copied, lambda _, game: game))
        checked = CheckedStore(self.store)
        earlier = [*damage, *checks.game_findings(checked), *_split(self, on_progress)]
        counts = SampleCounts()
        step = max(1, -(-int(checked.plies.sum()) // MOST))
        for rows in self.some(np.arange(0, len(checked.plies), step), on_progress):
            counts.add(rows)
        report = replace(report_on(counts, self.name, earlier, checks.position_findings), kind="games")
        view = evidence_of(counts)["value"].agreement.certain_view
        return Examination(report, partial(self.copied, partial(_fixed_game, checked, view)))

    def copied(self, change: Callable[[int, RawGame], RawGame | None], to: Path, on_progress: OnProgress) -> int:
        """Write the games as `change` makes them, without those of damaged blocks, and return how many."""
        with write_whole(to) as part, StoreWriter.open(part) as writer:
            for number in range(len(self.store)):
                game = None
                with suppress(InvalidStore):
                    game = change(number, self.store.record(number))
                if game is not None:
                    writer.add(game)
                if number % GAMES_AT_ONCE == 0:
                    on_progress(number / len(self.store))
            return len(writer)


def _fixed_game(checked: CheckedStore, view: PointOfView, number: int, game: RawGame) -> RawGame | None:
    """The game without what is wrong, if its values are written from this point of view; None to leave it out."""
    if checked.drop[number]:
        return None
    result, removed_tags = checked.results[number], checked.removed_tags.get(number, set())
    if result == UNCHANGED and not removed_tags and view not in WRONG_TURNS:
        return game
    turns = (np.arange(len(game.values)) + (game.start.turn is Color.BLACK)) % 2
    values = np.array(game.values, np.int16)
    wrong = flipped(view, turns.astype(np.uint8))
    values[wrong] = _negated(values[wrong])
    return RawGame(
        tags=[(name, text) for name, text in game.tags if name not in removed_tags],
        start=game.start,
        moves=game.moves,
        result=game.result if result == UNCHANGED else RESULTS[result],
        values=values.tolist(),
        best=game.best,
        lines=game.lines,
        clocks=game.clocks,
    )


def _split(source: StoreInput, on_progress: OnProgress) -> Iterator[Finding]:
    """Count the positions that a subset may use although a later subset holds them."""
    if not (file := source.path.with_name(source.name + ".split")).exists():
        return
    try:
        split = Split.open(file)
        split.check(source.store.hashes())
    except InvalidSplit as error:
        yield stated("split.unusable", file=file.name, error=error)
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
    yield from found("split", leaks, file=file.name, move=AFTER_MOVE)


def _examine_pair(
    one: SampleInput | StoreInput, other: SampleInput | StoreInput, on_progress: OnProgress
) -> Examination:
    late, shared, common_keys, total = KeySet(), 0, KeySet(), 0
    for rows in other.rows(on_progress):
        positions = rows["position"]
        late.add(position_keys(positions[is_late(positions, rows["ply"])]))
    for rows in one.rows(on_progress):
        keys = position_keys(rows["position"])
        inside = late.contains(keys)
        common_keys.add(keys[inside])
        shared, total = shared + int(inside.sum()), total + len(rows)
    name, facts = f"{one.name} and {other.name}", {"one": one.name, "other": other.name, "move": AFTER_MOVE}
    findings = list(found("common-positions", shared, total=total, common=len(common_keys), late=len(late), **facts))
    if isinstance(one, SampleInput):
        others = partial(one.copied, lambda rows: rows[~late.contains(position_keys(rows["position"]))])
        return Examination(DoctorReport(name, "samples", findings), others)
    common = np.zeros(len(one.store), np.bool_)
    findings = [replace(finding, fix="") for finding in findings]
    if isinstance(other, StoreInput):
        games = KeySet()
        games.add(other.store.hashes())
        common = games.contains(one.store.hashes())
        findings = [*found("common-games", int(common.sum()), one=one.name, other=other.name), *findings]
    report = DoctorReport(name, "games", findings)
    return Examination(report, partial(one.copied, lambda number, game: None if common[number] else game))
