"""Residual convolutional networks on planes, with a value or class head, or a policy head over pairs of squares."""

from torch import nn

from okapi.models.layers import FromTo, Residual, activation


def resnet(
    planes: int,
    channels: int,
    blocks: int,
    outputs: int,
    squeeze: int | None = None,
    head: int = 32,
    hidden: int = 128,
    dropout: float = 0.0,
    last: str | None = None,
) -> nn.Sequential:
    """Blocks of two convolutions, then a head of `head` channels and one dense layer of `hidden` neurons."""
    layers = [
        *_trunk(planes, channels, blocks, squeeze),
        nn.Conv2d(channels, head, 1, padding="same", bias=False),
        nn.BatchNorm2d(head),
        nn.ReLU(),
        nn.Flatten(),  # batch head·64
        nn.Linear(64 * head, hidden),
        nn.ReLU(),
    ]
    layers += [nn.Dropout(dropout)] if dropout else []
    layers.append(nn.Linear(hidden, outputs))
    layers += [activation(last)] if last else []
    return nn.Sequential(*layers)


def from_to(planes: int, channels: int, blocks: int, squeeze: int | None = None, width: int = 64) -> nn.Sequential:
    """The trunk of `resnet` under a FromTo head: 4096 logits of moves."""
    return nn.Sequential(*_trunk(planes, channels, blocks, squeeze), FromTo(channels, width))


def _trunk(planes: int, channels: int, blocks: int, squeeze: int | None) -> list[nn.Module]:
    first = nn.Conv2d(planes, channels, 3, padding="same", bias=False)
    return [first, nn.BatchNorm2d(channels), nn.ReLU(), *(Residual(channels, squeeze) for _ in range(blocks))]
