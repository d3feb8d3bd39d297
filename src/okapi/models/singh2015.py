"""ConvChess: the networks of the thesis, and those that the author's program trained.

A. Singh, Convolutional Neural Networks learn to play Chess, 2015, sections 2.3 and 2.4.
"""

from collections.abc import Sequence

from torch import nn

from okapi.models.layers import activation

CHANNELS = (64, 96, 256)


def chessnet_1(
    planes: int,
    channels: Sequence[int] = CHANNELS,
    hidden: int = 1024,
    deviation: float | None = None,
    rank: int | None = None,
) -> nn.Sequential:
    """Figure 2.5: which piece is moved, or where to. A logit for each square.

    With `deviation`, weights begin as the author's program has them: normally distributed, biases at 0.1. With `rank`,
    the first dense layer, which has 98 % of the weights, is a product of two small ones.
    """
    network = _chessnet(planes, channels, hidden, 64, "relu", rank)
    if deviation is not None:
        for layer in network:
            if isinstance(layer, nn.Conv2d | nn.Linear):
                nn.init.normal_(layer.weight, std=deviation)
                assert layer.bias is not None
                nn.init.constant_(layer.bias, 0.1)
    return network


def chessnet_2(
    planes: int, channels: Sequence[int] = CHANNELS, hidden: int = 1024, rank: int | None = None
) -> nn.Sequential:
    """Figure 2.6: who wins, and how soon. A number from -1 to 1."""
    return nn.Sequential(*_chessnet(planes, channels, hidden, 1, "tanh", rank), nn.Tanh())


def score(planes: int, channels: Sequence[int] = CHANNELS, hidden: int = 1024) -> nn.Sequential:
    """The same layers for the expected score: a number from 0 to 1."""
    return nn.Sequential(*_chessnet(planes, channels, hidden, 1, "relu", None), nn.Sigmoid())


def as_coded(planes: int, channels: Sequence[int] = (96, 256, 384)) -> nn.Sequential:
    """What the author's program trained: wider convolutions, and no dense layer between them and the 64 squares."""
    return nn.Sequential(*_convolutions(planes, channels, "relu"), nn.Flatten(), nn.Linear(64 * channels[-1], 64))


def _chessnet(
    planes: int, channels: Sequence[int], hidden: int, outputs: int, act: str, rank: int | None
) -> nn.Sequential:
    inputs = 64 * channels[-1]
    dense = [nn.Linear(inputs, hidden)] if rank is None else [nn.Linear(inputs, rank), nn.Linear(rank, hidden)]
    inner = [*_convolutions(planes, channels, act), nn.Flatten(), *dense, activation(act)]
    return nn.Sequential(*inner, nn.Linear(hidden, outputs))


def _convolutions(planes: int, channels: Sequence[int], act: str) -> list[nn.Module]:
    layers: list[nn.Module] = []
    for below, above in zip((planes, *channels), channels, strict=False):
        layers += [nn.Conv2d(below, above, 3, padding="same"), activation(act)]
    return layers
