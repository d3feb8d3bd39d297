"""Chapter 6: twenty-eight weights, and Hooke-Jeeves."""

from collections.abc import Iterator
from typing import Final

from okapi.formats.html import Figure, Missing, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import compared, counted, interval, number, percent, signed, where_theirs_is
from okapi.formats.svg import Line, Lines, figure
from okapi.papers.tables import Rated, counts, made, rating_figure, rating_table, remarks, tally_figure, tally_of
from okapi.papers.vazquez2012.published import (
    FIGURE_41,
    FIGURE_42,
    SOLVED,
    TABLE_15,
    TABLE_16,
    TABLE_17,
    TABLE_17_GAMES,
    TABLE_18,
)
from okapi.papers.vazquez2012.reading import Data
from okapi.recipes.lab import Results

__all__ = ["chapter_6"]

GENERATIONS: Final = 200
"""Of the thesis."""

WHEN: Final = ("before", "after")
"""Hooke-Jeeves."""


def chapter_6(results: Results) -> Section:
    """Tables 15 to 18, figures 41 and 42."""
    return Section(
        "Chapter 6: twenty-eight weights",
        [
            Prose(
                "Twenty players with 28 weights look for the moves of grandmasters in 1,000 positions, for 200 "
                "generations: the exploration search. Then Hooke-Jeeves walks on from the best of them, weight by "
                "weight: the exploitation search."
            ),
            *made(results, "exploration", "Figure 41", _figure_41),
            *_table_16(results),
            *made(results, "exploitation", "The solved positions of section 6.3.1", _solved),
            *made(results, "exploitation_games", "Table 17", _table_17),
            *made(results, "exploration_rating", "Table 18", _table_18),
        ],
    )


def _figure_41(data: Data) -> Iterator[Part]:
    total = data["runs"][0]["total"]
    ours = [
        Line(name, [(now["generation"], 100 * now[what] / total) for now in data["history"]])
        for name, what in (("best", "best"), ("mean", "mean"))
    ]
    within = 0.0, max(FIGURE_41["best"].last / 10, *(y for line in ours for _, y in line.points))
    theirs = [Line(name, [(0, curve.first / 10), (GENERATIONS, curve.last / 10)]) for name, curve in FIGURE_41.items()]
    yield Figure(
        name="Figure 41",
        caption="Positions solved at one ply, in percent of those trained on, by the best player and by the "
        "population's mean. Of theirs, the text gives the ends only, joined here by straight lines.",
        pictures=[
            figure(Lines(title, lines, "generation", "%", within), _described(title, lines), width=460)
            for title, lines in (("thesis", theirs), ("ours", ours))
        ],
    )
    solved = [100 * run["solved"] / run["total"] for run in data["runs"]]
    first, last = ours[0].points[0][1], ours[0].points[-1][1]
    sentences = [
        compared("The best of the first generation", first, FIGURE_41["best"].first / 10, "points", digits=1, close=1)
        + ".",
        compared("The best of the last", last, FIGURE_41["best"].last / 10, "points", digits=1, close=1) + ".",
        f"Ours is the best of {counted(len(solved), 'run')}, which end between {min(solved):.1f} and "
        f"{max(solved):.1f} %; theirs is the best of 30, of which no more is told.",
    ]
    generations = data["history"][-1]["generation"]
    if generations != GENERATIONS:
        sentences.append(f"Ours ends after {counted(generations, 'generation')}, theirs after {GENERATIONS}.")
    if total != 1000:
        sentences.append(f"Ours are trained on {counted(total, 'position')}, theirs on 1,000.")
    yield Notes(sentences)
    yield from remarks(data)


def _described(title: str, lines: list[Line]) -> str:
    ends = (f"{line.name} from {line.points[0][1]:.1f} to {line.points[-1][1]:.1f} percent" for line in lines)
    return f"{title}: {', '.join(ends)}"


def _table_16(results: Results) -> Iterator[Part]:
    """The bounds of Table 15 are ours, too; of Table 16, as many columns as there are results."""
    ours = {name: results[name].data["weights"] for name in ("exploration", "exploitation") if _there(results, name)}
    if not ours:
        yield Missing("Table 16", "neither search was made")
        return
    rows = []
    for name, (low, high) in TABLE_15.items():
        mine = [number(_weight(weights, name)) for weights in ours.values()]
        rows.append((name.replace("_", " "), f"{number(low)} … {number(high)}", *map(number, TABLE_16[name]), *mine))
    yield Table(
        name="Tables 15 and 16",
        caption="The bounds of each weight, and where the two searches ended.",
        heads=("weight", "bounds", "exploration", "exploitation", *ours),
        rows=rows,
        groups=(("", 2), ("thesis", 2), ("ours", len(ours))),
    )
    yield Notes([_opposite(weights, column, name) for column, (name, weights) in enumerate(ours.items())])


def _there(results: Results, name: str) -> bool:
    return name in results and not results[name].skipped


def _weight(weights: dict[str, float], name: str) -> float:
    """The pawn is the unit, and no gene."""
    return weights.get(name, 100.0)


def _opposite(weights: dict[str, float], column: int, name: str) -> str:
    """How alike two players are: which pieces lie within a tenth, and which weights have another sign."""
    pieces = ("knight", "bishop", "rook", "queen")
    near = [piece for piece in pieces if abs(weights[piece] / TABLE_16[piece][column] - 1) <= 0.1]
    turned = [key.replace("_", " ") for key in TABLE_16 if _weight(weights, key) * TABLE_16[key][column] < 0]
    named = f" ({', '.join(turned)})" if turned else ""
    return (
        f"After the {name} search, {', '.join(near) or 'no piece'} "
        f"{'is' if len(near) < 2 else 'are'} within a tenth of theirs; "
        f"{counted(len(turned), 'weight')} of 28 {'has' if len(turned) == 1 else 'have'} another sign{named}."
    )


EXAMS: Final = {
    "trained": ("trained on", f"{SOLVED['exploration']} %", f"{SOLVED['exploitation']} %"),
    "fresh": ("of fresh games", "–", f"{SOLVED['fresh']} %"),
    "strict": ("of fresh games, and in no training game", "–", "–"),
}
"""The positions of section 6.3.1, and what the thesis solved of them before and after Hooke-Jeeves."""


def _solved(data: Data) -> Iterator[Part]:
    rows = [
        (words, f"{data[exam]['total']:,}", before, after, *(percent(_share(data, exam, when)) for when in WHEN))
        for exam, (words, before, after) in EXAMS.items()
        if exam in data
    ]
    yield Table(
        name="Section 6.3.1",
        caption="Positions solved at one ply, before and after Hooke-Jeeves.",
        heads=("positions", "how many of ours", *WHEN, *WHEN),
        rows=rows,
        groups=(("", 2), ("thesis", 2), ("ours", 2)),
    )
    fresh, trained = 100 * _share(data, "fresh", "after"), 100 * _share(data, "trained", "after")
    yield Notes(
        [
            compared("What is solved of fresh positions", fresh, SOLVED["fresh"], "points", digits=1, close=1) + ".",
            f"Hooke-Jeeves adds {signed(trained - 100 * _share(data, 'trained', 'before'), 1)} points where it was "
            f"trained and {signed(fresh - 100 * _share(data, 'fresh', 'before'), 1)} on fresh positions; "
            f"theirs adds {signed(SOLVED['exploitation'] - SOLVED['exploration'], 1)}.",
            "Fresh positions are from games that no search has seen. The gap to those trained on is "
            f"{number(trained - fresh, 1)} points; theirs is {number(SOLVED['exploitation'] - SOLVED['fresh'], 1)}, "
            "and the thesis does not say whether positions of one game may be in both parts.",
            *_yardsticks(data, fresh),
        ]
    )
    yield from remarks(data)


def _share(data: Data, exam: str, when: str) -> float:
    return float(data[exam][when] / data[exam]["total"])


def _yardsticks(data: Data, ours: float) -> Iterator[str]:
    """What brains that ship solve of the same fresh positions: above all the weights that the thesis published."""
    shares = {name: 100 * share for name, share in data.get("yardsticks", {}).items()}
    if shares:
        told = ", ".join(f"{name} {number(share, 1)} %" for name, share in shares.items())
        yield f"Of the same fresh positions, brains that ship with Okapi solve: {told}."
    if (published := shares.get("vazquez-exploitation")) is not None:
        yield (
            "The weights that the thesis published are among them, and are "
            f"{number(abs(published - SOLVED['fresh']), 1)} points "
            f"{'lower' if published < SOLVED['fresh'] else 'higher'} here than in the thesis: so much is in the "
            f"positions, the search and the scales of factors. Ours are {number(abs(ours - published), 1)} points "
            f"{'above' if ours >= published else 'below'} them."
        )


def _table_17(data: Data) -> Iterator[Part]:
    ours = tally_of(data)
    rated = [Rated.of(row) for row in data["rows"]]
    yield rating_table(
        "Table 17",
        f"Exploitation against exploration, won–drawn–lost: theirs {counts(TABLE_17_GAMES)} at 4 plies, ours "
        f"{counts(ours)} ({data['conditions']}).",
        TABLE_17,
        rated,
    )
    theirs = TABLE_17[0].elo - TABLE_17[1].elo
    apart = rated[0].elo - rated[1].elo
    yield Notes(
        [
            compared("The score of exploitation", 100 * ours.score, TABLE_17[0].score, "points", close=2) + ".",
            compared("The difference in Elo", apart if ours.score >= 0.5 else -abs(apart), theirs, "points", close=25)
            + ".",
            f"The thesis tells of 200 games and counts {TABLE_17_GAMES.games}. From games between two players only "
            "their difference follows; nothing says what its 2425 and 2205 are measured from.",
        ]
    )
    yield from remarks(data)


def _table_18(data: Data) -> Iterator[Part]:
    ours = [Rated.of(row) for row in data["rows"]]
    yield rating_table("Table 18", f"Ratings; theirs at 6 plies. Ours: {data['conditions']}.", TABLE_18, ours)
    yield rating_figure("Table 18 as a picture", "The same ratings.", TABLE_18, ours)
    sentences = []
    for what, theirs in (("exploration", 597), ("exploitation", 227)):
        gain = data["gains"][what]
        low, high = gain["low"], gain["high"]
        sentences.append(
            f"{what.capitalize()} is worth {signed(gain['elo'])} Elo ({interval(low, high)}) here, "
            f"{signed(theirs)} there: {where_theirs_is(theirs, low, high)}."
        )
    yield Notes(sentences)
    yield from remarks(data)
    yield from _figure_42(data)


def _figure_42(data: Data) -> Iterator[Part]:
    tallies = {name: tally_of(data["games"][name]) for name in FIGURE_42 if name in data["games"]}
    yield Figure(
        name="Figure 42",
        caption="Games of Table 18, as seen by the evolved players.",
        pictures=[
            tally_figure("thesis: against Chessmaster 2500", "", FIGURE_42, width=460),
            tally_figure(f"ours: against {data['opponent']}", "", tallies, width=460),
        ],
    )
    yield Notes(
        [
            compared(f"The score of {name}", 100 * tally.score, 100 * FIGURE_42[name].score, "points", close=5) + "."
            for name, tally in tallies.items()
        ]
    )
