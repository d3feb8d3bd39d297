"""Layers that several networks share: activations, residual blocks, and the policy head over pairs of squares."""

import math
from collections.abc import Callable
from typing import Any, Final

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from okapi.errors import UsageError, did_you_mean

ACTIVATIONS: Final[dict[str, Callable[[], nn.Module]]] = {
    "relu": nn.ReLU,
    "elu": nn.ELU,
    "tanh": nn.Tanh,
    "sigmoid": nn.Sigmoid,
}


def activation(name: str) -> nn.Module:
    if name not in ACTIVATIONS:
        raise UsageError(f"no activation `{name}`", hint=did_you_mean(name, ACTIVATIONS))
    return ACTIVATIONS[name]()


def arrays_of(network: nn.Module) -> dict[str, NDArray[Any]]:
    """The weights of a network."""
    return {name: tensor.detach().cpu().float().numpy() for name, tensor in network.state_dict().items()}


class Residual(nn.Module):
    """Two 3 x 3 convolutions beside a skip connection: act(x + g * conv(act(conv(x)))).

    With `squeeze`, g is a weight a channel that two dense layers make of its mean (squeeze and excitation); without, 1.
    """

    def __init__(self, channels: int, squeeze: int | None = None, act: str = "relu") -> None:
        super().__init__()
        self.act = activation(act)
        self.first = nn.Conv2d(channels, channels, 3, padding="same", bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding="same", bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self.squeeze = None if squeeze is None else nn.Linear(channels, squeeze)
        self.excite = None if squeeze is None else nn.Linear(squeeze, channels)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.second_norm(self.second(self.act(self.first_norm(self.first(x)))))
        if self.squeeze is not None and self.excite is not None:
            gate = torch.sigmoid(self.excite(torch.relu(self.squeeze(found.mean(dim=(2, 3))))))  # batch channels
            found = found * gate[:, :, None, None]
        answer: Tensor = self.act(x + found)
        return answer


class FromTo(nn.Module):
    """4096 logits at 64 · from + to: as in attention, the product of one square's query and the other's key."""

    def __init__(self, channels: int, width: int) -> None:
        super().__init__()
        self.query = nn.Conv2d(channels, width, 1)
        self.key = nn.Conv2d(channels, width, 1)
        self.scale = 1 / math.sqrt(width)

    def forward(self, x: Tensor) -> Tensor:
        queries = self.query(x).flatten(2).transpose(1, 2)  # batch 64 width
        keys = self.key(x).flatten(2)  # batch width 64
        return (torch.bmm(queries, keys) * self.scale).flatten(1)
