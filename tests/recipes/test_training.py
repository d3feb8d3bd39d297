"""From plan to brain: whoever thinks with what was learned says what the network said in torch."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")

from toy_training import toy, trained  # noqa: E402

from okapi.brains import evaluations  # noqa: E402
from okapi.brains.output import expected_scores  # noqa: E402
from okapi.core.packed import rows  # noqa: E402
from okapi.models.express import rebuilt  # noqa: E402
from okapi.models.torch_encodings import encode  # noqa: E402
from okapi.recipes import find_recipe  # noqa: E402
from okapi.recipes.config import RecipeConfig  # noqa: E402
from okapi.recipes.jobs import TrainingJob  # noqa: E402
from okapi.recipes.targets import Target  # noqa: E402
from okapi.recipes.training import Training  # noqa: E402
from okapi.training.report import read_network  # noqa: E402

RESNET = {"planes": 12, "channels": 8, "blocks": 1, "squeeze": 4, "outputs": 1, "last": "sigmoid"}


def classes() -> Training:
    return toy(RecipeConfig())


def number() -> Training:
    training = toy(RecipeConfig())
    arguments = {"inputs": 768, "hidden": [8], "outputs": 1}
    plan = replace(training.job.plan, arguments=arguments, loss="squared", epochs=1)
    return replace(training, job=TrainingJob(plan, Target.number(-1500, 1500, "white"), "positions"))


def score() -> Training:
    training = toy(RecipeConfig())
    how = {"model": "okapi.models.resnet:resnet", "arguments": RESNET, "encoding": "planes-12", "loss": "squared"}
    return replace(training, job=TrainingJob(replace(training.job.plan, epochs=1, **how), Target.score(), "positions"))


def expected(training: Training, folder: Path) -> NDArray[np.float64]:
    """Expected scores for the mover, by torch and by what the target says of the outputs."""
    positions = training.labels.positions
    seen = encode(torch.from_numpy(rows(positions).copy()), training.job.plan.encoding)
    outputs, output = rebuilt(read_network(folder))(seen), training.output()
    match output["form"]:
        case "classes":
            values = torch.softmax(outputs, dim=1).double().numpy() @ np.array(output["values"])
        case "number":
            low, high = output["low"], output["high"]
            values = expected_scores(low + (high - low) * outputs[:, 0].double().numpy())
        case _:
            values = outputs[:, 0].double().numpy()
    turned = (positions["turn"] == 1) & (output["view"] == "white")
    return np.where(turned, 1 - values, values)


@pytest.mark.parametrize("make", [classes, number, score])
def test_the_brain_says_what_the_network_says(make: Callable[[], Training], tmp_path: Path) -> None:
    training = make()
    trained(training, tmp_path)

    said = evaluations(str(tmp_path / "brain.safetensors"), training.labels.positions)

    np.testing.assert_allclose(expected(training, tmp_path), said.values, atol=1e-4)


def test_a_recipe_is_found_by_its_former_name() -> None:
    assert find_recipe("resnet") is find_recipe("tower")
