"""Results of games: who played, and how it ended, read from PGN without looking at the moves."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from okapi.formats.streams import open_stream

__all__ = ["Result", "read_results"]

BOM = b"\xef\xbb\xbf"
ANY_TAG = re.compile(rb'(?:\xef\xbb\xbf)?\[\w+\s+"')  # and not a comment such as [%clk 0:01:00]
TAG = re.compile(rb'\[(White|Black|Result)\s+"((?:[^"\\]|\\.)*)"\s*\]')
ENDING = re.compile(rb"(?:^|\s)(1-0|0-1|1/2-1/2|\*)\s*$")
POINTS = {b"1-0": 1.0, b"0-1": 0.0, b"1/2-1/2": 0.5}


@dataclass(frozen=True, slots=True)
class Result:
    """One game, as far as ratings care."""

    white: str
    black: str
    points: float
    """White's: 0, ½ or 1."""


def read_results(path: Path | str) -> Iterator[Result | None]:
    """Yield the result of every game of a PGN file, plain or compressed; None where two names or a result are missing.

    A Result tag that says nothing is made up for by what stands behind the moves.
    """
    with open_stream(path) as stream:
        stream.check_that_it_is_pgn()
        yield from _results(stream)


def _results(file: IO[bytes]) -> Iterator[Result | None]:
    """A game begins with a tag behind moves, or with a tag that the game before has already."""
    tags: dict[bytes, bytes] = {}
    last = b""  # line of moves
    for line in file:
        if not line.startswith((b"[", BOM)) or not ANY_TAG.match(line):
            last = line if line.strip() else last
            continue
        if last:
            yield _result(tags, last)
            tags, last = {}, b""
        for name, value in TAG.findall(line):
            if name in tags:
                yield _result(tags, last)
                tags = {}
            tags[name] = value
    if tags or last:
        yield _result(tags, last)


def _result(tags: dict[bytes, bytes], last: bytes) -> Result | None:
    ending = tags.get(b"Result", b"").strip()
    if ending not in POINTS:
        found = ENDING.search(last)
        ending = found[1] if found else b""
    white, black = _name(tags.get(b"White")), _name(tags.get(b"Black"))
    if ending not in POINTS or not white or not black:
        return None
    return Result(white, black, POINTS[ending])


def _name(value: bytes | None) -> str:
    """The name as text; nothing for a player who is not known."""
    text = re.sub(rb"\\(.)", rb"\1", value or b"").decode("utf-8", errors="replace").strip()
    return "" if text == "?" else text
