"""Chromium for the benches of the board. Needs selenium (`make test` installs it), chromium and chromedriver."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from selenium import webdriver
from selenium.webdriver.common.by import By

__all__ = ["browser", "press"]

FLAGS: Final = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars")


@contextmanager
def browser() -> Iterator[webdriver.Chrome]:
    """Chromium without a window."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        raise SystemExit("this needs chromium and chromedriver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    with tempfile.TemporaryDirectory() as profile:
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        running = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        try:
            yield running
        finally:
            running.quit()


def press(driver: webdriver.Chrome, text: str) -> None:
    """Press the button on which this is written."""
    driver.find_element(By.XPATH, f"//button[normalize-space(.)='{text}']").click()
