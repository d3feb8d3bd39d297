"""Table 3, how fast the engine is, and how strong."""

from collections.abc import Iterator

from okapi.formats.html import Figure, Notes, Part, Section, Table
from okapi.formats.numbers import elo, interval, number, percent, where_theirs_is
from okapi.formats.svg import Interval, Intervals, figure
from okapi.papers.lai2015.published import MOST_SLOWER, RATING, SELF_PLAY_RATE, TABLE_3
from okapi.papers.lai2015.reading import Data, by_name
from okapi.papers.tables import made, remarks
from okapi.recipes.lab import Results

__all__ = ["engine"]


def engine(results: Results) -> Section:
    """The evaluator at work."""
    return Section(
        "The engine",
        [
            *made(results, "sts", "Table 3", _suite),
            *made(results, "speed", "Speed", _speed),
            *made(results, "strength", "Places on the ladder", _strength),
        ],
    )


def _suite(data: Data) -> Iterator[Part]:
    theirs = [(each.name, number(each.nodes), number(each.points), "", "", number(each.rating)) for each in TABLE_3]
    ours = [
        (
            row["name"],
            number(row["nodes"]),
            number(row["points"]),
            interval(row["low"], row["high"]),
            number(row["seconds"], 2),
            number(None),
        )
        for row in data["rows"]
    ]
    yield Table(
        name="Table 3",
        caption=f"Points of the Strategic Test Suite, of 15,000; ours on {number(data['positions'])} positions of "
        f"{data['suite']}, everybody one after the other with one thread, intervals over positions.",
        heads=("engine", "nodes a position", "points", "95 %", "seconds a position", "rating"),
        rows=[*theirs, *ours],
        bands=(("thesis", len(theirs)), ("ours", len(ours))),
    )
    drawn = [
        *(Interval(row["name"], row["points"], row["low"], row["high"], "ours") for row in data["rows"]),
        *(Interval(each.name, each.points, each.points, each.points, "thesis") for each in TABLE_3),
    ]
    described = "; ".join(f"{row.name} {number(row.value)}" for row in drawn)
    picture = figure(Intervals("STS points, with 95 % intervals", drawn, "points"), described, width=760)
    yield Figure(name="Table 3, drawn", caption="The same as a picture.", pictures=[picture])
    yield Notes(_suite_sentences(data))


def _suite_sentences(data: Data) -> list[str]:
    said = []
    giraffes = [row for row in data["rows"] if row["name"].startswith("Giraffe (")]
    quick = min(giraffes, key=lambda row: int(row["movetime_ms"]), default=None)
    if quick is not None:
        for row in data["rows"]:
            if not row["name"].startswith("Giraffe"):
                gap = quick["points"] - row["points"]
                clear = quick["low"] > row["high"] or quick["high"] < row["low"]
                way = "above" if gap >= 0 else "below"
                said.append(
                    f"{quick['name']} is {number(abs(gap))} points {way} {row['name']}"
                    f"{'' if clear else '; the intervals overlap'}."
                )
    said += [
        f"{row['name']} failed in {number(row['failed'])} of {number(row['count'])} positions."
        for row in data["rows"]
        if row["failed"]
    ]
    return said + [f"{name} could not be asked: {why}." for name, why in data["absent"].items()]


def _speed(data: Data) -> Iterator[Part]:
    best = max((row["nps"] for row in data["rows"]), default=0)
    yield Table(
        name="Speed",
        caption=f"Nodes a second of one thread: medians over {number(data['positions'])} positions of "
        f"{number(data['movetime_ms'])} ms each, everybody taking turns.",
        heads=("player", "nodes a second", "of the fastest"),
        rows=[(row["name"], number(row["nps"]), percent(row["nps"] / max(best, 1))) for row in data["rows"]],
    )
    said = [
        f"Self-play with searches of {data['self_play']['nodes']} nodes: {number(data['self_play']['rate'])} positions "
        f"a second and core; the thesis had about {number(SELF_PLAY_RATE)}."
    ]
    mine, other = by_name(data, "giraffe by depth"), by_name(data, "Stockfish")
    if mine is not None and other is not None:
        times = other["nps"] / max(mine["nps"], 1)
        verdict = "as the thesis says of its own" if times < MOST_SLOWER else "more than the thesis says of its own"
        said.append(f"Stockfish is {number(times, 1)} times as fast: {verdict}, less than {MOST_SLOWER} times.")
    yield Notes(said)


def _strength(data: Data) -> Iterator[Part]:
    yield Table(
        name="Places on the ladder",
        caption=f"Whole engines with a clock, among engines that many have: {data['conditions']}. The thesis calls "
        f"Giraffe an International Master: about {RATING}.",
        heads=("player", "Elo", "95 %", "games", "score"),
        rows=[
            (
                row["name"],
                number(row["elo"]),
                interval(row["low"], row["high"]),
                number(row["games"]),
                percent(row["score"]),
            )
            for row in data["rows"]
        ],
    )
    placed = by_name(data, "giraffe")
    if placed is not None and placed["elo"] is not None:
        where = where_theirs_is(RATING, placed["low"], placed["high"])
        yield Notes([f"Giraffe's place is {elo(placed['elo'], placed['low'], placed['high'])}; {where}."])
    yield from remarks(data)
