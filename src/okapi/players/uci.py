"""The UCI protocol, from the side of the program that asks."""

import re
from collections.abc import Mapping
from time import perf_counter
from typing import Final

from okapi.core import Limits, Line, Move, Position, Value
from okapi.errors import PlayerCheated, UsageError
from okapi.players.protocol import EngineProtocol, Reply, legal_move, parse_line

READY_S: Final = 60.0
"""Time for `readyok` after options and between games: tables are allocated, networks loaded."""

UCI_MOVE: Final = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?", re.IGNORECASE)
START: Final = Position.start()


class UciProtocol(EngineProtocol):
    stop_command = "stop"

    def handshake(self, deadline: float) -> None:
        self._process.send("uci")
        while (line := self._receive(deadline, "uci")) != "uciok":
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ").strip() or self.name
            elif match := re.match(r"option\s+name\s+(.+?)\s+type\s+(.*)", line):
                self.options[match[1]] = match[2]

    def configure(self, options: Mapping[str, str | int | bool]) -> None:
        """Set options, Threads first: some engines allocate the hash table by it."""
        for name, value in sorted(options.items(), key=lambda option: option[0].lower() != "threads"):
            declared = self._declared(name)
            text = str(value).lower() if isinstance(value, bool) else str(value)
            button = self.options[declared].split()[:1] == ["button"]
            self._process.send(f"setoption name {declared}" + ("" if button else f" value {text}"))
        self._synchronise()

    def new_game(self, chess960: bool) -> None:
        if chess960 and "UCI_Chess960" not in self.options:
            raise UsageError(f"{self.name} does not play Chess960: it has no option `UCI_Chess960`")
        if chess960 != self._chess960:
            self._process.send(f"setoption name UCI_Chess960 value {str(chess960).lower()}")
        self._chess960 = chess960
        self._process.send("ucinewgame")
        self._synchronise()

    def ask(self, position: Position, limits: Limits, timeout: float) -> Reply:
        """Ask for a move. The clock starts when `go` is written."""
        self._process.drain()
        self._process.send(self._position(position))
        only = " ".join([position.uci(move, self._chess960) for move in limits.only])
        go = go_command(limits) + (f" searchmoves {only}" if only else "")
        begun = perf_counter()
        self._process.send(go)
        infos: dict[int, str] = {}
        bound = nodes = ""
        while not (line := self._receive(begun + timeout, "go")).startswith("bestmove"):
            if not line.startswith("info ") or line.startswith("info string"):
                continue
            nodes = line if " nodes " in line else nodes
            if " score " in line and "bound " in line:
                bound = line
            elif " score " in line:
                infos[_number(line, "multipv") or 1] = line
        if not infos and bound:
            infos[1] = bound
        text = " ".join(line.split()[1:2])
        if not UCI_MOVE.fullmatch(text):
            raise PlayerCheated(f"{self.name} answered {line[:60]!r} in {position.fen()}")
        move = legal_move(self.name, position, text.lower())
        read = [_line(position, infos[rank], move) for rank in sorted(infos)]
        warnings = [warning for _, warning in read if warning]
        return self._reply(begun, move, [line for line, _ in read], _number(nodes, "nodes"), warnings)

    def _synchronise(self) -> None:
        self._process.send("isready")
        deadline = perf_counter() + READY_S
        while self._receive(deadline, "isready") != "readyok":
            pass

    def _position(self, position: Position) -> str:
        origin = position.origin()
        start = "startpos" if origin == START else f"fen {origin.fen(shredder=self._chess960)}"
        moves = " ".join([position.uci(move, self._chess960) for move in position.history()])
        return f"position {start} moves {moves}" if moves else f"position {start}"


def go_command(limits: Limits) -> str:
    """The `go` command for these limits."""
    words = ["go"]
    for colour, clock in (("w", limits.white), ("b", limits.black)):
        if clock is not None:
            words.append(f"{colour}time {clock.time_ms} {colour}inc {clock.increment_ms}")
    named = {"movestogo": limits.moves_to_go, "depth": limits.depth, "nodes": limits.nodes, "mate": limits.mate}
    for name, number in {**named, "movetime": limits.movetime_ms}.items():
        if number is not None:
            words.append(f"{name} {number}")
    return " ".join([*words, "infinite"] if limits.endless else words)


def _line(position: Position, info: str, move: Move) -> tuple[Line, str]:
    """The line of an info, and a warning; without a pv, the line is the played move alone."""
    before, _, pv = info.partition(" pv ")
    score = re.search(r" score (cp|mate) (-?\d{1,9})\b", before)
    valued = Value.from_mate if score and score[1] == "mate" else Value.from_centipawns
    value = valued(int(score[2]) if score else 0, position.turn)
    return parse_line(position, pv.split(), value, _number(before, "depth"), move)


def _number(info: str, name: str) -> int:
    match = re.search(rf" {name} (\d{{1,18}})\b", info)
    return int(match[1]) if match else 0
