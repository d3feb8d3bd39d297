"""Samples as lines of text: EPD, and FEN with a label."""

import re
from collections.abc import Iterable
from typing import BinaryIO, Final

import numpy as np

from okapi.core.packed import NO_VALUE, fens
from okapi.core.samples import MATE
from okapi.formats.samples.base import (
    Parsed,
    Rows,
    SampleFormat,
    SampleOptions,
    SampleView,
    SkippedSamples,
    for_white,
    is_black_to_move,
    known_columns,
    known_results,
    parse_result,
    parse_value,
    results_for_white,
)

BRACKETS: Final = re.compile(r"(.*?)\s*\[\s*([^\]\s]*)\s*\]\s*(\S*)$")
POINTS: Final = ("0.0", "0.5", "1.0")


class TextFormat(SampleFormat):
    """Lines such as `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 150 | 1.0`. Also reads brackets, and FENs alone."""

    name = "text"
    suffixes: tuple[str, ...] = (".txt", ".fen", ".fens", ".book")
    begins = rb"\S+(/\S+){7} [wb] \S+ \S+"
    has_values = True

    def parse(self, text: str, options: SampleOptions) -> Parsed:
        view = options.view or SampleView.WHITE
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

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        """Write samples that have a result, and a value if the lines have one."""
        for some in known_results(rows, options, skipped):
            whole = some["value"] != NO_VALUE
            if self.has_values and not whole.all():
                skipped.add("samples", f"no value, and {self.name} has no way to say that", int((~whole).sum()))
                some = some[whole]
            turns = some["position"]["turn"]
            values = np.rint(for_white(some["value"], turns) / options.scale).astype(np.int64).tolist()
            points = [POINTS[result] for result in results_for_white(some["result"], turns).tolist()]
            file.write("".join(map(self._line, fens(some["position"]), values, points)).encode())

    @staticmethod
    def _line(fen: str, value: int, points: str) -> str:
        return f"{fen} | {value} | {points}\n"


class BracketFormat(TextFormat):
    """Lines such as `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 [1.0]`."""

    name = "brackets"
    suffixes = ()
    begins = b""
    """TextFormat reads both."""
    has_values = False

    @staticmethod
    def _line(fen: str, value: int, points: str) -> str:
        return f"{fen} [{points}]\n"


OPERATION: Final = re.compile(r'\s*(\w+)((?:[^;"]|"[^"]*")*);?')
WINS: Final = {"1-0", "0-1", "1/2-1/2", "1.0", "0.5", "0.0", "1", "0"}

EPD_MATE: Final = 32767
"""In the standard, mate in n half-moves is so much less n."""

HIGHEST_OTHER: Final = 32000
"""What is not above this is no mate of the standard's; it may be one of those who count from 32000."""


class EpdFormat(SampleFormat):
    """Lines such as `4k3/8/8/8/8/8/4P3/4K3 w - - ce 150; acd 12; bm e4; c9 "1-0";`."""

    name = "epd"
    suffixes = (".epd",)
    begins = rb"\S+(/\S+){7} [wb] \S+ \S+ ([a-z]\w* |\d+ \d+ [a-z])[^\n]*;"
    """A position of four fields with an operation behind it."""

    def parse(self, text: str, options: SampleOptions) -> Parsed:
        fields = text.split(None, 4)
        if len(fields) < 4:
            raise ValueError("expected a position: pieces, side to move, castling, en passant")
        fen, rest = " ".join(fields[:4]), fields[4] if len(fields) > 4 else ""
        clock, number = "0", "1"
        if (counters := re.match(r"(\d+)\s+(\d+)\s*", rest)) is not None:
            clock, number, rest = counters[1], counters[2], rest[counters.end() :]
        operations = {match[1]: match[2].strip().strip('"') for match in OPERATION.finditer(rest)}
        black = is_black_to_move(fen)
        view = options.view or SampleView.MOVER
        value = NO_VALUE
        if "ce" in operations:
            value = parse_value(_from_standard(operations["ce"]), view=view, black=black, scale=options.scale)
        elif operations.get("dm", "").isdigit():
            value = MATE - int(operations["dm"])
        told = operations.get("c9", "").strip("[]")
        return Parsed(
            f"{fen} {operations.get('hmvc', clock)} {operations.get('fmvn', number)}",
            value,
            (operations.get("bm") or operations.get("sm") or "").split(" ")[0],
            parse_result(told if told in WINS else "", view=SampleView.WHITE, black=black),
            depth=int(operations.get("acd", 0)),
            nodes=int(operations.get("acn", 0)),
        )

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        """Write ce, dm, bm, acd, acn and c9, as far as they are known."""
        for some in rows:
            lines: list[str] = []
            for fen, value, move, depth, nodes, result in zip(*known_columns(some, san=True), strict=True):
                placement, turn, castling, passant, clock, number = fen.split()
                known = {
                    "hmvc": clock,
                    "fmvn": number,
                    "ce": None if value is None else _to_standard(value, options.scale),
                    "dm": MATE - value if value is not None and value > HIGHEST_OTHER - 1000 else None,
                    "acd": depth,
                    "acn": nodes,
                    "bm": move,
                    "c9": f'"{result}"' if result else None,
                }
                operations = " ".join(f"{name} {said};" for name, said in known.items() if said is not None)
                lines.append(f"{placement} {turn} {castling} {passant} {operations}\n")
            file.write("".join(lines).encode())


def _from_standard(text: str) -> str:
    """A mate of the standard's as we write them."""
    if not text.lstrip("+-").isdigit() or abs(int(text)) <= HIGHEST_OTHER:
        return text
    plies = EPD_MATE - abs(int(text))
    return f"{'-' if text.startswith('-') else ''}#{(plies + 1) // 2}"


def _to_standard(value: int, scale: float) -> int:
    moves = MATE - abs(value)
    if moves >= 1000:
        return round(value / scale)
    return EPD_MATE - (2 * moves - 1) if value > 0 else 2 * moves - EPD_MATE
