"""What fills the tables and figures of sabatelli2018's paper.toml, in the order of its sections."""

import math
from collections.abc import Iterator
from functools import partial
from itertools import pairwise, product
from statistics import mean
from typing import Final

from okapi.formats.html import Figure, Part
from okapi.formats.numbers import number, percent
from okapi.formats.svg import Curve, Lines, figure
from okapi.papers.sabatelli2018.headlines import (
    CLASSIFIED,
    ERROR,
    NETWORKS,
    ON_DATASET_4,
    PUBLISHED,
    SOLVED,
    Data,
    centipawns,
    job_name,
    off_error,
    pairs,
    published,
    right,
)
from okapi.recipes.proportions import Difference, Proportion, Z, difference
from okapi.recipes.sabatelli2018 import CLIP, INPUTS, REGRESSION

Cells = tuple[str, ...]

CLASSES: Final = {1: "3 classes", 2: "15 classes", 3: "20 classes"}
SPLITS: Final = ("positions", "games")
BASELINES: Final = {"majority": "always the commonest", "material": "material", "differential": "piece differential"}
PAWNS, ROOT = CLIP // 100, math.sqrt(ERROR)
SHARE: Final = percent(ROOT, 0)
"""What the text of the page names: the range of dataset 4, and the root of the paper's error."""


def labelled(data: Data) -> Iterator[Data]:
    """A row for each split of a result."""
    splits = {data["split"]: data} if "split" in data else {split: data[split] for split in SPLITS if split in data}
    for split, row in splits.items():
        about = row["data"]
        shares = {"random_share": about["random"] / about["positions"], "neighbours": row["neighbours"]["share"]}
        yield {"split": split, **about, **row["parts"], **shares}


def _accuracies(network: str, data: Data) -> Data:
    """With what needs no network below each dataset."""
    rows = []
    for dataset in CLASSIFIED:
        for input_ in INPUTS:
            theirs, job = published(network, input_, dataset), data["jobs"].get(job_name(network, input_, dataset))
            cells = ("–",) * 4
            if job is not None:
                shares = percent(right(job, "validation").value), str(right(job)), percent(job["test"]["near"])
                cells = *shares, _epochs(job)
            rows.append((f"{dataset}, {input_}", f"{theirs.validation:.2f} %", f"{theirs.test:.2f} %", *cells))
        for name, share in data["baselines"].get(str(dataset), {}).items():
            rows.append((BASELINES[name], "–", "–", "–", percent(share), "–", "–"))
    each = len(rows) // len(CLASSIFIED)
    return {"rows": rows, "bands": [(CLASSES[dataset], each) for dataset in CLASSIFIED]}


mlp_accuracies, cnn_accuracies = (partial(_accuracies, network) for network in NETWORKS)


def _epochs(job: Data) -> str:
    """The best one, of how many; whether time cut the training before its patience did."""
    return f"{job['best_epoch']} of {job['epochs']}{', cut' if job.get('cut') else ''}"


def claims(data: Data) -> Iterator[Data]:
    """The paper's claims, tested on each pair of networks; the intervals are wider than those of paired tests."""
    for what, compared in (("perceptron − CNN", "networks"), ("bitmap − algebraic", "inputs")):
        for same, dataset, first, second in pairs(data["jobs"], compared):
            if dataset in CLASSIFIED:
                gap = difference(right(first), right(second))
                yield {"what": f"{what}, dataset {dataset}, {same}", "gap": str(gap), "verdict": gap.verdict}


def informative(data: Data) -> Iterator[Cells]:
    """Networks with more informative inputs; the bitmaps beside them are in Tables 1 to 3."""
    for name, job in data["jobs"].items():
        network, input_, dataset = name.split("-")
        test = job["test"]
        found = f"{test['mse']:.4f}" if "mse" in test else str(right(job))
        yield f"dataset {dataset}, {network.upper()}, {input_}", found, _epochs(job)


def _where(row: Data) -> str:
    """Of a network whose accuracy is shown by phase and by distance: MLP by game."""
    *at_random, network, _, _ = row["job"].split("-")
    return f"{network.upper()} {'at random' if at_random else 'by game'}"


def phases(data: Data) -> Iterator[Cells]:
    for row in data["rows"]:
        for phase, (hits, count) in row["phases"].items():
            yield _where(row), phase, number(count), str(Proportion(hits, count))


def distances(data: Data) -> list[str]:
    """Accuracy against the distance to the nearest training position."""
    lines, told = [], []
    for row in data["rows"]:
        points = [(place, 100 * hits / count) for place, hits, count in row["distances"] if count >= 20]
        lines.append(Curve(_where(row), points))
        told.append(f"{_where(row)}: {', '.join(f'{place:g} squares {share:.0f} %' for place, share in points)}")
    chart = Lines("dataset 1: right, per cent", lines, "squares that differ from the nearest training position")
    return [figure(chart, "; ".join(told))]


def distance_rows(data: Data) -> Iterator[Cells]:
    for row in data["rows"]:
        for place, hits, count in row["distances"]:
            yield _where(row), number(place), number(count), str(Proportion(hits, count))


def curves(data: Data) -> Iterator[Part]:
    for dataset in CLASSIFIED:
        lines = []
        for network, input_ in product(NETWORKS, INPUTS):
            if curve := data["jobs"].get(job_name(network, input_, dataset), {}).get("curve"):
                points = [(at["epoch"], 100 * at["validation_accuracy"]) for at in curve]
                lines.append(Curve(f"{network.upper()} {input_}", points))
        described = "; ".join(f"{line.name} ends at {number(line.points[-1][1], 1)} %" for line in lines)
        title = f"dataset {dataset}, by game"
        yield Figure(
            name=f"Figure {dataset}",
            caption="Accuracy after each epoch, per cent. The paper draws the test set; these are the validation "
            "positions, because the test set is used once. The paper's curves are pictures and cannot be copied here.",
            pictures=[figure(Lines(title, lines, "epoch"), f"{title}: {described}")],
        )


def both_splits(data: Data) -> Iterator[Data]:
    for network, dataset, input_ in product(NETWORKS, CLASSIFIED, INPUTS):
        both = [data[split]["jobs"].get(job_name(network, input_, dataset)) for split in SPLITS]
        if all(both):
            at_random, by_game = (right(job) for job in both)
            gap, theirs = difference(at_random, by_game), published(network, input_, dataset).test
            missing = theirs - 100 * by_game.value
            shares = {"at_random": at_random, "by_game": by_game, "gap": gap}
            explained = gap.points / missing if missing > 0 else None
            name = f"{network}, {input_}, {dataset}"
            yield {"name": name, "paper": f"{theirs:.2f} %", **shares, "share": explained}
    for dataset in CLASSIFIED:
        for name, (first, second) in _both_baselines(data, dataset):
            shares = {"at_random": percent(first), "by_game": percent(second)}
            yield {"name": f"{name}, {dataset}", "paper": "–", **shares, "gap": "–"}


def _both_baselines(data: Data, dataset: int) -> Iterator[tuple[str, list[float]]]:
    """What needs no network, split at random and by game."""
    both = [data.get(split, {}).get("baselines", {}).get(str(dataset), {}) for split in SPLITS]
    for name, called in BASELINES.items():
        if all(name in found for found in both):
            yield called, [found[name] for found in both]


def squared_errors(data: Data) -> Iterator[Cells]:
    for network, input_ in product(NETWORKS, INPUTS):
        theirs = published(network, input_, REGRESSION)
        cells = f"{theirs.validation:.4f}", f"{theirs.test:.4f}"
        yield f"{network}, {input_}", *cells, *_error_cells(data["jobs"].get(job_name(network, input_, REGRESSION)))
    for name, job in data["seeds"].items():
        yield name, "–", "–", *_error_cells(job)
    for name in ON_DATASET_4:
        yield f"ours: {name}", "–", "–", *_error_cells(data["players"][name])
    for name, error in data["baselines"].get(str(REGRESSION), {}).items():
        yield BASELINES[name], "–", "–", "–", f"{error:.4f}", root(error), "–"


def _error_cells(job: Data | None) -> Cells:
    if job is None:
        return ("–",) * 4
    test = job["test"]
    bound = f" ± {Z * test['mse_error']:.4f}" if "mse_error" in test else ""
    errors = f"{job['validation']['mse']:.4f}", f"{test['mse']:.4f}{bound}"
    return *errors, root(test["mse"]), number(2 * CLIP * test["mae"])


def root(error: float) -> str:
    return number(centipawns(error))


def error_ratios(data: Data) -> Iterator[Data]:
    for what, compared in (("perceptron / CNN", "networks"), ("bitmap / algebraic", "inputs")):
        for same, dataset, first, second in pairs(data["jobs"], compared):
            if dataset == REGRESSION:
                one, other = first["test"], second["test"]
                unsure = Z * math.hypot(one.get("mse_error", 0.0), other.get("mse_error", 0.0))
                gap, ratio = other["mse"] - one["mse"], one["mse"] / max(other["mse"], 1e-12)
                verdict = Difference(gap, gap - unsure, gap + unsure).verdict
                yield {"what": f"{what}, {same}", "ratio": ratio, "verdict": verdict}


def errors_of_both_splits(data: Data) -> Iterator[Data]:
    for name, at_random in data["positions"]["jobs"].items():
        by_game = data.get("games", {}).get("jobs", {}).get(name)
        if by_game is not None and "mse" in at_random["test"]:
            first, second = at_random["test"]["mse"], by_game["test"]["mse"]
            more = 100 * (second / max(first, 1e-12) - 1)
            yield {"name": name, "at_random": first, "by_game": second, "more": more}
    for name, (first, second) in _both_baselines(data, REGRESSION):
        yield {"name": name, "at_random": first, "by_game": second, "more": 100 * (second / first - 1)}


def normalisations(data: Data) -> Data:
    """The one first whose error is nearest to the paper's."""
    rows = [
        {**row, "root_cp": math.sqrt(row["network"]) * row["range_cp"], "paper_cp": ROOT * row["range_cp"]}
        for row in sorted(data["rows"], key=off_error)
    ]
    largest = number(data["largest"] / 100)
    return {"rows": rows, "positions": number(data["positions"]), "mates": percent(data["mates"]), "largest": largest}


def kaufman_scores(data: Data) -> Data:
    loss = mean(choice.delta for choice in PUBLISHED.table_4)
    scores = SOLVED, "–", len(PUBLISHED.losing), PUBLISHED.balanced, number(loss, 2)
    rows = [("the paper's MLP of 2018", "depth 1", *map(str, scores))]
    for row in data["rows"]:
        counts = (number(row[key]) for key in ("solved", "solved_own", "losing", "balanced"))
        rows.append((row["name"], row["way"], *counts, _pawns(row["mean_delta"], 2)))
    return {"rows": rows, "judge": data["judge"] or "none was there", "nodes": number(data["search_nodes"])}


def _pawns(centipawns: float | None, digits: int = 1) -> str:
    return number(None if centipawns is None else centipawns / 100, digits)


def kaufman_moves(data: Data) -> Data:
    """The moves of the first player, in each of its ways to play."""
    first = data["rows"][0]["name"]
    shown = [row for row in data["rows"] if row["name"] == first]
    answers = [{each["number"]: (each["played"], _pawns(each["delta"])) for each in row["answers"]} for row in shown]
    rows = []
    for choice in PUBLISHED.table_4:
        cells = (cell for way in answers for cell in way.get(choice.place, ("–", "–")))
        rows.append((str(choice.row), choice.best, choice.played, number(choice.delta, 1), *cells))
    return {
        "rows": rows,
        "player": first,
        "heads": ("", "best", "played", "Δ", *(head for row in shown for head in (row["way"], "Δ"))),
        "groups": (("", 2), ("paper", 2), ("ours", 2 * len(shown))),
        "words": (1, 2, *range(4, 4 + 2 * len(shown), 2)),
    }


def ladder_ratings(data: Data) -> Iterator[Data]:
    for row in data["rows"]:
        met = (f"{name} {percent(score, 0)} of {games}" for name, (games, score) in row["met"].items())
        yield {**row, "against": ", ".join(met)}


def gains_by_search(data: Data) -> Iterator[Data]:
    for name in dict.fromkeys(row["name"] for row in data["rows"]):
        rated = [(row["way"], row["elo"]) for row in data["rows"] if row["name"] == name and row["elo"] is not None]
        for (before, first), (after, second) in pairwise(rated):
            yield {"name": name, "from": before, "to": after, "gain": second - first}
