"""Beyond the thesis: what it names as future work, and the learners that somebody would pick instead."""

from collections.abc import Iterator

from okapi.formats.html import Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import elo, lasted, number, percent
from okapi.formats.svg import Interval, Intervals, figure
from okapi.papers.tables import Rated, made, rating_table, remarks
from okapi.papers.vazquez2012.published import TABLE_18
from okapi.papers.vazquez2012.reading import Data
from okapi.recipes.lab import Results

__all__ = ["beyond"]


def beyond(results: Results) -> Section:
    """Two tables, which the thesis does not have."""
    return Section(
        "Beyond the thesis",
        [
            Prose(
                "The same weights, tuned in other ways from the same games, with the same budget of evaluations. The "
                "last column is what somebody with little time wants to know: Elo won for each minute of tuning."
            ),
            *made(results, "beyond", "Ways of tuning", _learners),
            *made(results, "beyond_rating", "The strongest", _strongest),
            Prose(
                "The piece networks with what the thesis keeps constant made a gene, and with other topologies, "
                "against those of the thesis."
            ),
            *made(results, "beyond_pieces", "Other piece networks", _pieces),
        ],
    )


def _learners(data: Data) -> Iterator[Part]:
    rows = data["rows"]
    yield Table(
        name="Ways of tuning",
        caption=f"Elo is that against one opponent of all: {data['conditions']}.",
        heads=("learner", "what", "evaluations", "time", "trained", "fresh", "Elo (95 %)", "games", "Elo per minute"),
        rows=[
            (
                row["learner"],
                row["what"],
                number(row["evaluations"]),
                lasted(row["seconds"]),
                percent(row["trained"]),
                percent(row["fresh"]),
                elo(row["elo"], row["low"], row["high"]),
                number(row["games"]),
                number(row["elo_per_minute"]),
            )
            for row in rows
        ],
        words=(1,),
    )
    intervals = [Interval(row["learner"], row["elo"], *_ends(row)) for row in rows]
    described = "; ".join(f"{row['learner']} {elo(row['elo'], row['low'], row['high'])}" for row in rows)
    drawn = figure(Intervals("Elo won by tuning, with 95 % intervals", intervals, "Elo"), described, width=720)
    yield Figure(
        name="Elo won", caption="The same as a picture; an open interval ends at its number.", pictures=[drawn]
    )
    quickest = max(rows, key=lambda row: float(row["elo_per_minute"] or 0))
    strongest = max(rows, key=lambda row: float(row["elo"]))
    reachable = [row["learner"] for row in rows if row is not strongest and _reaches(row, strongest)]
    unsure = f"; by these games {', '.join(reachable)} may be as strong" if reachable else ""
    yield Notes(
        [
            f"Most Elo per minute: {quickest['learner']} ({quickest['what']}), {number(quickest['elo_per_minute'])}.",
            f"Strongest: {strongest['learner']} ({strongest['what']}), "
            f"{elo(strongest['elo'], strongest['low'], strongest['high'])}{unsure}.",
        ]
    )
    if data.get("missing"):
        yield Notes([f"{learner} is missing: {why}." for learner, why in data["missing"].items()])
    yield from remarks(data)


def _ends(row: Data) -> tuple[float, float]:
    """An open interval has no end to draw."""
    return tuple(row["elo"] if row[end] is None else row[end] for end in ("low", "high"))


def _reaches(row: Data, other: Data) -> bool:
    """May it be as strong, as far as the intervals tell?"""
    return row["high"] is None or other["low"] is None or bool(row["high"] >= other["low"])


def _strongest(data: Data) -> Iterator[Part]:
    ours = [Rated.of(row) for row in data["rows"]]
    yield rating_table(
        "The strongest", f"Table 18 once more, and who was raised: {data['conditions']}.", TABLE_18, ours
    )
    yield from remarks(data)


def _pieces(data: Data) -> Iterator[Part]:
    rows = data["rows"]
    yield Table(
        name="Other piece networks",
        caption="Each against the networks of the thesis, evolved alike.",
        heads=("what", "score", "Elo (95 %)"),
        rows=[(row["what"], percent(row["score"]), elo(row["elo"], row["low"], row["high"])) for row in rows],
    )
    yield Notes([_verdict(row) for row in rows])
    yield from remarks(data)


def _verdict(row: Data) -> str:
    """Is it better, worse, or did the games not tell?"""
    low, high = row["low"], row["high"]
    if low is not None and low > 0:
        return f"{row['what']}: stronger, at {elo(row['elo'], low, high)}."
    if high is not None and high < 0:
        return f"{row['what']}: weaker, at {elo(row['elo'], low, high)}."
    return f"{row['what']}: these games do not tell, at {elo(row['elo'], low, high)}."
