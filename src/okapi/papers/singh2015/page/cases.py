"""Figures 3.6 to 3.10 and Table 3.5: single boards, as the networks see them."""

from collections.abc import Iterator
from typing import Final

from okapi.formats.html import Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import number, percent
from okapi.formats.svg.boards import Panel, panels
from okapi.papers.experiment import Results
from okapi.papers.singh2015.positions import CASES, Case
from okapi.papers.singh2015.published import TABLE_3_5, TABLE_3_5_EXPECTED, TABLE_3_5_PLAYED
from okapi.papers.singh2015.reading import BRAINS, Data
from okapi.papers.tables import made

__all__ = ["cases"]

LIKELIEST: Final = 3


def cases(results: Results) -> Section:
    """All of it."""
    return Section(
        "Sample moves",
        [
            Prose(
                "The thesis' pictures are lost. Each board below fits its caption; only that of Carlsen against Anand "
                "is known to be the same. Left the board, with the move that the networks find likeliest; then how "
                "likely each piece is to move; then where the likeliest piece goes, in per cent. Unmasked is what the "
                "networks say; masked is what is left of it when the rules have been asked."
            ),
            *made(results, "cases", "Figures 3.6 to 3.10", _cases),
        ],
    )


def _cases(data: Data) -> Iterator[Part]:
    for case in CASES:
        rows = {row["brain"]: row for row in data["rows"] if row["key"] == case.key}
        yield Figure(
            name=f"Figure {case.figure}",
            caption=f"{case.title}. Board: {case.source}.",
            pictures=[
                _picture(case, BRAINS[brain], row, how) for brain, row in rows.items() for how in ("unmasked", "masked")
            ],
        )
        if case.key == "sochi":
            yield _table(rows)
        yield Notes([*_theirs(case), *(_sentence(case, BRAINS[brain], row) for brain, row in rows.items())])


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


def _theirs(case: Case) -> list[str]:
    if case.key == "sochi" or not case.theirs:
        return []
    said = ", ".join(f"{what} {percent(share)}" for what, share in case.theirs.items())
    at_least = "" if case.key == "mate" else " or more"
    return [f"In the thesis: {said}{at_least}."]


def _sentence(case: Case, brain: str, row: Data) -> str:
    best = list(row["moves"].items())[:LIKELIEST]
    listed = ", ".join(f"{case.position.san(move)} {percent(share)}" for move, share in best)
    wanted = case.position.san(case.move)
    place = "which is the move hoped for" if row["rank"] == 1 else f"{wanted} comes {_ordinal(row['rank'])}"
    sentence = f"{brain.capitalize()}: {listed}; {place}, with {percent(row['moves'][case.move])}"
    if row["illegal"] >= 0.0005:
        sentence += f"; {percent(row['illegal'])} of what the networks say is illegal"
    if "too_late" in row:
        sentence += (
            f". Unmasked, taking has {percent(row['in_time'])}; had the pawn come in two steps, so that it is "
            f"forbidden, {percent(row['too_late'])}: "
            f"{'the difference is seen' if row['too_late'] < 0.5 * row['in_time'] else 'the difference is not seen'}"
        )
    return f"{sentence}."


def _table(rows: dict[str, Data]) -> Table:
    marks = {TABLE_3_5_EXPECTED: "the best", TABLE_3_5_PLAYED: "played"}
    shown = [brain for brain in BRAINS if brain in rows]
    return Table(
        name="Table 3.5",
        caption="Black's 26th move: probabilities after masking. The thesis marks the move that wins and the one that "
        "was played.",
        heads=("move", "thesis", *(BRAINS[brain] for brain in shown), ""),
        rows=[
            (move, percent(theirs), *(percent(rows[brain]["table"][move]) for brain in shown), marks.get(move, ""))
            for move, theirs in TABLE_3_5.items()
        ],
        words=(2 + len(shown),),
    )


def _ordinal(place: int) -> str:
    """First, second, … for people.

    >>> _ordinal(2), _ordinal(11), _ordinal(23)
    ('2nd', '11th', '23rd')
    """
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{number(place)}{ending}"
