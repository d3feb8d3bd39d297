"""Figures 3.11 to 3.16: what V likes, how much of that is material, and a map of what it sees."""

from collections.abc import Iterator
from typing import Final

from okapi.core import Position
from okapi.formats.html import Boards, Figure, Notes, Part, Section, Table
from okapi.formats.numbers import interval, number, percent, signed
from okapi.formats.svg import Cloud, Line, Lines, figure
from okapi.formats.svg.boards import Panel, panels
from okapi.papers.experiment import Results
from okapi.papers.singh2015.positions import EVALUATED, Evaluated
from okapi.papers.singh2015.published import CORRELATION, CORRELATION_BOARDS, TABLE_2_1, TSNE_BOARDS
from okapi.papers.singh2015.reading import Data
from okapi.papers.tables import made

__all__ = ["evaluation"]

WAYS: Final = {0: "lost", 1: "drew", 2: "won", -1: "unknown"}
"""What became of the mover."""


def evaluation(results: Results) -> Section:
    """All of it."""
    return Section(
        "Board evaluations",
        [
            *made(results, "evaluation", "Figures 3.11 to 3.15", _evaluation),
            *made(results, "trajectories", "Figure 3.16", _map),
        ],
    )


def _evaluation(data: Data) -> Iterator[Part]:
    for case in EVALUATED:
        yield from _best(case, [row for row in data["best"] if row["key"] == case.key], data["gamma"])
    yield _correlations(data)
    yield _scatter(data)
    yield from _reasons(data)
    yield _distance(data)
    yield _examples(data)


# --- Figures 3.11 to 3.13 ---------------------------------------------------------------------------------------------


def _best(case: Evaluated, rows: list[Data], gamma: float) -> Iterator[Part]:
    closely = next(row for row in rows if row["gamma"] == gamma)
    position = Position.from_fen(case.fen)
    shown = [
        Panel(f"{row['san']}: V {signed(row['value'], 4)}{_note(row)}", arrow=row["move"])
        for row in closely["rows"][:2]
    ]
    yield Figure(
        name=f"Figure {case.figure}",
        caption=f"{case.title}: the two boards behind one move that V (discount {gamma:g}) likes best. The board is "
        "chosen to fit the caption; moves that leave the king in check are judged, too, as in the thesis.",
        pictures=[panels(position, [Panel("White to move"), *shown])],
    )
    theirs = [f"In the thesis {_listed(case)}."] if case.theirs else []
    yield Notes([*theirs, *(_ranked(case, row) for row in rows)])


def _ranked(case: Evaluated, row: Data) -> str:
    best, wanted = row["rows"][0], row["wanted"]
    start = f"Discount {row['gamma']:g}: "
    if row["rank"] == 1:
        return f"{start}V likes {best['san']} best ({signed(best['value'], 4)}), as in the thesis{_margin(row)}."
    return (
        f"{start}V likes {best['san']} best ({signed(best['value'], 4)}); the thesis' {wanted['san']} comes number "
        f"{row['rank']} of {row['moves']} ({signed(wanted['value'], 4)})."
    )


def _margin(row: Data) -> str:
    first, second = row["rows"][:2]
    return (
        f"; {second['san']} is next ({signed(second['value'], 4)}), {signed(first['value'] - second['value'], 4)} apart"
    )


def _listed(case: Evaluated) -> str:
    return ", ".join(f"{move} has {signed(value, 4)}" for move, value in case.theirs.items())


def _note(row: Data) -> str:
    return "" if row["legal"] else " (illegal)"


# --- Figures 3.14 and 3.15 --------------------------------------------------------------------------------------------


def _correlations(data: Data) -> Table:
    return Table(
        name="V and material",
        caption=f"Pearson's coefficient on boards of {data['games']:,} test games, for the mover; the interval draws "
        "whole games again, since boards of one game are alike.",
        heads=("discount", "thesis", "ours", "95 %", "boards"),
        rows=[
            (
                gamma,
                number(CORRELATION, 4) if float(gamma) == 0.7 else number(None),
                number(row["value"], 4),
                interval(row["low"], row["high"], 4),
                number(row["boards"]),
            )
            for gamma, row in data["correlations"].items()
        ],
    )


def _scatter(data: Data) -> Figure:
    lines = Lines(
        "V by material", [Line("", data["dots"], dots=True)], "material of the mover less the opponent's", "V"
    )
    whole = data["correlations"][str(data["gamma"])]
    described = f"{len(data['dots'])} test boards, V against material; the correlation is {number(whole['value'], 4)}"
    return Figure(
        name="Figure 3.14",
        caption=f"V (discount {data['gamma']:g}) and material of {len(data['dots'])} of the test boards.",
        pictures=[figure(lines, described, width=720, height=400)],
    )


def _reasons(data: Data) -> Iterator[Part]:
    yield Table(
        name="Where V goes with material",
        caption=f"The same for parts of the boards (discount {data['gamma']:g}). Spread: the standard deviation of the "
        "material, in pawns; far apart: the share of boards where one side has five pawns more, or a rook.",
        heads=("boards of", "correlation", "95 %", "boards", "spread", "far apart"),
        rows=[
            (
                row["boards_of"],
                number(row["value"], 3),
                interval(row["low"], row["high"], 3),
                number(row["boards"]),
                number(row["spread"], 2),
                percent(row["five"]),
            )
            for row in data["reasons"]
        ],
    )
    yield Notes(list(_why(data)))


def _why(data: Data) -> Iterator[str]:
    rows = {row["boards_of"]: row for row in data["reasons"]}
    whole = rows["all test boards"]
    if whole["value"] is None:
        yield "V says the same of all boards, so that nothing can be said about it."
        return
    apart = "below" if whole["value"] < CORRELATION else "above"
    games, boards = next(iter(TABLE_2_1.values()))
    yield (
        f"Our {number(whole['value'], 3)} is {apart} the thesis' {CORRELATION} on {CORRELATION_BOARDS:,} boards. Its "
        f"games of computers last {boards / games:.0f} plies and are played to the end; ours last {data['plies']:.0f}, "
        "and masters resign."
    )
    near, far = rows.get("1 to 10 plies from the end"), rows.get("41 to 80 plies from the end")
    if near and far and near["value"] is not None and far["value"] is not None:
        yield (
            f"The end of a game is what V foretells, and material matters there: {number(near['value'], 3)} within ten "
            f"plies of the end, where material spreads by {number(near['spread'], 1)} pawns; {number(far['value'], 3)} "
            f"at 41 to 80 plies, where it spreads by {number(far['spread'], 1)}."
        )
    mate, resigned = rows.get("games that ended in mate"), rows.get("games that were resigned")
    if mate and resigned and mate["value"] is not None and resigned["value"] is not None:
        share = mate["boards"] / whole["boards"]
        yield (
            f"Games that ended in mate ({percent(share)} of the boards) have {number(mate['value'], 3)}, those that "
            f"were resigned {number(resigned['value'], 3)}."
        )
    names = ("resigned games, played on to mate by Okapi", "the same games, as they were played")
    on, before, both = (rows.get(name) for name in (*names, "the same games, with both"))
    if on and before and both and both["value"] is not None and before["value"] is not None:
        yield (
            f"When Okapi plays {on['games']} resigned games on to their end, the boards that are new have "
            f"{number(on['value'], 3)}, with a spread of {number(on['spread'], 1)} pawns; of these games, the "
            f"correlation goes from {number(before['value'], 3)} to {number(both['value'], 3)}: "
            f"{_verdict(before['value'], both['value'])}"
        )


def _verdict(before: float, both: float) -> str:
    if both - before <= 0.02:
        return "that masters resign is not the reason."
    if both >= CORRELATION:
        return "that masters resign is reason enough."
    share = (both - before) / (CORRELATION - before)
    return f"that masters resign is {percent(share, 0)} of the way to the thesis' number."


def _distance(data: Data) -> Figure:
    """How far V is from what it was taught."""
    pictures = []
    for gamma, points in data["by_distance"].items():
        taught = [(left, float(gamma) ** left) for left, _ in points]
        lines = Lines(
            f"discount {gamma}", [Line("V", points), Line("taught", taught)], "plies to the end", "winner's V"
        )
        described = "; ".join(
            f"{left} plies from the end {number(v, 3)}" for left, v in points[:: max(len(points) // 4, 1)]
        )
        pictures.append(figure(lines, f"the winner's V by distance from the end: {described}", width=300, height=240))
    return Figure(
        name="V and the end of the game",
        caption="What V says for the winner, on average, so many plies before the end, and what it was taught there: "
        "the discount to the power of the plies. Who wins is not yet known then, so V has to be smaller.",
        pictures=pictures,
    )


def _examples(data: Data) -> Boards:
    return Boards(
        name="Figure 3.15",
        caption=f"Test boards that fit a rule best, with V (discount {data['gamma']:g}) and material for the mover.",
        boards=[
            (
                Position.from_fen(row["fen"]),
                [
                    row["title"],
                    f"V {signed(row['value'], 4)}, material {signed(row['material'])}",
                    f"the mover {WAYS[row['outcome']]}, {row['left']} plies later",
                ],
            )
            for row in data["examples"]
        ],
    )


# --- Figure 3.16 ------------------------------------------------------------------------------------------------------


def _map(data: Data) -> Iterator[Part]:
    paths = {f"the {who}": [(x, y) for _, x, y, _ in data[who]] for who in ("winner", "loser")}
    cloud = Cloud(f"{data['boards']:,} test boards", data["points"], data["values"], paths)
    described = "a map of test boards by t-SNE, coloured by V, with the ways of a winner and a loser over it"
    yield Figure(
        name="Figure 3.16",
        caption=f"t-SNE of what V's last hidden layer (discount {data['gamma']:g}) says about {data['boards']:,} test "
        f"boards (thesis {TSNE_BOARDS:,}; {len(data['points']):,} are drawn). Red are those that V likes best for the "
        "mover, blue least. The ways are those of a game that somebody won, of boards on which each side was to move; "
        "the large dots are their ends. Of decided games, the one is drawn that ends with the two farthest apart.",
        pictures=[figure(cloud, described, width=760, height=640)],
    )
    yield Notes(list(_walked(data)))


def _walked(data: Data) -> Iterator[str]:
    winner, loser = (data[who] for who in ("winner", "loser"))
    yield (
        f"The winner's V goes from {signed(winner[0][3], 3)} to {signed(winner[-1][3], 3)}, the loser's from "
        f"{signed(loser[0][3], 3)} to {signed(loser[-1][3], 3)}, in {data['plies']} plies."
    )
    share = data["above"] / max(data["games"], 1)
    yield (
        f"In {data['above']} of {data['games']} decided test games ({percent(share)}) the winner's last boards have a "
        "higher V than the loser's: the game that is drawn is the clearest, and not a typical one."
    )
    yield (
        f"Neighbours on the map differ {percent(data['alike'])} less in V than any two boards: "
        f"{'V is what the map is sorted by' if data['alike'] > 0.3 else 'the map is sorted by other things than V'}."
    )
