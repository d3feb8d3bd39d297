"""Samples to examine: from sample files, and from every format that the field writes them in."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from okapi.core.samples import Rows
from okapi.data.doctor.findings import Finding, Severity
from okapi.data.samples import Samples, is_sample_file
from okapi.data.sources import SAMPLES, read_samples
from okapi.errors import InvalidSamples, UsageError
from okapi.formats.samples import Options, Skipped

__all__ = ["SampleSource", "Tell", "nobody"]

Tell = Callable[[float], None]
"""Hears how much is done, 0 to 1."""


def nobody(_: float) -> None:
    """Hears it, and tells nobody."""


class SampleSource:
    """A file of samples, without what is damaged of it."""

    def __init__(self, path: Path, options: Options, kind: str | None = None) -> None:
        if ".pgn" in path.suffixes:
            raise UsageError(
                f"{path.name} holds games", hint=f"okapi games import {path} --to games.okapi, and then that"
            )
        self.name = path.name
        self.card: dict[str, Any] = {}
        self._path, self._options = path, options
        self._skipped = Skipped()
        self._damage, self._torn = "", 0
        self._kind = SAMPLES if is_sample_file(path) or path.suffix == f".{SAMPLES}" else kind
        if self._kind == SAMPLES:
            self._look_at_file()

    def rows(self, tell: Tell) -> Iterator[Rows]:
        """All rows that can be read."""
        self._skipped = Skipped()
        return read_samples(
            self._path,
            kind=self._kind,
            options=self._options,
            skipped=self._skipped,
            skip_damaged=bool(self._damage),
            heard=tell,
        )

    def trouble(self) -> Iterator[Finding]:
        """Damaged blocks, a torn tail, lines that cannot be read."""
        if self._damage:
            text = f"{self._damage[0].upper()}{self._damage[1:]}. Damaged blocks are left out here."
            yield Finding("damaged-blocks", Severity.FAULT, text, 1, "leaves them out")
        if self._torn:
            text = f"A writer was stopped: {self._torn:,} bytes behind the last whole block are left out."
            yield Finding("torn-tail", Severity.NOTE, text, self._torn)
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
