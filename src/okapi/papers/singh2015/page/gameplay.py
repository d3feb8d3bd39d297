"""Table 3.7: matches against Sunfish."""

from collections.abc import Iterator
from typing import Final

from okapi.arena.elo import MatchResult
from okapi.formats.html import Figure, Notes, Part, Section, Table
from okapi.formats.numbers import interval, number, percent
from okapi.papers.experiment import Results
from okapi.papers.singh2015.published import TABLE_3_7, Matches
from okapi.papers.singh2015.reading import Data
from okapi.papers.tables import counts, made, tally_figure, tally_of

__all__ = ["gameplay"]

ASKED: Final = {"top_prob": 0.5, "negamax": 0.7, "quick_negamax": 0.7, "taught_unlimited": 0.5}
"""Shares of the points that were to be reached."""


def gameplay(results: Results) -> Section:
    """All of it."""
    return Section("Gameplay", made(results, "gameplay", "Table 3.7", _gameplay))


def _gameplay(data: Data) -> Iterator[Part]:
    yield _table(data["rows"])
    tallies = {row["name"]: tally_of(row) for row in data["rows"] if not row["key"].endswith("_unlimited")}
    yield Figure(
        name="Against Sunfish with 10 to 1000 nodes a move",
        caption="Games won, drawn and lost.",
        pictures=[tally_figure("our matches", "", {_short(name): tally for name, tally in tallies.items()}, width=760)],
    )
    yield Notes([_sentence(row) for row in data["rows"]])


def _table(rows: list[Data]) -> Table:
    theirs = [
        (line.method, line.details, counts(_tally(line)), percent(_tally(line).score), "", number(None), number(None))
        for line in TABLE_3_7
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
        )
        for row in rows
    ]
    return Table(
        name="Table 3.7",
        caption="Won, drawn and lost against Sunfish, and the share of the points. Ours: each opening with both "
        "colours; for each of its moves Sunfish gets a number of nodes that is drawn on a log scale. Where it is not "
        "held back, it has its time for each move, and our network looks at nothing but the board.",
        heads=("player", "limits", "games", "score", "95 %", "seconds a move", "Sunfish's nodes a move"),
        rows=[*theirs, *ours],
        bands=(("thesis", len(theirs)), ("ours", len(ours))),
        words=(1,),
    )


def _tally(line: Matches) -> MatchResult:
    return MatchResult(line.wins, line.draws, line.losses)


def _short(name: str) -> str:
    return name.partition(",")[0]


def _sentence(row: Data) -> str:
    said = f"{row['name']} against Sunfish with {row['limits']} a move: {percent(row['score'])} of the points"
    if row["line"] is not None:
        theirs = _tally(TABLE_3_7[row["line"]]).score
        said += (
            f", {percent(abs(row['score'] - theirs))} {'more' if row['score'] >= theirs else 'less'} than in the thesis"
        )
    if (asked := ASKED.get(row["key"])) is not None:
        said += f"; {percent(asked, 0)} were to be reached, and {'were' if row['score'] >= asked else 'were not'}"
    faults = {"time": row["time_losses"], "crashes": row["crashes"] + row["stalls"], "illegal moves": row["illegal"]}
    told = ", ".join(f"{count} by {what}" for what, count in faults.items() if count)
    return f"{said}. {'Nobody lost but on the board.' if not told and not row['their_faults'] else _faults(told, row)}"


def _faults(told: str, row: Data) -> str:
    parts = [f"Games lost otherwise: {told}"] if told else []
    parts += [f"Sunfish lost {row['their_faults']} by a fault"] if row["their_faults"] else []
    return "; ".join(parts) + "."
