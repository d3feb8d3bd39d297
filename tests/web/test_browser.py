"""The board in a real browser: a person's whole game, and everything that must survive it."""

import gzip
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from okapi.players.opponents import OPPONENTS
from okapi.web.app import STATIC
from okapi.web.panels import PANELS

pytest.importorskip("selenium", reason="needs selenium: make test installs it")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

DESKTOP, PHONE = (1280, 860), (390, 844)

LONGEST_WAIT_S = 20


class Board:
    """The page as a person uses it."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver, self.address = driver, address

    def open(self, link: str = "") -> None:
        self.driver.get("about:blank")
        self.driver.get(self.address + link)
        self.until(lambda: self.game != "None")

    def find(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def button(self, text: str) -> Any:
        return self.driver.find_element(By.XPATH, f"//button[normalize-space(.)='{text}']")

    def until(self, condition: Any) -> Any:
        waiting = WebDriverWait(self.driver, LONGEST_WAIT_S, poll_frequency=0.05, ignored_exceptions=(Exception,))
        return waiting.until(lambda driver: condition())

    @property
    def moves(self) -> list[str]:
        script = "return [...document.querySelectorAll('.moves button')].map(b => b.textContent)"
        found: list[str] = self.driver.execute_script(script)
        return found

    @property
    def game(self) -> str:
        return str(self.find("#panel-play").get_attribute("data-game"))

    @property
    def status(self) -> str:
        return str(self.find(".status").text)

    def choose(self, label: str, value: str) -> None:
        """Set a field of the dialog."""
        script = """
            const [name, value] = arguments;
            const visible = (e) => e.offsetParent !== null;
            const label = [...document.querySelectorAll('dialog .field')].filter(visible)
                .find(f => f.querySelector('.field-label').textContent === name);
            const control = label.querySelector('select, input');
            control.value = value;
            control.dispatchEvent(new Event('input')); control.dispatchEvent(new Event('change'));
        """
        self.driver.execute_script(script, label, value)

    def segment(self, text: str) -> None:
        self.driver.find_element(By.XPATH, f"//dialog//span[normalize-space(.)='{text}']").click()

    def new_game(self, mode: str = "Two people", fen: str = "", **fields: str) -> None:
        self.button("New game").click()
        self.segment(mode)
        if {"Strength", "Player"} & fields.keys():
            self.driver.find_element(By.XPATH, "//dialog//strong[.='Any brain']").click()
        for label, value in fields.items():
            self.choose(label, value)
        self.choose("Begin from", "fen" if fen else fields.get("start", "standard"))
        if fen:
            self.choose("FEN", fen)
        before = self.game
        self.find("dialog button.primary").click()
        self.until(lambda: self.game != before)

    def click_square(self, square: str) -> None:
        surface = self.find(".surface cg-board")
        size = surface.size["width"] / 8
        column, row = "abcdefgh".index(square[0]), 8 - int(square[1])
        if self.driver.find_elements(By.CSS_SELECTOR, ".cg-wrap.orientation-black"):
            column, row = 7 - column, 7 - row
        x, y = ((place - 3.5) * size for place in (column, row))
        ActionChains(self.driver, duration=0).move_to_element_with_offset(surface, int(x), int(y)).click().perform()

    def hand(self, move: str) -> None:
        """Move with the mouse."""
        before = len(self.moves)
        self.click_square(move[:2])
        self.click_square(move[2:4])
        if len(move) > 4:
            self.until(lambda: self.find(f".promotion button[aria-label='{move[4:]}']")).click()
        self.until(lambda: len(self.moves) > before)

    def type(self, move: str) -> None:
        """Move with the keyboard."""
        before = len(self.moves)
        self.find(".entry").send_keys(move + Keys.ENTER)
        self.until(lambda: len(self.moves) > before)

    def press(self, key: str) -> None:
        ActionChains(self.driver).send_keys(key).perform()

    def blur(self) -> None:
        self.driver.execute_script("document.activeElement.blur()")

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "INFO"]


@pytest.fixture
def board(chromium: Any, server: str) -> Iterator[Board]:
    chromium.set_window_size(*DESKTOP)
    board = Board(chromium, server)
    chromium.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": server.rstrip("/"), "storageTypes": "all"})
    chromium.switch_to.new_window("tab")
    board.errors()
    board.open()
    yield board
    assert [] == board.errors(), "the browser's console has something to say"
    chromium.close()
    chromium.switch_to.window(chromium.window_handles[0])


def test_a_whole_game_with_castling_and_promotion(board: Board) -> None:
    board.new_game()
    moves = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 h7h6 d2d4 e5d4 c2c3 d4c3 b1c3 a7a6 e4e5 d7d5 e5d6 a6a5 d6c7 a5a4"
    for move in moves.split():
        board.hand(move)
    board.hand("c7d8knight")
    assert "O-O" in board.moves and "cxd8=N" == board.moves[-1] and "exd6" in board.moves
    for move in ("f5", "Nxc6", "Ba7", "Qd8#"):
        board.type(move)

    board.until(lambda: "1-0 · White wins: checkmate" == board.status)


def test_a_mate_is_shown_and_read_out(board: Board) -> None:
    board.new_game()
    for move in ("f3", "e5", "g4", "Qh4#"):
        board.type(move)

    board.until(lambda: "0-1 · Black wins: checkmate" == board.status)
    assert board.find("cg-board square.check")
    assert "checkmate" in board.find("#announcements").get_attribute("textContent")


def test_okapi_answers_and_a_move_is_taken_back(board: Board) -> None:
    board.hand("e2e4")
    board.until(lambda: len(board.moves) == 2)
    board.until(lambda: board.status.startswith("Your move"))
    board.button("Take back").click()
    board.until(lambda: board.moves == [])

    assert "Duiker" in board.find(".stage").text


def test_opponents_have_names_and_sentences_and_the_weakest_is_first(board: Board) -> None:
    board.button("New game").click()
    cards = board.driver.find_elements(By.CSS_SELECTOR, ".opponent-card")
    told = [
        [card.find_element(By.CSS_SELECTOR, part).text for part in ("strong", ".rating", ".quiet")] for card in cards
    ]
    ratings = [int(rating.partition(" ± ")[0]) for _, rating, _ in told if rating]

    assert [opponent.name for opponent in OPPONENTS] == [name for name, *_ in told[:-1]] and "Any brain" == told[-1][0]
    assert ratings and sorted(ratings) == ratings and all(len(sentence) > 10 for *_, sentence in told)
    board.driver.find_element(By.XPATH, f"//dialog//strong[.='{told[0][0]}']").click()
    board.find("dialog button.primary").click()
    board.until(lambda: told[0][0] in board.find(".stage").text)


def test_any_brain_can_be_chosen(board: Board) -> None:
    board.new_game("You play", Brain="material", Strength="nodes")

    assert "material, 20,000 nodes" in board.find(".stage").text


def test_the_player_of_a_paper_can_be_chosen(board: Board) -> None:
    board.new_game("You play", Player="sabatelli2018")

    assert "sabatelli2018" in board.find(".stage").text


def test_a_hint_draws_an_arrow_and_says_whose_it_is(board: Board) -> None:
    board.button("Hint").click()
    board.until(lambda: board.find(".cg-shapes line"))

    assert re.fullmatch(r"champion would play 1\. \S+ \S+ 2\. .*", board.find(".search-line").text)


def test_a_reload_keeps_the_game(board: Board) -> None:
    board.new_game(fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    board.type("e4")
    board.driver.refresh()
    board.until(lambda: board.moves == ["e4"])
    board.type("Kd7")

    assert ["e4", "Kd7"] == board.moves


def test_a_restart_of_the_server_keeps_the_game(chromium: Any, restarted: Callable[[], str]) -> None:
    board = Board(chromium, restarted())
    board.open()
    board.new_game()
    board.type("e4")
    restarted()
    board.until(lambda: "on" in board.find(".light").get_attribute("class"))
    board.type("e5")

    assert ["e4", "e5"] == board.moves
    chromium.get("about:blank")
    board.errors()  # the browser complains about the connection that was lost, as it should


def test_a_move_ahead_of_time_is_played_when_its_time_comes(board: Board) -> None:
    board.new_game("You play", Strength="movetime_ms", Seconds="3", fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    board.hand("e2e4")
    board.click_square("e1")
    board.click_square("d1")
    board.until(lambda: board.find("square.current-premove"))
    board.until(lambda: len(board.moves) == 4)

    assert "Kd1" == board.moves[2]


def test_in_chess960_the_king_castles_onto_its_rook(board: Board) -> None:
    board.new_game(fen="1k6/8/8/8/8/8/8/5KR1 w G - 0 1")
    board.hand("f1g1")

    assert ["O-O"] == board.moves


def shows_values(board: Board) -> bool:
    return bool(board.find(".value-bar").is_displayed() and board.find(".side .plot").is_displayed())


def test_the_evaluation_is_shown_after_the_game_or_if_wanted(board: Board) -> None:
    board.hand("e2e4")
    board.until(lambda: len(board.moves) == 2)
    assert not shows_values(board) and "" == board.find(".search-line").text
    board.press("v")
    board.until(lambda: shows_values(board))
    board.press("v")
    board.until(lambda: not shows_values(board))
    board.button("Resign").click()
    board.find("dialog button.primary").click()

    board.until(lambda: shows_values(board))


def test_whoever_resigns_is_asked_and_may_play_again_with_the_other_side(board: Board) -> None:
    board.hand("e2e4")
    board.button("Resign").click()
    board.button("Cancel").click()
    assert not board.status.startswith("0-1")
    board.button("Resign").click()
    board.find("dialog button.primary").click()
    board.until(lambda: board.status.startswith("0-1"))
    board.button("Rematch").click()

    board.until(lambda: board.find(".cg-wrap.orientation-black"))
    board.until(lambda: len(board.moves) == 1)


def test_a_game_that_is_over_is_analysed_by_one_click(board: Board) -> None:
    board.new_game()
    for move in ("f3", "e5", "g4", "Qh4#"):
        board.type(move)
    board.button("Analyse this game").click()

    board.until(lambda: "Qh4#" in board.find("#panel-analyse").text)


def test_two_people_have_two_names_and_the_opening_has_one(board: Board) -> None:
    board.new_game(**{"White is": "Anna", "Black is": "Bela"})
    board.type("e4")
    board.type("c5")

    assert ["Bela", "Anna"] == [name.text for name in board.driver.find_elements(By.CSS_SELECTOR, ".strip .name")]
    assert "Sicilian Defence" in board.find(".opening-name").text
    board.new_game(**{"White is": "", "Black is": ""})
    assert ["Black", "White"] == [name.text for name in board.driver.find_elements(By.CSS_SELECTOR, ".strip .name")]


def test_keys_work_after_a_typed_move(board: Board) -> None:
    board.type("e4")
    board.press("f")

    board.until(lambda: board.find(".cg-wrap.orientation-black"))


SHIFTS = """
    window.shifts = [];
    const note = (list) => list.getEntries().forEach((entry) => shifts.push(entry.value));
    new PerformanceObserver(note).observe({ type: 'layout-shift' });
"""
SETTLED = "const [done] = arguments; requestAnimationFrame(() => setTimeout(done, 300))"
"""A new size of the window moves things, too: the page is laid out before anything counts, and after it."""


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
@pytest.mark.parametrize("values", [False, True])
def test_nothing_jumps_when_the_first_reply_comes(board: Board, size: tuple[int, int], values: bool) -> None:
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    board.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        if values:
            board.blur()
            board.press("v")
        board.driver.execute_async_script(SETTLED)
        board.driver.execute_script(SHIFTS)
        board.hand("e2e4")
        board.until(lambda: len(board.moves) == 2)
        board.until(lambda: board.status.startswith("Your move"))
        board.driver.execute_async_script(SETTLED)
        shift = sum(board.driver.execute_script("return window.shifts"))
    finally:
        board.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    assert shift < 0.02


def test_a_dialog_closes_when_one_goes_elsewhere(board: Board) -> None:
    board.button("New game").click()
    board.driver.execute_script("location.hash = '#analyse'")
    board.until(lambda: board.find("#panel-analyse").is_displayed())

    assert [] == board.driver.find_elements(By.CSS_SELECTOR, "dialog")


def test_an_error_is_gone_when_one_goes_elsewhere(board: Board) -> None:
    board.driver.execute_script("location.hash = '#human_moves?elo=500'")
    board.until(lambda: "500 is refused" in board.find(".banner").text)
    board.driver.execute_script("location.hash = '#analyse'")
    board.until(lambda: board.find("#panel-analyse").is_displayed())

    assert not board.find(".banner").is_displayed()


def test_other_boards_and_pieces_are_kept(board: Board) -> None:
    drawn = "return getComputedStyle(document.querySelector('.surface piece.king')).backgroundImage"
    classic = board.driver.execute_script(drawn)
    board.find("button[aria-label='Board and pieces']").click()
    board.choose("Pieces", "plain")
    board.choose("Board", "blue")
    board.button("Close").click()
    board.driver.refresh()
    board.until(lambda: board.find(".surface piece.king"))

    assert classic != board.driver.execute_script(drawn)
    assert "blue" == board.find("html").get_attribute("data-board")


def test_zen_leaves_the_board_alone(board: Board) -> None:
    board.blur()
    board.press("z")
    board.until(lambda: not board.find("header").is_displayed())
    assert not board.find(".side").is_displayed() and board.find(".surface").is_displayed()
    board.button("Leave zen").click()
    board.until(lambda: board.find("header").is_displayed())
    board.press("z")
    board.driver.execute_script("location.hash = '#analyse'")

    board.until(lambda: board.find("header").is_displayed())


def test_a_link_leads_to_its_position(board: Board) -> None:
    board.open("#play?fen=8/P7/8/8/8/8/7k/K7%20w%20-%20-%200%201")
    board.hand("a7a8queen")
    board.until(lambda: board.moves[:1] == ["a8=Q"])


TABS = {
    "play": ["play"],
    "analyse": ["analyse"],
    "train": ["train", "runs", "evolution"],
    "compete": ["tournaments", "experiments", "league"],
    "brains": ["brains", "two_brains", "compare", "explain", "human_moves", "trees"],
}

FORMER = {
    "inside": "explain",
    "instinct": "human_moves",
    "judges": "compare",
    "compete": "tournaments",
    "nonsense": "play",
}


@pytest.mark.parametrize(("link", "panel"), [*((p.name, p.name) for p in PANELS), *FORMER.items()])
def test_every_link_of_before_opens_its_panel_in_the_right_tab(board: Board, link: str, panel: str) -> None:
    board.driver.get("about:blank")
    board.driver.get(f"{board.address}#{link}")

    board.until(lambda: board.find(f"#panel-{panel}").is_displayed())
    current = [link.text for link in board.driver.find_elements(By.CSS_SELECTOR, "header [aria-current]")]
    assert [next(tab for tab, panels in TABS.items() if panel in panels)] == [text.lower() for text in current]
    assert board.driver.find_elements(By.CSS_SELECTOR, f"nav.sections [aria-current][href='#{panel}']")


@pytest.mark.parametrize("width", [1280, 390])
def test_all_five_tabs_can_be_reached_and_explain_themselves(board: Board, width: int) -> None:
    size = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 844}
    board.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    explained = set()
    for tab in TABS:
        link = next(a for a in board.driver.find_elements(By.CSS_SELECTOR, "a.tab") if a.text.lower() == tab)
        box = link.rect
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
        link.click()
        board.until(lambda link=link: link.get_attribute("aria-current") == "page")
        explained.add(board.find("header .about").text)
    board.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    assert len(TABS) == len(explained - {""})


def test_a_tab_leads_back_to_the_section_that_was_shown_last(board: Board) -> None:
    board.driver.get(f"{board.address}#evolution")
    board.until(lambda: board.find("#panel-evolution").is_displayed())
    board.find("a.tab[href='#play']").click()
    board.until(lambda: board.find("#panel-play").is_displayed())
    next(a for a in board.driver.find_elements(By.CSS_SELECTOR, "a.tab") if a.text == "Train").click()

    board.until(lambda: board.find("#panel-evolution").is_displayed())


def test_keys_step_through_the_game_and_turn_the_board(board: Board) -> None:
    board.new_game()
    for move in ("e4", "e5", "Nf3"):
        board.type(move)
    board.blur()
    current = lambda: board.find(".moves button.current").text  # noqa: E731
    board.press(Keys.ARROW_LEFT)
    board.until(lambda: current() == "e5")
    board.press(Keys.HOME)
    board.until(lambda: not board.driver.find_elements(By.CSS_SELECTOR, ".moves button.current"))
    board.press(Keys.END)
    board.until(lambda: current() == "Nf3")
    board.press("f")
    board.until(lambda: board.find(".cg-wrap.orientation-black"))


def test_an_illegal_move_is_explained_beside_the_field_until_the_next_move(board: Board) -> None:
    board.new_game()
    board.find(".entry").send_keys("e5" + Keys.ENTER)
    board.until(lambda: "e5 is not legal here" == board.find(".entry-error").text)
    assert not board.find(".banner").is_displayed()
    board.find(".entry").clear()
    board.type("e4")

    assert "" == board.find(".entry-error").text


def test_two_players_play_each_other(board: Board) -> None:
    board.new_game("Two players", fen="8/8/8/8/8/2k5/8/2K4R w - - 0 1")
    board.until(lambda: len(board.moves) >= 2)
    board.button("Pause").click()
    board.until(lambda: board.status == "Paused")


def test_clocks_run_and_fall(board: Board) -> None:
    board.new_game(Clock="1+0")
    assert "1:00" == board.find(".strip .clock").text
    for move in ("e4", "e5"):
        board.type(move)
    board.until(lambda: board.find(".clock.running"))
    board.until(lambda: re.match(r"0:5\d", board.find(".clock.running").text))


def test_on_a_phone_everything_fits(board: Board) -> None:
    board.driver.set_window_size(*PHONE)
    board.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 2, "mobile": True},
    )
    try:
        board.open()
        board.hand("e2e4")
        board.until(lambda: len(board.moves) == 2)
        wide, surface = board.driver.execute_script(
            "return [document.documentElement.scrollWidth, document.querySelector('.surface').clientWidth]"
        )
        assert wide <= PHONE[0] and surface > 0.85 * PHONE[0]
    finally:
        board.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the board's page is not built: make web")
def test_the_page_is_small_and_knows_no_other_host() -> None:
    files = [*STATIC.glob("assets/*.js"), *STATIC.glob("assets/*.css")]
    sizes = [len(gzip.compress(file.read_bytes())) for file in files]
    links = re.findall(r"https?://[^\s\"'`)]+", "".join(file.read_text(encoding="utf-8") for file in files))

    assert files and sum(sizes) < 300_000
    assert all(link.startswith("http://www.w3.org/") for link in links)
