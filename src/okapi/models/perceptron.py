"""Dense layers, one after another."""

from collections.abc import Sequence

from torch import nn

from okapi.models.layers import activation


def perceptron(
    inputs: int,
    hidden: Sequence[int],
    outputs: int,
    act: str = "relu",
    last: str | None = None,
    dropout: float = 0.0,
    normalise: bool = False,
) -> nn.Sequential:
    """A perceptron; `last` is the activation of its outputs, if any.

    >>> sum(weights.numel() for weights in perceptron(768, [1048, 500, 50], 3).parameters())
    1355615
    """
    layers: list[nn.Module] = []
    width = inputs
    for neurons in hidden:
        layers.append(nn.Linear(width, neurons))
        layers += [nn.BatchNorm1d(neurons)] if normalise else []
        layers.append(activation(act))
        layers += [nn.Dropout(dropout)] if dropout else []
        width = neurons
    layers.append(nn.Linear(width, outputs))
    layers += [activation(last)] if last else []
    return nn.Sequential(*layers)
