"""Learned weights made whole numbers, and a brain of them."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from okapi.brains.nnue import FULL, UNIT, QuantisedNnue
from okapi.brains.writing import replace_file
from okapi.core import Brain, Evaluator
from okapi.errors import InvalidBrain, NotFound
from okapi.models import nnue as models
from okapi.training.nnue.lessons import Lessons
from okapi.training.nnue.parts import Part
from okapi.training.nnue.plan import LOGIT_CENTIPAWNS, Plan
from okapi.training.nnue.step import CLOSE, MOST_SUM
from okapi.training.nnue.weights import WEIGHTS, read_weights
from okapi.training.supervised.report import Report

__all__ = ["Exported", "export", "finest_scale", "quantised"]

RECIPE: Final = "champion"

MOST_WEIGHT: Final = 127 / UNIT
"""Of the output, in 8 bits."""


def quantised(weights: Mapping[str, Tensor], scale: int) -> QuantisedNnue:
    """The nearest whole numbers. InvalidBrain where one does not fit its bits; sums are checked by the core.

    Output weights are made as large as their bits allow, and the scale as much smaller: rounding then changes less.
    """
    finer = finest_scale(weights["output.weight"], scale)
    larger = scale / finer
    return QuantisedNnue(
        weight=_whole("accumulator.weight", weights, FULL, np.int16),
        bias=_whole("accumulator.bias", weights, FULL, np.int16),
        output_weight=_whole("output.weight", weights, UNIT * larger, np.int8),
        output_bias=_whole("output.bias", weights, FULL * UNIT * larger, np.int32),
        scale=finer,
    )


def finest_scale(output: Tensor, scale: int) -> int:
    """The smallest scale at which output weights fit 8 bits and their sums 32, if they do at this one.

    >>> finest_scale(torch.tensor([[0.5, -0.9]]), 174)
    79
    """
    one_sign = torch.maximum(output.clamp(min=0).sum(dim=1), -output.clamp(max=0).sum(dim=1))
    room = min(MOST_WEIGHT / float(output.abs().max()), CLOSE * MOST_SUM / float(one_sign.max()))
    return min(scale, math.ceil(scale / room))


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A brain, and how much was lost when its weights became whole."""

    brain: Path
    size: int
    positions: int
    """Validation positions on which that was looked at; 0 where none were given."""
    mean_centipawns: float
    """How far apart values of fractions and whole numbers are."""
    most_centipawns: float
    value_mae: float
    """The brain's own mean mistake in expected score, against the teacher's values."""


def export(
    run: Path, target: Path, *, name: str, sample: Part | None = None, card: Mapping[str, str] | None = None
) -> Exported:
    """Write the brain that was learned in a run's folder; InvalidBrain where sums could overflow.

    `sample` are positions on which fractions and whole numbers are compared.
    """
    report = Report.read(run)
    if report is None:
        raise NotFound(f"no training has come to its end in `{run}`", hint="train there first")
    plan = Plan.from_json(report.about["plan"])
    weights = read_weights(run / WEIGHTS)
    network = quantised(weights, plan.scale)
    compared = (0, 0.0, 0.0, 0.0) if sample is None else _compared(weights, network, sample, plan)
    content = network.file({"name": name, **_card(report, plan, compared), **(card or {})})
    Evaluator.from_brain(Brain.from_bytes(content))  # the core knows what could overflow
    replace_file(target, content)
    count, mean, most, mistake = compared
    return Exported(
        brain=target,
        size=len(content),
        positions=count,
        mean_centipawns=round(mean, 3),
        most_centipawns=round(most, 3),
        value_mae=round(mistake, 6),
    )


def _whole(name: str, weights: Mapping[str, Tensor], unit: float, kind: type[np.integer[Any]]) -> NDArray[Any]:
    rounded = np.rint(weights[name].double().numpy() * unit)
    least, most = np.iinfo(kind).min, np.iinfo(kind).max
    if not np.isfinite(rounded).all() or rounded.min() < least or rounded.max() > most:
        raise InvalidBrain(
            f"`{name}` goes from {rounded.min():g} to {rounded.max():g}, and has to fit {least} to {most}",
            hint="train with a smaller limit",
        )
    whole: NDArray[Any] = rounded.astype(kind)
    return whole


@torch.no_grad()
def _compared(
    weights: Mapping[str, Tensor], network: QuantisedNnue, sample: Part, plan: Plan
) -> tuple[int, float, float, float]:
    """Positions; mean and largest difference in centipawns; and the brain's mean mistake in expected score."""
    model = models.Nnue(plan.neurons, plan.buckets)
    model.load_state_dict(dict(weights))
    lessons = Lessons.of(sample, torch.device("cpu"))
    apart, mistakes = [], []
    for piece in lessons.pieces(plan.batch):
        whole = models.whole_values(network.tensors(), network.scale, piece.codes, piece.turned)
        apart.append((model(piece.codes, piece.turned, sparse=True) * plan.scale - whole).abs())
        values = (torch.sigmoid(values / LOGIT_CENTIPAWNS) for values in (whole, piece.values))
        mistakes.append((next(values) - next(values)).abs())
    differences = torch.cat(apart)
    return len(lessons), float(differences.mean()), float(differences.max()), float(torch.cat(mistakes).mean())


def _card(report: Report, plan: Plan, compared: tuple[int, float, float, float]) -> dict[str, str]:
    """What the brain says about its youth."""
    parts = report.about["parts"]
    data = {
        "positions": report.train["count"],
        "validation": report.validation["count"],
        "hashes": report.about["data"],
        "sources": sorted({part["source"] for part in parts}),
    }
    losses = {
        "train": report.train["loss"],
        "validation": report.validation["loss"],
        "value_mae": report.validation["value_mae"],
        "quantised_value_mae": compared[3],
        "quantised_centipawns_apart": compared[1],
    }
    curve = [[entry["epoch"], entry["train_loss"], entry["validation_loss"]] for entry in report.curve]
    return {
        "recipe": RECIPE,
        "seed": str(plan.seed),
        "settings": json.dumps(plan.as_json()),
        "data": json.dumps(data),
        "losses": json.dumps(losses),
        "curve": json.dumps(curve),
        "samples_eaten": str(report.train["eaten"]),
        "training_seconds": str(report.seconds),
        "device": report.device,
    }
