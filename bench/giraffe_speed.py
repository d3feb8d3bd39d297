"""
Nodes a second of a giraffe brain beside Stockfish, and searches of 256 nodes a second: one core, this machine, this run.

    python bench/giraffe_speed.py --brain giraffe
    python bench/giraffe_speed.py                       a network with weights as they begin

Both programs search the same positions with so many nodes each, in turn; seconds are those of the processor, so that a busy
machine decides little, and what starting costs is taken off. Prints one JSON object.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from okapi.brains import evaluator, find
from okapi.core.packed import pack_fens, random_positions
from okapi.core.tdleaf import best_moves

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


def seconds_and_nodes(command: list[str], setup: list[str], nodes: int) -> tuple[float, int]:
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


def nodes_a_second(command: list[str], setup: list[str], nodes: int) -> float:
    starting = min(seconds_and_nodes(command, setup, 0)[0] for _ in range(3))
    used, searched = seconds_and_nodes(command, setup, nodes)
    return searched / (used - starting)


def searches_a_second(brain: str, nodes: int, count: int) -> float:
    thinking = evaluator(brain)
    positions = random_positions(count, seed=1)
    best_moves(thinking, pack_fens(POSITIONS), nodes=nodes)
    begun = time.process_time()
    best_moves(thinking, positions, nodes=nodes)
    return count / (time.process_time() - begun)


def untrained(folder: Path) -> str:
    import torch

    from okapi.models.lai2015 import giraffe, giraffe_brain

    torch.manual_seed(1)
    file = folder / "untrained.safetensors"
    file.write_bytes(giraffe_brain(giraffe(), {"name": "untrained"}))
    return str(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brain", help="a name or a file; without, a network with weights as they begin")
    parser.add_argument("--okapi", default=shutil.which("okapi-uci") or "okapi-uci")
    parser.add_argument("--stockfish", default=shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin"))
    parser.add_argument("--nodes", type=int, default=200_000, help="for each position")
    parser.add_argument("--searches", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    if not args.stockfish:
        sys.exit("error: no stockfish here\nhint: apt-get install stockfish, or --stockfish PATH")
    with tempfile.TemporaryDirectory() as folder:
        brain = args.brain or untrained(Path(folder))
        ours = ([args.okapi], [f"setoption name EvalFile value {find(brain)}"], args.nodes)
        rounds = [
            {
                "nps": nodes_a_second(*ours),
                "stockfish_nps": nodes_a_second([args.stockfish], [], args.nodes),
                "searches_of_256_nodes": searches_a_second(brain, 256, args.searches),
            }
            for _ in range(args.rounds)
        ]
    found = {name: statistics.median(each[name] for each in rounds) for name in rounds[0]}
    ratios = [each["nps"] / each["stockfish_nps"] for each in rounds]
    print(json.dumps({
        **{name: round(value) for name, value in found.items()},
        "ratio": round(statistics.median(ratios), 3), "ratios": [round(ratio, 3) for ratio in ratios],
    }, indent=2))  # fmt: skip


if __name__ == "__main__":
    main()
