"""UCI for any player. The native program okapi-uci is for the search; this one is for all other players."""

import shutil
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any, TextIO

from okapi import __version__
from okapi.core import Clock, Decision, Limits, Move, Position
from okapi.errors import NotFound, OkapiError
from okapi.players.player import call_if_supported

NATIVE = "okapi-uci.exe" if sys.platform == "win32" else "okapi-uci"
IDENTITY = (
    "id author the Okapi developers",
    "option name Threads type spin default 1 min 1 max 1",
    "option name Hash type spin default 16 min 1 max 1048576",
    "option name UCI_Chess960 type check default false",
    "option name Move Overhead type spin default 20 min 0 max 5000",
)

COUNTS = {"depth": "depth", "nodes": "nodes", "mate": "mate", "movetime": "movetime_ms", "movestogo": "moves_to_go"}
CLOCKS = ("wtime", "btime", "winc", "binc")
LIKELIEST = 5  # moves in the line of predicted moves
ENDLESS_MS = 1_000  # time for `go infinite` of a player that cannot be stopped


class Uci:
    """Reads commands in one thread and searches in another."""

    def __init__(self, player: Any, name: str, *, out: TextIO | None = None) -> None:
        self.player, self.name = player, name
        self.position = Position.start()
        self.chess960, self.overhead_ms = False, 20
        self._elo = self._full_elo = getattr(player, "elo", None)
        self._elos: tuple[int, int] | None = None  # lowest and highest, for players that know ratings
        self._limited = False
        if "elo" in getattr(getattr(player, "predictor", None), "inputs", ()):
            from okapi.encodings.layers import ELO_RANGE, UNKNOWN_ELO  # here, because numpy takes a while

            self._elos = ELO_RANGE
            self._elo = UNKNOWN_ELO if self._full_elo is None else self._full_elo
        self._out = out or sys.stdout
        self._write_lock = threading.Lock()
        self._search_thread: threading.Thread | None = None
        self._released = threading.Event()
        self._commands: dict[str, Callable[[list[str]], object]] = {
            "uci": self._identify,
            "isready": lambda tokens: self.write("readyok"),
            "setoption": self._set_option,
            "ucinewgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda tokens: self._stop(),
            "ponderhit": lambda tokens: self._stop(),
        }

    def run(self, lines: Iterator[str]) -> None:
        """Read lines until `quit` or the end."""
        for line in lines:
            if not self.read(line):
                break
        self._end_search()

    def read(self, line: str) -> bool:
        """Read one line; False after `quit`. Unknown tokens are skipped, as the protocol asks."""
        tokens = line.split()
        while tokens and tokens[0] != "quit" and tokens[0] not in self._commands:
            tokens.pop(0)
        if not tokens or tokens[0] == "quit":
            return not tokens
        try:
            self._commands[tokens[0]](tokens[1:])
        except (OkapiError, ValueError) as error:
            self.write(f"info string ERROR {' '.join(str(error).split())}")
        return True

    def write(self, line: str) -> None:
        with self._write_lock:
            print(line, file=self._out, flush=True)

    def _identify(self, tokens: list[str]) -> None:
        self.write(f"id name Okapi {__version__} {self.name}")
        for line in IDENTITY:
            self.write(line)
        if self._elos is not None:
            self.write("option name UCI_LimitStrength type check default false")
            lowest, highest = self._elos
            self.write(f"option name UCI_Elo type spin default {self._elo} min {lowest} max {highest}")
        self.write("uciok")

    def _set_option(self, tokens: list[str]) -> None:
        name, _, value = (part.strip() for part in " ".join(tokens).removeprefix("name ").partition(" value "))
        match name.lower():
            case "uci_chess960":
                self.chess960 = value.lower() == "true"
            case "move overhead":
                self.overhead_ms = max(0, min(5000, int(value)))
            case "threads" | "hash":
                pass
            case "uci_elo" if self._elos is not None:
                self._elo = max(self._elos[0], min(self._elos[1], int(value)))
                self._limit(self._limited)
            case "uci_limitstrength" if self._elos is not None:
                self._limit(value.lower() == "true")
            case _:
                self.write(f"info string ERROR no option {name!r}")

    def _limit(self, limited: bool) -> None:
        self._limited = limited
        self.player.elo = self._elo if limited else self._full_elo

    def _new_game(self, tokens: list[str]) -> None:
        self._end_search()
        call_if_supported(self.player, "new_game")

    def _set_position(self, tokens: list[str]) -> None:
        """Set up a position; one that is wrong leaves the former one, and illegal moves end the list."""
        at = tokens.index("moves") if "moves" in tokens else len(tokens)
        if tokens[:1] not in (["startpos"], ["fen"]):
            raise ValueError("position takes startpos or fen")
        position = Position.start() if tokens[0] == "startpos" else Position.from_fen(" ".join(tokens[1:at]))
        for text in tokens[at + 1 :]:
            if not position.try_play(text):
                self.write(f"info string ERROR illegal move {text} in {position.fen()}")
                break
        self.position = position

    def _go(self, tokens: list[str]) -> None:
        self._end_search()
        limits = _go_limits(tokens, self.position, self.overhead_ms)
        if {"infinite", "ponder"} & set(tokens):
            self._released.clear()
        self._search_thread = threading.Thread(target=self._search, args=(self.position.copy(), limits), daemon=True)
        self._search_thread.start()

    def _stop(self) -> None:
        self._released.set()
        while self._search_thread is not None and self._search_thread.is_alive() and hasattr(self.player, "stop"):
            self.player.stop()  # again, if it had not begun: an idle player ignores a stop
            self._search_thread.join(0.01)

    def _end_search(self) -> None:
        self._stop()
        if self._search_thread is not None:
            self._search_thread.join()

    def _search(self, position: Position, limits: Limits) -> None:
        """Search and answer: exactly one bestmove for each go, not before `stop` where the command says so."""
        if limits.endless and not hasattr(self.player, "stop"):
            limits = Limits(movetime_ms=ENDLESS_MS, only=limits.only)
        begun, best = time.perf_counter(), "(none)"
        if not position.legal_moves():
            self.write(f"info depth 0 score {'mate 0' if position.is_check() else 'cp 0'}")
        else:
            try:
                decision = self.player.choose(position, limits)
                if decision.likely:
                    likeliest = decision.likely[:LIKELIEST]
                    told = (f"{self._written(position, move)} {chance:.1%}" for move, chance in likeliest)
                    self.write(f"info string likely {', '.join(told)}")
                self.write(self._info(position, decision, time.perf_counter() - begun))
                best = self._written(position, decision.move)
            except Exception as error:  # whatever a player raises, the GUI gets its bestmove
                self.write(f"info string ERROR {' '.join(str(error).split())}")
                best = self._written(position, position.legal_moves()[0])
        self._released.wait()
        self.write(f"bestmove {best}")

    def _info(self, position: Position, decision: Decision, seconds: float) -> str:
        line, ahead, value = [], position.copy(), decision.value
        for move in decision.line:
            line.append(self._written(ahead, move))
            ahead.play(move)
        told = f"mate {value.mate}" if value.mate is not None else f"cp {value.centipawns}"
        score = f"score {told} " if decision.nodes else ""
        spent = f"nodes {decision.nodes} time {round(seconds * 1000)}"
        return f"info depth {max(1, decision.depth)} multipv 1 {score}{spent} pv {' '.join(line)}"

    def _written(self, position: Position, move: Move) -> str:
        return position.uci(move, chess960=self.chess960)


def _go_limits(tokens: list[str], position: Position, overhead_ms: int) -> Limits:
    """The limits of `go`. A number that is missing does not influence the search."""
    numbers: dict[str, int] = {}
    only: list[Move] = []
    listing = False
    for token, following in zip(tokens, [*tokens[1:], ""], strict=False):
        if token in COUNTS or token in CLOCKS:
            listing = False
            with suppress(ValueError):
                numbers[token] = int(following)
        elif token == "searchmoves":
            listing = True
        elif listing:
            spelled = ((move, position.uci(move), position.uci(move, chess960=True)) for move in position.legal_moves())
            only += [move for move, *spellings in spelled if token in spellings]

    limits: dict[str, Any] = {COUNTS[token]: max(1, number) for token, number in numbers.items() if token in COUNTS}
    for side in ("white", "black"):
        if (left := f"{side[0]}time") in numbers:
            limits[side] = Clock(max(0, numbers[left]), max(0, numbers.get(f"{side[0]}inc", 0)))
    return Limits(**limits, overhead_ms=overhead_ms, only=tuple(only))


def okapi_uci() -> Path:
    """The native program that was installed beside `okapi`."""
    for place in _places():
        if place.is_file():
            return place
    raise NotFound(f"`{NATIVE}` is not installed", hint="pip install okapi-chess brings it")


def _places() -> Iterator[Path]:
    yield Path(sysconfig.get_path("scripts")) / NATIVE
    with suppress(PackageNotFoundError):
        yield from (Path(str(file.locate())) for file in files("okapi-chess") or () if file.name == NATIVE)
    yield Path(shutil.which(NATIVE) or "")
