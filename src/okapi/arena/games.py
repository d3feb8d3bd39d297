"""Games of the arena: to be played, being played and played; stored in SQLite, written as PGN."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import starmap, takewhile
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from okapi.arena.settings import player_names
from okapi.arena.time_control import TimeControl
from okapi.brains.library import default_library, run_folder
from okapi.core import Color, Game, Position, Value
from okapi.data.runs import Run
from okapi.errors import InvalidText, NotFound, OkapiError, UsageError
from okapi.files import Closable, digest, write_whole
from okapi.formats.pgn import PgnResult, write_pgn
from okapi.formats.streams import create_stream


class Fault(StrEnum):
    """Why a player lost, other than by play."""

    TIME = "time"
    CRASH = "crash"
    STALL = "stall"
    """No answer, in a game without a clock."""
    ILLEGAL = "illegal"
    """An illegal move, or text that is no move."""


FAULT_NAMES: Final = dict(zip(Fault, ("time_losses", "crashes", "stalls", "illegal"), strict=True))


class MoveInfo(NamedTuple):
    centipawns: int | None
    """From the player's side; None if it reported a mate, or nothing."""
    mate: int | None
    """Moves until the player mates; negative if it is mated."""
    depth: int
    nodes: int
    seconds: float
    line: tuple[str, ...] = ()
    """The principal variation in UCI notation, beginning with the move; empty if lines are not kept."""

    @classmethod
    def of(cls, value: Value | None, depth: int, nodes: int, seconds: float, line: tuple[str, ...] = ()) -> Self:
        mate = None if value is None else value.mate
        return cls(None if value is None or mate is not None else value.centipawns, mate, depth, nodes, seconds, line)

    def value(self, side: Color) -> Value | None:
        """The value that the player reported; `side` is its own."""
        if self.mate is not None:
            return Value.from_mate(self.mate, side)
        return None if self.centipawns is None else Value.from_centipawns(self.centipawns, side)

    def __str__(self) -> str:
        """As in a PGN comment.

        >>> print(MoveInfo(35, None, 12, 1000, 0.451), MoveInfo(None, None, 0, 0, 1.0), MoveInfo(None, -3, 9, 1, 0.2))
        +0.35/12 0.451s 1s #-3/9 0.2s
        """
        value = f"#{self.mate}" if self.mate is not None else f"{(self.centipawns or 0) / 100:+.2f}"
        said = self.mate is not None or self.centipawns is not None
        return (f"{value}/{self.depth} " if said else "") + f"{round(self.seconds, 3):g}s"


class MoveWarning(NamedTuple):
    """Something wrong with a player's answer, though its move was legal."""

    player: int
    what: str


@dataclass(frozen=True, slots=True)
class Pairing:
    number: int
    """From 0."""
    white: int
    """The index of the player."""
    black: int
    fen: str

    def player(self, side: Color) -> int:
        return self.white if side is Color.WHITE else self.black


@dataclass(frozen=True, slots=True)
class OngoingGame:
    pairing: Pairing
    moves: tuple[str, ...]
    """As in UCI."""
    info: MoveInfo


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game that was played. It has numbers and text only, because it goes through pipes, networks and files."""

    pairing: Pairing
    result: str
    """1-0, 0-1, 1/2-1/2, or * for a game that was too long."""
    ending: str
    fault: Fault | None
    """Set if the loser was not beaten by play."""
    moves: tuple[str, ...]
    """As in UCI."""
    infos: tuple[MoveInfo, ...]
    warnings: tuple[MoveWarning, ...] = ()
    seconds: float = 0.0
    when: float = 0.0
    """Start time, in seconds since 1970."""
    traceback: str = ""
    """Of the exception that lost the game, where the player at fault is written in Python."""

    @property
    def number(self) -> int:
        return self.pairing.number

    def points(self, player: int) -> float:
        won = (self.result == "1-0") == (player == self.pairing.white)
        return 0.5 if self.result == "1/2-1/2" else float(won)

    @property
    def culprit(self) -> int | None:
        loser = self.pairing.black if self.result == "1-0" else self.pairing.white
        return None if self.fault is None else loser


SCHEMA: Final = Path(__file__).with_name("games.sql")

COLUMNS_OF_0_1: Final = 12
"""Of the table of games in stores of okapi 0.1: all but `traceback`."""


class MatchStore(Closable):
    """The games of one match in an SQLite file that one process at a time may open; each is written when it ends."""

    def __init__(self, path: Path, description: Mapping[str, Any]) -> None:
        """Open or create it; UsageError if it belongs to another match, or another process has it open."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=1.0, isolation_level=None)
            for setting in ("locking_mode = EXCLUSIVE", "journal_mode = WAL", "synchronous = NORMAL"):
                self._database.execute(f"PRAGMA {setting}")  # a power cut may lose the last games, a kill cannot
            self._database.executescript(SCHEMA.read_text(encoding="utf-8"))
            if len(self._database.execute("PRAGMA table_info(games)").fetchall()) == COLUMNS_OF_0_1:
                self._database.execute("ALTER TABLE games ADD COLUMN traceback TEXT NOT NULL DEFAULT ''")
        except sqlite3.OperationalError as error:
            hint = "is another match writing to it?" if "locked" in str(error) else ""
            raise UsageError(f"`{path}` cannot be opened: {error}", hint=hint) from None
        except sqlite3.DatabaseError:
            raise InvalidText(f"`{path}` is no store of games", hint="give another path with --store") from None
        except OSError as error:
            raise NotFound(f"`{path}` cannot be written: {error.strerror}") from None
        self._check_description(json.loads(json.dumps(description)))

    def add(self, played: PlayedGame) -> None:
        """Store a game; it is on disk when this returns. A game with a known number is not replaced."""
        infos = [[*info[:4], round(info.seconds, 6)] for info in played.infos]
        ended = (played.result, played.ending, played.fault)
        told = (" ".join(played.moves), json.dumps(infos), json.dumps(played.warnings))
        row = (*astuple(played.pairing), *ended, *told, played.seconds, played.when, played.traceback)
        self._database.execute(f"INSERT OR IGNORE INTO games VALUES ({', '.join('?' * len(row))})", row)

    def set_names(self, names: Sequence[str]) -> None:
        self._database.executemany("INSERT OR REPLACE INTO players VALUES (?, ?)", enumerate(names))

    def games(self, most: int | None = None) -> Iterator[PlayedGame]:
        """The games in order, the first `most` of what was planned."""
        return takewhile(lambda game: most is None or game.number < most, _games(self._database))

    def close(self) -> None:
        self._database.close()

    def _check_description(self, description: Any) -> None:
        """Write the description into a new store; check it in an old one."""
        row = self._database.execute("SELECT description FROM about").fetchone()
        if row is None:
            self._database.execute("INSERT INTO about VALUES (?)", (json.dumps(description, sort_keys=True),))
        elif (kept := json.loads(row[0])) != description:
            differ = sorted(key for key in {**kept, **description} if kept.get(key) != description.get(key))
            self.close()
            what = f"`{self.path}` holds games of another match: {', '.join(differ)} differ"
            raise UsageError(what, hint="give another --store, or --fresh to delete the old games")


def open_store(
    kind: str, description: Mapping[str, Any], names: Sequence[str], path: Path | None = None, *, fresh: bool = False
) -> MatchStore:
    """The store of a match or tournament; the default path has a hash of the description. `fresh` deletes old games."""
    path = path or run_folder(None, f"{kind}-{digest(description)}.sqlite")
    if fresh:
        delete_store(path)
    store = MatchStore(path, description)
    store.set_names(names)
    return store


def delete_store(path: Path) -> None:
    """Delete a store, with the files that SQLite has beside it."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


SQLITE: Final = b"SQLite format 3\0"
POINTS: Final = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}


class StoredGames(NamedTuple):
    description: dict[str, Any]
    games: list[PlayedGame]
    names: list[str]


def read_games(path: Path) -> StoredGames:
    """The contents of a store; UsageError while another process has it open."""
    if not path.is_file():
        raise NotFound(f"no store of games at `{path}`")
    try:
        # Writable, since SQLite must undo what a killed process began before anybody can read.
        with closing(sqlite3.connect(f"file:{path}?mode=rw", uri=True, timeout=1.0)) as database:
            database.execute("PRAGMA query_only = ON")
            if database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
                return StoredGames({}, [], [])  # killed before its first table
            about = database.execute("SELECT description FROM about").fetchone()
            description = json.loads(about[0]) if about else {}
            return StoredGames(description, list(_games(database)), _names(database, description))
    except sqlite3.OperationalError as error:
        raise UsageError(f"`{path}` cannot be read: {error}", hint="is a match writing to it?") from None
    except sqlite3.DatabaseError:
        raise InvalidText(f"`{path}` is no store of games") from None


def _names(database: sqlite3.Connection, description: Mapping[str, Any]) -> list[str]:
    """The names in a store; earlier versions stored only what the command line said."""
    with suppress(sqlite3.OperationalError):
        names = [name for (name,) in database.execute("SELECT name FROM players ORDER BY number")]
        if names:
            return names
    specs = description.get("players") or [description.get(key, "") for key in ("first", "second")]
    with suppress(OkapiError):
        return player_names(specs)
    return list(map(str, specs))


def find_store(path: Path) -> Path | None:
    """The file of a store, by its path or its name in the runs folder; None for other files: NotFound."""
    named = [path] if path.exists() else [default_library().place(f"{path}{end}") for end in ("", ".sqlite")]
    for file in filter(Path.is_file, named):
        with file.open("rb") as opened:
            return file if opened.read(len(SQLITE)) == SQLITE else None
    return None


def stored_results(store: Path) -> Iterator[PgnResult | None]:
    """White, Black and White's points of each game; None for a game without a result."""
    found = read_games(store)
    for game in found.games:
        sides = found.names[game.pairing.white], found.names[game.pairing.black]
        yield PgnResult(*sides, POINTS[game.result]) if game.result in POINTS else None


def export_store(store: Path, to: Path, numbers: Sequence[int] | None = None) -> int:
    """Write the games of a store as PGN, with what the players reported: how many. NotFound, UsageError."""
    found = read_games(store)
    control = TimeControl(**found.description["control"])
    games = {game.number: game for game in found.games}
    for number in sorted(set(numbers or ()) - games.keys()):
        raise NotFound(f"there is no game {number} in `{store.name}`", hint=f"it has {len(games)}, from 0")
    chosen = [games[number] for number in numbers or games]
    with create_stream(to) as file:
        for game in chosen:
            file.write(f"{to_pgn(game, found.names, 'okapi match', control)}\n".encode())
    return len(chosen)


def _games(database: sqlite3.Connection) -> Iterator[PlayedGame]:
    for row in database.execute("SELECT * FROM games ORDER BY number"):
        number, white, black, fen, result, ending, fault, moves, infos, warnings, *times_and_traceback = row
        pairing, why = Pairing(number, white, black, fen), Fault(fault) if fault else None
        played = tuple(moves.split()), tuple(starmap(MoveInfo, json.loads(infos)))
        noticed = tuple(starmap(MoveWarning, json.loads(warnings)))
        yield PlayedGame(pairing, result, ending, why, *played, noticed, *times_and_traceback)


TERMINATIONS: Final = dict(zip(Fault, ("time forfeit", "abandoned", "abandoned", "rules infraction"), strict=True))
"""The values of the PGN standard."""


def to_pgn(played: PlayedGame, names: Sequence[str], event: str, control: TimeControl) -> str:
    """The game as PGN, each move with what its player reported: {+0.35/12 0.45s}."""
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
    comments = {ply: f"{{{info}}}" for ply, info in enumerate(played.infos)}
    return write_pgn(Game(start, moves, played.result, tags=tags), comments)


@dataclass(frozen=True)
class PgnFile:
    """A PGN file to which games are added as they end; write() puts them in order."""

    path: Path
    names: Sequence[str]
    event: str
    control: TimeControl

    def write(self, games: Iterable[PlayedGame]) -> None:
        """Replace the file by one with these games, atomically."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with write_whole(self.path) as part, part.open("w", encoding="utf-8") as file:
            file.writelines(map(self._text, games))

    def add(self, played: PlayedGame) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(self._text(played))

    def _text(self, played: PlayedGame) -> str:
        return to_pgn(played, self.names, self.event, self.control) + "\n"


LOG_INTERVAL_S: Final = 1.0
"""Least time between two entries: thousands of games may end in a minute, and ratings take time to compute."""


@contextmanager
def run_log(
    store: Path, kind: str, games: int, settings: Mapping[str, Any], numbers: Callable[[], Mapping[str, float]]
) -> Iterator[Callable[[int], None]]:
    """A run log beside a store; gives what logs `numbers` after so many games, now and then and in the end."""
    folder, played, due = store.with_name(f"{store.stem}.run"), 0, 0.0
    with Run.start(folder, kind, total=games, unit="games", title=str(settings["players"]), settings=settings) as run:

        def log(games: int) -> None:
            nonlocal played, due
            played = games
            if time.monotonic() >= due:
                run.log(games, **numbers())
                due = time.monotonic() + LOG_INTERVAL_S

        yield log
        if played:
            run.log(played, **numbers())
