"""What the page and the headline figures both read in results."""

import math
from collections.abc import Iterator
from typing import Any, Final

from okapi.papers.sabatelli2018.names import INPUTS, NETWORKS, ON_DATASET_4, lesson_name
from okapi.papers.sabatelli2018.published import TABLE_1, TABLE_2, TABLE_3, Accuracy
from okapi.recipes.sabatelli2018 import CLIP, DATASETS, REGRESSION
from okapi.recipes.shares import Share

__all__ = ["CLASSIFIED", "Data", "centipawns", "errors", "published", "right", "with_both_inputs", "with_both_networks"]

Data = dict[str, Any]
"""Of one result, or a part of it."""

CLASSIFIED: Final = (1, 2, 3)
"""Datasets with classes."""


def published(network: str, input_: str, dataset: int) -> Accuracy:
    """What the paper has."""
    if dataset == REGRESSION:
        return TABLE_3[network, input_]
    return {"mlp": TABLE_1, "cnn": TABLE_2}[network][dataset, input_]


def right(lesson: Data, part: str = "test") -> Share:
    """How many positions of a part were put in their class."""
    found = lesson[part]
    return Share(round(found["accuracy"] * found["count"]), found["count"])


def centipawns(error: float) -> float:
    """The root of a squared error of dataset 4, as what it means."""
    return 2 * CLIP * math.sqrt(error)


def errors(data: Data) -> dict[str, float]:
    """The squared errors on dataset 4, of `tables`: the paper's networks, and players that say the same number."""
    every = {**data["lessons"], **{name: data["players"][name] for name in ON_DATASET_4}}
    return {name: lesson["test"]["mse"] for name, lesson in every.items() if "mse" in lesson["test"]}


def with_both_networks(lessons: Data) -> Iterator[tuple[str, int, Data, Data]]:
    """Input and dataset, and what the perceptron and the convolutional network made of them."""
    for dataset in DATASETS:
        for input_ in INPUTS:
            mlp, cnn = (lessons.get(lesson_name(network, input_, dataset)) for network in NETWORKS)
            if mlp and cnn:
                yield input_, dataset, mlp, cnn


def with_both_inputs(lessons: Data) -> Iterator[tuple[str, int, Data, Data]]:
    """Network and dataset, and what became of them with bitmap and with algebraic input."""
    for dataset in DATASETS:
        for network in NETWORKS:
            bitmap, algebraic = (lessons.get(lesson_name(network, input_, dataset)) for input_ in INPUTS)
            if bitmap and algebraic:
                yield network, dataset, bitmap, algebraic
