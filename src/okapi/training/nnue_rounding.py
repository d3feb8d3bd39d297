"""Rounding of an NNUE's output weights so that its values, not its weights, stay nearest to those in float.

Rounded one by one, errors of thousands of weights add up. Here each weight is set in turn to the integer that makes the
squared error of values on a sample of positions least, given all others; errors in expected score count.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from okapi.brains.nnue import FULL, UNIT, QuantisedNnue
from okapi.models.nnue import INPUTS, bucket_of, feature_lists
from okapi.training.nnue import LOGIT_CENTIPAWNS, NnueDataset

LEAST, MOST = 200, 20_000
"""Positions of an output: with fewer it stays as it is."""
PASSES: Final = 4
NEAR: Final = 1e-3
"""How much weights are drawn to those in float, as a share of the mean curvature."""
CERTAIN: Final = 0.05
"""What a position counts that is won or lost; an even one counts 1 more."""
AT_ONCE: Final = 4096

Numbers = NDArray[np.float64]


@torch.no_grad()
def fitted(network: QuantisedNnue, weights: Mapping[str, Tensor], scale: int, data: NnueDataset) -> QuantisedNnue:
    """The network with output weights and biases fitted to the values of `weights`, whose output of 1 is `scale`."""
    weight, bias = (torch.from_numpy(part.astype(np.float32)) / FULL for part in (network.weight, network.bias))
    outputs, biases = network.output_weight.copy(), network.output_bias.copy()
    bucket = bucket_of(data.codes, len(biases)).squeeze(1)
    larger = scale / network.scale  # than in float, as okapi.training.nnue_export.quantised makes them
    for number in range(len(biases)):
        chosen = data.take((bucket == number).nonzero().squeeze(1)[:MOST])
        if len(chosen) < LEAST:
            continue
        last = weights["output.weight"][number], weights["output.bias"][number]
        inputs, targets = [], []
        for chunk in chosen.chunks(AT_ONCE):
            inputs.append(_active(weight, bias, chunk))
            exact = _active(weights["accumulator.weight"], weights["accumulator.bias"], chunk)
            targets.append(exact @ last[0] + last[1])
        start = np.append(outputs[number] / UNIT, biases[number] / (FULL * UNIT))
        wanted = np.append(last[0].double().numpy(), float(last[1])) * larger
        counts = _counts(torch.cat(targets), scale)
        found = _descended(torch.cat(inputs), torch.cat(targets) * larger, counts, start, wanted)
        outputs[number], biases[number] = np.rint(found[:-1] * UNIT), round(found[-1] * FULL * UNIT)
    return replace(network, output_weight=outputs, output_bias=biases)


def _active(weight: Tensor, bias: Tensor, data: NnueDataset) -> Tensor:
    """The squared neurons of both sides: n x 2 · neurons."""
    features = feature_lists(data.codes, data.turned, len(weight) // INPUTS)
    sums = functional.embedding_bag(features.inputs, weight, features.begins, mode="sum") + bias
    return torch.cat(sums.clamp(0, 1).square().split(len(data)), dim=1)


def _counts(outputs: Tensor, scale: int) -> Tensor:
    expected = torch.sigmoid(outputs * (scale / LOGIT_CENTIPAWNS))
    return 4 * expected * (1 - expected) + CERTAIN


def _descended(inputs: Tensor, targets: Tensor, counts: Tensor, start: Numbers, wanted: Numbers) -> Numbers:
    """Coordinate descent over multiples of 1 / UNIT that fit 8 bits, and the bias, which is last and finer."""
    columns = torch.cat([inputs, torch.ones(len(inputs), 1)], dim=1) * counts[:, None]
    curvature = (columns.t() @ columns).double().numpy()
    near = NEAR * np.trace(curvature) / len(curvature)
    curvature += near * np.eye(len(curvature))
    goal = (columns.t() @ (targets * counts)).double().numpy() + near * wanted
    found = start.copy()
    slope, steep = curvature @ found - goal, np.diag(curvature)
    bias = len(found) - 1
    for _ in range(PASSES):
        for place in (bias, *np.argsort(-steep[:bias]).tolist()):
            best = found[place] - slope[place] / steep[place]
            unit = FULL * UNIT if place == bias else UNIT
            value = np.rint(best * unit) / unit if place == bias else np.clip(np.rint(best * unit), -127, 127) / unit
            if value != found[place]:
                slope += curvature[:, place] * (value - found[place])
                found[place] = value
    return found
