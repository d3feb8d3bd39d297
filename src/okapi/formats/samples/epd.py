"""EPD: a position, then operations. ce is for the side to move, c9 holds the result of the game."""

import re
from collections.abc import Iterable
from typing import BinaryIO, Final

from okapi.core.packed import NO_VALUE, fens
from okapi.core.samples import MATE, move_texts
from okapi.formats.samples.lines import LineFormat, Options, Parsed, Rows, Skipped
from okapi.formats.samples.units import RESULTS, View, is_black_to_move, parse_result, parse_value, results_for_white

__all__ = ["EpdFormat"]

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

    def parse(self, text: str, options: Options) -> Parsed | None:
        """What a line says; nothing for a comment (#)."""
        return None if text.startswith("#") else _parse(text, options)

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: Options, skipped: Skipped) -> None:
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


def _parse(text: str, options: Options) -> Parsed:
    fields = text.split(None, 4)
    if len(fields) < 4:
        raise ValueError("expected a position: pieces, side to move, castling, en passant")
    fen, rest = " ".join(fields[:4]), fields[4] if len(fields) > 4 else ""
    clock, number = "0", "1"
    if (counters := re.match(r"(\d+)\s+(\d+)\s*", rest)) is not None:
        clock, number, rest = counters[1], counters[2], rest[counters.end() :]
    operations = {match[1]: match[2].strip().strip('"') for match in OPERATION.finditer(rest)}
    black = is_black_to_move(fen)
    view = options.view or View.MOVER
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
        parse_result(told if told in WINS else "", view=View.WHITE, black=black),
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
