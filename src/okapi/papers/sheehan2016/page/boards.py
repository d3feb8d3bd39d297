"""Figures 5, 6 and 8 with boards of our own, and the game of Figure 5."""

from collections.abc import Iterator, Sequence
from typing import Final

from okapi.core import Position
from okapi.formats.html import Boards, Notes, Part, Prose, Section
from okapi.formats.numbers import percent, signed
from okapi.papers.sheehan2016.published import FIGURE_5
from okapi.papers.sheehan2016.reading import Data
from okapi.papers.tables import made
from okapi.recipes.lab import Results

__all__ = ["boards"]

CAPTIONS: Final = {
    "5": "The piece differential misjudges these; chosen by how far it is off.",
    "6": "The piece differential is right about these, to the centipawn or nearly.",
    "8": "Net A's answers: the surest hits, a near miss, and its surest miss.",
}


def boards(results: Results) -> Section:
    """What the nets and the differential see in positions."""
    return Section(
        "Calm before the storm",
        [
            Prose(
                "The paper's own boards are lost with its figures. Those of Figures 5, 6 and 8 are test positions, "
                "the ones that fit a rule best; the storm itself is from the game that the paper names."
            ),
            *made(results, "storms", "Boards", _boards),
        ],
    )


def _boards(data: Data) -> Iterator[Part]:
    for number, caption in CAPTIONS.items():
        rows = [row for row in data["rows"] if row["figure"] == number]
        if rows:
            yield Boards(
                name=f"Figure {number}",
                caption=caption,
                boards=[(Position.from_fen(row["fen"]), _words(row, data["edges"], "teacher")) for row in rows],
            )
    yield Boards(
        name="Alekhine against Reshevsky, Kemeri 1937",
        caption=f"Boards of the game in Figure 5, as Okapi's search of {data['nodes']:,} nodes and Net A see them.",
        boards=[(Position.from_fen(row["fen"]), _words(row, data["edges"], "Okapi")) for row in data["game"]],
    )
    theirs = {board.name: board for board in FIGURE_5}
    yield Notes(
        [
            f"{row['title']}: differential {signed(row['differential'])}, in the paper "
            f"{signed(theirs[row['title']].differential)}; Stockfish said {theirs[row['title']].stockfish}, Okapi says "
            f"{_value(row)}."
            for row in data["game"]
        ]
    )


def _words(row: Data, edges: Sequence[float], teacher: str) -> list[str]:
    words = [row["title"], f"differential {signed(row['differential'])}, {teacher} {_value(row)}"]
    sure = percent(row["probabilities"][row["answer"]])
    words.append(f"Net A: bucket {row['answer']} ({_range(row['answer'], edges)}), {sure}")
    if "bucket" in row:
        words.append(f"it is bucket {row['bucket']} ({_range(row['bucket'], edges)})")
    return words


def _value(row: Data) -> str:
    """The teacher's, in pawns for White."""
    if row.get("mate"):
        return f"mate in {row['mate']}" if row["mate"] > 0 else f"mated in {-row['mate']}"
    return signed(row["teacher"] / 100, 2)


def _range(bucket: int, edges: Sequence[float]) -> str:
    """A bucket in pawns."""
    low = f"{signed(edges[bucket - 1] / 100, 2)}" if bucket else "−∞"
    high = f"{signed(edges[bucket] / 100, 2)}" if bucket < len(edges) else "∞"
    return f"{low} … {high}"
