"""Draw the Elo against one opponent over time, from a ledger.

    python scripts/draw_gap.py                                      # the gap to Stockfish, and its table in the docs
    python scripts/draw_gap.py queue.json --opponent champion --out gap.svg

A ledger is that of `okapi experiment`, or such as docs/explanation/stockfish.json: a list of matches, each with what
`okapi match --json` says, `date`, `commit`, `player`, `opponent`, `limits`, `openings` and `machine`. What is not known
is null; a match without a date is only in the table. In docs/explanation/champion.md, what stands between the lines
`<!-- stockfish -->` and `<!-- /stockfish -->` is replaced.
"""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from okapi.formats.numbers import DASH, interval, number, signed
from okapi.formats.svg import Scatter, ScatterPoint, page

ROOT = Path(__file__).parent.parent
OPPONENT = "Stockfish 15.1"
LEDGER = ROOT / "docs" / "explanation" / "stockfish.json"
PAGE = LEDGER.with_name("champion.md")
PICTURE = ROOT / "docs" / "images" / "stockfish.svg"
MARKED = re.compile(r"(<!-- stockfish -->\n).*?(<!-- /stockfish -->)", re.DOTALL)
SIZE = 760, 320
HEADS = ("date", "player", "limits and openings", "games", "Elo (95 %)", "machine")

Row = Mapping[str, Any]


def main() -> None:
    """Read the arguments, and write the picture; from the ledger of the docs, also the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ledger", type=Path, nargs="?", default=LEDGER, help="that of the docs if not given")
    parser.add_argument("--opponent", default=OPPONENT)
    parser.add_argument("--out", type=Path, default=PICTURE, help="the picture, an SVG file")
    told = parser.parse_args()
    rows = against(json.loads(told.ledger.read_bytes()), told.opponent)
    told.out.write_text(picture(rows, told.opponent), encoding="utf-8")
    if told.ledger == LEDGER:
        before = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(MARKED.sub(lambda marks: f"{marks[1]}\n{table(rows)}\n{marks[2]}", before), encoding="utf-8")
    print(f"{len(rows)} matches against {told.opponent}: {told.out}")


def against(rows: Sequence[Row], opponent: str) -> list[Row]:
    return [row for row in rows if row.get("opponent", row.get("against")) == opponent]


def picture(rows: Sequence[Row], opponent: str) -> str:
    """A point for each match that has a date; those of equal limits are joined."""
    places = []
    for row in rows:
        if row["date"] is not None:
            limits = str(row.get("limits") or row.get("gate") or "").partition(",")[0]
            low, high = (row["elo"] if row[end] is None else row[end] for end in ("low", "high"))
            places.append(ScatterPoint(limits, date.fromisoformat(row["date"]).toordinal(), row["elo"], low, high))
    return page(f"Elo against {opponent}, 95 % intervals", [Scatter("", places, y="Elo", right=70, days=True)], SIZE)


def table(rows: Sequence[Row]) -> str:
    """The matches in Markdown."""
    lines = [f"| {' | '.join(HEADS)} |\n{'|---' * len(HEADS)}|\n"]
    for row in rows:
        player = row["player"] + (f" ({row['commit']})" if row["commit"] else "")
        found = f"{signed(row['elo'])} ({interval(row['low'], row['high'])})"
        how = ", ".join(filter(None, (row["limits"], row["openings"])))
        told = (row["date"], player, how, number(row["games"]), found, row["machine"])
        lines.append(f"| {' | '.join(cell or DASH for cell in told)} |\n")
    return "".join(lines)


if __name__ == "__main__":
    main()
