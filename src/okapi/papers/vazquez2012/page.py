"""What fills the tables and figures of vazquez2012's paper.toml, in the order of its sections."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product, zip_longest
from statistics import mean, pstdev
from typing import Any, Final

import numpy as np

from okapi.arena.elo import MatchResult
from okapi.formats.html import Figure, Missing, Part, Table
from okapi.formats.numbers import counted, elo, interval, lasted, number, percent
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
)
from okapi.recipes.vazquez2012.pieces import TABLE_7
from okapi.recipes.vazquez2012.twenty_eight import TABLE_15

Data = dict[str, Any]
Cells = tuple[str, ...]


def _ratings(table: str, data: Data) -> Data:
    """Two tables of ratings, one above the other: side by side they are wider than a page."""
    theirs, ours = PUBLISHED[table], [rated_row(row) for row in data["rows"]]
    bands = (("thesis", len(theirs)), ("ours", len(ours)))
    return {"rows": [_rated(row) for row in (*theirs, *ours)], "bands": bands}


def _rated(row: Data) -> Cells:
    ends = interval(row["elo"] - row["minus"], row["elo"] + row["plus"])
    score, draws = (percent(row[key] / 100 if key in row else None, 0) for key in ("score", "draws"))
    return row["name"], number(row["elo"]), ends, number(row["games"]), score, number(row["opposition"]), draws


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


FILES: Final = "abcdefgh"

PAWN_ROWS: Final = slice(1, 7)  # the rows of a board where pawns can be, rank 7 to rank 2


def runs(data: Data) -> Iterator[Cells]:
    theirs, ours = [tally_of(run) for run in PUBLISHED.table_9], [tally_of(run) for run in data["runs"]]
    for run, (first, second) in enumerate(zip_longest(theirs, ours), start=1):
        yield str(run), *_tally_cells(first), *_tally_cells(second)
    yield "mean", *_mean_cells(theirs), *_mean_cells(ours)


def _tally_cells(tally: MatchResult | None) -> Cells:
    if tally is None:
        return ("",) * 4
    return *map(str, (tally.wins, tally.draws, tally.losses)), percent(tally.score, 2)


def _mean_cells(tallies: Sequence[MatchResult]) -> Cells:
    draws = mean(tally.draws / tally.games for tally in tallies)
    return "", percent(draws), "", percent(mean(tally.score for tally in tallies), 2)


def different_settings(data: Data) -> list[Data]:
    usual, ours = PUBLISHED.settings, data.get("settings", {})
    changed = [name for name in usual if ours.get(name, usual[name]) != usual[name]]
    return [{"name": name, "thesis": usual[name], "ours": ours[name]} for name in changed]


def setting(value: float) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else f"{value:g}"


def pieces_gains(data: Data) -> list[Data]:
    bounds = {"elo": data["gain"], "low": data["gain_low"], "high": data["gain_high"]}
    return [{"what": "gain", "thesis": PIECES_GAIN, **bounds}]


def figures_34_and_35(data: Data) -> Iterator[Part]:
    for number_, when, tallies in zip((34, 35), ("Before", "After"), data["tallies"].values(), strict=False):
        levels = sorted(((int(re.findall(r"\d+", opponent)[-1]), opponent) for opponent in tallies), reverse=True)
        theirs = {str(row.level): tally_of(row) for row in PUBLISHED[f"figure_{number_}"]}
        ours = {str(level): tally_of(tallies[opponent]) for level, opponent in levels}
        pictures = [tally_figure("thesis", "Rybka at", theirs), tally_figure("ours", "Stockfish at", ours)]
        caption = f"{when} evolution, against rated opponents."
        yield Figure(name=f"Figure {number_}", caption=caption, pictures=pictures)


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
    away, middle = np.abs(board - np.array(TABLE_7)[PAWN_ROWS]).mean(), board[1:5, 2:6]
    heaviest, outside = ", ".join(name for _, name in squares[:4]), (board.sum() - middle.sum()) / 32
    return number(away, 2), heaviest, number(middle.mean(), 1), number(outside, 1)


NAMES: Final = ("knight", "bishop", "rook", "queen", "mobility")
GENERATIONS_5: Final = 50


def weights_5(data: Data) -> Data:
    first, last = data["history"][0], data["history"][-1]
    count, kinds = counted(len(data["runs"]), "run"), ("mean", "deviation")
    rows = []
    for name in NAMES:
        theirs = (row[name][what] for row, what in product((PUBLISHED.table_12, PUBLISHED.table_13), kinds))
        ours = (generation[what][name] for generation, what in product((first, last), kinds))
        cells = (number(cell, 1) for cell in (*theirs, *ours, mean(found(data, name)), pstdev(found(data, name))))
        rows.append((name, number(THEORY.get(name)), *cells))
    groups = ("", "thesis, first", "thesis, last", "ours, first", "ours, last", f"ours, {count}")
    return {"rows": rows, "count": count, "groups": [(group, 2) for group in groups]}


def times_5(data: Data) -> list[Cells]:
    mine = mean(run["seconds"] for run in data["runs"])
    return [
        ("generations", number(GENERATIONS_5), number(data["history"][-1]["generation"])),
        ("time", lasted(PUBLISHED.seconds_of_chapter_5), lasted(mine)),
    ]


def _weight_curves(what: str, data: Data) -> Iterator[str]:
    starts, ends = PUBLISHED.table_12, PUBLISHED.table_13
    theirs = [Curve(name, [(0, starts[name][what]), (GENERATIONS_5, ends[name][what])]) for name in NAMES]
    ours = [Curve(name, [(now["generation"], now[what][name]) for now in data["history"]]) for name in NAMES]
    return _curves(theirs, ours)


means, deviations = (partial(_weight_curves, what) for what in ("mean", "deviation"))


def _curves(theirs: Sequence[Curve], ours: Sequence[Curve], unit: str = "") -> Iterator[str]:
    """Two charts of the same height."""
    within = 0.0, max(y for line in (*ours, *theirs) for _, y in line.points)
    for title, lines in (("thesis", theirs), ("ours", ours)):
        ends = (f"{line.name} from {number(line.points[0][1], 1)} to {number(line.points[-1][1], 1)}" for line in lines)
        yield figure(Lines(title, lines, "generation", unit, within), f"{title}: {', '.join(ends)}", width=460)


def games_of_chapter_5(data: Data) -> Iterator[Data]:
    for name, (points, against) in PUBLISHED.games_of_chapter_5.items():
        ours = tally_of(data["games"][name])
        yield {"name": f"the {name} player", "thesis": f"{points} : {against}", "ours": ours, "score": ours.score}


GENERATIONS_6: Final = 200

POSITIONS: Final = {
    "trained": ("training positions", PUBLISHED.solved.exploration, PUBLISHED.solved.exploitation),
    "fresh": ("of other games", None, PUBLISHED.solved.fresh),
    "strict": ("of other games, and in no training game", None, None),
}
"""The positions of section 6.3.1, and the per cent that the thesis solved before and after Hooke-Jeeves."""


def _explored(data: Data) -> tuple[list[Curve], list[Curve]]:
    """Per cent of solved positions by generation: of the thesis, and ours."""
    total, curves, history = data["runs"][0]["total"], PUBLISHED.figure_41, data["history"]
    theirs = [Curve(name, [(0, curve.first / 10), (GENERATIONS_6, curve.last / 10)]) for name, curve in curves.items()]
    points = {what: [(now["generation"], 100 * now[what] / total) for now in history] for what in ("best", "mean")}
    return theirs, [Curve(what, curve) for what, curve in points.items()]


def exploration_curves(data: Data) -> Iterator[str]:
    return _curves(*_explored(data), "%")


def exploration_numbers(data: Data) -> list[Cells]:
    first, last = ([f"{lines[0].points[place][1]:.1f} %" for lines in _explored(data)] for place in (0, -1))
    solved = [100 * run["solved"] / run["total"] for run in data["runs"]]
    return [
        ("solved by the best of the first generation", *first),
        ("solved by the best of the last generation", *last),
        ("runs", "30", number(len(solved))),
        ("range of the runs' ends", "–", f"{min(solved):.1f} … {max(solved):.1f} %"),
        ("generations", number(GENERATIONS_6), number(data["history"][-1]["generation"])),
        ("training positions", "1000", number(data["runs"][0]["total"])),
    ]


def table_16(results: Results) -> list[Part]:
    """As many columns of ours as there are results."""
    searches = ("exploration", "exploitation")
    made = {name: results[name] for name in searches if name in results}
    ours = {name: result.data["weights"] for name, result in made.items() if not result.skipped}
    if not ours:
        return [Missing("Table 16", "neither search was made")]
    rows = []
    for name, bounds in TABLE_15.items():
        mine = (weights.get(name, 100.0) for weights in ours.values())  # the pawn is the unit, and no gene
        rows.append((name.replace("_", " "), interval(*bounds), *map(number, (*PUBLISHED.table_16[name], *mine))))
    heads, groups = ("weight", "bounds", *searches, *ours), (("", 2), ("thesis", 2), ("ours", len(ours)))
    caption = "The bounds of each weight, and the ends of the two searches."
    return [Table(name="Tables 15 and 16", caption=caption, heads=heads, rows=rows, groups=groups)]


def solved_shares(data: Data) -> Iterator[Data]:
    for part, (name, *theirs) in POSITIONS.items():
        if part in data:
            total, (before, after) = data[part]["total"], (share and share / 100 for share in theirs)
            shares = {f"ours_{when}": data[part][when] / total for when in ("before", "after")}
            yield {"name": name, "total": total, "before": before, "after": after, **shares}
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


MARK_4, MARK_6 = MEAN_OF_TABLE_9, float(PUBLISHED.solved.exploration)  # lines in the charts, per cent


def _dots(values: Sequence[tuple[str, float]]) -> list[Data]:
    """The thesis, then each reading: the mean of its runs, and their range. The thesis is a line as well."""
    found: dict[str, list[float]] = {}
    for name, value in values:
        found.setdefault(name, []).append(value)
    return [{"name": name, "score": mean(each), "low": min(each), "high": max(each)} for name, each in found.items()]


def reading_dots(data: Data) -> list[Data]:
    theirs = [("thesis", 100 * tally_of(run).score) for run in PUBLISHED.table_9]
    return _dots([*theirs, *((row["reading"], 100 * row["score"]) for row in data["rows"])])


def scale_dots(data: Data) -> list[Data]:
    dots = [("thesis, training", PUBLISHED.solved.exploration)]
    for part, right, total in (("training", "solved", "total"), ("fresh", "fresh", "fresh_total")):
        dots += [(f"{row['scale']}, {part}", 100 * row[right] / row[total]) for row in data["rows"]]
    return _dots(dots)


def untried(data: Data) -> list[Data]:
    return [{"name": name, "why": why} for name, why in data.get("missing", {}).items()]
