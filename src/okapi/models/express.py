"""A network as layers and tensors, to be run without torch; docs/howto/training.md lists the layers."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from okapi.errors import UsageError
from okapi.models.layers import ACTIVATIONS, FromTo, Residual


@dataclass(frozen=True, slots=True)
class Expressed:
    """Layers and tensors of a network, as a brain stores them."""

    layers: list[dict[str, Any]]  # in order; JSON
    tensors: Mapping[str, NDArray[np.float32]]  # NAME.weight and NAME.bias of named layers, in PyTorch's layout


NAMES: Final = {type(make()): name for name, make in ACTIVATIONS.items()}
FUNCTIONS: Final[dict[str, Callable[[Tensor], Tensor]]] = {
    name: make() for name, make in ({"none": nn.Identity} | ACTIVATIONS).items()
}


def express(model: nn.Sequential) -> Expressed:
    """The network in evaluation mode: without dropout, batch normalisation folded into the layer before it.

    >>> from okapi.models.perceptron import perceptron
    >>> express(perceptron(64, [10], 3)).layers
    [{'do': 'dense', 'name': '1', 'activation': 'relu'}, {'do': 'dense', 'name': '2', 'activation': 'none'}]
    """
    writer = _Writer(model)
    return Expressed(writer.layers, writer.tensors)


@torch.no_grad()
def restore(model: nn.Sequential, expressed: Expressed) -> None:
    """Load weights into a network of the same layers, so that in evaluation mode outputs are the same: UsageError.

    Batch normalisation, which was folded, only adds the bias. Where this network has two dense layers without an
    activation between them in place of one, they become the best approximation of that one by their product.
    """
    writer = _Writer(model)
    expressed = _factored(expressed, writer)
    if writer.layers != expressed.layers:
        sizes = f"a network of {len(writer.layers)} layers cannot take up another one, of {len(expressed.layers)}"
        raise UsageError(sizes, hint="model and arguments have to be those of the network that it starts from")
    for name, tensor in writer.tensors.items():
        found = expressed.tensors.get(name)
        if found is None or found.shape != tensor.shape:
            shape = "none" if found is None else found.shape
            raise UsageError(f"the network that it starts from has {shape} where `{name}` is {tensor.shape}")
    for name, module in writer.modules.items():
        weight, bias = (torch.from_numpy(np.array(expressed.tensors[f"{name}.{what}"])) for what in ("weight", "bias"))
        module.weight.copy_(weight)
        if (norm := writer.norms.get(name)) is not None:  # it only adds the bias
            assert norm.running_mean is not None and norm.running_var is not None
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0 - norm.eps)
            norm.weight.fill_(1.0)
            norm.bias.copy_(bias)
            bias = torch.zeros_like(bias)
        if module.bias is not None:
            module.bias.copy_(bias)


def _factored(expressed: Expressed, writer: "_Writer") -> Expressed:
    """The network with one dense layer split in two by its singular values, if the writer's has such a pair instead."""
    pairs = enumerate(zip(expressed.layers, writer.layers, strict=False))
    at = next((at for at, (one, first) in pairs if one != first), len(writer.layers))
    there = [_kind(layer) for layer in writer.layers]
    if there[at : at + 1] != [("dense", "none")] or there[:at] + there[at + 1 :] != [*map(_kind, expressed.layers)]:
        return expressed
    number = int(expressed.layers[at]["name"])
    rank = len(writer.tensors[f"{number}.weight"])
    weight = expressed.tensors[f"{number}.weight"].astype(np.float64)
    left, sizes, right = np.linalg.svd(weight, full_matrices=False)
    roots = np.sqrt(sizes[:rank])
    tensors = {}
    for name, tensor in expressed.tensors.items():
        layer, what = name.split(".")
        tensors[f"{int(layer) + (int(layer) >= number)}.{what}"] = tensor
    tensors[f"{number}.weight"] = (roots[:, np.newaxis] * right[:rank]).astype(np.float32)
    tensors[f"{number}.bias"] = np.zeros(rank, np.float32)
    tensors[f"{number + 1}.weight"] = (left[:, :rank] * roots).astype(np.float32)
    return Expressed(writer.layers, tensors)


def _kind(layer: Mapping[str, Any]) -> tuple[str, str]:
    return layer["do"], layer.get("activation", "")


def rebuilt(expressed: Expressed, device: torch.device | str = "cpu") -> Callable[[Tensor], Tensor]:
    """The function of layers and tensors in torch: the slow twin of C++ and ONNX."""
    tensors = {name: torch.from_numpy(np.array(values)).to(device) for name, values in expressed.tensors.items()}

    return lambda x: reduce(lambda seen, layer: _apply(layer, tensors, seen), expressed.layers, x)


class _Writer:
    def __init__(self, model: nn.Sequential) -> None:
        self.layers: list[dict[str, Any]] = []
        self.tensors: dict[str, NDArray[np.float32]] = {}
        self.modules: dict[str, nn.Linear | nn.Conv2d] = {}
        self.norms: dict[str, nn.BatchNorm1d | nn.BatchNorm2d] = {}
        """Batch normalisations, by the name of the module they were folded into."""
        for module in model:
            self.write(module)

    def write(self, module: nn.Module) -> None:
        match module:
            case nn.Linear() | nn.Conv2d():
                do = "dense" if isinstance(module, nn.Linear) else "convolve"
                self.layers.append({"do": do, "name": self._name(module), "activation": "none"})
            case nn.BatchNorm1d() | nn.BatchNorm2d():
                where = "batch normalisation has to stand between a dense or convolutional layer and its activation"
                self._fold(self._last(where)["name"], module)
            case Residual():
                self._write_residual(module)
            case FromTo():
                self.layers.append({"do": "from-to", "names": [self._name(module.query), self._name(module.key)]})
            case nn.Flatten():
                self.layers.append({"do": "flatten"})
            case nn.Dropout():
                pass
            case _ if type(module) in NAMES:
                where = f"a {type(module).__name__} has to follow a dense or convolutional layer"
                self._last(where)["activation"] = NAMES[type(module)]
            case _:
                raise UsageError(
                    f"a network with a {type(module).__name__} cannot be written down",
                    hint="it may have dense and convolutional layers, batch normalisation, activations, dropout, "
                    "flattening, residual blocks and pairs of squares",
                )

    def _last(self, complaint: str) -> dict[str, Any]:
        """The last layer, if it has no activation yet: UsageError."""
        if not self.layers or self.layers[-1].get("activation") != "none":
            raise UsageError(complaint)
        return self.layers[-1]

    def _name(self, module: nn.Linear | nn.Conv2d) -> str:
        """Store the module's tensors under a new name."""
        name = str(len(self.modules) + 1)
        self.modules[name] = module
        self.tensors[f"{name}.weight"] = _array(module.weight)
        bias = torch.zeros(len(module.weight)) if module.bias is None else module.bias
        self.tensors[f"{name}.bias"] = _array(bias)
        return name

    def _fold(self, name: str, norm: nn.BatchNorm1d | nn.BatchNorm2d) -> None:
        if norm.running_mean is None or norm.running_var is None:
            raise UsageError("batch normalisation without running statistics cannot be folded")
        self.norms[name] = norm
        parts = (norm.running_mean, norm.running_var, norm.weight, norm.bias)
        mean, variance, factor, bias = (part.detach().cpu().double() for part in parts)
        scale = factor / (variance + norm.eps).sqrt()
        weight, before = (torch.from_numpy(self.tensors[f"{name}.{what}"]).double() for what in ("weight", "bias"))
        self.tensors[f"{name}.weight"] = _array(weight * scale.view(-1, *[1] * (weight.dim() - 1)))
        self.tensors[f"{name}.bias"] = _array(before * scale + (bias - mean * scale))

    def _write_residual(self, block: Residual) -> None:
        names = [self._name(block.first), self._name(block.second)]
        for name, norm in zip(names, (block.first_norm, block.second_norm), strict=True):
            self._fold(name, norm)
        layer: dict[str, Any] = {"do": "residual", "names": names, "activation": NAMES[type(block.act)]}
        if block.squeeze is not None and block.excite is not None:
            layer["squeeze"] = [self._name(block.squeeze), self._name(block.excite)]
        self.layers.append(layer)


def _apply(layer: Mapping[str, Any], tensors: Mapping[str, Tensor], x: Tensor) -> Tensor:
    act = FUNCTIONS[layer.get("activation", "none")]
    match layer["do"]:
        case "dense":
            return act(functional.linear(x, *_of(tensors, layer["name"])))
        case "convolve":
            return act(functional.conv2d(x, *_of(tensors, layer["name"]), padding="same"))
        case "flatten":
            return x.flatten(start_dim=1)
        case "residual":
            first, second = (_of(tensors, name) for name in layer["names"])
            found = functional.conv2d(act(functional.conv2d(x, *first, padding="same")), *second, padding="same")
            if "squeeze" in layer:
                squeeze, excite = (_of(tensors, name) for name in layer["squeeze"])
                hidden = torch.relu(functional.linear(found.mean(dim=(2, 3)), *squeeze))
                found = found * torch.sigmoid(functional.linear(hidden, *excite))[:, :, None, None]
            return act(x + found)
        case "from-to":
            query, key = (functional.conv2d(x, *_of(tensors, name)).flatten(2) for name in layer["names"])
            return (query.transpose(1, 2) @ key / math.sqrt(query.shape[1])).flatten(1)
    raise UsageError(f"no layer does `{layer['do']}`")


def _of(tensors: Mapping[str, Tensor], name: str) -> tuple[Tensor, Tensor]:
    return tensors[f"{name}.weight"], tensors[f"{name}.bias"]


def _array(tensor: Tensor) -> NDArray[np.float32]:
    return np.array(tensor.detach().cpu().numpy(), np.float32)
