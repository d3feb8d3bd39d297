"""Stockfish's .binpack: blocks of chains. Scores and results are for the side to move, in the engine's own unit."""

import struct
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

import numpy as np

from okapi.core.samples import BinpackRead, as_samples, write_binpack
from okapi.formats.samples.base import Rows, SampleOptions, SkippedSamples, from_engine, to_engine
from okapi.formats.samples.text import known_results
from okapi.formats.streams import Stream

MAGIC: Final = b"BINP"
LARGEST_BLOCK: Final = 100 << 20
"""Bytes; a block that says more is broken."""

ROWS_IN_A_BLOCK: Final = 1 << 18
"""Samples that are written together: about half a block, which chains must not cross."""


class BinpackFormat:
    """Blocks of chains of positions that differ by a move."""

    name = "binpack"
    suffixes = (".binpack",)

    def looks_like(self, start: bytes) -> bool:
        return start.startswith(MAGIC)

    def read(self, stream: Stream, name: str, options: SampleOptions, skipped: SkippedSamples) -> Iterator[Rows]:
        """Yield the samples of each block. Behind broken bytes, reading goes on with the next block."""
        games = 0
        for offset, block in _blocks(stream, name, skipped):
            read = BinpackRead.of(block, games)
            games += read.chains
            if read.trouble:
                skipped.add(f"{name}, byte {offset + read.offset}", f"{read.trouble}; the rest of its block is lost")
            if len(read.samples):
                rows = read.samples.copy()
                rows["value"] = from_engine(rows["value"], options.scale)
                yield rows

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        """Write samples that have a result; one without a value gets the engine's word for that, 32002."""
        waiting: list[Rows] = []
        for some in known_results(rows, options, skipped):
            waiting.append(as_samples(some))
            if sum(map(len, waiting)) >= ROWS_IN_A_BLOCK:
                _write(file, np.concatenate(waiting), options, skipped)
                waiting = []
        if waiting:
            _write(file, np.concatenate(waiting), options, skipped)


def _write(file: BinaryIO, rows: Rows, options: SampleOptions, skipped: SkippedSamples) -> None:
    scored = rows.copy()
    scored["value"] = to_engine(rows["value"], options.scale)
    data, refused = write_binpack(scored)
    file.write(data)
    if refused:
        skipped.add("samples", "a position or move that .binpack has no way to say", len(refused))


def _blocks(stream: Stream, name: str, skipped: SkippedSamples) -> Iterator[tuple[int, bytes]]:
    offset = 0
    while header := stream.read(8):
        size = struct.unpack("<I", header[4:])[0] if len(header) == 8 else 0
        if header[:4] != MAGIC or size > LARGEST_BLOCK:
            skipped.add(f"{name}, byte {offset}", "no block begins here; what follows was not read")
            return
        block = stream.read(size)
        if len(block) < size:
            skipped.add(f"{name}, byte {offset}", "the file ends inside this block")
        yield offset + 8, block
        offset += 8 + size
