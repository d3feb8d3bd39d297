"""What fills the boards and games of singh2015's paper.toml."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from okapi.core import Position
from okapi.formats.boards import BoardPanel, panels
from okapi.formats.html import Figure, Part, Table
from okapi.formats.numbers import interval, number, percent, signed
from okapi.formats.svg import Cloud, Curve, Lines, figure
from okapi.papers.page import counts, tally_figure, tally_of
from okapi.papers.singh2015.headlines import BRAINS, PUBLISHED
from okapi.papers.singh2015.positions import CASES, EVALUATED, Case, Evaluated

Data = dict[str, Any]
Cells = tuple[str, ...]


# --- Sample moves -----------------------------------------------------------------------------------------------------

LIKELIEST: Final = 3


def cases(data: Data) -> Iterator[Part]:
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
            BoardPanel(f"{brain}, {how}: {seen['piece']}{seen['goes']}", arrow=seen["piece"] + seen["goes"]),
            BoardPanel(f"which piece: {first}", heat=seen["origin"]),
            BoardPanel(f"{seen['piece']} goes to: {then}", heat=seen["target"]),
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


def likeliest_moves(data: Data) -> Iterator[Data]:
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


# --- Board evaluations ------------------------------------------------------------------------------------------------

OUTCOMES: Final = {0: "lost", 1: "drew", 2: "won", -1: "unknown"}
"""Of the mover."""


def best_boards(data: Data) -> Iterator[Part]:
    for case in EVALUATED:
        row = next(row for row in data["best"] if (row["key"], row["gamma"]) == (case.key, data["gamma"]))
        shown = [
            BoardPanel(f"{move['san']}: V {signed(move['value'], 4)}{_illegal(move)}", arrow=move["move"])
            for move in row["rows"][:2]
        ]
        yield Figure(
            name=f"Figure {case.figure}",
            caption=f"{case.title}: the two moves whose boards have the highest V (discount {data['gamma']:g}). "
            f"Board: {case.source}; moves that leave the king in check are evaluated, too, as in the thesis."
            f"{_published_values(case)}",
            pictures=[panels(Position.from_fen(case.fen), [BoardPanel("White to move"), *shown])],
        )


def best_moves(data: Data) -> Iterator[Cells]:
    for case in EVALUATED:
        for row in (row for row in data["best"] if row["key"] == case.key):
            yield (
                case.title,
                f"{row['gamma']:g}",
                *(cell for move in row["rows"][:2] for cell in (move["san"], signed(move["value"], 4))),
                row["wanted"]["san"],
                signed(row["wanted"]["value"], 4),
                number(row["rank"]),
                number(row["moves"]),
            )


def _illegal(move: Data) -> str:
    return "" if move["legal"] else " (illegal)"


def _published_values(case: Evaluated) -> str:
    values = ", ".join(f"{move} {signed(value, 4)}" for move, value in case.theirs.items())
    return f" Thesis: {values}." if values else ""


def correlations_by_discount(data: Data) -> Iterator[Data]:
    for gamma, row in data["correlations"].items():
        yield {"gamma": gamma, "thesis": PUBLISHED.correlation if float(gamma) == 0.7 else None, **row}


def scatter(data: Data) -> Data:
    dots = data["dots"]
    lines = Lines("V by material", [Curve("", dots, dots=True)], "material of the mover less the opponent's", "V")
    coefficient = data["correlations"][str(data["gamma"])]["value"]
    described = f"{len(dots)} test boards, V against material; the correlation is {number(coefficient, 4)}"
    return {"pictures": [figure(lines, described, width=720, height=400)], "drawn": len(dots)}


def values_by_distance(data: Data) -> list[str]:
    pictures = []
    for gamma, points in data["by_distance"].items():
        target = [(left, float(gamma) ** left) for left, _ in points]
        lines = Lines(
            f"discount {gamma}", [Curve("V", points), Curve("target", target)], "plies to the end", "winner's V"
        )
        some = points[:: max(len(points) // 4, 1)]
        described = "; ".join(f"{left} plies from the end {number(v, 3)}" for left, v in some)
        pictures.append(figure(lines, f"the winner's V by distance from the end: {described}", width=300, height=240))
    return pictures


def example_boards(data: Data) -> Iterator[tuple[str, list[str]]]:
    for row in data["examples"]:
        value = f"V {signed(row['value'], 4)}, material {signed(row['material'])}"
        yield row["fen"], [row["title"], value, f"the mover {OUTCOMES[row['outcome']]}, {row['left']} plies later"]


def board_map(data: Data) -> Data:
    paths = {f"the {who}": [(x, y) for _, x, y, _ in data[who]] for who in ("winner", "loser")}
    cloud = Cloud(f"{data['boards']:,} test boards", data["points"], data["values"], paths)
    described = "a map of test boards by t-SNE, coloured by V, with the paths of a winner and a loser"
    return {"pictures": [figure(cloud, described, width=760, height=640)], "drawn": len(data["points"])}


def map_numbers(data: Data) -> Iterator[Cells]:
    for who in ("winner", "loser"):
        yield f"V of the {who}", f"{signed(data[who][0][3], 3)} → {signed(data[who][-1][3], 3)}"
    yield "plies of the drawn game", number(data["plies"])
    yield "decided games whose winner ends above the loser", f"{data['above']} of {data['games']}"
    yield "neighbours differ less", percent(data["alike"])


# --- Gameplay ---------------------------------------------------------------------------------------------------------


FAULTS: Final = ("time_losses", "crashes", "stalls", "illegal")


def sunfish_matches(data: Data) -> Data:
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
    return {"rows": [*theirs, *ours], "bands": (("thesis", len(theirs)), ("ours", len(ours)))}


def sunfish_tallies(data: Data) -> list[str]:
    limited = [row for row in data["rows"] if not row["key"].endswith("_unlimited")]
    tallies = {row["name"].partition(",")[0]: tally_of(row) for row in limited}
    return [tally_figure("our matches", "", tallies, width=760)]
