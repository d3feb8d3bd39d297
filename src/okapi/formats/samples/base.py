"""What sample formats share: units of values and results, options, and lines read and written."""

import csv
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import islice
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from okapi.core.packed import NO_GAME, NO_VALUE, fens, pack_fens
from okapi.core.samples import MATE, NO_SUCH_MOVE, Columns, move_texts, pack_lines
from okapi.errors import InvalidFen, OkapiError
from okapi.formats.streams import Stream

NO_RESULT: Final = -1
RESULTS: Final = ("0-1", "1/2-1/2", "1-0")  # of White: lost, drawn, won
LARGEST: Final = 30000  # the largest value that is no mate; larger ones are clipped to it
NEAR_MATE: Final = 31000  # from here on a value is a mate, and no unit changes it
MATE_TEXT: Final = re.compile(r"([+-]?)[#M]([+-]?)(\d+)")


class SampleView(StrEnum):
    """The side whose value or result a file has."""

    WHITE = "white"
    MOVER = "mover"


def is_black_to_move(fen: str) -> bool:
    """The side to move, without reading the rest of the FEN."""
    return fen.split(" ", 2)[1:2] == ["b"]


def results_for_white(results: NDArray[np.int8], turns: NDArray[np.uint8]) -> NDArray[np.int8]:
    return np.where((turns == 1) & (results >= 0), 2 - results, results).astype(np.int8)


def parse_value(text: str, *, view: SampleView, black: bool, scale: float = 1.0) -> int:
    """The value for the side to move that a text such as 35, -112, +0.5, #3, -M2 means. ValueError if it means none."""
    if (mate := MATE_TEXT.fullmatch(text)) is not None:
        loses = "-" in (mate[1], mate[2])
        moves = min(int(mate[3]), MATE - NEAR_MATE - 1)
        if moves == 0 and not loses:
            return NO_VALUE  # a mate, but the text does not say for whom
        value = moves - MATE if loses else MATE - moves
    else:
        number = float(text)
        if abs(number) > MATE:
            return NO_VALUE
        value = round(number) if abs(number) >= NEAR_MATE else max(-LARGEST, min(LARGEST, round(number * scale)))
    return -value if view is SampleView.WHITE and black else value


def parse_result(text: str, *, view: SampleView, black: bool, signed: bool = False) -> int:
    """The result for the side to move: 0 lost, 1 drawn, 2 won, NO_RESULT if the text says nothing.

    1-0, 0-1 and 1/2-1/2 are White's whatever the view. Numbers are points (0, 0.5, 1), or, signed, -1, 0, 1.

    >>> parse_result("1-0", view=SampleView.MOVER, black=True), parse_result("0.5", view=SampleView.WHITE, black=True)
    (0, 1)
    """
    if text in ("", "-", "*", "?"):
        return NO_RESULT
    if text in RESULTS or text == "1/2":
        result, view = RESULTS.index(text) if text in RESULTS else 1, SampleView.WHITE
    else:
        number = float(text)
        result = round(number) + 1 if signed else round(2 * number)
        if result not in (0, 1, 2) or (number + 1 if signed else 2 * number) != result:
            raise ValueError(f"the result is {text!r}")
    return 2 - result if view is SampleView.WHITE and black else result


Rows = NDArray[np.void]
Numbered = tuple[int, str]  # a line with its number, from 1 on
AT_A_TIME: Final = 4096
FEW: Final = 10  # errors that are reported one by one; the others are only counted
LONGEST_LINE: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class SampleOptions:
    """How a file writes values and results, where formats differ."""

    view: SampleView | None = None  # the side they are for; by default that of the format or its header
    scale: float = 1.0  # centipawns that one unit of the file is worth
    signed: bool | None = None  # are results -1, 0, 1, not 0, ½, 1? By default as the format or the first results say
    unknown_as_draw: bool = False  # write samples without a result as draws where the format needs one; else skip them


@dataclass(slots=True)
class SkippedSamples:
    """Samples that could not be read or written: how many, and the first few with file, place and reason."""

    count: int = 0
    told: list[str] = field(default_factory=list)
    tell: Callable[[str], None] = lambda _: None  # called with each of the first few

    def add(self, where: str, why: object, count: int = 1) -> None:
        self.count += count
        if len(self.told) < FEW:
            self.told.append(f"{where}: {str(why).splitlines()[0]}")
            self.tell(self.told[-1])


class Parsed(NamedTuple):
    """The content of a line; value and result for the side to move."""

    fen: str
    value: int = NO_VALUE
    move: str = ""
    result: int = NO_RESULT
    ply: int = -1  # -1: what the FEN says
    depth: int = 0
    nodes: int = 0


class SampleFormat(ABC):
    """A format of samples. Where each line is one, only `parse` is needed to read it."""

    name: str
    suffixes: tuple[str, ...] = ()

    begins: bytes = b""  # how files of this format begin, as a regular expression; empty where that does not tell

    def looks_like(self, start: bytes) -> bool:
        """Whether a file that begins like this has this format."""
        return self.begins != b"" and re.match(self.begins, start) is not None

    def parse(self, text: str, options: SampleOptions) -> Parsed:
        """What a line says that is no comment."""
        raise NotImplementedError

    def read(self, stream: Stream, name: str, options: SampleOptions, skipped: SkippedSamples) -> Iterator[Rows]:
        lines = (line for line in numbered(stream) if not line[1].startswith("#"))
        items = read_lines(lines, partial(self.parse, options=options), name, skipped)
        yield from rows_of(items, name, skipped)

    @abstractmethod
    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None: ...


def numbered(stream: Stream) -> Iterator[Numbered]:
    """The lines of a file with their numbers, without empty ones. One without end is cut into pieces."""
    for number, line in enumerate(iter(partial(stream.readline, LONGEST_LINE), b""), start=1):
        text = line.decode("utf-8-sig" if number == 1 else "utf-8", errors="replace").strip()
        if text:
            yield number, text


def read_lines(
    lines: Iterable[Numbered], parse: Callable[[str], Parsed], name: str, skipped: SkippedSamples
) -> Iterator[tuple[int, Parsed]]:
    """Parse each line; one that cannot be read is skipped and reported."""
    for number, text in lines:
        try:
            yield number, parse(text)
        except (ValueError, IndexError, csv.Error, OkapiError) as error:
            skipped.add(f"{name}, line {number}", error)


def rows_of(items: Iterable[tuple[int, Parsed]], name: str, skipped: SkippedSamples) -> Iterator[Rows]:
    """Rows for what was read. The first thousands say whether there is a depth, and a column for it.

    Where only plies are known, games are numbered: one goes on as long as the plies do.
    """
    items = iter(items)
    columns: Columns | None = None
    game, last = 0, -1
    while batch := list(islice(items, AT_A_TIME)):
        columns = columns or Columns(depth=any(parsed.depth for _, parsed in batch))
        rows = _pack(batch, columns, name, skipped)
        if len(rows) and any(parsed.ply >= 0 for _, parsed in batch):
            plies = rows["ply"].astype(np.int64)
            begins = np.diff(plies, prepend=plies[0] - 1 if last < 0 else last) != 1
            rows["game"] = game + begins.cumsum()
            game, last = int(rows["game"][-1]), int(plies[-1])
        if len(rows):
            yield rows


def gathered(parts: Iterable[Rows], least: int) -> Iterator[Rows]:
    """Rows together, at least so many at a time."""
    waiting: list[Rows] = []
    for rows in parts:
        waiting.append(rows)
        if sum(map(len, waiting)) >= least:
            yield np.concatenate(waiting)
            waiting = []
    if waiting:
        yield np.concatenate(waiting)


def _pack(batch: list[tuple[int, Parsed]], columns: Columns, name: str, skipped: SkippedSamples) -> Rows:
    """One row for each line whose position and move are right."""
    try:
        positions, moves = pack_lines([parsed.fen for _, parsed in batch], [parsed.move for _, parsed in batch])
    except InvalidFen:
        return _pack([item for item in batch if _is_position(item, name, skipped)], columns, name, skipped)
    lines, parsed = [number for number, _ in batch], [item for _, item in batch]
    rows = np.zeros(len(parsed), columns.dtype)
    rows["position"] = positions
    rows["value"] = [item.value for item in parsed]
    rows["result"] = [item.result for item in parsed]
    rows["nodes"] = _within([item.nodes for item in parsed], 0, 0xFFFFFFFF)
    rows["game"] = NO_GAME
    told = _within([item.ply for item in parsed], -1, 0xFFFF)
    rows["ply"] = np.where(told >= 0, told, 2 * (positions["fullmove_number"].astype(np.int64) - 1) + positions["turn"])
    if columns.depth:
        rows["depth"] = _within([item.depth for item in parsed], 0, 0xFF)
    rows["move"] = moves
    right = moves != NO_SUCH_MOVE
    for index in np.flatnonzero(~right):
        skipped.add(f"{name}, line {lines[index]}", f"{parsed[index].move} is not legal in {parsed[index].fen}")
    return rows.compress(right)


def _within(numbers: list[int], least: int, most: int) -> NDArray[np.int64]:
    """Numbers as an array, clipped to its range."""
    return np.array([max(least, min(most, number)) for number in numbers])


def known_columns(rows: Rows, *, san: bool = False) -> tuple[list[Any], ...]:
    """FENs, values, moves, depths, nodes and results as text, for a table; None is unknown."""
    depths = rows["depth"].tolist() if "depth" in (rows.dtype.names or ()) else [0] * len(rows)
    results = results_for_white(rows["result"], rows["position"]["turn"]).tolist()
    return (
        fens(rows["position"]),
        [None if value == NO_VALUE else value for value in rows["value"].tolist()],
        [move or None for move in move_texts(rows, san=san)],
        [depth or None for depth in depths],
        [nodes or None for nodes in rows["nodes"].tolist()],
        [RESULTS[result] if result >= 0 else None for result in results],
    )


def known_results(rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> Iterator[Rows]:
    """Rows for a format that cannot say that a result is not known: left out, or draws if that is wished."""
    for some in rows:
        unknown = some["result"] == NO_RESULT
        if options.unknown_as_draw:
            drawn = some.copy()
            drawn["result"][unknown] = 1
            yield drawn
        else:
            if unknown.any():
                skipped.add("samples", "no result, and the format has no way to say that", int(unknown.sum()))
            yield some[~unknown]


def _is_position(item: tuple[int, Parsed], name: str, skipped: SkippedSamples) -> bool:
    number, parsed = item
    try:
        pack_fens([parsed.fen])
    except InvalidFen as error:
        skipped.add(f"{name}, line {number}", f"{error.field.removeprefix('number 0: ')}: expected {error.expected}")
        return False
    return True
