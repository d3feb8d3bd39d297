"""A network that allots time: what it learns from, and what the core makes of it."""

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from played_games import season, stored  # noqa: E402

from okapi.brains import load  # noqa: E402
from okapi.brains.files import brain_file, read_tensors  # noqa: E402
from okapi.cli import main  # noqa: E402
from okapi.core import (  # noqa: E402
    Clock,
    Evaluator,
    Limits,
    Position,
    RawBrain,
    Search,
    _core,
)
from okapi.core._core import TimeNetwork  # noqa: E402
from okapi.core.labelling import ITERATION, ITERATION_FEATURES, record_iterations  # noqa: E402
from okapi.core.packed import pack_fens, random_positions  # noqa: E402
from okapi.errors import InvalidBrain  # noqa: E402
from okapi.players.spec import parse_player  # noqa: E402
from okapi.recipes.config import RecipeConfig  # noqa: E402
from okapi.recipes.run import RecipeRun  # noqa: E402
from okapi.recipes.time_manager import TimeResult, run_recipe, stops  # noqa: E402


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose brain knows a little about time."""
    path = tmp_path_factory.mktemp("time")
    stored(path / "games.okapi", season(12, "Doe, Jane"))
    found = run_recipe(a_run(path / "run"))
    assert 0 <= found.figures["same"] <= 1
    return path / "run"


def a_run(folder: Path) -> RecipeRun:
    games = folder.parent / "games.okapi"
    config = RecipeConfig("tiny", games=games, changes={"positions": 40, "nodes": 600})
    return RecipeRun(name="time", config=config, folder=folder)


def test_a_moment_has_the_same_bytes_in_both_worlds() -> None:
    assert ITERATION.fields is not None
    fields = [(name, ITERATION.fields[name][1]) for name in ITERATION.names or ()]

    assert _core.iteration_layout() == [*fields, ("", ITERATION.itemsize)]


def test_depths_are_recorded_one_after_another_until_the_nodes_are_spent() -> None:
    found = record_iterations(Evaluator.from_brain(RawBrain.default()), random_positions(5, seed=3), nodes=3_000)
    known = found["depth"] > 0

    for depths in found["depth"]:
        reached = depths.max()
        assert depths[:reached].tolist() == list(range(1, reached + 1))
        assert not depths[reached:].any()
    assert (found["nodes"][known] <= 3_000).all()
    assert (np.abs(found["features"][known]) <= 5).all()


def test_a_game_that_is_over_has_no_moments() -> None:
    found = record_iterations(
        Evaluator.from_brain(RawBrain.default()), pack_fens(["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]), nodes=100
    )

    assert not found["depth"].any()


def test_a_search_stops_where_it_has_thought_for_its_share() -> None:
    moments = np.zeros((2, 4), ITERATION)
    moments["depth"][:, :3] = 1, 2, 3
    moments["nodes"][:, :3] = 10, 100, 1_000
    patience = np.array([[1.0, 1.0, 1.0, 1.0], [9.0, 9.0, 11.0, 1.0]])

    assert stops(moments, patience, optimum=100).tolist() == [1, 2]


def test_the_core_says_what_torch_learned(folder: Path) -> None:
    tensors = read_tensors(folder / "brain.safetensors")
    seen = np.random.default_rng(1).uniform(-2, 2, (20, len(ITERATION_FEATURES))).astype(np.float32)
    hidden = (seen @ tensors["hidden.weight"].T + tensors["hidden.bias"]).clip(min=0)
    expected = 1 / (1 + np.exp(-(hidden @ tensors["output.weight"].T + tensors["output.bias"])[:, 0]))

    said = TimeNetwork(load(str(folder / "brain.safetensors"))).doubts(seen.tolist())

    np.testing.assert_allclose(said, expected, rtol=1e-5)


def test_what_was_recorded_is_not_recorded_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "okapi.recipes.time_manager.record_iterations", lambda *args, **kwargs: pytest.fail("recorded again")
    )
    before = (folder / "brain.safetensors").read_bytes()

    run_recipe(a_run(folder))

    assert (folder / "brain.safetensors").read_bytes() == before


def test_a_player_may_be_given_one_and_keeps_its_clock(folder: Path) -> None:
    player = parse_player(f"alphabeta:material,time={folder / 'brain.safetensors'}")

    assert player.choose(Position.start(), Limits(white=Clock(200), black=Clock(200))).move


def test_impatience_stops_sooner() -> None:
    """The same network with another scale: what it says decides, and not the rule."""

    def depth(least: float, most: float) -> int:
        tensors = {
            "hidden.weight": np.zeros((1, len(ITERATION_FEATURES)), np.float32),
            "hidden.bias": np.zeros(1, np.float32),
            "output.weight": np.zeros((1, 1), np.float32),
            "output.bias": np.zeros(1, np.float32),
            "patience": np.array([1.0, 1.0, least, most], np.float32),
        }
        card = {"name": "time", "kind": "time", "encoding": "moments-8"}
        patience = TimeNetwork(RawBrain.from_bytes(brain_file(card, tensors)))
        search = Search(Evaluator.from_brain(RawBrain.default()), time_network=patience)
        return search.run(Position.start(), Limits(white=Clock(6_000), black=Clock(6_000))).depth

    assert depth(0.001, 0.001) < depth(1.0, 1.0)


def test_another_brain_allots_no_time() -> None:
    with pytest.raises(InvalidBrain, match="does not allot time"):
        TimeNetwork(load("material"))


def test_the_command_tells_what_came_of_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = folder.parent / "games.okapi"
    changes = ["--change", "positions=40", "--change", "nodes=600"]
    code = main(
        ["train", "time", "--size", "tiny", "--games", str(games), "--out", str(folder), "--json", *changes],
    )

    told = json.loads(capsys.readouterr().out)
    assert code == 0
    assert {"brain", "same", "same_usual"} <= told.keys()
    assert {field.name for field in fields(TimeResult)} <= told.keys()
