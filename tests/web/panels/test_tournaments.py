"""The panel of tournaments: begun, watched, stopped, resumed; and nobody stays behind."""

import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from okapi.formats.pgn import read_pgn
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page, Visit

OKAPI, MATERIAL, RANDOM = ({"player": "alphabeta", "brain": "okapi-28"}, {"player": "alphabeta", "brain": "material"},
                         {"player": "random"})  # fmt: skip
PROGRAM = shutil.which("okapi-uci", path=str(Path(sys.executable).parent))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Our own engine under a name by which it can be found among all processes."""
    if PROGRAM is None:
        pytest.skip("okapi-uci is not beside this Python")
    link = tmp_path / "contestant"
    link.symlink_to(PROGRAM)
    return link


@pytest.fixture
def state(tmp_path: Path) -> AppState:
    return AppState(threads=1, runs=tmp_path / "runs", engines={"other": f"uci:{tmp_path / 'contestant'}"})


def begin(page: "Page", players: list[dict[str, Any]], **terms: Any) -> dict[str, Any]:
    page.ask("tournaments.watch")
    return page.ask("tournaments.begin", **{"players": players, "rounds": 2, "nodes": 200} | terms)


def shown(page: "Page", state: str) -> dict[str, Any]:
    news = page.news("tournaments.shown", lambda news: news["tournament"] and news["tournament"]["state"] == state)
    tournament: dict[str, Any] = news["tournament"]
    return tournament


def running(program: Path) -> list[str]:
    """The command lines in which it occurs."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(file.read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return [line for line in found if line.startswith(str(program))]


class TestTheServer:
    def test_two_play_a_match(self, page: "Page") -> None:
        begin(page, [OKAPI, RANDOM])
        tournament = shown(page, "done")

        assert 4 == tournament["games"] == tournament["match"]["games"]
        assert ["okapi-28", "random"] == [row["name"] for row in tournament["standings"]["players"]]
        assert (
            tournament["match"]["elo"] > 0 and [4, 0, 0] == tournament["standings"]["crosstable"]["okapi-28"]["random"]
        )

    def test_more_play_a_tournament(self, page: "Page") -> None:
        begin(page, [OKAPI, MATERIAL, RANDOM], rounds=1)
        tournament = shown(page, "done")

        assert 6 == tournament["games"] == tournament["total"] and tournament["match"] is None
        assert all(row["games"] == 4 for row in tournament["standings"]["players"])

    def test_games_are_listed_opened_and_written_as_pgn(self, page: "Page", tmp_path: Path) -> None:
        begin(page, [OKAPI, MATERIAL, RANDOM], rounds=1)
        number = shown(page, "done")["number"]
        games = page.ask("tournaments.games", number=number)["games"]
        game = page.ask("tournaments.game", number=number, game=games[-1]["number"])["game"]
        page.ask("tournaments.pgn", number=number)
        (tmp_path / "all.pgn").write_text(page.news("tournaments.written")["pgn"], encoding="utf-8")
        read = list(read_pgn(tmp_path / "all.pgn"))

        assert [5, 4, 3, 2, 1, 0] == [each["number"] for each in games]
        assert len(game["moves"]) == games[-1]["plies"] == len(read[0].moves)
        assert [(each["white"], each["black"], each["result"]) for each in reversed(games)] == [
            (each.tags["White"], each.tags["Black"], each.result) for each in read
        ]
        assert not page.ask("tournaments.game", number=number, game=99)["ok"]

    def test_games_can_be_seen_live(self, page: "Page") -> None:
        number = begin(page, [OKAPI, MATERIAL, RANDOM], rounds=100, nodes=20_000)["number"]
        live = page.news("tournaments.shown", lambda news: news["tournament"] and news["tournament"]["boards"])[
            "tournament"
        ]
        (board, *_) = live["boards"]
        page.ask("tournaments.stop", number=number)

        assert {board["white"], board["black"]} <= {"okapi-28", "material", "random"} and board["plies"] > 0
        assert [] == shown(page, "stopped")["boards"]

    def test_it_is_stopped_and_goes_on_where_it_was(self, page: "Page") -> None:
        number = begin(page, [OKAPI, MATERIAL], rounds=50, nodes=2000)["number"]
        page.news("tournaments.shown", lambda news: news["tournament"] and news["tournament"]["games"] >= 2)
        page.ask("tournaments.stop", number=number)
        stopped = shown(page, "stopped")
        assert 2 <= stopped["games"] < 100
        page.ask("tournaments.resume", number=number)
        on = page.news("tournaments.shown", lambda news: news["tournament"]["games"] > stopped["games"])["tournament"]
        assert "playing" == on["state"]
        page.ask("tournaments.stop", number=number)
        shown(page, "stopped")

    def test_the_same_plan_goes_on_after_a_restart(self, page: "Page", state: AppState) -> None:
        begin(page, [MATERIAL, RANDOM])
        first = shown(page, "done")
        state.tournaments._tournaments.clear()  # a new server knows of none
        begin(page, [MATERIAL, RANDOM], rounds=3)
        again = shown(page, "done")

        assert 4 == first["games"] and 6 == again["games"]

    def test_programs_play_and_are_gone_afterwards(self, page: "Page", program: Path) -> None:
        number = begin(page, [MATERIAL, {"player": "other"}], rounds=100, nodes=5000)["number"]
        page.news("tournaments.shown", lambda news: news["tournament"] and news["tournament"]["boards"])
        assert running(program)
        page.ask("tournaments.stop", number=number)
        shown(page, "stopped")

        last = time.monotonic() + 5
        while running(program):
            assert time.monotonic() < last, "a program was left behind"
            time.sleep(0.05)

    def test_a_test_that_is_decided_ends_the_match(self, page: "Page") -> None:
        begin(page, [OKAPI, RANDOM], rounds=500, nodes=50, sprt={"elo0": 0, "elo1": 400})
        tournament = shown(page, "done")

        assert "H1 accepted" == tournament["match"]["sprt"]["verdict"] and tournament["games"] < 1000

    def test_two_at_a_time_are_enough(self, page: "Page") -> None:
        for nodes in (20_000, 30_000):
            assert begin(page, [OKAPI, MATERIAL], rounds=100, nodes=nodes)["ok"]

        assert "2 tournaments are being played" in begin(page, [OKAPI, MATERIAL], rounds=100, nodes=40_000)["error"]
        for number in (1, 2):
            page.ask("tournaments.stop", number=number)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"players": [OKAPI]},
            {"players": [OKAPI, {"player": "uci:/bin/sh"}]},
            {"players": [OKAPI, {"player": "alphabeta", "brain": "/etc/passwd"}]},
            {"players": [OKAPI] * 13},
            {"nodes": None},
            {"rounds": 10**9},
            {"openings": "/etc/passwd"},
            {"sprt": {"elo0": 5, "elo1": 0}},
        ],
    )
    def test_nothing_that_a_page_sends_becomes_a_command_or_a_path(
        self, page: "Page", state: AppState, wrong: dict[str, Any]
    ) -> None:
        answer = page.ask("tournaments.begin", **{"players": [OKAPI, RANDOM], "rounds": 1, "nodes": 100} | wrong)

        assert not answer["ok"] and answer["error"] and not state.tournaments.all


@pytest.fixture
def visit(visiting: Any, state: AppState) -> Iterator["Visit"]:
    with visiting(state, "#tournaments") as visit:
        yield visit


class TestInTheBrowser:
    def test_a_tournament_is_begun_watched_and_stopped(self, visit: "Visit") -> None:
        visit.until(lambda: visit.find("input[name=random]")).click()
        visit.set("Rounds", "30")
        visit.click("Begin")
        visit.until(lambda: visit.find(".live-game piece").is_displayed())
        visit.until(lambda: "of 180 games" in visit.find(".tournament .quiet").text)
        visit.until(lambda: any("–" in text for text in visit.texts(".standings .met")))
        assert [] == visit.serious()
        visit.click("Stop")
        visit.until(lambda: "stopped" in visit.find(".tournament .quiet").text)
        assert {"champion", "material", "random"} == set(visit.texts(".standings tbody th"))
        visit.click("Go on")
        visit.until(lambda: "playing" in visit.find(".tournament .quiet").text)
        visit.click("Stop")
        visit.until(lambda: "stopped" in visit.find(".tournament .quiet").text)

    def test_a_game_is_chosen_and_replayed(self, visit: "Visit") -> None:
        visit.set("They think", "n1")
        visit.set("Rounds", "2")
        visit.click("Begin")
        visit.until(lambda: len(visit.all(".game-list option")) == 4)
        visit.driver.execute_script(
            "const list = document.querySelector('.game-list'); list.selectedIndex = 1; list.onchange()"
        )
        visit.until(lambda: visit.all(".games .replay .moves button"))
        visit.find(".games button[aria-label='To the end']").click()

        visit.until(lambda: visit.find(".games .moves button.current"))
        assert visit.find(".games a").get_attribute("href").count("#analyse?pgn=") == 1
        assert [] == visit.serious()

    def test_on_a_phone_everything_fits(self, visit: "Visit") -> None:
        with visit.on_a_phone():
            visit.open("#tournaments")
            visit.set("They think", "n1")
            visit.set("Rounds", "2")
            names = "vazquez-exploitation", "vazquez-pieces-results"
            visit.until(lambda: visit.all(".entrant"))
            for box in visit.all(".entrant input"):
                if box.is_selected() is not (box.get_attribute("name") in names):
                    visit.driver.execute_script("arguments[0].click()", box)
            visit.click("Begin")
            visit.until(lambda: "done" in visit.find(".tournament .quiet").text)
            visit.until(lambda: visit.all(".game-list option"))

            assert visit.fits and "Elo" in visit.find(".match-card").text
