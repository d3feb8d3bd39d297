"""
Nodes a second of a giraffe brain beside Stockfish, and searches of 256 nodes a second: one core, this machine, this run.

    python bench/giraffe_speed.py --brain giraffe
    python bench/giraffe_speed.py                       a network with weights as they begin

Both programs search the same positions with so many nodes each, in turn; seconds are those of the processor, so that a busy
machine decides little, and what starting costs is taken off. Prints one JSON object.
"""

import argparse
import json
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from uci_speed import POSITIONS, nodes_a_second, stockfish

from okapi.brains import evaluator, find
from okapi.core.labelling import best_moves
from okapi.core.packed import pack_fens, random_positions


def searches_a_second(brain: str, nodes: int, count: int) -> float:
    thinking = evaluator(brain)
    positions = random_positions(count, seed=1)
    best_moves(thinking, pack_fens(POSITIONS), nodes=nodes)
    begun = time.process_time()
    best_moves(thinking, positions, nodes=nodes)
    return count / (time.process_time() - begun)


def untrained(folder: Path) -> str:
    import torch

    from okapi.models.lai2015 import Giraffe, giraffe_brain

    torch.manual_seed(1)
    file = folder / "untrained.safetensors"
    file.write_bytes(giraffe_brain(Giraffe(), {"name": "untrained"}))
    return str(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brain", help="a name or a file; without, a network with weights as they begin")
    parser.add_argument("--okapi", default=shutil.which("okapi-uci") or "okapi-uci")
    parser.add_argument("--stockfish", help="its path, where it is not among the installed games")
    parser.add_argument("--nodes", type=int, default=200_000, help="for each position")
    parser.add_argument("--searches", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    rival = stockfish(args.stockfish)
    with tempfile.TemporaryDirectory() as folder:
        brain = args.brain or untrained(Path(folder))
        ours = ([args.okapi], [f"setoption name EvalFile value {find(brain)}"], args.nodes)
        rounds = [
            {
                "nps": nodes_a_second(*ours),
                "stockfish_nps": nodes_a_second([rival], [], args.nodes),
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
