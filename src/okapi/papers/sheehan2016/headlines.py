"""The headline figures of sheehan2016, and what both they and the page read in results."""

from typing import Any, Final

from okapi.formats.numbers import percent
from okapi.papers.headlines import Measured, find_row, need, share_of
from okapi.papers.published import read_published
from okapi.recipes.proportions import Proportion
from okapi.recipes.sheehan2016 import HOW

PUBLISHED: Final = read_published("sheehan2016")

Data = dict[str, Any]


def seeds(data: Data, net: str, how: str, split: str) -> list[Data]:
    """The rows of a net, with its first seed first."""
    rows = [row for row in data["rows"] if (row["net"], row["how"], row["split"]) == (net, how, split)]
    return sorted(rows, key=lambda row: int(row["seed"]))


def layers(row: Data) -> str:
    return "–".join(map(str, row["hidden"])) or "none"


def near(row: Data) -> Proportion:
    """Positions in the right bucket, or the one beside it."""
    return share_of(row, "near")


def net(data: Data, name: str, how: str, split: str, key: str = "accuracy") -> Measured:
    row = need(seeds(data, name, HOW[how], split))[0]
    return Measured.of_share(share_of(row, key), _note(row) if key == "accuracy" else "")


def chosen(data: Data, name: str, split: str) -> Measured:
    """Of all ways to train a net the one with the best accuracy on the validation positions."""
    rows = need([row for row in data["rows"] if (row["net"], row["split"]) == (name, split)])
    best = max(rows, key=lambda row: float(row["validation_accuracy"]))
    return Measured.of_share(share_of(best), f"{best['how']}; {_note(best)}")


def _note(row: Data) -> str:
    return f"within one bucket {percent(row['near'])}"


def neighbours(data: Data, split: str) -> Measured:
    return Measured(100 * need(data["splits"].get(split))["neighbours"]["share"])


def baseline(data: Data, name: str, split: str) -> Measured:
    """What needs no network."""
    found = need(data["splits"].get(split))
    return Measured.of_share(share_of({"accuracy": found["baselines"][name], "count": found["parts"]["test"]}))


def swept(data: Data, name: str) -> Measured:
    """The accuracy nearest to the paper's that any layers, batch and iterations of the sweep give."""
    theirs = PUBLISHED.table_3[name]
    found = need([(share, row, step) for row in data["rows"] if row["net"] == name for step, share in row["curve"]])
    share, row, step = min(found, key=lambda each: abs(float(each[0]) - theirs))
    note = f"layers {layers(row)}, batches of {row['batch']}, {step:,} iterations; validation"
    return Measured(100 * share, note=note)


def deep_pink(data: Data) -> Measured:
    return Measured.of_share(share_of(data["buckets"]), _note(data["buckets"]))


def certain(data: Data, name: str, how: str) -> Measured:
    row = find_row(data, net=name, how=HOW[how])
    return Measured(100 * row["top"], note=f"{row['entropy']:.2f} bits")
