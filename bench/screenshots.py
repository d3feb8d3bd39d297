"""
The pictures of the board that the README and the docs show.

    python bench/screenshots.py --to docs/images
    python bench/screenshots.py --to docs/images --only runs

Needs selenium, chromium, chromedriver and a page that is built (`make web`). Nothing in the pictures is made up: a match is
played for the run that is shown, and players are bred.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

from browser import browser, press
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from served import serving

WIDE, PHONE = (1280, 800), (390, 844)

MATCH: Final = ("match", "okapi-28", "vazquez-five", "--depth", "4", "--games", "1000", "--concurrency", "2")
"""What the run is about."""

TEACHING: Final = ("selfplay", "okapi-28", "--games", "200", "--depth", "5", "--to", "own.okapi")
JUDGING: Final = ("brains", "compare", "vazquez-five", "--teacher", "own.okapi", "--leave", "judged")
"""A brain whose teacher looks ahead, and where they disagree."""

BREEDING: Final = ("evolve", "vazquez-five", "--size", "quick")
"""Whose generations pass by."""

BEFORE: Final = (("runs", MATCH), ("evolution", BREEDING), ("compare", TEACHING), ("compare", JUDGING))
"""What is done so that a view has something to show."""

MOST_KB: Final = 2000
"""All pictures together: whoever clones the repository gets them."""


def play(driver: webdriver.Chrome) -> None:
    """A game of a few moves, with a hint."""
    entry = driver.find_element(By.CSS_SELECTOR, ".entry")
    for move in ("d4", "Nf3", "e3", "Be2", "O-O"):
        entry.send_keys(move + Keys.ENTER)
        time.sleep(1.5)
        entry.clear()
    press(driver, "Hint")
    time.sleep(1.5)


def new_game(driver: webdriver.Chrome) -> None:
    """The dialog."""
    press(driver, "New game")
    time.sleep(0.5)


GAME: Final = """[White "Paul Morphy"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 (3... exd4 4. Nxd4 Nf6) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


def report(driver: webdriver.Chrome) -> None:
    """A game with its report, at a mistake."""
    press(driver, "Write a report")
    while "Write it again" not in driver.find_element(By.CSS_SELECTOR, ".report-form").text:
        time.sleep(0.5)
    mistake = "//button[contains(@class, 'mistake')]"
    driver.find_element(By.XPATH, mistake).click()
    driver.execute_script("scrollTo(0, 0)")
    time.sleep(3)


TENSE: Final = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 8"


def two_brains(driver: webdriver.Chrome) -> None:
    """Two brains on one position."""
    press(driver, "Compare")
    time.sleep(6)


def compare(driver: webdriver.Chrome) -> None:
    """A few brains, and the worst position of a list."""
    driver.find_element(By.CSS_SELECTOR, ".disagreement").click()
    driver.execute_script("scrollTo(0, 0)")
    time.sleep(2)


def explain(driver: webdriver.Chrome) -> None:
    """The champion's neurons, if it is here; what the default brain thinks of each piece otherwise."""
    choose = """
        const brains = document.querySelector('.explain-controls select');
        if ([...brains.options].some(({ value }) => value === 'champion')) brains.value = 'champion';
        brains.dispatchEvent(new Event('change'));
    """
    time.sleep(1)
    driver.execute_script(choose)
    time.sleep(8)


def human_moves(driver: webdriver.Chrome) -> None:
    """The moves that a club player would choose in a famous game, and the game on the map."""
    slider = "const e = document.querySelector('.human-moves input[type=range]'); e.value = 2200; e.oninput()"
    driver.execute_script(slider)
    driver.execute_script("document.querySelectorAll('.human-moves .moves button')[11].click(); scrollTo(0, 0)")
    time.sleep(2)


def tournament(driver: webdriver.Chrome) -> None:
    """Three players, some games into their tournament."""
    for name in ("vazquez-five", "random"):
        for box in driver.find_elements(By.CSS_SELECTOR, f"input[name='{name}']"):
            box.click()
    press(driver, "Begin")
    time.sleep(20)


def champions(driver: webdriver.Chrome) -> None:
    """The last generation's champion against the first one's."""
    press(driver, "Play the match")
    time.sleep(15)


def timelapse(driver: webdriver.Chrome) -> None:
    """The recorded run, at two thirds of its ages."""
    choose = (
        "const e = [...document.querySelectorAll('select')].find((each) => [...each.options].some((o) => o.value === "
        "'first')); e.value = 'first'; e.dispatchEvent(new Event('change'))"
    )
    driver.execute_script(choose)
    time.sleep(6)
    slider = (
        "const e = document.querySelector('.lapse input[type=range]'); e.value = Math.round(e.max * 0.67); e.oninput()"
    )
    driver.execute_script(slider)
    time.sleep(1)


VIEWS: Final[dict[str, tuple[str, tuple[int, int], str, Callable[[webdriver.Chrome], None]]]] = {
    "play": ("#play", WIDE, "light", play),
    "play-dark": ("#play", WIDE, "dark", lambda driver: None),
    "new-game": ("#play", WIDE, "light", new_game),
    "analyse": (f"#analyse?pgn={quote(GAME)}", WIDE, "light", report),
    "analyse-phone": ("#analyse", PHONE, "dark", lambda driver: time.sleep(2)),
    "play-phone": ("#play", PHONE, "light", lambda driver: None),
    "brains": (f"#two_brains?fen={quote(TENSE)}", WIDE, "light", two_brains),
    "compare": ("#compare", (1280, 960), "light", compare),
    "explain": ("#explain", (1280, 960), "light", explain),
    "human_moves": (f"#human_moves?pgn={quote(GAME)}", (1280, 960), "light", human_moves),
    "trees": ("#trees", (1280, 720), "light", lambda driver: time.sleep(4)),
    "timelapse": ("#train", (1280, 740), "light", timelapse),
    "runs": ("#runs", (1280, 600), "dark", lambda driver: time.sleep(2)),
    "evolution": ("#evolution", (1280, 960), "light", champions),
    "tournaments": ("#tournaments", WIDE, "light", tournament),
    "league": ("#league", (1280, 1000), "light", lambda driver: time.sleep(1)),
}
"""Each picture: a link, a size, a theme, and what to do before it is taken. They follow each other on one page."""


def main() -> int:
    """Start a board and a browser, and take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, required=True, help="the folder they are put into")
    parser.add_argument("--only", nargs="*", choices=VIEWS, default=list(VIEWS), help="some of them")
    given = parser.parse_args()
    given.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for view, command in BEFORE:
            if view in given.only:
                line = [sys.executable, "-m", "okapi", *command, "--runs", f"{folder}/runs"]
                subprocess.run(line, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with serving(folder, "--nodes", "20000") as served, browser() as driver:
            for view in given.only:
                take(driver, served.url, view, given.to / f"{view}.png")
    kilobytes = sum(file.stat().st_size for file in given.to.glob("*.png")) / 1000
    print(f"{kilobytes:.0f} kB in {given.to}")
    return os.EX_OK if kilobytes <= MOST_KB else os.EX_DATAERR


def take(driver: webdriver.Chrome, address: str, view: str, to: Path) -> None:
    """One picture."""
    link, (width, height), theme, prepare = VIEWS[view]
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < height}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    driver.get("about:blank")
    driver.get(address + link)
    time.sleep(1.5)
    driver.execute_script(
        "document.documentElement.dataset.theme = arguments[0]; dispatchEvent(new Event('themechange'))", theme
    )
    prepare(driver)
    time.sleep(0.5)
    driver.save_screenshot(str(to))
    print(f"{to.stat().st_size / 1000:4.0f} kB  {to}")


if __name__ == "__main__":
    sys.exit(main())
