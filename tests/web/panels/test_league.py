"""The panel of the league: the newest season, or the one that is chosen."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from okapi.recipes.league.result import RESULT, EntrantInfo, LeagueResult, LeagueTable, LevelRating, TableRow
from okapi.web.panels import league
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page, Visit


def season(winner: str) -> LeagueResult:
    """Two who played four games."""
    entries = [
        EntrantInfo(
            name=name,
            way="evolution",
            learned_from="moves of masters",
            samples=samples,
            operations=1e11,
            weights=6,
            seconds=1e-6,
            searches=True,
        )
        for name, samples in (("material", 0.0), (winner, 25_000.0))
    ]
    rows = [TableRow(name=winner, elo=90.0, low=-20.0, high=200.0, games=4, score=0.75)]
    rows.append(TableRow(name="material", elo=0.0, low=0.0, high=0.0, games=4, score=0.25))
    met = {winner: {"material": [2, 2, 0]}, "material": {winner: [0, 2, 2]}}
    level = LevelRating(name=winner, nodes=100, seconds=1e-4, elo=5.0, low=-60.0, high=70.0, games=4)
    return LeagueResult(
        entries=tuple(entries),
        tables=(LeagueTable(name="nodes", limits="nodes=1000", games=4, rows=tuple(rows), met=met),),
        levels=(level,),
        commands={"nodes": "okapi league --only nodes"},
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(league, "SHIPPED", tmp_path / "none.json")
    return tmp_path / "runs"


@pytest.fixture
def state(folder: Path) -> AppState:
    return AppState(threads=1, runs=folder)


@pytest.fixture
def visit(visiting: Any, state: AppState, folder: Path) -> Iterator["Visit"]:
    keep(folder, "league", "vazquez-five", when=1)
    with visiting(state, "#league") as visit:
        yield visit


def keep(folder: Path, name: str, winner: str, *, when: int) -> None:
    (folder / name).mkdir(parents=True)
    season(winner).write(folder / name / RESULT)
    os.utime(folder / name / RESULT, (when, when))


class TestTheServer:
    def test_the_newest_season_is_shown_and_others_can_be_chosen(self, page: "Page", folder: Path) -> None:
        keep(folder, "old", "vazquez-five", when=1)
        keep(folder, "new", "okapi-28", when=2)
        newest, chosen = page.ask("league.show"), page.ask("league.show", season="old")

        assert (["new", "old"], "new") == (newest["seasons"], newest["season"])
        assert "okapi-28" == newest["shown"]["tables"][0]["players"][0]["name"]
        assert ("vazquez-five", 3.0) == tuple(
            chosen["shown"]["tables"][0]["players"][0][key] for key in ("name", "points")
        )

    def test_without_a_season_there_is_nothing_to_show(self, page: "Page") -> None:
        answer = page.ask("league.show")

        assert ([], None, None) == (answer["seasons"], answer["season"], answer["shown"])

    @pytest.mark.parametrize("name", ["..", "../secret", "/etc", "new/../../secret"])
    def test_only_names_of_the_list_are_read(self, page: "Page", folder: Path, name: str) -> None:
        keep(folder.parent, "secret", "okapi-28", when=1)
        keep(folder, "new", "okapi-28", when=2)

        assert "no such season" in page.ask("league.show", season=name)["error"]

    def test_a_damaged_file_is_told(self, page: "Page", folder: Path) -> None:
        keep(folder, "new", "okapi-28", when=1)
        (folder / "new" / RESULT).write_text("[]")

        assert "damaged" in page.ask("league.show")["error"]


class TestInTheBrowser:
    def test_tables_answers_and_pictures_are_there(self, visit: "Visit") -> None:
        visit.until(lambda: visit.all(".standings tbody tr"))

        assert ["vazquez-five", "material"] == visit.texts(".standings tbody th")[:2]
        assert "vazquez-five is the strongest" in visit.find(".answers").text
        assert 3 == len(visit.all(".season-picture svg circle + *, .season-picture svg"))
        assert [] == visit.serious()

    def test_one_can_play_against_an_entrant(self, visit: "Visit") -> None:
        visit.until(lambda: visit.all("a[href='#play?brain=vazquez-five']"))

    def test_on_a_phone_everything_fits(self, visit: "Visit") -> None:
        with visit.on_a_phone():
            visit.open("#league")
            visit.until(lambda: visit.all(".season-picture svg"))

            assert visit.fits
