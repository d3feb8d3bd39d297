"""The headline figures of sheehan2016, and what both they and the page read in results."""

from collections.abc import Callable
from typing import Any, Final

from okapi.formats.numbers import percent
from okapi.papers.headlines import Headline, Headlines, Measured
from okapi.papers.published import read_published
from okapi.recipes.proportions import Proportion
from okapi.recipes.sheehan2016 import HOW

PUBLISHED: Final = read_published("sheehan2016")

GAMES: Final = "games"
POSITIONS: Final = "positions"
"""Splits of positions."""

YARDSTICK: Final = "material"
"""A brain that counts pieces only: what a differential alone reaches in an engine."""

Data = dict[str, Any]


def find(data: Data, net: str, how: str, split: str) -> Data | None:
    rows = (row for row in data["rows"] if (row["net"], row["how"], row["split"]) == (net, how, split))
    return next(rows, None)


def accuracy(row: Data) -> Proportion:
    """Positions in the right bucket."""
    return Proportion(round(row["accuracy"] * row["count"]), row["count"])


def near(row: Data) -> Proportion:
    """Positions in the right bucket, or the one beside it."""
    return Proportion(round(row["near"] * row["count"]), row["count"])


def _of(what: Callable[[Data], Proportion], net: str, how: str, split: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        row = find(data, net, HOW[how], split)
        return Measured(None) if row is None else _measured(what(row), "" if what is near else _note(row))

    return measure


def _measured(found: Proportion, note: str = "") -> Measured:
    low, high = found.interval
    return Measured(100 * found.value, 100 * low, 100 * high, note)


def _note(row: Data) -> str:
    return f"within one bucket {percent(row['near'])}"


def _neighbours(split: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        row = data["splits"].get(split)
        return Measured(None if row is None else 100 * row["neighbours"]["share"])

    return measure


def _alone(data: Data) -> Measured:
    row = next(iter(data["splits"].values()))["differential"]
    return _measured(Proportion(round(row["accuracy"] * row["count"]), row["count"]))


def _pink(data: Data) -> Measured:
    row = data["buckets"]
    return _measured(Proportion(round(row["accuracy"] * row["count"]), row["count"]), _note(row))


def _strongest(data: Data) -> Measured:
    nets = [row for row in data["rows"] if row["elo"] is not None and row["name"] != YARDSTICK]
    best = max(nets, key=lambda row: float(row["elo"]), default=None)
    return Measured(None) if best is None else Measured(best["elo"], best["low"], best["high"], best["name"])


WAYS: Final = {GAMES: "split by game", POSITIONS: "positions split at random"}
EXPERIMENT_OF: Final = {"": "networks", "_consecutive": "consecutive"}
WHERE: Final = {"": "", "_consecutive": ", consecutive positions"}

HEADLINES: Final[Headlines] = {
    **{
        f"{net.lower().replace(' ', '_')}_{how}_{split}{where}": (
            Headline(
                f"{net} {HOW[how]}, {WAYS[split]}{WHERE[where]}",
                100 * PUBLISHED.table_3[net],
                "percent",
                EXPERIMENT_OF[where],
            ),
            _of(accuracy, net, how, split),
        )
        for where in WHERE
        for split in WAYS
        for how in ("letter", "better")
        for net in PUBLISHED.table_3
    },
    "own_games": (
        Headline(f"Our own network, {WAYS[GAMES]}", None, "percent", "networks"),
        _of(accuracy, "Ours", "own", GAMES),
    ),
    "own_near_games": (
        Headline(f"Our own network within one bucket, {WAYS[GAMES]}", None, "percent", "networks"),
        _of(near, "Ours", "own", GAMES),
    ),
    **{
        f"neighbours_{split}{where}": (
            Headline(
                f"Test positions with a neighbour in training, {WAYS[split]}{WHERE[where]}",
                None,
                "percent",
                EXPERIMENT_OF[where],
            ),
            _neighbours(split),
        )
        for where in WHERE
        for split in WAYS
    },
    "differential_alone": (
        Headline("The piece differential alone", None, "percent", "networks"),
        _alone,
    ),
    "deep_pink": (
        Headline(
            "Deep Pink's objective, without a teacher, ten buckets", 100 * PUBLISHED.baseline, "percent", "deep_pink"
        ),
        _pink,
    ),
    "strongest": (Headline("Elo of the strongest net in a full engine", None, "elo", "strength"), _strongest),
}
"""What is measured, and how, by keys that programs may rely on."""
