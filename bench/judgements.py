"""
How many judgements the plain search asks for, in how many batches, beside the core's search of the same width and depth.

    python bench/judgements.py --depth 4

Prints one JSON object a position: a judgement is what costs time where a network judges. Here the default brain does, which
is quick; both must tell the same value.
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from numpy.typing import NDArray

from okapi.brains import evaluator
from okapi.core import Decision, Evaluator, Limits, Position, Search
from okapi.core.evaluation import evaluate
from okapi.core.packed import POSITION
from okapi.players.singh2015 import EXTRAS, Negamax

POSITIONS = (
    "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6",
    "r2q1rk1/pp2bppp/2n1bn2/3p4/3P4/2N1BN2/PP2BPPP/R2Q1RK1 w - - 4 11",
    "8/5pk1/6p1/R7/5P2/r5P1/6K1/8 w - - 0 40",
)


class Counting:
    """Judges, and counts."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self._evaluator = evaluator()

    def __call__(self, positions: NDArray[np.void]) -> NDArray[np.int32]:
        self.batches.append(len(positions))
        values: NDArray[np.int32] = evaluate([self._evaluator], positions)[0]
        return values

    def tell(self, rows: NDArray[np.uint8], values: NDArray[np.int32]) -> None:
        values[:] = self(rows.view(POSITION)[:, 0])

    def figures(self, decision: Decision) -> dict[str, object]:
        asked = {"judgements": sum(self.batches), "batches": len(self.batches)}
        return {**asked, "move": str(decision.move), "value": str(decision.value)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--depth", type=int, default=4)
    chosen = parser.parse_args()
    for fen in POSITIONS:
        position, ours, core = Position.from_fen(fen), Counting(), Counting()
        plain = Negamax(ours, depth=chosen.depth).choose(position, Limits())
        without = [*EXTRAS, "quiescence", "quiescence_checks"]
        search = Search(Evaluator.from_packed(core.tell), without=without)
        other = search.run(position, Limits(depth=chosen.depth))
        print(json.dumps({"fen": fen, "negamax": ours.figures(plain), "core": core.figures(other)}))


if __name__ == "__main__":
    main()
