"""
A new user's way by README alone: `make play`, the tab Train, a training, a game against the brain. In Chromium.

    python bench/newcomer.py                              # `make play` in this checkout, ten minutes of training
    python bench/newcomer.py --command "okapi play" --minutes 0.1 --size tiny

`board_s`: from the command until a piece can be moved; `trained_s`: from there until the training is done; `total_s`: until
the brain has answered a move. Prints one JSON object; exit status 1 if it takes longer than --most minutes.
"""

import argparse
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from browser import browser, press
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

ROOT: Final = Path(__file__).resolve().parents[1]
NAME: Final = "mine"
LOOK_S: Final = 0.2
ANSWER_S: Final = 300.0
ENDED_S: Final = 60.0
"""Longer than any machine needs."""

FILL: Final = """
    const [label, value] = arguments;
    const field = [...document.querySelectorAll('.train-form .field')]
        .find((each) => each.querySelector('.field-label').textContent === label);
    const control = field.querySelector('input, select');
    control.value = value;
    control.dispatchEvent(new Event('input'));
    control.dispatchEvent(new Event('change'));
"""


@contextmanager
def started(command: str, runs: Path) -> Iterator[str]:
    """The address of a board that a command opens, given in a terminal as a person gives it."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "OKAPI_RUNS": str(runs), "BROWSER": "true"}
    process = subprocess.Popen(
        shlex.split(command), cwd=ROOT, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, process_group=0
    )
    os.close(theirs)
    try:
        yield _address(ours)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(ENDED_S)
        os.close(ours)


def _address(terminal: int) -> str:
    told = b""
    while not (found := re.search(rb"http://127\.0\.0\.1:\d+/\S*(?=\s)", told)):
        try:
            more = os.read(terminal, 4096)
        except OSError:
            more = b""
        if not more:
            raise SystemExit(f"no board was opened:\n{told.decode(errors='replace')}")
        told += more
    return re.sub(r"\x1b\[[0-9;]*m", "", found[0].decode())


def wait(condition: Callable[[], Any], what: str, seconds: float) -> Any:
    """Its answer, once it is true."""
    print(f"waiting for {what}", file=sys.stderr)
    until = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > until:
            raise SystemExit(f"{what}: not within {seconds:.0f} s")
        time.sleep(LOOK_S)
    return answer


def text_of(driver: webdriver.Chrome, selector: str) -> str:
    """What the first of these elements says; empty if there is none."""
    found: str | None = driver.execute_script(
        "return document.querySelector(arguments[0])?.textContent ?? null", selector
    )
    return found or ""


def walk(driver: webdriver.Chrome, address: str, minutes: float, size: str | None, most_s: float) -> dict[str, Any]:
    """From the open board to the answer of the trained brain."""
    begun = time.monotonic()
    driver.get(address)
    wait(lambda: driver.find_elements(By.CSS_SELECTOR, ".cg-wrap.manipulable piece"), "a board to play on", ANSWER_S)
    board_s = time.monotonic() - begun
    driver.find_element(By.XPATH, "//nav[contains(@class, 'tabs')]//a[normalize-space(.)='Train']").click()
    wait(lambda: "okapi train" in text_of(driver, ".train-says code"), "the form", ANSWER_S)
    for label, value in (("Name", NAME), ("Minutes", f"{minutes:g}"), ("Size", size)):
        if value is not None:
            driver.execute_script(FILL, label, value)
    press(driver, "Start training")
    card = f".run-card[data-run={NAME}]"
    state = f"{card} .state"
    wait(lambda: text_of(driver, state) in ("done", "failed"), "the end of the training", most_s)
    if text_of(driver, state) == "failed":
        raise SystemExit(f"the training failed: {text_of(driver, f'{card} .run-note')}")
    trained_s = time.monotonic() - begun - board_s
    driver.execute_script("document.querySelector(arguments[0]).click()", f"{card} a.button")
    wait(lambda: NAME in text_of(driver, "#panel-play .stage"), "a game against it", ANSWER_S)
    driver.find_element(By.CSS_SELECTOR, ".entry").send_keys("e4" + Keys.ENTER)
    wait(lambda: len(driver.find_elements(By.CSS_SELECTOR, ".moves button")) == 2, "its answer", ANSWER_S)
    answer = driver.find_elements(By.CSS_SELECTOR, ".moves button")[1].text
    report = text_of(driver, f"{card} .run-note + p")
    return {"page_s": board_s, "trained_s": trained_s, "answer": answer, "report": report}


def main() -> int:
    """Walk the whole way once."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="make play", help="what opens the board")
    parser.add_argument("--minutes", type=float, default=10, help="of training")
    parser.add_argument(
        "--size", choices=("tiny", "quick", "full"), help="of the training; as the form has it if not given"
    )
    parser.add_argument("--most", type=float, default=12, help="minutes that all of it may take")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, browser() as driver:
        begun = time.monotonic()
        with started(given.command, Path(folder, "runs")) as address:
            command_s = time.monotonic() - begun
            walked = walk(driver, address, given.minutes, given.size, 60 * (given.minutes + given.most))
            total_s = time.monotonic() - begun
    board_s = command_s + walked.pop("page_s")
    figures = {"board_s": board_s, "trained_s": walked["trained_s"], "total_s": total_s}
    print(json.dumps({**walked, **{name: round(value, 1) for name, value in figures.items()}}, ensure_ascii=False))
    return os.EX_OK if total_s <= 60 * given.most else 1


if __name__ == "__main__":
    sys.exit(main())
