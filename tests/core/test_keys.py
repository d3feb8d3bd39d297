"""Keys and traits in bulk are what python-chess says about each position."""

import random

import chess
import chess.polyglot
import numpy as np
import pytest

from okapi.core import Position
from okapi.core.keys import KeySet, position_keys, successors_in
from okapi.core.packed import POSITION, SAMPLE, Trait, pack_fens, traits


@pytest.fixture(scope="module")
def played() -> list[tuple[chess.Board, chess.Move | None]]:
    """Positions of random games with the move played in each, and the last ones."""
    chance = random.Random(4)
    found: list[tuple[chess.Board, chess.Move | None]] = []
    for _ in range(25):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 200:
            move = chance.choice(list(board.legal_moves))
            found.append((board.copy(stack=False), move))
            board.push(move)
        found.append((board, None))
    return found


def bits(board: chess.Board, move: chess.Move | None) -> int:
    return 0 if move is None else Position.from_fen(board.fen()).move(move.uci()).bits


def said_by_python_chess(board: chess.Board, move: chess.Move | None) -> Trait:
    said = Trait(0)
    said |= Trait.IN_CHECK if board.is_check() else Trait(0)
    said |= Trait.CHECKMATE if board.is_checkmate() else Trait(0)
    said |= Trait.STALEMATE if board.is_stalemate() else Trait(0)
    said |= Trait.INSUFFICIENT if board.is_insufficient_material() else Trait(0)
    if move is not None:
        said |= Trait.CAPTURE if board.is_capture(move) else Trait(0)
        said |= Trait.PROMOTION if move.promotion else Trait(0)
        said |= Trait.CHECK if board.gives_check(move) else Trait(0)
    return said


def test_keys_are_polyglots(played: list[tuple[chess.Board, chess.Move | None]]) -> None:
    def key(board: chess.Board) -> int:
        if not board.has_legal_en_passant():  # Polyglot's own rule asks for a neighbouring pawn only
            board = board.copy(stack=False)
            board.ep_square = None
        return chess.polyglot.zobrist_hash(board)

    keys = position_keys(pack_fens(board.fen() for board, _ in played))

    assert [key(board) for board, _ in played] == keys.tolist()


def test_traits_are_what_python_chess_says(played: list[tuple[chess.Board, chess.Move | None]]) -> None:
    moves = np.array([bits(board, move) for board, move in played], np.uint16)
    found = traits(pack_fens(board.fen() for board, _ in played), moves)

    assert [said_by_python_chess(*pair) for pair in played] == [Trait(int(bits)) for bits in found]


def test_illegal_moves_and_broken_bytes_are_told() -> None:
    positions = np.zeros(2, POSITION)
    positions[0] = pack_fens([chess.STARTING_FEN])[0]
    illegal = Position.from_fen("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1").move("e4e5").bits

    assert [Trait.ILLEGAL, Trait.BROKEN] == traits(positions, np.array([illegal, 0])).tolist()


def test_positions_inside_samples_are_taken_as_they_lie() -> None:
    samples = np.zeros(3, SAMPLE)
    samples["position"] = pack_fens([chess.STARTING_FEN] * 3)

    assert 1 == len(set(position_keys(samples["position"][::2]).tolist()))
    assert [0, 0, 0] == traits(samples["position"], samples["move"]).tolist()


def test_as_many_moves_as_positions() -> None:
    with pytest.raises(ValueError, match="1 positions and 2 moves"):
        traits(pack_fens([chess.STARTING_FEN]), np.zeros(2, np.uint16))


def test_a_key_set_is_a_set() -> None:
    chance = np.random.default_rng(2)
    slow: set[int] = set()
    fast = KeySet()
    for _ in range(20):
        keys = chance.integers(0, 5_000, 700).astype(np.uint64)
        assert [key in slow for key in keys.tolist()] == fast.contains(keys).tolist()
        assert len(set(keys.tolist()) - slow) == fast.add(keys).sum()
        slow.update(keys.tolist())
    assert len(slow) == len(fast)


def test_successors_are_those_that_moves_lead_to(played: list[tuple[chess.Board, chess.Move | None]]) -> None:
    boards = [board for board, _ in played[::5]]
    wanted_keys = position_keys(pack_fens(board.fen() for board, _ in played[1::10]))
    wanted = KeySet()
    wanted.add(wanted_keys)

    expected: set[tuple[int, int]] = set()
    for row, board in enumerate(boards):
        after = [board.copy(stack=False) for _ in board.legal_moves]
        for each, move in zip(after, board.legal_moves, strict=True):
            each.push(move)
        keys = set(position_keys(pack_fens(each.fen() for each in after)).tolist())
        expected |= {(row, key) for key in keys & set(wanted_keys.tolist())}
    found = successors_in(pack_fens(board.fen() for board in boards), wanted)

    assert expected and expected == set(zip(found["row"].tolist(), found["key"].tolist(), strict=True))
