"""Make the pictures of the board that the README and the docs show.

    python scripts/screenshots.py            into docs/images

Needs selenium, chromium and chromedriver, and `make web`.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

IMAGES: Final = Path(__file__).parent.parent / "docs" / "images"

WIDE, PHONE = (1280, 800), (390, 844)

FLAGS: Final = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars")


def play(driver: webdriver.Chrome) -> None:
    """A game of a few moves, with a hint."""
    entry = driver.find_element(By.CSS_SELECTOR, ".entry")
    for move in ("e4", "Nf3", "d3", "Be2", "O-O"):
        entry.send_keys(move + Keys.ENTER)
        time.sleep(1.5)
        entry.clear()
    driver.find_element(By.XPATH, "//button[normalize-space(.)='Hint']").click()
    time.sleep(1.5)


def new_game(driver: webdriver.Chrome) -> None:
    """The dialog."""
    driver.find_element(By.XPATH, "//button[normalize-space(.)='New game']").click()
    time.sleep(0.5)


GAME: Final = """[White "Paul Morphy"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 (3... exd4 4. Nxd4 Nf6) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""


def report(driver: webdriver.Chrome) -> None:
    """A game with its report, at a mistake."""
    driver.find_element(By.XPATH, "//button[normalize-space(.)='Write a report']").click()
    while "Write it again" not in driver.find_element(By.CSS_SELECTOR, ".invitation").text:
        time.sleep(0.5)
    mistake = "//button[contains(@class, 'mistake')][contains(., 'wins') or contains(., 'loses')]"
    driver.find_element(By.XPATH, mistake).click()
    driver.execute_script("scrollTo(0, 0)")
    time.sleep(3)


VIEWS: Final[dict[str, tuple[str, tuple[int, int], str, Callable[[webdriver.Chrome], None]]]] = {
    "play": ("#play", WIDE, "light", play),
    "play-dark": ("#play", WIDE, "dark", lambda driver: None),
    "new-game": ("#play", WIDE, "light", new_game),
    "analyse": (f"#analyse?pgn={quote(GAME)}", WIDE, "light", report),
    "analyse-phone": ("#analyse", PHONE, "dark", lambda driver: time.sleep(2)),
    "play-phone": ("#play", PHONE, "light", lambda driver: None),
}
"""Each picture: a link, a size, a theme, and what to do before it is taken. They follow each other on one page."""


def main() -> int:
    """Start a board and a browser, and take all pictures."""
    IMAGES.mkdir(exist_ok=True)
    with server() as address, browser() as driver:
        for name, (link, (width, height), theme, prepare) in VIEWS.items():
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
            driver.save_screenshot(str(IMAGES / f"{name}.png"))
            print(IMAGES / f"{name}.png")
    return 0


@contextmanager
def server() -> Iterator[str]:
    """`okapi play`; its address."""
    command = [sys.executable, "-m", "okapi", "play", "--no-browser"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        yield running.stdout.readline().split()[-1]
    finally:
        running.terminate()
        running.wait()


@contextmanager
def browser() -> Iterator[webdriver.Chrome]:
    """Chromium without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or "chromium"
    with tempfile.TemporaryDirectory() as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        try:
            yield driver
        finally:
            driver.quit()


if __name__ == "__main__":
    sys.exit(main())
