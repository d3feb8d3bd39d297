"""Games of PGN files for Python, through the fast reader."""

from collections.abc import Callable, Iterator
from pathlib import Path

from okapi.core import Game
from okapi.core._core import RawPgnReader
from okapi.data.import_state import Complaint
from okapi.data.record import from_record
from okapi.formats.streams import open_stream

__all__ = ["read_games"]

CHUNK = 1 << 18


def read_games(
    path: Path | str,
    complain: Callable[[Complaint], None] | None = None,
    heard: Callable[[float], None] = lambda _: None,
) -> Iterator[Game]:
    """Yield the games of a PGN file, plain or compressed, in any dialect.

    A game that cannot be read is left out, and `complain` is told where it stands and what is wrong with it. A null
    move is `Move.none()`, which no position plays. `heard` is told how much of the file was read, 0 to 1.
    """
    reader = RawPgnReader()
    with open_stream(Path(path)) as stream:
        more = True
        while more:
            data = stream.read1(CHUNK)
            more = bool(data)
            if more:
                reader.feed(data)
            else:
                reader.finish()
            games, complaints = reader.read()
            if complain is not None:
                for line, _, reason in complaints:
                    complain(Complaint(str(path), line, reason))
            heard(stream.fraction)
            yield from map(from_record, games)
