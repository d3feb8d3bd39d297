"""kill -9, then the same command. bench/kill.py match does it more often."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from okapi.arena.games import PlayedGame, read_games
from okapi.uci import okapi_uci

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc")

GAMES = 12


def command(folder: Path, name: str) -> list[str]:
    engine = f"uci:{okapi_uci()}{{Hash=1}}"
    limits = ["--nodes", "1500", "--games", str(GAMES), "--concurrency", "2", "--resign-score", "600"]
    files = ["--store", str(folder / f"{name}.sqlite"), "--pgn", str(folder / f"{name}.pgn"), "--json"]
    return [sys.executable, "-m", "okapi", "match", engine, "alphabeta:material,hash=1", *limits, *files]


def games(path: Path) -> dict[int, PlayedGame]:
    return {played.number: played for played in read_games(path)[1]} if path.exists() else {}


def everybody(marker: str) -> list[str]:
    """Processes that carry the marker in their environment."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if marker.encode() in environment.read_bytes():
                found.append(environment.parent.name)
        except OSError:
            continue
    return found


def test_killed_matches_go_on_and_leave_nothing_running(tmp_path: Path) -> None:
    rng = random.Random(1)
    kept: dict[int, PlayedGame] = {}
    for kill in range(2):
        marker = f"OKAPI_TEST_RESUME={os.getpid()}-{kill}"
        environment = {**os.environ, **dict([marker.split("=")])}
        process = subprocess.Popen(command(tmp_path, "killed"), env=environment, stdout=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.7, 1.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        until = time.monotonic() + 5
        while everybody(marker) and time.monotonic() < until:
            time.sleep(0.02)
        assert not everybody(marker)
        now = games(tmp_path / "killed.sqlite")
        assert all(now.get(number) == game for number, game in kept.items())
        kept = now

    subprocess.run(command(tmp_path, "killed"), check=True, stdout=subprocess.DEVNULL)
    subprocess.run(command(tmp_path, "calm"), check=True, stdout=subprocess.DEVNULL)
    killed, calm = games(tmp_path / "killed.sqlite"), games(tmp_path / "calm.sqlite")
    assert list(range(GAMES)) == list(killed)
    assert [game.moves for game in calm.values()] == [game.moves for game in killed.values()]
    assert all(killed[number] == game for number, game in kept.items())
    assert GAMES == (tmp_path / "killed.pgn").read_text().count("[Event ")
