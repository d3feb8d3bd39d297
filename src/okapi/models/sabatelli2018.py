"""The four networks of sabatelli2018, section 3.2: three perceptrons and one small convolutional network.

Outputs are raw; `shrink` divides the numbers of units. docs/explanation/sabatelli2018.md lists what is left open.
"""

from typing import Any

from torch import nn

from okapi.models.perceptron import perceptron

INPUTS = 768
CHANNELS, SQUARES = 12, 64


def mlp_1(
    outputs: int = 3, shrink: int = 1, dropout: float = 0.2, squashed: bool = False, inputs: int = INPUTS
) -> nn.Sequential:
    """For dataset 1: 1048, 500 and 50 rectified units, dropout of a fifth; `squashed` outputs are expected scores."""
    return _perceptron(inputs, (1048, 500, 50), shrink, outputs, last="sigmoid" if squashed else None, dropout=dropout)


def mlp_2(outputs: int = 15, shrink: int = 1) -> nn.Sequential:
    """For datasets 2 and 3: 2048, 2048 and 1050 units, exponential below zero; dropout as before."""
    return _perceptron(INPUTS, (2048, 2048, 1050), shrink, outputs, act="elu", dropout=0.2)


def mlp_4(outputs: int = 1, shrink: int = 1, dropout: float = 0.0, inputs: int = INPUTS) -> nn.Sequential:
    """For dataset 4: three times 2048 units with batch normalisation, and a linear answer."""
    return _perceptron(inputs, (2048,) * 3, shrink, outputs, act="elu", dropout=dropout, normalise=True)


def cnn(outputs: int = 3, shrink: int = 1, channels: int = CHANNELS) -> nn.Sequential:
    """For all datasets: 20 filters of 5x5, 50 of 3x3, 500 units. No pooling, no square lost at the border."""
    first, second, units = _shrunk((20, 50, 500), shrink)
    return nn.Sequential(
        nn.Conv2d(channels, first, 5, padding="same"),  # batch 20 8 8
        nn.BatchNorm2d(first),
        nn.ELU(),
        nn.Dropout(0.3),
        nn.Conv2d(first, second, 3, padding="same"),  # batch 50 8 8
        nn.BatchNorm2d(second),
        nn.ELU(),
        nn.Dropout(0.3),
        nn.Flatten(),  # batch 3200
        nn.Linear(second * SQUARES, units),
        nn.BatchNorm1d(units),
        nn.ELU(),
        nn.Dropout(0.3),
        nn.Linear(units, outputs),
    )


def _perceptron(inputs: int, hidden: tuple[int, ...], shrink: int, outputs: int, **how: Any) -> nn.Sequential:
    made = perceptron(inputs, _shrunk(hidden, shrink), outputs, **how)
    return nn.Sequential(nn.Flatten(), *made) if inputs > INPUTS else made


def _shrunk(hidden: tuple[int, ...], shrink: int) -> list[int]:
    return [-(-units // shrink) for units in hidden]
