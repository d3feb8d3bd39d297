"""What a line wins, and how: mates, hanging pieces, forks, pins, skewers, discoveries, trapped pieces, promotions.

Each detector is given a line and returns a claim, or nothing. They are called in the order of TACTICS.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import chess

from okapi.analysis.report import lines
from okapi.analysis.report.lines import LONGEST_PROOF, PAWNS, Fact, Replay, all_hold, has_way_out, leads, takes
from okapi.core import Kind, Move, Position, Square

# --- Words of sentences -----------------------------------------------------------------------------------------------


MINOR = (Kind.KNIGHT, Kind.BISHOP)


def piece_name(kind: Kind) -> str:
    return kind.name.lower()


def with_article(kind: Kind) -> str:
    """`a pawn`, but `the queen`."""
    return "a pawn" if kind is Kind.PAWN else f"the {piece_name(kind)}"


def count_of_times(count: int) -> str:
    """How often, as text.

    >>> count_of_times(1), count_of_times(2), count_of_times(4)
    ('once', 'twice', '4 times')
    """
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


# --- Detectors --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Claim:
    """What the side that begins a line wins by it."""

    kind: str
    gets: str
    """Text after `misses` and `threatens`: Rxd8, which wins the rook."""
    allowed: str
    """Text after the move that allowed it: hangs the rook: Rxd8 takes it and nothing takes back."""
    facts: tuple[Fact, ...]


def tactic(replay: Replay) -> Claim | None:
    """What the line wins, if it can be proven.

    >>> start = Position.from_fen("4k3/8/8/3r4/8/8/6B1/4K3 w - - 0 1")
    >>> tactic(Replay.of(start, [start.move("Bxd5")])).gets
    'Bxd5, which wins the rook'
    """
    if not replay.moves:
        return None
    found = (detector(replay) for detector in TACTICS)
    claims = (claim for claim in found if claim is not None)
    return next((claim for claim in claims if all_hold(claim.facts, replay.positions[0], replay.moves)), None)


def mate(replay: Replay) -> Claim | None:
    """The line ends in mate: proven against every defence if it is short, else by the line and the search."""
    if len(replay.moves) % 2 == 0 or not replay.positions[-1].is_checkmate():
        return None
    moves, first = (len(replay.moves) + 1) // 2, replay.san(0)
    facts: tuple[Fact, ...] = (lines.ends("checkmate"), *((lines.forces(moves),) if moves <= LONGEST_PROOF else ()))
    if moves > 1:
        gets = f"mate in {moves} beginning with {first}"
        return Claim("mate", gets, f"allows {gets}", facts)
    mates = first.rstrip("#")
    if replay.cause is not None and _opened_the_back_rank(replay, *replay.cause):
        return Claim("mate", f"mate: {first}", f"leaves the back rank: {mates} mates", facts)
    return Claim("mate", f"mate: {first}", f"allows mate: {first}", facts)


def hanging(replay: Replay) -> Claim | None:
    """The first move wins a piece for nothing."""
    kind = replay.taken(0)
    if kind is None or replay.gain < PAWNS[kind] or not _is_unanswered(replay):
        return None
    san, where = replay.san(0), _place_taken(replay)
    facts = (takes(0, kind, where), lines.unanswered(0), leads(replay.settled, PAWNS[kind]))
    return Claim("hanging", f"{san}, which wins {with_article(kind)}", _how_it_hangs(replay, kind, where), facts)


def _how_it_hangs(replay: Replay, kind: Kind, where: Square) -> str:
    """A piece that was just moved hangs or was exchanged; any other is lost."""
    san, name = replay.san(0), piece_name(kind)
    then = f"{san} takes it and nothing takes back"
    if replay.cause is not None:
        before, move = replay.cause
        paid = Replay.of(before, (move,)).taken(0)
        if move.to_square == replay.moves[0].to_square and not move.castles:
            return f"hangs the {name}: {then}" if paid is None else f"gives the {name} for a {piece_name(paid)}: {then}"
    return f"loses the {name} on {where}: {then if kind is Kind.PAWN else f'after {san} nothing takes back'}"


def outnumbered(replay: Replay) -> Claim | None:
    """The first move takes a piece that has more attackers than defenders."""
    kind, square = replay.taken(0), replay.moves[0].to_square
    if kind is None or replay.gain < 1 or replay.positions[0].at(square) is None:
        return None
    board = _board(replay.positions[0])
    attackers, defenders = (_attackers(board, side, square) for side in (board.turn, not board.turn))
    if not attackers > defenders >= 1 or PAWNS[replay.moved(0)] < PAWNS[kind] or replay.gain < PAWNS[kind]:
        return None
    facts = (takes(0, kind, square), leads(replay.settled, replay.gain))
    counted = f"attacked {count_of_times(attackers)} and defended {count_of_times(defenders)}"
    gets = f"{replay.san(0)}: the {piece_name(kind)} on {square} is {counted}"
    return Claim("outnumbered", gets, f"the {piece_name(kind)} on {square} falls: it is {counted}", facts)


def cheaper(replay: Replay) -> Claim | None:
    """The first move takes a piece with one of lower value."""
    kind, taker = replay.taken(0), replay.moved(0)
    if kind is None or replay.moves[0].promotion is not None or PAWNS[taker] >= PAWNS[kind] or taker is Kind.KING:
        return None
    if replay.gain < PAWNS[kind] - PAWNS[taker]:
        return None
    san, facts = replay.san(0), (takes(0, kind, replay.moves[0].to_square), leads(replay.settled, replay.gain))
    trade = f"the {piece_name(kind)} for a {piece_name(taker)}"
    return Claim("cheaper", f"{san}, which wins {trade}", f"loses {trade}: {san}", facts)


def fork(replay: Replay) -> Claim | None:
    """The first move attacks two pieces, and the second takes one of them."""
    if len(replay.moves) < 3 or replay.gain < 1 or replay.moves[2].from_square != replay.moves[0].to_square:
        return None
    targets = tuple(_worth_taking(replay.positions[1], replay.moves[0].to_square))
    kind = replay.taken(2)
    if kind is None or len(targets) < 2 or replay.moves[2].to_square not in targets:
        return None
    after = replay.positions[1]
    forked = join_names([piece_name(piece.kind) for square in targets if (piece := after.at(square))])
    facts = (lines.attacks(0, targets), takes(2, kind, replay.moves[2].to_square), leads(replay.settled, 1))
    san = replay.san(0)
    return Claim("fork", f"the fork {san}, which attacks {forked}", f"walks into a fork: {san} attacks {forked}", facts)


def skewer(replay: Replay) -> Claim | None:
    """The first move drives a piece away, and the second takes the piece behind it."""
    if len(replay.moves) < 3 or replay.gain < 1 or replay.moves[2].from_square != replay.moves[0].to_square:
        return None
    here, fled, there = replay.moves[0].to_square, replay.moves[1].from_square, replay.moves[2].to_square
    kind, driven = replay.taken(2), replay.moved(1)
    between = chess.SquareSet.between(here.index, there.index)
    if kind is None or fled.index not in between or (PAWNS[driven] <= PAWNS[kind] and driven is not Kind.KING):
        return None
    san, front, behind = replay.san(0), piece_name(driven), piece_name(kind)
    facts = (lines.attacks(0, (fled,)), takes(2, kind, there), leads(replay.settled, 1))
    how = f"{san} drives the {front} away from the {behind}"
    return Claim(
        "skewer",
        f"the skewer {san}, which wins {with_article(kind)} behind the {front}",
        f"walks into a skewer: {how}",
        facts,
    )


def pin(replay: Replay) -> Claim | None:
    """The first move attacks a pinned piece, and the second takes it."""
    if len(replay.moves) < 3 or replay.gain < 1:
        return None
    square, kind = replay.moves[2].to_square, replay.taken(2)
    if kind in (None, Kind.PAWN) or square == replay.moves[1].to_square:
        return None
    assert kind is not None
    name = piece_name(kind)
    facts = (lines.pinned(0, square), lines.attacks(0, (square,)), takes(2, kind, square), leads(replay.settled, 1))
    gets = f"{replay.san(0)}, which attacks the pinned {name} on {square}"
    return Claim("pin", gets, f"loses the pinned {name} on {square}: {replay.san(0)} attacks it", facts)


def discovery(replay: Replay) -> Claim | None:
    """The first move discovers an attack, and the second captures."""
    if len(replay.moves) < 3 or replay.gain < 1 or replay.moves[1].from_square == replay.moves[2].to_square:
        return None
    piece, target, kind = replay.moves[2].from_square, replay.moves[2].to_square, replay.taken(2)
    if kind is None or replay.moves[1].to_square == target:
        return None
    facts = (lines.uncovers(0, piece, target), takes(2, kind, target), leads(replay.settled, 1))
    what = f"{piece_name(replay.moved(2))}'s attack on the {piece_name(kind)}"
    san = replay.san(0)
    return Claim("discovery", f"{san}, which uncovers the {what}", f"allows {san}, which uncovers the {what}", facts)


def trapped(replay: Replay) -> Claim | None:
    """After the first move a piece has no safe square, and is taken."""
    for ply in range(2, min(len(replay.moves), 5), 2):
        kind, square = replay.taken(ply), replay.moves[ply].to_square
        origin = replay.moves[ply - 1].from_square if replay.moves[ply - 1].to_square == square else square
        stood = replay.positions[1].at(origin)
        if kind in (None, Kind.PAWN) or stood is None or stood.kind is not kind or replay.gain < PAWNS[kind] - 1:
            continue
        assert kind is not None
        if not _had_way_out(replay.positions[0], origin):
            continue
        san, name = replay.san(0), piece_name(kind)
        facts = (lines.trapped(1, origin), takes(ply, kind, square), leads(replay.settled, 1))
        gets = f"{san}, which traps the {name} on {origin}"
        return Claim("trapped", gets, f"gets the {name} on {origin} trapped: after {san} it has no way out", facts)
    return None


def promotion(replay: Replay) -> Claim | None:
    for ply in range(0, len(replay.moves), 2):
        if replay.moves[ply].promotion is None or replay.gain < 2:
            continue
        when = "at once" if ply == 0 else f"in {ply // 2 + 1} moves"
        facts = (lines.promotes(ply), leads(replay.settled, 2))
        queens = f"{replay.san(ply)} comes {when}"
        return Claim("promotion", f"a pawn that gets through: {queens}", f"lets a pawn through: {queens}", facts)
    return None


def material(replay: Replay) -> Claim | None:
    """The line wins material in another way."""
    if replay.gain < 1 or any(played.promotion is not None for played in replay.moves[: replay.settled]):
        return None
    won, lost = replay.spoils(replay.attacker), replay.spoils(replay.attacker.other)
    haul = material_won(won, lost)
    if haul is None:
        return None
    line = " ".join(replay.san(ply) for ply in range(replay.settled))
    return Claim(
        "material",
        f"{replay.san(0)}, which wins {haul}: {line}",
        f"loses {haul}: {line}",
        (leads(replay.settled, replay.gain),),
    )


Detector = Callable[[Replay], Claim | None]

TACTICS: tuple[Detector, ...] = (
    mate,
    hanging,
    cheaper,
    outnumbered,
    fork,
    skewer,
    discovery,
    pin,
    trapped,
    promotion,
    material,
)


def _worth_taking(position: Position, square: Square) -> Iterator[Square]:
    """Pieces that the one on `square` attacks: the king, and those of higher value or undefended; the highest first."""
    board = _board(position)
    attacker = position.at(square)
    assert attacker is not None
    reached = [Square.at(index) for index in board.attacks(square.index)]
    targets = [(piece.kind, at) for at in reached if (piece := position.at(at)) and piece.color is not attacker.color]
    for kind, at in sorted(targets, key=lambda target: (-(PAWNS[target[0]] or 99), -target[0].value)):
        guarded = board.is_attacked_by(board.turn, at.index)
        if kind is Kind.KING or PAWNS[kind] > PAWNS[attacker.kind] or (not guarded and kind is not Kind.PAWN):
            yield at


def _attackers(board: chess.Board, side: chess.Color, square: Square) -> int:
    """Attackers of a square of `side`, x-rays included."""
    thinned, found = board.copy(stack=False), chess.SquareSet()
    while new := thinned.attackers(side, square.index) - found:
        found |= new
        for front in new - thinned.pieces(chess.KING, side):
            thinned.remove_piece_at(front)
    return len(found)


def _had_way_out(position: Position, square: Square) -> bool:
    """Could the other side's piece there move to safety, if it were its turn?"""
    if position.is_check():
        return False
    passed = _board(position)
    passed.push(chess.Move.null())
    return has_way_out(passed, square)


def _is_unanswered(replay: Replay) -> bool:
    after, square = replay.positions[1], replay.moves[0].to_square
    return not any(after.is_capture(reply) and reply.to_square == square for reply in after.legal_moves())


def _place_taken(replay: Replay) -> Square:
    """The square of the piece that the first move takes; behind the target square if en passant."""
    move = replay.moves[0]
    if not move.takes_en_passant:
        return move.to_square
    return Square.at(move.from_square.rank * 8 + move.to_square.file)


def _opened_the_back_rank(replay: Replay, before: Position, move: Move) -> bool:
    """Did `move` remove a guard of the back rank on which its king is now mated?"""
    king = replay.positions[-1].king(before.turn)
    home = king.rank
    if home != (0 if before.turn.name == "WHITE" else 7) or replay.moves[0].to_square.rank != home:
        return False
    if move.from_square.rank != home or move.to_square.rank == home or replay.moved(0) not in (Kind.ROOK, Kind.QUEEN):
        return False
    if before.is_check():
        return False
    passed = before.copy()
    passed.pass_turn()
    return not any(passed.after(reply).is_checkmate() for reply in passed.legal_moves())


def _board(position: Position) -> chess.Board:
    """For attacks only: without history and Chess960."""
    return chess.Board(position.fen())
