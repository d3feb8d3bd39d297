"""Rounded output weights: fitted to values they are nearer to the float network than rounded one by one."""

import pytest

torch = pytest.importorskip("torch")

from okapi.core.packed import random_positions, rows  # noqa: E402
from okapi.models.nnue import Nnue, whole_values  # noqa: E402
from okapi.training.nnue import NnueDataset  # noqa: E402
from okapi.training.nnue_export import fitted, quantised  # noqa: E402
from okapi.training.stream import boards_of_packed  # noqa: E402

SCALE = 174


def dataset(count: int, seed: int) -> NnueDataset:
    codes, turned = boards_of_packed(torch.from_numpy(rows(random_positions(count, seed=seed))))
    nothing = torch.zeros(count, dtype=torch.int16)
    return NnueDataset(codes, turned, nothing, nothing.to(torch.int8))


def test_values_are_nearer_on_other_positions() -> None:
    torch.manual_seed(4)
    model = Nnue(64, 2)
    with torch.no_grad():
        model.accumulator.weight.uniform_(-0.3, 0.3)
        model.output.weight.mul_(0.5)
        model.output.weight[:, 0] = 1.9  # one large weight: the others have few bits
    weights = model.state_dict()
    plain = quantised(weights, SCALE)
    better = fitted(plain, weights, SCALE, dataset(6000, seed=1))

    other = dataset(2000, seed=2)
    with torch.no_grad():
        exact = model(other.codes, other.turned, sparse=True) * SCALE
    plain_error, better_error = (
        float((whole_values(each.tensors(), each.scale, other.codes, other.turned) - exact).square().mean())
        for each in (plain, better)
    )
    assert better_error < 0.8 * plain_error
    assert better.output_weight.dtype == plain.output_weight.dtype


def test_an_output_with_few_positions_stays_as_it_is() -> None:
    torch.manual_seed(4)
    weights = Nnue(32, 8).state_dict()
    plain = quantised(weights, SCALE)
    assert (fitted(plain, weights, SCALE, dataset(100, seed=1)).output_weight == plain.output_weight).all()
