"""What fills the tables and figures of vazquez2012's paper.toml."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from statistics import mean
from typing import Any, Final

import numpy as np

from okapi.arena.elo import MatchResult
from okapi.formats.html import Figure, Missing, Part, Table
from okapi.formats.numbers import counted, elo, lasted, number, percent
from okapi.formats.svg import Curve, Grid, Interval, Intervals, Lines, figure
from okapi.papers.experiment import Results
from okapi.papers.page import counts, tally_figure, tally_of
from okapi.papers.vazquez2012.headlines import MEAN_OF_TABLE_9, PUBLISHED, THEORY, found, rated_row, runs_of
from okapi.recipes.vazquez2012.pieces import TABLE_7
from okapi.recipes.vazquez2012.twenty_eight import TABLE_15

Data = dict[str, Any]
Board = Sequence[Sequence[float]]
Cells = tuple[str, ...]


# --- Ratings ----------------------------------------------------------------------------------------------------------


def _ratings(table: str) -> Callable[[Data], Data]:
    """Two tables of ratings, one above the other: side by side they are wider than a page."""

    def rows(data: Data) -> Data:
        theirs, ours = PUBLISHED[table], [rated_row(row) for row in data["rows"]]
        bands = (("thesis", len(theirs)), ("ours", len(ours)))
        return {"rows": [_rated(row) for row in (*theirs, *ours)], "bands": bands}

    return rows


def _rated(row: Data) -> Cells:
    return (
        row["name"],
        elo(row["elo"]),
        f"{elo(row['elo'] - row['minus'])} … {elo(row['elo'] + row['plus'])}",
        number(row["games"]),
        percent(row["score"] / 100, 0),
        elo(row["opposition"]),
        percent(None if row.get("draws") is None else row["draws"] / 100, 0),
    )


def _rating_chart(name: str, table: str) -> Callable[[Data], list[Part]]:
    def build(data: Data) -> list[Part]:
        rows = [
            Interval(row["name"], row["elo"], row["elo"] - row["minus"], row["elo"] + row["plus"], group)
            for group, rated in (("thesis", PUBLISHED[table]), ("ours", map(rated_row, data["rows"])))
            for row in rated
        ]
        described = "; ".join(f"{row.name} {elo(row.value, row.low, row.high)}" for row in rows)
        picture = figure(Intervals("ratings with 95 % intervals", rows, "Elo"), described, width=720)
        return [Figure(name=name, caption="The same ratings as a chart.", pictures=[picture])]

    return build


def ratings_17(data: Data) -> Data:
    games = {"theirs": counts(tally_of(PUBLISHED.table_17_games)), "ours": counts(tally_of(data))}
    return {**_ratings("table_17")(data), **games}


ratings_10, ratings_14, ratings_18 = map(_ratings, ("table_10", "table_14", "table_18"))
table_10_chart = _rating_chart("Table 10, chart", "table_10")
table_18_chart = _rating_chart("Table 18, chart", "table_18")


# --- Chapter 4 --------------------------------------------------------------------------------------------------------

FILES: Final = "abcdefgh"
SETTINGS: Final = {
    "players": 20,
    "generations": 50,
    "games": 10,
    "depth": 4,
    "shortcuts": False,
    "sigma": 0.05,
    "scaled": False,
    "c": 0.5,
    "hidden": 9,
}
"""Of the thesis, by the recipe's names."""

PAWN_ROWS: Final = range(1, 7)
"""The rows of a board where pawns can be, rank 7 to rank 2."""


def runs(data: Data) -> Iterator[Cells]:
    theirs, ours = [tally_of(run) for run in PUBLISHED.table_9], runs_of(data)
    for run, (first, second) in enumerate(zip_longest(theirs, ours), start=1):
        yield str(run), *_tally_cells(first), *_tally_cells(second)
    yield "mean", *_mean_cells(theirs), *_mean_cells(ours)


def _tally_cells(tally: MatchResult | None) -> Cells:
    if tally is None:
        return ("",) * 4
    return str(tally.wins), str(tally.draws), str(tally.losses), f"{100 * tally.score:.2f} %"


def _mean_cells(tallies: Sequence[MatchResult]) -> Cells:
    draws = mean(tally.draws / tally.games for tally in tallies)
    return "", percent(draws), "", f"{100 * mean(tally.score for tally in tallies):.2f} %"


def different_settings(data: Data) -> list[Data]:
    settings = data.get("settings", {})
    return [
        {"name": name, "thesis": usual, "ours": settings[name]}
        for name, usual in SETTINGS.items()
        if settings.get(name, usual) != usual
    ]


def setting(value: float) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else f"{value:g}"


def _gain(table: str, before: str, after: str) -> float:
    """Of the thesis, in one of its tables of ratings."""
    rated = {row.name: row.elo for row in PUBLISHED[table]}
    return float(rated[after] - rated[before])


def pieces_gains(data: Data) -> list[Data]:
    bounds = {"elo": data["gain"], "low": data["gain_low"], "high": data["gain_high"]}
    return [{"what": "gain", "thesis": _gain("table_10", "Player0", "Player50"), **bounds}]


def figures_34_and_35(data: Data) -> Iterator[Part]:
    before, after, *_ = data["tallies"].values()
    for name, when, published, tallies in (
        ("Figure 34", "Before evolution", PUBLISHED.figure_34, before),
        ("Figure 35", "After evolution", PUBLISHED.figure_35, after),
    ):
        mine = dict(sorted(((_level(name), tally_of(tally)) for name, tally in tallies.items()), reverse=True))
        yield Figure(
            name=name,
            caption=f"{when}, against rated opponents.",
            pictures=[
                tally_figure("thesis", "Rybka at", {str(row.level): tally_of(row) for row in published}),
                tally_figure("ours", "Stockfish at", {str(level): tally for level, tally in mine.items()}),
            ],
        )


def _level(opponent: str) -> int:
    """The rating in an opponent's name."""
    return int(re.findall(r"\d+", opponent)[-1])


def bishop_boards(data: Data) -> list[str]:
    boards = {"Table 7: the start": TABLE_7, "Table 11: thesis": PUBLISHED.table_11, "ours": data["table11"]}
    most = max(max(row) for board in boards.values() for row in board)
    return [_grid(title, board, most) for title, board in boards.items()]


def _grid(title: str, board: Board, most: float) -> str:
    described = f"{title}; rank 8 to 1: " + " / ".join(" ".join(number(cell, 1) for cell in row) for row in board)
    return figure(Grid(title, board, "87654321", FILES, most), described, width=295)


def bishop_numbers(data: Data) -> list[Cells]:
    theirs, ours = PUBLISHED.table_11, data["table11"]
    return [
        ("mean distance from Table 7", number(_moved(theirs), 2), number(_moved(ours), 2)),
        ("correlation with the thesis, 48 squares", "", number(_correlation(ours), 2)),
        ("heaviest squares", _heaviest(theirs), _heaviest(ours)),
        ("mean of the 16 squares in the middle", number(_middle(theirs), 1), number(_middle(ours), 1)),
        ("mean of the other 32", number(_outside(theirs), 1), number(_outside(ours), 1)),
    ]


def _moved(board: Board) -> float:
    return float(np.abs(np.array(board)[1:7] - np.array(TABLE_7)[1:7]).mean())


def _correlation(board: Board) -> float:
    rows = np.array(board)[1:7].ravel(), np.array(PUBLISHED.table_11)[1:7].ravel()
    return float(np.corrcoef(*rows)[0, 1]) if rows[0].std() > 0 else 0.0


def _heaviest(board: Board) -> str:
    squares = [(board[row][file], f"{FILES[file]}{8 - row}") for row in PAWN_ROWS for file in range(8)]
    return ", ".join(name for _, name in sorted(squares, key=lambda square: (-square[0], square[1]))[:4])


def _middle(board: Board) -> float:
    return float(np.array(board)[2:6, 2:6].mean())


def _outside(board: Board) -> float:
    return float((np.array(board)[1:7].sum() - np.array(board)[2:6, 2:6].sum()) / 32)


# --- Chapter 5 --------------------------------------------------------------------------------------------------------

NAMES: Final = ("knight", "bishop", "rook", "queen", "mobility")
GENERATIONS_5: Final = 50


def weights_5(data: Data) -> Data:
    first, last = data["history"][0], data["history"][-1]
    count = counted(len(data["runs"]), "run")
    rows = []
    for name in NAMES:
        start, end = PUBLISHED.table_12[name], PUBLISHED.table_13[name]
        theirs = (start.mean, start.deviation, end.mean, end.deviation)
        ours = tuple(generation[what][name] for generation in (first, last) for what in ("mean", "deviation"))
        cells = [number(cell, 1) for cell in (*theirs, *ours, *found(data, name))]
        rows.append((name, number(THEORY.get(name)), *cells))
    groups = ("", "thesis, first", "thesis, last", "ours, first", "ours, last", f"ours, {count}")
    return {"rows": rows, "count": count, "groups": [(group, 2) for group in groups]}


def times_5(data: Data) -> list[Cells]:
    mine = mean(run["seconds"] for run in data["runs"])
    return [
        ("generations", number(GENERATIONS_5), number(data["history"][-1]["generation"])),
        ("time", lasted(PUBLISHED.seconds_of_chapter_5), lasted(mine)),
    ]


def means(data: Data) -> list[str]:
    return _weight_curves("mean", data["history"])


def deviations(data: Data) -> list[str]:
    return _weight_curves("deviation", data["history"])


def _weight_curves(what: str, history: Sequence[Data]) -> list[str]:
    starts, ends = PUBLISHED.table_12, PUBLISHED.table_13
    theirs = [Curve(name, [(0, starts[name][what]), (GENERATIONS_5, ends[name][what])]) for name in NAMES]
    ours = [Curve(name, [(now["generation"], now[what][name]) for now in history]) for name in NAMES]
    return _curves(theirs, ours)


def _curves(theirs: Sequence[Curve], ours: Sequence[Curve], unit: str = "") -> list[str]:
    """Two charts of the same height."""
    within = 0.0, max(y for line in (*ours, *theirs) for _, y in line.points)
    return [
        figure(Lines(title, lines, "generation", unit, within), _ends(title, lines), width=460)
        for title, lines in (("thesis", theirs), ("ours", ours))
    ]


def _ends(title: str, lines: Sequence[Curve]) -> str:
    ends = (f"{line.name} from {number(line.points[0][1], 1)} to {number(line.points[-1][1], 1)}" for line in lines)
    return f"{title}: {', '.join(ends)}"


def games_of_chapter_5(data: Data) -> Iterator[Data]:
    for name, (points, against) in PUBLISHED.games_of_chapter_5.items():
        ours = tally_of(data["games"][name])
        yield {"name": f"the {name} player", "thesis": f"{points} : {against}", "ours": ours, "score": ours.score}


# --- Chapter 6 --------------------------------------------------------------------------------------------------------

GENERATIONS_6: Final = 200

POSITIONS: Final = {
    "trained": ("training positions", PUBLISHED.solved.exploration, PUBLISHED.solved.exploitation),
    "fresh": ("of other games", None, PUBLISHED.solved.fresh),
    "strict": ("of other games, and in no training game", None, None),
}
"""The positions of section 6.3.1, and the per cent that the thesis solved before and after Hooke-Jeeves."""


def _explored(data: Data) -> tuple[list[Curve], list[Curve]]:
    """Per cent of solved positions by generation: of the thesis, and ours."""
    total, curves = data["runs"][0]["total"], PUBLISHED.figure_41
    theirs = [Curve(name, [(0, curve.first / 10), (GENERATIONS_6, curve.last / 10)]) for name, curve in curves.items()]
    ours = [
        Curve(what, [(now["generation"], 100 * now[what] / total) for now in data["history"]])
        for what in ("best", "mean")
    ]
    return theirs, ours


def exploration_curves(data: Data) -> list[str]:
    return _curves(*_explored(data), "%")


def exploration_numbers(data: Data) -> list[Cells]:
    best = [lines[0].points for lines in _explored(data)]
    solved = [100 * run["solved"] / run["total"] for run in data["runs"]]
    return [
        ("solved by the best of the first generation", *(f"{points[0][1]:.1f} %" for points in best)),
        ("solved by the best of the last generation", *(f"{points[-1][1]:.1f} %" for points in best)),
        ("runs", "30", number(len(solved))),
        ("range of the runs' ends", "–", f"{min(solved):.1f} … {max(solved):.1f} %"),
        ("generations", number(GENERATIONS_6), number(data["history"][-1]["generation"])),
        ("training positions", "1000", number(data["runs"][0]["total"])),
    ]


def table_16(results: Results) -> list[Part]:
    """As many columns of ours as there are results."""
    made = {name: results[name] for name in ("exploration", "exploitation") if name in results}
    ours = {name: result.data["weights"] for name, result in made.items() if not result.skipped}
    if not ours:
        return [Missing("Table 16", "neither search was made")]
    rows = [
        (
            name.replace("_", " "),
            f"{number(low)} … {number(high)}",
            *map(number, PUBLISHED.table_16[name]),
            *(number(weights.get(name, 100.0)) for weights in ours.values()),  # the pawn is the unit, and no gene
        )
        for name, (low, high) in TABLE_15.items()
    ]
    return [
        Table(
            name="Tables 15 and 16",
            caption="The bounds of each weight, and the ends of the two searches.",
            heads=("weight", "bounds", "exploration", "exploitation", *ours),
            rows=rows,
            groups=(("", 2), ("thesis", 2), ("ours", len(ours))),
        )
    ]


def solved_shares(data: Data) -> Iterator[Data]:
    for part, (name, *theirs) in POSITIONS.items():
        if part in data:
            before, after = (None if share is None else share / 100 for share in theirs)
            shares = {f"ours_{when}": data[part][when] / data[part]["total"] for when in ("before", "after")}
            yield {"name": name, "total": data[part]["total"], "before": before, "after": after, **shares}
    for name, share in data.get("yardsticks", {}).items():
        yield {"name": f"of other games, the brain {name}", "before": None, "after": None, "ours_after": share}


def gains_of_searches(data: Data) -> Iterator[Data]:
    first, second, third = "VP0 exploration", "VP200 exploration", "VP exploitation"
    for what, before, after in (("exploration", first, second), ("exploitation", second, third)):
        yield {"what": what, "thesis": _gain("table_18", before, after), **data["gains"][what]}


def games_18(data: Data) -> list[str]:
    published = {name: tally_of(tally) for name, tally in PUBLISHED.figure_42.items()}
    tallies = {name: tally_of(data["games"][name]) for name in published if name in data["games"]}
    return [
        tally_figure("thesis: against Chessmaster 2500", "", published, width=460),
        tally_figure(f"ours: against {data['opponent']}", "", tallies, width=460),
    ]


# --- Readings ---------------------------------------------------------------------------------------------------------


def _dots(theirs: tuple[str, list[float]], ours: Sequence[tuple[str, float]]) -> list[Data]:
    """The thesis, then each reading: the mean of its runs, and their range. The thesis is a line as well."""
    found: dict[str, list[float]] = {theirs[0]: theirs[1]}
    for name, value in ours:
        found.setdefault(name, []).append(value)
    return [{"name": name, "score": mean(each), "low": min(each), "high": max(each)} for name, each in found.items()]


def reading_dots(data: Data) -> list[Data]:
    theirs = [100 * tally_of(run).score for run in PUBLISHED.table_9]
    return _dots(("thesis", theirs), [(row["reading"], 100 * row["score"]) for row in data["rows"]])


def mark_4(data: Data) -> float:
    return MEAN_OF_TABLE_9


def mark_6(data: Data) -> float:
    return float(PUBLISHED.solved.exploration)


def scale_dots(data: Data) -> list[Data]:
    ours = [(f"{row['scale']}, training", 100 * row["solved"] / row["total"]) for row in data["rows"]]
    ours += [(f"{row['scale']}, fresh", 100 * row["fresh"] / row["fresh_total"]) for row in data["rows"]]
    return _dots(("thesis, training", [PUBLISHED.solved.exploration]), ours)


# --- Beyond the thesis ------------------------------------------------------------------------------------------------


def untried(data: Data) -> list[Data]:
    return [{"name": name, "why": why} for name, why in data.get("missing", {}).items()]
