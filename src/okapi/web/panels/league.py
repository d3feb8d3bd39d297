"""League: every way of learning in one table, and what strength costs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from okapi.arena.games import FAULT_NAMES
from okapi.brains.library import Library
from okapi.errors import NotFound
from okapi.formats.svg import figure
from okapi.recipes.league.report import of_prices, of_thinking, title_of
from okapi.recipes.league.result import PRICES, RESULT, SHIPPED, LeagueResult, LeagueTable
from okapi.recipes.league.result import answers as league_answers
from okapi.web.messages import Text
from okapi.web.panel import Answer, Panel, PanelContext, answers

OURS: Final = "shipped with Okapi"
MOST: Final = 20
WIDTH, HEIGHT = 620, 400


class Seasons:
    """The results of leagues. Names that pages send are looked up, and never become paths."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def names(self) -> list[str]:
        """The results, the newest first; the one that ships with Okapi is last."""
        return list(self._files())

    def read(self, name: str) -> LeagueResult:
        path = self._files().get(name)
        if path is None:
            raise NotFound("there is no such season of the league here", hint="choose one from the list")
        return LeagueResult.read(path)

    def _files(self) -> dict[str, Path]:
        files = {name: folder / RESULT for name, folder in self._library.folders().items()}
        found = sorted((name for name in files if files[name].is_file()), key=lambda name: -_changed(files[name]))
        ours = {OURS: SHIPPED} if SHIPPED.is_file() else {}
        return {name: files[name] for name in found[:MOST]} | ours


def season_view(result: LeagueResult) -> dict[str, Any]:
    """A season as the page shows it; pictures are SVG that has the colours of the page."""
    pictures = [of_prices(result, table, price) for table in result.tables for price in PRICES]
    if result.levels:
        pictures.append(of_thinking(result))
    return {
        "answers": league_answers(result),
        "tables": [{"title": title_of(table), **_standings(table)} for table in result.tables],
        "entries": result.as_json()["entries"],
        "pictures": [
            {"title": picture.title, "svg": figure(picture, picture.title, WIDTH, HEIGHT)} for picture in pictures
        ],
        "left_out": [f"{who}: {why}" for who, why in result.left_out.items()],
        "commands": list(result.commands.values()),
    }


def _standings(table: LeagueTable) -> dict[str, Any]:
    """A table as that of a tournament: points and who beat whom."""
    players = []
    for row in table.rows:
        against = table.met.get(row.name, {}).values()
        won, drawn, lost = (sum(counts[kind] for counts in against) for kind in range(3))
        rated = {"elo": row.elo, "low": row.low, "high": row.high}
        counted = {"games": row.games, "points": won + drawn / 2, "wins": won, "draws": drawn, "losses": lost}
        faults = {kind: row.faults.get(kind, 0) for kind in FAULT_NAMES.values()}
        players.append({"name": row.name, "entrant": row.entrant, **rated, **counted, **faults})
    return {"players": players, "crosstable": table.met, "games": table.games}


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


@dataclass(frozen=True, slots=True)
class SeasonRef:
    """Which season; the newest if none is named."""

    season: Annotated[str, Text(255)] | None = None


class League(Panel):
    """Shows what `okapi league` left: its tables, pictures and answers."""

    name = "league"

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._seasons = Seasons(self.state.library)

    @answers(SeasonRef)
    def show(self, choice: SeasonRef) -> Answer:
        names = self._seasons.names()
        season = choice.season or (names[0] if names else None)
        shown = None if season is None else season_view(self._seasons.read(season))
        return {"seasons": names, "season": season, "shown": shown}
