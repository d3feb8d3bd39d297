"""Games of the arena: to be played, being played and played; stored in SQLite, written as PGN."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from okapi.arena.time_control import TimeControl
from okapi.core import Color, Game, Position
from okapi.data.runs import Run
from okapi.errors import InvalidText, NotFound, UsageError
from okapi.files import digest
from okapi.formats.pgn import write_pgn

__all__ = [
    "FAULT_NAMES",
    "Fault",
    "MatchStore",
    "MoveInfo",
    "MoveWarning",
    "OngoingGame",
    "Pairing",
    "PgnFile",
    "PlayedGame",
    "RunLogger",
    "delete_store",
    "open_store",
    "read_games",
    "start_run",
    "to_game",
    "to_pgn",
]


class Fault(StrEnum):
    """Why a player lost that was not beaten."""

    TIME = "time"
    CRASH = "crash"
    STALL = "stall"
    """It did not answer, though no clock was running."""
    ILLEGAL = "illegal"
    """An illegal move, or nonsense."""


FAULT_NAMES: Final = {
    Fault.TIME: "time_losses",
    Fault.CRASH: "crashes",
    Fault.STALL: "stalls",
    Fault.ILLEGAL: "illegal",
}
"""The names of the faults in the report."""


class MoveInfo(NamedTuple):
    """What a player said about its move."""

    centipawns: int | None
    """For the player; None if it saw a mate, or said nothing."""
    mate: int | None
    """Moves until the player mates or, if negative, is mated."""
    depth: int
    nodes: int
    seconds: float
    line: tuple[str, ...] = ()
    """The play it expects, as in UCI, beginning with its move; where lines are kept."""

    def __str__(self) -> str:
        """As in a PGN comment.

        >>> print(MoveInfo(35, None, 12, 1000, 0.451), MoveInfo(None, None, 0, 0, 1.0), MoveInfo(None, -3, 9, 1, 0.2))
        +0.35/12 0.451s 1s #-3/9 0.2s
        """
        value = f"#{self.mate}" if self.mate is not None else f"{(self.centipawns or 0) / 100:+.2f}"
        said = self.mate is not None or self.centipawns is not None
        return (f"{value}/{self.depth} " if said else "") + f"{round(self.seconds, 3):g}s"


class MoveWarning(NamedTuple):
    """Something odd about a player's answer, though its move was legal."""

    player: int
    what: str


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game to be played."""

    number: int
    """From 0; what it is known by."""
    white: int
    """Which of the players."""
    black: int
    fen: str
    """Where it begins."""


@dataclass(frozen=True, slots=True)
class OngoingGame:
    """A game that is being played, as far as it has come."""

    pairing: Pairing
    moves: tuple[str, ...]
    """As in UCI."""
    thought: MoveInfo
    """What the player said that moved last."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played. Plain numbers and text: it goes through pipes, networks and files."""

    pairing: Pairing
    result: str
    """1-0, 0-1 or 1/2-1/2; * for one that was too long."""
    ending: str
    """Why it ended."""
    fault: Fault | None
    """If its loser was not beaten."""
    moves: tuple[str, ...]
    """As in UCI."""
    thoughts: tuple[MoveInfo, ...]
    """One for each move."""
    warnings: tuple[MoveWarning, ...] = ()
    seconds: float = 0.0
    """From the first move to the last."""
    when: float = 0.0
    """The time of day at its beginning, in seconds since 1970."""

    @property
    def number(self) -> int:
        """Which game it was."""
        return self.pairing.number

    def points(self, player: int) -> float:
        """What it brought to a player: 1, ½ or 0."""
        if self.result == "1/2-1/2":
            return 0.5
        return float((self.result == "1-0") == (player == self.pairing.white))

    def player(self, side: Color) -> int:
        """Who had this colour."""
        return self.pairing.white if side is Color.WHITE else self.pairing.black

    @property
    def culprit(self) -> int | None:
        """Whose fault it was."""
        if self.fault is None:
            return None
        return self.pairing.black if self.result == "1-0" else self.pairing.white


# --- The store --------------------------------------------------------------------------------------------------------


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


class MatchStore:
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

    def add(self, played: PlayedGame) -> None:
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

    def games(self) -> Iterator[PlayedGame]:
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


def open_store(
    kind: str, description: Mapping[str, Any], path: Path | None = None, *, fresh: bool = False
) -> MatchStore:
    """The store of a match or tournament, at its own place if no path is given; a fresh one is empty."""
    path = path or RUNS / f"{kind}-{digest(description)}.sqlite"
    if fresh:
        delete_store(path)
    return MatchStore(path, description)


def delete_store(path: Path) -> None:
    """Throw a store away, with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def read_games(path: Path) -> tuple[dict[str, Any], list[PlayedGame]]:
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


def _games(base: sqlite3.Connection) -> Iterator[PlayedGame]:
    for row in base.execute("SELECT * FROM games ORDER BY number"):
        number, white, black, fen, result, ending, fault, moves, thoughts, warnings, seconds, began = row
        yield PlayedGame(
            Pairing(number, white, black, fen),
            result,
            ending,
            Fault(fault) if fault else None,
            tuple(moves.split()),
            tuple(MoveInfo(*thought) for thought in json.loads(thoughts)),
            tuple(MoveWarning(*warning) for warning in json.loads(warnings)),
            seconds,
            began,
        )


# --- PGN --------------------------------------------------------------------------------------------------------------


TERMINATIONS: Final = {
    Fault.TIME: "time forfeit",
    Fault.ILLEGAL: "rules infraction",
    Fault.CRASH: "abandoned",
    Fault.STALL: "abandoned",
}
"""In the words of the PGN standard."""


def to_game(played: PlayedGame, names: Sequence[str], event: str, control: TimeControl) -> Game:
    """The game with its tags."""
    start = Position.from_fen(played.pairing.fen)
    position = start.copy()
    moves = tuple(position.play(move) for move in played.moves)
    adjudicated = "adjudication" if played.ending.startswith("adjudication") else "normal"
    began = datetime.fromtimestamp(played.when, UTC)
    tags = {
        "Event": event,
        "Site": "okapi arena",
        "Date": began.strftime("%Y.%m.%d"),
        "Round": f"{played.number // 2 + 1}.{played.number % 2 + 1}",
        "White": names[played.pairing.white],
        "Black": names[played.pairing.black],
        "TimeControl": str(control),
        "Termination": TERMINATIONS[played.fault] if played.fault else adjudicated,
        "Ending": played.ending,
        "UTCTime": began.strftime("%H:%M:%S"),
    }
    return Game(start, moves, played.result, tags=tags)


def to_pgn(played: PlayedGame, names: Sequence[str], event: str, control: TimeControl) -> str:
    """The same as text, each move with what its player thought: {+0.35/12 0.45s}."""
    comments = {ply: f"{{{thought}}}" for ply, thought in enumerate(played.thoughts)}
    return write_pgn(to_game(played, names, event, control), comments)


class PgnFile:
    """A PGN file that grows with the games, and has them in order in the end."""

    def __init__(self, path: Path, names: Sequence[str], event: str, control: TimeControl) -> None:
        self._path = path
        self._rest = (names, event, control)

    def write(self, games: Iterable[PlayedGame]) -> None:
        """These games and no others, all at once: whoever reads meanwhile sees the old file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        new = self._path.with_name(self._path.name + ".new")
        with new.open("w", encoding="utf-8") as file:
            for played in games:
                file.write(to_pgn(played, *self._rest) + "\n")
        new.replace(self._path)

    def add(self, played: PlayedGame) -> None:
        """One more game, at the end."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(to_pgn(played, *self._rest) + "\n")


# --- The run beside the store -----------------------------------------------------------------------------------------


LOG_INTERVAL_S: Final = 1.0
"""Thousands of games may end in a minute, and ratings take a while to count."""


def start_run(store: Path, kind: str, games: int, settings: Mapping[str, Any]) -> Run:
    """The run of the games in a store."""
    folder = store.with_name(f"{store.stem}.run")
    return Run.start(folder, kind, total=games, unit="games", title=str(settings["players"]), settings=settings)


class RunLogger:
    """Tells a run how games stand, but not more often than anybody can see."""

    def __init__(self, run: Run, numbers: Callable[[], Mapping[str, float]]) -> None:
        self._run, self._numbers = run, numbers
        self._due = 0.0

    def tell(self, games: int, *, last: bool = False) -> None:
        """So many games are over; the last word is always heard."""
        if games and (last or time.monotonic() >= self._due):
            self._run.log(games, **self._numbers())
            self._due = time.monotonic() + LOG_INTERVAL_S
