"""What a line wins, and how: mates, hanging pieces, forks, pins, skewers, discoveries, trapped pieces, promotions.

Each detector is given a line and returns a claim, or nothing. They are called in the order of TACTICS.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import chess

from okapi.analysis.report import lines
from okapi.analysis.report.lines import LONGEST_PROOF, PAWNS, Replay, forces_mate, has_way_out, mates_within
from okapi.core import Kind, Move, Position, Square

MINOR = (Kind.KNIGHT, Kind.BISHOP)


def piece_name(kind: Kind) -> str:
    return kind.name.lower()


def with_article(kind: Kind) -> str:
    """`a pawn`, but `the queen`."""
    return "a pawn" if kind is Kind.PAWN else f"the {piece_name(kind)}"


def count_of_times(count: int) -> str:
    """How often, as text."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def join_names(names: Sequence[str]) -> str:
    """king, queen and rook."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def material_won(won: Counter[Kind], lost: Counter[Kind]) -> str | None:
    """The material balance of what both sides took, as text; None if nothing was won.

    >>> material_won(Counter({Kind.ROOK: 1, Kind.PAWN: 1}), Counter({Kind.BISHOP: 1, Kind.PAWN: 1}))
    'the exchange'
    >>> material_won(Counter({Kind.QUEEN: 1}), Counter({Kind.ROOK: 1, Kind.PAWN: 2}))
    'a queen for a rook and two pawns'
    """
    ours, theirs = won - lost, lost - won
    for mine in MINOR:
        other = MINOR[1 - MINOR.index(mine)]
        paired = min(ours[mine], theirs[other])
        ours -= Counter({mine: paired})
        theirs -= Counter({other: paired})
    if ours == Counter({Kind.ROOK: 1}) and theirs.total() == 1 and next(iter(theirs)) in MINOR:
        return "the exchange"
    if not ours:
        return None
    return f"{_counted(ours)} for {_counted(theirs)}" if theirs else _counted(ours)


def _counted(kinds: Counter[Kind]) -> str:
    numbers = {1: "a", 2: "two", 3: "three", 4: "four"}
    ordered = sorted(kinds.items(), key=lambda item: (-PAWNS[item[0]], item[0].value))
    return join_names([f"{numbers.get(n, n)} {piece_name(kind)}{'s' if n > 1 else ''}" for kind, n in ordered])


@dataclass(frozen=True, slots=True)
class Claim:
    """What the side that begins a line wins by it, with every fact checked."""

    gets: str  # text after `misses` and `threatens`: Rxd8, which wins the rook
    allowed: str  # text after the move that allowed it: hangs the rook: Rxd8 takes it and nothing takes back
    is_mate: bool = False


def tactic(replay: Replay) -> Claim | None:
    """What the line wins, if it can be proven."""
    if not replay.moves:
        return None
    return next(filter(None, (detector(replay) for detector in TACTICS)), None)


def mate(replay: Replay) -> Claim | None:
    """The line ends in mate: proven against every defence if it is short, else by the line and the search."""
    if len(replay.moves) % 2 == 0 or not replay.positions[-1].is_checkmate():
        return None
    moves, first = (len(replay.moves) + 1) // 2, replay.sans[0]
    if not lines.ends(replay, "checkmate"):
        return None
    start = replay.positions[0]  # python-chess would take minutes to prove that no defence helps
    if moves <= LONGEST_PROOF and (not forces_mate(start, replay.moves[0], moves) or mates_within(start, moves - 1)):
        return None
    gets = f"mate: {first}" if moves == 1 else f"mate in {moves} beginning with {first}"
    if moves == 1 and replay.cause is not None and _opened_the_back_rank(replay, *replay.cause):
        return Claim(gets, f"leaves the back rank: {first.rstrip('#')} mates", is_mate=True)
    return Claim(gets, f"allows {gets}", is_mate=True)


def hanging(replay: Replay) -> Claim | None:
    """The first move wins a piece for nothing."""
    kind = replay.taken(0)
    if kind is None or replay.gain < PAWNS[kind] or not lines.unanswered(replay, 0):
        return None
    claim = Claim(f"{replay.sans[0]}, which wins {with_article(kind)}", _how_it_hangs(replay, kind))
    return claim if lines.wins(replay, 0, PAWNS[kind]) else None


def _how_it_hangs(replay: Replay, kind: Kind) -> str:
    """A piece that was just moved hangs or was exchanged; any other is lost."""
    san, name = replay.sans[0], piece_name(kind)
    then = f"{san} takes it and nothing takes back"
    if replay.cause is not None:
        before, move = replay.cause
        paid = Replay.of(before, (move,)).taken(0)
        if move.to_square == replay.moves[0].to_square and not move.castles:
            return f"hangs the {name}: {then}" if paid is None else f"gives the {name} for a {piece_name(paid)}: {then}"
    where = replay.taken_on(0)
    return f"loses the {name} on {where}: {then if kind is Kind.PAWN else f'after {san} nothing takes back'}"


def outnumbered(replay: Replay) -> Claim | None:
    """The first move takes a piece that has more attackers than defenders."""
    kind, square = replay.taken(0), replay.moves[0].to_square
    if kind is None or replay.gain < 1 or replay.positions[0].at(square) is None:
        return None
    board = replay.boards[0]
    attackers, defenders = (_attackers(board, side, square) for side in (board.turn, not board.turn))
    if not attackers > defenders >= 1 or PAWNS[replay.moved(0)] < PAWNS[kind] or replay.gain < PAWNS[kind]:
        return None
    there = f"the {piece_name(kind)} on {square}"
    counted = f"attacked {count_of_times(attackers)} and defended {count_of_times(defenders)}"
    claim = Claim(f"{replay.sans[0]}: {there} is {counted}", f"{there} falls: it is {counted}")
    return claim if lines.wins(replay, 0, replay.gain) else None


def cheaper(replay: Replay) -> Claim | None:
    """The first move takes a piece with one of lower value."""
    kind, taker = replay.taken(0), replay.moved(0)
    if kind is None or replay.moves[0].promotion is not None or PAWNS[taker] >= PAWNS[kind] or taker is Kind.KING:
        return None
    if replay.gain < PAWNS[kind] - PAWNS[taker] or not lines.wins(replay, 0, replay.gain):
        return None
    san, trade = replay.sans[0], f"the {piece_name(kind)} for a {piece_name(taker)}"
    return Claim(f"{san}, which wins {trade}", f"loses {trade}: {san}")


def fork(replay: Replay) -> Claim | None:
    """The first move attacks two pieces, and the second takes one of them."""
    if len(replay.moves) < 3 or replay.gain < 1 or replay.moves[2].from_square != replay.moves[0].to_square:
        return None
    targets = _worth_taking(replay)
    if len(targets) < 2 or replay.moves[2].to_square not in targets:
        return None
    if not (lines.attacks(replay, 0, *targets) and lines.wins(replay, 2, 1)):
        return None
    san, forked = replay.sans[0], join_names([piece_name(attacked) for attacked in targets.values()])
    return Claim(f"the fork {san}, which attacks {forked}", f"walks into a fork: {san} attacks {forked}")


def skewer(replay: Replay) -> Claim | None:
    """The first move drives a piece away, and the second takes the piece behind it."""
    if len(replay.moves) < 3 or replay.gain < 1 or replay.moves[2].from_square != replay.moves[0].to_square:
        return None
    here, fled, there = replay.moves[0].to_square, replay.moves[1].from_square, replay.moves[2].to_square
    kind, driven = replay.taken(2), replay.moved(1)
    between = chess.SquareSet.between(here.index, there.index)
    if kind is None or fled.index not in between or (PAWNS[driven] <= PAWNS[kind] and driven is not Kind.KING):
        return None
    if not (lines.attacks(replay, 0, fled) and lines.wins(replay, 2, 1)):
        return None
    san, front, behind = replay.sans[0], piece_name(driven), piece_name(kind)
    gets = f"the skewer {san}, which wins {with_article(kind)} behind the {front}"
    return Claim(gets, f"walks into a skewer: {san} drives the {front} away from the {behind}")


def pin(replay: Replay) -> Claim | None:
    """The first move attacks a pinned piece, and the second takes it."""
    if len(replay.moves) < 3 or replay.gain < 1:
        return None
    square, kind = replay.moves[2].to_square, replay.taken(2)
    if kind is None or kind is Kind.PAWN or square == replay.moves[1].to_square:
        return None
    is_pinned = replay.boards[0].is_pinned(not replay.boards[0].turn, square.index)
    if not (is_pinned and lines.attacks(replay, 0, square) and lines.wins(replay, 2, 1)):
        return None
    san, pinned = replay.sans[0], f"the pinned {piece_name(kind)} on {square}"
    return Claim(f"{san}, which attacks {pinned}", f"loses {pinned}: {san} attacks it")


def discovery(replay: Replay) -> Claim | None:
    """The first move discovers an attack, and the second captures."""
    if len(replay.moves) < 3 or replay.gain < 1 or replay.moves[1].from_square == replay.moves[2].to_square:
        return None
    piece, target, kind = replay.moves[2].from_square, replay.moves[2].to_square, replay.taken(2)
    if kind is None or replay.moves[1].to_square == target:
        return None
    attack = f"{piece_name(replay.moved(2))}'s attack on the {piece_name(kind)}"
    gets = f"{replay.sans[0]}, which uncovers the {attack}"
    holds = lines.uncovers(replay, 0, piece, target) and lines.wins(replay, 2, 1)
    return Claim(gets, f"allows {gets}") if holds else None


def trapped(replay: Replay) -> Claim | None:
    """After the first move a piece has no safe square, and is taken."""
    for ply in range(2, min(len(replay.moves), 5), 2):
        kind, square = replay.taken(ply), replay.moves[ply].to_square
        origin = replay.moves[ply - 1].from_square if replay.moves[ply - 1].to_square == square else square
        stood = replay.positions[1].at(origin)
        if kind is None or kind is Kind.PAWN or stood is None or stood.kind is not kind:
            continue
        if replay.gain < PAWNS[kind] - 1 or not _had_way_out(replay, origin):
            continue
        if replay.boards[1].is_check() or has_way_out(replay.boards[1], origin) or not lines.wins(replay, ply, 1):
            return None
        san, there = replay.sans[0], f"the {piece_name(kind)} on {origin}"
        return Claim(f"{san}, which traps {there}", f"gets {there} trapped: after {san} it has no way out")
    return None


def promotion(replay: Replay) -> Claim | None:
    ply = next((ply for ply, move in enumerate(replay.moves) if ply % 2 == 0 and move.promotion is not None), None)
    if ply is None or replay.gain < 2 or not (lines.promotes(replay, ply) and lines.leads(replay, 2)):
        return None
    queens = f"{replay.sans[ply]} comes {'at once' if ply == 0 else f'in {ply // 2 + 1} moves'}"
    return Claim(f"a pawn that gets through: {queens}", f"lets a pawn through: {queens}")


def material(replay: Replay) -> Claim | None:
    """The line wins material in another way."""
    if replay.gain < 1 or any(played.promotion is not None for played in replay.moves[: replay.settled]):
        return None
    haul = material_won(replay.spoils(replay.attacker), replay.spoils(replay.attacker.other))
    if haul is None or not lines.leads(replay, replay.gain):
        return None
    line = replay.text(replay.settled)
    return Claim(f"{replay.sans[0]}, which wins {haul}: {line}", f"loses {haul}: {line}")


TACTICS: Final = (mate, hanging, cheaper, outnumbered, fork, skewer, discovery, pin, trapped, promotion, material)


def _worth_taking(replay: Replay) -> dict[Square, Kind]:
    """What the first move attacks: the king, and pieces of higher value or undefended, the highest first."""
    after, board, square = replay.positions[1], replay.boards[1], replay.moves[0].to_square
    attacker = after.at(square)
    assert attacker is not None
    targets = []
    for at in map(Square.at, board.attacks(square.index)):
        if (piece := after.at(at)) and piece.color is after.turn:
            is_loose = piece.kind is not Kind.PAWN and not board.is_attacked_by(board.turn, at.index)
            if piece.kind is Kind.KING or PAWNS[piece.kind] > PAWNS[attacker.kind] or is_loose:
                targets.append((at, piece.kind))
    return dict(sorted(targets, key=lambda target: (-(PAWNS[target[1]] or 99), -target[1].value)))


def _attackers(board: chess.Board, side: chess.Color, square: Square) -> int:
    """Attackers of a square of `side`, x-rays included."""
    thinned, found = board.copy(stack=False), chess.SquareSet()
    while new := thinned.attackers(side, square.index) - found:
        found |= new
        for front in new - thinned.pieces(chess.KING, side):
            thinned.remove_piece_at(front)
    return len(found)


def _had_way_out(replay: Replay, square: Square) -> bool:
    """Could the other side's piece there move to safety before the line, if it were its turn?"""
    passed = replay.boards[0].copy(stack=False)
    passed.push(chess.Move.null())
    return not replay.boards[0].is_check() and has_way_out(passed, square)


def _opened_the_back_rank(replay: Replay, before: Position, move: Move) -> bool:
    """Did `move` remove a guard of the back rank on which its king is now mated?"""
    home = replay.positions[-1].king(before.turn).rank
    if home != (0 if before.turn.name == "WHITE" else 7) or replay.moves[0].to_square.rank != home or before.is_check():
        return False
    if move.from_square.rank != home or move.to_square.rank == home or replay.moved(0) not in (Kind.ROOK, Kind.QUEEN):
        return False
    passed = before.copy()
    passed.pass_turn()
    return not any(passed.after(reply).is_checkmate() for reply in passed.legal_moves())
