"""Chapter 4: piece networks, evolved by tournaments."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from statistics import mean
from typing import Final

import numpy as np

from okapi.arena.elo import MatchResult
from okapi.formats.html import Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import compared, counted, interval, number, signed, where_theirs_is
from okapi.formats.svg import Grid, figure
from okapi.papers.tables import Rated, made, rating_figure, rating_table, remarks, tally_figure, tally_of
from okapi.papers.vazquez2012.published import (
    FIGURE_34,
    FIGURE_35,
    TABLE_7,
    TABLE_9,
    TABLE_10,
    TABLE_11,
    Board,
)
from okapi.papers.vazquez2012.reading import Data, players_of, runs_of
from okapi.recipes.lab import Results

__all__ = ["chapter_4"]

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
"""Of the thesis, by the names that the recipe has for them."""

PAWN_ROWS: Final = range(1, 7)
"""The rows of a board where pawns can be, rank 7 to rank 2."""


def chapter_4(results: Results) -> Section:
    """Tables 9 to 11, figures 34 and 35."""
    return Section(
        "Chapter 4: piece networks",
        [
            Prose(
                "Six small networks judge how well each piece stands, and 96 weights say how much a pawn obstructs a "
                "bishop: 426 genes. Players meet in tournaments, the better half has children, and after 50 "
                "generations the best plays against the best of the beginning."
            ),
            *made(results, "pieces", "Table 9", _table_9),
            *made(results, "pieces_rating", "Table 10", _table_10),
            *made(results, "pieces", "Table 11", _table_11),
        ],
    )


def _table_9(data: Data) -> Iterator[Part]:
    ours = runs_of(data)
    rows = [
        (str(run), *_tallied(theirs), *_tallied(mine))
        for run, (theirs, mine) in enumerate(zip_longest(TABLE_9, ours), start=1)
    ]
    rows.append(("mean", "", "", "", f"{_mean(TABLE_9):.2f} %", "", "", "", f"{_mean(ours):.2f} %"))
    heads = ("wins", "draws", "losses", "score")
    yield Table(
        name="Table 9",
        caption="The best of the last generation against the best of generation 0.",
        heads=("run", *heads, *heads),
        rows=rows,
        groups=(("", 1), ("thesis", 4), ("ours", 4)),
    )
    sentences = [compared("The mean score", _mean(ours), _mean(TABLE_9), "points", digits=1, close=1) + "."]
    if len(ours) != len(TABLE_9):
        sentences.append(f"Ours is of {counted(len(ours), 'run')}, theirs of {len(TABLE_9)}.")
    lowest, highest = 100 * min(run.score for run in ours), 100 * max(run.score for run in ours)
    sentences.append(
        f"Our runs lie between {lowest:.1f} and {highest:.1f} %, "
        f"theirs between {100 * min(run.score for run in TABLE_9):.1f} and "
        f"{100 * max(run.score for run in TABLE_9):.1f} %."
    )
    drawn = mean(run.draws / run.games for run in ours), mean(run.draws / run.games for run in TABLE_9)
    sentences.append(compared("The share of draws", 100 * drawn[0], 100 * drawn[1], "points", digits=1, close=1) + ".")
    sentences += _other_settings(data.get("settings", {}))
    games = {run.games for run in ours}
    if games != {200}:
        sentences.append(f"Each of our runs ends with {' or '.join(map(str, sorted(games)))} games, theirs with 200.")
    yield Notes(sentences)
    yield from remarks(data)


def _other_settings(settings: Data) -> Iterator[str]:
    other = [
        f"{name} {_said(settings[name])} instead of {_said(usual)}"
        for name, usual in SETTINGS.items()
        if settings.get(name, usual) != usual
    ]
    if other:
        yield f"Settings other than those of the thesis: {', '.join(other)}."


def _said(setting: float) -> str:
    """Yes, no, or a number; a bool is one in Python, too."""
    return ("no", "yes")[setting] if isinstance(setting, bool) else f"{setting:g}"


def _mean(tallies: Sequence[MatchResult]) -> float:
    return 100 * mean(tally.score for tally in tallies)


def _tallied(tally: MatchResult | None) -> tuple[str, ...]:
    if tally is None:
        return ("",) * 4
    return str(tally.wins), str(tally.draws), str(tally.losses), f"{100 * tally.score:.2f} %"


# --- Ratings ---------------------------------------------------------------------------------------------------------


def _table_10(data: Data) -> Iterator[Part]:
    ours = [Rated.of(row) for row in data["rows"]]
    before, after = players_of(data)
    caption = f"Ratings before and after evolution. Ours: {data['conditions']}."
    yield rating_table("Table 10", caption, TABLE_10, ours)
    yield rating_figure("Table 10 as a picture", "The same ratings.", TABLE_10, ours)
    theirs = {rated.name: rated for rated in TABLE_10}
    gain = theirs["Player50"].elo - theirs["Player0"].elo
    yield Notes(
        [
            f"Evolution is worth {signed(data['gain'])} Elo ({interval(data['gain_low'], data['gain_high'])}) "
            f"here, {signed(gain)} there: {where_theirs_is(gain, data['gain_low'], data['gain_high'])}.",
            compared("The evolved player", after.elo, theirs["Player50"].elo, "Elo", close=25) + ".",
            compared("The player of generation 0", before.elo, theirs["Player0"].elo, "Elo", close=25) + ".",
            "Ratings are those of the opponents' scale: theirs is Rybka's, ours is Stockfish's, each limited to a "
            "rating by its own means. The gain is the number to compare.",
            *_levels([rated for rated in ours if rated.name not in data["tallies"]]),
        ]
    )
    yield from remarks(data)
    yield from _histograms("Figure 34", "Before evolution", FIGURE_34, data["tallies"][before.name])
    yield from _histograms("Figure 35", "After evolution", FIGURE_35, data["tallies"][after.name])


def _levels(opponents: Sequence[Rated]) -> Iterator[str]:
    """Do opponents play as strongly as their names say? A scale whose steps vanish measures no level."""
    if len(opponents) < 2:
        return
    measured = {_level(rated.name): rated.elo for rated in opponents}
    ends = min(measured), max(measured)
    steps = (measured[ends[1]] - measured[ends[0]]) / (ends[1] - ends[0])
    told = ", ".join(f"{level} at {measured[level]}" for level in sorted(measured))
    verdict = (
        "about as far apart as they should be"
        if 0.75 <= steps <= 1.25
        else "closer together than they should be, so that the level of everybody is uncertain"
        if steps < 0.75
        else "further apart than they should be"
    )
    yield f"By the games themselves, the opponents of {told} are {verdict}."


def _level(opponent: str) -> int:
    """The rating in an opponent's name."""
    return int(re.findall(r"\d+", opponent)[-1])


def _histograms(
    name: str, when: str, theirs: Mapping[int, MatchResult], tallies: Mapping[str, Sequence[int]]
) -> Iterator[Part]:
    by_level = {_level(opponent): tally_of(tally) for opponent, tally in tallies.items()}
    ours = dict(sorted(by_level.items(), reverse=True))
    yield Figure(
        name=name,
        caption=f"{when}, against rated opponents.",
        pictures=[
            tally_figure("thesis", "Rybka at", {str(level): tally for level, tally in theirs.items()}),
            tally_figure("ours", "Stockfish at", {str(level): tally for level, tally in ours.items()}),
        ],
    )
    sentences = [
        compared(f"The score against {level}", 100 * ours[level].score, 100 * tally.score, "points", close=5) + "."
        for level, tally in theirs.items()
        if level in ours
    ]
    others = f"Opponents differ: theirs {', '.join(map(str, theirs))}, ours {', '.join(map(str, ours))}."
    yield Notes(sentences or [others])


# --- Bishops ---------------------------------------------------------------------------------------------------------


def _table_11(data: Data) -> Iterator[Part]:
    ours: Board = tuple(tuple(row) for row in data["table11"])
    most = max(max(row) for board in (TABLE_7, TABLE_11, ours) for row in board)
    yield Figure(
        name="Table 11",
        caption="How much a black pawn on a square obstructs its own bishop: the deeper its colour, the more. Table 7 "
        "is where the thesis begins.",
        pictures=[
            _heat("Table 7: the start", TABLE_7, most),
            _heat("Table 11: thesis", TABLE_11, most),
            _heat("ours", ours, most),
        ],
    )
    theirs_moved, ours_moved = _moved(TABLE_11), _moved(ours)
    likeness = _likeness(ours)
    word = "much like" if likeness > 0.9 else "somewhat like" if likeness > 0.5 else "unlike"
    yield Notes(
        [
            f"Squares differ from Table 7 by {ours_moved:.2f} on average, theirs by {theirs_moved:.2f}.",
            f"Ours is {word} theirs (correlation over the 48 squares: {number(likeness, 2)}).",
            f"The heaviest squares are {_heaviest(ours)}, theirs are {_heaviest(TABLE_11)}.",
            _bad_bishop(ours),
        ]
    )


def _heat(title: str, board: Board, most: float) -> str:
    described = f"{title}; rank 8 to 1: " + " / ".join(" ".join(number(cell, 1) for cell in row) for row in board)
    return figure(Grid(title, board, "87654321", FILES, most), described, width=295)


def _moved(board: Board) -> float:
    return float(np.abs(np.array(board)[1:7] - np.array(TABLE_7)[1:7]).mean())


def _likeness(board: Board) -> float:
    rows = np.array(board)[1:7].ravel(), np.array(TABLE_11)[1:7].ravel()
    return float(np.corrcoef(*rows)[0, 1]) if rows[0].std() > 0 else 0.0


def _heaviest(board: Board) -> str:
    squares = [(board[row][file], f"{FILES[file]}{8 - row}") for row in PAWN_ROWS for file in range(8)]
    return ", ".join(name for _, name in sorted(squares, key=lambda square: (-square[0], square[1]))[:4])


def _bad_bishop(board: Board) -> str:
    """What the thesis concludes from its table: does ours say so, too?"""
    middle = mean(board[row][file] for row in range(2, 6) for file in range(2, 6))
    rest = mean(
        board[row][file] for row in PAWN_ROWS for file in range(8) if not (row in range(2, 6) and file in range(2, 6))
    )
    verdict = "agrees" if middle > 1.25 * rest else "does not say so"
    return (
        "The thesis reads from its table that a bishop is bad when pawns in the middle are in its way. "
        f"Ours {verdict}: {middle:.1f} on the sixteen squares in the middle, {rest:.1f} on the others."
    )
