"""Searches beside a network's probabilities of moves: losses, how the factors are fitted, and what a card tells."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from played_games import season, stored  # noqa: E402

from okapi.brains import card, load, predictor  # noqa: E402
from okapi.brains.files import read_tensors, with_card  # noqa: E402
from okapi.brains.library import SHIPPED  # noqa: E402
from okapi.brains.move_values import MOST, MoveValues, features, fit  # noqa: E402
from okapi.core import Evaluator  # noqa: E402
from okapi.core.packed import legal_moves, pack_fens, random_positions, unpack  # noqa: E402
from okapi.errors import InvalidBrain, InvalidText  # noqa: E402
from okapi.recipes.config import RecipeConfig  # noqa: E402
from okapi.recipes.move_values import run_recipe  # noqa: E402
from okapi.recipes.run import RecipeRun  # noqa: E402

HANGING = "3q3k/8/8/8/8/8/3Q4/6K1 w - - 0 1"
"""The queen takes the other one for nothing, or is taken, or neither."""


@pytest.fixture(scope="module")
def values() -> MoveValues:
    return MoveValues(Evaluator.from_brain(load("material")), nodes=20)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RecipeRun:
    path = tmp_path_factory.mktemp("values")
    stored(path / "games.okapi", season(90, "Bo, B"))
    changes: dict[str, Any] = {"validation": 0.3, "test": 0.3, "values": "material"}
    config = RecipeConfig("tiny", games=path / "games.okapi", changes=changes)
    return RecipeRun(name="move-values", config=config, folder=path / "run")


@pytest.fixture(scope="module")
def brain(run: RecipeRun) -> Path:
    result = run_recipe(run)
    assert {"network", "search", "both", "gain", "tested", "any_move"} == set(result.figures)
    assert 40 == result.figures["tested"] and 0 < result.figures["any_move"] < 0.2
    return run.folder / "brain.safetensors"


def test_a_loss_is_what_the_best_move_has_more(values: MoveValues) -> None:
    positions = pack_fens([HANGING])
    legal = legal_moves(positions)
    losses = values.losses(positions, legal)
    by_move = {str(move): losses[at] for at, move in enumerate(unpack(positions[0]).legal_moves())}

    assert 0 == min(losses) == by_move["d2d8"]
    assert by_move["d2d7"] > 1000, "it is taken"
    assert by_move["d2h2"] > 500, "nothing is won"


def test_probabilities_keep_their_moves_in_any_order(values: MoveValues) -> None:
    positions = random_positions(30, seed=4)
    found = predictor("okapi-human", values=False).probabilities(positions)
    legal = legal_moves(positions)
    listed = found.in_order_of(legal)

    for row in range(len(positions)):
        moves, shares = found.of(row)
        here = slice(legal.starts[row], legal.starts[row + 1])
        assert dict(zip(moves.tolist(), shares.tolist(), strict=True)) == dict(
            zip(legal.bits[here].tolist(), listed[here].tolist(), strict=True)
        )


def test_the_fit_finds_the_factors_that_moves_were_drawn_by() -> None:
    rng = np.random.default_rng(1)
    count, each = 40_000, 12
    starts = np.arange(0, count * each + 1, each)
    shares = rng.dirichlet([0.5] * each, count).ravel()
    losses = rng.exponential(150, count * each)
    wanted = np.array([0.7, 0.9, 0.5])
    logs = (features(shares, losses) @ wanted).reshape(count, each)
    played = (logs + rng.gumbel(size=logs.shape)).argmax(axis=1) + starts[:-1]

    assert fit(shares, losses, starts, played) == pytest.approx(wanted, abs=0.15)


def test_the_brain_has_the_factors_in_its_card(brain: Path) -> None:
    said = card(str(brain)).details()["values"]

    assert ("material", 10, len(MOST)) == (said["brain"], said["nodes"], len(said["weights"]))
    assert said["test"]["tested"] == 40 and said["settings"]["games"].startswith("games.okapi ")
    assert card(str(brain)).details()["parent"].startswith("okapi-human ")
    before, after = (read_tensors(path) for path in (SHIPPED / "okapi-human.safetensors", brain))
    assert all((before[name] == after[name]).all() for name in before)


def test_the_predictor_weighs_moves_as_the_card_says(brain: Path) -> None:
    positions = pack_fens([HANGING, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"])  # the second is stalemate
    plain, weighed = (predictor(str(brain), values=which).moves(positions) for which in (False, True))
    said = card(str(brain)).details()["values"]
    values = MoveValues.read(said, lambda name: Evaluator.from_brain(load(name)))
    legal = legal_moves(positions[:1])
    logs = values.logs(
        predictor(str(brain), values=False).probabilities(positions[:1]).in_order_of(legal),
        values.losses(positions[:1], legal),
    )
    expected = np.exp(logs) / np.exp(logs).sum()
    by_bits = {move.bits: share for move, share in weighed[0]}

    assert plain[0] != weighed[0] and plain[1] == weighed[1] == []
    assert [by_bits[bits] for bits in legal.bits.tolist()] == pytest.approx(expected.tolist(), abs=1e-5)


def test_a_finished_search_is_not_repeated(run: RecipeRun, brain: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = brain.read_bytes()
    brain.unlink()
    monkeypatch.setattr(MoveValues, "losses", None)
    run_recipe(run)

    assert before == brain.read_bytes()


def test_games_without_tournaments_to_hold_out_are_refused(run: RecipeRun, tmp_path: Path) -> None:
    few = RecipeConfig("tiny", games=run.config.games, changes={"validation": 0.0})
    with pytest.raises(InvalidText, match="no games in tournaments to fit"):
        run_recipe(RecipeRun(name="move-values", config=few, folder=tmp_path))


@pytest.mark.parametrize(
    "said",
    ['{"brain": "material"}', "[1, 2]", '{"brain": "material", "nodes": 0, "power": 1, "weights": [1, 1]}',
     '{"brain": "material", "nodes": 5, "power": "x", "weights": [1, 1]}',
     '{"brain": "material", "nodes": 5, "power": 1, "weights": [1]}'],
)  # fmt: skip
def test_a_card_with_damaged_values_is_refused(said: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.safetensors"
    path.write_bytes(with_card((SHIPPED / "okapi-human.safetensors").read_bytes(), {"values": said}))

    with pytest.raises(InvalidBrain, match=r"brain `okapi-human` cannot be used: the `values` in its card"):
        predictor(str(path))
    assert predictor(str(path), values=False).moves(pack_fens([HANGING]))[0]


def test_the_docs_have_the_numbers_of_the_card() -> None:
    text = " ".join((Path(__file__).parents[2] / "docs" / "howto" / "moves.md").read_text().split())
    test = card("okapi-human").details()["values"]["test"]

    assert f"of {test['tested']:,} moves" in text
    for way, before in (("both", "finds "), ("network", "the network alone "), ("search", "the search alone ")):
        first, third, tenth = (f"{100 * test[way][f'top_{top}']:.1f}" for top in (1, 3, 10))
        assert f"{before}{first}, {third}, {tenth} %" in text
