"""The NNUE in torch: what both sides see, dense beside sparse, whole numbers beside the core's."""

from pathlib import Path

import nnue_twin
import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")

from okapi.brains.nnue import ENCODING  # noqa: E402
from okapi.core import Evaluator, RawBrain  # noqa: E402
from okapi.core.evaluation import evaluate  # noqa: E402
from okapi.core.packed import random_positions  # noqa: E402
from okapi.encodings import ENCODINGS  # noqa: E402
from okapi.models.nnue import (  # noqa: E402
    EMPTY,
    LayeredNnue,
    Nnue,
    feature_lists,
    one_hot,
    seen_by_other,
    whole_values,
)
from okapi.training.nnue import NnueConfig, NnueDataset, network_of, starting_weights  # noqa: E402
from okapi.training.shards import unlabelled_shard  # noqa: E402


@pytest.fixture(scope="module")
def positions() -> NDArray[np.void]:
    return random_positions(600, seed=10)


@pytest.fixture(scope="module")
def samples(positions: NDArray[np.void]) -> NnueDataset:
    torch.set_num_threads(1)
    return NnueDataset.from_shard(unlabelled_shard(positions), torch.device("cpu"))


def seen(samples: NnueDataset) -> "torch.Tensor":
    """As ones and zeros: the movers' halves, then the others'."""
    return one_hot(torch.cat([samples.codes, seen_by_other(samples.codes, samples.turned)]))


def test_both_sides_see_what_the_encoding_says(positions: NDArray[np.void], samples: NnueDataset) -> None:
    mover, other = seen(samples).chunk(2)

    np.testing.assert_array_equal(torch.stack([mover, other], dim=1), ENCODINGS[ENCODING].encode_many(positions))


def test_lists_of_inputs_are_the_ones(samples: NnueDataset) -> None:
    inputs, boards, begins = feature_lists(samples.codes, samples.turned)
    ones = torch.zeros(2 * len(samples), 768)
    ones[boards, inputs] = 1

    assert torch.equal(seen(samples), ones)
    assert torch.equal(torch.bincount(boards).cumsum(0)[:-1], begins[1:])


def test_lists_of_inputs_with_king_buckets_are_the_encodings(positions: NDArray[np.void], samples: NnueDataset) -> None:
    inputs, boards, _ = feature_lists(samples.codes, samples.turned, 4)
    ones = torch.zeros(2 * len(samples), 4 * 768)
    ones[boards, inputs] = 1

    expected = ENCODINGS["piece-square-mirrored-4"].encode_many(positions)
    np.testing.assert_array_equal(torch.stack(ones.chunk(2), dim=1), expected)
    assert (expected.reshape(-1, 4, 768).any(axis=2).sum(axis=0) > 20).all()


def test_grouped_products_learn_what_sums_of_rows_learn(samples: NnueDataset) -> None:
    """With king buckets, in 16 bits on a GPU; compared within their precision."""
    torch.manual_seed(1)
    network = Nnue(64, 8, king_buckets=4)
    with torch.no_grad():
        network.accumulator.weight.add_(0.1 * torch.randn_like(network.accumulator.weight))
    found = []
    for sparse, dtype in ((False, torch.bfloat16), (True, torch.float32)):
        network.zero_grad()
        outputs = network(samples.codes, samples.turned, dtype=dtype, sparse=sparse)
        (outputs * torch.linspace(-1, 1, len(outputs))).sum().backward()
        found.append([outputs.detach(), *(weights.grad.clone() for weights in network.parameters())])

    for dense, sparse in zip(*found, strict=True):
        assert (dense - sparse).norm() < 0.03 * sparse.norm()


def test_sums_of_rows_and_products_learn_the_same(samples: NnueDataset) -> None:
    torch.manual_seed(1)
    network = Nnue(64, 8)
    found = []
    for sparse in (False, True):
        network.zero_grad()
        outputs = network(samples.codes, samples.turned, sparse=sparse)
        (outputs * torch.linspace(-1, 1, len(outputs))).sum().backward()
        found.append([outputs.detach(), *(weights.grad.clone() for weights in network.parameters())])

    for dense, sparse in zip(*found, strict=True):
        assert dense.abs().max() > 0
        np.testing.assert_allclose(dense, sparse, rtol=1e-4, atol=1e-4)


def test_gradients_are_those_of_the_definition(samples: NnueDataset) -> None:
    """Beside torch's own, of clamp and square, and of a plain product."""
    torch.manual_seed(2)
    network = Nnue(32, 4).double()
    with torch.no_grad():
        network.accumulator.weight *= 8  # many neurons beyond their ends
    network(samples.codes, samples.turned, dtype=torch.float64).sum().backward()
    own = [weights.grad.clone() for weights in network.parameters()]
    network.zero_grad()
    sums = seen(samples).double() @ network.accumulator.weight + network.accumulator.bias
    mover, other = sums.clamp(0, 1).square().chunk(2)
    outputs = network.output(torch.cat([mover, other], dim=1))
    men = (samples.codes != EMPTY).sum(dim=1)
    outputs[torch.arange(len(outputs)), (men - 2) * 4 // 32].sum().backward()

    for mine, weights in zip(own, network.parameters(), strict=True):
        np.testing.assert_allclose(mine, weights.grad, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("neurons", "outputs", "king_buckets"), [(32, 8, 1), (256, 1, 1), (32, 8, 4)])
def test_whole_numbers_are_the_cores(
    neurons: int, outputs: int, king_buckets: int, positions: NDArray[np.void], samples: NnueDataset
) -> None:
    network = nnue_twin.random_network(neurons, outputs=outputs, king_buckets=king_buckets)
    core = evaluate([Evaluator.from_brain(RawBrain.from_bytes(network.file({"name": "made"})))], positions, threads=1)[
        0
    ]

    np.testing.assert_array_equal(core, whole_values(network.tensors(), network.scale, samples.codes, samples.turned))
    np.testing.assert_array_equal(core, nnue_twin.values(network, positions))


@pytest.mark.parametrize(("neurons", "stacks", "king_buckets"), [(64, 8, 1), (256, 1, 1), (64, 8, 4)])
def test_layers_in_whole_numbers_are_the_cores(
    neurons: int, stacks: int, king_buckets: int, positions: NDArray[np.void], samples: NnueDataset, tmp_path: Path
) -> None:
    """The network in floats rounds as it does, so that it computes the same from the same weights."""
    network = nnue_twin.random_layers(neurons, stacks=stacks, king_buckets=king_buckets)
    content = network.file({"name": "made"})
    core = evaluate([Evaluator.from_brain(RawBrain.from_bytes(content))], positions, threads=1)[0]

    np.testing.assert_array_equal(core, whole_values(network.tensors(), network.scale, samples.codes, samples.turned))
    (tmp_path / "made.safetensors").write_bytes(content)
    config = NnueConfig(neurons=neurons, buckets=stacks, king_buckets=king_buckets, layers=True, scale=network.scale)
    floats = network_of(config)
    floats.load_state_dict(starting_weights(tmp_path / "made.safetensors", config))
    with torch.no_grad():
        outputs = floats(samples.codes, samples.turned, sparse=True) * network.scale
    apart = (outputs - torch.from_numpy(core)).abs()
    assert apart.median() <= 1 and apart.quantile(0.99) < 10


@pytest.mark.parametrize("king_buckets", [1, 4])
def test_layers_learn_alike_in_products_and_sums_of_rows(king_buckets: int, samples: NnueDataset) -> None:
    """In 16 bits on a GPU; compared within their precision."""
    torch.manual_seed(1)
    network = LayeredNnue(64, 8, king_buckets)
    with torch.no_grad():
        network.accumulator.weight.add_(0.1 * torch.randn_like(network.accumulator.weight))
        network.first.weight.mul_(4)
    found = []
    for sparse, dtype in ((False, torch.bfloat16), (True, torch.float32)):
        network.zero_grad()
        outputs = network(samples.codes, samples.turned, dtype=dtype, sparse=sparse)
        (outputs * torch.linspace(-1, 1, len(outputs))).sum().backward()
        found.append([outputs.detach(), *(weights.grad.clone() for weights in network.parameters())])

    for dense, sparse in zip(*found, strict=True):
        assert (dense - sparse).norm() < 0.1 * sparse.norm()
