"""Trees: two searches of one position as pages get and draw them, and its features in words."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from okapi.core import Position
from okapi.web.panels.trees import MOST_NODES
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page, Visit

START = Position.start().fen()
QUEENS = "3qk3/5p2/8/8/8/8/5P2/3QK3 w - - 0 1"
EXCHANGE = "6kq/8/4p1p1/4PpP1/5P2/8/8/6KQ w - - 0 1"
MATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
BRAIN = "okapi-28"


@pytest.fixture
def state(tmp_path: Path) -> AppState:
    return AppState(threads=2, runs=tmp_path / "runs")


def grow(page: "Page", fen: str = QUEENS, **more: Any) -> list[dict[str, Any]]:
    answer = page.ask("trees.grow", fen=fen, brain=BRAIN, **more)
    assert answer["ok"], answer
    trees: list[dict[str, Any]] = page.news("trees.grown")["trees"]
    return trees


def plies(tree: dict[str, Any]) -> list[int]:
    found = [0]
    for parent in tree["parents"][1:]:
        found.append(found[parent] + 1)
    return found


def below(tree: dict[str, Any], san: str) -> list[int]:
    """The plies of all nodes behind a move of the root."""
    over = [False]
    for parent, move in zip(tree["parents"][1:], tree["sans"][1:], strict=True):
        over.append(over[parent] or (parent == 0 and move == san))
    return [ply for ply, is_below in zip(plies(tree), over, strict=True) if is_below]


class TestTheServer:
    def test_brains_that_judge_are_offered(self, page: "Page", state: AppState) -> None:
        page.ask("trees.listed")
        news = page.news("trees.listed")

        assert state.default_brain == news["brains"][0]
        assert "material" in news["brains"] and not {"okapi-human", "okapi-resnet"} & set(news["brains"])

    @pytest.mark.parametrize("fen", [START, QUEENS])
    def test_every_node_is_a_legal_line_behind_its_parent(self, page: "Page", fen: str) -> None:
        for tree in grow(page, fen, nodes=300):
            positions = [Position.from_fen(fen)]
            assert -1 == tree["parents"][0]
            for node, (parent, uci, san) in enumerate(zip(tree["parents"], tree["ucis"], tree["sans"], strict=True)):
                if node > 0:
                    assert parent < node and san == positions[parent].san(uci)
                    positions.append(positions[parent].after(uci))
            assert all(0 <= value <= 100 for value in tree["values"])

    def test_evenly_shared_probability_is_that(self, page: "Page") -> None:
        _, tree = grow(page, nodes=300)
        positions, shares = [Position.from_fen(QUEENS)], [1.0]
        for parent, uci in zip(tree["parents"][1:], tree["ucis"][1:], strict=True):
            shares.append(shares[parent] / len(positions[parent].legal_moves()))
            positions.append(positions[parent].after(uci))

        assert shares == pytest.approx(tree["shares"], rel=0.01)

    def test_where_queens_are_exchanged_probability_looks_deeper(self, page: "Page") -> None:
        """The thesis' Figure 6."""
        depth, even = grow(page, EXCHANGE, nodes=MOST_NODES)
        exchanged = [below(tree, "Qxh8+") for tree in (depth, even)]

        assert len(even["parents"]) <= 1.3 * len(depth["parents"])
        assert max(exchanged[0]) == max(plies(depth)) < max(exchanged[1])
        assert 3 * len(exchanged[0]) / len(depth["parents"]) < len(exchanged[1]) / len(even["parents"])

    def test_no_more_is_sent_than_a_page_can_draw(self, page: "Page") -> None:
        page.ask("trees.grow", fen=START, brain=BRAIN, nodes=MOST_NODES, left="even", right="shares")
        news = page.news("trees.grown")

        assert all(len(tree["parents"]) <= MOST_NODES for tree in news["trees"])
        assert len(json.dumps(news)) < 400_000

    def test_a_position_in_words(self, page: "Page") -> None:
        seen = page.ask("trees.see", fen=QUEENS)
        facts = [fact for subject in seen["subjects"] for fact in subject["facts"]]

        assert list(range(363)) == [fact["index"] for fact in facts]
        assert ["d1"] == next(s["squares"] for s in seen["subjects"] if s["sentence"].startswith("White Queen 1"))
        assert "white" == seen["position"]["turn"]

    def test_a_line_leads_somewhere(self, page: "Page") -> None:
        moves = page.ask("trees.walk", fen=QUEENS, moves=["d1d8", "Kxd8"])["moves"]

        assert ["Qxd8+", "Kxd8"] == [move["san"] for move in moves]
        assert "3k4/5p2/8/8/8/8/5P2/4K3 w - - 0 2" == moves[-1]["fen"]

    @pytest.mark.parametrize(
        ("action", "wrong"),
        [
            ("see", {"fen": "nonsense"}),
            ("walk", {"fen": QUEENS, "moves": ["e2e4"]}),
            ("grow", {"fen": "nonsense", "brain": BRAIN}),
            ("grow", {"fen": MATE, "brain": BRAIN}),
            ("grow", {"fen": QUEENS, "brain": "nobody"}),
            ("grow", {"fen": QUEENS, "brain": "../../etc/passwd"}),
            ("grow", {"fen": QUEENS, "brain": BRAIN, "nodes": MOST_NODES + 1}),
            ("grow", {"fen": QUEENS, "brain": BRAIN, "right": "round"}),
            ("grow", {"fen": QUEENS, "brain": BRAIN, "right": "learned"}),
            ("grow", {"fen": QUEENS, "brain": BRAIN, "right": "learned", "moves": "nobody"}),
            ("grow", {"fen": QUEENS, "brain": "okapi-human"}),
            ("grow", {"fen": QUEENS, "brain": "okapi-resnet"}),
        ],
    )
    def test_nonsense_is_refused_and_nothing_is_lost(self, page: "Page", action: str, wrong: dict[str, Any]) -> None:
        refused = page.ask(f"trees.{action}", **wrong)

        assert not refused["ok"] and refused["error"]
        assert 2 == len(grow(page, nodes=100))


@pytest.fixture
def visit(visiting: Any, state: AppState) -> Iterator["Visit"]:
    with visiting(state, f"#trees?fen={quote(QUEENS)}") as visit:
        visit.until(lambda: visit.all(".root-moves tbody tr"))
        yield visit


POINT = """
    const canvas = document.querySelectorAll('.icicle canvas')[arguments[0]];
    const box = canvas.getBoundingClientRect();
    const at = { clientX: box.left + box.width / 2, clientY: box.top + arguments[1], bubbles: true };
    canvas.dispatchEvent(new PointerEvent('pointermove', { ...at, pointerType: 'mouse' }));
"""
"""Move the pointer to the middle of a tree, so many pixels below its upper edge."""

DISPLAY = """
    const [display, done] = arguments;
    document.querySelector('.trees').style.display = display;
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
"""
"""Hide the trees or show them, and wait until the page is laid out and drawn."""

STEP_DOWN = "document.querySelector('.icicle').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }))"

POINT_AT_SUBJECT = """
    const subject = [...document.querySelectorAll('.subject')].find((s) => s.textContent.includes(arguments[0]));
    subject.dispatchEvent(new PointerEvent('pointerenter'));
"""


def arrows(visit: "Visit") -> int:
    """On the board: they are there while no line is looked at."""
    return len(visit.all(".trees .cg-shapes line"))


class TestInTheBrowser:
    def test_a_board_that_is_hidden_draws_no_arrow_until_it_is_shown(self, visit: "Visit") -> None:
        from selenium.webdriver.common.keys import Keys

        visit.until(lambda: 21 == arrows(visit))
        visit.driver.execute_async_script(DISPLAY, "none")
        visit.driver.execute_script(STEP_DOWN)
        visit.driver.execute_async_script(DISPLAY, "none")
        assert not arrows(visit)

        visit.driver.execute_async_script(DISPLAY, "")
        visit.find(".icicle").send_keys(Keys.ESCAPE)
        visit.until(lambda: 21 == arrows(visit))

    def test_trees_lines_and_features(self, visit: "Visit") -> None:
        from selenium.webdriver.common.keys import Keys

        assert len(visit.all(".trees cg-board piece")) == 6
        visit.until(lambda: 21 == arrows(visit))
        assert "plies deep" in visit.find(".grown.side-1 .tree-says").text

        visit.driver.execute_script(POINT, 1, 70)
        visit.until(lambda: not arrows(visit) and "1. " in visit.find(".tree-line").text)
        visit.driver.execute_script("document.querySelectorAll('.icicle canvas')[1].onpointerleave()")
        visit.until(lambda: arrows(visit))

        tree = visit.all(".icicle")[0]
        tree.send_keys(Keys.ARROW_DOWN)
        visit.until(lambda: not arrows(visit))
        tree.send_keys(Keys.ESCAPE)
        visit.until(lambda: arrows(visit))

        visit.find(".feature-search input").send_keys("king on")
        visit.until(lambda: 0 < len(visit.all(".subject")) < 30)
        visit.driver.execute_script(POINT_AT_SUBJECT, "White King on e1")
        visit.until(lambda: 1 == len(visit.all(".trees .cg-shapes circle")))
        assert [] == visit.serious()

    def test_a_bad_position_changes_nothing_and_a_move_leads_on(self, visit: "Visit") -> None:
        visit.driver.execute_script("location.hash = '#trees?fen=nonsense'")
        visit.until(lambda: visit.find(".banner strong").text)
        assert len(visit.all(".trees cg-board piece")) == 6

        visit.click("Qxd8+")
        visit.until(lambda: len(visit.all(".trees cg-board piece")) == 5 and "Kxd8" in visit.texts(".root-move"))
        visit.click("Take back")
        visit.until(lambda: "Qxd8+" in visit.texts(".root-move"))
        visit.driver.refresh()
        visit.until(lambda: "Qxd8+" in visit.texts(".root-move"))
        with visit.on_a_phone():
            assert visit.fits
