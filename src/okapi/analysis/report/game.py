"""A game analysed move by move: quickly first, then more deeply; and the report as JSON."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from okapi.analysis.report.lines import Replay
from okapi.analysis.report.moves import JudgedMove, MoveNote, SideSummary, summarise
from okapi.analysis.report.sentences import mistake_sentence
from okapi.core import Color, Decision, Game, Limits, Value
from okapi.errors import UsageError
from okapi.formats.eco import Opening, opening
from okapi.players import Player

ONLY_MOVE_LOSS = 0.20  # if every other move loses so much, there was only one
STILL_ALIVE = 0.25  # after an only move, the expected score must be at least this
OBVIOUS_GAIN = 100  # Centipawns. A capture that wins so much by itself is obvious.
MEASURES = ("depth", "nodes", "movetime_ms")  # of limits


@dataclass(frozen=True, slots=True)
class PositionValue:
    """One position of a game, as the player evaluated it."""

    ply: int  # plies played before
    value: Value  # for White
    decision: Decision | None  # None where the game is over
    limits: Limits


@dataclass(frozen=True, slots=True)
class GameReport:
    game: Game
    opening: Opening | None
    values: tuple[Value, ...]  # of every position, the first to the last, for White
    moves: tuple[JudgedMove, ...]
    by: str

    def summary(self, side: Color) -> SideSummary:
        return summarise(self.moves, side)


class GameAnalysis:
    """The positions of a game, with their values. Every pass continues where an earlier one stopped."""

    def __init__(self, game: Game, player: Player, by: str = "") -> None:
        self.game, self.player, self.by, self.opening = game, player, by, opening(game)
        self._positions = [position.copy() for position, _ in game.positions()] + [game.last]
        self._seen: dict[int, PositionValue] = {}
        self._checked: dict[int, tuple[MoveNote | None, str]] = {}

    def deepen(self, limits: Limits) -> Iterator[PositionValue]:
        """Search every position within `limits`, and yield each value as it is found.

        Positions that were looked at so closely already are left alone, so that a pass that was not finished goes on
        where it stopped. `player.stop()` cuts a look short, from any thread; leaving the loop ends the pass.
        """
        for ply in range(len(self._positions)):
            if not self._is_seen(ply, limits):
                yield self._look(ply, limits)

    def check(self, limits: Limits) -> Iterator[JudgedMove]:
        """Search again, four times as long as `limits`, each move that seems a mistake, and find the reason.

        Then find the moves that were the only ones. A yielded move may turn out to be no mistake.
        """
        while suspects := {move.ply for move in self.moves() if move.mark or move.note} - self._checked.keys():
            ply = min(suspects)
            for place in (ply, ply + 1):
                if not self._is_seen(place, closer(limits)):
                    self._look(place, closer(limits))
            move = self._judge(ply)
            self._checked[ply] = (move.note, mistake_sentence(move) if move.mark or move.note else "")
            yield self._judge(ply)
        for move in self.moves():
            if move.ply not in self._checked and self._was_only_move(move, limits):
                self._checked[move.ply] = (MoveNote.ONLY_MOVE, "")
                yield self._judge(move.ply)

    def moves(self) -> tuple[JudgedMove, ...]:
        plies = range(len(self.game.moves))
        return tuple(self._judge(ply) for ply in plies if ply in self._seen and ply + 1 in self._seen)

    def report(self) -> GameReport:
        values = tuple(self._seen[ply].value for ply in sorted(self._seen))
        return GameReport(self.game, self.opening, values, self.moves(), self.by)

    def _look(self, ply: int, limits: Limits) -> PositionValue:
        position, decision = self._positions[ply], None
        if position.is_checkmate():
            value = Value.from_mate(0, position.turn)
        elif position.is_stalemate():
            value = Value(0.5, position.turn)
        else:
            decision = self.player.choose(position, limits)
            value = decision.value
        self._seen[ply] = PositionValue(ply, value.for_side(Color.WHITE), decision, limits)
        for stale in (ply - 1, ply):
            self._checked.pop(stale, None)
        return self._seen[ply]

    def _is_seen(self, ply: int, limits: Limits) -> bool:
        seen = self._seen.get(ply)
        if seen is None or seen.decision is None:
            return seen is not None
        pairs = ((getattr(each, name) or 0 for each in (seen.limits, limits)) for name in MEASURES)
        return all(spent >= wanted for spent, wanted in pairs)

    def _judge(self, ply: int) -> JudgedMove:
        before, after = self._seen[ply], self._seen[ply + 1]
        assert before.decision is not None, "a move was played after the end of the game"
        position, found = self._positions[ply], before.decision
        reply = after.decision.line if after.decision else ()
        value = after.value.for_side(position.turn)
        move = JudgedMove(ply, position, self.game.moves[ply], found.value, value, found.line, reply, found.nodes)
        note, sentence = self._checked.get(ply, (move.missed, ""))
        return replace(move, note=note, sentence=sentence)

    def _was_only_move(self, move: JudgedMove, limits: Limits) -> bool:
        """Would every other move have been a blunder, and was the move not obvious?"""
        others = tuple(legal for legal in move.position.legal_moves() if legal != move.move)
        if move.mark or not others or move.value.expected < STILL_ALIVE or self._is_plain(move):
            return False
        for asked in (quicker(limits), limits):
            try:
                second = self.player.choose(move.position, asked.among(others))
            except UsageError:
                return False  # a player that cannot be restricted to some moves
            if second.move not in others or move.value.expected - second.value.expected < ONLY_MOVE_LOSS:
                return False
        return True

    def _is_plain(self, move: JudgedMove) -> bool:
        """A book move, a capture that wins by itself, or a recapture."""
        if self.opening is not None and move.ply < self.opening.ply:
            return True
        if not move.position.is_capture(move.move):
            return False
        taken_on = None
        if move.ply and self._positions[move.ply - 1].is_capture(self.game.moves[move.ply - 1]):
            taken_on = self.game.moves[move.ply - 1].to_square
        return move.position.see(move.move) >= OBVIOUS_GAIN or move.move.to_square == taken_on


def closer(limits: Limits) -> Limits:
    """Four times as long, or two plies deeper."""
    return _scaled(limits, 4.0, 2)


def quicker(limits: Limits) -> Limits:
    """An eighth of the time, or three plies less."""
    return _scaled(limits, 0.125, -3)


def _scaled(limits: Limits, factor: float, plies: int) -> Limits:
    depth, *others = (getattr(limits, name) for name in MEASURES)
    nodes, time = (None if number is None else max(1, int(number * factor)) for number in others)
    return replace(limits, depth=None if depth is None else max(1, depth + plies), nodes=nodes, movetime_ms=time)


# --- The report for programs ------------------------------------------------------------------------------------------

CLASSES: Final = {"?!": "inaccuracy", "?": "mistake", "??": "blunder"}


def report_as_json(report: GameReport) -> dict[str, Any]:
    game, found = report.game, report.opening
    return {
        "white": game.tags.get("White", "?"),
        "black": game.tags.get("Black", "?"),
        "result": game.result,
        "opening": None if found is None else asdict(found),
        "by": report.by,
        "values": [{"ply": ply, **wdl_as_json(value)} for ply, value in enumerate(report.values)],
        "moves": [move_as_json(game, move) for move in report.moves],
        "summary": {side.name.lower(): asdict(report.summary(side)) for side in Color},
    }


def move_as_json(game: Game, move: JudgedMove) -> dict[str, Any]:
    return {
        "ply": move.ply,
        "move": game.start.uci(move.move),
        "san": move.san,
        **value_as_json(move.value),
        "best": game.start.uci(move.best),
        "best_san": move.best_san,
        "loss": round(move.loss, 6),
        "mark": move.mark,
        "class": CLASSES.get(move.mark),
        "note": move.note,
        "sentence": move.sentence,
        "best_line": Replay.of(move.position, move.best_line).sans,
        "reply_line": Replay.of(move.position, move.line).sans[1:],
    }


def value_as_json(value: Value) -> dict[str, Any]:
    unit = {"centipawns": value.centipawns} if value.mate is None else {"mate": value.mate}
    return {"value": round(value.expected, 6), **unit}


def wdl_as_json(value: Value) -> dict[str, Any]:
    """A value for White, with win, draw and loss."""
    seen = value.for_side(Color.WHITE)
    shares = dict(zip(("win", "draw", "loss"), seen.win_draw_loss, strict=True))
    return {**value_as_json(seen), **{name: round(share, 4) for name, share in shares.items()}}
