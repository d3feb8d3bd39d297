"""Why a move is a mistake, and what the other side threatens: one sentence that the board can prove."""

from dataclasses import dataclass
from typing import Final

from okapi.analysis.report.lines import Replay, ends, repeats
from okapi.analysis.report.moves import MARKS, JudgedMove
from okapi.analysis.report.positional import positional_reason, purpose
from okapi.analysis.report.tactics import tactic
from okapi.core import Kind, Limits, Line, Position
from okapi.players import Player

DRAWN = (0.48, 0.52)  # expected scores that a search returns for a draw
LOST_ENDING = 0.15  # expected score below which an ending is called lost
HOLDABLE = 0.35  # expected score above which the position before was not

DRAWS = {
    "stalemate": "it is stalemate",
    "threefold repetition": "the position stands for the third time",
    "fifty moves": "fifty moves are over",
    "insufficient material": "nobody can mate any more",
}

SHOWN = 5  # plies of the best line, where nothing is known of its first move
CHANCE = 0.40  # with at least this expected score after a mistake, what was missed is named before what was lost


def mistake_sentence(judged: JudgedMove) -> str:
    """Why a move is a mistake; what the best move does, if nothing more can be proven.

    The sentence has no subject: it follows the move, as in `23. Qxb2?? hangs the queen: …`.
    """
    special = _throws_away(judged) or _allows_perpetual_check(judged) or _trades_into_lost_ending(judged)
    if special:
        return special
    allowed, missed = _allowed(judged), _missed(judged)
    first = missed if judged.value.expected >= CHANCE or (judged.before.mate or 0) > 0 else allowed
    return first or allowed or missed or positional_reason(judged) or _numbers(judged)


def _allowed(judged: JudgedMove) -> str:
    """What the other side wins after the move and would not have won after the best one."""
    position = judged.position
    replay = Replay.of(position.after(judged.move), judged.reply_line, (position, judged.move))
    claim = tactic(replay)
    if claim is None or (claim.is_mate and (judged.before.mate or 0) < 0):
        return ""
    if claim.is_mate:
        return claim.allowed
    paid = replay.gain - Replay.of(position, (judged.move,)).gain_after(1)
    return claim.allowed if paid > max(0, -Replay.of(position, judged.best_line).gain) else ""


def _missed(judged: JudgedMove) -> str:
    """What the best move would have won, and the move played did not."""
    better = Replay.of(judged.position, judged.best_line)
    claim = tactic(better)
    if claim is None:
        return ""
    return f"misses {claim.gets}" if claim.is_mate or better.gain > Replay.of(judged.position, judged.line).gain else ""


def _throws_away(judged: JudgedMove) -> str:
    """The move, or the reply to it, ends the game in a draw from a better position."""
    if judged.before.expected <= 0.5:
        return ""
    whole = Replay.of(judged.position, judged.line[:2])
    for line in (whole.first(1), whole):
        ending = line.positions[-1].ending()
        if ending is not None and ending != "checkmate" and ends(line, ending):
            reply = f"after {line.sans[1]} " if len(line.moves) > 1 else ""
            return f"gives up the win: {reply}{DRAWS[ending]}"
    return ""


def _allows_perpetual_check(judged: JudgedMove) -> str:
    """The reply gives check until a position is repeated, from a better position."""
    if judged.before.expected <= 0.5 or not DRAWN[0] <= judged.value.expected <= DRAWN[1]:
        return ""
    replay = Replay.of(judged.position.after(judged.move), judged.reply_line)
    keys = [place.key for place in replay.positions]
    back = next((ply for ply in range(1, len(keys)) if keys[ply] in keys[:ply]), 0)
    return f"allows perpetual check beginning with {replay.sans[0]}" if back and repeats(replay, back) else ""


def _trades_into_lost_ending(judged: JudgedMove) -> str:
    """The last pieces are exchanged, and the pawn ending is lost."""
    was_held, is_lost = judged.before.expected >= HOLDABLE, judged.value.expected <= LOST_ENDING
    if not was_held or not is_lost or _is_pawn_ending(judged.position) or judged.value.mate is not None:
        return ""
    replay = Replay.of(judged.position, judged.line[:3])
    for ply in range(1, len(replay.moves) + 1):
        if _is_pawn_ending(replay.positions[ply]) and abs(replay.gain) <= 1 and replay.settled >= ply:
            return f"trades into a lost pawn ending: {replay.text(ply)}"
    return ""


def _is_pawn_ending(position: Position) -> bool:
    return {piece.kind for _, piece in position.pieces()} == {Kind.KING, Kind.PAWN}


def _numbers(judged: JudgedMove) -> str:
    does = purpose(judged.position, judged.best)
    best = f"{judged.best_san}, which {does}" if does else Replay.of(judged.position, judged.best_line).text(SHOWN)
    return f"gives away {judged.loss:.0%}: best was {best}".replace("%", " %")


TEMPO: Final = 0.15  # expected score of a second move in a row in any opening: a threat without a tactic must win more


@dataclass(frozen=True, slots=True)
class Threat:
    """What the side that is not to move would play."""

    line: Line
    gain: float  # expected score that two moves in a row would win
    sentence: str  # threatens Bxe5, which wins the knight


def find_threat(position: Position, player: Player, limits: Limits) -> Threat | None:
    """Let the side to move pass, and search: None if it is in check, or if passing costs little."""
    if position.is_check() or not position.legal_moves():
        return None
    passed = position.copy()
    passed.pass_turn()
    passed = Position.from_fen(passed.fen(shredder=position.is_chess960()))
    if not passed.legal_moves():
        return None
    now, then = (player.choose(each, limits) for each in (position, passed))
    gain = then.value.expected - now.value.seen_by(passed.turn)
    claim = tactic(Replay.of(passed, then.line))
    if gain < (TEMPO if claim is None else MARKS[-1][0]) and then.value.mate is None:
        return None
    what = claim.gets if claim is not None else f"{passed.san(then.move)}, which is worth {gain:.0%}".replace("%", " %")
    return Threat(Line(then.line, then.value, then.depth), gain, f"threatens {what}")
