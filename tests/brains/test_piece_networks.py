"""Piece networks against a twin that shares nothing with the core: python-chess and numpy."""

import random

import chess
import numpy as np
import pytest

from okapi.core import Evaluator, Position, RawBrain
from okapi.recipes.vazquez2012.pieces import MATERIAL, PieceGenes

SHAPE = PieceGenes(hidden=7, king_c=80.0)
VALUE = {chess.PAWN: 100, chess.KNIGHT: 300, chess.BISHOP: 300, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0}

BOARDS = {
    "figure 26": "5rk1/6pp/8/8/8/3q4/6PP/Q1R2RK1 w - - 0 1",
    "figure 27": "q4rk1/ppp3pp/2b5/8/8/1P4Q1/PBP3PP/5RK1 w - - 0 1",
    "figure 28": "5r1k/4R3/p1pp4/3p1bQ1/3q1P2/7P/P2B2P1/7K w - - 0 1",
    "figure 30": "r1b3k1/1p6/pP2p3/P2pB1P1/3N3P/6K1/8/8 w - - 0 1",
    "figure 32": "6k1/p4rp1/8/3P2p1/8/8/6K1/R7 w - - 0 1",
    "start": chess.STARTING_FEN,
    "kiwipete": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
}


def logistic(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-np.clip(x, -500, 500)))


def dark(square: int) -> bool:
    return (chess.square_file(square) + chess.square_rank(square)) % 2 == 0


class Twin:
    """Equation 17, with the board always turned so that the piece's own side is White."""

    def __init__(self, player: np.ndarray) -> None:
        self.tensors = {name: values.astype(float) for name, values in SHAPE.tensors(player).items()}

    def __call__(self, board: chess.Board) -> float:
        return self.side(board if board.turn else board.mirror()) - self.side(board.mirror() if board.turn else board)

    def side(self, board: chess.Board) -> float:
        worth = 0.0
        for square, piece in board.piece_map().items():
            if piece.color == chess.WHITE:
                name = chess.piece_name(piece.piece_type)
                inputs = np.array([*getattr(self, name)(board, square), 1.0], float)
                hidden = logistic(self.tensors[f"{name}.hidden"] @ inputs)
                p = logistic(self.tensors[f"{name}.output"] @ np.append(hidden, 1.0))
                worth += MATERIAL.get(name, 0.0) + self.tensors["c"][piece.piece_type - 1] * p
        return worth

    def bearing(self, board: chess.Board, king: int, color: chess.Color) -> int:
        near = chess.SquareSet(chess.BB_KING_ATTACKS[king] | chess.BB_SQUARES[king])
        total = 0
        for square, piece in board.piece_map().items():
            alone = chess.Board(None)
            alone.set_piece_at(square, piece)
            if piece.color == color and alone.attacks(square) & near:
                total += VALUE[piece.piece_type]
        return total

    def moves(self, board: chess.Board, square: int) -> int:
        return len([to for to in board.attacks(square) if board.color_at(to) != chess.WHITE])

    def column(self, board: chess.Board, square: int) -> int:
        pawns = [s for s in board.pieces(chess.PAWN, True) if s & 7 == square & 7]
        if any(pawn > square for pawn in pawns):
            return 2
        return int(bool(pawns) or any(s & 7 == square & 7 for s in board.pieces(chess.PAWN, False)))

    def king(self, board: chess.Board, square: int) -> tuple[int, ...]:
        pawns = board.pieces(chess.PAWN, True) & chess.SquareSet(chess.BB_KING_ATTACKS[square])
        beyond = {0: [], 1: [0], 2: [0, 1], 6: [7], 7: []}
        castled = square in beyond and not board.has_castling_rights(True)
        castled = castled and all(board.piece_at(s) != chess.Piece.from_symbol("R") for s in beyond[square])
        return self.bearing(board, square, False), self.bearing(board, square, True), castled, len(pawns)

    def queen(self, board: chess.Board, square: int) -> tuple[int, ...]:
        return self.moves(board, square), self.column(board, square), square // 8 + 1, square % 8 + 1

    def rook(self, board: chess.Board, square: int) -> tuple[int, ...]:
        seventh = [s for s in board.pieces(chess.ROOK, True) if s // 8 == 6]
        there = square in seventh
        return self.moves(board, square), self.column(board, square), there, there and len(seventh) > 1

    def bishop(self, board: chess.Board, square: int) -> tuple[float, ...]:
        own = [s for s in board.pieces(chess.PAWN, True) if dark(s) == dark(square)]
        theirs = [s for s in board.pieces(chess.PAWN, False) if dark(s) == dark(square)]
        free = 0
        for pawn in own:
            free += board.piece_at(pawn + 8) is None
            free += pawn // 8 == 1 and board.piece_at(pawn + 8) is None and board.piece_at(pawn + 16) is None
            free += len([to for to in board.attacks(pawn) if board.color_at(to) is False])
        weights = self.tensors["bishop_pawns"]
        weight = sum(weights[0][s - 8] for s in own) + sum(weights[1][s - 8] for s in theirs)
        return self.moves(board, square), free, len([s for s in own if s // 8 > square // 8]), weight

    def knight(self, board: chess.Board, square: int) -> tuple[int, ...]:
        rank, file = square // 8, square % 8
        supported = any(square in board.attacks(pawn) for pawn in board.pieces(chess.PAWN, True))
        evicted = any(abs(s % 8 - file) == 1 and s // 8 > rank for s in board.pieces(chess.PAWN, False))
        return self.moves(board, square), rank in (0, 7) or file in (0, 7), supported, not evicted

    def pawn(self, board: chess.Board, square: int) -> tuple[int, ...]:
        rank, file = square // 8, square % 8
        others = [s for s in board.pieces(chess.PAWN, True) if s != square]
        stopped = any(abs(s % 8 - file) <= 1 and s // 8 > rank for s in board.pieces(chess.PAWN, False))
        return (
            any(s % 8 == file for s in others),
            not any(abs(s % 8 - file) == 1 for s in others),
            file in (2, 3, 4, 5) and rank in (3, 4),
            not stopped,
        )


def player(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    genes = SHAPE.genes.random(rng, 1)[0]
    genes[:-96] /= 20  # inputs as they are would leave most nodes at 0 or 1, and little to compare
    return genes


@pytest.mark.parametrize("name", BOARDS)
def test_the_core_agrees_with_the_twin(name: str) -> None:
    genes, dice = player(len(name)), random.Random(name)
    evaluator, twin = Evaluator.from_brain(RawBrain.from_bytes(SHAPE.brain(genes, {"name": "twin"}))), Twin(genes)
    board = chess.Board(BOARDS[name])
    for _ in range(60):
        assert abs(evaluator.centipawns(Position.from_fen(board.fen())) - twin(board)) <= 1.0, board.fen()
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(dice.choice(moves))


def test_the_twin_sees_what_the_thesis_sees() -> None:
    twin = Twin(player(1))
    seen = {
        (16, 1, 3, 7): twin.queen(chess.Board(BOARDS["figure 27"]), chess.G3),
        (12, 0, 0, 0): twin.rook(chess.Board(BOARDS["figure 27"]), chess.F1),
        (1400, 1900, 1, 2): twin.king(chess.Board(BOARDS["figure 26"]), chess.G1),
        (2, 1): twin.bishop(chess.Board(BOARDS["figure 30"]), chess.E5)[1:3],
        (0, 4): twin.bishop(chess.Board(BOARDS["figure 30"]).mirror(), chess.C1)[1:3],
        (0, 1, 1, 1): twin.pawn(chess.Board(BOARDS["figure 32"]), chess.D5),
    }

    for expected, inputs in seen.items():
        assert expected == inputs
    assert 6 == twin.moves(chess.Board(BOARDS["figure 28"]), chess.D2)
