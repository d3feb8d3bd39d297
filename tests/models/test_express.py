"""A network and what is written down of it answer the same."""

from pkgutil import resolve_name
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from okapi.errors import UsageError  # noqa: E402
from okapi.models import RENAMED, current_name, make_model  # noqa: E402
from okapi.models.express import Expressed, express, rebuilt, restore  # noqa: E402
from okapi.models.layers import Residual, activation  # noqa: E402

NETWORKS: dict[str, tuple[dict[str, Any], tuple[int, ...]]] = {
    "perceptron:perceptron": (
        {"inputs": 65, "hidden": [20, 10], "outputs": 4, "act": "elu", "dropout": 0.5, "normalise": True},
        (65,),
    ),
    "resnet:resnet": ({"planes": 6, "channels": 8, "blocks": 2, "outputs": 3, "squeeze": 4}, (6, 8, 8)),
}


def lived(network: nn.Sequential, shape: tuple[int, ...]) -> nn.Sequential:
    """With statistics and weights that are not those of the beginning."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    for module in network.modules():
        if isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d):
            nn.init.uniform_(module.weight, 0.5, 2.0)
            nn.init.normal_(module.bias)
    for _ in range(3):
        network(torch.randn(64, *shape) * 3 + 1)
    return network.eval()


@pytest.mark.parametrize("name", NETWORKS)
def test_what_is_written_down_answers_like_the_network(name: str) -> None:
    arguments, shape = NETWORKS[name]
    network = lived(make_model(f"okapi.models.{name}", arguments), shape)
    inputs = torch.randn(10, *shape)

    with torch.no_grad():
        np.testing.assert_allclose(network(inputs), rebuilt(express(network))(inputs), atol=1e-5)


@pytest.mark.parametrize("name", NETWORKS)
def test_what_was_written_down_is_taken_up_again(name: str) -> None:
    arguments, shape = NETWORKS[name]
    written = express(lived(make_model(f"okapi.models.{name}", arguments), shape))
    other = lived(make_model(f"okapi.models.{name}", arguments), shape)
    inputs = torch.randn(10, *shape)

    restore(other, written)

    with torch.no_grad():
        np.testing.assert_allclose(other(inputs), rebuilt(written)(inputs), atol=1e-5)
        for tensor, again in zip(written.tensors.values(), express(other).tensors.values(), strict=True):
            np.testing.assert_allclose(tensor, again, rtol=1e-6)


@pytest.mark.parametrize("rank", [6, 3])
def test_a_dense_layer_is_taken_up_by_two(rank: int) -> None:
    """With the whole rank the answers are the same; with less, the nearest product of two is taken."""
    arguments = {"planes": 3, "channels": (2, 2, 2), "hidden": 6}
    whole = lived(make_model("okapi.models.singh2015:chessnet_1", arguments), (3, 8, 8))
    narrow = make_model("okapi.models.singh2015:chessnet_1", {**arguments, "rank": rank})
    inputs = torch.randn(10, 3, 8, 8)

    restore(narrow, express(whole))

    with torch.no_grad():
        assert np.allclose(whole(inputs), narrow(inputs), atol=1e-5) == (rank == 6)
    first, second = (express(narrow).tensors[f"{layer}.weight"] for layer in (4, 5))
    singular = np.linalg.svd(express(whole).tensors["4.weight"], compute_uv=False)
    lost = np.linalg.norm(express(whole).tensors["4.weight"] - second @ first)
    assert lost == pytest.approx(np.linalg.norm(singular[rank:]), abs=1e-5)


def test_a_network_that_is_built_otherwise_takes_up_nothing() -> None:
    written = express(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)))

    with pytest.raises(UsageError, match="cannot take up"):
        restore(nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)), written)
    with pytest.raises(UsageError, match=r"has \(3, 2\) where `1.weight` is \(4, 2\)"):
        restore(nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1)), written)


@pytest.mark.parametrize("former", RENAMED)
def test_former_names_of_networks_still_work(former: str) -> None:
    assert callable(resolve_name(current_name(former)))
    with pytest.raises(UsageError, match="cannot be made of"):
        make_model(former, {"nothing like it": 1})


def test_layers_are_those_of_the_card() -> None:
    network = nn.Sequential(
        nn.Conv2d(6, 4, 3, padding="same"),
        nn.Tanh(),
        Residual(4, squeeze=2),
        nn.Flatten(),
        nn.Linear(256, 1),
        nn.Sigmoid(),
    )

    assert [
        {"do": "convolve", "name": "1", "activation": "tanh"},
        {"do": "residual", "names": ["2", "3"], "activation": "relu", "squeeze": ["4", "5"]},
        {"do": "flatten"},
        {"do": "dense", "name": "6", "activation": "sigmoid"},
    ] == express(network).layers
    assert (4, 6, 3, 3) == express(network).tensors["1.weight"].shape


@pytest.mark.parametrize(
    ("modules", "says"),
    [
        ([nn.Linear(2, 2), nn.ReLU(), nn.BatchNorm1d(2)], "has to stand between"),
        ([nn.BatchNorm1d(2)], "has to stand between"),
        ([nn.ReLU()], "has to follow"),
        ([nn.Linear(2, 2), nn.ReLU(), nn.Tanh()], "has to follow"),
        ([nn.Linear(2, 2), nn.GELU()], "GELU cannot be written down"),
        ([nn.Linear(2, 2), nn.BatchNorm1d(2, track_running_stats=False)], "running statistics"),
    ],
)
def test_what_cannot_be_written_down_is_told(modules: list[nn.Module], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        express(nn.Sequential(*modules))


def test_unknown_layers_and_activations_are_told() -> None:
    with pytest.raises(UsageError, match="no layer does `dance`"):
        rebuilt(Expressed([{"do": "dance"}], {}))(torch.zeros(1, 1))
    with pytest.raises(UsageError, match="no activation `rely`"):
        activation("rely")
