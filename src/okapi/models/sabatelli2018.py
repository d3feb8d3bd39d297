"""The four networks of sabatelli2018, section 3.2: three perceptrons and one small convolutional network.

Outputs are raw: softmax belongs to the loss. `shrink` divides the numbers of units and filters, for quick trials.
docs/explanation/sabatelli2018.md lists what the section leaves open.
"""

from collections.abc import Callable

from torch import nn

INPUTS = 768
CHANNELS, SQUARES = 12, 64


def mlp_1(
    outputs: int = 3, shrink: int = 1, dropout: float = 0.2, squashed: bool = False, inputs: int = INPUTS
) -> nn.Sequential:
    """For dataset 1: 1048, 500 and 50 rectified units, dropout of a fifth.

    `squashed` outputs lie between 0 and 1, for expected scores.
    """
    made = _perceptron((1048, 500, 50), outputs, nn.ReLU, shrink=shrink, dropout=dropout, inputs=inputs)
    return made.append(nn.Sigmoid()) if squashed else made


def mlp_2(outputs: int = 15, shrink: int = 1) -> nn.Sequential:
    """For datasets 2 and 3: 2048, 2048 and 1050 units, exponential below zero; dropout as before."""
    return _perceptron((2048, 2048, 1050), outputs, nn.ELU, shrink=shrink, dropout=0.2)


def mlp_4(outputs: int = 1, shrink: int = 1, dropout: float = 0.0, inputs: int = INPUTS) -> nn.Sequential:
    """For dataset 4: three times 2048 units with batch normalisation, and a linear answer."""
    hidden = (2048, 2048, 2048)
    return _perceptron(hidden, outputs, nn.ELU, shrink=shrink, dropout=dropout, normalised=True, inputs=inputs)


def cnn(outputs: int = 3, shrink: int = 1, channels: int = CHANNELS) -> nn.Sequential:
    """For all datasets: 20 filters of 5x5, 50 of 3x3, 500 units. No pooling, no square lost at the border."""
    first, second, units = (-(-size // shrink) for size in (20, 50, 500))
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


def _perceptron(
    hidden: tuple[int, ...],
    outputs: int,
    activation: Callable[[], nn.Module],
    *,
    shrink: int,
    dropout: float = 0.0,
    normalised: bool = False,
    inputs: int = INPUTS,
) -> nn.Sequential:
    """Hidden layers with normalisation, activation and dropout, and a linear output layer; images are flattened."""
    layers: list[nn.Module] = [nn.Flatten()] if inputs > INPUTS else []
    width = inputs
    for units in (-(-size // shrink) for size in hidden):
        layers.append(nn.Linear(width, units))
        if normalised:
            layers.append(nn.BatchNorm1d(units))
        layers.append(activation())
        if dropout:
            layers.append(nn.Dropout(dropout))
        width = units
    return nn.Sequential(*layers, nn.Linear(width, outputs))
