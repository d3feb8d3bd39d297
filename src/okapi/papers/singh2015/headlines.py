"""The headline figures of singh2015, and what both they and the page read in results."""

from collections.abc import Mapping
from typing import Any, Final

from okapi.papers.headlines import Measured, find_row, need, share_of
from okapi.papers.page import tally_of
from okapi.papers.published import read_published
from okapi.recipes.proportions import Proportion

PUBLISHED: Final = read_published("singh2015")
FIGURE_3_4: Final = {int(guesses): share for guesses, share in PUBLISHED.figure_3_4.items()}

BRAINS: Final = {"whole": "the seven, whole", "seven": "the seven networks", "ours": "our one network"}
"""Brains that predict moves; where the whole seven are elsewhere, and sent only their scores, the others are small."""

SMALL: Final = "-small"  # behind the names of training jobs that make a network small enough to ship

Data = dict[str, Any]


def within(row: Data, guesses: int = 1, key: str = "top") -> Proportion:
    """Right with so many guesses: `top` without the rules, `top_masked` with them."""
    return Proportion(row[key][str(guesses)], row["count"])


def illegal(row: Data) -> Proportion:
    return Proportion(row["illegal"], row["count"])


def fastest_job(jobs: Mapping[str, Data]) -> str | None:
    """The training job of ChessNet-1, whole, with the most samples a second."""
    chessnets = [name for name, job in jobs.items() if job["model"] == "chessnet_1" and not name.endswith(SMALL)]
    return max(chessnets, key=lambda name: float(jobs[name]["samples_per_second"]), default=None)


WORST: Final = max(row.illegal for row in PUBLISHED.table_3_2.values())
SCORES: Final = tuple(100 * tally_of(row).score for row in PUBLISHED.table_3_7)


def fastest(data: Data) -> Measured:
    jobs = data["jobs"]
    name = need(fastest_job(jobs))
    return Measured(jobs[name]["samples_per_second"], note=f"{name} on {jobs[name]['device']}")


def trained(data: Data, job: str) -> Measured:
    """The accuracy of a whole network on all samples of test games, after its training."""
    return Measured.of_share(share_of(need(data["jobs"].get(job))["test"]))


def network(data: Data, name: str, key: str, guesses: int = 1) -> Measured:
    """A share of one of the seven: `top` without the rules, `top_masked` with them, `illegal` first choices."""
    row = need(data["brains"].get("seven", {}).get(name))
    return Measured.of_share(illegal(row) if key == "illegal" else within(row, guesses, key))


def worst_illegal(data: Data) -> Measured:
    rows = data["brains"].get("seven", {})
    found = need({kind: illegal(rows[kind]) for kind in PUBLISHED.kinds if kind in rows and rows[kind]["count"]})
    kind = max(found, key=lambda kind: found[kind].value)
    return Measured.of_share(found[kind], kind.upper())


def queen_moves(data: Data, brain: str) -> Measured:
    """Illegal first choices of QUEEN in all queen moves of the tests."""
    row = need(data.get("queens", {}).get(brain))
    return Measured.of_share(illegal(row), f"{row['count']:,} moves")


def of_always_0(data: Data, job: str) -> Measured:
    """V's mean squared error, in per cent of that of always 0."""
    row = data["jobs"].get(job, {})
    return Measured(100 * row["test"]["mse"] / row["always_0"] if "always_0" in row else None)


def whole_moves(data: Data, brain: str, way: str, guesses: int) -> Measured:
    return Measured.of_share(within(need(data["brains"].get(brain, {}).get(way)), guesses))


def first_move(data: Data) -> Measured:
    return Measured(100 * need(data["brains"].get("seven"))["moves"].get("e2e4", 0.0))


def best_input(row: Data) -> int:
    """The number of the rating input with the least loss in a band."""
    losses = [cell["loss"] for cell in row["cells"]]
    return losses.index(min(losses))


def on_diagonal(data: Data) -> Measured:
    hits = sum(best_input(row) == row["own"] for row in data["rows"])
    return Measured(hits, note=f"of {len(data['rows'])}")


def found_first(data: Data, brain: str) -> Measured:
    rows = need([row for row in data["rows"] if row["brain"] == brain])
    return Measured(sum(row["rank"] == 1 for row in rows), note=f"of {len(rows)}")


def correlation_of_v(data: Data) -> Measured:
    found = data["correlations"][str(data["gamma"])]
    note = f"discount {data['gamma']:g}, boards of {found['games']:,} games"
    return Measured(found["value"], found["low"], found["high"], note)


def match(data: Data, key: str) -> Measured:
    row = find_row(data, key=key)
    note = f"{row['wins']}–{row['draws']}–{row['losses']}"
    return Measured(100 * row["score"], 100 * row["score_low"], 100 * row["score_high"], note)
