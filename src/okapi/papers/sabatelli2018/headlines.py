"""The headline figures of sabatelli2018, and what both they and the page read in results; needs no torch."""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any, Final

from okapi.formats.numbers import number, percent
from okapi.papers.headlines import Measured, elo, find_row, need, share_of
from okapi.papers.published import Row, read_published
from okapi.recipes.proportions import Proportion, Z, difference
from okapi.recipes.sabatelli2018 import CLIP, DATASETS, INPUTS, PLAYERS, REGRESSION

PUBLISHED: Final = read_published("sabatelli2018")
SOLVED: Final = sum(choice.best == choice.played for choice in PUBLISHED.table_4)

NETWORKS: Final = ("mlp", "cnn")
CLASSIFIED: Final = (1, 2, 3)  # datasets with classes
ON_DATASET_4: Final = PLAYERS[:2]  # players whose errors can be compared with the paper's networks'

PLAYER: Final = "mlp-bitmap-4"
DEPTH_1: Final = "depth 1"
PLAYING: Final = {PLAYER: "the paper's MLP", **{name: name for name in PLAYERS}}
"""Training jobs whose networks become brains, and the names of players with them."""

Data = dict[str, Any]


def job_name(network: str, input_: str, dataset: int) -> str:
    """The name of a training job: mlp-bitmap-1."""
    return f"{network}-{input_}-{dataset}"


def published(network: str, input_: str, dataset: int) -> Row:
    """The paper's numbers, `validation` and `test`."""
    if dataset == REGRESSION:
        errors: tuple[Row, ...] = PUBLISHED.table_3
        return next(row for row in errors if (row.network, row.input) == (network, input_))
    table: tuple[Row, ...] = {"mlp": PUBLISHED.table_1, "cnn": PUBLISHED.table_2}[network]
    return next(row for row in table if (row.dataset, row.input) == (dataset, input_))


def right(job: Data, part: str = "test") -> Proportion:
    """The share of positions of a part in the right class."""
    return share_of(job[part])


def centipawns(error: float) -> float:
    """The root of a squared error of dataset 4."""
    return 2 * CLIP * math.sqrt(error)


def pairs(jobs: Data, compared: str) -> Iterator[tuple[str, int, Data, Data]]:
    """Results that differ in their `networks`, or in their `inputs`: what both have, the dataset, and the two."""
    for dataset, same in product(DATASETS, INPUTS if compared == "networks" else NETWORKS):
        names = product(NETWORKS, [same]) if compared == "networks" else product([same], INPUTS)
        first, second = (jobs.get(job_name(*name, dataset)) for name in names)
        if first and second:
            yield same, dataset, first, second


TABLES: Final = {job_name(*job): published(*job) for job in product(NETWORKS, INPUTS, CLASSIFIED)}
ERRORS: Final = {job_name(*job): published(*job) for job in product(NETWORKS, INPUTS, (REGRESSION,))}
ALL: Final = 100.0
LOSING: Final = len(PUBLISHED.losing)
ERROR: Final = published("mlp", "bitmap", REGRESSION).test


def accuracy(data: Data, job: str, split: str = "") -> Measured:
    """Of a split; of positions, at random, as in the paper."""
    found = need((data[split] if split else data)["jobs"].get(job))
    return Measured.of_share(right(found), f"split {'at random' if split else 'by ' + data['split']}")


def baseline(data: Data, dataset: int) -> Measured:
    """Always the commonest class, split by game."""
    found = data["baselines"][str(dataset)]
    best = f"material {percent(found['material'])}, piece differential {percent(found['differential'])}"
    return Measured(100 * found["majority"], note=best)


def split_gain(data: Data, job: str) -> Measured:
    """Points that splitting at random adds."""
    both = (need(data.get(split, {}).get("jobs", {}).get(job)) for split in ("positions", "games"))
    gap = difference(*map(right, both))
    shares = [percent(data[split]["neighbours"]["share"], 0) for split in ("positions", "games")]
    note = f"test positions with a neighbour in training: {shares[0]}, by game {shares[1]}"
    return Measured(gap.points, gap.low, gap.high, note)


def claims(data: Data, compared: str, split: str = "") -> Measured:
    """The per cent of pairs of networks in which the first is significantly better."""
    both = pairs((data[split] if split else data)["jobs"], compared)
    found = need([difference(right(a), right(b)).verdict for _, dataset, a, b in both if dataset in CLASSIFIED])
    counts = ", ".join(f"{found.count(verdict)} {verdict}" for verdict in ("confirmed", "refuted", "undecided"))
    return Measured(100 * found.count("confirmed") / len(found), note=counts)


def squared_error(data: Data, job: str, split: str = "") -> Measured:
    found = need((data[split] if split else data)["jobs"].get(job))["test"]
    bound = Z * found.get("mse_error", 0.0)
    note = f"{number(centipawns(found['mse']))} cp at ±15 pawns; split by {split or data['split']}"
    return Measured(found["mse"], found["mse"] - bound, found["mse"] + bound, note)


def least_error(data: Data) -> Measured:
    """On dataset 4, of the network or player with the least error on the validation positions."""
    every = {**data["jobs"], **{name: data["players"][name] for name in ON_DATASET_4}}
    found = {name: job for name, job in every.items() if "mse" in job["validation"]}
    best = min(found, key=lambda name: float(found[name]["validation"]["mse"]))
    error = found[best]["test"]["mse"]
    return Measured(error, note=f"{best}, {number(centipawns(error))} cp; at ±15 pawns")


def off_error(row: Data) -> float:
    """How far the error under a normalisation is from the paper's."""
    return abs(math.log(max(row["network"], 1e-9) / ERROR))


def nearest_normalisation(data: Data) -> Measured:
    nearest = min(data["rows"], key=off_error)
    meant = number(math.sqrt(ERROR) * nearest["range_cp"])
    always = f"always the mean {nearest['constant']:.4f}"
    return Measured(nearest["network"], note=f"{nearest['name']}; {ERROR:.4f} is {meant} cp there; {always}")


def kaufman(data: Data, what: str, name: str, way: str = DEPTH_1) -> Measured:
    """Of one network in one way to play, both fixed beforehand; with several seeds the mean, and all in the note."""
    rows = [row for row in data["rows"] if row["way"] == way and row["name"].partition(", seed")[0] == name]
    found = need([row[what] for row in rows])
    need(None not in found)
    each = ", ".join(map(str, found))
    return Measured(sum(found) / len(found), note=f"{name}; by seed {each}" if len(found) > 1 else name)


def endgames(data: Data) -> Measured:
    """Of the perceptron split by game."""
    row = find_row(data, job=job_name("mlp", INPUTS[0], 1))
    middle, end = (Proportion(*row["phases"][phase]) for phase in ("middle game", "endgame"))
    gap = difference(end, middle)
    return Measured(gap.points, gap.low, gap.high, f"endgames {end}, middle games {middle}")


def against(data: Data, name: str) -> Measured:
    """At depth 1, against moves of people rated 2000."""
    people = [row for row in data["rows"] if row["opponent"].startswith("people")]
    return elo({"rows": people}, {"name": name, "way": DEPTH_1}, "{name}; won {wins}, drew {draws}, lost {losses}")
