"""Piece networks that learn from results, by CMA-ES."""

import numpy as np
import pytest

from okapi.core import Evaluator, Position, RawBrain
from okapi.optimize.executor import ThreadExecutor
from okapi.recipes.config import RecipeConfig
from okapi.recipes.vazquez2012.pieces import PieceGenes
from okapi.recipes.vazquez2012.pieces import by_results as recipe


def test_neutral_networks_see_material_only() -> None:
    brain = PieceGenes(scaled=True).brain(PieceGenes(scaled=True).neutral(), {"okapi": "1", "name": "neutral"})
    evaluator = Evaluator.from_brain(RawBrain.from_bytes(brain))

    assert 0 == evaluator.centipawns(Position.start())
    down_a_rook = Position.from_fen("1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1")
    assert 625 == evaluator.centipawns(down_a_rook), "500, and half of the half that a place may be worth"


def test_foresight_is_the_same_for_any_number_of_hands() -> None:
    orders = [RecipeConfig("tiny", 3, ThreadExecutor(workers)) for workers in (1, 2)]
    first, second = map(recipe, orders)
    players = first.genes.random(np.random.default_rng(1), 5)

    assert first.score(players, 0).tolist() == second.score(players, 0).tolist()


def test_players_get_better() -> None:
    pytest.importorskip("cma", reason="pip install 'okapi-chess[learn]'")
    made = recipe(RecipeConfig("tiny", 3, ThreadExecutor(2), None, {"generations": 12}))
    generations = list(made.learn(made.score))

    assert generations[-1].best_score > generations[0].best_score
    assert 426 == generations[-1].population.shape[1]
