"""Giraffe's evaluator (M. Lai, 2015, section 4.2): a first layer that keeps three modalities apart, joined by a second.

The thesis gives no sizes; Giraffe's code of September 2015 has 19, 11, 7 and 64 nodes, that of November 19, 44, 26, 64.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from okapi.errors import UsageError, WrongBrain
from okapi.models.layers import arrays_of
from okapi.models.perceptron import perceptron

GIRAFFE: Final = "giraffe"

MODALITIES: Final = {"position": 19, "pieces": 216, "squares": 128}  # numbers of features, in order
VIEWS: Final = {"giraffe-363": "white", "giraffe-363-mover": "mover"}  # whose value it gives, by encoding


class Giraffe(nn.Module):
    """Features of a position, [n, 363], to z, [n]: tanh(z) is twice the expected score less 1.

    >>> sum(weights.numel() for weights in Giraffe().parameters())
    19107
    """

    def __init__(self, position: int = 19, pieces: int = 44, squares: int = 26, hidden: int = 64) -> None:
        super().__init__()
        sizes = {"position": position, "pieces": pieces, "squares": squares}
        self.position, self.pieces, self.squares = (nn.Linear(MODALITIES[name], size) for name, size in sizes.items())
        self.joined = nn.Linear(sum(sizes.values()), hidden)
        self.output = nn.Linear(hidden, 1)

    def forward(self, features: Tensor) -> Tensor:
        position, pieces, squares = features.split([*MODALITIES.values()], dim=1)
        seen = [self.position(position), self.pieces(pieces), self.squares(squares)]
        joined = torch.relu(self.joined(torch.relu(torch.cat(seen, dim=1))))
        z: Tensor = self.output(joined)[:, 0]
        return z


def giraffe_brain(model: Giraffe, card: Mapping[str, str], *, encoding: str = "giraffe-363-mover") -> bytes:
    """The bytes of a brain with this network. `card` has the name, the recipe and further entries.

    >>> brain = giraffe_brain(Giraffe(), {"name": "mine"})
    >>> open_giraffe(brain).joined.weight.shape
    torch.Size([64, 89])
    """
    from okapi.brains.files import brain_file

    if encoding not in VIEWS:
        raise WrongBrain(f"a giraffe does not read `{encoding}`", hint=f"it reads {' or '.join(VIEWS)}")
    layers = [
        {"do": "dense", "name": name, "activation": "tanh" if name == "output" else "relu"}
        for name, _ in model.named_children()
    ]
    output = json.dumps({"form": "tanh", "view": VIEWS[encoding]})
    entries = {"kind": GIRAFFE, "encoding": encoding, "layers": json.dumps(layers), "output": output}
    return brain_file({**card, **entries}, arrays_of(model))


def open_giraffe(brain: Path | bytes) -> Giraffe:
    """Read the network of a giraffe brain, a file or its bytes; raises WrongBrain for other kinds."""
    from okapi.brains.files import read_tensors, tensors_of

    tensors = tensors_of(brain) if isinstance(brain, bytes) else read_tensors(brain)
    try:
        sizes = {name: len(tensors[f"{name}.bias"]) for name in MODALITIES}
        model = Giraffe(**sizes, hidden=len(tensors["joined.bias"]))
        model.load_state_dict({name: torch.from_numpy(tensor.copy()) for name, tensor in tensors.items()})
    except (KeyError, RuntimeError, TypeError):
        raise WrongBrain("this brain is no giraffe", hint="`okapi brains show FILE` says what it is") from None
    return model


class Apart(nn.Linear):
    """A block-diagonal dense layer: each kind of features has neurons of its own. Weights outside the blocks stay 0."""

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
        return int(self.within.sum()) + len(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.weight * self.within, self.bias)


def apart(neurons: Sequence[int], hidden: int, features: Sequence[int] = (*MODALITIES.values(),)) -> nn.Sequential:
    """Kinds of features are joined in the second layer; the output is an expected score.

    The thesis ends with y = tanh(z), which is 2 · sigmoid(2z) - 1: the same network, scaled to 0..1.

    >>> sum(layer.size for layer in apart([19, 44, 26], 64) if isinstance(layer, Apart))
    13282
    """
    return nn.Sequential(Apart(features, neurons), nn.ReLU(), *perceptron(sum(neurons), [hidden], 1, last="sigmoid"))


def together(inputs: int, hidden: Sequence[int]) -> nn.Sequential:
    """A dense first layer over all features; planes are flattened. The output is an expected score."""
    return nn.Sequential(nn.Flatten(), *perceptron(inputs, hidden, 1, last="sigmoid"))
