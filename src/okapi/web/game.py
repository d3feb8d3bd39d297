"""A game at the board: its setup, seats, clocks, moves, and how it ends."""

import random
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias

from okapi.core import Clock, Color, Decision, Game, Limits, Move, Position, Value
from okapi.errors import GameIsOver, UsageError
from okapi.formats.eco import openings_by_key
from okapi.formats.epd import chess960_start
from okapi.formats.pgn import write_pgn
from okapi.players import parse_player
from okapi.players.engine import PROTOCOLS
from okapi.players.protocol import loss_of
from okapi.players.spec import OF_PAPERS, alphabeta_options, brains_of, engine_options, kind_of, takes_elo
from okapi.web.messages import Between, Fen, Many, MoveText, Text
from okapi.web.views import picked, played_view, position_view, side_name, start_view, value_view

PERSON: Final = "person"
FOR_A_MOVE_MS: Final = 1000  # what a player gets who was given no limit, in a game without clocks
DRAWISH: Final = 0.03  # how far from ½ a value may be for a player to call the game even
EVEN_FROM_MOVE: Final = 30  # before this move only a player that stands worse takes a draw
LONGEST_GAME: Final = 6000  # plies; the rules allow no more than 17,697
Milliseconds: TypeAlias = Annotated[int, Between(0, 24 * 3600 * 1000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who plays one side, and how strongly: by rating, nodes, time or depth, or as the clock allows."""

    player: Annotated[str, Text(60)] = PERSON
    brain: Annotated[str, Text(200)] | None = None
    elo: Annotated[int, Between(100, 4000)] | None = None
    nodes: Annotated[int, Between(1, 10**9)] | None = None
    movetime_ms: Annotated[int, Between(1, 600_000)] | None = None
    depth: Annotated[int, Between(1, 100)] | None = None
    name: Annotated[str, Text(40)] | None = None  # of a person, where two play, or of a named opponent

    @property
    def is_person(self) -> bool:
        return self.player == PERSON

    @property
    def title(self) -> str:
        """What is written beside the board and into the PGN: who is speaking, and how strong it is meant to be.

        >>> Seat(player="alphabeta", brain="material", elo=1500).title
        'material, 1500'
        >>> Seat(player="greedy", brain="material").title, Seat().title
        ('greedy material', 'You')
        """
        if self.is_person:
            return (self.name or "").strip() or "You"
        if self.name and self.name.strip():
            return self.name.strip()
        name = {"alphabeta": self.brain or "alphabeta", "greedy": f"greedy {self.brain or ''}".strip()}
        limits = [f"{self.elo}" if self.elo else "", f"{self.nodes:,} nodes" if self.nodes else ""]
        limits += [f"{self.movetime_ms / 1000:g} s a move" if self.movetime_ms else ""]
        limits += [f"depth {self.depth}" if self.depth else ""]
        return ", ".join([name.get(self.player, self.player), *filter(None, limits)])


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSettings:
    time_ms: Annotated[int, Between(1000, 24 * 3600 * 1000)]
    increment_ms: Annotated[int, Between(0, 3600 * 1000)] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    white: Seat
    black: Seat
    fen: Fen | None = None  # where it begins, if not at the start
    chess960: Annotated[int, Between(-1, 959)] | None = None  # the number of a Chess960 start; -1 for any
    clock: ClockSettings | None = None

    def start(self) -> Position:
        """The position it begins with: InvalidFen."""
        if self.fen is not None and self.fen.strip():
            return Position.from_fen(self.fen.strip())
        if self.chess960 is not None:
            return chess960_start(random.randrange(960) if self.chess960 < 0 else self.chess960)
        return Position.start()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game as the page stores it, to restore it after a reload or a restart of the server."""

    game_id: Annotated[str, Text(16)]
    white: Seat
    black: Seat
    fen: Fen
    moves: Annotated[tuple[MoveText, ...], Many(LONGEST_GAME)] = ()
    values: Annotated[tuple[Annotated[float, Between(0, 1)] | None, ...], Many(LONGEST_GAME)] = ()
    """White's expected score after each move, where it is known."""
    clock: ClockSettings | None = None
    white_ms: Milliseconds = 0
    black_ms: Milliseconds = 0
    result: Literal["1-0", "0-1", "1/2-1/2", "*"] = "*"
    reason: Annotated[str, Text(80)] = ""
    paused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedGame:
    """Who plays against the person, how strongly, and where the game begins."""

    player: str = "alphabeta"
    brain: str | None = None  # a name or path, as it was given; pages see the name in its card
    elo: int | None = None
    limits: Limits = field(default_factory=Limits)
    side: str = "white"
    fen: str | None = None


def requested_game(
    player: str, brain: str | None, elo: int | None, limits: Limits, side: str, start: Position | None
) -> tuple[RequestedGame, dict[str, str]]:
    """The requested, and what is to be offered by name: a program, or a player that the board does not have itself.

    >>> requested_game("alphabeta:material,elo=1200", None, None, Limits(), "black", None)[0].brain
    'material'
    >>> requested_game("uci:stockfish", None, None, Limits(), "white", None)[1]
    {'stockfish': 'uci:stockfish'}
    """
    (kind, rest), name = kind_of(player), ""
    if kind in PROTOCOLS:
        name = engine_options(rest)[0].split()[0].rpartition("/")[2]
    elif player in OF_PAPERS:
        name = player
    elif kind == "alphabeta" and (options := alphabeta_options(rest)).keys() <= {"brain", "elo"}:
        parse_player(player, brain=brain, elo=elo)  # says at once what is wrong with it
        brain, elo = options.get("brain", brain), options.get("elo", elo)
    elif kind == "greedy":
        brain = rest or brain
    elif kind != "random":
        parse_player(player, elo=elo if takes_elo(player) else None)
        name = " ".join([kind, *(Path(brain).stem for brain in brains_of(player))])
    fen = None if start is None else start.fen()
    requested = RequestedGame(player=name or kind, brain=brain, elo=elo, limits=limits, side=side, fen=fen)
    return requested, {name: player} if name else {}


class LiveGame:
    def __init__(self, setup: Setup, now: Callable[[], float] = time.monotonic) -> None:
        self.game_id = secrets.token_hex(4)  # shows the page whether it is still the same game
        self.start = setup.start()
        self.position = self.start.copy()
        self.seats = {Color.WHITE: setup.white, Color.BLACK: setup.black}
        self.control = setup.clock
        self.values: list[Value | None] = []  # the value after each move, where it is known
        self.result = self.position.result()
        self.reason = self.position.ending() or ""
        self.paused = False
        self._now = now
        self._left_ms = dict.fromkeys(Color, setup.clock.time_ms if setup.clock else 0.0)
        self._since: float | None = None  # when the clock of the side to move began to run; None while it is stopped

    @classmethod
    def from_record(cls, record: Record, now: Callable[[], float] = time.monotonic) -> "LiveGame":
        """The game that a page stored. Every move is checked again."""
        game = cls(Setup(white=record.white, black=record.black, fen=record.fen, clock=record.clock), now)
        game.game_id = record.game_id
        for move in record.moves:
            game.position.play(move)
        padded = (*record.values, *[None] * len(record.moves))
        game.values = [None if value is None else Value(value, Color.WHITE) for value in padded[: len(record.moves)]]
        game.result, game.reason = game.position.result(), game.position.ending() or ""
        if not game.is_over and record.result != "*":
            game.result, game.reason = record.result, record.reason
        game.paused = record.paused
        game._left_ms = {Color.WHITE: record.white_ms, Color.BLACK: record.black_ms}
        return game

    @property
    def turn(self) -> Color:
        return self.position.turn

    @property
    def is_over(self) -> bool:
        """By mate, draw, time or resignation."""
        return self.result != "*"

    def title(self, side: Color) -> str:
        """Who plays a side; two people who gave no names are called by their sides."""
        title, other = self.seats[side].title, self.seats[side.other]
        return side.name.capitalize() if title == "You" and other.is_person else title

    @property
    def person(self) -> Color | None:
        sides = [side for side, seat in self.seats.items() if seat.is_person]
        return sides[0] if len(sides) == 1 else None

    def play(self, move: Move, decision: Decision | None = None) -> None:
        self._check_going()
        if self.flag():
            raise GameIsOver(self.position.fen(), self.reason)
        side, left_ms = self.turn, self.left_ms(self.turn)
        self.position.play(move)
        self.values.append(None if decision is None or not decision.nodes else decision.value)
        self._since = None
        self._left_ms[side] = left_ms + (self.control.increment_ms if self.control else 0)
        if (ending := self.position.ending()) is not None:
            self._end(self.position.result(), ending)

    def take_back(self) -> None:
        """Back to the person's last choice; where there is no single person, one move."""
        early = self.is_over and self.position.ending() is None
        mine = self.turn is self.person
        plies = 2 if mine else 1
        if early:  # unless a player was to move, no move was played since: only the end is taken back
            plies = 0 if mine or self.person is None else 1
        if self.position.plies < plies:
            raise UsageError("there is nothing to take back")
        self.stop_clock()
        for _ in range(plies):
            self.position.undo()
            self.values.pop()
        self.result, self.reason = "*", ""
        if self.control is not None:
            self._left_ms = {side: max(left_ms, 1000.0) for side, left_ms in self._left_ms.items()}

    def resign(self) -> None:
        """The person resigns; where there is none or two, the side to move."""
        self._check_going()
        self.resign_for(self.person or self.turn)

    def resign_for(self, side: Color) -> None:
        if not self.is_over:
            self._end(loss_of(side), f"{side.name.capitalize()} resigned")

    def offer_draw(self) -> bool:
        """Offer a draw to the other side. Is it accepted? By people always, by players depending on the value."""
        self._check_going()
        if not any(seat.is_person for seat in self.seats.values()):
            raise UsageError("there is no person to offer a draw")
        taken = self.person is None
        if self.person is not None:  # a player takes it when its value is worse, or even late in the game
            known = (value.seen_by(self.person.other) for value in reversed(self.values) if value is not None)
            expected, late = next(known, 1.0), self.position.fullmove_number >= EVEN_FROM_MOVE
            taken = expected < 0.5 - DRAWISH or (late and expected <= 0.5 + DRAWISH)
        if taken:
            self._end("1/2-1/2", "draw agreed")
        return taken

    def _check_going(self) -> None:
        if self.is_over:
            raise GameIsOver(self.position.fen(), self.reason)

    def _end(self, result: str, reason: str) -> None:
        self.stop_clock()
        self.result, self.reason = result, reason

    def start_clock(self) -> None:
        """Start the clock of the side to move, after the first move of each side."""
        if self.control is not None and not self.is_over and self.position.plies >= 2:
            self._since = self._since or self._now()

    def stop_clock(self) -> None:
        self._left_ms[self.turn], self._since = self.left_ms(self.turn), None

    def left_ms(self, side: Color) -> float:
        runs = self._since is not None and side is self.turn
        return max(0.0, self._left_ms[side] - ((self._now() - (self._since or 0.0)) * 1000 if runs else 0.0))

    def flag(self) -> bool:
        """Is a side out of time? Then the game is over: lost, or drawn if the other side has a bare king."""
        side = self.turn
        if self.is_over or self._since is None or self.left_ms(side) > 0:
            return False
        bare = sum(piece.color is side.other for _, piece in self.position.pieces()) == 1
        self._end("1/2-1/2" if bare else loss_of(side), f"{side.name.capitalize()} ran out of time")
        return True

    def limits(self) -> Limits:
        limits = picked(self.seats[self.turn], "nodes", "depth", "movetime_ms")
        if self.control is not None and not limits["movetime_ms"]:
            for side in Color:
                limits[side_name(side)] = Clock(max(1, int(self.left_ms(side))), self.control.increment_ms)
        return Limits(**limits) if any(limits.values()) else Limits(movetime_ms=FOR_A_MOVE_MS)

    def view(self) -> dict[str, Any]:
        at, moves, opening = self.start.copy(), [], None
        for move, value in zip(self.position.history(), self.values, strict=True):
            moves.append({**played_view(at, move), "value": None if value is None else value_view(value)})
            opening = openings_by_key().get(at.key, opening)
        position, clock = position_view(self.position), None
        if self.control is not None:
            left_ms = {side_name(side): round(self.left_ms(side)) for side in Color}
            running = None if self._since is None else side_name(self.turn)
            clock = {**left_ms, "running": running, **asdict(self.control)}
        return {
            **picked(self, "game_id", "result", "reason", "paused"),
            **start_view(self.start),
            "chess960": self.start.is_chess960(),
            "moves": moves,
            "opening": None if opening is None else str(opening),
            "position": {**position, "destinations": {}} if self.is_over else position,
            "seats": {
                side_name(side): {"title": self.title(side), "person": seat.is_person, **asdict(seat)}
                for side, seat in self.seats.items()
            },
            "person": None if self.person is None else side_name(self.person),
            "clock": clock,
            "record": self.record(),
        }

    def record(self) -> dict[str, Any]:
        played = Game(self.start, tuple(self.position.history()), self.result)
        return {
            **picked(self, "game_id", "result", "reason", "paused"),
            **{side_name(side): asdict(seat) for side, seat in self.seats.items()},
            "fen": self.start.fen(shredder=self.start.is_chess960()),
            "moves": [position.uci(move) for position, move in played.positions()],
            "values": [None if value is None else round(value.seen_by(Color.WHITE), 4) for value in self.values],
            "clock": None if self.control is None else asdict(self.control),
            **{f"{side_name(side)}_ms": round(self.left_ms(side)) for side in Color},
        }

    def pgn(self) -> str:
        tags = {"Event": "Game at the board", "Date": time.strftime("%Y.%m.%d")}
        tags |= {side.name.capitalize(): self.title(side) for side in Color}
        if self.control is not None:
            tags["TimeControl"] = f"{self.control.time_ms // 1000}+{self.control.increment_ms / 1000:g}"
        if self.reason:
            tags["Termination"] = self.reason
        known = {ply: value.for_side(Color.WHITE) for ply, value in enumerate(self.values) if value is not None}
        comments = {ply: f"[%eval {value}]".replace("+", "") for ply, value in known.items()}
        return write_pgn(Game(self.start, tuple(self.position.history()), self.result, tags=tags), comments)
