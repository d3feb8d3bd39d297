"""
The core's speed beside Debian's Stockfish, on this machine and in this run.

    python bench/speed.py

Prints one JSON object. Alternates the two programs and takes the best of several rounds of each, so that a busy moment of
the machine does not decide.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable

PERFT_DEPTH = 6
THINKING = "position fen r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 9\ngo movetime 3000"


def run(command: list[str], lines: str = "", *, until: str = "") -> str:
    """What the program prints; with `until`, up to and including the first line that begins with it."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as program:
        assert program.stdin and program.stdout
        program.stdin.write(lines + "\n")
        program.stdin.flush()
        printed = []
        for line in program.stdout:
            printed.append(line)
            if until and line.startswith(until):
                break
        program.stdin.close()
        program.kill()
    return "".join(printed)


def perft_seconds(engine: str) -> float:
    started = time.perf_counter()
    printed = run([engine], f"position startpos\ngo perft {PERFT_DEPTH}", until="Nodes searched")
    assert "119060324" in printed, printed[-200:]
    return time.perf_counter() - started


def okapi_bench_nps(okapi: str) -> int:
    return int(re.findall(r"nodes (\d+) nps", run([okapi, "bench"]))[-1])


def stockfish_bench_nps(stockfish: str) -> int:
    return int(re.findall(r"Nodes/second\s*: (\d+)", run([stockfish, "bench"]))[-1])


def thinking_nps(okapi: str, threads: int) -> int:
    printed = run(
        [okapi], f"setoption name Threads value {threads}\nsetoption name Hash value 64\n{THINKING}", until="bestmove"
    )
    return int(re.findall(r" nps (\d+)", printed)[-1])


def start_ms(okapi: str) -> float:
    started = time.perf_counter()
    run([okapi], "uci", until="uciok")
    return (time.perf_counter() - started) * 1000


def best_of(rounds: int, *measures: tuple[Callable[[], float], Callable[..., float]]) -> list[float]:
    """The best value of each measure, in alternation: `min` for times, `max` for rates."""
    found: list[list[float]] = [[] for _ in measures]
    for _ in range(rounds):
        for values, (measure, _) in zip(found, measures, strict=True):
            values.append(measure())
    return [best(values) for values, (_, best) in zip(found, measures, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--okapi", default=shutil.which("okapi-uci") or "okapi-uci")
    parser.add_argument("--stockfish", default=shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin"))
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    if not args.stockfish:
        sys.exit("error: no stockfish here\nhint: apt-get install stockfish, or --stockfish PATH")

    okapi, stockfish = args.okapi, args.stockfish
    ours, theirs = best_of(args.rounds, (lambda: perft_seconds(okapi), min), (lambda: perft_seconds(stockfish), min))
    our_nps, their_nps = best_of(
        args.rounds, (lambda: okapi_bench_nps(okapi), max), (lambda: stockfish_bench_nps(stockfish), max)
    )
    one, two = best_of(args.rounds, (lambda: thinking_nps(okapi, 1), max), (lambda: thinking_nps(okapi, 2), max))
    (start,) = best_of(5 * args.rounds, (lambda: start_ms(okapi), min))
    print(json.dumps({
        "perft_seconds": round(ours, 3), "stockfish_perft_seconds": round(theirs, 3), "perft_ratio": round(theirs / ours, 2),
        "nps": int(our_nps), "stockfish_nps": int(their_nps), "nps_ratio": round(our_nps / their_nps, 2),
        "nps_1_thread": int(one), "nps_2_threads": int(two), "threads_ratio": round(two / one, 2),
        "start_ms": round(start, 1),
    }, indent=2))  # fmt: skip


if __name__ == "__main__":
    main()
