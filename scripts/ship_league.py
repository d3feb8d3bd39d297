"""Put a season of the league among what ships: its result, its picture, and its tables in the docs.

    okapi league --out runs/league
    python scripts/ship_league.py runs/league

In docs/league.md, what stands between the lines `<!-- league -->` and `<!-- /league -->` is replaced.
"""

import argparse
import re
from pathlib import Path

from okapi.recipes.league.report import as_markdown, in_one
from okapi.recipes.league.result import RESULT, LeagueResult

ROOT = Path(__file__).parent.parent
SHIPPED = ROOT / "src" / "okapi" / "recipes" / "league" / RESULT
PICTURE = ROOT / "docs" / "images" / "league.svg"
MARKED = re.compile(r"(<!-- league -->\n).*?(<!-- /league -->)", re.DOTALL)


def main() -> None:
    """Read the argument, and write what ships."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what `okapi league --out` left")
    result = LeagueResult.read(parser.parse_args().folder / RESULT)
    result.write(SHIPPED)
    PICTURE.write_text(in_one(result), encoding="utf-8")
    put(ROOT / "docs" / "league.md", as_markdown(result))


def put(page: Path, text: str) -> None:
    """Replace what stands between the marks; a page without them stays as it is, and is named."""
    before = page.read_text(encoding="utf-8")
    after, found = MARKED.subn(lambda marks: f"{marks[1]}\n{text.rstrip()}\n\n{marks[2]}", before)
    page.write_text(after, encoding="utf-8")
    print(f"{page.name}: {'written' if found else 'has no marks <!-- league --> … <!-- /league -->'}")


if __name__ == "__main__":
    main()
