"""Put a league among what ships: result, data, pictures, text in the docs, ratings on the cards.

    okapi league --size quick --labels labels.samples --out league
    python scripts/ship_league.py league
    python scripts/ship_league.py --add league      # its pools and brains beside those that ship
    python scripts/ship_league.py --later league    # brains that were trained after the laws: CHECK, and the text
    python scripts/ship_league.py                   # pictures and text again, from what ships

In docs/explanation/league.md, what stands between the lines `<!-- league -->` and `<!-- /league -->` is replaced. A
pool of shipped brains with a clock stays from the league before, where the new one has none.
"""

import argparse
import json
import re
from dataclasses import replace
from pathlib import Path

from okapi.recipes.league.laws import expected_and_rated
from okapi.recipes.league.report import as_markdown, in_one
from okapi.recipes.league.result import PARQUET, RESULT, SHIPPED, LeaguePool, LeagueResult

ROOT = Path(__file__).parent.parent
CARDS = ROOT / "src" / "okapi" / "brains" / "shipped" / "cards.json"
PICTURE = ROOT / "docs" / "images" / "league.svg"
DATA = ROOT / "docs" / "explanation" / PARQUET
CHECK = DATA.with_name("league-check.json")
"""The brains that were trained after the laws were fitted."""
ADDED_WAYS = ("convchess-ordering",)
MARKED = re.compile(r"(<!-- league -->\n).*?(<!-- /league -->)", re.DOTALL)
CLOCK = "1+0.01"
RATED = ("100 nodes", "1,000 nodes")
"""Pools whose ratings go to the cards; the last one counts, in which slow networks do not play."""


def main() -> None:
    """Read the argument, and write what ships."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="what `okapi league --out` left; what ships if not given")
    parser.add_argument("--add", type=Path, help="what `okapi league --pools … --out` left: more pools, or more brains")
    parser.add_argument("--later", type=Path, help="what `okapi league --budgets … --out` left")
    told = parser.parse_args()
    folder, later = told.folder, told.later
    result = LeagueResult.read(SHIPPED)
    if later is not None:
        LeagueResult.read(later / RESULT).write(CHECK)
    if folder is not None:
        result = with_pools_of(LeagueResult.read(folder / RESULT), result)
        result.write(SHIPPED)
    if told.add is not None:
        result = joined(result, LeagueResult.read(told.add / RESULT))
        result.write(SHIPPED)
    if not result.write_parquet(DATA):
        print("without pyarrow there is no Parquet file")
    rate(CARDS, result)
    PICTURE.write_text(in_one(result), encoding="utf-8")
    put(ROOT / "docs" / "explanation" / "league.md", text(result))


def text(result: LeagueResult) -> str:
    """The page's text: the league, and the brains that were trained after its laws were fitted."""
    later, fitted = LeagueResult.read(CHECK) if CHECK.exists() else LeagueResult(), as_expected(result)
    told = [one for pool in later.conditions for one in expected_and_rated(fitted, pool, later.brains)]
    return as_markdown(result, told)


def as_expected(result: LeagueResult) -> LeagueResult:
    """Without the ways that were added after the brains of CHECK were expected: a law knows all ways of its pool."""
    return replace(result, brains=tuple(brain for brain in result.brains if brain.way not in ADDED_WAYS))


def with_pools_of(new: LeagueResult, old: LeagueResult) -> LeagueResult:
    """With the pools of the old league in which only shipped brains and engines played."""
    trained = {brain.name for brain in (*old.brains, *new.brains)}
    limits = {pool.limits for pool in new.pools}
    kept = [
        pool
        for pool in old.pools
        if pool.limits not in limits and not trained & {row.name for row in pool.rows} and pool.limits == CLOCK
    ]
    names = {mark.name for mark in new.marks}
    marks = [mark for mark in old.marks if mark.name not in names and any(pool.row(mark.name) for pool in kept)]
    return replace(new, pools=(*new.pools, *kept), marks=(*new.marks, *marks))


def joined(old: LeagueResult, new: LeagueResult) -> LeagueResult:
    """With the pools of another league and, in pools that both have, with the players that the old one lacks."""
    known = {brain.name for brain in old.brains} | {mark.name for mark in old.marks}
    brains = tuple(brain for brain in new.brains if brain.name not in known)
    marks = tuple(mark for mark in new.marks if mark.name not in known)
    pools = {pool.name: pool for pool in old.pools}
    for pool in new.conditions:
        before = pools.get(pool.name)
        pools[pool.name] = pool if before is None or within(before, pool) else with_rows(before, pool)
    if any(pool.limits == CLOCK for pool in new.conditions):  # in the place of one in which shipped brains were alone
        named = {pool.name for pool in new.conditions}
        pools = {name: pool for name, pool in pools.items() if pool.limits != CLOCK or name in named}
    there = {*pools, *(brain.name for brain in brains)}
    ways = tuple(brain.way for brain in brains)
    left_out = {who: why for who, why in old.left_out.items() if who not in there}
    left_out |= {who: why for who, why in new.left_out.items() if ways and who.startswith(ways)}
    command = "; ".join(dict.fromkeys([*old.command.split("; "), new.command]))
    return replace(
        old,
        brains=(*old.brains, *brains),
        marks=(*old.marks, *marks),
        pools=tuple(pools.values()),
        left_out=left_out,
        command=command,
    )


def within(one: LeaguePool, other: LeaguePool) -> bool:
    """Has the other pool all players of this one?"""
    return all(other.row(row.name) for row in one.rows)


def with_rows(old: LeaguePool, new: LeaguePool) -> LeaguePool:
    """With the players of another pool that it lacks. `material` is 0 in both, or engines have their ratings."""
    more = [row for row in new.rows if old.row(row.name) is None]
    rows = tuple(sorted((*old.rows, *more), key=lambda row: (-row.elo, row.name)))
    both = len(new.rows) - len(more)
    later = f"{len(more)} players came later, in {new.games:,} games against each other and {both} of these"
    return replace(old, rows=rows, games=old.games + new.games, note=f"{later}; {old.note}")


def rate(cards: Path, result: LeagueResult) -> None:
    """Give the cards of the shipped brains their Elo over `material`, at equal nodes a move."""
    told = json.loads(cards.read_text(encoding="utf-8"))
    for pool in (pool for name in RATED for pool in result.pools if pool.name == name):
        for row in (row for row in pool.rows if row.name in told and row.name != "material"):
            ratings = {"elo": round(row.elo), "low": round(row.low), "high": round(row.high), "games": row.games}
            told[row.name]["strength"] = {**ratings, "against": "material", "limits": pool.name}
    cards.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def put(page: Path, text: str) -> None:
    """Replace what stands between the marks; a page without them stays as it is, and is named."""
    before = page.read_text(encoding="utf-8")
    after, found = MARKED.subn(lambda marks: f"{marks[1]}\n{text.rstrip()}\n\n{marks[2]}", before)
    page.write_text(after, encoding="utf-8")
    print(f"{page.name}: {'written' if found else 'has no marks <!-- league --> … <!-- /league -->'}")


if __name__ == "__main__":
    main()
