"""The user's brains on the board: in every list, whatever the folder the server was started in."""

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from okapi.brains import SHIPPED
from okapi.brains.summary import summary
from okapi.cli import main
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page


@pytest.fixture
def state(runs: Path) -> AppState:
    """A board whose user has trained `mine`, and a brain that predicts moves, `human`."""
    for name, brain in (("mine", "okapi-28"), ("human", "okapi-human")):
        (runs / name / "checkpoints").mkdir(parents=True)
        shutil.copy(SHIPPED / f"{brain}.safetensors", runs / name / "brain.safetensors")
    shutil.copy(SHIPPED / "material.safetensors", runs / "mine" / "checkpoints" / "000012.safetensors")
    return AppState(threads=2)


def test_every_list_has_the_users_brain(page: "Page", runs: Path) -> None:
    hello = page.news("hello")
    assert "mine" in hello["brains"] and "human" in hello["players"] and str(runs) == hello["runs_folder"]
    assert hello["lines"]["giraffe"]["elo"].startswith("Elo ") and set(hello["brains"]) <= set(hello["lines"])
    for panel in ("compare", "explain", "trees"):
        page.ask(f"{panel}.listed")
        listed = page.news(f"{panel}.listed")["brains"]
        assert "mine" in [brain["brain"] if isinstance(brain, dict) else brain for brain in listed]
    answer = page.ask("brains.listed")
    mine, human = (brain for brain in answer["brains"] if not brain["shipped"])
    assert "human" == human["brain"]
    assert ("mine", "58 weights, 1.2 kB") == (mine["brain"], mine["size_text"]) and str(runs) == answer["folder"]


@pytest.mark.parametrize("brain", ["mine", "mine@12"])
def test_the_users_brain_and_its_checkpoints_play(page: "Page", brain: str) -> None:
    seat = {"player": "alphabeta", "brain": brain, "depth": 1}
    assert page.ask("play.new", white={"player": "person"}, black=seat)["ok"]
    page.ask("play.move", move="e4")

    assert f"{brain}, depth 1" == page.game(lambda game: len(game["moves"]) == 2)["seats"]["black"]["title"]


def test_a_brain_trained_while_the_page_is_open_plays(page: "Page", runs: Path) -> None:
    shutil.copytree(runs / "mine", runs / "newer")
    seat = {"player": "alphabeta", "brain": "newer", "depth": 1}

    assert page.ask("play.new", white={"player": "person"}, black=seat)["ok"]


def test_the_brain_of_the_command_line_has_its_run_s_name(runs: Path, state: AppState) -> None:
    preferred = AppState(brain="mine", threads=1)

    assert "mine" == preferred.brains[0] and "okapi-28" in preferred.brains[1:]
    assert "58 weights, 1.2 kB" == summary(preferred.card("mine"))["size_text"]


def test_a_match_of_the_command_line_is_shown_by_its_names(page: "Page", capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["match", "mine@12", "mine", "--games", "4", "--depth", "1", "--json"])
    page.ask("tournaments.watch")
    news = page.news("tournaments.shown", lambda news: news["tournament"] is not None)["tournament"]

    assert (["mine@12", "mine"], "done", 4) == (news["names"], news["state"], news["games"])
    assert json.loads(capsys.readouterr().out)["wins"] == news["match"]["wins"]
    assert not page.ask("tournaments.resume", number=news["number"])["ok"]
