"""Brains that teach smaller networks: what they say, and between what it lies."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from labels import consecutive, write_labels  # noqa: E402
from played_games import season, stored  # noqa: E402
from toy_training import trained  # noqa: E402

from okapi.brains import evaluations, evaluator, load  # noqa: E402
from okapi.core import Evaluator, Limits, Position, Search  # noqa: E402
from okapi.core._core import RangeTally  # noqa: E402
from okapi.core.evaluation import evaluate  # noqa: E402
from okapi.errors import InvalidBrain, OkapiError, UsageError, WrongBrain  # noqa: E402
from okapi.players.spec import parse_player  # noqa: E402
from okapi.recipes.config import RecipeConfig  # noqa: E402
from okapi.recipes.training import Training  # noqa: E402
from okapi.recipes.value_networks import bounds, convchess, distil  # noqa: E402
from okapi.training.supervised import LOSSES  # noqa: E402

BUSY = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.okapi"
    stored(path, season(30, "Doe, Jane"))
    return path


def order(games: Path, **changes: object) -> RecipeConfig:
    usual = {"brain": "material", "positions": 600, "wander": 1, "epochs": 6, "lr": 0.02, **changes}
    return RecipeConfig("tiny", games=games, changes=usual)


@pytest.fixture(scope="module")
def bounding(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bounds")
    _, found = trained(bounds(order(games)), folder)
    assert 0.7 < found.figures["within"] <= 1
    return folder / "brain.safetensors"


def test_a_pupil_is_taught_what_the_brain_says_of_games_and_of_random_moves_behind_them(games: Path) -> None:
    training = distil(order(games))
    labels = training.labels

    assert len(labels) > 600
    np.testing.assert_array_equal(labels.values, evaluate([evaluator("material")], labels.positions)[0])


def test_a_pupil_comes_near_its_teacher(games: Path, tmp_path: Path) -> None:
    training = distil(order(games))
    trained(training, tmp_path)

    said = evaluations(str(tmp_path / "brain.safetensors"), training.labels.positions).values
    taught = evaluations("material", training.labels.positions).values
    assert np.corrcoef(said, taught)[0, 1] > 0.5


@pytest.mark.parametrize("maker", [distil, bounds])
def test_somebody_has_to_teach(games: Path, maker: Callable[[RecipeConfig], Training]) -> None:
    with pytest.raises(UsageError, match="which brain's values"):
        maker(order(games, brain=""))
    with pytest.raises(WrongBrain, match="needs Python"):
        maker(order(games, brain="okapi-resnet"))


def test_the_loss_of_bounds_is_least_where_few_numbers_lie_beyond() -> None:
    numbers = torch.linspace(0, 1, 101)

    def loss(low: float, high: float) -> float:
        return float(LOSSES["bounds"](torch.tensor([[low, high]]).expand(101, 2), numbers, 0.0))

    assert loss(0.02, 0.98) < min(loss(0.1, 0.9), loss(-0.1, 1.1), loss(0.5, 0.5))


def test_bounds_save_work_and_their_tally_says_how_much(bounding: Path) -> None:
    tally = RangeTally()
    judge = Evaluator.bounded(evaluator("material"), Evaluator.from_brain(load(str(bounding))), tally)
    search = Search(judge)
    search.run(Position.from_fen(BUSY), Limits(depth=6))

    assert 0 < tally.needed < tally.asked
    assert tally.outside < tally.asked / 2


def test_a_player_may_have_bounds(bounding: Path) -> None:
    player = parse_player(f"alphabeta:material,depth=5,bounds={bounding}")

    assert player.choose(Position.from_fen(BUSY), Limits(depth=1)).move


@pytest.mark.parametrize(("brain", "second"), [("material", "material"), ("okapi-resnet", "material")])
def test_what_gives_no_bounds_is_refused(brain: str, second: str) -> None:
    with pytest.raises((InvalidBrain, WrongBrain)) as caught:
        evaluator(brain, bounds=second)

    assert isinstance(caught.value, OkapiError)


def test_a_function_has_no_bounds(bounding: Path) -> None:
    function = Evaluator.from_function(lambda positions: [0.5] * len(positions))
    with pytest.raises(ValueError, match="in batches"):
        Evaluator.bounded(function, Evaluator.from_brain(load(str(bounding))))


def test_convchess_learns_the_expected_score_from_labels(tmp_path: Path) -> None:
    path = write_labels(tmp_path / "labels.samples", consecutive())
    training = convchess(RecipeConfig("tiny", labels=path))
    trained(training, tmp_path)
    said = evaluations(str(tmp_path / "brain.safetensors"), training.labels.positions).values

    assert {"form": "score", "view": "mover"} == training.output()
    assert len(said) and ((said > 0) & (said < 1)).all()
