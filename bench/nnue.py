"""
Nodes a second of a search with an NNUE brain, beside okapi-28 and Stockfish: one core, this machine, this run.

    python bench/nnue.py --brain FILE
    python bench/nnue.py --neurons 512           a network of that width that counts pieces

All programs search the same positions with so many nodes each, in turn; seconds are those of the processor, so that a busy
machine decides little, and what starting costs is taken off. Prints one JSON object. What a value alone costs is measured
by bench/nnue.cpp.
"""

import argparse
import json
import shutil
import statistics
import tempfile
from pathlib import Path

from uci_speed import nodes_a_second, stockfish

from okapi.brains import find
from okapi.brains.nnue import QuantisedNnue


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brain", help="a name or a file; without, a network that counts pieces")
    parser.add_argument("--neurons", type=int, default=256, help="of that network")
    parser.add_argument("--okapi", default=shutil.which("okapi-uci") or "okapi-uci")
    parser.add_argument("--stockfish", help="its path, where it is not among the installed games")
    parser.add_argument("--nodes", type=int, default=200_000, help="for each position")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    rival = stockfish(args.stockfish)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "counting.safetensors"
        made.write_bytes(QuantisedNnue.counting(args.neurons).file({"name": "counting"}))
        brain = [f"setoption name EvalFile value {find(args.brain or str(made))}"]
        rounds = [
            {
                "nps": nodes_a_second([args.okapi], brain, args.nodes),
                "okapi_28_nps": nodes_a_second([args.okapi], [], args.nodes),
                "stockfish_nps": nodes_a_second([rival], [], args.nodes),
            }
            for _ in range(args.rounds)
        ]
    found = {name: round(statistics.median(each[name] for each in rounds)) for name in rounds[0]}
    ratios = [each["nps"] / each["stockfish_nps"] for each in rounds]
    found_ratios = {"ratio": round(statistics.median(ratios), 3), "ratios": [round(ratio, 3) for ratio in ratios]}
    print(json.dumps(found | found_ratios, indent=2))


if __name__ == "__main__":
    main()
