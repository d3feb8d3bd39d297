"""Nets A, B and C begin as the paper says, and Deep Pink's objective prefers what it should."""

import math

import pytest
import torch
from torch import nn

from okapi.models.sheehan2016 import GAUSSIAN, deep_pink, fully_linked, net_a, net_b, net_c, objective

LN_2 = math.log(2)


def linear(network: nn.Sequential) -> list[nn.Linear]:
    return [layer for layer in network if isinstance(layer, nn.Linear)]


def test_net_b_has_three_inner_product_layers_of_2048() -> None:
    with torch.device("meta"):
        sizes = [(layer.in_features, layer.out_features) for layer in linear(net_b())]

    assert [(65, 2048), (2048, 2048), (2048, 2048), (2048, 10)] == sizes


def test_net_c_does_not_see_the_differential() -> None:
    assert (65, 64) == (linear(net_a())[0].in_features, linear(net_c())[0].in_features)


@pytest.mark.parametrize("inputs", [64, 400])
def test_xavier_has_variance_one_over_the_inputs(inputs: int) -> None:
    torch.manual_seed(1)
    weights = linear(fully_linked(inputs, [1000], "xavier"))[0].weight

    assert 1 == pytest.approx(inputs * float(weights.detach().var()), rel=0.05)


def test_a_gaussian_does_not_look_at_the_inputs() -> None:
    torch.manual_seed(1)
    for layer in linear(fully_linked(400, [1000], "gaussian")):
        assert pytest.approx(float(layer.weight.detach().std()), rel=0.05) == GAUSSIAN


def test_steps_can_tell_any_piece_from_any_other() -> None:
    first = linear(fully_linked(64, [64 * 12], "steps"))[0]
    boards = torch.zeros(13, 64)
    boards[:, 5] = torch.arange(13.0)
    seen = torch.relu(first(boards))[:, 5 * 12 : 6 * 12].detach()  # 13 pieces on f1, 12 steps

    assert 12 == torch.linalg.matrix_rank(seen - seen[0])


def test_all_positions_are_alike_to_a_new_deep_pink() -> None:
    assert 0 == float(deep_pink([8])(torch.rand(4, 768)).abs().max().detach())


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ([0.0, 0.0, 1.0], [0.0, 0.0, 0.0]),  # the move not played leaves the opponent better off
        ([0.5, -0.5, 0.0], [0.5, 0.5, 1.0]),  # what the mover has, the opponent lacks after the move
    ],
)
def test_the_objective_of_deep_pink(better: list[float], worse: list[float]) -> None:
    first, second = objective(torch.tensor([better, worse]))

    assert first < second


def test_the_objective_is_that_of_equation_1() -> None:
    p, q, r, kappa = 0.3, -0.7, 0.4, 2.0

    def log_s(x: float) -> float:
        return -math.log(1 + math.exp(-x))

    wanted = log_s(-q + r) + log_s(kappa * (p + q)) + log_s(-kappa * (p + q))  # the paper's f is minus our value
    assert -wanted == pytest.approx(float(objective(torch.tensor([[p, q, r]]), kappa)))
    assert 3 * LN_2 == pytest.approx(float(objective(torch.zeros(1, 3))))
