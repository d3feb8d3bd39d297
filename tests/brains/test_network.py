"""Networks in the core: against plain arithmetic, torch and ONNX Runtime."""

from typing import Any

import images
import numpy as np
import pytest
from numpy.typing import NDArray

from okapi.brains.onnx import onnx_model
from okapi.core.networks import Network
from okapi.core.packed import random_positions
from okapi.encodings import find_encoding
from okapi.errors import InvalidBrain

SEEN = find_encoding("planes-12").encode_many(random_positions(60, seed=3)[::3], np.float32)
SHAPE = (12, 8, 8)
NETWORKS = {
    "sabatelli": (images.SABATELLI, images.sabatelli()),
    "wide": (images.SABATELLI, images.sabatelli(channels=(35, 70), nodes=130)),
    "residual": (images.RESIDUAL, images.residual()),
    "from-to": (images.FROM_TO, images.from_to()),
    "wide from-to": (images.FROM_TO, images.from_to(channels=40, width=17)),
}


def network(name: str, **options: Any) -> Network:
    layers, tensors = NETWORKS[name]
    return Network(list(layers), tensors, SHAPE, **options)


def close(here: NDArray[np.float32], there: NDArray[Any]) -> bool:
    """Within a ten-thousandth of how far the answers reach."""
    return here.shape == there.shape and bool(np.abs(here - there).max() < 1e-4 * np.abs(there).max())


@pytest.mark.parametrize("name", NETWORKS)
class TestAnswers:
    def test_they_are_those_of_plain_arithmetic(self, name: str) -> None:
        layers, tensors = NETWORKS[name]

        assert close(network(name).answers(SEEN), images.answers(layers, tensors, SEEN))

    def test_they_are_those_of_torch(self, name: str) -> None:
        torch = pytest.importorskip("torch", reason="torch is not installed")
        express = pytest.importorskip("okapi.models.express")
        torch.set_num_threads(1)
        layers, tensors = NETWORKS[name]
        rebuilt = express.rebuilt(express.Expressed(list(layers), tensors))

        with torch.no_grad():
            slow = rebuilt(torch.from_numpy(SEEN)).numpy()

        assert close(network(name).answers(SEEN), slow)

    def test_they_are_those_of_onnx_runtime(self, name: str) -> None:
        onnxruntime = pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
        layers, tensors = NETWORKS[name]
        here = network(name)
        model = onnx_model(list(layers), tensors, SHAPE)
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])

        assert close(here.answers(SEEN), session.run(None, {"input": SEEN})[0])

    def test_a_position_is_answered_alike_in_any_company(self, name: str) -> None:
        here = network(name)
        together = here.answers(SEEN)

        for count in (1, 2, 7):
            apart = [here.answers(SEEN[i : i + count]) for i in range(0, len(SEEN), count)]
            assert np.array_equal(together, np.concatenate(apart))
        assert np.array_equal(together, network(name, threads=3).answers(SEEN))


def test_none_are_asked() -> None:
    assert (0, 3) == network("sabatelli").answers(SEEN[:0]).shape


def test_arrays_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="expected"):
        network("sabatelli").answers(SEEN[:, :11])


def test_a_network_may_see_numbers_without_squares() -> None:
    layers = [{"do": "dense", "name": "1", "activation": "tanh"}]
    tensors = images.tensors(1, {"1": (3, 5)})
    seen = np.linspace(-1, 1, 10, dtype=np.float32).reshape(2, 5)

    assert close(Network(layers, tensors, (5,)).answers(seen), images.answers(layers, tensors, seen))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (images.tensors(1, {"7": (4, 5, 1, 1)}), "has kernels"),
        (images.tensors(1, {"6": (3, 5, 3, 3), "7": (3, 5, 3, 3)}), "has kernels"),
        (images.tensors(1, {"6": (3, 4, 1, 1)}), "for 5 channels"),
    ],
)
def test_queries_and_keys_fit_each_other(changes: images.Tensors, message: str) -> None:
    with pytest.raises(InvalidBrain, match=message):
        Network(list(images.FROM_TO), {**images.from_to(), **changes}, SHAPE)


def test_a_network_ends_in_a_row() -> None:
    with pytest.raises(InvalidBrain, match="no row"):
        Network(list(images.RESIDUAL[:3]), images.residual(), SHAPE)
