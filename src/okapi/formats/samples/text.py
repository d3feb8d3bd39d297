"""Samples as text, a line or a block each: EPD, FEN with a label, and Stockfish's .plain."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, Final

import numpy as np

from okapi.core.packed import NO_VALUE, fens
from okapi.core.samples import MATE, move_texts
from okapi.formats.samples.base import (
    NO_RESULT,
    RESULTS,
    LineFormat,
    Numbered,
    Parsed,
    Rows,
    SampleOptions,
    SampleView,
    SkippedSamples,
    for_white,
    from_engine,
    is_black_to_move,
    numbered,
    parse_result,
    parse_value,
    results_for_white,
    rows_of,
    to_engine,
)
from okapi.formats.streams import Stream

BRACKETS: Final = re.compile(r"(.*?)\s*\[\s*([^\]\s]*)\s*\]\s*(\S*)$")
POINTS: Final = ("0.0", "0.5", "1.0")

LineWriter = Callable[[str, int, str], str]


class TextFormat(LineFormat):
    """Lines such as `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 150 | 1.0`. Also reads brackets, and FENs alone."""

    name = "text"
    suffixes: tuple[str, ...] = (".txt", ".fen", ".fens", ".book")

    def looks_like(self, start: bytes) -> bool:
        """Lines that begin with a FEN."""
        return re.match(rb"\S+(/\S+){7} [wb] \S+ \S+", start) is not None

    def parse(self, text: str, options: SampleOptions) -> Parsed | None:
        return None if text.startswith("#") else _parse_text(text, options)

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
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

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        """Write samples that have a result; their values are left out."""
        for some in known_results(rows, options, skipped):
            _write(file, some, options, lambda fen, _, points: f"{fen} [{points}]\n")


def known_results(rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> Iterator[Rows]:
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


def _write(file: BinaryIO, rows: Rows, options: SampleOptions, line: LineWriter) -> None:
    turns = rows["position"]["turn"]
    values = np.rint(for_white(rows["value"], turns) / options.scale).astype(np.int64).tolist()
    points = [POINTS[result] for result in results_for_white(rows["result"], turns).tolist()]
    file.write("".join(map(line, fens(rows["position"]), values, points)).encode())


def _parse_text(text: str, options: SampleOptions) -> Parsed:
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


OPERATION: Final = re.compile(r'\s*(\w+)((?:[^;"]|"[^"]*")*);?')
WINS: Final = {"1-0", "0-1", "1/2-1/2", "1.0", "0.5", "0.0", "1", "0"}

EPD_MATE: Final = 32767
"""In the standard, mate in n half-moves is so much less n."""

HIGHEST_OTHER: Final = 32000
"""What is not above this is no mate of the standard's; it may be one of those who count from 32000."""


class EpdFormat(LineFormat):
    """Lines such as `4k3/8/8/8/8/8/4P3/4K3 w - - ce 150; acd 12; bm e4; c9 "1-0";`."""

    name = "epd"
    suffixes = (".epd",)

    def looks_like(self, start: bytes) -> bool:
        """A position of four fields with an operation behind it."""
        return re.match(rb"\S+(/\S+){7} [wb] \S+ \S+ ([a-z]\w* |\d+ \d+ [a-z])[^\n]*;", start) is not None

    def parse(self, text: str, options: SampleOptions) -> Parsed | None:
        return None if text.startswith("#") else _parse_epd(text, options)

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        """Write ce, dm, bm, acd, acn and c9, as far as they are known."""
        for some in rows:
            depths = some["depth"].tolist() if "depth" in (some.dtype.names or ()) else [0] * len(some)
            results = results_for_white(some["result"], some["position"]["turn"]).tolist()
            lines: list[str] = []
            for fen, value, move, result, depth, nodes in zip(
                fens(some["position"]), some["value"].tolist(), move_texts(some, san=True), results, depths,
                some["nodes"].tolist(), strict=True,
            ):  # fmt: skip
                placement, turn, castling, passant, clock, number = fen.split()
                parts = [f"{placement} {turn} {castling} {passant} hmvc {clock}; fmvn {number};"]
                if value != NO_VALUE:
                    parts.append(f"ce {_to_standard(value, options.scale)};")
                if value > HIGHEST_OTHER - 1000:
                    parts.append(f"dm {MATE - value};")
                if depth:
                    parts.append(f"acd {depth};")
                if nodes:
                    parts.append(f"acn {nodes};")
                if move:
                    parts.append(f"bm {move};")
                if result >= 0:
                    parts.append(f'c9 "{RESULTS[result]}";')
                lines.append(" ".join(parts))
            file.write("".join(f"{line}\n" for line in lines).encode())


def _parse_epd(text: str, options: SampleOptions) -> Parsed:
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


class PlainFormat:
    """Blocks of `fen …`, `move e2e4`, `score 35`, `ply 12`, `result -1`, `e`."""

    name = "plain"
    suffixes = (".plain",)

    def looks_like(self, start: bytes) -> bool:
        """The first line is a FEN that says so."""
        return start.startswith(b"fen ")

    def read(self, stream: Stream, name: str, options: SampleOptions, skipped: SkippedSamples) -> Iterator[Rows]:
        for rows in rows_of(_parse_plain(numbered(stream), options, name, skipped), name, skipped):
            rows["value"] = from_engine(rows["value"], options.scale)
            yield rows

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        """Write samples that have a result; one without a value gets the engine's word for that, 32002."""
        for some in known_results(rows, options, skipped):
            scores = to_engine(some["value"], options.scale).tolist()
            plies = (2 * (some["position"]["fullmove_number"].astype(int) - 1) + some["position"]["turn"]).tolist()
            results = (some["result"] - 1).tolist()
            file.write(
                "".join(
                    f"fen {fen}\nmove {move or '0000'}\nscore {score}\nply {ply}\nresult {result}\ne\n"
                    for fen, move, score, ply, result in zip(
                        fens(some["position"]), move_texts(some), scores, plies, results, strict=True
                    )
                ).encode()
            )


def _parse_plain(
    lines: Iterator[Numbered], options: SampleOptions, name: str, skipped: SkippedSamples
) -> Iterator[tuple[int, Parsed]]:
    """What stands before each `e`. The value is the engine's number still."""
    told: dict[str, str] = {}
    begun = 0
    for number, text in lines:
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
    fen = told["fen"]
    black = is_black_to_move(fen)
    view = options.view or SampleView.MOVER
    score = int(told["score"])
    move = told.get("move", "")
    return Parsed(
        fen,
        -score if view is SampleView.WHITE and black else score,
        "" if move in ("0000", "none", "(none)") else move,
        parse_result(told["result"], view=view, black=black, signed=True),
        int(told.get("ply", -1)),
    )
