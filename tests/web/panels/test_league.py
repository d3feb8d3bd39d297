"""The panel of the league: the newest season, or the one that is chosen."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from okapi.recipes.league.result import (
    LIMITS,
    RESULT,
    LeagueBrain,
    LeagueMark,
    LeaguePool,
    LeagueResult,
    LeagueRow,
)
from okapi.web.panels import league
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page, Visit


def row(name: str, elo: float, half: float = 50.0) -> LeagueRow:
    return LeagueRow(name=name, elo=elo, low=elo - half, high=elo + half, games=4, score=0.5)


def season(winner: str) -> LeagueResult:
    """Two budgets of one way, and a brain that ships, with two limits."""
    brains = [
        LeagueBrain(
            name=f"mlp-d{power}-1",
            way="mlp",
            kind="data",
            budget=10.0**power,
            seed=1,
            positions=10**power,
            operations=10.0 ** (power + 8),
            passes=2,
            multiplications=1000,
            train_seconds=1.0,
        )
        for power in (3, 4)
    ]
    marks = [
        LeagueMark(name=name, way="evolution", learned_from="moves of masters", samples=25_000.0, operations=1e9)
        for name in ("material", winner)
    ]
    rows = (row(winner, 90.0), row("mlp-d4-1", 50.0), row("mlp-d3-1", 20.0), row("material", 0.0, 0.0))
    pools = [LeaguePool(name=f"{nodes} nodes", limits=f"nodes={nodes}", games=8, rows=rows) for nodes in (100, 200)]
    linked = (row("material", 0.0, 0.0), row("material @ 200 nodes", 70.0))
    pools.append(LeaguePool(name=LIMITS, limits="nodes=100", games=8, rows=linked))
    return LeagueResult(
        size="tiny", brains=tuple(brains), marks=tuple(marks), pools=tuple(pools), command="okapi league --size tiny"
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
        assert "okapi-28" == newest["shown"]["pools"][0]["rows"][0]["name"]
        assert ("vazquez-five", "90") == tuple(chosen["shown"]["pools"][0]["rows"][0][key] for key in ("name", "elo"))

    def test_a_brain_that_is_here_is_linked(self, page: "Page", folder: Path) -> None:
        keep(folder, "mine", "okapi-28", when=1)
        (folder / "mine" / "brains" / "mlp-d4-1").mkdir(parents=True)
        rows = {row["name"]: row["link"] for row in page.ask("league.show")["shown"]["pools"][0]["rows"]}

        assert "#play?brain=okapi-28" == rows["okapi-28"]
        assert "#play?brain=mine%2Fbrains%2Fmlp-d4-1" == rows["mlp-d4-1"]
        assert "" == rows["mlp-d3-1"], "its file is not here"

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
        visit.until(lambda: visit.all(".season-picture svg"))

        assert 4 == len(visit.all(".season-picture svg"))
        assert "From more data a perceptron on the teacher" in visit.find(".answers").text
        assert [] == visit.serious()

    def test_a_click_on_a_point_shows_the_card_of_the_brain_and_from_there_it_is_played(self, visit: "Visit") -> None:
        link = "a[href='#play?brain=vazquez-five']"
        visit.until(lambda: visit.all(f".season-picture {link} circle"))
        assert visit.all(f"td {link}, th {link}")
        visit.find(f".season-picture {link} circle").click()
        visit.until(lambda: visit.all(f"dialog.model-card {link}"))
        assert "weights" in visit.find("dialog.model-card").text.lower()
        visit.find(f"dialog.model-card {link}").click()
        visit.until(lambda: visit.driver.execute_script("return location.hash").startswith("#play"))

        assert not visit.all("dialog.model-card")

    def test_on_a_phone_everything_fits(self, visit: "Visit") -> None:
        with visit.on_a_phone():
            visit.open("#league")
            visit.until(lambda: visit.all(".season-picture svg"))

            assert visit.fits
