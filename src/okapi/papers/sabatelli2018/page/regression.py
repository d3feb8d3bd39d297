"""Table 3: dataset 4, what its errors mean, and which way of normalising gives the paper's."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from okapi.formats.html import Notes, Part, Prose, Section, Table
from okapi.formats.numbers import number, percent, signed
from okapi.papers.sabatelli2018.names import INPUTS, NETWORKS, ON_DATASET_4, lesson_name
from okapi.papers.sabatelli2018.published import TABLE_3
from okapi.papers.sabatelli2018.reading import Data, centipawns, errors, with_both_inputs, with_both_networks
from okapi.papers.tables import made
from okapi.recipes.lab import Results
from okapi.recipes.sabatelli2018 import CLIP, REGRESSION
from okapi.recipes.shares import Z

__all__ = ["regression"]

BEST = TABLE_3["mlp", "bitmap"].test


def regression(results: Results) -> Section:
    """Dataset 4."""
    return Section(
        "Dataset 4: a number",
        [
            Prose(
                f"The network says the value itself, as a number from 0 to 1. Here 0 and 1 are {CLIP // 100} pawns "
                "down and up; whatever is beyond is cut off."
            ),
            *made(results, "tables", "Table 3", _table_3),
            *made(results, "splits", "The split and dataset 4", _splits),
            *made(results, "normalisation", "The normalisation", _normalisations),
        ],
    )


def _table_3(data: Data) -> Iterator[Part]:
    rows = []
    for network in NETWORKS:
        for input_ in INPUTS:
            theirs = TABLE_3[network, input_]
            ours = data["lessons"].get(lesson_name(network, input_, REGRESSION))
            cells = ("–",) * 4 if ours is None else _cells(ours)
            rows.append((f"{network}, {input_}", f"{theirs.validation:.4f}", f"{theirs.test:.4f}", *cells))
    extra = [(f"ours: {name}", "–", "–", *_cells(data["players"][name])) for name in ON_DATASET_4]
    yield Table(
        name="Table 3",
        caption="Mean squared errors, of ours with an interval of 95 %; and what the root of it and the mean absolute "
        "error are in centipawns.",
        heads=("network", "validation", "test", "validation", "test", "root, cp", "absolute, cp"),
        groups=(("", 1), ("paper", 2), ("ours", 4)),
        rows=[*rows, *extra],
    )
    yield Notes([*_compared(data["lessons"]), *_best(data)])


def _cells(lesson: Data) -> tuple[str, ...]:
    test = lesson["test"]
    absolute = number(2 * CLIP * test["mae"])
    either_side = f" ± {Z * test['mse_error']:.4f}" if "mse_error" in test else ""
    tested = f"{test['mse']:.4f}{either_side}"
    return f"{lesson['validation']['mse']:.4f}", tested, number(centipawns(test["mse"])), absolute


def _compared(lessons: Mapping[str, Any]) -> Iterator[str]:
    for input_, dataset, mlp, cnn in with_both_networks(dict(lessons)):
        if dataset == REGRESSION:
            yield f"{input_}: the perceptron's error is {_ratio(mlp, cnn)} of the convolutional network's."
    for network, dataset, bitmap, algebraic in with_both_inputs(dict(lessons)):
        if dataset == REGRESSION:
            yield f"{network}: the error from bitmaps is {_ratio(bitmap, algebraic)} of that from algebraic input."


def _ratio(first: Data, second: Data) -> str:
    """One error as a part of the other, and whether it is surely smaller."""
    one, other = first["test"], second["test"]
    unsure = Z * math.hypot(one.get("mse_error", 0.0), other.get("mse_error", 0.0))
    gap = other["mse"] - one["mse"]
    verdict = "confirmed" if gap > unsure else "refuted" if gap < -unsure else "undecided"
    return f"{percent(one['mse'] / max(other['mse'], 1e-12), 0)} ({verdict})"


def _best(data: Data) -> Iterator[str]:
    if found := errors(data):
        name = min(found, key=lambda name: found[name])
        yield (
            f"The smallest error by {data['split'].removesuffix('s')} is {found[name]:.4f}, of {name}: "
            f"{number(centipawns(found[name]))} centipawns. The paper takes its {BEST:.4f} for "
            f"{math.sqrt(BEST):.2f} centipawns; it is {percent(math.sqrt(BEST), 0)} of the range, whatever that was."
        )


def _splits(data: Data) -> Iterator[Part]:
    sentences = []
    for name, at_random in data["positions"]["lessons"].items():
        by_game = data.get("games", {}).get("lessons", {}).get(name)
        if by_game is None or "mse" not in at_random["test"]:
            continue
        first, second = at_random["test"]["mse"], by_game["test"]["mse"]
        sentences.append(
            f"{name} on positions that follow each other: {first:.4f} split at random, {second:.4f} by game "
            f"({signed(100 * (second / max(first, 1e-12) - 1), 0)} %); {number(centipawns(first))} and "
            f"{number(centipawns(second))} centipawns."
        )
    if sentences:
        yield Notes(sentences)


def _normalisations(data: Data) -> Iterator[Part]:
    rows = [
        (
            row["name"],
            f"{row['network']:.4f}",
            f"{row['constant']:.4f}",
            number(math.sqrt(row["network"]) * row["range_cp"]),
            number(math.sqrt(BEST) * row["range_cp"]),
        )
        for row in data["rows"]
    ]
    yield Table(
        name="The normalisation",
        caption=f"The same answers of one perceptron to {number(data['positions'])} test positions, and the answer of "
        f"somebody who always says the mean, by ways to normalise; {percent(data['mates'])} of the values are mates, "
        f"and the largest other one is {number(data['largest'] / 100)} pawns. Centipawns where they are evenly spread; "
        "of the expected score, around 0.",
        heads=("0 to 1 is", "network", "always the mean", "root, cp", f"{BEST:.4f} would be, cp"),
        rows=rows,
    )
    yield Notes(list(_about_normalisations(data)))


def _about_normalisations(data: Data) -> Iterator[str]:
    nearest = min(data["rows"], key=lambda row: abs(math.log(max(row["network"], 1e-9) / BEST)))
    yield (
        f"The paper's {BEST:.4f} is nearest to what “{nearest['name']}” gives {data['network']}, "
        f"{nearest['network']:.4f}: there it means {number(math.sqrt(BEST) * nearest['range_cp'])} centipawns."
    )
    easy = [row["name"] for row in data["rows"] if row["constant"] <= BEST]
    if easy:
        yield f"Always saying the mean has no larger error than the paper's network in: {'; '.join(easy)}."
    else:
        yield "Always saying the mean has a larger error than the paper's network in each of these."
