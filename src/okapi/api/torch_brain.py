"""A torch network as a brain: evaluated in batches under the search, and saved where a brain file can hold it."""

import json
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from okapi.api.brain import Brain
from okapi.brains import ModelCard
from okapi.brains.evaluation import BATCH, Convolutional
from okapi.brains.files import brain_file
from okapi.brains.output import Output
from okapi.core import Evaluator, Position, RawBrain, version
from okapi.core.networks import Network
from okapi.core.packed import POSITION, pack
from okapi.encodings import find_encoding
from okapi.errors import InvalidBrain, UsageError
from okapi.models.express import Expressed, express
from okapi.players import AlphaBeta, Player


class TorchBrain(Brain):
    """See Brain.from_torch."""

    def __init__(self, module: nn.Module, encoding: str, name: str, view: str) -> None:
        self._module, self._encoding, self._output = module, find_encoding(encoding), Output(form="score", view=view)
        shapes = {key: tuple(tensor.shape) for key, tensor in module.state_dict().items()}
        weights = sum(parameter.numel() for parameter in module.parameters())
        known = {"name": name, "kind": "torch", "encoding": encoding}
        metadata, path = {**known, "output": self._described()}, Path(f"{name}.safetensors")
        super().__init__(
            ModelCard(**known, path=path, size=4 * weights, weights=weights, tensors=shapes, metadata=metadata)
        )
        try:
            self._values(pack([Position(), Position()]))
        except (RuntimeError, TypeError, ValueError) as error:
            shape = " x ".join(map(str, self._encoding.shape))
            raise UsageError(
                f"the network cannot evaluate arrays of {encoding}, n x {shape}: {error}",
                hint="`okapi encode --list` shows the encodings; nn.Flatten() makes planes a row of numbers",
            ) from error

    def evaluator(self) -> Evaluator:
        """With the weights as they are now, by the core, where a brain file can hold the network; else by torch."""
        try:
            expressed = self._expressed()
        except UsageError:
            return Evaluator.from_packed(self._fill)
        if _is_dense(expressed):
            return Evaluator.from_brain(RawBrain.from_bytes(self._file()))
        network = Network(expressed.layers, expressed.tensors, self._encoding.shape, outputs=self._output.width)
        return Convolutional(self._encoding, self._output, network).evaluator()

    def player(self) -> Player:
        """A search that evaluates by torch: further training counts at once."""
        return AlphaBeta(evaluate=Evaluator.from_packed(self._fill))

    def _expressed(self) -> Expressed:
        """The network as a brain file has it; UsageError if it cannot."""
        layers = _flat(self._module)
        if layers is None:
            raise UsageError(
                f"a {type(self._module).__name__} cannot be written into a brain file",
                hint="an nn.Sequential of dense and convolutional layers can; keep others in your own file, and make "
                "the brain with Brain.from_torch again",
            )
        if len(self._encoding.shape) == 1 and isinstance(layers[0], nn.Flatten):
            layers = layers[1:]
        return express(nn.Sequential(*layers))

    def _file(self) -> bytes:
        expressed = self._expressed()
        kind = "perceptron" if _is_dense(expressed) else "convolutional"
        metadata = {"name": self.name, "kind": kind, "encoding": self._encoding.name}
        metadata |= {"layers": json.dumps(expressed.layers), "output": self._described()}
        metadata |= {"made_with": f"okapi {version}", "recipe": "Brain.from_torch"}
        return brain_file(metadata, expressed.tensors)

    def _described(self) -> str:
        return json.dumps({"form": self._output.form, "view": self._output.view})

    def _values(self, positions: NDArray[np.void]) -> NDArray[np.float64]:
        return self._output.expected(self._answers(positions), positions["turn"])

    def _fill(self, rows: NDArray[np.uint8], values: NDArray[np.int32]) -> None:
        """What the search calls: rows of packed positions in, centipawns out."""
        positions = rows.view(POSITION)[:, 0]
        values[:] = np.rint(self._output.centipawns(self._answers(positions), positions["turn"]))

    def _answers(self, positions: NDArray[np.void]) -> NDArray[np.float32]:
        """The network's outputs in evaluation mode, n x 1."""
        training = [module for module in self._module.modules() if module.training]
        self._module.eval()
        try:
            with torch.inference_mode():
                parts = [self._batch(positions[begin : begin + BATCH]) for begin in range(0, len(positions), BATCH)]
        finally:
            for module in training:
                module.training = True
        answers = np.concatenate([np.zeros((0, 1), np.float32), *parts])
        if not np.isfinite(answers).all():
            raise InvalidBrain("the network gives numbers that are not finite", hint="train it again")
        return answers

    def _batch(self, positions: NDArray[np.void]) -> NDArray[np.float32]:
        device = next(self._module.parameters(), torch.zeros(())).device
        seen = torch.from_numpy(self._encoding.encode_many(positions, np.float32))
        found = self._module(seen.to(device))
        if found.numel() != len(seen):
            raise UsageError(
                f"the network answers an array of shape {tuple(found.shape)} for {len(seen)} positions",
                hint="it has to answer one value for each: end it with nn.Linear(…, 1) and nn.Sigmoid()",
            )
        return np.asarray(found.float().reshape(-1, 1).cpu().numpy())


def _is_dense(expressed: Expressed) -> bool:
    return all(layer["do"] == "dense" for layer in expressed.layers)


def _flat(module: nn.Module) -> list[nn.Module] | None:
    """The layers of an nn.Sequential, which may hold others; None for another module."""
    if not isinstance(module, nn.Sequential):
        return None
    return [layer for part in module for layer in (_flat(part) or [part])]
