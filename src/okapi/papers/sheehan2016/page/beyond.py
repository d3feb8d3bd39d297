"""What the paper names as future work, and Deep Pink, from which it took Net B."""

from collections.abc import Iterator

from okapi.formats.html import Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import counted, elo, interval, number, percent
from okapi.formats.svg import Interval, Intervals, figure
from okapi.papers.sheehan2016.reading import GAMES, HOW, POSITIONS, Data, accuracy, find, near
from okapi.papers.tables import counts, made, remarks, tally_of
from okapi.recipes.lab import Results
from okapi.recipes.shares import Share

__all__ = ["beyond"]


def beyond(results: Results) -> Section:
    """Three proposals of section 6.2, and equation 1."""
    return Section(
        "Beyond the paper",
        [
            *made(results, "networks", "A better architecture", _architecture),
            *made(results, "strength", "The nets in a full engine", _strength),
            *made(results, "deep_pink", "Deep Pink", _pink),
            Prose(
                "Reinforcement from Net A's weights, the last proposal of the paper, is what `okapi train tdleaf "
                "--brain FILE` does, in the manner of lai2015."
            ),
        ],
    )


def _architecture(data: Data) -> Iterator[Part]:
    said = []
    for split, words in ((GAMES, "by game"), (POSITIONS, "positions at random")):
        own = find(data, "Ours", HOW["own"], split)
        if own is not None:
            said.append(
                f"A residual network on planes that say whose move it is, split {words}: {accuracy(own)}, within "
                f"one bucket {near(own)}."
            )
    yield Notes(said or ["The residual network was not taught here."])


def _strength(data: Data) -> Iterator[Part]:
    rows = data["rows"]
    yield Table(
        name="The nets in a full engine",
        caption=f"Okapi's search with each net as its judgement, on the ladder of engines that many have: "
        f"{data['conditions']}.",
        heads=("player", "Elo", "95 %", "games", "score"),
        rows=[
            (
                row["name"],
                number(row["elo"]),
                interval(row["low"], row["high"]),
                number(row["games"]),
                percent(row["score"]),
            )
            for row in rows
        ],
    )
    placed = [row for row in rows if row["elo"] is not None]
    intervals = [
        Interval(row["name"], row["elo"], *(row["elo"] if row[end] is None else row[end] for end in ("low", "high")))
        for row in placed
    ]
    described = "; ".join(f"{row['name']} {elo(row['elo'], row['low'], row['high'])}" for row in placed)
    drawn = figure(Intervals("place on the ladder, with 95 % intervals", intervals, "Elo"), described, width=720)
    yield Figure(name="Places on the ladder", caption="The same as a picture.", pictures=[drawn])
    yield from remarks(data)


def _pink(data: Data) -> Iterator[Part]:
    told = data["buckets"]
    layers = data["hidden"].replace(",", "–")
    yield Prose(
        f"Equation 1 without any teacher: {counted(data['triplets'], 'triplet')} from {data['from']}, layers {layers}, "
        f"{counted(data['epochs'], 'pass', 'passes')}. A triplet is a position, the one that a person went to, and the "
        "one after another move."
    )
    yield Table(
        name="Deep Pink",
        caption=f"What it learned, asked in other ways; games: {data['conditions']}.",
        heads=("question", "answer"),
        rows=[
            (
                "the played position above the other one",
                str(Share(round(data["ranked"] * data["tested"]), data["tested"])),
            ),
            ("its tenths are the teacher's tenths", str(Share(round(told["accuracy"] * told["count"]), told["count"]))),
            ("the same, or the tenth beside it", str(Share(round(told["near"] * told["count"]), told["count"]))),
            *((f"games against {name}, won–drawn–lost", counts(tally_of(met))) for name, met in data["games"].items()),
        ],
    )
