#!/usr/bin/env python3
"""
Write the brains that ship: plain material, what vazquez2012 published, and Okapi's own weights for the same factors.

    python scripts/make_vazquez_brains.py [--to src/okapi/brains/shipped] [--check]

Needs okapi installed, and writes the same bytes each time; --check compares instead of writing.
docs/reference/evaluators.md explains the scales of factors that the thesis leaves open, with the games that chose them.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from okapi.brains.files import brain_file
from okapi.papers.vazquez2012.headlines import PUBLISHED

MATERIAL: dict[str, float] = {"pawn": 100, "knight": 300, "bishop": 300, "rook": 500, "queen": 900}

FIVE: dict[str, float] = {name: weight.mean for name, weight in PUBLISHED.table_13.items()}
"""The average weights of run 31 after 50 generations."""

DIVISORS: dict[str, float] = {
    "king_defence": 30_000,
    "king_attack": 30_000,
    "king_pawns": 8,
    "queen_mobility": 27,
    "rook_mobility": 14,
    "bishop_mobility": 13,
    "knight_mobility": 8,
}
"""How much of a factor earns the weight of Table 16: mobility and pawns count as parts of the most there can be. A
factor not named here earns its weight for each piece, as the thesis says."""

PIECES = ("pawn", "knight", "bishop", "rook", "queen")
SOFTENED = {name: 6.0 for name in PUBLISHED.table_16 if name not in PIECES} | {
    **DIVISORS,
    "king_defence": 120_000,
    "king_attack": 120_000,
}
"""The divisors that play best: everything that is simply there or not counts a sixth."""

OKAPI = {
    "pawn": 100.00,
    "knight": 328.86,
    "bishop": 327.50,
    "rook": 496.32,
    "queen": 998.18,
    "king_defence": 0.87,
    "king_attack": -1.18,
    "king_castled": 14.64,
    "king_pawns": 12.15,
    "queen_mobility": 4.09,
    "rook_mobility": 5.10,
    "rook_open": 8.37,
    "rook_half_open": -0.08,
    "rook_ahead": 16.50,
    "rook_behind": -23.33,
    "rook_seventh": 33.32,
    "rook_seventh_folded": 20.34,
    "bishop_mobility": 6.40,
    "knight_mobility": 3.02,
    "knight_supported": -4.92,
    "knight_base": 22.18,
    "knight_rim": -40.42,
    "knight_outer": -16.84,
    "knight_inner": 0.40,
    "knight_centre": 13.08,
    "pawn_doubled": -6.42,
    "pawn_isolated": -14.59,
    "pawn_central": 9.33,
    "pawn_passed": 38.29,
}
"""What bench/fit28.cpp printed for 1,087,966 positions that Stockfish 15.1 judged with 2,000 nodes each. The king's two
are for each pawn's worth of material; everything else is for one piece or move."""


def brain(about: dict[str, str], weights: dict[str, float], divisors: dict[str, float] | None = None) -> bytes:
    """Return a brain's file; `about` is what its card says beside what all of these have in common."""
    card = {
        **about,
        "value": "centipawns, side to move",
        "recipe": "scripts/make_vazquez_brains.py",
        "settings": json.dumps({"order": list(weights)}),
    }
    tensors = {"weights": np.array(list(weights.values()), np.float32)}
    if divisors is not None:
        tensors["divisors"] = np.array([divisors[name] for name in weights], np.float32)
    return brain_file(card, tensors)


def published(name: str, column: int, title: str, divisors: dict[str, float]) -> bytes:
    """Return a column of Table 16 as a brain."""
    about = {
        "name": name,
        "kind": "linear-28",
        "encoding": "factors-29",
        "source": f"vazquez2012, Table 16, column {title}",
        "note": "What divides its factors was chosen by games: docs/evaluators.md.",
    }
    weights = {factor: float(columns[column]) for factor, columns in PUBLISHED.table_16.items()}
    return brain(about, weights, {factor: divisors.get(factor, 1.0) for factor in weights})


def brains() -> dict[str, bytes]:
    """Return every brain that ships, by name."""
    material = {
        "name": "material",
        "kind": "material",
        "encoding": "material-5",
        "source": "vazquez2012, section 4.2.1",
        "note": "1 3 3 5 9.",
    }
    five = {
        "name": "vazquez-five",
        "kind": "linear-5",
        "encoding": "mobility-6",
        "source": "vazquez2012, equation 18 and Table 13",
        "note": "Material and mobility, evolved on grandmaster games.",
    }
    okapi = {
        "name": "okapi-28",
        "kind": "linear-28",
        "encoding": "factors-29",
        "source": "bench/fit28.cpp, 1,087,966 positions judged by Stockfish 15.1",
        "note": "The factors of vazquez2012 with weights fitted to a teacher.",
    }
    per_pawn = {name: 100.0 if name in ("king_defence", "king_attack") else 1.0 for name in OKAPI}
    return {
        "material": brain(material, MATERIAL),
        "vazquez-five": brain(five, FIVE),
        "vazquez-exploration": published("vazquez-exploration", 0, "VP200 exploration", DIVISORS),
        "vazquez-exploitation": published("vazquez-exploitation", 1, "VP exploitation", DIVISORS),
        "vazquez-softened": published("vazquez-softened", 1, "VP exploitation", SOFTENED),
        "okapi-28": brain(okapi, OKAPI, per_pawn),
    }


def main() -> int:
    """Write or compare, and say what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=Path(__file__).parents[1] / "src/okapi/brains/shipped")
    parser.add_argument("--check", action="store_true", help="fail if a file there differs, and write nothing")
    arguments = parser.parse_args()
    stale = []
    for name, data in brains().items():
        file = arguments.to / f"{name}.safetensors"
        if arguments.check and (not file.exists() or file.read_bytes() != data):
            stale.append(str(file))
        if not arguments.check:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
    if stale:
        print(
            f"error: {', '.join(stale)} differ from what this script makes\nhint: run it without --check",
            file=sys.stderr,
        )
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
