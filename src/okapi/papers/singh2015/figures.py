"""The headline figures: theirs and ours, each with a key that stays."""

from collections.abc import Callable
from typing import Any, Final

from okapi.papers.experiment import Results
from okapi.papers.headlines import Headline, Headlines, Measured, as_figures, measured
from okapi.papers.singh2015.board_figures import BOARD_HEADLINES
from okapi.papers.singh2015.published import (
    FIGURE_3_4,
    KINDS,
    SAMPLES_PER_SECOND,
    TABLE_3_1,
    TABLE_3_2,
    TABLE_3_3,
    TABLE_3_4,
    TOP,
)
from okapi.papers.singh2015.reading import BRAINS, Data, after_masking, before_masking, fastest_lesson, illegal, whole
from okapi.recipes.proportions import Proportion

__all__ = ["HEADLINES", "figures", "headlines"]

SOURCE: Final = "thesis"


def figures(results: Results) -> dict[str, dict[str, Any]]:
    """For programs: figures.json."""
    return as_figures(headlines(results))


def headlines(results: Results) -> dict[str, Headline]:
    """All of them, measured or not."""
    return measured(HEADLINES, results)


def _fastest(data: Data) -> Measured:
    lessons = data["lessons"]
    name = fastest_lesson(lessons)
    if name is None:
        return Measured(None)
    return Measured(lessons[name]["samples_per_second"], note=f"{name} on {lessons[name]['device']}")


def _network(what: Callable[[Data], Proportion], name: str) -> Callable[[Data], Measured]:
    """Of one of the seven."""

    def measure(data: Data) -> Measured:
        row = data["brains"].get("seven", {}).get(name)
        return _measured(what(row)) if row else Measured(None)

    return measure


def _worst(data: Data) -> Measured:
    rows = data["brains"].get("seven", {})
    found = {kind: illegal(rows[kind]) for kind in KINDS if kind in rows and rows[kind]["count"]}
    if not found:
        return Measured(None)
    kind = max(found, key=lambda kind: found[kind].value)
    return _measured(found[kind], kind.upper())


def _moves(brain: str, way: str, guesses: int) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        row = data["brains"].get(brain, {}).get(way)
        return _measured(whole(row, guesses)) if row and row["count"] else Measured(None)

    return measure


def _first_move(data: Data) -> Measured:
    seven = data["brains"].get("seven")
    return Measured(None if seven is None else 100 * seven["moves"].get("e2e4", 0.0))


def _diagonal(data: Data) -> Measured:
    best = [min(range(len(row["cells"])), key=lambda at: float(row["cells"][at]["loss"])) for row in data["rows"]]
    hits = sum(place == row["own"] for place, row in zip(best, data["rows"], strict=True))
    return Measured(hits, note=f"of {len(best)}")


def _measured(share: Proportion, note: str = "") -> Measured:
    if not share.count:
        return Measured(None)
    low, high = share.interval
    return Measured(100 * share.value, 100 * low, 100 * high, note)


def _percent(what: str, theirs: float | None, experiment: str) -> Headline:
    return Headline(what, None if theirs is None else 100 * theirs, "percent", experiment, source=SOURCE)


HEADLINES: Final[Headlines] = {
    "samples_per_second": (
        Headline("Samples a second in training, ChessNet-1", SAMPLES_PER_SECOND, "samples", "training", source=SOURCE),
        _fastest,
    ),
    **{
        f"piece_{k}": (
            _percent(f"PIECE, {k} guesses, unmasked" if k > 1 else "PIECE, unmasked", theirs, "networks"),
            _network(lambda row, k=k: before_masking(row, k), "piece"),  # type: ignore[misc]
        )
        for k, theirs in zip(TOP, TABLE_3_1["piece"], strict=True)
    },
    **{
        f"{name}_masked": (_percent(f"{name.upper()}, masked", theirs, "networks"), _network(after_masking, name))
        for name, (_, theirs) in TABLE_3_3.items()
    },
    "illegal_piece": (
        _percent("First choices of PIECE that are illegal", TABLE_3_2["piece"].illegal, "networks"),
        _network(illegal, "piece"),
    ),
    "illegal_worst": (
        _percent("The same of the worst of the six", max(row.illegal for row in TABLE_3_2.values()), "networks"),
        _worst,
    ),
    **{
        f"move_{brain}_{k}{'' if way == 'all' else '_fresh'}": (
            _percent(
                f"Whole move among {k}, {called}{'' if way == 'all' else ', positions new to it'}",
                FIGURE_3_4[k] if (brain, way) == ("seven", "all") else None,
                "full_moves",
            ),
            _moves(brain, way, k),
        )
        for brain, called in BRAINS.items()
        for way in ("all", "fresh")
        for k in (1, 3, 10)
    },
    "opening_e4": (_percent("Probability of 1. e4", TABLE_3_4["e2e4"][0], "opening"), _first_move),
    "bands_on_diagonal": (
        Headline("Bands of ratings whose own setting fits best", None, "bands", "bands", source=SOURCE),
        _diagonal,
    ),
    **BOARD_HEADLINES,
}
"""What is measured, and how, by keys that programs may rely on."""
