"""Games become exercises: all moves of both sides, split by game, and nothing fresh that was learned from."""

from pathlib import Path

import numpy as np
import pytest

from okapi import brains
from okapi.core import Evaluator, Game, Limits, random_openings
from okapi.core.evaluation import choose
from okapi.core.keys import position_keys
from okapi.core.match import InProcessMatch, MatchPlayer, both_colors
from okapi.core.packed import NO_GAME, SAMPLE, random_positions, unpack
from okapi.data.pgn import export_games
from okapi.data.sources import write_samples
from okapi.data.store import StoreWriter
from okapi.errors import InvalidText
from okapi.optimize.executor import ThreadExecutor
from okapi.recipes import find_recipe
from okapi.recipes.config import RecipeConfig
from okapi.recipes.exercises import PLAIN, exercises_for, master_games, solved

EXECUTOR = ThreadExecutor(1)


@pytest.fixture(scope="module")
def games() -> list[Game]:
    player = MatchPlayer(Evaluator.from_brain(brains.load("material")), Limits(depth=1))
    return [
        match_game.game
        for match_game in InProcessMatch(player, player, both_colors(random_openings(15, seed=1)), threads=2)
    ]


@pytest.fixture
def store(games: list[Game], tmp_path: Path) -> Path:
    path = tmp_path / "games.okapi"
    with StoreWriter.open(path) as writer:
        for game in games[::2]:
            writer.add(game)
    return path


def test_every_move_is_an_exercise(games: list[Game], store: Path) -> None:
    library = master_games(store, "tiny", EXECUTOR)

    played = [[move.bits for move in game.moves] for game in games[::2]]
    both = (library.training, library.fresh)
    found = {int(game): part.of(np.array([game])).rows["move"].tolist() for part in both for game in part.games}
    assert dict(enumerate(played)) == found
    assert min(map(len, both)) > 0


def test_pgn_and_store_give_the_same(store: Path, tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    export_games(store, pgn)

    from_store, from_pgn = (master_games(path, "tiny", EXECUTOR) for path in (store, pgn))

    assert (from_store.training.rows == from_pgn.training.rows).all()
    assert (from_store.fresh.rows == from_pgn.fresh.rows).all()
    assert from_store.name.startswith("games.okapi ") and from_pgn.name.startswith("games.pgn ")


def test_a_game_stays_in_its_part_when_others_come(games: list[Game], store: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.okapi"
    with StoreWriter.open(more) as writer:
        for game in (*games[1::2], *games[::2]):
            writer.add(game)

    few, many = (master_games(path, "tiny", EXECUTOR) for path in (store, more))

    first = len(games[1::2])
    assert set(few.fresh.games + first) <= set(many.fresh.games)


def test_what_is_alike_can_be_left_out(store: Path) -> None:
    library = master_games(store, "tiny", EXECUTOR)
    fresh = library.fresh.unlike(library.training)

    known = set(position_keys(library.training.rows["position"]))
    assert known.isdisjoint(position_keys(fresh.rows["position"]))
    assert 0 == len(library.training.unlike(library.training))


def test_some_are_drawn_by_the_dice(store: Path) -> None:
    training = master_games(store, "tiny", EXECUTOR).training
    ten, same, more = (training.some(count, np.random.default_rng(1)) for count in (10, 10, 20))

    assert (ten.rows == same.rows).all() and (ten.rows == more.rows[:10]).all()
    assert 10 == len(np.unique(ten.rows))
    assert len(training) == len(training.some(10**6, np.random.default_rng(1)))


def test_an_executor_of_any_size_finds_the_same(store: Path) -> None:
    training = master_games(store, "tiny", EXECUTOR).training
    files = [brains.find(name).read_bytes() for name in ("material", "vazquez-five")]
    evaluators = [Evaluator.from_brain(brains.load(name)) for name in ("material", "vazquez-five")]

    alone, together = (solved(files, training, ThreadExecutor(threads)) for threads in (1, 3))

    chosen = choose(evaluators, training.rows["position"], without=PLAIN)
    assert (alone == together).all() and (alone == (chosen == training.rows["move"])).all()
    assert (2, 0) == solved(files, training.take(np.zeros(0, np.int64)), ThreadExecutor(2)).shape


def test_without_games_there_are_games() -> None:
    library = master_games(None, "tiny", ThreadExecutor(2))

    assert "made here" == library.name
    assert 40 == len(library.training.games) + len(library.fresh.games)


def test_too_few_games_are_refused(games: list[Game], tmp_path: Path) -> None:
    path = tmp_path / "one.okapi"
    with StoreWriter.open(path) as writer:
        writer.add(games[0])

    with pytest.raises(InvalidText, match="too few games"):
        master_games(path, "tiny", EXECUTOR)


# --- Labelled positions as exercises ----------------------------------------------------------------------------------


def labelled(path: Path, count: int = 400) -> Path:
    """Positions of random games, each with its first legal move as the best one, and its number as value."""
    samples = np.zeros(count, SAMPLE)
    samples["position"] = random_positions(count, seed=1)
    samples["move"] = [unpack(row).legal_moves()[0].bits for row in samples["position"]]
    samples["value"], samples["game"], samples["result"] = np.arange(count), NO_GAME, -1
    write_samples(path, [samples])
    return path


def test_a_teachers_best_moves_are_exercises_and_its_values_what_is_to_be_foretold(tmp_path: Path) -> None:
    path = labelled(tmp_path / "labels.samples")
    library = exercises_for(RecipeConfig("tiny", labels=path))
    together = np.concatenate([library.training.rows, library.fresh.rows])

    assert 400 == len(together) and min(len(library.training), len(library.fresh)) > 0
    assert set(range(400)) == set(together["value"].tolist())
    assert not set(library.training.games.tolist()) & set(library.fresh.games.tolist())
    for row, score in zip(library.training.rows, library.training.scores, strict=True):
        assert unpack(row["position"]).legal_moves()[0].bits == row["move"]
        assert abs(score - 1 / (1 + 10 ** (-float(row["value"]) / 400))) < 1e-9


def test_games_come_before_labels(store: Path, tmp_path: Path) -> None:
    path = labelled(tmp_path / "labels.samples")

    assert exercises_for(RecipeConfig("tiny", games=store, labels=path)).name.startswith("games.okapi ")


@pytest.mark.parametrize("recipe", ["vazquez-28", "vazquez-28-texel", "vazquez-five"])
def test_evolution_learns_from_labels(recipe: str, tmp_path: Path) -> None:
    changes = {"positions": 100} if recipe != "vazquez-five" else {"generations": 2}
    config = RecipeConfig("tiny", labels=labelled(tmp_path / "labels.samples"), changes=changes)
    made = find_recipe(recipe).make(config)
    first = next(made.learn(made.score))

    assert made.settings["masters"]["games"].startswith("labels.samples ")
    assert np.isfinite(first.best_score)
