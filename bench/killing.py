"""kill -9 at random moments of a command, which is then given again: what the benches of that kind share."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

__all__ = ["kills", "outlived", "undisturbed"]

SOONEST_S = 0.3
"""Before that Python has hardly begun."""


def kills(command: Sequence[str], count: int, whole_s: float, seed: int) -> Iterator[list[str]]:
    """Run a command that takes `whole_s` undisturbed, and kill it `count` times, spread over all of its work.

    Yields after each kill, with what is wrong: whatever it started has to be gone, too. Ends early if the command did.
    """
    dice = random.Random(seed)
    for number in range(1, count + 1):
        marker = f"OKAPI_KILLED={os.getpid()}-{number}"
        environment = {**os.environ, **dict([marker.split("=")])}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(dice.uniform(SOONEST_S, 1.2 + 1.6 * whole_s / count))
            print(f"it was done before kill {number}", file=sys.stderr, flush=True)
            return
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        left = 0 if _gone(marker, seconds=3) else len(_everybody(marker))
        yield [f"kill {number}: {left} processes outlive it"] if left else []


def outlived(
    command: Sequence[str], folder: Path, done: Callable[[Path], int], what: str, count: int, whole_s: float, seed: int
) -> tuple[int, list[str]]:
    """Kill a training `count` times and let it come to its end: how often it was struck, and what is wrong.

    `done` says how much of it is done in its folder, which may not grow less; `what` is the word for that.
    """
    command = [*command, "--out", str(folder)]
    problems: list[str] = []
    struck = kept = 0
    for found in kills(command, count, whole_s, seed):
        problems += found
        struck += 1
        now = done(folder)
        if now < kept:
            problems.append(f"kill {struck}: {kept - now} {what} were lost")
        kept = now
        print(f"kill {struck}: {now} {what}", file=sys.stderr, flush=True)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return struck, problems


def undisturbed(command: Sequence[str], kills: int) -> tuple[dict[str, Any], float, float]:
    """What a training says as JSON if nobody kills it, the seconds it takes, and those of all its lives with so many kills.

    Each life begins with loading torch and data; as much of it as the rest is to be spent on learning.
    """
    begun = time.monotonic()
    done = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    whole = time.monotonic() - begun
    return done, whole, done["seconds"] + kills * (whole - done["seconds"])


def _everybody(marker: str) -> list[int]:
    """Processes that carry the marker in their environment: the command and all that it started."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if marker.encode() in environment.read_bytes():
                found.append(int(environment.parent.name))
        except OSError:
            continue
    return found


def _gone(marker: str, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if not _everybody(marker):
            return True
        time.sleep(0.05)
    return False
