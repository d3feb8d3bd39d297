"""Pupils say in torch what the core says of the same weights, and learn."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from okapi.brains import evaluator  # noqa: E402
from okapi.core import Evaluator, Position, RawBrain  # noqa: E402
from okapi.core.evaluation import evaluate  # noqa: E402
from okapi.core.packed import random_positions  # noqa: E402
from okapi.errors import WrongBrain  # noqa: E402
from okapi.models.lai2015 import Giraffe  # noqa: E402
from okapi.training.tdleaf_learners import (  # noqa: E402
    CENTIPAWNS,
    FixedPositions,
    GiraffeLearner,
    Learner,
    bootstrap,
    evaluator_of,
    find_learner,
)

POSITIONS = random_positions(300, seed=3, starts=[Position.start()])


def heard(learner: Learner) -> np.ndarray:  # type: ignore[type-arg]
    with torch.no_grad():
        return np.asarray(learner.values(POSITIONS).numpy() * CENTIPAWNS)


@pytest.mark.parametrize("brain", ["material", "vazquez-five", "okapi-28", "sheehan-a", "sabatelli-mlp"])
def test_a_pupil_says_what_its_brain_says(brain: str) -> None:
    said = evaluate([evaluator(brain)], POSITIONS)[0]
    near = np.abs(said) < 1200  # beyond, a sigmoid in half precision is all but flat

    assert near.sum() > 100
    assert np.abs(heard(find_learner(brain)) - said)[near].max() < 1.5


@pytest.mark.parametrize("encoding", ["giraffe-363", "giraffe-363-mover"])
def test_giraffes_of_both_views(encoding: str, tmp_path: Path) -> None:
    torch.manual_seed(1)
    learner = GiraffeLearner(Giraffe(8, 8, 8, 8), encoding)
    path = tmp_path / "giraffe.safetensors"
    path.write_bytes(learner.brain({"name": "x"}))

    assert np.abs(heard(learner) - evaluate([evaluator_of(learner)], POSITIONS)[0]).max() < 1.5
    assert np.array_equal(heard(find_learner(str(path))), heard(learner))


@pytest.mark.parametrize("brain", ["okapi-28", "sheehan-a"])
def test_what_a_pupil_learned_is_in_its_brain(brain: str) -> None:
    learner = find_learner(brain)
    before = heard(learner)
    with torch.no_grad():
        for weights in learner.module.parameters():
            weights *= 1.1
    made = Evaluator.from_brain(RawBrain.from_bytes(learner.brain({"name": "new"})))

    after = evaluate([made], POSITIONS)[0]
    near = np.abs(after) < 1200

    assert np.abs(heard(learner) - after)[near].max() < 1.5
    assert np.abs(before - after).max() > 10


def test_who_cannot_be_taught_is_told_so() -> None:
    with pytest.raises(WrongBrain, match="cannot be trained"):
        find_learner("okapi-resnet")
    with pytest.raises(WrongBrain):
        find_learner("okapi-human")


def test_the_first_lesson_is_material() -> None:
    torch.manual_seed(1)
    learner = GiraffeLearner(Giraffe(8, 8, 8, 8))

    left = bootstrap(learner, FixedPositions(POSITIONS), positions=4000, epochs=50, seed=1)

    down = Position.from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert left < 0.25
    assert evaluator_of(learner).centipawns(down) > 300
