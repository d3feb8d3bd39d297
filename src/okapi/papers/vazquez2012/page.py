"""What fills the tables and figures of vazquez2012's paper.toml."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import zip_longest
from statistics import mean
from typing import Any, Final

import numpy as np

from okapi.arena.elo import MatchResult
from okapi.formats.html import Figure, Missing, Part, Table
from okapi.formats.numbers import counted, elo, lasted, number, percent
from okapi.formats.svg import Curve, Grid, Interval, Intervals, Lines, figure
from okapi.optimize.population import FloatArray
from okapi.papers.experiment import Results
from okapi.papers.page import counts, tally_figure, tally_of
from okapi.papers.vazquez2012.headlines import (
    EXPLOITATION_GAIN,
    EXPLORATION_GAIN,
    MEAN_OF_TABLE_9,
    PIECES_GAIN,
    PUBLISHED,
    THEORY,
    found,
    rated_row,
    runs_of,
)
from okapi.recipes.vazquez2012.pieces import TABLE_7
from okapi.recipes.vazquez2012.twenty_eight import TABLE_15

Data = dict[str, Any]
Cells = tuple[str, ...]


# --- Ratings ----------------------------------------------------------------------------------------------------------


def _ratings(table: str, data: Data) -> Data:
    """Two tables of ratings, one above the other: side by side they are wider than a page."""
    theirs, ours = PUBLISHED[table], [rated_row(row) for row in data["rows"]]
    bands = (("thesis", len(theirs)), ("ours", len(ours)))
    return {"rows": [_rated(row) for row in (*theirs, *ours)], "bands": bands}


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


def _rating_chart(table: str, data: Data) -> list[Part]:
    rows = [
        Interval(row["name"], row["elo"], row["elo"] - row["minus"], row["elo"] + row["plus"], group)
        for group, rated in (("thesis", PUBLISHED[table]), ("ours", map(rated_row, data["rows"])))
        for row in rated
    ]
    described = "; ".join(f"{row.name} {elo(row.value, row.low, row.high)}" for row in rows)
    picture = figure(Intervals("ratings with 95 % intervals", rows, "Elo"), described, width=720)
    name = f"{table.capitalize().replace('_', ' ')}, chart"
    return [Figure(name=name, caption="The same ratings as a chart.", pictures=[picture])]


def ratings_17(data: Data) -> Data:
    games = {"theirs": counts(tally_of(PUBLISHED.table_17_games)), "ours": counts(tally_of(data))}
    return {**_ratings("table_17", data), **games}


ratings_10, ratings_14, ratings_18 = (partial(_ratings, table) for table in ("table_10", "table_14", "table_18"))
table_10_chart, table_18_chart = (partial(_rating_chart, table) for table in ("table_10", "table_18"))


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

PAWN_ROWS: Final = slice(1, 7)
"""The rows of a board where pawns can be, rank 7 to rank 2."""


def runs(data: Data) -> Iterator[Cells]:
    theirs, ours = [tally_of(run) for run in PUBLISHED.table_9], runs_of(data)
    for run, (first, second) in enumerate(zip_longest(theirs, ours), start=1):
        yield str(run), *_tally_cells(first), *_tally_cells(second)
    yield "mean", *_mean_cells(theirs), *_mean_cells(ours)


def _tally_cells(tally: MatchResult | None) -> Cells:
    if tally is None:
        return ("",) * 4
    return *map(str, (tally.wins, tally.draws, tally.losses)), f"{100 * tally.score:.2f} %"


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


def pieces_gains(data: Data) -> list[Data]:
    bounds = {"elo": data["gain"], "low": data["gain_low"], "high": data["gain_high"]}
    return [{"what": "gain", "thesis": PIECES_GAIN, **bounds}]


def figures_34_and_35(data: Data) -> Iterator[Part]:
    before, after, *_ = data["tallies"].values()
    for name, when, published, tallies in (
        ("Figure 34", "Before evolution", PUBLISHED.figure_34, before),
        ("Figure 35", "After evolution", PUBLISHED.figure_35, after),
    ):
        levels = sorted(((int(re.findall(r"\d+", opponent)[-1]), opponent) for opponent in tallies), reverse=True)
        theirs = {str(row.level): tally_of(row) for row in published}
        ours = {str(level): tally_of(tallies[opponent]) for level, opponent in levels}
        pictures = [tally_figure("thesis", "Rybka at", theirs), tally_figure("ours", "Stockfish at", ours)]
        yield Figure(name=name, caption=f"{when}, against rated opponents.", pictures=pictures)


def bishop_boards(data: Data) -> Iterator[str]:
    boards = {"Table 7: the start": TABLE_7, "Table 11: thesis": PUBLISHED.table_11, "ours": data["table11"]}
    most = max(max(row) for board in boards.values() for row in board)
    for title, board in boards.items():
        ranks = " / ".join(" ".join(number(cell, 1) for cell in row) for row in board)
        yield figure(Grid(title, board, "87654321", FILES, most), f"{title}; rank 8 to 1: {ranks}", width=295)


def bishop_numbers(data: Data) -> list[Cells]:
    theirs, ours = (np.array(board)[PAWN_ROWS] for board in (PUBLISHED.table_11, data["table11"]))
    alike = np.corrcoef(ours.ravel(), theirs.ravel())[0, 1] if ours.std() > 0 else 0.0
    moved, heaviest, middle, outside = zip(_bishop_cells(theirs), _bishop_cells(ours), strict=True)
    return [
        ("mean distance from Table 7", *moved),
        ("correlation with the thesis, 48 squares", "", number(alike, 2)),
        ("heaviest squares", *heaviest),
        ("mean of the 16 squares in the middle", *middle),
        ("mean of the other 32", *outside),
    ]


def _bishop_cells(board: FloatArray) -> Cells:
    """Of ranks 7 to 2: mean distance from Table 7, heaviest squares, mean in the middle, outside."""
    squares = sorted((-weight, f"{FILES[file]}{7 - row}") for (row, file), weight in np.ndenumerate(board))
    middle = board[1:5, 2:6]
    return (
        number(np.abs(board - np.array(TABLE_7)[PAWN_ROWS]).mean(), 2),
        ", ".join(name for _, name in squares[:4]),
        number(middle.mean(), 1),
        number((board.sum() - middle.sum()) / 32, 1),
    )


# --- Chapter 5 --------------------------------------------------------------------------------------------------------

NAMES: Final = ("knight", "bishop", "rook", "queen", "mobility")
GENERATIONS_5: Final = 50


def weights_5(data: Data) -> Data:
    first, last = data["history"][0], data["history"][-1]
    count = counted(len(data["runs"]), "run")
    rows = []
    for name in NAMES:
        theirs = (PUBLISHED[table][name][what] for table in ("table_12", "table_13") for what in ("mean", "deviation"))
        ours = (generation[what][name] for generation in (first, last) for what in ("mean", "deviation"))
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


def _weight_curves(what: str, data: Data) -> list[str]:
    starts, ends = PUBLISHED.table_12, PUBLISHED.table_13
    theirs = [Curve(name, [(0, starts[name][what]), (GENERATIONS_5, ends[name][what])]) for name in NAMES]
    ours = [Curve(name, [(now["generation"], now[what][name]) for now in data["history"]]) for name in NAMES]
    return _curves(theirs, ours)


means, deviations = (partial(_weight_curves, what) for what in ("mean", "deviation"))


def _curves(theirs: Sequence[Curve], ours: Sequence[Curve], unit: str = "") -> list[str]:
    """Two charts of the same height."""
    within = 0.0, max(y for line in (*ours, *theirs) for _, y in line.points)
    pictures = []
    for title, lines in (("thesis", theirs), ("ours", ours)):
        ends = (f"{line.name} from {number(line.points[0][1], 1)} to {number(line.points[-1][1], 1)}" for line in lines)
        chart = Lines(title, lines, "generation", unit, within)
        pictures.append(figure(chart, f"{title}: {', '.join(ends)}", width=460))
    return pictures


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
    rows = []
    for name, (low, high) in TABLE_15.items():
        mine = (weights.get(name, 100.0) for weights in ours.values())  # the pawn is the unit, and no gene
        bounds = f"{number(low)} … {number(high)}"
        rows.append((name.replace("_", " "), bounds, *map(number, (*PUBLISHED.table_16[name], *mine))))
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
    for what, thesis in (("exploration", EXPLORATION_GAIN), ("exploitation", EXPLOITATION_GAIN)):
        yield {"what": what, "thesis": thesis, **data["gains"][what]}


def games_18(data: Data) -> list[str]:
    theirs = {name: tally_of(tally) for name, tally in PUBLISHED.figure_42.items()}
    ours = {name: tally_of(data["games"][name]) for name in theirs if name in data["games"]}
    titles = "thesis: against Chessmaster 2500", f"ours: against {data['opponent']}"
    return [tally_figure(title, "", found, width=460) for title, found in zip(titles, (theirs, ours), strict=True)]


# --- Readings ---------------------------------------------------------------------------------------------------------

MARK_4: Final = MEAN_OF_TABLE_9
MARK_6: Final = float(PUBLISHED.solved.exploration)
"""Lines in the charts, per cent."""


def _dots(theirs: tuple[str, list[float]], ours: Sequence[tuple[str, float]]) -> list[Data]:
    """The thesis, then each reading: the mean of its runs, and their range. The thesis is a line as well."""
    found: dict[str, list[float]] = {theirs[0]: theirs[1]}
    for name, value in ours:
        found.setdefault(name, []).append(value)
    return [{"name": name, "score": mean(each), "low": min(each), "high": max(each)} for name, each in found.items()]


def reading_dots(data: Data) -> list[Data]:
    theirs = [100 * tally_of(run).score for run in PUBLISHED.table_9]
    return _dots(("thesis", theirs), [(row["reading"], 100 * row["score"]) for row in data["rows"]])


def scale_dots(data: Data) -> list[Data]:
    ours = [(f"{row['scale']}, training", 100 * row["solved"] / row["total"]) for row in data["rows"]]
    ours += [(f"{row['scale']}, fresh", 100 * row["fresh"] / row["fresh_total"]) for row in data["rows"]]
    return _dots(("thesis, training", [PUBLISHED.solved.exploration]), ours)


# --- Beyond the thesis ------------------------------------------------------------------------------------------------


def untried(data: Data) -> list[Data]:
    return [{"name": name, "why": why} for name, why in data.get("missing", {}).items()]
