"""Lichess' puzzles: the opponent's move comes first, then the solution."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from okapi.core import Move, Position
from okapi.errors import InvalidText, OkapiError, UsageError
from okapi.formats.samples.base import Parsed, Rows, SampleFormat, SampleOptions, SkippedSamples, numbered, rows_of
from okapi.formats.streams import Stream

NEEDED: Final = ("PuzzleId", "FEN", "Moves")
WRITTEN: Final = ("PuzzleId", "FEN", "Moves", "Rating", "Themes")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position and the only good way on."""

    name: str
    before: Position
    opponent: Move
    solution: tuple[Move, ...]
    """Ours and the opponent's moves in turn, ours first."""
    rating: int | None = None
    themes: tuple[str, ...] = ()

    @property
    def position(self) -> Position:
        position = self.before.copy()
        position.play(self.opponent)
        return position


def read_puzzles(stream: Stream, name: str, skipped: SkippedSamples) -> Iterator[tuple[int, Puzzle]]:
    """Yield the puzzles of a file with the numbers of their lines; older and newer headers are understood."""
    lines = numbered(stream)
    header = _cells(next(lines, (1, ""))[1])
    if set(NEEDED) - set(header):
        raise InvalidText(f"{name}: expected a header with {', '.join(NEEDED)}", hint="the file begins with its header")
    for number, text in lines:
        try:
            yield number, _puzzle(dict(zip(header, _cells(text), strict=False)))
        except (OkapiError, ValueError, KeyError, csv.Error) as error:
            skipped.add(f"{name}, line {number}", error)


def write_puzzles(file: BinaryIO, puzzles: Iterable[Puzzle]) -> None:
    file.write((",".join(WRITTEN) + "\n").encode())
    for puzzle in puzzles:
        moves = " ".join(str(move) for move in (puzzle.opponent, *puzzle.solution))
        rating = "" if puzzle.rating is None else puzzle.rating
        line = f"{puzzle.name},{puzzle.before.fen()},{moves},{rating},{' '.join(puzzle.themes)}\n"
        file.write(line.encode())


class PuzzleFormat(SampleFormat):
    """Each puzzle as a sample: the position to solve, and the first move of the solution."""

    name = "puzzles"
    begins = rb"[^\n]*PuzzleId"

    def read(self, stream: Stream, name: str, options: SampleOptions, skipped: SkippedSamples) -> Iterator[Rows]:
        """Yield the samples of a file; they have neither value nor result."""
        items = (
            (number, Parsed(puzzle.position.fen(), move=str(puzzle.solution[0])))
            for number, puzzle in read_puzzles(stream, name, skipped)
        )
        yield from rows_of(items, name, skipped)

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: SampleOptions, skipped: SkippedSamples) -> None:
        """Samples do not know the opponent's move before: write_puzzles() does, from puzzles."""
        raise UsageError("samples are no puzzles: they lack the move before", hint="--as epd keeps position and move")


def _cells(text: str) -> list[str]:
    return next(csv.reader(io.StringIO(text)), [])


def _puzzle(cells: dict[str, str]) -> Puzzle:
    before = Position.from_fen(cells["FEN"])
    position = before.copy()
    moves = [position.play(move) for move in cells["Moves"].split()]
    if len(moves) < 2:
        raise ValueError("expected two moves or more")
    rating, themes = cells.get("Rating", ""), tuple(cells.get("Themes", "").split())
    return Puzzle(cells["PuzzleId"], before, moves[0], tuple(moves[1:]), int(rating) if rating else None, themes)
