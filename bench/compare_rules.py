"""Compare our rules with python-chess on positions of random games, and print what differs.

    python bench/compare_rules.py --positions 200000 --workers 2

Every position is compared for legal moves, FEN, SAN, checks, endings, key and captures, some also for what is lost on the
way to python-chess and back. Half of the games are Chess960.
"""

import argparse
import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import chess
import chess.polyglot

from okapi import Position
from okapi.core.interop import to_chess_move


def differences(board: chess.Board, position: Position) -> Iterator[str]:
    """Name everything in which the two disagree."""
    facts = {
        "fen": (board.fen(), position.fen()),
        "shredder fen": (board.shredder_fen(), position.fen(shredder=True)),
        "check": (board.is_check(), position.is_check()),
        "checkmate": (board.is_checkmate(), position.is_checkmate()),
        "stalemate": (board.is_stalemate(), position.is_stalemate()),
        "insufficient material": (board.is_insufficient_material(), position.is_insufficient_material()),
        "fifty moves": (board.is_fifty_moves(), position.is_fifty_moves()),
        "repetition": (board.is_repetition(3), position.repetitions() >= 2),
        "plies": (len(board.move_stack), position.plies),
    }
    if board.ep_square is None or board.has_legal_en_passant():
        facts["key"] = (chess.polyglot.zobrist_hash(board), position.key)
    moves = {position.uci(move, chess960=board.chess960): move for move in position.legal_moves()}
    facts["legal moves"] = (sorted(map(board.uci, board.legal_moves)), sorted(moves))
    yield from (f"{name}: {theirs} / {ours}" for name, (theirs, ours) in facts.items() if theirs != ours)
    if facts["legal moves"][0] != facts["legal moves"][1]:
        return
    for theirs in board.legal_moves:
        ours = moves[board.uci(theirs)]
        san = board.san(theirs)
        details = {
            "san": (san, position.san(ours)),
            "reading san": (ours, position.move(san)),
            "reading uci": (ours, position.move(board.uci(theirs))),
            "gives check": (board.gives_check(theirs), position.gives_check(ours)),
            "capture": (board.is_capture(theirs), position.is_capture(ours)),
            "legality": (True, position.is_legal(ours)),
        }
        yield from (f"{name} of {theirs}: {a} / {b}" for name, (a, b) in details.items() if a != b)


def round_trips(board: chess.Board, position: Position) -> Iterator[str]:
    """Name what is lost on the way to python-chess, through FEN, and back."""
    there = position.to_chess(chess960=board.chess960)
    if (there, there.move_stack) != (board, board.move_stack):
        yield f"to python-chess: {there.fen()}"
    back = Position.from_chess(board)
    if (back, back.history()) != (position, position.history()):
        yield f"from python-chess: {back.fen()}"
    for shredder in (False, True):
        again = Position.from_fen(position.fen(shredder=shredder))
        if again != position or again.key != position.key:
            yield f"through FEN: {again.fen()}"


def start(rng: random.Random, *, chess960: bool) -> chess.Board:
    """Where a game begins."""
    return chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()


def compare(positions: int, seed: int) -> tuple[int, list[str]]:
    """Play random games until `positions` were compared."""
    rng = random.Random(seed)
    compared = 0
    found: list[str] = []
    while compared < positions:
        board = start(rng, chess960=bool(rng.getrandbits(1)))
        position = Position.from_fen(board.shredder_fen())
        while compared < positions:
            context = f"{board.fen()} after {' '.join(map(str, board.move_stack[-3:]))}"
            found += [f"{difference}   in {context}" for difference in differences(board, position)]
            if rng.random() < 0.05:
                found += [f"{difference}   in {context}" for difference in round_trips(board, position)]
            compared += 1
            moves = list(board.legal_moves)
            if not moves or board.is_insufficient_material() or board.halfmove_clock > 110 or len(found) > 20:
                break
            move = position.move(board.uci(rng.choice(moves)))
            board.push(to_chess_move(move))
            position.play(move)
        if len(found) > 20:
            break
    return compared, found


def main() -> int:
    """Compare, print, and answer how many differences there are."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--positions", type=int, default=200_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    begun = time.perf_counter()
    share = -(-args.positions // args.workers)
    with ProcessPoolExecutor(args.workers) as pool:
        parts = list(pool.map(compare, [share] * args.workers, range(args.seed, args.seed + args.workers)))
    found = [difference for _, differences in parts for difference in differences]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"{sum(n for n, _ in parts)} positions, {len(found)} differences, {time.perf_counter() - begun:.0f} s")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
