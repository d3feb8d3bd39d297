"""Quantisation of trained NNUE weights, and their export as a brain."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from okapi.brains.files import replace_file
from okapi.brains.nnue import FULL, PAIR, UNIT, QuantisedLayeredNnue, QuantisedNnue
from okapi.core import Evaluator, RawBrain
from okapi.errors import InvalidBrain, NotFound
from okapi.models.nnue import accumulated, bucket_of, whole_values
from okapi.training import nnue
from okapi.training.nnue import LOGIT_CENTIPAWNS, NnueConfig, NnueDataset
from okapi.training.report import TrainingReport
from okapi.training.shards import Shard

RECIPE: Final = "champion"
MOST_WEIGHT: Final = 127 / UNIT  # of the output layer, in 8 bits


def quantised(weights: Mapping[str, Tensor], scale: int) -> QuantisedNnue:
    """The nearest integers: InvalidBrain if one does not fit its type; the core checks sums.

    Output weights are scaled up as far as 8 bits allow, and the scale down: this lowers the rounding error.
    """
    finer = finest_scale(weights["output.weight"], scale)
    larger = scale / finer
    output_weight = _integers("output.weight", weights, UNIT * larger, np.int8)
    output_bias = _integers("output.bias", weights, FULL * UNIT * larger, np.int32)
    return QuantisedNnue(**_accumulator(weights), output_weight=output_weight, output_bias=output_bias, scale=finer)


def quantised_layers(weights: Mapping[str, Tensor], scale: int) -> QuantisedLayeredNnue:
    """The same for a network with layers, whose training rounds those itself."""
    stacks, parts = len(weights["last.bias"]), _accumulator(weights)
    for name in ("first", "second", "last"):
        for part, unit, kind in (("weight", UNIT, np.int8), ("bias", PAIR * UNIT, np.int32)):
            whole = _integers(f"{name}.{part}", weights, unit, kind)
            parts[f"{name}_{part}"] = whole if name == "last" else whole.reshape(stacks, -1, *whole.shape[1:])
    return QuantisedLayeredNnue(**parts, scale=scale)


def _accumulator(weights: Mapping[str, Tensor]) -> dict[str, NDArray[Any]]:
    return {part: _integers(f"accumulator.{part}", weights, FULL, np.int16) for part in ("weight", "bias")}


def finest_scale(output: Tensor, scale: int) -> int:
    """The smallest scale at which output weights fit 8 bits and their sums 32 bits.

    >>> finest_scale(torch.tensor([[0.5, -0.9]]), 174)
    79
    """
    one_sign = torch.maximum(output.clamp(min=0).sum(dim=1), -output.clamp(max=0).sum(dim=1))
    room = min(MOST_WEIGHT / float(output.abs().max()), nnue.MARGIN * nnue.MAX_SUM / float(one_sign.max()))
    return min(scale, math.ceil(scale / room))


@dataclass(frozen=True, slots=True)
class ExportedBrain:
    brain: Path
    size: int
    positions: int  # validation positions that were compared; 0 if none were given
    mean_centipawns: float  # mean difference between the values of float and quantised weights
    most_centipawns: float
    value_mae: float  # the brain's mean absolute error in expected score, against the labels


def export_brain(
    run: Path,
    target: Path,
    *,
    name: str,
    sample: Shard | None = None,
    fit: Shard | None = None,
    card: Mapping[str, str] | None = None,
) -> ExportedBrain:
    """Write the brain of a finished training's folder; InvalidBrain where sums could overflow.

    Float and quantised weights are compared on the positions of `sample`. On those of `fit` output weights are rounded
    so that values change least; those of layers were rounded in training.
    """
    report = TrainingReport.read(run)
    if report is None:
        raise NotFound(f"there is no finished training in `{run}`", hint="train there first")
    config = NnueConfig.from_json(report.about["config"])
    weights = nnue.read_weights(run / nnue.WEIGHTS_FILE)
    network = quantised_layers(weights, config.scale) if config.layers else quantised(weights, config.scale)
    if fit is not None and isinstance(network, QuantisedNnue):
        network = fitted(network, weights, config.scale, NnueDataset.from_shard(fit, torch.device("cpu")))
    count, mean, most, error = (0, 0.0, 0.0, 0.0) if sample is None else _compared(weights, network, sample, config)
    content = network.file({"name": name, **_card(report, config, error, mean), **(card or {})})
    Evaluator.from_brain(RawBrain.from_bytes(content))  # the core refuses sums that could overflow
    replace_file(target, content)
    return ExportedBrain(target, len(content), count, round(mean, 3), round(most, 3), round(error, 6))


def _integers(name: str, weights: Mapping[str, Tensor], unit: float, kind: type[np.integer[Any]]) -> NDArray[Any]:
    rounded = np.rint(weights[name].double().numpy() * unit)
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    if not (least <= rounded.min() and rounded.max() <= most):  # so if one is not a number
        found = f"`{name}` ranges from {rounded.min():g} to {rounded.max():g}"
        raise InvalidBrain(f"{found}, and has to fit {least} to {most}", hint="train with a smaller limit")
    return np.asarray(rounded, kind)


@torch.no_grad()
def _compared(
    weights: Mapping[str, Tensor], network: QuantisedNnue | QuantisedLayeredNnue, sample: Shard, config: NnueConfig
) -> tuple[int, float, float, float]:
    """Positions; mean and largest difference in centipawns; and the brain's mean error in expected score."""
    model = nnue.network_of(config).eval()
    model.load_state_dict(dict(weights))
    data = NnueDataset.from_shard(sample, torch.device("cpu"))
    differences, errors = [], []
    for chunk in data.chunks(config.batch):
        whole = whole_values(network.tensors(), network.scale, chunk.codes, chunk.turned)
        differences.append((model(chunk.codes, chunk.turned, sparse=True) * config.scale - whole).abs())
        errors.append((torch.sigmoid(whole / LOGIT_CENTIPAWNS) - torch.sigmoid(chunk.values / LOGIT_CENTIPAWNS)).abs())
    apart = torch.cat(differences)
    return len(data), float(apart.mean()), float(apart.max()), float(torch.cat(errors).mean())


def _card(report: TrainingReport, config: NnueConfig, error: float, apart: float) -> dict[str, str]:
    train, validation = report.train, report.validation
    sources = sorted({part["source"] for part in report.about["parts"]})
    hashes, mae = report.about["data"], validation["value_mae"]
    details = {
        "settings": config.as_json(),
        "data": {"positions": train["count"], "validation": validation["count"], "hashes": hashes, "sources": sources},
        "losses": {"train": train["loss"], "validation": validation["loss"], "value_mae": mae}
        | {"quantised_value_mae": error, "quantised_centipawns_apart": apart},
        "curve": [[entry["epoch"], entry["train_loss"], entry["validation_loss"]] for entry in report.curve],
    }
    written = {"recipe": RECIPE, "seed": str(config.seed)} | {name: json.dumps(each) for name, each in details.items()}
    seconds, eaten = str(report.seconds), str(train["eaten"])
    return written | {"samples_eaten": eaten, "training_seconds": seconds, "device": report.device}


LEAST, MOST = 200, 20_000  # positions of an output: with fewer it stays as it is
PASSES: Final = 4
NEAR: Final = 1e-3  # how much weights are drawn to those in float, as a share of the mean curvature
CERTAIN: Final = 0.05  # what a position counts that is won or lost; an even one counts 1 more
AT_ONCE: Final = 4096

Numbers = NDArray[np.float64]


@torch.no_grad()
def fitted(network: QuantisedNnue, weights: Mapping[str, Tensor], scale: int, data: NnueDataset) -> QuantisedNnue:
    """The network with output weights and biases fitted to the values of `weights`, whose output of 1 is `scale`.

    Rounded one by one, errors of thousands of weights add up. So each in turn becomes the integer that makes the
    squared error of values on a sample least, given all others; errors in expected score count.
    """
    weight, bias = (torch.from_numpy(part.astype(np.float32)) / FULL for part in (network.weight, network.bias))
    outputs, biases = network.output_weight.copy(), network.output_bias.copy()
    bucket = bucket_of(data.codes, len(biases)).squeeze(1)
    larger = scale / network.scale  # than in float, as quantised() makes them
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
        expected = torch.sigmoid(torch.cat(targets) * (scale / LOGIT_CENTIPAWNS))
        counts = 4 * expected * (1 - expected) + CERTAIN
        found = _descended(torch.cat(inputs), torch.cat(targets) * larger, counts, start, wanted)
        outputs[number], biases[number] = np.rint(found[:-1] * UNIT), round(found[-1] * FULL * UNIT)
    return replace(network, output_weight=outputs, output_bias=biases)


def _active(weight: Tensor, bias: Tensor, data: NnueDataset) -> Tensor:
    """The squared neurons of both sides: n x 2 · neurons."""
    sums = accumulated(weight, bias, data.codes, data.turned)
    return torch.cat(sums.clamp(0, 1).square().split(len(data)), dim=1)


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
