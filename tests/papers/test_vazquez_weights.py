"""Chapters 5 and 6: recipes that find what is there to be found, and experiments that say what they found."""

from pathlib import Path

import numpy as np
import pytest

from okapi import brains
from okapi.brains.files import read_tensors
from okapi.core import RawBrain
from okapi.errors import UsageError
from okapi.optimize.executor import ThreadExecutor
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped
from okapi.papers.vazquez2012 import weights
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import run_evolution
from okapi.recipes.exercises import Exercises, master_games
from okapi.recipes.vazquez2012 import five, twenty_eight
from okapi.recipes.vazquez2012.twenty_eight import TABLE_15

EXECUTOR = ThreadExecutor(2)


def test_five_weights_stay_within_two_hundred_of_theory() -> None:
    assert five.GENES.names == five.FAR_GENES.names
    assert ((five.THEORY - 200)[:4] == five.GENES.low[:4]).all()
    assert ((five.THEORY + 200)[:4] == five.GENES.high[:4]).all()


def test_the_far_run_begins_where_all_pieces_are_alike() -> None:
    recipe = five.recipe(RecipeConfig("tiny", executor=EXECUTOR, changes={"far_start": "yes"}))
    first = next(iter(recipe.learn(recipe.score)))

    assert (first.population[:, :4] >= 400).all() and (first.population[:, :4] <= 500).all()
    assert (1100 == recipe.genes.high[:4]).all()


def test_games_change_from_generation_to_generation_and_not_with_the_crew() -> None:
    recipes = [five.recipe(RecipeConfig("tiny", executor=ThreadExecutor(threads))) for threads in (1, 2)]
    player = five.THEORY[None]

    scores = [[float(recipe.score(player, number)[0]) for number in range(3)] for recipe in recipes]

    assert scores[0] == scores[1] and len(set(scores[0])) == 3


def test_the_weights_of_chapter_6_have_the_bounds_of_its_table() -> None:
    genes = twenty_eight.GENES

    assert 28 == len(genes) and {**TABLE_15, "pawn": None}.keys() == {*genes.names, "pawn"}
    assert [TABLE_15[name] for name in genes.names] == list(zip(genes.low, genes.high, strict=True))


@pytest.mark.parametrize("scale", twenty_eight.SCALES)
def test_weights_become_a_brain_with_the_divisors_of_its_scale(scale: str, tmp_path: Path) -> None:
    weights = twenty_eight.GENES.random(np.random.default_rng(1), 1)[0]
    path = tmp_path / "brain.safetensors"
    path.write_bytes(twenty_eight.Expression(scale)(weights, {"name": "random"}))

    tensors = read_tensors(path)
    assert np.allclose([100.0, *weights], tensors["weights"])
    model = twenty_eight.SCALES[scale]
    expected = read_tensors(brains.find(model))["divisors"] if model else np.ones(29)
    assert (tensors["divisors"] == expected).all()
    assert "linear-28" == RawBrain.open(str(path)).kind


def test_evolution_solves_more_than_chance(tmp_path: Path) -> None:
    generations = []
    run_evolution(twenty_eight.recipe(RecipeConfig("tiny", executor=EXECUTOR)), tmp_path, generations.append)

    assert generations[-1].mean_score > generations[0].mean_score
    assert generations[-1].best_score >= generations[0].best_score


@pytest.mark.parametrize("objective", twenty_eight.OBJECTIVES)
def test_hooke_jeeves_never_gets_worse_at_what_it_counts(objective: str, tmp_path: Path) -> None:
    generations = []
    order = RecipeConfig("tiny", executor=EXECUTOR, changes={"objective": objective})
    run_evolution(twenty_eight.exploitation(order), tmp_path, generations.append)

    scores = [now.best_score for now in generations]
    assert scores == sorted(scores) and scores[-1] > scores[0]
    assert objective != "unsolved" or 0 == scores[0]


def test_an_objective_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="objective"):
        twenty_eight.exploitation(RecipeConfig("tiny", executor=EXECUTOR, changes={"objective": "glory"}))


def test_unsolved_is_what_no_player_solves() -> None:
    exercises: Exercises = master_games(None, "tiny", EXECUTOR).training.some(60, np.random.default_rng(1))
    express = twenty_eight.Expression("letter")
    players = twenty_eight.GENES.random(np.random.default_rng(2), 25)

    together = twenty_eight.unsolved_by(players, exercises, express, EXECUTOR)

    alone = [set(twenty_eight.unsolved_by(player[None], exercises, express, EXECUTOR)) for player in players]
    assert set(together) == set.intersection(*alone)


def test_nobody_is_rated_without_an_opponent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights.rated, "is_installed", lambda: False)
    lab = ExperimentContext(size="tiny", folder=tmp_path, seed=1, executor=EXECUTOR, tell=lambda line: None)

    with pytest.raises(ExperimentSkipped, match="stockfish is not installed"):
        weights.exploration_rating(lab)
