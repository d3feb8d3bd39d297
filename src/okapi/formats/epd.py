"""EPD, positions with operations, as test suites have them; and the numbered starts of Chess960."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import chess

from okapi.core import Move, Position
from okapi.errors import InvalidEpd, OkapiError
from okapi.files import file_errors


@dataclass(frozen=True, slots=True)
class Epd:
    """One line of an EPD file."""

    position: Position
    operations: Mapping[str, object]

    def moves(self, operation: str) -> tuple[Move, ...]:
        """The moves of an operation such as bm (best) or am (to be avoided); none if it is not there."""
        listed = self.operations.get(operation) or ()
        return tuple(self.position.move(str(move)) for move in listed) if isinstance(listed, list) else ()

    @classmethod
    def parse(cls, line: str) -> "Epd":
        board = chess.Board(None)
        try:
            Position.from_fen(" ".join(line.split()[:4]))  # its error message is better than python-chess's
            operations = board.set_epd(line)
        except (OkapiError, ValueError) as error:
            raise InvalidEpd(f"{error}", hint=getattr(error, "hint", "")) from None
        return cls(Position.from_fen(board.fen()), operations)


def read_epd(path: Path | str) -> Iterator[Epd]:
    """Yield the lines of a file, without empty ones and comments (#)."""
    path = Path(path)
    with file_errors(path, "read"):
        text = path.read_text(encoding="utf-8-sig", errors="replace")
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            if line.strip() and not line.startswith("#"):
                yield Epd.parse(line)
        except InvalidEpd as error:
            raise InvalidEpd(f"{path.name}, line {number}: {error}", hint=error.hint) from None


def chess960_start(number: int) -> Position:
    """The start of that number, 0 to 959; 518 is the start of standard chess.

    >>> chess960_start(518) == Position.start(), chess960_start(0).fen()[:8]
    (True, 'bbqnnrkr')
    """
    return Position.from_fen(chess.Board.from_chess960_pos(number).shredder_fen())
