"""Matches on the page: a table, a picture, and what each says about the sign."""

from collections.abc import Iterator, Mapping, Sequence

from okapi.formats.html import Figure, Notes, Part, Table
from okapi.formats.numbers import interval, number, signed, where_theirs_is
from okapi.formats.svg import Interval, Intervals, figure
from okapi.papers.lai2015.published import Gain
from okapi.papers.lai2015.reading import Data
from okapi.papers.tables import counts, tally_of

__all__ = ["matched"]


def matched(name: str, caption: str, rows: Sequence[Data], theirs: Mapping[str, Gain]) -> Iterator[Part]:
    """Matches that were played, and the thesis' where it has one."""
    yield Table(
        name=name,
        caption=f"{caption} Elo is that of the first player; each opening was played with both colours.",
        heads=("match", "thesis", "Elo", "95 %", "won–drawn–lost", "limits", "nodes a move", "seconds a move"),
        rows=[_row(row, theirs.get(row["key"])) for row in rows],
        words=(5,),
    )
    drawn = [
        Interval(row["name"], row["elo"], row["low"], row["high"], "ours")
        for row in rows
        if row["low"] is not None and row["high"] is not None
    ]
    drawn += [
        Interval(row["name"], gain.elo, gain.elo - gain.bound, gain.elo + gain.bound, "thesis")
        for row in rows
        if (gain := theirs.get(row["key"])) is not None
    ]
    if drawn:
        described = "; ".join(f"{each.name}, {each.group}: {signed(each.value)}" for each in drawn)
        picture = figure(Intervals("Elo gained, with 95 % intervals", drawn, "Elo"), described, width=760)
        yield Figure(name=f"{name}, drawn", caption="The same as a picture.", pictures=[picture])
    yield Notes([_sentence(row, theirs.get(row["key"])) for row in rows])


def _row(row: Data, gain: Gain | None) -> tuple[str, ...]:
    return (
        row["name"],
        "–" if gain is None else f"{signed(gain.elo)} ± {number(gain.bound)}",
        signed(row["elo"]),
        interval(row["low"], row["high"]),
        counts(tally_of(row)),
        row["control"],
        " / ".join(number(effort["nodes"]) for effort in row["efforts"]),
        " / ".join(number(effort["seconds"], 3) for effort in row["efforts"]),
    )


def _sentence(row: Data, gain: Gain | None) -> str:
    low, high = row["low"], row["high"]
    sign = "the first is stronger" if low is not None and low > 0 else ""
    sign = sign or ("the second is stronger" if high is not None and high < 0 else "who is stronger is not decided")
    said = f"{row['name']}: {sign} ({signed(row['elo'])} Elo, {interval(low, high)}, {number(row['games'])} games)"
    if gain is not None:
        said += f"; the thesis has {signed(gain.elo)} ± {number(gain.bound)}, {where_theirs_is(gain.elo, low, high)}"
    return said + "."
