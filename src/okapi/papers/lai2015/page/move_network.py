"""Chapter 6: Tables 4 and 5, and what the move network is worth in games."""

from collections.abc import Iterator

from okapi.formats.html import Figure, Notes, Part, Section, Table
from okapi.formats.numbers import compared, counted, lasted, number, percent
from okapi.formats.svg import Line, Lines, figure
from okapi.papers.lai2015.page.matched import matched
from okapi.papers.lai2015.published import MOVE_NETWORK_NODES, MOVE_NETWORK_TIME, TABLE_4, TABLE_5
from okapi.papers.lai2015.reading import ALL, QUIET, Data, ranked_within
from okapi.papers.tables import made, remarks
from okapi.recipes.lab import Results
from okapi.recipes.shares import Share

__all__ = ["move_network"]


def move_network(results: Results) -> Section:
    """Which moves are likely to be best."""
    return Section("The move network", made(results, "move_network", "Tables 4 and 5", _move_network))


def _move_network(data: Data) -> Iterator[Part]:
    for name, key, theirs in (("Table 4", ALL, TABLE_4), ("Table 5", QUIET, TABLE_5)):
        if data["tables"].get(key):
            yield from _table(name, key, theirs, data["tables"][key])
    if data["lessons"]:
        yield _lessons(data["lessons"])
    if data["rows"]:
        yield from matched(
            "The move network in games",
            "Even probabilities are what the network replaces.",
            data["rows"],
            {"even_nodes": MOVE_NETWORK_NODES, "even_time": MOVE_NETWORK_TIME},
        )
    yield from remarks(data)


def _lessons(lessons: Data) -> Table:
    return Table(
        name="Lessons of the move network",
        caption="The network of the thesis, which judges every move alone and in two passes, and ours, which weighs "
        "the legal moves against each other: how often the best move is ranked first, and in the first three.",
        heads=("network", "first", "first three", "first", "first three", "epochs", "time"),
        groups=(("", 1), ("all positions", 2), ("quiet positions", 2), ("training", 2)),
        rows=[
            (
                "thesis",
                *(f"{number(sum(table[:moves]), 2)} %" for table in (TABLE_4, TABLE_5) for moves in (1, 3)),
                "",
                "",
            ),
            *(
                (
                    "to the letter" if name == "letter" else name,
                    *(percent(ranked_within(told[key], moves).value, 2) for key in (ALL, QUIET) for moves in (1, 3)),
                    number(told["epochs"]),
                    lasted(told["seconds"]),
                )
                for name, told in lessons.items()
            ),
        ],
    )


def _table(name: str, key: str, theirs: tuple[float, ...], table: Data) -> Iterator[Part]:
    positions = sum(table["counts"])
    said = "all positions" if key == ALL else "positions whose best move is no winning capture"
    rows = []
    for rank, published in enumerate(theirs):
        mine = Share(table["counts"][rank], positions)
        within = ranked_within(table, rank + 1)
        rows.append(
            (
                "below 10th" if rank == len(theirs) - 1 else number(rank),
                number(published, 2),
                number(100 * mine.value, 2),
                number(sum(theirs[: rank + 1]), 2),
                number(100 * within.value, 2),
            )
        )
    yield Table(
        name=name,
        caption=f"Predicted rank of the best move, per cent; {said}, {counted(positions, 'position')} of games that "
        "nothing was learned from.",
        heads=("rank", "thesis", "ours", "thesis", "ours"),
        groups=(("", 1), ("frequency", 2), ("cumulative", 2)),
        rows=rows,
    )
    lines = [
        Line("thesis", [(rank + 1, sum(theirs[: rank + 1])) for rank in range(len(theirs) - 1)]),
        Line("ours", [(rank + 1, 100 * ranked_within(table, rank + 1).value) for rank in range(len(theirs) - 1)]),
    ]
    described = "; ".join(f"{line.name}: {line.points[0][1]:.1f} % first" for line in lines)
    drawn = figure(Lines("the best move is among so many, per cent", lines, "moves"), described, width=460)
    yield Figure(name=f"{name}, drawn", caption="The cumulative columns.", pictures=[drawn])
    sentences = []
    for moves, place in ((1, "first"), (3, "in the first three")):
        share, published = ranked_within(table, moves), sum(theirs[:moves])
        what = f"{name}, best move ranked {place},"
        sentences.append(f"{compared(what, 100 * share.value, published, 'points', digits=1)}; ours is {share}.")
    yield Notes(sentences)
