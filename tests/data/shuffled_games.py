"""Games in which knights and rooks wander about: full of transpositions, long after the opening."""

import random
from collections.abc import Iterable
from pathlib import Path

import chess

from okapi.core import Game, Position
from okapi.data.store import StoreWriter

LATE_START = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 31"


def wander(chance: random.Random, start: str, plies: int) -> Game:
    """A game of few different moves, so that others come to the same positions."""
    board = chess.Board(start)
    position = Position.from_fen(start)
    moves = []
    for _ in range(plies):
        pieces = [move for move in board.legal_moves if board.piece_type_at(move.from_square) == chess.KNIGHT]
        pieces = pieces or [m for m in board.legal_moves if board.piece_type_at(m.from_square) == chess.ROOK]
        move = chance.choice(sorted(pieces or board.legal_moves, key=str)[:3])
        moves.append(position.play(move.uci()))
        board.push(move)
    return Game(Position.from_fen(start), tuple(moves), chance.choice(["1-0", "0-1", "1/2-1/2", "*"]))


def some_games(count: int = 150, seed: int = 3) -> list[Game]:
    """Short and long, from the start and from elsewhere."""
    chance = random.Random(seed)
    starts = [chess.STARTING_FEN] * 4 + [LATE_START]
    return [wander(chance, chance.choice(starts), chance.choice([0, 8, 20, 21, 30, 45, 60])) for _ in range(count)]


def stored(path: Path, games: Iterable[Game]) -> Path:
    """A store of these games."""
    with StoreWriter.open(path, games_in_block=64) as writer:
        for game in games:
            writer.add(game)
    return path
