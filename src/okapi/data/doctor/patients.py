"""A file that was examined and can be mended."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from okapi.core.keys import KeySet
from okapi.core.samples import Rows, as_samples
from okapi.data.doctor.findings import Report
from okapi.data.doctor.mending import Mender
from okapi.data.doctor.rows import report_on
from okapi.data.doctor.sources import SampleSource, Tell, nobody
from okapi.data.doctor.tally import Tally
from okapi.data.sources import write_samples

__all__ = ["Patient", "SamplePatient", "copy_samples"]


class Patient(Protocol):
    """What was found, and a way to mend it."""

    @property
    def report(self) -> Report:
        """What was found."""

    def mend(self, to: Path | str, tell: Tell = nobody) -> int:
        """Write a copy with what is wrong put right or left out; how many games or samples it has."""


@dataclass(frozen=True, slots=True)
class SamplePatient:
    """A file of samples."""

    source: SampleSource
    report: Report
    mender: Mender

    @classmethod
    def examine(cls, source: SampleSource, tell: Tell = nobody) -> "SamplePatient":
        """Look at every row."""
        tally = Tally()
        for rows in source.rows(tell):
            tally.add(as_samples(rows))
        return cls(source, report_on(tally, source.name, source.trouble()), Mender.after(tally))

    def mend(self, to: Path | str, tell: Tell = nobody) -> int:
        """Write a file of samples; its name says in which format."""
        return copy_samples(self.source, replace(self.mender, seen=KeySet()).mend, to, tell)


def copy_samples(source: SampleSource, change: Callable[[Rows], Rows], to: Path | str, tell: Tell) -> int:
    """Write what `change` makes of the rows; how many those are."""
    written = 0

    def changed(rows: Rows) -> Rows:
        nonlocal written
        kept = change(rows)
        written += len(kept)
        return kept

    write_samples(to, map(changed, source.rows(tell)), card={**source.card, "mended": source.name})
    return written
