"""Giraffe's evaluator (M. Lai, 2015, section 4.2): three modalities kept apart in the first layer, and joined later.

The thesis gives no sizes. Giraffe's code of September 2015 has 19, 11, 7 and 64 nodes, that of November 19, 44, 26 and
64. The network can be made where the core was never built; only its brains need that.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import torch
from torch import Tensor, nn

from okapi.errors import WrongBrain

__all__ = ["GIRAFFE", "Giraffe", "giraffe", "giraffe_brain", "open_giraffe"]

GIRAFFE: Final = "giraffe"
"""The kind of such a brain."""

MODALITIES: Final = {"position": 19, "pieces": 216, "squares": 128}
"""So many features of each, one after the other: okapi.encodings.lai2015 lists them."""

VIEWS: Final = {"giraffe-363": "white", "giraffe-363-mover": "mover"}
"""Whose value the network says, by the encoding that it reads."""


class Giraffe(nn.Module):
    """Features of a position, [n, 363], to z, [n]: tanh(z) is twice the expected score less 1."""

    def __init__(self, position: int, pieces: int, squares: int, hidden: int) -> None:
        super().__init__()
        sizes = {"position": position, "pieces": pieces, "squares": squares}
        self.position, self.pieces, self.squares = (nn.Linear(MODALITIES[name], size) for name, size in sizes.items())
        self.joined = nn.Linear(sum(sizes.values()), hidden)
        self.output = nn.Linear(hidden, 1)

    def forward(self, features: Tensor) -> Tensor:
        """[n, 363] to [n]."""
        position, pieces, squares = features.split([*MODALITIES.values()], dim=1)
        seen = [self.position(position), self.pieces(pieces), self.squares(squares)]
        joined = torch.relu(self.joined(torch.relu(torch.cat(seen, dim=1))))
        z: Tensor = self.output(joined)[:, 0]
        return z


def giraffe(position: int = 19, pieces: int = 44, squares: int = 26, hidden: int = 64) -> Giraffe:
    """A network whose weights are drawn as PyTorch draws them.

    >>> sum(weights.numel() for weights in giraffe().parameters())
    19107
    """
    return Giraffe(position, pieces, squares, hidden)


def giraffe_brain(model: Giraffe, card: Mapping[str, str], *, encoding: str = "giraffe-363-mover") -> bytes:
    """The network as a brain's file. `card` has the name, the recipe, and whatever else is to be said.

    >>> brain = giraffe_brain(giraffe(), {"name": "mine"})
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
    entries = {
        **card,
        "kind": GIRAFFE,
        "encoding": encoding,
        "layers": json.dumps(layers),
        "output": json.dumps({"form": "tanh", "view": VIEWS[encoding]}),
    }
    tensors = {name: tensor.detach().cpu().float().numpy() for name, tensor in model.state_dict().items()}
    return brain_file(entries, tensors)


def open_giraffe(brain: Path | bytes) -> Giraffe:
    """The network of a giraffe brain, a file or its bytes: WrongBrain where it is another kind of brain."""
    from okapi.brains.files import read_tensors, tensors_of

    tensors = tensors_of(brain) if isinstance(brain, bytes) else read_tensors(brain)
    try:
        sizes = {name: len(tensors[f"{name}.bias"]) for name in MODALITIES}
        model = Giraffe(**sizes, hidden=len(tensors["joined.bias"]))
        model.load_state_dict({name: torch.from_numpy(tensor.copy()) for name, tensor in tensors.items()})
    except (KeyError, RuntimeError, TypeError):
        raise WrongBrain("this brain is no giraffe", hint="`okapi brains show FILE` says what it is") from None
    return model
