"""The Kaufman test, and the networks in games."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from okapi.formats.html import Notes, Part, Prose, Section, Table
from okapi.formats.numbers import elo, number, percent, signed
from okapi.papers.sabatelli2018.published import BALANCED, LOSING, OPPONENTS, RATING, TABLE_4
from okapi.papers.sabatelli2018.reading import Data
from okapi.papers.tables import made
from okapi.recipes.lab import Results

__all__ = ["kaufman", "strength"]

SOLVED = sum(choice.best == choice.played for choice in TABLE_4)
MEAN = sum(choice.delta for choice in TABLE_4) / len(TABLE_4)


def kaufman(results: Results) -> Section:
    """Table 4."""
    return Section(
        "The Kaufman test",
        [
            Prose(
                "25 positions with a move to find. The network looks one move ahead and plays what it likes best; how "
                "much worse that is than the best move, a strong engine says. Then the same network with quiescence, "
                "and with a full search."
            ),
            *made(results, "kaufman", "Table 4", _table_4),
        ],
    )


def _table_4(data: Data) -> Iterator[Part]:
    theirs = ("the paper's MLP of 2018", "depth 1", str(SOLVED), "–", str(len(LOSING)), str(BALANCED), number(MEAN, 2))
    yield Table(
        name="The Kaufman test in numbers",
        caption="Moves that Table 4 calls best; those that the suite itself calls best, or does not forbid; moves into "
        "a lost position; moves that give away no more than 1.5 pawns; and what is given away on average. The "
        f"judge: {data['judge'] or 'none was there'}. The full search sees {number(data['search_nodes'])} positions.",
        heads=("network", "plays", "solved", "by the suite", "losing", "balanced", "mean Δ"),
        rows=[theirs, *map(_summed, data["rows"])],
        words=(1,),
    )
    first = data["rows"][0]["name"]
    shown = [row for row in data["rows"] if row["name"] == first]
    by_number = [{answer["number"]: answer for answer in row["answers"]} for row in shown]
    yield Table(
        name="Table 4",
        caption=f"Each position, in the paper's order: the best move, what their network played and gave away; what "
        f"{first} plays here. Row 18 of the paper fits no position of the suite that another row does not have.",
        heads=("", "best", "played", "Δ", *(head for row in shown for head in (row["way"], "Δ"))),
        groups=(("", 2), ("paper", 2), ("ours", 2 * len(shown))),
        rows=[
            (
                str(choice.row),
                choice.best,
                choice.played,
                number(choice.delta, 1),
                *(cell for answers in by_number for cell in _cells(answers.get(choice.place or 0))),
            )
            for choice in TABLE_4
        ],
        words=(1, 2, *range(4, 4 + 2 * len(shown), 2)),
    )
    yield Notes(list(_remarks(data["rows"])))


def _summed(row: Data) -> tuple[str, ...]:
    mean = None if row["mean_delta"] is None else row["mean_delta"] / 100
    counts = (row["solved"], row["solved_own"], row["losing"], row["balanced"])
    return row["name"], row["way"], *map(number, counts), number(mean, 2)


def _cells(answer: Data | None) -> tuple[str, str]:
    if answer is None:
        return "–", "–"
    return answer["played"], number(None if answer["delta"] is None else answer["delta"] / 100, 1)


def _remarks(rows: Sequence[Data]) -> Iterator[str]:
    for row in rows:
        lost = "" if row["losing"] is None else f", and loses with {row['losing']}, theirs with {len(LOSING)}"
        yield f"{row['name']}, {row['way']}: {row['solved']} solved, theirs {SOLVED} at depth 1{lost}."


def strength(results: Results) -> Section:
    """Section 4.4's rating, and the future work of section 5."""
    return Section(
        "The network in games",
        [
            Prose(
                f"The paper's network reached about {RATING} on a chess server, in 30 games against players of "
                f"{OPPONENTS[0]} to {OPPONENTS[1]}, one move ahead; quiescence was its future work. Here it plays "
                "engines with nominal ratings, which is another scale: gains can be compared, levels hardly."
            ),
            *made(results, "strength", "Ratings", _ratings),
        ],
    )


def _ratings(data: Data) -> Iterator[Part]:
    rows = []
    for row in data["rows"]:
        stands = "–" if row["elo"] is None else elo(row["elo"])
        between = f"{number(row['low'])} … {number(row['high'])}"
        met = ", ".join(f"{name} {percent(score, 0)} of {games}" for name, (games, score) in row["met"].items())
        rows.append((row["name"], row["way"], stands, between, number(row["games"]), percent(row["score"], 0), met))
    yield Table(
        name="Ratings",
        caption=f"Places on the ladder (okapi rate --ladder). {data['conditions']}.",
        heads=("network", "plays", "Elo", "95 %", "games", "score", "against"),
        rows=rows,
        words=(1, 6),
    )
    yield Notes(list(_gains(data["rows"])))


def _gains(rows: Sequence[Data]) -> Iterator[str]:
    """What looking further brings to each network."""
    for name in dict.fromkeys(row["name"] for row in rows):
        rated = [(row["way"], row["elo"]) for row in rows if row["name"] == name and row["elo"] is not None]
        for (before, first), (after, second) in pairwise(rated):
            yield f"{name}: from “{before}” to “{after}” {signed(second - first)} Elo."
