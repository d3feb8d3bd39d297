"""Explain: pieces, neurons and changes as pages get and draw them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import nnue_twin
import pytest

from okapi.analysis.neurons import Neurons
from okapi.web.panels import explain
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page, Visit

ROOK = "4k3/pp6/8/8/8/8/8/4KR2 b - - 0 1"
NEURONS = 32


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppState]:
    """A run has left an NNUE brain; fewer positions are enough to look into it."""
    mine = tmp_path / "runs" / "mine"
    mine.mkdir(parents=True)
    (mine / "brain.safetensors").write_bytes(nnue_twin.random_network(NEURONS).file({"name": "made"}))
    monkeypatch.setattr(explain, "SURVEYED", 200)
    monkeypatch.setattr("okapi.web.panels.explain.JUDGED", 100)
    explain.own_rows.cache_clear()
    yield AppState(threads=2, runs=tmp_path / "runs")
    explain.own_rows.cache_clear()


class TestTheServer:
    def test_brains_are_offered_and_who_has_neurons(self, page: "Page") -> None:
        page.ask("explain.listed")
        brains = {told["brain"]: told["neurons"] for told in page.news("explain.listed")["brains"]}

        assert (False, True) == (brains["material"], brains["mine"]) and "okapi-human" not in brains

    def test_pieces_are_taken_off(self, page: "Page") -> None:
        answer = page.ask("explain.pieces", fen=ROOK, brain="material", number=7)
        news = page.news("explain.attributed")

        assert "black" == answer["position"]["turn"] and (7, ROOK) == (news["number"], news["fen"])
        (worths,) = news["attributions"]
        assert ("+3.00", 500, 200) == (worths["value"]["text"], worths["white"], worths["black"])
        rook = {"square": "f1", "side": "white", "kind": "rook", "centipawns": 500, "usual": 500}
        assert rook == worths["pieces"][0]

    def test_a_move_is_played_first_and_two_brains_may_be_asked(self, page: "Page") -> None:
        answer = page.ask("explain.pieces", fen=ROOK, brain="material", against="okapi-28", move="a7a5")
        news = page.news("explain.attributed")

        assert answer["position"]["fen"] == news["fen"] != ROOK
        assert ["a5", "a5"] == [worths["pieces"][1]["square"] for worths in news["attributions"]]

    def test_neurons_are_listed_and_one_is_looked_at(self, page: "Page", tmp_path: Path) -> None:
        page.ask("explain.neurons", brain="mine")
        surveyed = page.news("explain.surveyed")
        first = surveyed["neurons"][0]["number"]
        page.ask("explain.neuron", brain="mine", neuron=first, fen=ROOK)
        liked = page.news("explain.neuron")
        likes = Neurons.open(tmp_path / "runs" / "mine" / "brain.safetensors").weights(first)

        assert (NEURONS, NEURONS, 200) == (surveyed["count"], len(surveyed["neurons"]), surveyed["positions"])
        assert 12 == len(liked["maps"]) and liked["maps"][1]["weights"] == pytest.approx(likes[0, 1], abs=1e-3)
        assert ["black", "white"] == [here["side"] for here in liked["here"]]
        assert liked["most_active"][0]["activation"] >= liked["most_active"][-1]["activation"]

    def test_what_changed_is_told(self, page: "Page") -> None:
        page.ask("explain.changes", before="material", now="okapi-28")
        news = page.news("explain.changed")

        assert ("material", "okapi-28", 100) == (news["before"], news["now"], news["positions"])
        assert ["pawn", "knight", "bishop", "rook", "queen"] == [piece["kind"] for piece in news["pieces"]]
        assert {"now", "before", "fen", "turn"} == set(news["boards"][0])

    def test_a_brain_without_neurons_is_refused_with_a_sentence(self, page: "Page") -> None:
        page.ask("explain.neurons", brain="material")

        assert "has no neurons" in page.news("error")["error"]
        assert "surveyed" == page.news("explain.failed")["of"]

    @pytest.mark.parametrize(
        ("action", "wrong"),
        [
            ("pieces", {"fen": "nonsense", "brain": "material"}),
            ("pieces", {"fen": ROOK, "brain": "../mine"}),
            ("pieces", {"fen": ROOK, "brain": "material", "move": "e2e4"}),
            ("neuron", {"fen": ROOK, "brain": "mine", "neuron": 1024}),
            ("changes", {"before": "material", "now": "material"}),
        ],
    )
    def test_nonsense_is_refused(self, page: "Page", action: str, wrong: dict[str, Any]) -> None:
        assert not page.ask(f"explain.{action}", **wrong)["ok"]


@pytest.fixture
def visit(visiting: Any, state: AppState) -> Iterator["Visit"]:
    with visiting(state, f"#explain?fen={quote(ROOK)}") as visit:
        yield visit


class TestInTheBrowser:
    def test_pieces_neurons_and_changes(self, visit: "Visit") -> None:
        visit.until(lambda: visit.texts(".explain .heat-numbers [data-square=f1]")[0])
        visit.set("Brain", "material")
        visit.until(lambda: ["5.00"] == visit.texts(".explain .heat-numbers [data-square=f1]"))
        assert ["Every piece contributes what is usual for its kind."] == visit.texts(".worth-list")
        assert "has no neurons" in visit.find(".neuron-view").text
        visit.set("Compared with", "okapi-28")
        visit.until(lambda: visit.texts(".explain .heat-numbers [data-square=f1]")[0][0] in "+−")
        assert "White’s rook f1" in visit.texts(".worth-list td")
        visit.click("What changed?")
        visit.until(lambda: "rook" in visit.texts(".change-tables td"))
        assert [] == visit.serious()

        visit.set("Brain", "mine")
        visit.until(lambda: len(visit.all(".weight-map")) == 12)
        assert NEURONS == len(visit.all(".neuron"))
        shown = visit.texts(".neuron-card h3")
        visit.find("body").send_keys("n")
        visit.until(lambda: visit.texts(".neuron-card h3") not in ([], shown))
        visit.driver.execute_script("document.querySelector('.most-active button').click()")
        visit.until(lambda: len(visit.all(".explain cg-board piece")) > 5)
        assert [] == visit.serious()
        with visit.on_a_phone():
            assert visit.fits
