"""`FEN | score | result` and `FEN [result]`: text in the manner of bullet and of tuners. White's view."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Final

import numpy as np

from okapi.core.packed import NO_VALUE, fens
from okapi.formats.samples.lines import LineFormat, Options, Parsed, Rows, Skipped
from okapi.formats.samples.units import (
    NO_RESULT,
    View,
    for_white,
    is_black_to_move,
    parse_result,
    parse_value,
    results_for_white,
)

__all__ = ["BracketFormat", "TextFormat"]

BRACKETS: Final = re.compile(r"(.*?)\s*\[\s*([^\]\s]*)\s*\]\s*(\S*)$")
POINTS: Final = ("0.0", "0.5", "1.0")

Line = Callable[[str, int, str], str]


class TextFormat(LineFormat):
    """Lines such as `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 150 | 1.0`. Also reads brackets, and FENs alone."""

    name = "text"
    suffixes: tuple[str, ...] = (".txt", ".fen", ".fens", ".book")

    def looks_like(self, start: bytes) -> bool:
        """Lines that begin with a FEN."""
        return re.match(rb"\S+(/\S+){7} [wb] \S+ \S+", start) is not None

    def parse(self, text: str, options: Options) -> Parsed | None:
        """What a line says, in its own manner; nothing for a comment (#)."""
        return None if text.startswith("#") else _parse(text, options)

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: Options, skipped: Skipped) -> None:
        """Write samples that have a value and a result."""
        for some in known_results(rows, options, skipped):
            whole = some["value"] != NO_VALUE
            if not whole.all():
                skipped.add("samples", f"no value, and {self.name} has no way to say that", int((~whole).sum()))
                some = some[whole]
            _write(file, some, options, lambda fen, value, points: f"{fen} | {value} | {points}\n")


class BracketFormat(TextFormat):
    """Lines such as `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 [1.0]`."""

    name = "brackets"
    suffixes = ()

    def looks_like(self, start: bytes) -> bool:
        """Text says it all: it reads both."""
        return False

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: Options, skipped: Skipped) -> None:
        """Write samples that have a result; their values are left out."""
        for some in known_results(rows, options, skipped):
            _write(file, some, options, lambda fen, _, points: f"{fen} [{points}]\n")


def known_results(rows: Iterable[Rows], options: Options, skipped: Skipped) -> Iterator[Rows]:
    """Rows for a format that cannot say that a result is not known: left out, or draws if that is wished."""
    for some in rows:
        unknown = some["result"] == NO_RESULT
        if not unknown.any():
            yield some
        elif options.unknown_as_draw:
            drawn = some.copy()
            drawn["result"][unknown] = 1
            yield drawn
        else:
            skipped.add("samples", "no result, and the format has no way to say that", int(unknown.sum()))
            yield some[~unknown]


def _write(file: BinaryIO, rows: Rows, options: Options, line: Line) -> None:
    turns = rows["position"]["turn"]
    values = np.rint(for_white(rows["value"], turns) / options.scale).astype(np.int64).tolist()
    points = [POINTS[result] for result in results_for_white(rows["result"], turns).tolist()]
    file.write("".join(map(line, fens(rows["position"]), values, points)).encode())


def _parse(text: str, options: Options) -> Parsed:
    view = options.view or View.WHITE
    if "|" in text:
        fen, score, *rest = (part.strip() for part in text.split("|"))
        points = rest[0] if rest else ""
    elif (found := BRACKETS.fullmatch(text)) is not None:
        fen, points, score = found[1], found[2], found[3]
    else:
        fen, score, points = text, "", ""
    black = is_black_to_move(fen)
    value = parse_value(score, view=view, black=black, scale=options.scale) if score else NO_VALUE
    return Parsed(fen, value, result=parse_result(points, view=view, black=black, signed=options.signed or False))
