"""UCI around any player. The native program okapi-uci does it for the search; this one for everything else."""

import shutil
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Protocol, TextIO, runtime_checkable

from okapi import __version__
from okapi.core import Clock, Decision, Limits, Move, Position, Value
from okapi.errors import NotFound, OkapiError
from okapi.players import Player
from okapi.players.player import EloAdjustable, is_elo_adjustable

__all__ = ["Uci", "okapi_uci"]

NATIVE = "okapi-uci.exe" if sys.platform == "win32" else "okapi-uci"

LIKELIEST = 5
"""Of the moves that a player thinks likely, so many are told."""

PATIENCE_MS = 1_000
"""How long a player that cannot be stopped thinks when it is told to think for ever."""


@runtime_checkable
class Stoppable(Protocol):
    """A player that can be told to answer at once."""

    def stop(self) -> None:
        """Answer now."""


class Uci:
    """Lines in, lines out: one thread hears, another thinks."""

    def __init__(self, player: Player, name: str, *, out: TextIO | None = None) -> None:
        self.player = player
        self.name = name
        self.position = Position.start()
        self.chess960 = False
        self.overhead_ms = 20
        self._strength = strength_of(player)
        self._out = out or sys.stdout
        self._voice = threading.Lock()
        self._thinking: threading.Thread | None = None
        self._released = threading.Event()
        self._commands: dict[str, Callable[[list[str]], object]] = {
            "uci": self._introduce,
            "isready": lambda words: self.say("readyok"),
            "setoption": self._set_option,
            "ucinewgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda words: self._stop(),
            "ponderhit": lambda words: self._stop(),
        }

    def run(self, lines: Iterator[str]) -> None:
        """Hear lines until `quit` or the end."""
        for line in lines:
            if not self.hear(line):
                break
        self._stop()
        self._wait()

    def hear(self, line: str) -> bool:
        """Hear one line; False after `quit`. Words that mean nothing are skipped, as the protocol asks."""
        words = line.split()
        while words and words[0] != "quit" and words[0] not in self._commands:
            words.pop(0)
        if not words:
            return True
        if words[0] == "quit":
            return False
        try:
            self._commands[words[0]](words[1:])
        except (OkapiError, ValueError) as error:
            self.say(f"info string ERROR {' '.join(str(error).split())}")
        return True

    def say(self, line: str) -> None:
        """Say one line and send it off."""
        with self._voice:
            print(line, file=self._out, flush=True)

    # --- What can be heard ------------------------------------------------------------------------------------------

    def _introduce(self, words: list[str]) -> None:
        self.say(f"id name Okapi {__version__} {self.name}")
        self.say("id author the Okapi developers")
        self.say("option name Threads type spin default 1 min 1 max 1")
        self.say("option name Hash type spin default 16 min 1 max 1048576")
        self.say("option name UCI_Chess960 type check default false")
        self.say("option name Move Overhead type spin default 20 min 0 max 5000")
        for line in self._strength.options() if self._strength else ():
            self.say(line)
        self.say("uciok")

    def _set_option(self, words: list[str]) -> None:
        name, _, value = " ".join(words).removeprefix("name ").partition(" value ")
        if self._strength and self._strength.set(name.strip().lower(), value.strip().lower()):
            return
        match name.strip().lower():
            case "uci_chess960":
                self.chess960 = value.strip().lower() == "true"
            case "move overhead":
                self.overhead_ms = max(0, min(5000, int(value)))
            case "threads" | "hash":
                pass
            case _:
                self.say(f"info string ERROR no option {name.strip()!r}")

    def _new_game(self, words: list[str]) -> None:
        self._stop()
        self._wait()
        forget = getattr(self.player, "new_game", None)
        if forget is not None:
            forget()

    def _set_position(self, words: list[str]) -> None:
        """Set up a position; one that is wrong leaves the former one, and illegal moves end the list."""
        at = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["startpos"]:
            position = Position.start()
        elif words[:1] == ["fen"]:
            position = Position.from_fen(" ".join(words[1:at]))
        else:
            raise ValueError("position takes startpos or fen")
        for text in words[at + 1 :]:
            if not position.try_play(text):
                self.say(f"info string ERROR illegal move {text} in {position.fen()}")
                break
        self.position = position

    def _go(self, words: list[str]) -> None:
        self._stop()
        self._wait()
        order = _Order.parse(words, self.position, self.overhead_ms)
        self._released.clear()
        if not order.waits:
            self._released.set()
        self._thinking = threading.Thread(target=self._think, args=(self.position.copy(), order), daemon=True)
        self._thinking.start()

    def _stop(self) -> None:
        self._released.set()
        while self._thinking is not None and self._thinking.is_alive() and isinstance(self.player, Stoppable):
            self.player.stop()  # again, if it had not begun: a stop when idle is forgotten
            self._thinking.join(0.01)

    def _wait(self) -> None:
        if self._thinking is not None:
            self._thinking.join()
            self._thinking = None

    # --- Thinking ---------------------------------------------------------------------------------------------------

    def _think(self, position: Position, order: "_Order") -> None:
        """Think and answer: exactly one bestmove for each go, not before `stop` where the order says so."""
        limits = order.limits
        if limits.endless and not isinstance(self.player, Stoppable):
            limits = Limits(movetime_ms=PATIENCE_MS, only=limits.only)
        begun = time.perf_counter()
        best = "(none)"
        if not position.legal_moves():
            self.say(f"info depth 0 score {'mate 0' if position.is_check() else 'cp 0'}")
        else:
            try:
                decision = self.player.choose(position, limits)
                if decision.likely:
                    self.say(self._likely(position, decision))
                self.say(self._info(position, decision, time.perf_counter() - begun))
                best = self._written(position, decision.move)
            except Exception as error:  # whatever a player of somebody else's throws, the GUI gets its bestmove
                self.say(f"info string ERROR {' '.join(str(error).split())}")
                best = self._written(position, position.legal_moves()[0])
        self._released.wait()
        self.say(f"bestmove {best}")

    def _info(self, position: Position, decision: Decision, seconds: float) -> str:
        line, ahead = [], position.copy()
        for move in decision.line:
            line.append(self._written(ahead, move))
            ahead.play(move)
        score = f"score {_score(decision.value)} " if decision.nodes else ""  # who looked at nothing has no opinion
        return (
            f"info depth {max(1, decision.depth)} multipv 1 {score}nodes {decision.nodes} "
            f"time {round(seconds * 1000)} pv {' '.join(line)}"
        )

    def _likely(self, position: Position, decision: Decision) -> str:
        told = (f"{self._written(position, move)} {chance:.1%}" for move, chance in decision.likely[:LIKELIEST])
        return f"info string likely {', '.join(told)}"

    def _written(self, position: Position, move: Move) -> str:
        return position.uci(move, chess960=self.chess960)


class _Order:
    """What `go` asks for."""

    def __init__(self, limits: Limits, *, waits: bool) -> None:
        self.limits = limits
        self.waits = waits
        """The answer is to be kept until `stop`."""

    @classmethod
    def parse(cls, words: list[str], position: Position, overhead_ms: int) -> "_Order":
        numbers: dict[str, int] = {}
        only: list[Move] = []
        listing = False
        for word, following in zip(words, [*words[1:], ""], strict=False):
            if word in NUMBERS:
                listing = False
                try:
                    numbers[word] = int(following)
                except ValueError:
                    continue  # not there: it does not influence the search
            elif word == "searchmoves":
                listing = True
            elif listing:
                only += [move for move in position.legal_moves() if word in _spellings(position, move)]
        waits = "infinite" in words or "ponder" in words
        return cls(_limits(numbers, tuple(only), overhead_ms), waits=waits)


NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")


def _limits(numbers: dict[str, int], only: tuple[Move, ...], overhead_ms: int) -> Limits:
    def positive(name: str) -> int | None:
        return max(1, numbers[name]) if name in numbers else None

    def clock(time_name: str, increment: str) -> Clock | None:
        return Clock(max(0, numbers[time_name]), max(0, numbers.get(increment, 0))) if time_name in numbers else None

    return Limits(
        depth=positive("depth"),
        nodes=positive("nodes"),
        movetime_ms=positive("movetime"),
        mate=positive("mate"),
        white=clock("wtime", "winc"),
        black=clock("btime", "binc"),
        moves_to_go=positive("movestogo"),
        overhead_ms=overhead_ms,
        only=only,
    )


def _spellings(position: Position, move: Move) -> tuple[str, str]:
    return position.uci(move, chess960=False), position.uci(move, chess960=True)


def _score(value: Value) -> str:
    return f"mate {value.mate}" if value.mate is not None else f"cp {value.centipawns}"


class Strength:
    """The two options, and the dial that they turn."""

    def __init__(self, player: EloAdjustable, lowest: int, highest: int, usual: int) -> None:
        self._player = player
        self._range = lowest, highest
        self._full = player.elo
        self._elo = usual if player.elo is None else player.elo
        self._limited = False

    def options(self) -> tuple[str, str]:
        """What can be set."""
        lowest, highest = self._range
        return (
            "option name UCI_LimitStrength type check default false",
            f"option name UCI_Elo type spin default {self._elo} min {lowest} max {highest}",
        )

    def set(self, name: str, value: str) -> bool:
        """Set one of the two, by its name in small letters; False if it is another option."""
        match name:
            case "uci_elo":
                self._elo = max(self._range[0], min(self._range[1], int(value)))
            case "uci_limitstrength":
                self._limited = value == "true"
            case _:
                return False
        self._player.elo = self._elo if self._limited else self._full
        return True


def strength_of(player: Player) -> Strength | None:
    """None for players that know no ratings, or know them in another way."""
    if not is_elo_adjustable(player):
        return None
    from okapi.encodings.layers import ELO_RANGE, UNKNOWN_ELO  # here, because numpy takes a while

    return Strength(player, *ELO_RANGE, UNKNOWN_ELO)


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
    found = shutil.which(NATIVE)
    if found:
        yield Path(found)
