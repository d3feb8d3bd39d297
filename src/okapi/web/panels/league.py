"""League: which way of learning is best? Pictures of what was measured; a click on a brain plays it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from okapi.brains.library import Library
from okapi.errors import NotFound
from okapi.formats.numbers import interval, number, percent
from okapi.formats.svg import figure
from okapi.recipes.league.report import answers, pictures, table_of_marks, table_of_ways, title, verdicts
from okapi.recipes.league.result import BRAINS, LIMITS, RESULT, SHIPPED, LeaguePool, LeagueResult
from okapi.web.messages import RunName
from okapi.web.panel import Answer, Panel, action
from okapi.web.runs import changed_ns
from okapi.web.views import picked

OURS: Final = "shipped with Okapi"
MOST: Final = 20
WIDTH, HEIGHT = 760, 560


def season_files(library: Library) -> dict[str, Path]:
    """The results of leagues by name, the newest first; the one that ships with Okapi is last."""
    files = {name: folder / RESULT for name, folder in library.folders().items()}
    found = sorted((name for name in files if files[name].is_file()), key=lambda name: -changed_ns(files[name]))
    ours = {OURS: SHIPPED} if SHIPPED.is_file() else {}
    return {name: files[name] for name in found[:MOST]} | ours


def season_links(library: Library, name: str, result: LeagueResult) -> dict[str, str]:
    """Where a click on a brain leads: to a game against it. Trained brains are in the folder of their league."""
    inside = library.folders().get(name)
    there = {mark.name: mark.name for mark in result.marks}
    if inside is not None:
        found = (brain.name for brain in result.brains if (inside / BRAINS / brain.name).is_dir())
        there |= {brain: f"{name}/{BRAINS}/{brain}" for brain in found}
    return {brain: f"#play?{urlencode({'brain': path})}" for brain, path in there.items()}


def season_view(result: LeagueResult, links: dict[str, str]) -> dict[str, Any]:
    """A season as the page shows it; pictures are SVG that has the colours of the page."""
    drawn = pictures(result, links)
    seen = filter(result.rates_trained, result.conditions)
    tables = {f"Elo at {pool.name}, and for a doubling": table_of_ways(result, pool) for pool in seen}
    tables["Brains that ship"] = table_of_marks(result)
    return {
        "answers": [*answers(result), *verdicts(result)],
        "pictures": [{"title": each.title, "svg": figure(each, each.title, WIDTH, HEIGHT)} for each in drawn],
        "tables": [_table(name, lines) for name, lines in tables.items()],
        "pools": [_pool(result, pool, links) for pool in result.pools],
        "left_out": [f"{who}: {why}" for who, why in result.left_out.items()],
        "command": result.command,
    }


def _table(name: str, lines: Sequence[Sequence[str]]) -> dict[str, Any]:
    head, *rows = [[cell.replace("`", "") for cell in line] for line in lines]
    return {"title": name, "heads": head, "rows": rows}


def _pool(result: LeagueResult, pool: LeaguePool, links: dict[str, str]) -> dict[str, Any]:
    ways = {brain.name: title(brain.way) for brain in result.brains} | {mark.name: mark.way for mark in result.marks}
    links = {} if pool.name == LIMITS else links
    rows = [
        {
            **picked(row, "name", "games"),
            "link": links.get(row.name, ""),
            "way": ways.get(row.name, ""),
            "elo": number(row.elo),
            "interval": interval(row.low, row.high),
            "score": percent(row.score),
        }
        for row in pool.rows
    ]
    return {**picked(pool, "note", "games"), "title": pool.name, "rows": rows}


class League(Panel):
    @action
    def show(self, season: RunName | None = None) -> Answer:
        files = season_files(self.state.library)
        season, shown = season or next(iter(files), None), None
        if season is not None:
            if season not in files:
                raise NotFound("there is no such season of the league here", hint="choose one from the list")
            result = LeagueResult.read(files[season])
            shown = season_view(result, season_links(self.state.library, season, result))
        return {"seasons": list(files), "season": season, "shown": shown}
