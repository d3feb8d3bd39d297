"""The XBoard protocol (CECP), version 2, or version 1 for programs that send no features."""

import math
import re
from collections.abc import Mapping
from time import perf_counter
from typing import Final

from okapi.core import Clock, Color, Limits, Move, Position, Value
from okapi.errors import PlayerCheated, PlayerFailed, PlayerResigned, PlayerSilent, UsageError
from okapi.players.process import EngineProcess
from okapi.players.protocol import EngineProtocol, Reply, legal_move, loss_of, parse_line

FEATURES_S: Final = 2.0
"""A program that has sent no feature by then has version 1; the protocol says so."""

PONG_S: Final = 60.0

CLAIM_S: Final = 1.0
"""Time from a claimed result to the move, which is still needed."""

WANTED: Final = frozenset(
    ("debug", "done", "memory", "myname", "option", "ping", "reuse", "setboard", "smp", "time", "usermove", "variants")
)
"""Features that are accepted; all others are rejected."""

MOVES_IN_A_CLOCK: Final = 30
"""`st` takes whole seconds only. A fraction is sent as a clock for so many moves, reset before each move."""

MOVE: Final = re.compile(r"(?:move|My move is\s*:)\s*(\S+)")
INFO: Final = re.compile(r"(\d{1,3})[^\s\d]?\s+([-+]?\d{1,9})\s+(\d+)\s+(\d{1,18})(?:\s+(.*))?$")
"""Depth, centipawns, centiseconds, nodes, line."""
CLAIM: Final = re.compile(r"(1-0|0-1|1/2-1/2)\b")
MATE: Final = 100_000
"""From here on a score is a number of moves to mate."""

START: Final = Position.start()


class XboardProtocol(EngineProtocol):
    """The Chess Engine Communication Protocol, from the side of the program that asks."""

    stop_command = "?"

    def __init__(self, process: EngineProcess) -> None:
        super().__init__(process)
        self.features: dict[str, str] = {}
        self._pings = 0
        self._known: tuple[Position, list[Move]] | None = None
        """The game as the program knows it: start position and moves."""

    @property
    def reusable(self) -> bool:
        return self.features.get("reuse", "1") == "1"

    def handshake(self, deadline: float) -> None:
        self._send("xboard", "protover 2")
        until = min(deadline, perf_counter() + FEATURES_S)
        while self.features.get("done") != "1":
            line = self._process.receive(until)
            if line is not None and line.startswith("feature "):
                self._read_features(line)
            elif line is None and self.features.get("done") == "0" and perf_counter() < deadline:
                until = deadline
            elif line is None:
                break
        self.name = self.features.get("myname", self.name)

    def configure(self, options: Mapping[str, str | int | bool]) -> None:
        """Set options; memory (or Hash) and cores (or Threads) are commands."""
        own = {"memory": "memory", "hash": "memory", "cores": "smp", "threads": "smp"}
        for name, value in options.items():
            feature = own.get(name.lower(), "")
            command = f"{'cores' if feature == 'smp' else 'memory'} "
            if self.features.get(feature) != "1":
                command = f"option {self._declared(name)}="
            self._process.send(f"{command}{int(value) if isinstance(value, bool) else value}")

    def new_game(self, chess960: bool) -> None:
        if chess960 and "fischerandom" not in self.features.get("variants", "").split(","):
            raise UsageError(f"{self.name} does not play Chess960: it has no variant `fischerandom`")
        self._chess960, self._known = chess960, None
        self._new()
        self._synchronise()

    def game_over(self, result: str, reason: str) -> None:
        self._send(f"result {result} {{{reason}}}", "force")

    def ask(self, position: Position, limits: Limits, timeout: float) -> Reply:
        """Ask for a move. The clock starts when `go`, or the opponent's move, is written."""
        if limits.nodes or limits.only or limits.mate:
            what = f"{self.name} speaks XBoard, which has no limit of nodes, mates or moves"
            raise UsageError(what, hint="give a time or a depth")
        self._process.drain()
        last = self._prepare(position, limits)
        begun = perf_counter()
        self._process.send(last)
        hurry = math.inf if limits.movetime_ms is None else begun + limits.movetime_ms / 1000
        deadline, info, claim = begun + timeout, None, ""
        while True:
            line = self._process.receive(min(deadline, hurry))
            if line is None and hurry < deadline:
                self.stop()
                hurry = math.inf
            elif line is None and claim:
                raise PlayerCheated(f"{self.name} claimed {claim[:60]!r} instead of moving")
            elif line is None:
                raise PlayerSilent(f"{self.name} did not answer `go`")
            elif match := MOVE.match(line):
                return self._answer(position, match[1], info, begun)
            elif match := INFO.match(line):
                info = match
            elif line == "resign" or (CLAIM.match(line) and line.startswith(loss_of(position.turn))):
                raise PlayerResigned(f"{self.name} resigned")
            elif CLAIM.match(line):
                claim, deadline = line, min(deadline, perf_counter() + CLAIM_S)
            elif line.startswith("Illegal move") and last.split()[-1] in line:
                raise PlayerCheated(f"{self.name} refused a legal move: {line[:80]!r} in {position.fen()}")

    def _new(self) -> None:
        self._send("new", *(["variant fischerandom"] if self._chess960 else []), "easy", "post", "force")

    def _prepare(self, position: Position, limits: Limits) -> str:
        """Set up the position; returns the command that starts the search."""
        origin, moves = position.origin(), position.history()
        continued = self._known is not None and self._known == (origin, moves[:-1])
        if not continued:
            if self._known is not None:
                self._new()
            self._set_up(origin, moves, limits, limits.clock(position.turn))
        self._known = (origin, moves)
        if self.features.get("time", "1") == "1":
            self._send(*_clocks(limits, position.turn))
        return self._usermove(position, moves[-1]) if continued else "go"

    def _set_up(self, origin: Position, moves: list[Move], limits: Limits, clock: Clock | None) -> None:
        if origin != START:
            if self.features.get("setboard") == "1":
                self._send(f"setboard {origin.fen(shredder=self._chess960)}")
            else:
                self._send(*_edited(self.name, origin))
        ahead = origin.copy()
        for move in moves:
            ahead.play(move)
            self._send(self._usermove(ahead, move))
        self._send(*_control(limits, clock))
        self._synchronise()

    def _usermove(self, after: Position, move: Move) -> str:
        """A move that led to `after`, in the notation of this program."""
        if self._chess960 and move.castles:
            text = "O-O" if move.to_square.file > move.from_square.file else "O-O-O"
        else:
            text = after.uci(move, chess960=False)
        return f"usermove {text}" if self.features.get("usermove") == "1" else text

    def _answer(self, position: Position, text: str, info: re.Match[str] | None, begun: float) -> Reply:
        move = legal_move(self.name, position, text)
        if self._known is not None:
            self._known[1].append(move)
        if info is None:
            return self._reply(begun, move, (), 0)
        depth, score, _, nodes, pv = info.groups()
        words = [word for word in re.split(r"\s+|\d+\.+", pv or "") if word]
        units, side = int(score), position.turn
        value = Value.from_centipawns(units, side)
        if abs(units) >= MATE:
            value = Value.from_mate(units - int(math.copysign(MATE, units)), side)
        line, _ = parse_line(position, words, value, int(depth), move)
        return self._reply(begun, move, (line,), int(nodes))

    def _read_features(self, line: str) -> None:
        for name, quoted, bare in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', line):
            value = quoted or bare
            if name == "option":
                option, _, kind = value.partition(" -")
                self.options[option.strip()] = kind
            else:
                self.features[name] = value
            self._process.send(f"{'accepted' if name in WANTED else 'rejected'} {name}")

    def _synchronise(self) -> None:
        """Wait until the program has read everything so far."""
        if self.features.get("ping") != "1":
            return
        self._pings += 1
        self._process.send(f"ping {self._pings}")
        deadline = perf_counter() + PONG_S
        while (line := self._receive(deadline, "ping")) != f"pong {self._pings}":
            if re.match(r"(Illegal move|Error \(.*\)): sd\b", line):
                raise UsageError(f"{self.name} cannot be limited by depth", hint="give it a time")

    def _send(self, *lines: str) -> None:
        """Send line by line: some programs read one line at a time, and miss what came with it."""
        for line in lines:
            self._process.send(line)


def _control(limits: Limits, clock: Clock | None) -> list[str]:
    """The commands that set the time control, in whole seconds; `time` is finer."""
    if limits.movetime_ms is not None and limits.movetime_ms % 1000 == 0:
        control = f"st {limits.movetime_ms // 1000}"
    elif limits.movetime_ms is not None:
        control = _level(0, limits.movetime_ms * MOVES_IN_A_CLOCK, 0)
    elif clock is not None:
        control = _level(limits.moves_to_go or 0, clock.time_ms, clock.increment_ms)
    else:
        control = "level 0 60 0"
    return [control] if limits.depth is None else [control, f"sd {limits.depth}"]


def _level(moves: int, time_ms: int, increment_ms: int) -> str:
    minutes, seconds = divmod(max(1, math.ceil(time_ms / 1000)), 60)
    return f"level {moves} {minutes}:{seconds:02} {increment_ms / 1000:g}"


def _clocks(limits: Limits, side: Color) -> tuple[str, str]:
    """Both clocks in centiseconds, as `side` sees them."""
    full = 3_600_000 if limits.movetime_ms is None else limits.movetime_ms * MOVES_IN_A_CLOCK
    clocks = (limits.clock(side), limits.clock(side.other))
    own, other = (max(1, (full if clock is None else clock.time_ms) // 10) for clock in clocks)
    return f"time {own}", f"otim {other}"


def _edited(name: str, position: Position) -> list[str]:
    """The `edit` commands for a program without setboard. It derives castling rights from kings and rooks."""
    fields = position.fen().split()
    white = [f"{piece!s}{square!s}" for square, piece in position.pieces() if piece.color is Color.WHITE]
    black = [f"{str(piece).upper()}{square!s}" for square, piece in position.pieces() if piece.color is Color.BLACK]
    home = {"K": ("Ke1", "Rh1"), "Q": ("Ke1", "Ra1"), "k": ("Ke8", "Rh8"), "q": ("Ke8", "Ra8")}
    implied = "".join(r for r, pieces in home.items() if {*pieces} <= {*(white if r.isupper() else black)}) or "-"
    if fields[2:4] != [implied, "-"]:
        raise PlayerFailed(f"{name} cannot start from {position.fen()}: it has no feature setboard")
    turn = ["a2a3"] if position.turn is Color.BLACK else []
    return [*turn, "edit", "#", *white, "c", *black, "."]
