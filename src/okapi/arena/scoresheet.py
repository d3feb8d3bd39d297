"""Games of the arena as PGN."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from okapi.arena.control import Control
from okapi.arena.played import Fault, Played
from okapi.core import Game, Position
from okapi.formats.pgn import write_pgn

__all__ = ["Scoresheets", "game_of", "pgn_of"]

TERMINATIONS: Final = {
    Fault.TIME: "time forfeit",
    Fault.ILLEGAL: "rules infraction",
    Fault.CRASH: "abandoned",
    Fault.STALL: "abandoned",
}
"""In the words of the PGN standard."""


def game_of(played: Played, names: Sequence[str], event: str, control: Control) -> Game:
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


def pgn_of(played: Played, names: Sequence[str], event: str, control: Control) -> str:
    """The same as text, each move with what its player thought: {+0.35/12 0.45s}."""
    comments = {ply: f"{{{thought}}}" for ply, thought in enumerate(played.thoughts)}
    return write_pgn(game_of(played, names, event, control), comments)


class Scoresheets:
    """A PGN file that grows with the games, and has them in order in the end."""

    def __init__(self, path: Path, names: Sequence[str], event: str, control: Control) -> None:
        self._path = path
        self._rest = (names, event, control)

    def write(self, games: Iterable[Played]) -> None:
        """These games and no others, all at once: whoever reads meanwhile sees the old file."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        new = self._path.with_name(self._path.name + ".new")
        with new.open("w", encoding="utf-8") as file:
            for played in games:
                file.write(pgn_of(played, *self._rest) + "\n")
        new.replace(self._path)

    def add(self, played: Played) -> None:
        """One more game, at the end."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(pgn_of(played, *self._rest) + "\n")
