"""Put a season of the league among what ships: result, picture, tables in the docs, ratings on the cards.

    okapi league --out runs/league
    python scripts/ship_league.py runs/league

In docs/explanation/league.md, what stands between the lines `<!-- league -->` and `<!-- /league -->` is replaced.
"""

import argparse
import json
import re
from pathlib import Path

from okapi.recipes.league.report import as_markdown, in_one
from okapi.recipes.league.result import RESULT, LeagueResult

ROOT = Path(__file__).parent.parent
SHIPPED = ROOT / "src" / "okapi" / "recipes" / "league" / RESULT
CARDS = ROOT / "src" / "okapi" / "brains" / "shipped" / "cards.json"
PICTURE = ROOT / "docs" / "images" / "league.svg"
MARKED = re.compile(r"(<!-- league -->\n).*?(<!-- /league -->)", re.DOTALL)


def main() -> None:
    """Read the argument, and write what ships."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what `okapi league --out` left")
    result = LeagueResult.read(parser.parse_args().folder / RESULT)
    result.write(SHIPPED)
    rate(CARDS, result)
    PICTURE.write_text(in_one(result), encoding="utf-8")
    put(ROOT / "docs" / "explanation" / "league.md", as_markdown(result))


def rate(cards: Path, result: LeagueResult) -> None:
    """Give the cards of the shipped brains their ratings with a clock, which are on the scale of known engines."""
    told = json.loads(cards.read_text(encoding="utf-8"))
    clock = result.table("clock")
    for row in clock.rows if clock else ():
        if row.name in told and row.elo is not None and row.low is not None and row.high is not None:
            ratings = {"elo": round(row.elo), "low": round(row.low), "high": round(row.high)}
            told[row.name]["strength"] = {**ratings, "games": row.games, "limits": clock.limits}
    cards.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def put(page: Path, text: str) -> None:
    """Replace what stands between the marks; a page without them stays as it is, and is named."""
    before = page.read_text(encoding="utf-8")
    after, found = MARKED.subn(lambda marks: f"{marks[1]}\n{text.rstrip()}\n\n{marks[2]}", before)
    page.write_text(after, encoding="utf-8")
    print(f"{page.name}: {'written' if found else 'has no marks <!-- league --> … <!-- /league -->'}")


if __name__ == "__main__":
    main()
