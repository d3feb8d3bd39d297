"""What pieces are worth: taking them off in bulk says what python-chess and the evaluator say one by one."""

import chess
import numpy as np
import pytest

from okapi.analysis.attribution import PIECE_KINDS, AttributionMap, attribute_pieces, without_each_piece
from okapi.brains import evaluator, shipped
from okapi.core import Color, Evaluator, Kind, Position
from okapi.core.packed import fens, pack, random_positions

CASTLING = "r3k2r/pppq1ppp/2n2n2/3pp3/3PP3/2N2N2/PPPQ1PPP/R3K2R w KQkq - 4 8"
PASSING = "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3"
SHIELD = "4r1k1/8/8/8/8/8/4B3/4K3 b - - 0 1"
"""With Black to move, White's king would be in check without its bishop."""

FENS = (CASTLING, PASSING, SHIELD, chess.STARTING_FEN, "8/5k2/8/4Pp2/8/8/2K5/8 w - f6 0 1")


def lost(judge: Evaluator, fen: str, square: int) -> int | None:
    """What a side loses with its piece, the slow way."""
    board = chess.Board(fen)
    piece = board.remove_piece_at(square)
    assert piece is not None
    board.castling_rights = board.clean_castling_rights()
    if board.ep_square is not None and not board.has_legal_en_passant():
        board.ep_square = None
    if board.was_into_check():
        return None
    before, after = (judge.centipawns(Position.from_fen(text)) for text in (fen, board.fen()))
    return before - after if piece.color == board.turn else after - before


@pytest.mark.parametrize("brain", ["okapi-28", "giraffe"])
@pytest.mark.parametrize("fen", FENS)
def test_every_piece_is_worth_what_is_lost_without_it(fen: str, brain: str) -> None:
    judge = evaluator(brain)
    found = attribute_pieces(judge, Position.from_fen(fen))
    board = chess.Board(fen)

    standing = {square: piece for square, piece in board.piece_map().items() if piece.piece_type != chess.KING}
    assert sorted(standing) == [worth.square.index for worth in found.pieces]
    for worth in found.pieces:
        assert standing[worth.square.index].symbol() == str(worth.piece)
        assert lost(judge, fen, worth.square.index) == worth.centipawns, str(worth.square)


@pytest.mark.parametrize("brain", [brain.name for brain in shipped() if not brain.predicts_moves])
def test_every_brain_that_judges_can_be_asked(brain: str) -> None:
    judge = evaluator(brain)
    position = Position.from_fen("4k3/4p3/8/8/8/8/4P3/Q3K3 w - - 0 1")
    found = attribute_pieces(judge, position)

    assert judge.centipawns(position) == found.centipawns
    assert ["a1", "e2", "e7"] == [str(worth.square) for worth in found.pieces]
    queen, *pawns = (worth.centipawns or 0 for worth in found.pieces)
    assert queen > 0
    if brain != "convchess-v":  # says how soon a game is won, and pawns come near it
        assert queen > max(pawns), "the queen is worth most"


def test_the_opinion_is_told_for_white() -> None:
    positions = [Position.from_fen(f"4k3/8/8/8/8/8/4P3/4K3 {turn} - - 0 1") for turn in "wb"]

    assert [100, 100] == [attribute_pieces(evaluator("material"), position).centipawns for position in positions]


def test_a_piece_before_its_king_cannot_be_taken_off() -> None:
    found = attribute_pieces(evaluator("material"), Position.from_fen(SHIELD))

    assert {"e2": None, "e8": 500} == {str(worth.square): worth.centipawns for worth in found.pieces}


def test_what_is_usual_adds_up_to_what_all_are_worth() -> None:
    found = attribute_pieces(evaluator("okapi-28"), Position.from_fen(CASTLING))

    assert found.total(Color.WHITE) + found.total(Color.BLACK) == pytest.approx(
        sum(found.usual(worth.piece.kind) for worth in found.pieces)
    )
    assert 9 * found.usual(Kind.PAWN) == pytest.approx(found.usual(Kind.QUEEN))


def test_random_positions_without_a_piece_are_positions() -> None:
    lacking = without_each_piece(random_positions(300, seed=7))

    assert lacking.legal.mean() > 0.9
    for fen in fens(lacking.positions[lacking.legal][::97]):
        assert fen == Position.from_fen(fen).fen()


def test_a_map_is_the_mean_over_pieces_as_their_owners_see_them() -> None:
    judge = evaluator("okapi-28")
    positions = [Position.from_fen(fen) for fen in FENS]
    found = AttributionMap.of(judge, pack(positions))

    seen = [
        worth
        for position in positions
        for worth in attribute_pieces(judge, position).pieces
        if worth.centipawns is not None
    ]
    assert len(seen) == found.counts.sum()
    pawns = [
        worth.centipawns
        for worth in seen
        if worth.piece.kind is Kind.PAWN
        and worth.square.index == (8 if worth.piece.color is Color.WHITE else 48)  # a2, a7
    ]
    mean = found.mean()[PIECE_KINDS.index(Kind.PAWN), 8]
    assert np.mean(pawns) == pytest.approx(mean)
    assert np.isnan(found.mean(fewest=1000)).all()
    rooks = [worth.centipawns for worth in seen if worth.piece.kind is Kind.ROOK]
    assert np.mean(rooks) == pytest.approx(found.kinds()[Kind.ROOK])
