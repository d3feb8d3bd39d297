"""The headline figures: theirs and ours, each with a key that stays."""

from collections.abc import Callable
from typing import Any, Final

from okapi.formats.numbers import percent
from okapi.papers.headlines import Headline, Headlines, Measured, as_figures, measured
from okapi.papers.sheehan2016.published import BASELINE, TABLE_3
from okapi.papers.sheehan2016.reading import GAMES, HOW, POSITIONS, YARDSTICK, Data, accuracy, find, near
from okapi.recipes.lab import Results
from okapi.recipes.shares import Share

__all__ = ["HEADLINES", "figures", "headlines"]


def figures(results: Results) -> dict[str, dict[str, Any]]:
    """For programs: figures.json."""
    return as_figures(headlines(results))


def headlines(results: Results) -> dict[str, Headline]:
    """All of them, measured or not."""
    return measured(HEADLINES, results)


def _of(what: Callable[[Data], Share], net: str, how: str, split: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        row = find(data, net, HOW[how], split)
        return Measured(None) if row is None else _measured(what(row), "" if what is near else _note(row))

    return measure


def _measured(found: Share, note: str = "") -> Measured:
    low, high = found.interval
    return Measured(100 * found.value, 100 * low, 100 * high, note)


def _note(row: Data) -> str:
    return f"within one bucket {percent(row['near'])}"


def _neighbours(split: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        told = data["splits"].get(split)
        return Measured(None if told is None else 100 * told["neighbours"]["share"])

    return measure


def _alone(data: Data) -> Measured:
    told = next(iter(data["splits"].values()))["differential"]
    return _measured(Share(round(told["accuracy"] * told["count"]), told["count"]))


def _pink(data: Data) -> Measured:
    told = data["buckets"]
    return _measured(Share(round(told["accuracy"] * told["count"]), told["count"]), _note(told))


def _strongest(data: Data) -> Measured:
    nets = [row for row in data["rows"] if row["elo"] is not None and row["name"] != YARDSTICK]
    best = max(nets, key=lambda row: float(row["elo"]), default=None)
    return Measured(None) if best is None else Measured(best["elo"], best["low"], best["high"], best["name"])


WAYS: Final = {GAMES: "split by game", POSITIONS: "positions split at random"}
EXPERIMENTS: Final = {"": "networks", "_consecutive": "consecutive"}
WHERE: Final = {"": "", "_consecutive": ", consecutive positions"}

HEADLINES: Final[Headlines] = {
    **{
        f"{net.lower().replace(' ', '_')}_{how}_{split}{where}": (
            Headline(
                f"{net} {HOW[how]}, {WAYS[split]}{WHERE[where]}",
                100 * TABLE_3[net],
                "percent",
                EXPERIMENTS[where],
            ),
            _of(accuracy, net, how, split),
        )
        for where in WHERE
        for split in WAYS
        for how in ("letter", "better")
        for net in TABLE_3
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
                EXPERIMENTS[where],
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
        Headline("Deep Pink's objective, no teacher, in ten buckets", 100 * BASELINE, "percent", "deep_pink"),
        _pink,
    ),
    "strongest": (Headline("Elo of the strongest net in a full engine", None, "elo", "strength"), _strongest),
}
"""What is measured, and how, by keys that programs may rely on."""
