"""Giraffe's features in words: each of the 363 is told, and told truly."""

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from okapi import Position
from okapi.core.packed import fens
from okapi.encodings.lai2015 import GIRAFFE_363
from okapi.encodings.lai2015_text import Subject, in_words, subjects

FEN = "4k3/8/8/8/8/4p3/8/4K2R w K - 0 1"


def told(fen: str) -> dict[str, Subject]:
    """By name; of the two subjects that a side is, the one that speaks of castling."""
    return {subject.name: subject for subject in in_words(Position.from_fen(fen))}


def test_every_feature_is_told_once_in_order(positions: NDArray[np.void]) -> None:
    for values in GIRAFFE_363.encode_many(positions[::1000]):
        facts = [fact for subject in subjects(values) for fact in subject.facts]

        assert GIRAFFE_363.parts == tuple(fact.name for fact in facts)
        assert values.tolist() == [fact.value for fact in facts]
        assert all(fact.words for fact in facts)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Side", "White is to move"),
        ("White King", "White King on e1"),
        ("White", "White may castle short; may not castle long"),
        ("Rooks: White", "The rooks of White may castle short; may not castle long"),
        ("White Rook 1", "White Rook 1 is not on the board"),
        ("White Rook 2", "White Rook 2 on h1: reaches 3 west, 7 north; 10 safe moves; undefended; not attacked"),
        ("Black Pawn 5", "Black Pawn 5 on e3: not attacked; undefended"),
        ("d2", "d2: attacked by the king of White; attacked by a pawn of Black"),
        ("a8", "a8: not attacked by White; not attacked by Black"),
    ],
)
def test_sentences(name: str, sentence: str) -> None:
    assert sentence == told(FEN)[name].sentence


def test_modalities_and_squares() -> None:
    found = told(FEN)

    assert ["position", "pieces", "squares"] == [found[name].modality for name in ("Side", "White Rook 2", "a1")]
    assert [("h1",), (), ("e8",), ("c7",), ()] == [
        found[name].squares for name in ("White Rook 2", "White Rook 1", "Black King", "c7", "White")
    ]


def test_attackers_are_those_that_python_chess_sees(positions: NDArray[np.void]) -> None:
    names = {1: "a pawn", 2: "a knight or bishop", 3: "a knight or bishop", 4: "a rook", 5: "a queen", 6: "the king"}
    for fen in fens(positions[::2000]):
        board = chess.Board(fen, chess960=True)
        for subject in in_words(Position.from_fen(fen))[-64:]:
            words = []
            for color, side in ((chess.WHITE, "White"), (chess.BLACK, "Black")):
                kinds = [board.piece_type_at(s) or 0 for s in board.attackers(color, chess.parse_square(subject.name))]
                words.append(f"attacked by {names[min(kinds)]} of {side}" if kinds else f"not attacked by {side}")

            assert f"{subject.name}: {'; '.join(words)}" == subject.sentence
