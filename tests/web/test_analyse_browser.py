"""Analyse in a real browser: a game with a known blunder, lines that grow, side lines, and bad texts."""

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

pytest.importorskip("selenium", reason="needs selenium: make test installs it")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

if TYPE_CHECKING:
    from conftest import Board

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

BLUNDER = """[Event "School"]
[White "Scholar"]
[Black "Pupil"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 (3... g6 4. Qf3) 4. Qxf7# 1-0
"""

PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}


@pytest.fixture
def analysis(board: "Board") -> "Board":
    """The panel, with a quick report chosen."""
    board.open("#analyse")
    return board


def open_text(board: "Board", text: str) -> None:
    board.button("Open").click()
    board.driver.execute_script("document.querySelector('textarea').value = arguments[0]", text)
    board.find("dialog button.primary").click()


def write_report(board: "Board") -> None:
    script = "const [e] = arguments; e.value = 'quick'; e.dispatchEvent(new Event('change'))"
    board.driver.execute_script(script, board.find(".invitation select"))
    board.button("Write a report").click()
    board.until(lambda: "Written by okapi-28" in board.find(".report").text)
    board.until(lambda: "not finished" not in board.find(".report").text)


def ink(board: "Board") -> int:
    """How many different colours the graph has."""
    script = """
        const canvas = document.querySelector('.game-graph canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const seen = new Set();
        for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
        return seen.size;
    """
    return int(board.driver.execute_script(script))


def test_a_game_with_a_blunder_is_reported_and_survives_a_reload(analysis: "Board") -> None:
    board = analysis
    open_text(board, BLUNDER)
    board.until(lambda: "Nf6" in board.moves)
    write_report(board)
    assert "3... Nf6??" in board.find(".mistakes").text
    assert "allows mate: Qxf7#" in board.find(".mistakes").text
    assert 2 == board.find(".accuracies").text.count("% accuracy")
    assert "Scholar · " in board.find(".stage").text
    assert ink(board) >= 4

    board.driver.find_element(By.XPATH, "//button[contains(., 'Nf6??') and contains(@class, 'mistake')]").click()
    board.until(lambda: board.find(".moves button.current").text == "Nf6??")
    assert "allows mate: Qxf7#" in board.find(".verdict").text
    board.driver.refresh()
    board.until(lambda: board.find(".moves button.current").text == "Nf6??")
    assert "allows mate: Qxf7#" in board.find(".verdict").text
    assert "Written by okapi-28" in board.find(".report").text


def test_the_graph_leads_to_a_position(analysis: "Board") -> None:
    board = analysis
    open_text(board, BLUNDER)
    board.until(lambda: "Nf6" in board.moves)
    write_report(board)
    board.find(".game-graph .u-over").click()
    board.until(lambda: board.find(".moves button.current").text in ("Bc4", "Nc6"))


def test_lines_grow_and_the_bar_says_whose_view_it_is(analysis: "Board") -> None:
    board = analysis
    rows = lambda: board.driver.find_elements(By.CSS_SELECTOR, ".line:not([hidden])")  # noqa: E731
    board.until(lambda: len(rows()) == 3)
    depth = lambda: int(board.find(".figures").text.split()[1])  # noqa: E731
    first = board.until(depth)
    board.until(lambda: depth() > first)
    label = board.find(".value-bar").get_attribute("aria-label")
    assert "for White, says okapi-28" in label and label.startswith("White wins")
    assert "for White" in board.find(".says").text
    board.until(lambda: len(board.driver.find_elements(By.CSS_SELECTOR, ".cg-shapes g line")) == 3)

    board.blur()
    board.press("5")
    board.until(lambda: len(rows()) == 5)
    board.press("a")
    board.until(lambda: not rows())


def test_a_move_of_a_line_is_shown_small_and_then_played(analysis: "Board") -> None:
    board = analysis
    board.until(lambda: len(board.driver.find_elements(By.CSS_SELECTOR, ".line:not([hidden])")) == 3)
    board.blur()
    board.press("a")
    board.press("a")
    move = board.until(lambda: board.find(".line-move"))
    ActionChains(board.driver).move_to_element(move).perform()
    board.until(lambda: board.find(".peek").is_displayed())
    move.click()
    board.until(lambda: len(board.moves) == 1)
    board.until(lambda: not board.find(".peek").is_displayed())


def test_ones_own_moves_branch_off_and_can_become_the_main_line(analysis: "Board") -> None:
    board = analysis
    open_text(board, BLUNDER)
    board.until(lambda: "Nf6" in board.moves)
    board.blur()
    for _ in range(5):
        board.press(Keys.ARROW_RIGHT)
    board.until(lambda: board.find(".moves button.current").text == "Qh5")
    board.type("Qe7")
    assert "Qe7" in board.find(".moves .aside").text and "g6" in board.find(".moves .aside").text
    board.button("Main line").click()
    board.until(lambda: "Nf6" in board.find(".moves .aside").text)
    board.button("Delete").click()
    board.until(lambda: "Qe7" not in board.moves)
    board.driver.refresh()
    board.until(lambda: "Nf6" in board.moves)
    assert "Qe7" not in board.moves


def test_a_threat_is_said_and_drawn(analysis: "Board") -> None:
    board = analysis
    board.open("#analyse?fen=" + quote("r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"))
    board.button("Threats").click()
    board.until(lambda: "White threatens mate: Qxf7#, says okapi-28." == board.find(".danger").text)


@pytest.mark.parametrize(
    ("text", "message"),
    [("1. e4 e5 2. Ke3 *", "illegal san: 'Ke3'"), ("8/8/8/8/8/8/8/8 w - - 0 1", "piece placement"), ("hm", "neither")],
)
def test_a_bad_text_is_explained_and_the_board_stays(analysis: "Board", text: str, message: str) -> None:
    board = analysis
    open_text(board, BLUNDER)
    board.until(lambda: "Nf6" in board.moves)
    before = board.moves
    open_text(board, text)
    board.until(lambda: message in board.find(".form-error").text)
    board.press(Keys.ESCAPE)
    board.until(lambda: not board.driver.find_elements(By.CSS_SELECTOR, "dialog"))

    assert before == board.moves


def test_one_of_several_games_is_chosen(analysis: "Board") -> None:
    board = analysis
    other = BLUNDER.replace("Scholar", "Fool").replace("1. e4", "1. d4 d5 *\n\n{").replace("1-0\n", "}")
    open_text(board, BLUNDER + "\n" + other)
    board.until(lambda: board.find(".game-choice").text.startswith("2 games"))
    board.driver.find_element(By.XPATH, "//dialog//button[starts-with(., 'Fool')]").click()
    board.until(lambda: board.moves == ["d4", "d5"])


def test_a_dropped_file_is_opened(analysis: "Board") -> None:
    board = analysis
    script = """
        const data = new DataTransfer();
        data.items.add(new File([arguments[0]], 'game.pgn'));
        document.querySelector('.analyse').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    """
    board.driver.execute_script(script, BLUNDER)
    board.until(lambda: "Nf6" in board.moves)


def test_a_position_is_set_up(analysis: "Board") -> None:
    board = analysis
    board.button("Set up").click()
    board.button("Clear").click()
    fen = board.driver.find_elements(By.CSS_SELECTOR, ".editor-forms input[type=text]")[-1]
    board.button("Analyse this").click()
    board.until(lambda: "piece placement" in board.find(".editor .form-error").text)
    board.find(".palette button[aria-label='white king']").click()
    editor = board.find(".editor cg-board")
    click = ActionChains(board.driver, duration=0)
    click.move_to_element_with_offset(editor, 20 - editor.size["width"] // 2, editor.size["width"] // 2 - 20)
    click.click().perform()
    board.until(lambda: "K7" in fen.get_attribute("value"))
    board.choose("FEN", "4k3/8/8/8/8/8/4P3/K7 b - - 0 1")
    board.button("Analyse this").click()
    board.until(lambda: not board.driver.find_elements(By.CSS_SELECTOR, "dialog"))
    board.until(lambda: board.find(".cg-wrap.orientation-black"))
    board.type("Kd7")


def test_a_game_that_was_played_can_be_analysed_and_played_on(board: "Board") -> None:
    board.new_game(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    board.type("e4")
    board.button("Analyse").click()
    board.until(lambda: "e4" == board.find("#panel-analyse .moves button").text)
    board.driver.find_element(By.XPATH, "//section[@id='panel-analyse']//button[.='Play on']").click()
    board.until(lambda: board.find("#panel-play").is_displayed())


def test_on_a_phone_everything_fits(analysis: "Board") -> None:
    board = analysis
    open_text(board, BLUNDER)
    board.until(lambda: "Nf6" in board.moves)
    board.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    try:
        write_report(board)
        board.find("button[aria-label='One move on']").click()
        board.until(lambda: board.find(".moves button.current").text == "e4")
        wide = board.driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= PHONE["width"]
    finally:
        board.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.skipif(not AXE.is_file(), reason="needs axe-core: make web fetches it")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(analysis: "Board", theme: str) -> None:
    board = analysis
    open_text(board, BLUNDER)
    board.until(lambda: "Nf6" in board.moves)
    write_report(board)
    board.driver.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    board.driver.execute_script(AXE.read_text(encoding="utf-8"))
    found: Any = board.driver.execute_async_script("axe.run().then(arguments[0])")
    serious = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]

    assert [] == [(v["id"], [node["html"] for node in v["nodes"]]) for v in serious]
