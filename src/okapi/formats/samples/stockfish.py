"""Stockfish's own formats: .plain, and .binpack, blocks of chains of positions. Values are in the engine's unit."""

import struct
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core.packed import NO_VALUE, fens
from okapi.core.samples import MATE, BinpackRead, as_samples, move_texts, write_binpack
from okapi.formats.samples import base
from okapi.formats.samples.base import LARGEST, NEAR_MATE, Parsed, Rows, SampleOptions, SampleView, SkippedSamples
from okapi.formats.streams import Stream

ENGINE_MATE: Final = 32000
ENGINE_LONGEST: Final = 246  # mate in n half-moves is 32000 - n, and Stockfish looks no further ahead than this
ENGINE_NONE: Final = 32002  # Stockfish's number for no value


def from_engine(scores: NDArray[np.int16], scale: float) -> NDArray[np.int16]:
    """Values from an engine's own numbers, as .plain and .binpack hold them."""
    wide = scores.astype(np.int32)
    size = np.abs(wide)
    values = np.clip(np.rint(wide * scale), -LARGEST, LARGEST).astype(np.int32)
    moves = (ENGINE_MATE - size + 1) // 2
    values = np.where(size >= ENGINE_MATE - ENGINE_LONGEST, np.sign(wide) * (MATE - moves), values)
    return np.where(size > ENGINE_MATE, NO_VALUE, values).astype(np.int16)


def to_engine(values: NDArray[np.int16], scale: float) -> NDArray[np.int16]:
    wide = values.astype(np.int32)
    size = np.abs(wide)
    plies = np.minimum(2 * (MATE - size) - (wide > 0), ENGINE_LONGEST)
    scores = np.clip(np.rint(wide / scale), -LARGEST, LARGEST).astype(np.int32)
    scores = np.where(size >= NEAR_MATE, np.sign(wide) * (ENGINE_MATE - plies), scores)
    return np.where(wide == NO_VALUE, ENGINE_NONE, scores).astype(np.int16)


class PlainFormat(base.SampleFormat):
    """Blocks of `fen …`, `move e2e4`, `score 35`, `ply 12`, `result -1`, `e`."""

    name = "plain"
    suffixes = (".plain",)
    begins = b"fen "

    def read(self, stream: Stream, name: str, options: SampleOptions, skipped: SkippedSamples) -> Iterator[Rows]:
        for rows in base.rows_of(_parse_plain(stream, options, name, skipped), name, skipped):
            rows["value"] = from_engine(rows["value"], options.scale)
            yield rows

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        """Write samples that have a result; one without a value gets the engine's word for that, 32002."""
        for some in base.known_results(rows, options, skipped):
            scores = to_engine(some["value"], options.scale).tolist()
            plies = (2 * (some["position"]["fullmove_number"].astype(int) - 1) + some["position"]["turn"]).tolist()
            columns = fens(some["position"]), move_texts(some), scores, plies, (some["result"] - 1).tolist()
            text = (
                f"fen {fen}\nmove {move or '0000'}\nscore {score}\nply {ply}\nresult {result}\ne\n"
                for fen, move, score, ply, result in zip(*columns, strict=True)
            )
            file.write("".join(text).encode())


def _parse_plain(
    stream: Stream, options: SampleOptions, name: str, skipped: SkippedSamples
) -> Iterator[tuple[int, Parsed]]:
    """What stands before each `e`. The value is the engine's number still."""
    told: dict[str, str] = {}
    begun = 0
    for number, text in base.numbered(stream):
        word, _, rest = text.partition(" ")
        if word == "e":
            try:
                yield begun, _parsed(told, options)
            except (KeyError, ValueError) as error:
                skipped.add(f"{name}, line {begun}", f"no {error}" if isinstance(error, KeyError) else error)
            told = {}
        elif word == "fen" and told:
            skipped.add(f"{name}, line {begun}", "no `e` at its end")
            told, begun = {"fen": rest}, number
        else:
            begun = begun if told else number
            told[word] = rest.strip()
    if told:
        skipped.add(f"{name}, line {begun}", "the file ends inside it")


def _parsed(told: dict[str, str], options: SampleOptions) -> Parsed:
    fen, score, move = told["fen"], int(told["score"]), told.get("move", "")
    black, view = base.is_black_to_move(fen), options.view or SampleView.MOVER
    score = -score if view is SampleView.WHITE and black else score
    move = "" if move in ("0000", "none", "(none)") else move
    result = base.parse_result(told["result"], view=view, black=black, signed=True)
    return Parsed(fen, score, move, result, int(told.get("ply", -1)))


MAGIC: Final = b"BINP"
LARGEST_BLOCK: Final = 100 << 20  # bytes; a block that says more is broken
ROWS_IN_A_BLOCK: Final = 1 << 18  # samples that are written together: about half a block, which chains must not cross


class BinpackFormat(base.SampleFormat):
    """Blocks of chains of positions that differ by a move."""

    name = "binpack"
    suffixes = (".binpack",)
    begins = MAGIC

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
        known = map(as_samples, base.known_results(rows, options, skipped))
        for some in base.gathered(known, ROWS_IN_A_BLOCK):
            scored = some.copy()
            scored["value"] = to_engine(some["value"], options.scale)
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
