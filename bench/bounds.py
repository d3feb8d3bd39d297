"""What bounds save: nodes a second with and without them, how often a value was not needed, how often they were wrong.

python bench/bounds.py --brain giraffe --bounds runs/train-bounds-quick-1/brain.safetensors
"""

import argparse
import time

from okapi.brains import evaluator, load
from okapi.core import Evaluator, Limits, Position, Search
from okapi.core._core import RangeTally, bench_positions


def nodes_per_second(judge: Evaluator, nodes: int) -> float:
    """Over the positions of `okapi bench`, one thread."""
    search = Search(judge)
    searched, begun = 0, time.perf_counter()
    for fen in bench_positions():
        search.new_game()
        searched += search.run(Position.from_fen(fen), Limits(nodes=nodes)).nodes
    return searched / (time.perf_counter() - begun)


def main() -> None:
    """Print a few lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brain", required=True)
    parser.add_argument("--bounds", required=True)
    parser.add_argument("--nodes", type=int, default=20_000, help="for each position")
    parser.add_argument("--rounds", type=int, default=3, help="of which the best counts")
    asked = parser.parse_args()
    plain, rates = evaluator(asked.brain), {"without": 0.0, "with": 0.0}
    bounded = evaluator(asked.brain, bounds=asked.bounds)
    for _ in range(asked.rounds):
        for name, judge in (("without", plain), ("with", bounded)):
            rates[name] = max(rates[name], nodes_per_second(judge, asked.nodes))
    tally = RangeTally()
    nodes_per_second(Evaluator.bounded(plain, Evaluator.from_brain(load(asked.bounds)), tally), asked.nodes)
    print(f"{rates['without']:,.0f} nodes/s without bounds, {rates['with']:,.0f} with them")
    print(f"asked {tally.asked:,} times: {1 - tally.needed / tally.asked:.1%} of the values were not needed")
    print(f"{tally.outside / tally.asked:.1%} of the values lay beyond the bounds")


if __name__ == "__main__":
    main()
