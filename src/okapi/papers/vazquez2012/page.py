"""The page of vazquez2012: the tables and figures of chapters 4 to 6 with published and measured numbers."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from statistics import mean
from typing import Any, Final

import numpy as np

from okapi.arena.elo import MatchResult
from okapi.formats.html import Figure, Missing, Part, Table
from okapi.formats.numbers import counted, elo, interval, lasted, number, percent, signed
from okapi.formats.svg import Grid, Line, Lines, figure
from okapi.papers.experiment import Results
from okapi.papers.page import (
    Column,
    IntervalsOf,
    PageSection,
    PaperPage,
    Shown,
    TableOf,
    counts,
    percents,
    rated_row,
    rating_figure,
    rating_table,
    tally_figure,
    tally_of,
)
from okapi.papers.vazquez2012.headlines import HEADLINES, PUBLISHED, THEORY, found, runs_of
from okapi.recipes.vazquez2012.pieces import TABLE_7
from okapi.recipes.vazquez2012.twenty_eight import TABLE_15

Data = dict[str, Any]
Board = Sequence[Sequence[float]]

ELO: Final = Column("Elo (95 %)", ("elo", "low", "high"), elo)


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


def _table_9(data: Data) -> Iterator[Part]:
    theirs, ours = [tally_of(run) for run in PUBLISHED.table_9], runs_of(data)
    heads = ("wins", "draws", "losses", "score")
    yield Table(
        name="Table 9",
        caption="The best of the last generation against the best of generation 0.",
        heads=("run", *heads, *heads),
        rows=[
            *(
                (str(run), *_tally_cells(first), *_tally_cells(second))
                for run, (first, second) in enumerate(zip_longest(theirs, ours), start=1)
            ),
            ("mean", *_mean_cells(theirs), *_mean_cells(ours)),
        ],
        groups=(("", 1), ("thesis", 4), ("ours", 4)),
    )


def _tally_cells(tally: MatchResult | None) -> tuple[str, ...]:
    if tally is None:
        return ("",) * 4
    return str(tally.wins), str(tally.draws), str(tally.losses), f"{100 * tally.score:.2f} %"


def _mean_cells(tallies: Sequence[MatchResult]) -> tuple[str, ...]:
    draws = mean(tally.draws / tally.games for tally in tallies)
    return "", percent(draws), "", f"{100 * mean(tally.score for tally in tallies):.2f} %"


def _settings(data: Data) -> list[Data]:
    settings = data.get("settings", {})
    return [
        {"name": name, "thesis": usual, "ours": settings[name]}
        for name, usual in SETTINGS.items()
        if settings.get(name, usual) != usual
    ]


def _setting(value: float) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else f"{value:g}"


def _table_10(data: Data) -> Iterator[Part]:
    ours = [rated_row(row) for row in data["rows"]]
    theirs = {rated.name: rated.elo for rated in PUBLISHED.table_10}
    yield rating_table(
        "Table 10",
        f"Ratings before and after evolution. Ours: {data['conditions']}. The thesis rates on Rybka's scale, ours is "
        "Stockfish's, so that only gains can be compared.",
        PUBLISHED.table_10,
        ours,
    )
    yield rating_figure("Table 10, chart", PUBLISHED.table_10, ours)
    yield Table(
        name="Elo gained by evolution",
        caption="Generation 50 less generation 0.",
        heads=("", "thesis", "ours", "95 %"),
        rows=[
            (
                "gain",
                signed(theirs["Player50"] - theirs["Player0"]),
                signed(data["gain"]),
                interval(data["gain_low"], data["gain_high"]),
            )
        ],
    )
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


def _table_11(data: Data) -> Iterator[Part]:
    boards: dict[str, Board] = {
        "Table 7: the start": TABLE_7,
        "Table 11: thesis": PUBLISHED.table_11,
        "ours": data["table11"],
    }
    most = max(max(row) for board in boards.values() for row in board)
    yield Figure(
        name="Table 11",
        caption="How much a black pawn on a square obstructs its own bishop: the deeper its colour, the more. Table 7 "
        "is the start of the thesis.",
        pictures=[_grid(title, board, most) for title, board in boards.items()],
    )
    theirs, ours = PUBLISHED.table_11, data["table11"]
    yield Table(
        name="Table 11, numbers",
        caption="The thesis concludes that a bishop is bad when pawns in the middle obstruct it.",
        heads=("", "thesis", "ours"),
        rows=[
            ("mean distance from Table 7", number(_moved(theirs), 2), number(_moved(ours), 2)),
            ("correlation with the thesis, 48 squares", "", number(_correlation(ours), 2)),
            ("heaviest squares", _heaviest(theirs), _heaviest(ours)),
            ("mean of the 16 squares in the middle", number(_middle(theirs), 1), number(_middle(ours), 1)),
            ("mean of the other 32", number(_outside(theirs), 1), number(_outside(ours), 1)),
        ],
    )


def _grid(title: str, board: Board, most: float) -> str:
    described = f"{title}; rank 8 to 1: " + " / ".join(" ".join(number(cell, 1) for cell in row) for row in board)
    return figure(Grid(title, board, "87654321", FILES, most), described, width=295)


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


def _five(data: Data) -> Iterator[Part]:
    first, last = data["history"][0], data["history"][-1]
    count = counted(len(data["runs"]), "run")
    rows = []
    for name in NAMES:
        start, end = PUBLISHED.table_12[name], PUBLISHED.table_13[name]
        theirs = (start.mean, start.deviation, end.mean, end.deviation)
        ours = tuple(generation[what][name] for generation in (first, last) for what in ("mean", "deviation"))
        cells = [number(cell, 1) for cell in (*theirs, *ours, *found(data, name))]
        rows.append((name, number(THEORY.get(name)), *cells))
    yield Table(
        name="Tables 12 and 13",
        caption="The weights of the run in which pieces start with equal values (number 31 of the thesis), in its "
        f"first generation and its last, with the standard deviation in the population; and the mean of {count} of "
        "ours, with the deviation between them. No ten numbers in [400, 500], the range of the text, deviate as Table "
        "12 prints.",
        heads=("weight", "theory", *("mean", "±") * 5),
        rows=rows,
        groups=(
            ("", 2),
            ("thesis, first", 2),
            ("thesis, last", 2),
            ("ours, first", 2),
            ("ours, last", 2),
            (f"ours, {count}", 2),
        ),
    )
    yield Table(
        name="Time of a run",
        caption="On different machines.",
        heads=("", "thesis", "ours"),
        rows=[
            ("generations", number(GENERATIONS_5), number(last["generation"])),
            (
                "time",
                lasted(PUBLISHED.seconds_of_chapter_5),
                lasted(mean(run["seconds"] for run in data["runs"])),
            ),
        ],
    )
    for name, what in (("Figure 38", "mean"), ("Figure 39", "deviation")):
        yield _curve(name, what, data["history"])


def _curve(name: str, what: str, history: Sequence[Data]) -> Figure:
    ours = [Line(weight, [(now["generation"], now[what][weight]) for now in history]) for weight in NAMES]
    theirs = [
        Line(weight, [(0, PUBLISHED.table_12[weight][what]), (GENERATIONS_5, PUBLISHED.table_13[weight][what])])
        for weight in NAMES
    ]
    within = 0.0, max(y for line in (*ours, *theirs) for _, y in line.points)
    return Figure(
        name=name,
        caption=f"The {what} of each weight in the population. Of the thesis, the text gives the ends only, joined "
        "here by straight lines.",
        pictures=[
            figure(Lines(title, lines, "generation", within=within), _ends(title, lines), width=460)
            for title, lines in (("thesis", theirs), ("ours", ours))
        ],
    )


def _ends(title: str, lines: Sequence[Line]) -> str:
    ends = (f"{line.name} from {number(line.points[0][1], 1)} to {number(line.points[-1][1], 1)}" for line in lines)
    return f"{title}: {', '.join(ends)}"


def _games_5(data: Data) -> Iterator[Data]:
    for name, (points, against) in PUBLISHED.games_of_chapter_5.items():
        ours = tally_of(data["games"][name])
        yield {"name": f"the {name} player", "thesis": f"{points} : {against}", "ours": ours, "score": ours.score}


# --- Chapter 6 --------------------------------------------------------------------------------------------------------

GENERATIONS_6: Final = 200
WHEN: Final = ("before", "after")
"""Hooke-Jeeves."""

POSITIONS: Final = {
    "trained": ("training positions", PUBLISHED.solved.exploration, PUBLISHED.solved.exploitation),
    "fresh": ("of other games", None, PUBLISHED.solved.fresh),
    "strict": ("of other games, and in no training game", None, None),
}
"""The positions of section 6.3.1, and the per cent that the thesis solved before and after Hooke-Jeeves."""


def _figure_41(data: Data) -> Iterator[Part]:
    total = data["runs"][0]["total"]
    ours = [
        Line(what, [(now["generation"], 100 * now[what] / total) for now in data["history"]])
        for what in ("best", "mean")
    ]
    theirs = [
        Line(name, [(0, curve.first / 10), (GENERATIONS_6, curve.last / 10)])
        for name, curve in PUBLISHED.figure_41.items()
    ]
    within = 0.0, max(y for line in (*ours, *theirs) for _, y in line.points)
    solved = [100 * run["solved"] / run["total"] for run in data["runs"]]
    yield Figure(
        name="Figure 41",
        caption="Positions solved at one ply, in per cent of the training positions, by the best player and by the "
        "population's mean. Of the thesis, the text gives the ends only, joined here by straight lines.",
        pictures=[
            figure(Lines(title, lines, "generation", "%", within), _ends(title, lines), width=460)
            for title, lines in (("thesis", theirs), ("ours", ours))
        ],
    )
    yield Table(
        name="Figure 41, numbers",
        caption="The best of several runs.",
        heads=("", "thesis", "ours"),
        rows=[
            ("solved by the best of the first generation", *_first_and_ours(theirs[0], ours[0], 0)),
            ("solved by the best of the last generation", *_first_and_ours(theirs[0], ours[0], -1)),
            ("runs", "30", number(len(solved))),
            ("range of the runs' ends", "–", f"{min(solved):.1f} … {max(solved):.1f} %"),
            ("generations", number(GENERATIONS_6), number(data["history"][-1]["generation"])),
            ("training positions", "1000", number(total)),
        ],
    )


def _first_and_ours(theirs: Line, ours: Line, end: int) -> tuple[str, str]:
    return f"{theirs.points[end][1]:.1f} %", f"{ours.points[end][1]:.1f} %"


def _table_16(results: Results) -> Iterator[Part]:
    """As many columns of ours as there are results."""
    ours = {
        name: results[name].data["weights"]
        for name in ("exploration", "exploitation")
        if name in results and not results[name].skipped
    }
    if not ours:
        yield Missing("Table 16", "neither search was made")
        return
    yield Table(
        name="Tables 15 and 16",
        caption="The bounds of each weight, and the ends of the two searches.",
        heads=("weight", "bounds", "exploration", "exploitation", *ours),
        rows=[
            (
                name.replace("_", " "),
                f"{number(low)} … {number(high)}",
                *map(number, PUBLISHED.table_16[name]),
                *(number(weights.get(name, 100.0)) for weights in ours.values()),  # the pawn is the unit, and no gene
            )
            for name, (low, high) in TABLE_15.items()
        ],
        groups=(("", 2), ("thesis", 2), ("ours", len(ours))),
    )


def _solved(data: Data) -> Iterator[Data]:
    for part, (name, before, after) in POSITIONS.items():
        if part in data:
            shares = {f"ours_{when}": 100 * data[part][when] / data[part]["total"] for when in WHEN}
            yield {"name": name, "total": data[part]["total"], "before": before, "after": after, **shares}
    for name, share in data.get("yardsticks", {}).items():
        yield {"name": f"of other games, the brain {name}", "before": None, "after": None, "ours_after": 100 * share}


def _solved_share(share: float | None) -> str:
    return number(None) if share is None else f"{number(share, 1)} %"


def _table_17(data: Data) -> Iterator[Part]:
    rated = [rated_row(row) for row in data["rows"]]
    yield rating_table(
        "Table 17",
        f"Exploitation against exploration, won–drawn–lost: thesis {counts(tally_of(PUBLISHED.table_17_games))} at 4 "
        f"plies, ours {counts(tally_of(data))} ({data['conditions']}). The thesis says 200 games and counts one less. "
        "Two players give a difference only; the thesis does not state the origin of its ratings.",
        PUBLISHED.table_17,
        rated,
    )


def _table_18(data: Data) -> Iterator[Part]:
    ours = [rated_row(row) for row in data["rows"]]
    theirs = {rated.name: rated.elo for rated in PUBLISHED.table_18}
    gains = {
        "exploration": theirs["VP200 exploration"] - theirs["VP0 exploration"],
        "exploitation": theirs["VP exploitation"] - theirs["VP200 exploration"],
    }
    yield rating_table("Table 18", f"Ratings; thesis at 6 plies. Ours: {data['conditions']}.", PUBLISHED.table_18, ours)
    yield rating_figure("Table 18, chart", PUBLISHED.table_18, ours)
    yield Table(
        name="Elo gained by the searches",
        caption="Differences of the ratings in Table 18.",
        heads=("search", "thesis", "ours", "95 %"),
        rows=[
            (
                what,
                signed(gain),
                signed(data["gains"][what]["elo"]),
                interval(data["gains"][what]["low"], data["gains"][what]["high"]),
            )
            for what, gain in gains.items()
        ],
    )
    published = {name: tally_of(tally) for name, tally in PUBLISHED.figure_42.items()}
    tallies = {name: tally_of(data["games"][name]) for name in published if name in data["games"]}
    yield Figure(
        name="Figure 42",
        caption="Games of the evolved players in Table 18.",
        pictures=[
            tally_figure("thesis: against Chessmaster 2500", "", published, width=460),
            tally_figure(f"ours: against {data['opponent']}", "", tallies, width=460),
        ],
    )


# --- The page ---------------------------------------------------------------------------------------------------------

PERSON, ENGINE = PUBLISHED.table_14

TUNING: Final = TableOf(
    name="Ways of tuning",
    caption="Elo is that against the same opponent for all: {conditions}.",
    columns=(
        Column("learner", "learner"),
        Column("what", "what", words=True),
        Column("evaluations", "evaluations", number),
        Column("time", "seconds", lasted),
        Column("training positions solved", "trained", percent),
        Column("other positions solved", "fresh", percent),
        ELO,
        Column("games", "games", number),
        Column("Elo per minute", "elo_per_minute", number),
    ),
)
MISSING_LEARNERS: Final = TableOf(
    name="Missing learners",
    caption="Not tried here.",
    rows=lambda data: [{"name": name, "why": why} for name, why in data.get("missing", {}).items()],
    columns=(Column("learner", "name"), Column("reason", "why", words=True)),
)


def _strongest(data: Data) -> list[Part]:
    caption = f"Table 18, and our evolved players: {data['conditions']}."
    return [rating_table("The strongest", caption, PUBLISHED.table_18, [rated_row(row) for row in data["rows"]])]


PAGE: Final = PaperPage(
    paper="vazquez2012",
    title="vazquez2012: evolved evaluation functions",
    subtitle="E. Vázquez-Fernández, An Evolutionary Approach for Tuning a Chess Evaluation Function, thesis, "
    "CINVESTAV, 2012.",
    source="thesis",
    headlines=HEADLINES,
    unknown="Some details are not stated in the thesis, and some are stated in two ways.",
    sections=(
        PageSection(
            "Chapter 4: piece networks",
            "Six small networks evaluate the place of each piece, and 96 weights how much a pawn obstructs a bishop: "
            "426 genes. Players meet in tournaments, the better half has children, and after 50 generations the best "
            "plays against the best of the start.",
            Shown(
                "pieces",
                "Table 9",
                _table_9,
                TableOf(
                    name="Settings that differ",
                    caption="Settings of our runs that are not those of the thesis.",
                    rows=_settings,
                    columns=(
                        Column("setting", "name"),
                        Column("thesis", "thesis", _setting),
                        Column("ours", "ours", _setting),
                    ),
                ),
            ),
            Shown("pieces_rating", "Table 10", _table_10),
            Shown("pieces", "Table 11", _table_11),
        ),
        PageSection(
            "Chapter 5: five weights",
            "Ten players, each four piece values and a weight for mobility, predict the moves of grandmasters. Those "
            "that predict more of them have children; mutations grow smaller with each generation.",
            Shown(
                "five",
                "Table 13",
                _five,
                TableOf(
                    name="Section 5.4.2",
                    caption="The last generation against the first. The thesis gives points only, of 100 games at 4 "
                    "plies. Ours: {conditions}.",
                    rows=_games_5,
                    columns=(
                        Column("", "name"),
                        Column("thesis", "thesis"),
                        Column("ours: won–drawn–lost", "ours", counts),
                        Column("score", "score", percent),
                    ),
                ),
            ),
            Missing(
                "Table 14",
                f"it is a match against a person ({PERSON.name} {elo(PERSON.elo)}, {ENGINE.name} {elo(ENGINE.elo)} "
                f"after {counted(PERSON.games, 'game')}), which a program cannot repeat",
            ),
        ),
        PageSection(
            "Chapter 6: twenty-eight weights",
            "Twenty players with 28 weights predict the moves of grandmasters in 1,000 positions, for 200 generations: "
            "the exploration search. Then Hooke-Jeeves continues from the best of them, weight by weight: the "
            "exploitation search.",
            Shown("exploration", "Figure 41", _figure_41),
            _table_16,
            Shown(
                "exploitation",
                "The solved positions of section 6.3.1",
                TableOf(
                    name="Section 6.3.1",
                    caption="Positions solved at one ply, before and after Hooke-Jeeves; and by brains that ship with "
                    "Okapi. vazquez-exploitation has the weights that the thesis published.",
                    rows=_solved,
                    groups=(("", 2), ("thesis", 2), ("ours", 2)),
                    columns=(
                        Column("positions", "name"),
                        Column("number of ours", "total", number),
                        Column("before", "before", _solved_share),
                        Column("after", "after", _solved_share),
                        Column("before", "ours_before", _solved_share),
                        Column("after", "ours_after", _solved_share),
                    ),
                ),
            ),
            Shown("exploitation_games", "Table 17", _table_17),
            Shown("exploration_rating", "Table 18", _table_18),
        ),
        PageSection(
            "Beyond the thesis",
            "The same weights, tuned in other ways from the same games, with the same budget of evaluations.",
            Shown(
                "beyond",
                "Ways of tuning",
                TUNING,
                IntervalsOf(name="Elo gained", title="Elo gained by tuning, with 95 % intervals", label="learner"),
                MISSING_LEARNERS,
            ),
            Shown("beyond_rating", "The strongest", _strongest),
            Shown(
                "beyond_pieces",
                "Other piece networks",
                TableOf(
                    name="Other piece networks",
                    caption="Piece networks with a constant of the thesis made a gene, and with other topologies, each "
                    "against the networks of the thesis, evolved alike.",
                    columns=(Column("what", "what"), Column("score", "score", percents()), ELO),
                ),
            ),
        ),
    ),
)
