"""The panel of brains: passports, and two brains on one position."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from okapi.brains import card, shipped
from okapi.brains.summary import summary
from okapi.core import Position
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page, Visit

TENSE = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8"


def compare(page: "Page", fen: str = TENSE, **wanted: Any) -> dict[str, Any]:
    return page.ask("brains.compare", **{"first": "okapi-28", "second": "material", "fen": fen, "nodes": 3000} | wanted)


class TestTheServer:
    def test_every_brain_is_listed_the_preferred_one_first_and_those_that_predict_last(self, page: "Page") -> None:
        brains = page.ask("brains.listed")["brains"]

        assert {brain.name for brain in shipped()} == {brain["brain"] for brain in brains}
        assert sorted(brain["says"] == "moves" for brain in brains) == [brain["says"] == "moves" for brain in brains]
        assert "predicts moves" not in page.ask("brains.card", brain="okapi-human").get("error", "")
        assert [True] + [False] * (len(brains) - 1) == [brain["default"] for brain in brains]

    def test_a_passport_tells_no_path(self, page: "Page") -> None:
        facts = dict(page.ask("brains.card", brain="material")["facts"])

        assert "material.safetensors" == facts["file"]
        assert "vazquez2012, section 4.2.1" == facts["source"] and "weights 5" == facts["tensors"]

    def test_evaluations_come_at_once_with_their_terms(self, page: "Page") -> None:
        answer = compare(page, fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        okapi, material = answer["evaluations"]

        assert "+1.00" == material["value"]["text"]
        assert {"name": "pawn", "centipawns": 100} == material["terms"][0] and 0 == material["rest"]
        assert 29 == len(okapi["terms"])

    def test_both_look_and_it_is_said_where_they_part(self, page: "Page") -> None:
        compare(page)
        news = page.news("brains.compared", lambda news: all(search["done"] for search in news["searches"]))
        lines = [[move["uci"] for move in search["lines"][0]["moves"]] for search in news["searches"]]
        parting = news["parting"]

        assert all(len(search["lines"]) == 3 for search in news["searches"])
        shared = len(parting["shared"])
        assert lines[0][:shared] == lines[1][:shared]
        assert [lines[0][shared], lines[1][shared]] == [move["uci"] for move in parting["moves"]]
        there = Position.from_fen(TENSE)
        for move in lines[0][:shared]:
            there.play(move)
        assert there.fen() == parting["fen"]

    def test_one_brain_agrees_with_itself(self, page: "Page") -> None:
        compare(page, second="okapi-28", fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        news = page.news("brains.compared", lambda news: all(search["done"] for search in news["searches"]))

        assert news["parting"] is None

    def test_where_the_game_is_over_nobody_looks(self, page: "Page", state: AppState) -> None:
        answer = compare(page, fen="R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")

        assert "checkmate" == answer["position"]["ending"] and 0 == state.pool.busy

    @pytest.mark.parametrize("wrong", [{"first": "../../etc/passwd"}, {"fen": "nonsense"}, {"nodes": 10**12}])
    def test_nonsense_is_refused(self, page: "Page", wrong: dict[str, Any]) -> None:
        assert not compare(page, **wrong)["ok"]


@pytest.fixture
def visit(visiting: Any) -> Iterator["Visit"]:
    with visiting(AppState(threads=2), "#two_brains") as visit:
        yield visit


class TestInTheBrowser:
    def test_two_brains_side_by_side(self, visit: "Visit") -> None:
        visit.set("Left", "vazquez-five")
        visit.set("They look at", "20000")
        visit.set("Position (FEN)", TENSE)
        visit.click("Compare")
        visit.until(lambda: visit.find(".line-move.parts") and "…" not in visit.find(".engine-0").text)

        assert ["vazquez-five", "material"] == visit.texts(".engine h3")
        assert 6 == len(visit.all(".engine .lines li"))
        assert 2 == len(visit.all(".cg-shapes line")), "an arrow for what each would play where they part"
        assert "mobility" in visit.texts(".terms tbody th")
        assert [] == visit.serious()

    def test_a_link_brings_its_position(self, visit: "Visit") -> None:
        visit.open("#brains?fen=8/8/8/8/8/2k5/8/2K4R%20w%20-%20-%200%201")
        visit.until(lambda: visit.find("input[type=text]").get_attribute("value").startswith("8/8/8/8/8/2k5"))
        visit.until(lambda: len(visit.all(".brains cg-board piece")) == 3)

    def test_a_card_can_be_read(self, visit: "Visit") -> None:
        visit.open("#brains")
        visit.until(lambda: visit.find(".card"))
        visit.click("Card", "//li[.//*[normalize-space(text())='material']]")
        visit.until(lambda: "vazquez2012" in visit.find("dialog").text)

    @pytest.mark.parametrize(
        ("link", "place"),
        [
            ("#tournaments", ".entrant:has(input[name=vazquez-five])"),
            ("#compare", ".compare-choice:has(input[name=vazquez-five])"),
            ("#analyse", "#panel-analyse option[value=vazquez-five]"),
            ("#two_brains", "#panel-two_brains option[value=vazquez-five]"),
            ("#explain", "#panel-explain option[value=vazquez-five]"),
            ("#trees", "#panel-trees option[value=vazquez-five]"),
            ("#play", "dialog option[value=vazquez-five]"),
        ],
    )
    def test_every_list_has_the_elo_and_the_sentence_of_a_brain(self, visit: "Visit", link: str, place: str) -> None:
        told = summary(card("vazquez-five"))
        with visit.on_a_phone():
            visit.open(link)
            if link == "#play":
                visit.until(lambda: visit.click("New game") is None)
            visit.until(lambda: visit.all(place))

            (text,), first = visit.texts(place)[:1], visit.all(place)[0]
            assert "vazquez-five" in text and told["elo_text"] in text and "Elo" in told["elo_text"]
            assert told["sentence"] == first.get_attribute("title")
            assert visit.fits and [] == visit.serious()

    def test_on_a_phone_everything_fits(self, visit: "Visit") -> None:
        with visit.on_a_phone():
            visit.open("#two_brains")
            visit.until(lambda: visit.find(".line-move"))

            assert visit.fits
