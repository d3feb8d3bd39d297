"""Analyse in a real browser: a game with a known blunder, lines that grow, side lines, and bad texts."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from okapi.web.state import AppState

pytest.importorskip("selenium", reason="needs selenium: make test installs it")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

if TYPE_CHECKING:
    from conftest import Visit

BLUNDER = """[Event "School"]
[White "Scholar"]
[Black "Pupil"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 (3... g6 4. Qf3) 4. Qxf7# 1-0
"""

CURRENT = ".moves button.current"
LINES = ".line:not([hidden])"


@pytest.fixture
def visit(visiting: Any) -> Iterator["Visit"]:
    with visiting(AppState(threads=2), "#analyse") as visit:
        visit.until(lambda: visit.find(".cg-wrap piece"))
        yield visit


def moves(visit: "Visit") -> list[str]:
    return visit.texts(".moves button")


def open_text(visit: "Visit", text: str) -> None:
    visit.click("Open")
    visit.driver.execute_script("document.querySelector('textarea').value = arguments[0]", text)
    visit.click("Open", "//dialog")


def open_game(visit: "Visit") -> None:
    open_text(visit, BLUNDER)
    visit.until(lambda: "Nf6" in moves(visit))


def press(visit: "Visit", *keys: str) -> None:
    visit.driver.execute_script("document.activeElement.blur()")
    ActionChains(visit.driver).send_keys(*keys).perform()


def enter(visit: "Visit", move: str) -> None:
    visit.find(".entry").send_keys(move + Keys.ENTER)
    visit.until(lambda: move in moves(visit))


def write_report(visit: "Visit") -> None:
    script = "const [e] = arguments; e.value = 'quick'; e.dispatchEvent(new Event('change'))"
    visit.driver.execute_script(script, visit.find(".report-form select"))
    visit.click("Write a report")
    visit.until(lambda: "Written by champion" in visit.find(".report").text)
    visit.until(lambda: "not finished" not in visit.find(".report").text)


def ink(visit: "Visit") -> int:
    """How many different colours the graph has."""
    script = """
        const canvas = document.querySelector('.game-graph canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const seen = new Set();
        for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
        return seen.size;
    """
    return int(visit.driver.execute_script(script))


def test_a_game_with_a_blunder_is_reported_and_survives_a_reload(visit: "Visit") -> None:
    open_game(visit)
    write_report(visit)
    assert "3... Nf6??" in visit.find(".mistakes").text
    assert "allows mate: Qxf7#" in visit.find(".mistakes").text
    assert 2 == visit.find(".accuracies").text.count("% accuracy")
    assert "Scholar · " in visit.find(".stage").text
    assert ink(visit) >= 4

    visit.all(".mistake")[-1].click()
    visit.until(lambda: visit.find(CURRENT).text == "Nf6??")
    assert "allows mate: Qxf7#" in visit.find(".verdict").text
    visit.driver.refresh()
    visit.until(lambda: visit.find(CURRENT).text == "Nf6??")
    assert "allows mate: Qxf7#" in visit.find(".verdict").text
    assert "Written by champion" in visit.find(".report").text


def test_a_report_is_gone_on_with_after_a_reload_and_can_be_cancelled(visit: "Visit") -> None:
    open_game(visit)
    script = "const [e] = arguments; e.value = 'deep'; e.dispatchEvent(new Event('change'))"
    visit.driver.execute_script(script, visit.find(".report-form select"))
    visit.click("Write a report")
    visit.until(lambda: visit.find("progress").is_displayed())
    visit.driver.refresh()
    visit.until(lambda: "champion: " in visit.find(".phase").text)
    visit.click("Cancel")
    visit.until(lambda: not visit.find("progress").is_displayed())


def test_nobody_thinks_for_a_page_that_was_left(visiting: Any) -> None:
    state = AppState(threads=1)
    with visiting(state, "#analyse") as visit:
        visit.until(lambda: visit.all(LINES))
        visit.driver.get("about:blank")
        visit.until(lambda: state.pages + state.pool.busy == 0)
        visit.driver.back()
        visit.until(lambda: visit.all(LINES) and state.pages == 1)


def test_the_graph_leads_to_a_position(visit: "Visit") -> None:
    open_game(visit)
    write_report(visit)
    visit.find(".game-graph .u-over").click()
    visit.until(lambda: visit.find(CURRENT).text in ("Bc4", "Nc6"))


def test_lines_grow_and_the_bar_says_whose_view_it_is(visit: "Visit") -> None:
    rows = lambda: visit.all(LINES)  # noqa: E731
    visit.until(lambda: len(rows()) == 3)
    depth = lambda: int(visit.find(".figures").text.split()[1])  # noqa: E731
    first = visit.until(depth)
    visit.until(lambda: depth() > first)
    label = visit.find(".value-bar").get_attribute("aria-label")
    assert "for White, says champion" in label and label.startswith("White wins")
    assert "for White" in visit.find(".says").text
    visit.until(lambda: len(visit.all(".cg-shapes g line")) == 3)

    press(visit, "5")
    visit.until(lambda: len(rows()) == 5)
    press(visit, "a")
    visit.until(lambda: not rows())


def test_a_move_of_a_line_is_shown_small_and_then_played(visit: "Visit") -> None:
    visit.until(lambda: len(visit.all(LINES)) == 3)
    move = visit.until(lambda: visit.find(".line-move"))
    ActionChains(visit.driver).move_to_element(move).perform()
    visit.until(lambda: visit.find(".peek").is_displayed())
    move.click()
    visit.until(lambda: len(moves(visit)) == 1)
    visit.until(lambda: not visit.find(".peek").is_displayed())


def test_ones_own_moves_branch_off_and_can_become_the_main_line(visit: "Visit") -> None:
    open_game(visit)
    press(visit, *[Keys.ARROW_RIGHT] * 5)
    visit.until(lambda: visit.find(CURRENT).text == "Qh5")
    enter(visit, "Qe7")
    assert "Qe7" in visit.find(".moves .aside").text and "g6" in visit.find(".moves .aside").text
    visit.click("Main line")
    visit.until(lambda: "Nf6" in visit.find(".moves .aside").text)
    visit.click("Delete")
    visit.until(lambda: "Qe7" not in moves(visit))
    visit.driver.refresh()
    visit.until(lambda: "Nf6" in moves(visit))
    assert "Qe7" not in moves(visit)


def test_a_threat_is_said_and_drawn(visit: "Visit") -> None:
    visit.open("#analyse?fen=" + quote("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"))
    visit.click("Threats")
    visit.until(lambda: "White threatens mate: Qxf7#, says champion." == visit.find(".danger").text)


@pytest.mark.parametrize(
    ("text", "message"),
    [("1. e4 e5 2. Ke3 *", "illegal san: 'Ke3'"), ("8/8/8/8/8/8/8/8 w - - 0 1", "piece placement"), ("hm", "neither")],
)
def test_a_bad_text_is_explained_and_the_board_stays(visit: "Visit", text: str, message: str) -> None:
    open_game(visit)
    before = moves(visit)
    open_text(visit, text)
    visit.until(lambda: message in visit.find(".form-error").text)
    press(visit, Keys.ESCAPE)
    visit.until(lambda: not visit.all("dialog"))

    assert before == moves(visit)


def test_one_of_several_games_is_chosen(visit: "Visit") -> None:
    other = BLUNDER.replace("Scholar", "Fool").replace("1. e4", "1. d4 d5 *\n\n{").replace("1-0\n", "}")
    open_text(visit, BLUNDER + "\n" + other)
    visit.until(lambda: visit.find(".game-choice").text.startswith("2 games"))
    visit.find(".game-choice li:last-child button").click()
    visit.until(lambda: moves(visit) == ["d4", "d5"])


def test_a_dropped_file_is_opened(visit: "Visit") -> None:
    script = """
        const data = new DataTransfer();
        data.items.add(new File([arguments[0]], 'game.pgn'));
        document.querySelector('.analyse').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    """
    visit.driver.execute_script(script, BLUNDER)
    visit.until(lambda: "Nf6" in moves(visit))


def test_a_position_is_set_up(visit: "Visit") -> None:
    visit.click("Set up")
    visit.click("Clear", "//dialog")
    fen = visit.find(".editor-forms input[type=text]")
    visit.click("Analyse this", "//dialog")
    visit.until(lambda: "piece placement" in visit.find(".editor .form-error").text)
    visit.find(".palette button[aria-label='white king']").click()
    editor = visit.find(".editor cg-board")
    click = ActionChains(visit.driver, duration=0)
    click.move_to_element_with_offset(editor, 20 - editor.size["width"] // 2, editor.size["width"] // 2 - 20)
    click.click().perform()
    visit.until(lambda: "K7" in fen.get_attribute("value"))
    fen.clear()
    fen.send_keys("4k3/8/8/8/8/8/4P3/K7 b - - 0 1", Keys.TAB)
    visit.click("Analyse this", "//dialog")
    visit.until(lambda: not visit.all("dialog"))
    visit.until(lambda: visit.find(".cg-wrap.orientation-black"))
    enter(visit, "Kd7")


def test_the_choice_of_a_piece_lies_on_the_board(visit: "Visit") -> None:
    visit.open("#analyse?fen=" + quote("8/P7/8/8/8/8/7k/K7 w - - 0 1"))
    surface = visit.until(lambda: visit.find(".surface cg-board"))
    visit.until(lambda: visit.all(LINES))
    square = surface.size["width"] / 8
    for row in (1, 0):
        hand = ActionChains(visit.driver, duration=0)
        hand.move_to_element_with_offset(surface, int(-3.5 * square), int((row - 3.5) * square)).click().perform()
    queen = visit.until(lambda: visit.find(".promotion button[aria-label=queen] piece")).rect
    board = surface.rect
    assert abs(queen["x"] - board["x"]) < 3 and abs(queen["y"] - board["y"]) < 3
    assert queen["width"] > 0.8 * square
    visit.find(".promotion button[aria-label=knight]").click()
    visit.until(lambda: moves(visit) == ["a8=N"])


def test_a_game_that_was_played_can_be_analysed_and_played_on(visit: "Visit") -> None:
    visit.open("#play?fen=" + quote("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))
    visit.until(lambda: visit.find("#panel-play .cg-wrap piece"))
    visit.find("#panel-play .entry").send_keys("e4" + Keys.ENTER)
    visit.until(lambda: visit.texts("#panel-play .moves button")[:1] == ["e4"])
    visit.click("Analyse")
    visit.until(lambda: visit.texts("#panel-analyse .moves button")[:1] == ["e4"])
    visit.click("Play on")
    visit.until(lambda: visit.find("#panel-play").is_displayed())


def test_on_a_phone_everything_fits(visit: "Visit") -> None:
    open_game(visit)
    with visit.on_a_phone():
        write_report(visit)
        visit.find("button[aria-label='One move on']").click()
        visit.until(lambda: visit.find(CURRENT).text == "e4")
        assert visit.fits


def test_axe_finds_nothing_serious(visit: "Visit") -> None:
    open_game(visit)
    write_report(visit)
    visit.all(".mistake")[-1].click()
    for theme in ("light", "dark"):
        visit.driver.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
        assert [] == visit.serious()
