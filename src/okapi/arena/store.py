"""The games of one match or tournament in one SQLite file, written as they end: kill -9 loses none of them."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from okapi.arena.fingerprint import digest
from okapi.arena.played import Fault, Pairing, Played, Thought, Warned
from okapi.errors import InvalidText, NotFound, UsageError

__all__ = ["Store", "discard", "open_store", "read_games"]

RUNS: Final = Path("runs")
"""Where games are kept if nobody says where."""

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS about (
    description TEXT NOT NULL                    -- JSON: players, limits, openings, seed; what makes it this match
);
CREATE TABLE IF NOT EXISTS games (
    number INTEGER PRIMARY KEY,                  -- from 0
    white INTEGER NOT NULL,                      -- which of the players
    black INTEGER NOT NULL,
    fen TEXT NOT NULL,                           -- where it began
    result TEXT NOT NULL,                        -- 1-0, 0-1, 1/2-1/2
    ending TEXT NOT NULL,                        -- why it ended
    fault TEXT,                                  -- time, crash, stall, illegal: the loser was not beaten
    moves TEXT NOT NULL,                         -- UCI, a blank between
    thoughts TEXT NOT NULL,                      -- JSON, one for each move: centipawns, mate, depth, nodes, seconds
    warnings TEXT NOT NULL,                      -- JSON: player, what
    seconds REAL NOT NULL,
    began REAL NOT NULL                          -- seconds since 1970
);
"""


class Store:
    """Keeps what was played. Only one process at a time may have it open."""

    def __init__(self, path: Path, description: Mapping[str, Any]) -> None:
        """Open or create it: UsageError if it belongs to another match or another process is writing."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, timeout=1.0, isolation_level=None)
            self._open()
        except sqlite3.OperationalError as error:
            hint = "is another match writing to it?" if "locked" in str(error) else ""
            raise UsageError(f"`{path}` cannot be opened: {error}", hint=hint) from None
        except sqlite3.DatabaseError:
            raise InvalidText(f"`{path}` is no store of games", hint="give --store another path") from None
        except OSError as error:
            raise NotFound(f"`{path}` cannot be written: {error.strerror}") from None
        self._claim(json.loads(json.dumps(description)))

    def add(self, played: Played) -> None:
        """Keep a game; it is on disk when this returns. A game that is there already stays as it is."""
        pairing = played.pairing
        self._base.execute(
            "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                pairing.number,
                pairing.white,
                pairing.black,
                pairing.fen,
                played.result,
                played.ending,
                played.fault,
                " ".join(played.moves),
                json.dumps([[*thought[:4], round(thought.seconds, 6)] for thought in played.thoughts]),
                json.dumps(played.warnings),
                played.seconds,
                played.when,
            ),
        )

    def games(self) -> Iterator[Played]:
        """Every game that is kept, by number."""
        return _games(self._base)

    def close(self) -> None:
        """Let others have it."""
        self._base.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _open(self) -> None:
        self._base.execute("PRAGMA locking_mode = EXCLUSIVE")
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = NORMAL")  # a power cut may take the last games, a kill cannot
        self._base.executescript(SCHEMA)

    def _claim(self, description: Any) -> None:
        """Write down what this is or, if that was done before, see that it still is the same."""
        row = self._base.execute("SELECT description FROM about").fetchone()
        if row is None:
            self._base.execute("INSERT INTO about VALUES (?)", (json.dumps(description, sort_keys=True),))
            return
        kept = json.loads(row[0])
        if kept != description:
            differ = [key for key in {**kept, **description} if kept.get(key) != description.get(key)]
            self.close()
            raise UsageError(
                f"`{self.path}` holds games of another match: {', '.join(sorted(differ))} differ",
                hint="give another --store, or --fresh to throw the old games away",
            )


def open_store(kind: str, description: Mapping[str, Any], path: Path | None = None, *, fresh: bool = False) -> Store:
    """The store of a match or tournament, at its own place if no path is given; a fresh one is empty."""
    path = path or RUNS / f"{kind}-{digest(description)}.sqlite"
    if fresh:
        discard(path)
    return Store(path, description)


def discard(path: Path) -> None:
    """Throw a store away, with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def read_games(path: Path) -> tuple[dict[str, Any], list[Played]]:
    """What a store is about, and its games; also while they are being played, once nobody has it open."""
    if not path.is_file():
        raise NotFound(f"no store of games at `{path}`")
    try:
        base = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=1.0)
        try:
            about = base.execute("SELECT description FROM about").fetchone()
            return (json.loads(about[0]) if about else {}), list(_games(base))
        finally:
            base.close()
    except sqlite3.OperationalError as error:
        raise UsageError(f"`{path}` cannot be read: {error}", hint="is a match writing to it?") from None
    except sqlite3.DatabaseError:
        raise InvalidText(f"`{path}` is no store of games") from None


def _games(base: sqlite3.Connection) -> Iterator[Played]:
    for row in base.execute("SELECT * FROM games ORDER BY number"):
        number, white, black, fen, result, ending, fault, moves, thoughts, warnings, seconds, began = row
        yield Played(
            Pairing(number, white, black, fen),
            result,
            ending,
            Fault(fault) if fault else None,
            tuple(moves.split()),
            tuple(Thought(*thought) for thought in json.loads(thoughts)),
            tuple(Warned(*warning) for warning in json.loads(warnings)),
            seconds,
            began,
        )
