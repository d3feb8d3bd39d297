"""A first layer that keeps kinds of features apart, as lai2015's section 4.2 does; and networks to compare it with."""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from okapi.errors import UsageError
from okapi.models.perceptron import perceptron

__all__ = ["GIRAFFE", "Apart", "apart", "together"]

GIRAFFE: Final = (19, 216, 128)
"""Features of giraffe-363: of the position, of its pieces, of its squares."""


class Apart(nn.Linear):
    """A dense layer in blocks: each kind of features has neurons of its own. What lies outside the blocks stays 0."""

    within: Tensor

    def __init__(self, features: Sequence[int], neurons: Sequence[int]) -> None:
        if len(features) != len(neurons):
            raise UsageError(f"{len(neurons)} groups of neurons for {len(features)} kinds of features")
        super().__init__(sum(features), sum(neurons))
        blocks = [nn.Linear(inputs, outputs) for inputs, outputs in zip(features, neurons, strict=True)]
        inside = torch.block_diag(*(torch.ones_like(block.weight) for block in blocks))
        self.register_buffer("within", inside, persistent=False)
        with torch.no_grad():
            self.weight.copy_(torch.block_diag(*(block.weight for block in blocks)))
            self.bias.copy_(torch.cat([block.bias for block in blocks]))

    @property
    def size(self) -> int:
        """Weights and biases that can be learned."""
        return int(self.within.sum()) + len(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        """Batch x features to batch x neurons."""
        return functional.linear(x, self.weight * self.within, self.bias)


def apart(neurons: Sequence[int], hidden: int, features: Sequence[int] = GIRAFFE) -> nn.Sequential:
    """Kinds of features meet in the second layer; the answer is an expected score.

    The thesis ends with y = tanh(z), which is 2 · sigmoid(2z) - 1: the same network, told from 0 to 1.

    >>> sum(layer.size for layer in apart([19, 44, 26], 64) if isinstance(layer, Apart))
    13282
    """
    return nn.Sequential(
        Apart(features, neurons),
        nn.ReLU(),
        nn.Linear(sum(neurons), hidden),
        nn.ReLU(),
        nn.Linear(hidden, 1),
        nn.Sigmoid(),
    )


def together(inputs: int, hidden: Sequence[int]) -> nn.Sequential:
    """Everything meets in the first layer; planes are read as one row of numbers. The answer is an expected score."""
    return nn.Sequential(nn.Flatten(), *perceptron(inputs, hidden, 1, last="sigmoid"))
