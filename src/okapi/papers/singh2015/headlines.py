"""The headline figures of singh2015, and what both they and the page read in results."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from okapi.papers.headlines import Headline, Headlines, Measured
from okapi.papers.page import tally_of
from okapi.papers.published import read_published
from okapi.recipes.proportions import Proportion

PUBLISHED: Final = read_published("singh2015")
FIGURE_3_4: Final = {int(guesses): share for guesses, share in PUBLISHED.figure_3_4.items()}

BRAINS: Final = {"seven": "the seven networks", "ours": "our one network"}
"""Brains that predict moves."""

Data = dict[str, Any]


def before_masking(row: Data, guesses: int = 1) -> Proportion:
    """Right without the rules, with so many guesses."""
    return Proportion(row["top"][str(guesses)], row["count"])


def after_masking(row: Data, guesses: int = 1) -> Proportion:
    """Right with the rules."""
    return Proportion(row["top_masked"][str(guesses)], row["count"])


def illegal(row: Data) -> Proportion:
    return Proportion(row["illegal"], row["count"])


def whole(row: Data, guesses: int) -> Proportion:
    """Whole moves among so many legal ones."""
    return Proportion(row["top"][str(guesses)], row["count"])


def fastest_job(jobs: Mapping[str, Data]) -> str | None:
    """The training job of ChessNet-1 with the most samples a second."""
    chessnets = [name for name, job in jobs.items() if job["model"] == "chessnet_1"]
    return max(chessnets, key=lambda name: float(jobs[name]["samples_per_second"]), default=None)


def _fastest(data: Data) -> Measured:
    jobs = data["lessons"]
    name = fastest_job(jobs)
    if name is None:
        return Measured(None)
    return Measured(jobs[name]["samples_per_second"], note=f"{name} on {jobs[name]['device']}")


def _network(what: Callable[[Data], Proportion], name: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        row = data["brains"].get("seven", {}).get(name)
        return _measured(what(row)) if row else Measured(None)

    return measure


def _worst(data: Data) -> Measured:
    rows = data["brains"].get("seven", {})
    found = {kind: illegal(rows[kind]) for kind in PUBLISHED.kinds if kind in rows and rows[kind]["count"]}
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
    return Headline(what, None if theirs is None else 100 * theirs, "percent", experiment, source="thesis")


MATCHES: Final = {
    "top_prob": ("Top-Prob, the seven, against Sunfish with 10 to 1000 nodes", 0),
    "topprob_negamax": ("TopProb-Negamax, likewise", 1),
    "negamax": ("V with Negamax, likewise", 3),
    "quick_negamax": ("V as a perceptron with Negamax, likewise", None),
    "ours_limited": ("Ours without search, likewise", None),
    "ours_unlimited": ("Ours without search against Sunfish without a node limit", None),
    "taught_limited": ("Ours, trained on Stockfish's moves, against Sunfish with 10 to 1000 nodes", None),
    "taught_unlimited": ("Ours, trained on Stockfish's moves, against Sunfish without a node limit", None),
}
"""Their names, and their rows in Table 3.7."""


def _found(brain: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        rows = [row for row in data["rows"] if row["brain"] == brain]
        return Measured(sum(row["rank"] == 1 for row in rows), note=f"of {len(rows)}") if rows else Measured(None)

    return measure


def _correlation(data: Data) -> Measured:
    found = data["correlations"][str(data["gamma"])]
    note = f"discount {data['gamma']:g}, boards of {found['games']:,} games"
    return Measured(found["value"], found["low"], found["high"], note)


def _score(key: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        row = next((row for row in data["rows"] if row["key"] == key), None)
        if row is None:
            return Measured(None)
        note = f"{row['wins']}–{row['draws']}–{row['losses']}"
        return Measured(100 * row["score"], 100 * row["score_low"], 100 * row["score_high"], note)

    return measure


def _theirs(line: int | None) -> float | None:
    if line is None:
        return None
    return 100 * tally_of(PUBLISHED.table_3_7[line]).score


HEADLINES: Final[Headlines] = {
    "samples_per_second": (
        Headline(
            "Samples a second in training, ChessNet-1",
            PUBLISHED.samples_per_second,
            "samples",
            "training",
            source="thesis",
        ),
        _fastest,
    ),
    **{
        f"piece_{k}": (
            _percent(f"PIECE, {k} guesses, unmasked" if k > 1 else "PIECE, unmasked", theirs, "networks"),
            _network(lambda row, k=k: before_masking(row, k), "piece"),  # type: ignore[misc]
        )
        for k, theirs in zip(PUBLISHED.top, PUBLISHED.table_3_1["piece"], strict=True)
    },
    **{
        f"{name}_masked": (_percent(f"{name.upper()}, masked", theirs, "networks"), _network(after_masking, name))
        for name, (_, theirs) in PUBLISHED.table_3_3.items()
    },
    "illegal_piece": (
        _percent("First choices of PIECE that are illegal", PUBLISHED.table_3_2["piece"].illegal, "networks"),
        _network(illegal, "piece"),
    ),
    "illegal_worst": (
        _percent(
            "The same of the worst of the six", max(row.illegal for row in PUBLISHED.table_3_2.values()), "networks"
        ),
        _worst,
    ),
    **{
        f"move_{brain}_{k}{'' if way == 'all' else '_fresh'}": (
            _percent(
                f"Whole move among {k}, {called}{'' if way == 'all' else ', positions not in training games'}",
                FIGURE_3_4[k] if (brain, way) == ("seven", "all") else None,
                "full_moves",
            ),
            _moves(brain, way, k),
        )
        for brain, called in BRAINS.items()
        for way in ("all", "fresh")
        for k in (1, 3, 10)
    },
    "opening_e4": (_percent("Probability of 1. e4", PUBLISHED.table_3_4["e2e4"][0], "opening"), _first_move),
    "bands_on_diagonal": (
        Headline("Bands of ratings whose own rating input predicts best", None, "bands", "bands", source="thesis"),
        _diagonal,
    ),
    **{
        f"cases_{brain}": (Headline(f"Sample moves found first, {called}", None, "boards", "cases"), _found(brain))
        for brain, called in BRAINS.items()
    },
    "v_material": (
        Headline("Correlation of V with material", PUBLISHED.correlation, "correlation", "evaluation", source="thesis"),
        _correlation,
    ),
    **{
        f"match_{key}": (Headline(what, _theirs(line), "percent", "gameplay", source="thesis"), _score(key))
        for key, (what, line) in MATCHES.items()
    },
}
"""What is measured, and how, by keys that programs may rely on."""
