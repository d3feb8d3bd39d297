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


VIEWS: Final[dict[str, tuple[str, tuple[int, int], str, Callable[[webdriver.Chrome], None]]]] = {
    "play": ("#play", WIDE, "light", play),
    "play-dark": ("#play", WIDE, "dark", lambda driver: None),
    "new-game": ("#play", WIDE, "light", new_game),
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
