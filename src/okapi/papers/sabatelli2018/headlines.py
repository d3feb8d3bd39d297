"""The headline figures of sabatelli2018, and what both they and the page read in results; needs no torch."""

import math
from collections.abc import Callable, Iterator
from typing import Any, Final

from okapi.formats.numbers import number, percent
from okapi.papers.headlines import Headline, Headlines, Measured
from okapi.papers.published import Row, read_published
from okapi.recipes.proportions import Proportion, difference
from okapi.recipes.sabatelli2018 import CLIP, DATASETS, INPUTS, PLAYERS, REGRESSION

PUBLISHED: Final = read_published("sabatelli2018")
SOLVED: Final = sum(choice.best == choice.played for choice in PUBLISHED.table_4)

NETWORKS: Final = ("mlp", "cnn")
CLASSIFIED: Final = (1, 2, 3)
"""Datasets with classes."""

ON_DATASET_4: Final = PLAYERS[:2]
"""Players whose errors can be compared with the paper's networks'."""

PLAYING: Final = {"mlp-bitmap-4": "the paper's MLP", **{name: name for name in PLAYERS}}
"""Training jobs whose networks become brains, and the names of players with them."""

Data = dict[str, Any]


def job_name(network: str, input_: str, dataset: int) -> str:
    """The name of a training job.

    >>> job_name("mlp", "bitmap", 1)
    'mlp-bitmap-1'
    """
    return f"{network}-{input_}-{dataset}"


def modern_name(network: str, input_: str, dataset: int) -> str:
    """The same network, trained with today's methods."""
    return f"{job_name(network, input_, dataset)}-today"


def published(network: str, input_: str, dataset: int) -> Row:
    """The paper's numbers on the validation set and the test set.

    >>> published("mlp", "bitmap", 1).test
    96.07
    """
    if dataset == REGRESSION:
        errors: tuple[Row, ...] = PUBLISHED.table_3
        return next(row for row in errors if (row.network, row.input) == (network, input_))
    table: tuple[Row, ...] = {"mlp": PUBLISHED.table_1, "cnn": PUBLISHED.table_2}[network]
    return next(row for row in table if (row.dataset, row.input) == (dataset, input_))


def right(job: Data, part: str = "test") -> Proportion:
    """The share of positions of a part in the right class."""
    found = job[part]
    return Proportion(round(found["accuracy"] * found["count"]), found["count"])


def centipawns(error: float) -> float:
    """The root of a squared error of dataset 4."""
    return 2 * CLIP * math.sqrt(error)


def errors(data: Data) -> dict[str, float]:
    """The squared errors on dataset 4, of `tables`: the paper's networks, and players that predict the same number."""
    every = {**data["lessons"], **{name: data["players"][name] for name in ON_DATASET_4}}
    return {name: job["test"]["mse"] for name, job in every.items() if "mse" in job["test"]}


def with_both_networks(jobs: Data) -> Iterator[tuple[str, int, Data, Data]]:
    """Input and dataset, and the results of the perceptron and the convolutional network."""
    for dataset in DATASETS:
        for input_ in INPUTS:
            mlp, cnn = (jobs.get(job_name(network, input_, dataset)) for network in NETWORKS)
            if mlp and cnn:
                yield input_, dataset, mlp, cnn


def with_both_inputs(jobs: Data) -> Iterator[tuple[str, int, Data, Data]]:
    """Network and dataset, and their results with bitmap and with algebraic input."""
    for dataset in DATASETS:
        for network in NETWORKS:
            bitmap, algebraic = (jobs.get(job_name(network, input_, dataset)) for input_ in INPUTS)
            if bitmap and algebraic:
                yield network, dataset, bitmap, algebraic


def _accuracy(name: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        share = right(data["lessons"][name])
        low, high = share.interval
        return Measured(100 * share.value, 100 * low, 100 * high, f"split by {data['split']}")

    return measure


def _split(name: str) -> Callable[[Data], Measured]:
    """Points that splitting at random adds."""

    def measure(data: Data) -> Measured:
        both = [data.get(split, {}).get("lessons", {}).get(name) for split in ("positions", "games")]
        if not all(both):
            return Measured(None)
        gap = difference(right(both[0]), right(both[1]))
        shares = [percent(data[split]["neighbours"]["share"], 0) for split in ("positions", "games")]
        note = f"test positions with a neighbour in training: {shares[0]}, by game {shares[1]}"
        return Measured(gap.points, gap.low, gap.high, note)

    return measure


def _claims(pairs: Callable[[Data], Any]) -> Callable[[Data], Measured]:
    """The per cent of pairs of networks in which the first is significantly better."""

    def measure(data: Data) -> Measured:
        found = [
            difference(right(a), right(b)).verdict
            for _, dataset, a, b in pairs(data["lessons"])
            if dataset in CLASSIFIED
        ]
        if not found:
            return Measured(None)
        counts = ", ".join(f"{found.count(verdict)} {verdict}" for verdict in ("confirmed", "refuted", "undecided"))
        return Measured(100 * found.count("confirmed") / len(found), note=counts)

    return measure


def _error(data: Data) -> Measured:
    found = errors(data)
    best = min(found, key=lambda name: found[name])
    paper = found[job_name("mlp", "bitmap", REGRESSION)]
    note = f"{best}, {number(centipawns(found[best]))} cp; the paper's way of learning {paper:.4f}; at ±15 pawns"
    return Measured(found[best], note=note)


def _normalised(data: Data) -> Measured:
    nearest = min(data["rows"], key=lambda row: abs(math.log(max(row["network"], 1e-9) / ERROR)))
    meant = number(math.sqrt(ERROR) * nearest["range_cp"])
    always = f"always the mean {nearest['constant']:.4f}"
    return Measured(nearest["network"], note=f"{nearest['name']}; {ERROR:.4f} is {meant} cp there; {always}")


def _kaufman(what: str) -> Callable[[Data], Measured]:
    """Of the best network at depth 1: most solved, then fewest losing moves."""

    def measure(data: Data) -> Measured:
        rows = [row for row in data["rows"] if row["way"] == "depth 1"]
        best = max(rows, key=lambda row: (row["solved"], -(row["losing"] or 0)))
        return Measured(best[what], note=best["name"])

    return measure


def _rating(way: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        rows = [row for row in data["rows"] if row["way"] == way and row["elo"] is not None]
        if not rows:
            return Measured(None)
        best = max(rows, key=lambda row: float(row["elo"]))
        return Measured(best["elo"], best["low"], best["high"], f"{best['name']}; {data['conditions']}")

    return measure


ERROR: Final = published("mlp", "bitmap", REGRESSION).test

HEADLINES: Final[Headlines] = {
    **{
        f"{network}_{input_}_{dataset}": (
            Headline(
                f"Dataset {dataset}, {network.upper()}, {input_}: right",
                published(network, input_, dataset).test,
                "percent",
                "tables",
            ),
            _accuracy(job_name(network, input_, dataset)),
        )
        for dataset in CLASSIFIED
        for network in NETWORKS
        for input_ in INPUTS
    },
    **{
        f"split_{dataset}": (
            Headline(f"Points that splitting at random adds, dataset {dataset}, MLP", None, "points", "splits"),
            _split(job_name("mlp", "bitmap", dataset)),
        )
        for dataset in CLASSIFIED
    },
    "mlp_above_cnn": (
        Headline("MLP above CNN: confirmed in", 100.0, "percent", "tables"),
        _claims(with_both_networks),
    ),
    "bitmap_above_algebraic": (
        Headline("Bitmap above algebraic: confirmed in", 100.0, "percent", "tables"),
        _claims(with_both_inputs),
    ),
    "error": (
        Headline("Dataset 4: smallest squared error", ERROR, "error", "tables"),
        _error,
    ),
    "normalised": (
        Headline(
            "Dataset 4 in the nearest normalisation",
            ERROR,
            "error",
            "normalisation",
        ),
        _normalised,
    ),
    "kaufman_solved": (Headline("Kaufman test at depth 1: solved", SOLVED, "count", "kaufman"), _kaufman("solved")),
    "kaufman_losing": (
        Headline("Kaufman test at depth 1: losing moves", len(PUBLISHED.losing), "count", "kaufman"),
        _kaufman("losing"),
    ),
    "rating_depth_1": (Headline("Rating at depth 1", PUBLISHED.rating, "elo", "strength"), _rating("depth 1")),
    "rating_quiescence": (Headline("Rating with quiescence", None, "elo", "strength"), _rating("with quiescence")),
    "rating_search": (Headline("Rating with search", None, "elo", "strength"), _rating("with search")),
}
"""What is measured, and how, by keys that programs may rely on."""
