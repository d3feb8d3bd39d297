"""Nodes a second of UCI engines that search the same positions, for benches that compare them in one run."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence

POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - - 0 9",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2kr3r/pp1bbppp/2n1pn2/q1ppN3/3P4/2PBPN2/PP1BQPPP/R4RK1 b - - 4 12",
    "r2q1rk1/1b2bppp/p2ppn2/1p6/3QPP2/1BN1B3/PPP3PP/R4RK1 w - - 0 14",
    "3r1rk1/p4ppp/1p2p3/2p1P3/2PnN3/3R4/PP3PPP/3R2K1 b - - 2 22",
    "8/5pk1/4p1p1/8/2B1P3/6P1/1r3PK1/8 b - - 0 40",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)


def seconds_and_nodes(command: Sequence[str], setup: Sequence[str], nodes: int) -> tuple[float, int]:
    """Processor seconds of an engine that searches every position with so many nodes, or only starts, and its nodes."""
    lines = [*setup, "isready"]
    for fen in POSITIONS if nodes else ():
        lines += ["ucinewgame", f"position fen {fen}", f"go nodes {nodes}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin and engine.stdout
        searched = 0
        for line in lines:
            engine.stdin.write(line + "\n")
            engine.stdin.flush()
            if line.startswith("go"):
                searched += _nodes_until_bestmove(engine)
        engine.stdin.write("quit\n")
        engine.stdin.flush()
        _, _, used = os.wait4(engine.pid, 0)
        engine.returncode = 0
    return used.ru_utime + used.ru_stime, searched


def _nodes_until_bestmove(engine: "subprocess.Popen[str]") -> int:
    assert engine.stdout
    nodes = 0
    for line in engine.stdout:
        if line.startswith("bestmove"):
            break
        nodes = max([nodes, *map(int, re.findall(r" nodes (\d+)", line))])
    return nodes


def nodes_a_second(command: Sequence[str], setup: Sequence[str], nodes: int) -> float:
    """By the processor's seconds, without what starting costs."""
    starting = min(seconds_and_nodes(command, setup, 0)[0] for _ in range(3))
    used, searched = seconds_and_nodes(command, setup, nodes)
    return searched / (used - starting)


def stockfish(path: str | None = None) -> str:
    """The program at `path`, or one that is installed; ends the bench where there is none."""
    found = path or shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
    if not found:
        sys.exit("error: no stockfish here\nhint: apt-get install stockfish, or --stockfish PATH")
    return found
