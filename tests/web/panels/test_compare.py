"""The panel of judges: several brains on one position, and where a brain and its teacher disagree."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from okapi.analysis.compare import list_disagreements
from okapi.core.packed import NO_GAME, SAMPLE, pack_fens
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page, Visit

FENS = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")


@pytest.fixture
def runs(tmp_path: Path, sorter: Path) -> Path:
    """A run that has left its brain and a list, and one whose brain is broken."""
    mine, broken = tmp_path / "runs" / "mine", tmp_path / "runs" / "paper" / "broken"
    for folder in (mine, broken):
        folder.mkdir(parents=True)
    (mine / "brain.safetensors").write_bytes(sorter.read_bytes())
    (broken / "brain.safetensors").write_bytes(b"nonsense")
    rows = np.zeros(3, SAMPLE)
    rows["position"], rows["game"], rows["value"] = pack_fens(FENS), NO_GAME, (100, -900, 500)
    list_disagreements("sorter", "labels.tsv", rows, np.full(3, 0.5)).write(mine)
    return tmp_path / "runs"


@pytest.fixture
def state(runs: Path) -> AppState:
    return AppState(threads=2, runs=runs)


class TestTheServer:
    def test_brains_of_runs_are_offered_beside_those_that_ship(self, page: "Page", state: AppState) -> None:
        page.ask("compare.listed")
        news = page.news("compare.listed")

        assert [*state.brains] == [brain["brain"] for brain in news["brains"]]
        assert ["mine"] == [brain["brain"] for brain in news["brains"] if brain["place"] == "runs"]
        assert ["mine"] == news["lists"]

    def test_every_judge_speaks_for_white(self, page: "Page") -> None:
        answer = page.ask("compare.values", fen=FENS[1], brains=["material", "mine"])
        news = page.news("compare.valued", lambda news: len(news["evaluations"]) == 2)
        material, mine = news["evaluations"]

        assert "black" == answer["position"]["turn"] and FENS[1] == news["fen"]
        assert "+9.00" == material["value"]["text"] and [] == material["classes"]
        assert [None, -100, 100] == [share["low"] for share in mine["classes"]]
        assert 1 == pytest.approx(sum(share["probability"] for share in mine["classes"]), abs=1e-3)
        expected = sum(w * share["probability"] for w, share in zip((0.1, 0.5, 0.9), mine["classes"], strict=True))
        assert expected == pytest.approx(mine["value"]["white"], abs=1e-3)

    def test_one_that_cannot_judge_says_why_and_others_speak(self, page: "Page") -> None:
        page.ask("compare.values", fen=FENS[0], brains=["paper/broken", "material"])
        broken, material = page.news("compare.valued", lambda news: len(news["evaluations"]) == 2)["evaluations"]

        assert "not a safetensors file" in broken["error"] and broken["value"] is None
        assert "+1.00" == material["value"]["text"]

    def test_a_list_has_the_worst_first(self, page: "Page") -> None:
        page.ask("compare.disagreements", place="mine")
        news = page.news("compare.disagreed")

        assert [FENS[1], FENS[2], FENS[0]] == [told["fen"] for told in news["positions"]]
        assert ("labels.tsv", "+9.00") == (news["teacher"], news["positions"][0]["teacher"]["text"])
        assert "pawn ending" in news["positions"][2]["kinds"]

    @pytest.mark.parametrize(
        ("action", "wrong"),
        [
            ("values", {"fen": "nonsense", "brains": []}),
            ("values", {"fen": FENS[0], "brains": ["../../etc/passwd"]}),
            ("values", {"fen": FENS[0], "brains": ["../runs/mine"]}),
            ("values", {"fen": FENS[0], "brains": ["material"] * 9}),
            ("disagreements", {"place": "../mine"}),
        ],
    )
    def test_nonsense_is_refused(self, page: "Page", action: str, wrong: dict[str, Any]) -> None:
        assert not page.ask(f"compare.{action}", **wrong)["ok"]


@pytest.fixture
def visit(visiting: Any, state: AppState) -> Iterator["Visit"]:
    with visiting(state, "#compare") as visit:
        yield visit


class TestInTheBrowser:
    def test_judges_classes_and_the_list(self, visit: "Visit") -> None:
        visit.until(lambda: len(visit.all(".disagreement")) == 3 and visit.find(".class-bar"))
        visit.all(".disagreement")[0].click()
        visit.until(lambda: len(visit.all(".compare cg-board piece")) == 3)
        visit.until(lambda: "teacher" in visit.texts(".brain-name") and "…" not in visit.find(".compare .says").text)

        assert {"teacher": "+9.00", "material": "+9.00"}.items() <= dict(
            zip(visit.texts(".brain-name"), visit.texts(".brain-number"), strict=True)
        ).items()
        assert {"below −1.00", "−1.00 to +1.00", "above +1.00"} <= set(visit.texts(".class-borders"))
        visit.set("Kind of position", "rook ending")
        assert ["1. White to move"] == visit.texts(".disagreement strong")
        assert [] == visit.serious()
        with visit.on_a_phone():
            assert visit.fits

    def test_a_link_brings_its_position_and_keys_walk_through_the_list(self, visit: "Visit") -> None:
        visit.open("#compare?fen=8/8/8/8/8/2k5/8/2K4R%20w%20-%20-%200%201")
        visit.until(lambda: len(visit.all(".compare cg-board piece")) == 3)
        visit.until(lambda: len(visit.all(".disagreement")) == 3)
        visit.find("body").send_keys("nn")
        visit.until(lambda: visit.find("input[type=text]").get_attribute("value") == FENS[2])
