"""Why a move is a mistake, in one sentence that the board can prove."""

from okapi.analysis.report.facts import Ends, Repeats, all_hold
from okapi.analysis.report.judged import Judged
from okapi.analysis.report.replay import Replay
from okapi.analysis.report.tactics import tactic
from okapi.core import Kind, Position

__all__ = ["explain"]

DRAWN = (0.48, 0.52)
"""Expected scores of a draw, as near as a search tells it."""

LOST_ENDING = 0.15
"""Expected score below which an ending is called lost."""

HOLDABLE = 0.35
"""Expected score above which the position before was not."""

DRAWS = {
    "stalemate": "it is stalemate",
    "threefold repetition": "the position stands for the third time",
    "fifty moves": "fifty moves are over",
    "insufficient material": "nobody can mate any more",
}
"""How a game ends in a draw."""

CHANCE = 0.40
"""Who still stands so well after a mistake has missed something rather than lost something."""


def explain(position: Position, judged: Judged) -> str:
    """Why `judged`, played in `position`, is a mistake; the plain numbers where nothing more can be proven.

    The sentence has no subject: it goes on from the move, as in `23. Qxb2?? hangs the queen: …`.
    """
    for special in (_throws_away, _allows_perpetual_check, _trades_into_lost_ending):
        if found := special(position, judged):
            return found
    allowed, missed = _allowed(position, judged), _missed(position, judged)
    if judged.value.expected >= CHANCE or _is_missed_mate(judged):
        allowed, missed = missed, allowed
    return allowed or missed or _numbers(judged)


def _allowed(position: Position, judged: Judged) -> str:
    """What the other side gets after the move and would not have got after the best one."""
    replay = Replay.of(position.after(judged.move), judged.reply_line, (position, judged.move))
    claim = tactic(replay)
    if claim is None:
        return ""
    if claim.kind == "mate":
        return "" if judged.before.mate is not None and judged.before.mate < 0 else claim.allowed
    paid = replay.gain - Replay.of(position, (judged.move,)).gain_after(1)
    return claim.allowed if paid > max(0, -Replay.of(position, judged.best_line).gain) else ""


def _missed(position: Position, judged: Judged) -> str:
    """What the best move would have got, and the move played did not."""
    better = Replay.of(position, judged.best_line)
    claim = tactic(better)
    if claim is None:
        return ""
    played = Replay.of(position, (judged.move, *judged.reply_line))
    return f"misses {claim.gets}" if claim.kind == "mate" or better.gain > played.gain else ""


def _is_missed_mate(judged: Judged) -> bool:
    return judged.before.mate is not None and judged.before.mate > 0


def _throws_away(position: Position, judged: Judged) -> str:
    """The move, or the reply to it, ends the game in a draw that was not needed."""
    if judged.before.expected <= 0.5:
        return ""
    for line in ((judged.move,), (judged.move, *judged.reply_line[:1])):
        ending = Replay.of(position, line).positions[-1].ending()
        if ending is None or ending == "checkmate" or not all_hold((Ends(ending),), position, line):
            continue
        if len(line) == 1:
            return f"gives up the win: {DRAWS[ending]}"
        return f"gives up the win: after {position.after(judged.move).san(line[1])} {DRAWS[ending]}"
    return ""


def _allows_perpetual_check(position: Position, judged: Judged) -> str:
    """The reply gives check until a position comes back, where more than a draw was to be had."""
    if judged.before.expected <= 0.5 or judged.value.expected < DRAWN[0] or judged.value.expected > DRAWN[1]:
        return ""
    replay = Replay.of(position.after(judged.move), judged.reply_line)
    keys = [place.key for place in replay.positions]
    back = next((ply for ply in range(1, len(keys)) if keys[ply] in keys[:ply]), None)
    if back is None or not all_hold((Repeats(back),), replay.positions[0], replay.moves):
        return ""
    return f"allows perpetual check beginning with {replay.san(0)}"


def _trades_into_lost_ending(position: Position, judged: Judged) -> str:
    """The move takes or lets be taken the last piece, and the pawns that remain are lost."""
    if judged.before.expected < HOLDABLE or judged.value.expected > LOST_ENDING:
        return ""
    replay = Replay.of(position, (judged.move, *judged.reply_line[:2]))
    if _is_pawn_ending(position) or judged.value.mate is not None:
        return ""
    for ply in range(1, len(replay.moves) + 1):
        if _is_pawn_ending(replay.positions[ply]) and abs(replay.gain) <= 1 and replay.settled >= ply:
            line = " ".join(replay.san(place) for place in range(ply))
            return f"trades into a lost pawn ending: {line}"
    return ""


def _is_pawn_ending(position: Position) -> bool:
    kinds = {piece.kind for _, piece in position.pieces()}
    return kinds == {Kind.KING, Kind.PAWN}


def _numbers(judged: Judged) -> str:
    """What is true of every mistake."""
    return f"gives away {judged.loss:.0%}: best was {judged.best_san}".replace("%", " %")
