"""What the dial does: moves that are met, by who played them and what the network was told."""

import math
from collections.abc import Iterator, Sequence

from okapi.formats.html import Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import counted, number, signed
from okapi.formats.svg import Grid, figure
from okapi.papers.experiment import Results
from okapi.papers.singh2015.reading import BRAINS, Data
from okapi.papers.tables import made
from okapi.recipes.proportions import Proportion, Z

__all__ = ["bands"]


def bands(results: Results) -> Section:
    """Ratings."""
    return Section(
        "Like a player of your rating",
        [
            Prose(
                "The ELO layer as a dial. Rows are bands of ratings of those who played the moves, columns what the "
                "network was told; if the dial does what it says, each row is best where both are the same."
            ),
            *made(results, "bands", "Move-match by rating", _bands),
        ],
    )


def _bands(data: Data) -> Iterator[Part]:
    rows: list[Data] = data["rows"]
    names = [row["name"] for row in rows]
    dials = [str(dial) for dial in data["dials"]]
    yield Table(
        name="Move-match by rating",
        caption=f"First choices that were played, per cent, {BRAINS[data['brain']]}; the best of each row has a star.",
        heads=("played by", *dials, "95 % of its own", "positions"),
        groups=(("", 1), ("the dial is at", len(dials)), ("", 2)),
        rows=[_row(row) for row in rows],
    )
    shares = [[100 * cell["right"] / row["count"] for cell in row["cells"]] for row in rows]
    # Bands differ by more than settings do: only beside others of its row does a cell tell what the dial does.
    gains = [[round(share - min(row), 2) for share in row] for row in shares]
    best = "; ".join(f"{name}: {dials[row.index(max(row))]}" for name, row in zip(names, shares, strict=True))
    yield Figure(
        name="What the dial brings",
        caption="Points more than at the worst setting for that row.",
        pictures=[
            figure(Grid("points by the dial", gains, names, dials), f"best setting of each row: {best}", width=640)
        ],
    )
    yield Notes(list(_sentences(data)))


def _row(row: Data) -> tuple[str, ...]:
    shares = [Proportion(cell["right"], row["count"]) for cell in row["cells"]]
    best = max(share.right for share in shares)
    cells = (f"{number(100 * share.value, 1)}{' *' if share.right == best else ''}" for share in shares)
    low, high = shares[row["own"]].interval
    return row["name"], *cells, f"{number(100 * low, 1)} … {number(100 * high, 1)}", number(row["count"])


def _sentences(data: Data) -> Iterator[str]:
    rows: list[Data] = data["rows"]
    by_match = sum(row["cells"][row["own"]]["right"] == max(cell["right"] for cell in row["cells"]) for row in rows)
    by_loss = sum(_closest(row) == row["own"] for row in rows)
    yield (
        f"The diagonal is best in {by_match} of {counted(len(rows), 'row')} by first choices, and in {by_loss} by the "
        "probability of what was played."
    )
    off = [abs(_closest(row) - row["own"]) for row in rows]
    yield f"By that probability the best setting is {number(sum(off) / len(off), 1)} bands off the diagonal on average."
    for called, place in (("lowest", 0), ("highest", len(data["dials"]) - 1)):
        others = [(row["count"], row["cells"][place]) for row in rows if row["own"] != place]
        if others:
            yield f"A row's own setting against the {called}: {_paired(others)}."


def _paired(cells: Sequence[tuple[int, Data]]) -> str:
    """What the own setting gains over another in the same positions, with an interval that knows they are the same."""
    count = sum(positions for positions, _ in cells)
    own, other = (sum(cell[key] for _, cell in cells) for key in ("only_own", "only_here"))
    gain = (own - other) / count
    spread = Z * math.sqrt(max(own + other - (own - other) ** 2 / count, 0)) / count
    low, high = gain - spread, gain + spread
    verdict = "the dial helps" if low > 0 else "the dial harms" if high < 0 else "undecided"
    ends = f"{signed(100 * low, 2)} … {signed(100 * high, 2)}"
    return f"{signed(100 * gain, 2)} points ({ends}) in {counted(count, 'position')}, {verdict}"


def _closest(row: Data) -> int:
    """The place of the setting that gives the played moves the highest probability."""
    losses = [cell["loss"] for cell in row["cells"]]
    return losses.index(min(losses))
