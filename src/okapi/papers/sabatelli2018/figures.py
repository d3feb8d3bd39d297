"""The headline figures: theirs and ours, each with a key that stays."""

import math
from collections.abc import Callable
from typing import Any, Final

from okapi.formats.numbers import number, percent
from okapi.papers.headlines import Headline, Headlines, Measured, as_figures, measured
from okapi.papers.sabatelli2018.names import INPUTS, NETWORKS, lesson_name
from okapi.papers.sabatelli2018.published import LOSING, RATING, TABLE_3, TABLE_4
from okapi.papers.sabatelli2018.reading import (
    CLASSIFIED,
    Data,
    centipawns,
    errors,
    published,
    right,
    with_both_inputs,
    with_both_networks,
)
from okapi.recipes.lab import Results
from okapi.recipes.sabatelli2018 import REGRESSION
from okapi.recipes.shares import apart

__all__ = ["figures", "headlines"]


def figures(results: Results) -> dict[str, dict[str, Any]]:
    """For programs: figures.json."""
    return as_figures(headlines(results))


def headlines(results: Results) -> dict[str, Headline]:
    """All of them, measured or not."""
    return measured(HEADLINES, results)


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
        gap = apart(right(both[0]), right(both[1]))
        shares = [percent(data[split]["neighbours"]["share"], 0) for split in ("positions", "games")]
        note = f"test positions with a neighbour in training: {shares[0]}, by game {shares[1]}"
        return Measured(gap.points, gap.low, gap.high, note)

    return measure


def _claims(pairs: Callable[[Data], Any]) -> Callable[[Data], Measured]:
    """In how many pairs of networks the first is surely better, in hundredths."""

    def measure(data: Data) -> Measured:
        found = [
            apart(right(a), right(b)).verdict for _, dataset, a, b in pairs(data["lessons"]) if dataset in CLASSIFIED
        ]
        if not found:
            return Measured(None)
        counts = ", ".join(f"{found.count(verdict)} {verdict}" for verdict in ("confirmed", "refuted", "undecided"))
        return Measured(100 * found.count("confirmed") / len(found), note=counts)

    return measure


def _error(data: Data) -> Measured:
    found = errors(data)
    best = min(found, key=lambda name: found[name])
    paper = found[lesson_name("mlp", "bitmap", REGRESSION)]
    note = f"{best}, {number(centipawns(found[best]))} cp; the paper's way of learning {paper:.4f}; at ±15 pawns"
    return Measured(found[best], note=note)


def _normalised(data: Data) -> Measured:
    best = TABLE_3["mlp", "bitmap"].test
    nearest = min(data["rows"], key=lambda row: abs(math.log(max(row["network"], 1e-9) / best)))
    meant = number(math.sqrt(best) * nearest["range_cp"])
    always = f"always the mean {nearest['constant']:.4f}"
    return Measured(nearest["network"], note=f"{nearest['name']}; {best:.4f} is {meant} cp there; {always}")


def _kaufman(what: str) -> Callable[[Data], Measured]:
    """The best network at depth 1: most solved, then fewest lost."""

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


SOLVED: Final = sum(choice.best == choice.played for choice in TABLE_4)

HEADLINES: Final[Headlines] = {
    **{
        f"{network}_{input_}_{dataset}": (
            Headline(
                f"Dataset {dataset}, {network.upper()}, {input_}: right",
                published(network, input_, dataset).test,
                "percent",
                "tables",
            ),
            _accuracy(lesson_name(network, input_, dataset)),
        )
        for dataset in CLASSIFIED
        for network in NETWORKS
        for input_ in INPUTS
    },
    **{
        f"split_{dataset}": (
            Headline(f"Points that splitting at random adds, dataset {dataset}, MLP", None, "points", "splits"),
            _split(lesson_name("mlp", "bitmap", dataset)),
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
    "error": (Headline("Dataset 4: smallest squared error", TABLE_3["mlp", "bitmap"].test, "error", "tables"), _error),
    "normalised": (
        Headline("Dataset 4 in the nearest normalisation", TABLE_3["mlp", "bitmap"].test, "error", "normalisation"),
        _normalised,
    ),
    "kaufman_solved": (Headline("Kaufman test at depth 1: solved", SOLVED, "count", "kaufman"), _kaufman("solved")),
    "kaufman_losing": (
        Headline("Kaufman test at depth 1: losing moves", len(LOSING), "count", "kaufman"),
        _kaufman("losing"),
    ),
    "rating_depth_1": (Headline("Rating at depth 1", RATING, "elo", "strength"), _rating("depth 1")),
    "rating_quiescence": (Headline("Rating with quiescence", None, "elo", "strength"), _rating("with quiescence")),
    "rating_search": (Headline("Rating with search", None, "elo", "strength"), _rating("with search")),
}
"""What is measured, and how, by keys that programs may rely on."""
