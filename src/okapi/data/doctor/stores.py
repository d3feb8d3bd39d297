"""A store that was examined: its games by their columns, and some of its positions as samples."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core.keys import KeySet, position_keys
from okapi.core.samples import Rows
from okapi.data.doctor.findings import Finding, Report, Severity
from okapi.data.doctor.games import Checkup, check
from okapi.data.doctor.rows import OF_GAMES, report_on
from okapi.data.doctor.sources import Tell, nobody
from okapi.data.doctor.surgery import Surgery
from okapi.data.doctor.tally import Tally, evidence_of
from okapi.data.split import AFTER_MOVE, Part, Split, in_chunks, is_late
from okapi.data.store import Store
from okapi.errors import InvalidSplit

__all__ = ["StorePatient", "StoreSource"]

MOST: Final = 1_000_000
"""Positions that are looked at as samples. More would say the same."""


class StoreSource:
    """The positions of a store as samples."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.store = Store.open(path)
        self.damage = self.store.verify()
        """A sentence for each damaged place."""

    def rows(self, tell: Tell) -> Iterator[Rows]:
        """All positions."""
        return self.some(np.arange(len(self.store)), tell)

    def some(self, games: NDArray[np.int64], tell: Tell) -> Iterator[Rows]:
        """All positions of these games."""
        done = 0
        for of, plies in in_chunks(self.store.plies(), games):
            yield self.store.samples(of, plies)
            done += int((np.diff(of) != 0).sum()) + 1
            tell(done / len(games))

    def trouble(self) -> Iterator[Finding]:
        """Damaged blocks, and a torn tail."""
        for sentence in self.damage:
            yield Finding("damaged-blocks", Severity.FAULT, sentence, 1, "leaves these games out")
        if self.store.tail:
            text = f"A writer was stopped: {self.store.tail:,} bytes behind the last whole block are left out."
            yield Finding("torn-tail", Severity.NOTE, text, self.store.tail)


@dataclass(frozen=True, slots=True)
class StorePatient:
    """A store of games."""

    source: StoreSource
    report: Report
    surgery: Surgery

    @classmethod
    def examine(cls, path: Path, tell: Tell = nobody) -> "StorePatient":
        """Look at every game, at a million positions of some of them, and at the split that stands beside."""
        source = StoreSource(path)
        if source.damage:
            findings = [*source.trouble(), Finding("not-examined", Severity.NOTE, "Mend it first, then look again.")]
            return cls(source, Report(source.name, "games", findings), Surgery())
        checkup = Checkup(source.store)
        found = [*source.trouble(), *check(checkup), *_split(source, path.with_name(path.name + ".split"), tell)]
        tally = Tally()
        for rows in source.some(_spread(checkup.plies), tell):
            tally.add(rows)
        report = replace(report_on(tally, source.name, found, OF_GAMES), kind="games")
        return cls(source, report, Surgery.after(checkup, evidence_of(tally)["value"].agreement))

    def mend(self, to: Path | str, tell: Tell = nobody) -> int:
        """Write a store."""
        return self.surgery.copy(self.source.store, to, tell)


def _spread(plies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Games that have about as many positions together as are looked at, spread evenly over the store."""
    step = max(1, -(-int(plies.sum()) // MOST))
    return np.arange(0, len(plies), step)


def _split(source: StoreSource, file: Path, tell: Tell) -> Iterator[Finding]:
    """Is the promise of the split kept? Counted again: positions that a part may use, and a later part holds."""
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
    for part in (Part.TEST, Part.VALIDATION, Part.TRAIN):
        late: list[NDArray[np.uint64]] = []
        for rows in source.some(np.flatnonzero(split.parts == part), tell):
            keys = position_keys(rows["position"])
            leaks += int((held.contains(keys) & split.allows(rows["game"], rows["ply"])).sum())
            if part is not Part.TRAIN:
                late.append(keys[is_late(rows["position"], rows["ply"])])
        for keys in late:
            held.add(keys)
    if leaks:
        text = f"{file.name} lets {leaks:,} positions into a part that a later part has after move {AFTER_MOVE}."
        yield Finding("split", Severity.FAULT, text, leaks)
    else:
        text = f"{file.name} keeps its parts apart: no part uses what a later part has after move {AFTER_MOVE}."
        yield Finding("split", Severity.OK, text)
