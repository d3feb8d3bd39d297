"""What two files have in common. The second may be the test set of the first."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from okapi.core.keys import KeySet, position_keys
from okapi.core.samples import Rows
from okapi.data.doctor.findings import Finding, Report, Severity
from okapi.data.doctor.patients import copy_samples
from okapi.data.doctor.sources import SampleSource, Tell, nobody
from okapi.data.doctor.stores import StoreSource
from okapi.data.doctor.surgery import Surgery
from okapi.data.split import AFTER_MOVE, is_late

__all__ = ["Pair"]

Source = SampleSource | StoreSource


@dataclass(frozen=True, slots=True)
class Pair:
    """Two files that were compared. Mending takes away from the first what the second has, too."""

    one: Source
    other: Source
    report: Report
    held: KeySet
    """Keys of the second's positions after move 10."""

    @classmethod
    def examine(cls, one: Source, other: Source, tell: Tell = nobody) -> "Pair":
        """Look at every position of both."""
        held = KeySet()
        for rows in other.rows(tell):
            positions = rows["position"]
            held.add(position_keys(positions[is_late(positions, rows["ply"])]))
        findings = [*_common_games(one, other), *_common_positions(one, other, held, tell)]
        kind = "games" if isinstance(one, StoreSource) else "samples"
        return cls(one, other, Report(f"{one.name} and {other.name}", kind, findings), held)

    def mend(self, to: Path | str, tell: Tell = nobody) -> int:
        """Write the first without what both have: games of stores, positions of samples."""
        if isinstance(self.one, StoreSource):
            common = np.flatnonzero(_in_both(self.one, self.other))
            return Surgery(drop=frozenset(common.tolist())).copy(self.one.store, to, tell)
        return copy_samples(self.one, partial(_without, self.held), to, tell)


def _without(held: KeySet, rows: Rows) -> Rows:
    kept: Rows = rows[~held.contains(position_keys(rows["position"]))]
    return kept


def _in_both(one: StoreSource, other: Source) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which games of the first are in the second; none where that is no store."""
    hashes = one.store.hashes()
    held = KeySet()
    if isinstance(other, StoreSource):
        held.add(other.store.hashes())
    return held.contains(hashes)


def _common_games(one: Source, other: Source) -> Iterator[Finding]:
    if not (isinstance(one, StoreSource) and isinstance(other, StoreSource)):
        return
    count = int(_in_both(one, other).sum())
    if count:
        text = f"{count:,} games of {one.name} are in {other.name}, too, move for move."
        yield Finding("common-games", Severity.FAULT, text, count, f"leaves them out of {one.name}")
    else:
        yield Finding("common-games", Severity.OK, f"No game of {one.name} is in {other.name}.")


def _common_positions(one: Source, other: Source, held: KeySet, tell: Tell) -> Iterator[Finding]:
    shared = total = 0
    found = KeySet()
    for rows in one.rows(tell):
        keys = position_keys(rows["position"])
        inside = held.contains(keys)
        found.add(keys[inside])
        shared, total = shared + int(inside.sum()), total + len(rows)
    if not shared:
        text = f"No position after move {AFTER_MOVE} of {other.name} stands in {one.name}."
        yield Finding("common-positions", Severity.OK, text)
        return
    text = (
        f"{len(found):,} of the {len(held):,} positions after move {AFTER_MOVE} of {other.name} stand in {one.name}, "
        f"at {shared:,} of its {total:,} places. Learning from one and testing with the other flatters the learner."
    )
    mend = "" if isinstance(one, StoreSource) else f"leaves them out of {one.name}"
    yield Finding("common-positions", Severity.FAULT, text, shared, mend)
