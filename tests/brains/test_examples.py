"""Small functions about brains, one example each."""

import numpy as np

from okapi.brains import display_name, evaluator, find, shipped
from okapi.brains.move_prediction import move_probabilities
from okapi.brains.nnue import QuantisedNnue
from okapi.brains.summary import Strength
from okapi.core import Evaluator, Position, RawBrain
from okapi.core.packed import legal_moves, pack_fens

PAWN = Position.from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")


def test_brains_by_name() -> None:
    assert "material" in [brain.name for brain in shipped()]
    assert ("champion", "material") == (display_name(), display_name(find("material")))


def test_a_pawn_counts_100() -> None:
    counting = RawBrain.from_bytes(QuantisedNnue.counting().file({"name": "counting"}))

    assert 100 == evaluator("material").centipawns(PAWN) == Evaluator.from_brain(counting).centipawns(PAWN)


def test_shares_of_promotions() -> None:
    legal = legal_moves(pack_fens(["8/P6k/8/8/8/8/8/7K w - - 0 1"]))
    found = move_probabilities(legal, np.zeros(len(legal.bits), np.float32), [0.02, 0, 0.08, 0.9])

    np.testing.assert_allclose(found.probabilities, [0.25, 0.25, 0.25, 0.225, 0.02, 0.005, 0], atol=1e-6)


def test_a_strength_in_words() -> None:
    assert "Elo 2834 ± 145" == str(Strength(2834, 2689, 2979, 30))
    assert "Elo +215 ± 35 against material" == str(Strength(215, 180, 250, 200, against="material"))
