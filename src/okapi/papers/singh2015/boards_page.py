"""Parts of the page of singh2015: sample moves, board evaluations and games."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from okapi.core import Position
from okapi.formats.html import Boards, Figure, Part, Table
from okapi.formats.numbers import interval, number, percent, signed
from okapi.formats.svg import Cloud, Line, Lines, figure
from okapi.formats.svg.boards import Panel, panels
from okapi.papers.page import Column, PageSection, Shown, TableOf, counts, decimals, tally_figure, tally_of
from okapi.papers.singh2015.headlines import BRAINS, PUBLISHED
from okapi.papers.singh2015.positions import CASES, EVALUATED, Case, Evaluated

Data = dict[str, Any]


# --- Sample moves -----------------------------------------------------------------------------------------------------

LIKELIEST: Final = 3


def _cases(data: Data) -> Iterator[Part]:
    for case in CASES:
        rows = {row["brain"]: row for row in data["rows"] if row["key"] == case.key}
        yield Figure(
            name=f"Figure {case.figure}",
            caption=f"{case.title}. Board: {case.source}.{_published_case(case)}",
            pictures=[
                _picture(case, BRAINS[brain], row, how) for brain, row in rows.items() for how in ("unmasked", "masked")
            ],
        )
        if case.key == "sochi":
            yield _table_3_5(rows)
    yield from SAMPLE_MOVES(data)


def _published_case(case: Case) -> str:
    if case.key == "sochi" or not case.theirs:
        return ""
    bound = "" if case.key == "mate" else " or more"
    return f" Thesis: {', '.join(f'{what} {percent(share)}' for what, share in case.theirs.items())}{bound}."


def _picture(case: Case, brain: str, row: Data, how: str) -> str:
    seen = row[how]
    first = f"{seen['piece']} {percent(max(seen['origin']), 0)}"
    then = f"{seen['goes']} {percent(max(seen['target']), 0)}" if seen["goes"] else "no piece stands there"
    return panels(
        case.position,
        [
            Panel(f"{brain}, {how}: {seen['piece']}{seen['goes']}", arrow=seen["piece"] + seen["goes"]),
            Panel(f"which piece: {first}", heat=seen["origin"]),
            Panel(f"{seen['piece']} goes to: {then}", heat=seen["target"]),
        ],
    )


def _table_3_5(rows: Mapping[str, Data]) -> Table:
    scores = {PUBLISHED.table_3_5_expected: "the best", PUBLISHED.table_3_5_played: "played"}
    shown = [brain for brain in BRAINS if brain in rows]
    return Table(
        name="Table 3.5",
        caption="Black's 26th move: probabilities after masking. The thesis scores the move that wins and the one that "
        "was played.",
        heads=("move", "thesis", *(BRAINS[brain] for brain in shown), ""),
        rows=[
            (move, percent(theirs), *(percent(rows[brain]["table"][move]) for brain in shown), scores.get(move, ""))
            for move, theirs in PUBLISHED.table_3_5.items()
        ],
        words=(2 + len(shown),),
    )


def _sample_moves(data: Data) -> Iterator[Data]:
    for case in CASES:
        for row in data["rows"]:
            if row["key"] == case.key:
                best = list(row["moves"].items())[:LIKELIEST]
                yield {
                    "name": f"{case.title}: {BRAINS[row['brain']]}",
                    "best": ", ".join(f"{case.position.san(move)} {percent(share)}" for move, share in best),
                    "expected": f"{case.position.san(case.move)} {percent(row['moves'][case.move])}",
                    **{key: row[key] for key in ("rank", "illegal", "in_time", "too_late") if key in row},
                }


SAMPLE_MOVES: Final = TableOf(
    name="Likeliest sample moves",
    caption="The likeliest legal moves, the move that the thesis expected and its rank, and the share of illegal moves "
    "before masking. En passant: the unmasked probability of the capture, where it is allowed, and where the pawn had "
    "come in two steps.",
    rows=_sample_moves,
    columns=(
        Column("board", "name"),
        Column("likeliest", "best", words=True),
        Column("expected", "expected", words=True),
        Column("rank", "rank", number),
        Column("illegal", "illegal", percent),
        Column("en passant", "in_time", percent),
        Column("forbidden", "too_late", percent),
    ),
)


# --- Board evaluations ------------------------------------------------------------------------------------------------

OUTCOMES: Final = {0: "lost", 1: "drew", 2: "won", -1: "unknown"}
"""Of the mover."""


def _best_boards(data: Data) -> Iterator[Part]:
    for case in EVALUATED:
        row = next(row for row in data["best"] if (row["key"], row["gamma"]) == (case.key, data["gamma"]))
        shown = [
            Panel(f"{move['san']}: V {signed(move['value'], 4)}{_illegal(move)}", arrow=move["move"])
            for move in row["rows"][:2]
        ]
        yield Figure(
            name=f"Figure {case.figure}",
            caption=f"{case.title}: the two moves whose boards have the highest V (discount {data['gamma']:g}). The "
            "board is chosen to fit the caption; moves that leave the king in check are evaluated, too, as in the "
            "thesis."
            f"{_published_values(case)}",
            pictures=[panels(Position.from_fen(case.fen), [Panel("White to move"), *shown])],
        )
    yield Table(
        name="Best boards",
        caption="The move with the highest V, and the move that the thesis expected, by discount.",
        heads=("board", "discount", "best", "V", "second", "V", "expected", "V", "rank", "of"),
        rows=[
            (
                case.title,
                f"{row['gamma']:g}",
                *(cell for move in row["rows"][:2] for cell in (move["san"], signed(move["value"], 4))),
                row["wanted"]["san"],
                signed(row["wanted"]["value"], 4),
                number(row["rank"]),
                number(row["moves"]),
            )
            for case in EVALUATED
            for row in data["best"]
            if row["key"] == case.key
        ],
        words=(2, 4, 6),
    )


def _illegal(move: Data) -> str:
    return "" if move["legal"] else " (illegal)"


def _published_values(case: Evaluated) -> str:
    values = ", ".join(f"{move} {signed(value, 4)}" for move, value in case.theirs.items())
    return f" Thesis: {values}." if values else ""


CORRELATIONS: Final = TableOf(
    name="V and material",
    caption="Pearson's coefficient on boards of {games:,} test games, for the mover; the interval resamples whole "
    f"games, since boards of one game are alike. The thesis has {PUBLISHED.correlation_boards:,} boards of computers' "
    "games, played to the end.",
    rows=lambda data: [{"gamma": gamma, **row} for gamma, row in data["correlations"].items()],
    columns=(
        Column("discount", "gamma"),
        Column("thesis", lambda row: PUBLISHED.correlation if float(row["gamma"]) == 0.7 else None, decimals(4)),
        Column("ours", "value", decimals(4)),
        Column("95 %", ("low", "high"), lambda low, high: interval(low, high, 4)),
        Column("boards", "boards", number),
    ),
)
PARTS: Final = TableOf(
    name="Correlation of V and material, by parts",
    caption="Parts of the boards (discount {gamma:g}); games have {plies} plies on average. Spread: the standard "
    "deviation of the material, in pawns; far apart: the share of boards where one side has five pawns more, or a "
    "rook.",
    rows="reasons",
    columns=(
        Column("boards of", "boards_of"),
        Column("correlation", "value", decimals(3)),
        Column("95 %", ("low", "high"), lambda low, high: interval(low, high, 3)),
        Column("boards", "boards", number),
        Column("spread", "spread", decimals(2)),
        Column("far apart", "five", percent),
    ),
)


def _scatter(data: Data) -> Iterator[Part]:
    lines = Lines(
        "V by material", [Line("", data["dots"], dots=True)], "material of the mover less the opponent's", "V"
    )
    coefficient = data["correlations"][str(data["gamma"])]["value"]
    described = f"{len(data['dots'])} test boards, V against material; the correlation is {number(coefficient, 4)}"
    yield Figure(
        name="Figure 3.14",
        caption=f"V (discount {data['gamma']:g}) and material of {len(data['dots'])} of the test boards.",
        pictures=[figure(lines, described, width=720, height=400)],
    )


def _by_distance(data: Data) -> Iterator[Part]:
    pictures = []
    for gamma, points in data["by_distance"].items():
        target = [(left, float(gamma) ** left) for left, _ in points]
        lines = Lines(
            f"discount {gamma}", [Line("V", points), Line("target", target)], "plies to the end", "winner's V"
        )
        described = "; ".join(
            f"{left} plies from the end {number(v, 3)}" for left, v in points[:: max(len(points) // 4, 1)]
        )
        pictures.append(figure(lines, f"the winner's V by distance from the end: {described}", width=300, height=240))
    yield Figure(
        name="V and the end of the game",
        caption="The mean V of the winner, so many plies before the end, and its training target: the discount to the "
        "power of the plies. V is smaller, because the winner is not yet known.",
        pictures=pictures,
    )


def _examples(data: Data) -> list[Part]:
    return [
        Boards(
            name="Figure 3.15",
            caption=f"Test boards that fit a rule best, with V (discount {data['gamma']:g}) and the mover's material.",
            boards=[
                (
                    Position.from_fen(row["fen"]),
                    [
                        row["title"],
                        f"V {signed(row['value'], 4)}, material {signed(row['material'])}",
                        f"the mover {OUTCOMES[row['outcome']]}, {row['left']} plies later",
                    ],
                )
                for row in data["examples"]
            ],
        )
    ]


def _map(data: Data) -> Iterator[Part]:
    paths = {f"the {who}": [(x, y) for _, x, y, _ in data[who]] for who in ("winner", "loser")}
    cloud = Cloud(f"{data['boards']:,} test boards", data["points"], data["values"], paths)
    yield Figure(
        name="Figure 3.16",
        caption=f"t-SNE of V's last hidden layer (discount {data['gamma']:g}) for {data['boards']:,} test boards "
        f"(thesis {PUBLISHED.tsne_boards:,}; {len(data['points']):,} are drawn). Red boards have the highest V for the "
        "mover, blue the lowest. The paths are those of a decided game, of boards on which each side was to move; the "
        "large dots are their ends. Of decided games, the one is drawn whose ends are farthest apart.",
        pictures=[figure(cloud, "a map of test boards by t-SNE, coloured by V, with the paths of a winner and a loser",
                         width=760, height=640)],
    )  # fmt: skip
    yield Table(
        name="Figure 3.16, numbers",
        caption="V at the start and the end of the drawn game; all decided test games; and how much less neighbours on "
        "the map differ in V than any two boards.",
        heads=("", "ours"),
        rows=[
            *(
                (f"V of the {who}", f"{signed(data[who][0][3], 3)} → {signed(data[who][-1][3], 3)}")
                for who in ("winner", "loser")
            ),
            ("plies of the drawn game", number(data["plies"])),
            ("decided games whose winner ends above the loser", f"{data['above']} of {data['games']}"),
            ("neighbours differ less", percent(data["alike"])),
        ],
    )


# --- Gameplay ---------------------------------------------------------------------------------------------------------


def _table_3_7(data: Data) -> Iterator[Part]:
    theirs = [
        (line.method, line.details, counts(tally_of(line)), percent(tally_of(line).score), "", *[number(None)] * 2, "")
        for line in PUBLISHED.table_3_7
    ]
    ours = [
        (
            row["name"],
            f"{row['limits']} for Sunfish",
            counts(tally_of(row)),
            percent(row["score"]),
            interval(100 * row["score_low"], 100 * row["score_high"], 1),
            number(row["seconds_a_move"], 2),
            number(row["their_nodes"]),
            f"{sum(row[fault] for fault in FAULTS)} / {row['their_faults']}",
        )
        for row in data["rows"]
    ]
    yield Table(
        name="Table 3.7",
        caption="Won, drawn and lost against Sunfish, and the score. Ours: each opening with both colours; for each of "
        "its moves Sunfish gets a number of nodes that is drawn on a log scale. Without a node limit, it has its time "
        "for each move, and our network does not search. Faults: games lost by time, crashes or illegal moves, by ours "
        "/ by Sunfish.",
        heads=("player", "limits", "games", "score", "95 %", "seconds a move", "Sunfish's nodes a move", "faults"),
        rows=[*theirs, *ours],
        bands=(("thesis", len(theirs)), ("ours", len(ours))),
        words=(1,),
    )
    tallies = {
        row["name"].partition(",")[0]: tally_of(row) for row in data["rows"] if not row["key"].endswith("_unlimited")
    }
    yield Figure(
        name="Against Sunfish with 10 to 1000 nodes a move",
        caption="Games won, drawn and lost.",
        pictures=[tally_figure("our matches", "", tallies, width=760)],
    )


FAULTS: Final = ("time_losses", "crashes", "stalls", "illegal")


# --- Sections ---------------------------------------------------------------------------------------------------------

SAMPLES: Final = PageSection(
    "Sample moves",
    "The thesis' pictures are lost. Each board below fits its caption; only that of Carlsen against Anand is "
    "known to be the same. From left to right: the board with the likeliest move; the probability of each "
    "piece; the target squares of the likeliest piece, in per cent. Unmasked is the output of the networks; "
    "masked is what the rules leave of it.",
    Shown("cases", "Figures 3.6 to 3.10", _cases),
)

EVALUATIONS: Final = PageSection(
    "Board evaluations",
    Shown(
        "evaluation",
        "Figures 3.11 to 3.15",
        _best_boards,
        CORRELATIONS,
        _scatter,
        PARTS,
        _by_distance,
        _examples,
    ),
    Shown("trajectories", "Figure 3.16", _map),
)

GAMEPLAY: Final = PageSection("Gameplay", Shown("gameplay", "Table 3.7", _table_3_7))
