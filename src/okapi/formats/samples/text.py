"""Samples as lines of text: EPD, FEN with a label, Lichess' puzzles, and tables (.tsv, .csv, .parquet)."""

import csv
import io
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import Any, BinaryIO, Final

import numpy as np

from okapi.core import Position
from okapi.core.packed import NO_VALUE, fens
from okapi.core.samples import MATE
from okapi.errors import InvalidText, UsageError
from okapi.formats.samples import base
from okapi.formats.samples.base import Numbered, Parsed, Rows, SampleOptions, SampleView, SkippedSamples
from okapi.formats.streams import Stream

BRACKETS: Final = re.compile(r"(.*?)\s*\[\s*([^\]\s]*)\s*\]\s*(\S*)$")
POINTS: Final = ("0.0", "0.5", "1.0")


class TextFormat(base.SampleFormat):
    """Lines such as `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 150 | 1.0`. Also reads brackets, and FENs alone."""

    name = "text"
    suffixes: tuple[str, ...] = (".txt", ".fen", ".fens", ".book")
    begins = rb"\S+(/\S+){7} [wb] \S+ \S+"
    has_values = True
    line = "{} | {} | {}\n"  # FEN, value and points

    def parse(self, text: str, options: SampleOptions) -> Parsed:
        view = options.view or SampleView.WHITE
        if "|" in text:
            fen, score, *rest = (part.strip() for part in text.split("|"))
            points = rest[0] if rest else ""
        elif (found := BRACKETS.fullmatch(text)) is not None:
            fen, points, score = found[1], found[2], found[3]
        else:
            fen, score, points = text, "", ""
        black = base.is_black_to_move(fen)
        value = base.parse_value(score, view=view, black=black, scale=options.scale) if score else NO_VALUE
        return Parsed(
            fen, value, result=base.parse_result(points, view=view, black=black, signed=options.signed or False)
        )

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        """Write samples that have a result, and a value if the lines have one."""
        for some in base.known_results(rows, options, skipped):
            whole = some["value"] != NO_VALUE
            if self.has_values and not whole.all():
                skipped.add("samples", f"no value, and {self.name} has no way to say that", int((~whole).sum()))
                some = some[whole]
            turns = some["position"]["turn"]
            white = np.where(turns == 1, -1, 1) * some["value"]
            values = np.rint(white / options.scale).astype(np.int64).tolist()
            points = [POINTS[result] for result in base.results_for_white(some["result"], turns).tolist()]
            file.write("".join(map(self.line.format, fens(some["position"]), values, points)).encode())


class BracketFormat(TextFormat):
    """Lines such as `4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 [1.0]`."""

    name = "brackets"
    suffixes = ()
    begins = b""  # TextFormat reads both
    has_values = False
    line = "{0} [{2}]\n"


OPERATION: Final = re.compile(r'\s*(\w+)((?:[^;"]|"[^"]*")*);?')
WINS: Final = {"1-0", "0-1", "1/2-1/2", "1.0", "0.5", "0.0", "1", "0"}
EPD_MATE: Final = 32767  # in the standard, mate in n half-moves is so much less n
HIGHEST_OTHER: Final = 32000  # what is not above this is no mate of the standard's, but may be one counted from 32000


class EpdFormat(base.SampleFormat):
    """Lines such as `4k3/8/8/8/8/8/4P3/4K3 w - - ce 150; acd 12; bm e4; c9 "1-0";`."""

    name = "epd"
    suffixes = (".epd",)
    begins = rb"\S+(/\S+){7} [wb] \S+ \S+ ([a-z]\w* |\d+ \d+ [a-z])[^\n]*;"  # four fields, and an operation

    def parse(self, text: str, options: SampleOptions) -> Parsed:
        fields = text.split(None, 4)
        if len(fields) < 4:
            raise ValueError("expected a position: pieces, side to move, castling, en passant")
        fen, rest = " ".join(fields[:4]), fields[4] if len(fields) > 4 else ""
        clock, number = "0", "1"
        if (counters := re.match(r"(\d+)\s+(\d+)\s*", rest)) is not None:
            clock, number, rest = counters[1], counters[2], rest[counters.end() :]
        operations = {match[1]: match[2].strip().strip('"') for match in OPERATION.finditer(rest)}
        black, value = base.is_black_to_move(fen), NO_VALUE
        if "ce" in operations:
            ce, view = operations["ce"], options.view or SampleView.MOVER
            if ce.lstrip("+-").isdigit() and abs(int(ce)) > HIGHEST_OTHER:  # a mate of the standard's
                ce = f"{'-' if ce.startswith('-') else ''}#{(EPD_MATE - abs(int(ce)) + 1) // 2}"
            value = base.parse_value(ce, view=view, black=black, scale=options.scale)
        elif operations.get("dm", "").isdigit():
            value = MATE - int(operations["dm"])
        fen = f"{fen} {operations.get('hmvc', clock)} {operations.get('fmvn', number)}"
        move = (operations.get("bm") or operations.get("sm") or "").split(" ")[0]
        told = operations.get("c9", "").strip("[]")
        result = base.parse_result(told if told in WINS else "", view=SampleView.WHITE, black=black)
        depth, nodes = (int(operations.get(name, 0)) for name in ("acd", "acn"))
        return Parsed(fen, value, move, result, depth=depth, nodes=nodes)

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        """Write ce, dm, bm, acd, acn and c9, as far as they are known."""
        for some in rows:
            lines: list[str] = []
            for fen, value, move, depth, nodes, result in zip(*base.known_columns(some, san=True), strict=True):
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


def _to_standard(value: int, scale: float) -> int:
    moves = MATE - abs(value)
    if moves >= 1000:
        return round(value / scale)
    return EPD_MATE - (2 * moves - 1) if value > 0 else 2 * moves - EPD_MATE


# --- Tables -----------------------------------------------------------------------------------------------------------

WORDS: Final = {
    "fen": ("fen", "epd", "position"),
    "value": ("centipawns", "cp", "score", "eval", "evaluation", "value"),
    "move": ("best", "bestmove", "best_move", "move", "uci"),
    "result": ("result", "outcome", "wdl"),
    "depth": ("depth",),
    "nodes": ("nodes",),
    "ply": ("ply",),
}
"""What columns are called; _stm, _mover, _white, _cp may follow."""

VIEWS: Final = {"stm": SampleView.MOVER, "mover": SampleView.MOVER, "white": SampleView.WHITE}
ENDING: Final = re.compile(r"_(stm|mover|white|cp)(?=_|$)")
WRITTEN: Final = ("fen", "centipawns_mover", "best", "depth", "nodes", "result")
LOOKED_AT: Final = 4096  # lines from which it is found whether results are -1, 0, 1 or 0, ½, 1


class TableFormat(base.SampleFormat):
    """A table whose first line names its columns: fen, and of centipawns, best, depth, nodes, ply, result some."""

    def __init__(self, name: str, delimiter: str) -> None:
        self.name = name
        self.suffixes = (f".{name}",)
        self._delimiter = delimiter

    def looks_like(self, start: bytes) -> bool:
        first = start.split(b"\n", 1)[0].decode(errors="replace").strip().lower()
        words = [_plain(word) for word in first.split(self._delimiter)]
        return len(words) > 1 and any(word in WORDS["fen"] for word in words) and "puzzleid" not in words

    def read(self, stream: Stream, name: str, options: SampleOptions, skipped: SkippedSamples) -> Iterator[Rows]:
        """Yield the samples of a file. A header that does not say whose values they are is refused without a view."""
        lines = self._lines(stream, name)
        header = next(lines, None)
        if header is None:
            return
        start = list(itertools.islice(lines, LOOKED_AT))
        parse = _parser(self._cells(header[1]), [self._cells(text) for _, text in start], name, options)
        items = base.read_lines(itertools.chain(start, lines), lambda text: parse(self._cells(text)), name, skipped)
        yield from base.rows_of(items, name, skipped)

    def _lines(self, stream: Stream, name: str) -> Iterator[Numbered]:
        return base.numbered(stream)

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        """Write everything that is known; results as 1-0, 0-1 and 1/2-1/2."""
        known = (cells for some in rows for cells in zip(*base.known_columns(some), strict=True))
        texts = (["" if cell is None else str(cell) for cell in (*cells[:-1], cells[-1] or "-")] for cells in known)
        for line in itertools.chain([WRITTEN], texts):
            file.write((self._delimiter.join(line) + "\n").encode())

    def _cells(self, text: str) -> list[str]:
        return next(csv.reader([text], delimiter=self._delimiter)) if '"' in text else text.split(self._delimiter)


def _parser(
    header: list[str], start: list[list[str]], name: str, options: SampleOptions
) -> Callable[[list[str]], Parsed]:
    """What reads the cells of a line, as the header and the first lines say."""
    words = [word.strip().lower() for word in header]
    width, meanings = len(words), {word: what for what, known in WORDS.items() for word in known}
    plain = list(enumerate(map(_plain, words)))
    columns = {meanings[word]: index for index, word in reversed(plain) if word in meanings}  # the first of each
    if "fen" not in columns:
        raise InvalidText(f"{name}: no column is called fen; there are {', '.join(words)}")
    value_view = options.view or (_view(words[columns["value"]]) if "value" in columns else SampleView.WHITE)
    if value_view is None:
        said = header[columns["value"]]
        hint = "--view mover if positive is good for the side to move, --view white if it is good for White"
        raise UsageError(f"{name}: the header says {said!r}, but not whose value that is", hint=hint)
    result_view = options.view or (_view(words[columns["result"]]) if "result" in columns else None) or value_view
    results = {cells[columns["result"]].strip() for cells in start if "result" in columns and len(cells) == width}
    signed = _signed(results, name) if options.signed is None else options.signed
    pick = itemgetter(*(columns.get(what, width) for what in WORDS))  # the empty cell behind the last stands for others

    def parse(cells: list[str]) -> Parsed:
        if len(cells) != width:
            raise ValueError(f"{len(cells)} columns, expected {width}")
        fen, value, move, result, depth, nodes, ply = map(str.strip, pick([*cells, ""]))
        black = base.is_black_to_move(fen)
        return Parsed(
            fen,
            base.parse_value(value, view=value_view, black=black, scale=options.scale) if value else NO_VALUE,
            "" if move in ("-", "0000") else move,
            base.parse_result(result, view=result_view, black=black, signed=signed),
            int(ply or -1),
            int(depth or 0),
            int(nodes or 0),
        )

    return parse


def _signed(results: set[str], name: str) -> bool:
    """Whether results are -1, 0, 1, and not 0, ½, 1."""
    numbers = {text for text in results if re.fullmatch(r"[+-]?[\d.]+", text)}
    if not numbers or any(text.startswith("-") for text in numbers):
        return bool(numbers)
    if any("." in text for text in numbers):
        return False
    hint = "--results signed, or --results points"
    raise UsageError(f"{name}: results are {', '.join(sorted(numbers))}, which can mean -1, 0, 1 or 0, ½, 1", hint=hint)


class ParquetFormat(TableFormat):
    """The same columns in a Parquet file; unknown is null. Needs pyarrow."""

    def __init__(self) -> None:
        super().__init__("parquet", "\t")

    def looks_like(self, start: bytes) -> bool:
        return start.startswith(b"PAR1")

    def _lines(self, stream: Stream, name: str) -> Iterator[Numbered]:
        arrow, parquet = load_pyarrow()
        try:
            file = parquet.ParquetFile(io.BytesIO(stream.read()))
            rows = (row for batch in file.iter_batches() for row in zip(*batch.to_pydict().values(), strict=True))
            for number, cells in enumerate(itertools.chain([file.schema_arrow.names], rows), start=1):
                yield number, "\t".join("" if cell is None else str(cell) for cell in cells)
        except (arrow.ArrowException, OSError, ValueError) as error:
            raise InvalidText(f"{name} is no Parquet file that can be read: {str(error)[:200]}") from None

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        types = dict(zip(WRITTEN, ("string", "int16", "string", "int16", "int64", "string"), strict=True))
        write_parquet(file, types, (dict(zip(WRITTEN, base.known_columns(some), strict=True)) for some in rows))


def write_parquet(file: BinaryIO, schema: dict[str, str], tables: Iterable[dict[str, list[Any]]]) -> int:
    """Write columns of the types that pyarrow names so, table by table, and return how many rows."""
    arrow, parquet = load_pyarrow()
    lists = {"int16s": arrow.list_(arrow.int16()), "int64s": arrow.list_(arrow.int64())}
    types = arrow.schema([(name, lists.get(kind) or arrow.type_for_alias(kind)) for name, kind in schema.items()])
    written = 0
    with parquet.ParquetWriter(file, types, compression="zstd") as writer:
        for columns in tables:
            table = arrow.table(columns, schema=types)
            writer.write_table(table)
            written += table.num_rows
    return written


def load_pyarrow() -> tuple[Any, Any]:
    """pyarrow and its Parquet; UsageError where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("Parquet needs pyarrow", hint="pip install okapi-chess[parquet]") from None
    return pyarrow, pyarrow.parquet


def _plain(word: str) -> str:
    return ENDING.sub("", word)


def _view(word: str) -> SampleView | None:
    return next((VIEWS[ending] for ending in ENDING.findall(word) if ending in VIEWS), None)


NEEDED: Final = ("PuzzleId", "FEN", "Moves")


class PuzzleFormat(base.SampleFormat):
    """Lichess' puzzles, as samples: the position after the opponent's move, and the first move of the solution."""

    name = "puzzles"
    begins = rb"[^\n]*PuzzleId"

    def read(self, stream: Stream, name: str, options: SampleOptions, skipped: SkippedSamples) -> Iterator[Rows]:
        """Yield the samples of a file; older and newer headers are understood."""
        lines = base.numbered(stream)
        header = next(csv.reader([next(lines, (1, ""))[1]]))
        if set(NEEDED) - set(header):
            hint = "the file begins with its header"
            raise InvalidText(f"{name}: expected a header with {', '.join(NEEDED)}", hint=hint)

        def parse(text: str) -> Parsed:
            cells = dict(zip(header, next(csv.reader([text])), strict=False))
            position, moves = Position.from_fen(cells.get("FEN", "")), cells.get("Moves", "").split()
            if len(moves) < 2:
                raise ValueError("expected two moves or more")
            position.play(moves[0])
            parsed = Parsed(position.fen(), move=str(position.move(moves[1])))
            for move in moves[1:]:
                position.play(move)
            return parsed

        yield from base.rows_of(base.read_lines(lines, parse, name, skipped), name, skipped)

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        raise UsageError("samples are no puzzles: they lack the move before", hint="--as epd keeps position and move")
