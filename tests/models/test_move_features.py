"""The features of moves are what a slow twin with python-chess finds, and what is expected by hand."""

from collections.abc import Iterator

import chess
import numpy as np
import pytest

pytest.importorskip("torch")

from okapi.core import Position
from okapi.core.packed import legal_moves, pack_fens, random_positions, unpack
from okapi.models.move_features import (
    FEATURES,
    LETTER,
    OURS,
    PROGRAM,
    QUESTIONS,
    encoded_moves,
    exchange_features,
)

SPECIAL = (
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "r3k2r/8/8/8/8/6n1/8/RN2K2R w KQkq - 0 1",  # one wing is looked at, the other blocked
    "r3k2r/8/8/4R3/8/8/8/4K3 b kq - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1",  # taking in passing would uncover the king
    "8/8/8/2k5/3Pp3/8/8/3K4 b - d3 0 1",
    "1n5k/P1P5/8/8/8/8/8/K7 w - - 0 1",
    "4k3/8/8/8/7b/8/5P2/4K2q w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1",
)
WORTH = (100, 325, 325, 500, 975, 1500)
NOTHING = 6


@pytest.fixture(scope="module")
def positions() -> np.ndarray:
    return np.concatenate([pack_fens(SPECIAL), random_positions(400, seed=2)])


def parts(found: np.ndarray) -> list[dict[str, tuple[int, ...]]]:
    """The columns of each move as answers to the questions."""
    ends = np.cumsum([int(np.prod(sizes)) for sizes in QUESTIONS.values()])
    firsts = [0, *ends[:-1]]
    return [
        {
            name: tuple(int(n) for n in np.unravel_index(int(column) - first, sizes))
            for (name, sizes), first, column in zip(QUESTIONS.items(), firsts, row, strict=True)
        }
        for row in found
    ]


# --- A slow twin ------------------------------------------------------------------------------------------------------


def men(board: chess.Board, squares: chess.SquareSet, color: chess.Color) -> list[tuple[int, chess.Square]]:
    """Kinds, from 0 on, and squares of one side's men there."""
    return [(board.piece_type_at(at) - 1, at) for at in squares if board.color_at(at) == color]


def best(kinds: list[int]) -> int:
    return max((kind + 1 for kind in kinds if kind < 5), default=0)


def least(board: chess.Board, at: chess.Square, color: chess.Color) -> int:
    return min((board.piece_type_at(by) - 1 for by in board.attackers(color, at)), default=NOTHING)


def steps(one: chess.Square, other: chess.Square) -> int:
    return chess.square_distance(one, other)


def expected(board: chess.Board) -> Iterator[dict[str, tuple[int, ...]]]:
    us, them = board.turn, not board.turn
    turned = 0 if us else 56
    own = men(board, chess.SquareSet(board.occupied), us)
    threatened_men = {
        at: kind
        for kind, at in own
        if kind < 5
        and board.is_attacked_by(them, at)
        and (not board.attackers(us, at) or WORTH[least(board, at, them)] < WORTH[kind])
    }
    for move in board.legal_moves:
        start, end, kind = move.from_square, move.to_square, board.piece_type_at(move.from_square) - 1
        castles, takes = board.is_castling(move), NOTHING
        if board.is_en_passant(move):
            takes = 0
        elif board.is_capture(move):
            takes = board.piece_type_at(end) - 1
        looks = not castles and (kind != 0 or takes != NOTHING)
        others = min(max(len(board.attackers(us, end)) - looks, 0), 2)
        moved = (move.promotion or kind + 1) - 1
        left = board.copy(stack=False)
        left.remove_piece_at(start)
        seen = left.copy(stack=False)
        seen.set_piece_at(end, chess.Piece(moved + 1, us))
        reached = seen.attacks(end)
        struck = men(left, reached, them)
        dear = [other for other, at in struck if not board.is_attacked_by(them, at) or WORTH[other] > WORTH[moved]]
        alone = [
            other
            for other, at in men(board, board.attacks(start), us)
            if board.is_attacked_by(them, at) and len(board.attackers(us, at)) == 1
        ]
        pawn = 16
        if kind == 0:
            rank, file = chess.square_rank(end ^ turned), chess.square_file(end)
            stops = [
                at
                for at in board.pieces(chess.PAWN, them)
                if abs(chess.square_file(at) - file) < 2 and chess.square_rank(at ^ turned) > rank
            ]
            pawn = 8 * (not stops) + rank
        yield {
            "from": (kind, start ^ turned),
            "to": (kind, end ^ turned),
            "takes": (kind, takes),
            "target": (kind, least(board, end, them), others),
            "origin": (kind, least(board, start, them), bool(board.attackers(us, start))),
            "exchange": (takes, min(len(board.attackers(them, end)), 3), others),
            "promotion": (moved if move.promotion else 0,),
            "check": (kind, board.gives_check(move), board.is_check()),
            "attacks": (kind, best([other for other, _ in struck])),
            "threatens": (kind, best(dear)),
            "leaves": (kind, best(alone)),
            "mobility": (kind, min(len(reached), 14) // 2),
            "danger": (best(list(threatened_men.values())), start in threatened_men, takes != NOTHING),
            "pawn": (pawn,),
            "king": (kind, steps(end, board.king(them))),
        }


def test_columns_are_those_of_the_slow_twin(positions: np.ndarray) -> None:
    legal = legal_moves(positions)
    found = encoded_moves(OURS, positions, legal)

    assert found.min() >= 0
    assert found.max() < FEATURES[OURS]
    for row, begin, end in zip(positions, legal.starts, legal.starts[1:], strict=False):
        board = unpack(row).to_chess(chess960=False)
        told = sorted(
            map(str, ({name: tuple(map(int, answer)) for name, answer in each.items()} for each in expected(board)))
        )
        assert told == sorted(map(str, parts(found[begin:end]))), board.fen()


def answer(fen: str, uci: str, question: str) -> tuple[int, ...]:
    """What is answered of one move."""
    positions = pack_fens([fen])
    legal = legal_moves(positions)
    position = Position.from_fen(fen)
    row = legal.bits.tolist().index(position.move(uci).bits)
    return parts(encoded_moves(OURS, positions, legal))[row][question]


FORK = "4k3/2q5/8/1p6/8/2N5/1P3r2/4K3 w - - 0 1"  # a knight may go to d5, and looks at c7 from there


@pytest.mark.parametrize(
    ("fen", "uci", "question", "expected"),
    [
        (FORK, "c3b5", "takes", (1, 0)),
        (FORK, "c3d5", "takes", (1, 6)),
        (FORK, "c3d5", "attacks", (1, 5)),
        (FORK, "c3d5", "threatens", (1, 5)),
        (FORK, "c3d5", "check", (1, 0, 0)),
        (FORK, "c3b5", "target", (1, 6, 0)),
        (FORK, "c3d5", "origin", (1, 4, 1)),
        (FORK, "c3d5", "danger", (1, 0, 0)),  # the pawn on b2
        (FORK, "c3d5", "mobility", (1, 4)),
        (FORK, "e1f2", "takes", (5, 3)),
        (FORK, "e1f2", "king", (5, 6)),
        ("4k3/8/8/3r4/3R4/2P5/8/4K3 w - - 0 1", "c3c4", "leaves", (0, 4)),
        ("4k3/8/8/8/8/2P5/8/4K3 w - - 0 1", "c3c4", "pawn", (11,)),
        ("4k3/1p6/8/8/8/2P5/8/4K3 b - - 0 1", "b7b5", "pawn", (3,)),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "to", (5, 6)),
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "to", (5, 2)),
    ],
)
def test_questions_by_hand(fen: str, uci: str, question: str, expected: tuple[int, ...]) -> None:
    assert expected == answer(fen, uci, question)


def test_the_thesis_has_numbers(positions: np.ndarray) -> None:
    legal = legal_moves(positions)
    plain, more = (encoded_moves(name, positions, legal) for name in (LETTER, PROGRAM))

    assert (len(legal.bits), FEATURES[LETTER] - 1) == plain.shape
    assert (len(legal.bits), FEATURES[PROGRAM] - 1) == more.shape
    assert np.array_equal(plain, more[:, :14])


def test_exchanges_are_told_by_their_sign() -> None:
    positions = pack_fens(["4k3/8/2p5/3r4/4P3/8/8/R3K3 w - - 0 1"])
    legal = legal_moves(positions)
    found = dict(zip(legal.bits.tolist(), exchange_features(positions, legal).tolist(), strict=True))
    start = unpack(positions[0])

    share = len(legal.bits) / 64
    assert [1, 0, 1, 0, share] == found[start.move("exd5").bits]
    assert [0, 1, 0, 0, share] == found[start.move("Ra8+").bits]
