"""Deep Pink (E. Bernhardsson, 2014): a value for the mover that is learned from moves alone, without any teacher.

Triplets (p, q, r): a position, the one after the move that a person played, and one after another legal move. Whoever
moved chose q, so it should be better for him than r; and he expected to come there, so p and q should be worth as much.
"""

from collections.abc import Sequence
from typing import Final

from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from okapi.models.perceptron import perceptron

__all__ = ["KAPPA", "deep_pink", "objective"]

KAPPA: Final = 1.0
"""How strictly parents and children have to agree."""


def deep_pink(hidden: Sequence[int] = (2048, 2048, 2048), inputs: int = 768) -> nn.Sequential:
    """Numbers of a position, rectified layers, and one number without a bound: (batch, inputs) → (batch, 1).

    The last layer begins with nothing, so that at first all positions are alike.
    """
    network = perceptron(inputs, hidden, 1)
    *inner, last = (layer for layer in network if isinstance(layer, nn.Linear))
    for layer in inner:
        nn.init.xavier_uniform_(layer.weight)
        nn.init.zeros_(layer.bias)
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    return network


def objective(values: Tensor, kappa: float = KAPPA) -> Tensor:
    """Equation 1, turned round to be small: (batch, 3) values of p, q and r, each for its mover → (batch,).

    The paper's f is good for whoever has just moved, so f is minus the value for the mover; and it prints neither the
    sigmoid of its second and third terms nor the plus between them, which Deep Pink has.

    >>> import torch
    >>> objective(torch.tensor([[0.5, -0.5, 2.0]])) < objective(torch.tensor([[0.5, -0.5, -2.0]]))
    tensor([True])
    """
    p, q, r = values.unbind(dim=1)
    agreement = kappa * (p + q)
    return -(logsigmoid(r - q) + logsigmoid(agreement) + logsigmoid(-agreement))
