"""The benches of the board that ask whether it holds, in short."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from okapi.web.app import STATIC

BENCH = Path(__file__).parents[2] / "bench"

pytestmark = [
    pytest.mark.skipif(not BENCH.is_dir(), reason="bench/ comes only with the repository"),
    pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the board's page is not built: make web"),
    pytest.mark.skipif(sys.platform != "linux", reason="asks /proc what the server holds"),
]


def bench(name: str, *options: str) -> dict[str, Any]:
    answer = subprocess.run(
        [sys.executable, str(BENCH / name), *options], capture_output=True, text=True, check=False, timeout=600
    )
    assert answer.stdout, answer.stderr
    figures: dict[str, Any] = json.loads(answer.stdout)
    return figures


@pytest.mark.skipif(shutil.which("chromedriver") is None, reason="needs chromium and chromedriver")
def test_a_newcomer_trains_a_brain_and_plays_it() -> None:
    """In full: `make play` and ten minutes of training, within twelve minutes."""
    options = ["--minutes", "0.1", "--size", "tiny", "--most", "60"]
    figures = bench("newcomer.py", *options, "--command", f"{sys.executable} -m okapi play")

    assert "Against counting pieces" in figures["report"] and figures["answer"]


def test_a_hostile_client_does_no_harm() -> None:
    """In full: 10,000 messages of each kind of trouble, 1,000 pages that come and go."""
    few = "--messages 150 --storm 10 --deaf 2 --silent 20 --patience 0"
    figures = bench("board_hostile.py", *few.split())

    assert [] == figures["problems"]


def test_many_boards_get_fair_shares_and_leave_nothing() -> None:
    """In full: 50 boards for five minutes."""
    figures = bench("board_load.py", "--boards", "8", "--minutes", "0.05")

    assert [] == figures["problems"]
