"""Perceptrons as pupils: sabatelli2018's, sheehan2016's Net A, and all that `okapi train` makes of dense layers."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from okapi.brains.card import ModelCard
from okapi.brains.output import Output
from okapi.brains.writing import brain_file
from okapi.encodings import find_encoding
from okapi.errors import WrongBrain
from okapi.models.express import Expressed, express, restore
from okapi.models.parts import activation
from okapi.training.tdleaf.errors import CENTIPAWNS

__all__ = ["PerceptronPupil"]

CLOSEST: Final = 1e-5
"""How near to a certain win or loss an expected score may come, so that its logarithm is finite."""


class PerceptronPupil:
    """A brain of dense layers, read as its card says."""

    def __init__(self, told: ModelCard, tensors: Mapping[str, NDArray[np.float32]]) -> None:
        details = told.details()
        if told.predicts_moves or "output" not in told.metadata:
            raise WrongBrain(f"brain `{told.name}` does not judge positions", hint="choose one with a value")
        self._kept = dict(told.metadata)
        self._encoding = find_encoding(told.encoding)
        self._output = Output.read(told.metadata["output"])
        self.module = _network(Expressed(details["layers"], tensors))
        self._worth = torch.tensor(self._output.values)

    def values(self, positions: NDArray[np.void], *, threads: int = 1) -> Tensor:
        """As Pupil says."""
        seen = self._encoding.encode_many(positions, np.float32, threads=threads)
        z = self._read(self.module(torch.from_numpy(seen.reshape(len(seen), -1))))
        if self._output.view == "mover":
            return z
        return z * torch.from_numpy(np.where(positions["turn"] == 0, 1, -1).astype(np.float32))

    def brain(self, card: Mapping[str, str]) -> bytes:
        """As Pupil says."""
        return brain_file({**self._kept, **card}, express(self.module).tensors)

    def _read(self, answers: Tensor) -> Tensor:
        """z of what the network says."""
        output = self._output
        if output.form == "number":
            return (output.low + (output.high - output.low) * answers[:, 0]) / CENTIPAWNS
        score = answers.softmax(dim=1) @ self._worth if output.form == "classes" else answers[:, 0]
        score = score.clamp(CLOSEST, 1 - CLOSEST)
        return (score.log() - (1 - score).log()) / 2


def _network(expressed: Expressed) -> nn.Sequential:
    """The layers that a card lists, with their weights."""
    modules: list[nn.Module] = []
    for layer in expressed.layers:
        outputs, inputs = expressed.tensors[f"{layer['name']}.weight"].shape
        modules.append(nn.Linear(inputs, outputs))
        modules += [] if layer["activation"] == "none" else [activation(layer["activation"])]
    model = nn.Sequential(*modules)
    restore(model, expressed)
    return model
