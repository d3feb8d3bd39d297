"""Chapter 4: the chromosome, the tournament, the recipe."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from okapi.brains.files import read_tensors
from okapi.core import Evaluator, Position, RawBrain
from okapi.errors import UsageError
from okapi.optimize.executor import ThreadExecutor
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import run_evolution
from okapi.recipes.vazquez2012.pieces import TABLE_7, PieceGenes, as_board, pairings, recipe, tournament

RANDOM = np.random.default_rng(1)


def test_there_are_426_genes() -> None:
    genes = PieceGenes().genes

    assert 426 == len(genes) == len(set(genes.names))
    assert {-15.0, 0.0} == set(genes.low) and {15.0, 24.0} == set(genes.high)
    assert 330 == int((genes.high == 15).sum())


def test_a_start_is_random_but_for_the_bishops() -> None:
    shape = PieceGenes()
    players = shape.start(np.random.default_rng(1), 4)

    assert (players == shape.genes.clip(players)).all()
    assert 4 == len(np.unique(players[:, 0]))
    for player in players:
        assert np.allclose(TABLE_7, as_board(shape.tensors(player)["bishop_pawns"][0]))


def test_genes_are_where_their_names_say() -> None:
    shape = PieceGenes()
    names = shape.genes.names
    tensors = shape.tensors(np.arange(426, dtype=float))

    assert names.index("queen.3.row") == tensors["queen.hidden"][3, 2]
    assert names.index("pawn.8.bias") == tensors["pawn.hidden"][8, 4]
    assert names.index("king.output.bias") == tensors["king.output"][9]
    assert names.index("bishop_pawns.enemy.h7") == tensors["bishop_pawns"][1, 47]
    assert [50, 150, 150, 250, 450, 100] == tensors["c"].tolist()


def test_a_free_c_belongs_to_its_piece() -> None:
    shape = PieceGenes(free="c", king_c=80)
    player = shape.start(RANDOM, 1)[0]
    assert (PieceGenes().start(np.random.default_rng(7), 3) == shape.start(np.random.default_rng(7), 3)[:, :426]).all()
    player[shape.genes.names.index("rook.c")] = 1.5
    player[shape.genes.names.index("king.c")] = 0.5

    assert 432 == len(shape.genes)
    assert [50, 150, 150, 375, 450, 40] == shape.tensors(player)["c"].tolist()


def test_free_nodes_are_left_out_of_the_brain() -> None:
    shape = PieceGenes(free="nodes", hidden=15)
    player = shape.start(RANDOM, 1)[0]
    player[shape.genes.names.index("knight.nodes")] = 2.4
    tensors = shape.tensors(player)

    assert (9, 5) == tensors["king.hidden"].shape and (2, 5) == tensors["knight.hidden"].shape
    assert player[shape.genes.names.index("knight.output.bias")] == pytest.approx(tensors["knight.output"][2])
    Evaluator.from_brain(RawBrain.from_bytes(shape.brain(player, {"name": "few"})))


def test_inputs_may_be_scaled() -> None:
    plain, scaled = (PieceGenes(scaled=scaled).tensors(np.zeros(426))["divisors"] for scaled in (False, True))

    assert (plain == 1).all()
    assert [5000, 5000, 1, 8] == scaled[5].tolist() and (scaled[0] == 1).all()


@pytest.mark.parametrize("wrong", [{"free": "will"}, {"hidden": 0}, {"hidden": 65}])
def test_genes_that_cannot_be(wrong: dict[str, str | int]) -> None:
    with pytest.raises(UsageError):
        PieceGenes(**wrong)  # type: ignore[arg-type]


# --- The tournament -------------------------------------------------------------------------------------------------


def test_everybody_plays_the_same_number_of_games() -> None:
    games = pairings(20, 10, random.Random(1))
    seats = Counter(player for game in games for player in (game.white, game.black))

    assert 100 == len(games) and {10} == set(seats.values()) and 20 == len(seats)
    assert all(game.white != game.black for game in games)


def test_a_tournament_is_the_same_again_for_any_crew() -> None:
    shape = PieceGenes()
    players = shape.start(np.random.default_rng(3), 4)
    made = [
        tournament(
            lambda player: shape.brain(player, {"name": "p"}), ThreadExecutor(workers), games=4, depth=1, seed=seed
        )
        for workers, seed in ((1, 5), (3, 5), (1, 6))
    ]
    points = made[0](players, 2)

    assert 8.0 == points.sum()
    assert points.tolist() == made[1](players, 2).tolist()
    assert any(made[0](players, number).tolist() != points.tolist() for number in (3, 4))
    assert any(made[2](players, number).tolist() != made[0](players, number).tolist() for number in range(3))


def test_better_players_take_more_points() -> None:
    """Two who only count material against two for whom being badly placed is worth more than a queen."""
    shape = PieceGenes(c=0.0, king_c=0.0, free="c")
    good = np.zeros(len(shape.genes))
    mad = PieceGenes(c=3.0, free="c")
    players = np.stack([good, good, mad.start(RANDOM, 1)[0], mad.start(RANDOM, 1)[0]])

    def express(player: np.ndarray) -> bytes:
        return (mad if player.any() else shape).brain(player, {"name": "p"})

    points = tournament(express, ThreadExecutor(2), games=12, depth=1, seed=1)(players, 0)

    assert points[:2].sum() > points[2:].sum() + 4


# --- The recipe -----------------------------------------------------------------------------------------------------


def test_the_recipe_leaves_a_brain_that_thinks(tmp_path: Path) -> None:
    small = {"players": 4, "generations": 2, "games": 2}
    last = run_evolution(recipe(RecipeConfig(size="tiny", executor=ThreadExecutor(2), changes=small)), tmp_path)
    brain = RawBrain.open(str(tmp_path / "brain.safetensors"))

    assert 2 == last.number and (4, 426) == last.population.shape
    assert "piece-networks" == brain.kind and "vazquez-pieces" == brain.name
    assert abs(Evaluator.from_brain(brain).centipawns(Position.start())) < 1000
    assert np.allclose(PieceGenes().tensors(last.best)["c"], read_tensors(tmp_path / "brain.safetensors")["c"])
    start = PieceGenes().start(np.random.default_rng([1, 0]), 4)
    nearest = [np.abs(start - player).max(axis=1).min() for player in last.population]
    assert 0 < max(nearest) < 0.5, "two mutations of 0.05 at most"


def test_its_settings_can_be_others() -> None:
    changed = recipe(RecipeConfig(size="full", changes={"sigma": "1.5", "scaled": "yes", "free": "c"}))

    assert 432 == len(changed.genes) and 50 == changed.generations
    assert (1.5, True, "c") == tuple(changed.settings[name] for name in ("sigma", "scaled", "free"))
