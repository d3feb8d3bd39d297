"""Nets A, B and C of J. Sheehan, Neural Networks for Chess State Evaluation, 2016, and Deep Pink, which net B follows.

Figure 7, which drew their layers, is lost. The text says that net B follows Deep Pink, three inner product layers of
2048, that all three are fully linked, and that some designs had rectifiers; of A and C it says no more.

Deep Pink (E. Bernhardsson, 2014) learns a value for the mover from moves alone. Its samples are triplets (p, q, r): a
position, the one after the move that was played, and one after another legal move. The mover preferred q to r, so q
should be better for him; and he expected q, so p and q should have the same value.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from okapi.models.perceptron import perceptron

BUCKETS: Final = 10
STEPS: Final = 12  # between the thirteen things that a square may hold
GAUSSIAN: Final = 0.01  # the standard deviation of a Gaussian initialisation; the paper does not give it


def gaussian(layer: nn.Linear) -> None:
    """Independent draws from one Gaussian, whatever the size of the layer."""
    nn.init.normal_(layer.weight, std=GAUSSIAN)
    nn.init.zeros_(layer.bias)


def xavier(layer: nn.Linear) -> None:
    """Section 4.5.2: as the Gaussian, with n Var(W) = 1 for n inputs."""
    nn.init.normal_(layer.weight, std=layer.in_features**-0.5)
    nn.init.zeros_(layer.bias)


def steps(layer: nn.Linear) -> None:
    """Beyond the paper: a first layer that tells pieces apart from the beginning; others as xavier().

    Rectified steps x - k of a square's number, for k from 0 to 11, add up to any function of what stands there.
    """
    xavier(layer)
    if layer.in_features not in (64, 65) or layer.out_features < 64 * STEPS:
        return
    layer.weight.data[: 64 * STEPS] = torch.eye(64, layer.in_features).repeat_interleave(STEPS, dim=0)
    layer.bias.data[: 64 * STEPS] = -torch.arange(float(STEPS)).repeat(64)


STARTS: Final[dict[str, Callable[[nn.Linear], None]]] = {"gaussian": gaussian, "xavier": xavier, "steps": steps}


def net_a(hidden: Sequence[int] = (512, 256), start: str = "xavier", **how: Any) -> nn.Sequential:
    """The most accurate: 64 squares and the piece differential."""
    return fully_linked(65, hidden, start, **how)


def net_b(hidden: Sequence[int] = (2048, 2048, 2048), start: str = "gaussian", **how: Any) -> nn.Sequential:
    """Modelled after Deep Pink: 64 squares and the piece differential."""
    return fully_linked(65, hidden, start, **how)


def net_c(hidden: Sequence[int] = (512, 256), start: str = "xavier", **how: Any) -> nn.Sequential:
    """The most accurate on raw boards: 64 squares."""
    return fully_linked(64, hidden, start, **how)


def fully_linked(inputs: int, hidden: Sequence[int], start: str, **how: Any) -> nn.Sequential:
    """A perceptron (batch, inputs) → (batch, 10) whose weights begin as the paper says; `how` is perceptron()'s."""
    network = perceptron(inputs, hidden, BUCKETS, **how)
    for layer in network:
        if isinstance(layer, nn.Linear):
            STARTS[start](layer)
    return network


def deep_pink(hidden: Sequence[int] = (2048, 2048, 2048), inputs: int = 768) -> nn.Sequential:
    """Rectified layers and one number without a bound, at first 0 for all positions: (batch, inputs) → (batch, 1)."""
    network = perceptron(inputs, hidden, 1)
    layers = [layer for layer in network if isinstance(layer, nn.Linear)]
    for layer in layers:
        nn.init.xavier_uniform_(layer.weight)
        nn.init.zeros_(layer.bias)
    nn.init.zeros_(layers[-1].weight)
    return network


def objective(values: Tensor, kappa: float = 1.0) -> Tensor:
    """Equation 1, negated to be minimised: (batch, 3) values of p, q and r, each for its mover → (batch,).

    The paper's f is good for whoever has just moved, so f is minus the value for the mover; and it prints neither the
    sigmoid of its second and third terms nor the plus between them, which Deep Pink has.

    >>> import torch
    >>> objective(torch.tensor([[0.5, -0.5, 2.0]])) < objective(torch.tensor([[0.5, -0.5, -2.0]]))
    tensor([True])
    """
    p, q, r = values.unbind(dim=1)
    agreement = kappa * (p + q)
    return -(logsigmoid(r - q) + logsigmoid(agreement) + logsigmoid(-agreement))
