"""
How soon one can play, how soon a move is shown, and how much is sent for it. In Chromium, as a person sees it.

    python bench/board_speed.py

`ready_s`: from the start of `okapi play` until a piece can be moved in a browser that is already open; the first round, which
warms the disk's cache, does not count. `shown_ms`: from a person's move until the answer is painted; the player
throws dice, so that nearly all of it is the way to the server and back. `age_ms`: from
a move of the time-lapse's slider until board and numbers of that age are painted. `gzipped_kb`: JavaScript and CSS.
Prints one JSON object; exit status 1 if a figure is not reached.
"""

import argparse
import gzip
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from browser import browser
from selenium import webdriver
from served import serving

from okapi.web.app import STATIC

READY_S, SHOWN_MS, AGE_MS, GZIPPED_KB = 2.0, 100.0, 150.0, 300.0

IS_READY: Final = "return document.querySelector('.cg-wrap.manipulable piece') !== null"

MOVE: Final = """
    const [move, done] = arguments;
    const entry = document.querySelector('.entry');
    const moves = () => document.querySelectorAll('.moves button').length;
    const wanted = moves() + 2;
    const watcher = new MutationObserver(() => {
        if (moves() < wanted) return;
        watcher.disconnect();
        requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
    });
    watcher.observe(document.body, { subtree: true, childList: true });
    entry.value = move;
    const begun = performance.now();
    entry.form.requestSubmit();
"""
"""The page's own clock: what the browser's driver takes is not counted."""


ARE_KNOWN: Final = (
    "return document.querySelector('.lapse-strength strong') && document.querySelector('.lapse .cg-shapes line')"
)
LAST_AGE: Final = "return Number(document.querySelector('.lapse input[type=range]').max)"
AGE: Final = """
    const [place, done] = arguments;
    const slider = document.querySelector('.lapse input[type=range]');
    const begun = performance.now();
    slider.value = place;
    slider.dispatchEvent(new Event('input'));
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
"""


def ready_s(driver: webdriver.Chrome, folder: Path) -> float:
    """Seconds from the command to a board that one can play on."""
    driver.get("about:blank")
    begun = time.monotonic()
    with serving(folder) as served:
        driver.get(served.url)
        while not driver.execute_script(IS_READY):
            time.sleep(0.005)
        return time.monotonic() - begun


def shown_ms(driver: webdriver.Chrome, folder: Path, moves: int) -> list[float]:
    """Milliseconds from a move to the painted answer of a player that need not think: knights that go and come back."""
    with serving(folder, "--player", "random") as served:
        driver.get(served.url)
        while not driver.execute_script(IS_READY):
            time.sleep(0.01)
        return [driver.execute_async_script(MOVE, ("Nc3", "Nb1")[number % 2]) for number in range(moves)]


def age_ms(driver: webdriver.Chrome, folder: Path) -> list[float]:
    """Milliseconds to each age of the recorded run, from the other end of the slider."""
    with serving(folder) as served:
        driver.get(f"{served.url}#train")
        while not driver.execute_script(ARE_KNOWN):
            time.sleep(0.01)
        last = driver.execute_script(LAST_AGE)
        places = [place for age in range(last + 1) for place in (age, last - age)]
        return [driver.execute_async_script(AGE, place) for place in places]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--moves", type=int, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, browser() as driver:
        starts = [ready_s(driver, Path(name)) for _ in range(given.rounds + 1)][1:]
        answers = shown_ms(driver, Path(name), given.moves)
        ages = age_ms(driver, Path(name))
    files = [*STATIC.glob("assets/*.js"), *STATIC.glob("assets/*.css")]
    gzipped = sum(len(gzip.compress(file.read_bytes())) for file in files) / 1000
    figures = {
        "ready_s": {"median": round(statistics.median(starts), 2), "most": round(max(starts), 2)},
        "shown_ms": {"median": round(statistics.median(answers)), "most": round(max(answers))},
        "age_ms": {"median": round(statistics.median(ages)), "most": round(max(ages))},
        "gzipped_kb": round(gzipped),
    }
    reached = {
        "ready_s": statistics.median(starts) < READY_S,
        "shown_ms": statistics.median(answers) < SHOWN_MS,
        "age_ms": max(ages) < AGE_MS,
        "gzipped_kb": gzipped < GZIPPED_KB,
    }
    print(json.dumps({**figures, "reached": reached}))
    return 0 if all(reached.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
