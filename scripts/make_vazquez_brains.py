#!/usr/bin/env python3
"""
Write the brains that ship: plain material, what vazquez2012 published, and Okapi's own weights for the same factors.

    python scripts/make_vazquez_brains.py [--to src/okapi/brains/shipped] [--check]

Needs nothing but Python, and writes the same bytes each time; --check compares instead of writing. docs/evaluators.md
explains the scales of factors that the thesis leaves open, with the games that chose them.
"""

import argparse
import json
import struct
import sys
from pathlib import Path

MATERIAL: dict[str, float] = {"pawn": 100, "knight": 300, "bishop": 300, "rook": 500, "queen": 900}

FIVE: dict[str, float] = {
    "pawn": 100,
    "knight": 310.89,
    "bishop": 325.32,
    "rook": 514.92,
    "queen": 841.61,
    "mobility": 5.62,
}
"""vazquez2012, Table 13: the average weights of run 31 after 50 generations."""

EXPLORATION_EXPLOITATION = {
    "pawn": (100, 100),
    "knight": (297, 302),
    "bishop": (315, 319),
    "rook": (502, 506),
    "queen": (923, 910),
    "king_defence": (1650, 1675),
    "king_attack": (-1430, -1425),
    "king_castled": (47, 45),
    "king_pawns": (65, 72),
    "queen_mobility": (5, 9),
    "rook_mobility": (62, 73),
    "rook_open": (45, 46),
    "rook_half_open": (27, 33),
    "rook_ahead": (32, 27),
    "rook_behind": (-8, -7),
    "rook_seventh": (63, 68),
    "rook_seventh_folded": (78, 82),
    "bishop_mobility": (72, 76),
    "knight_mobility": (64, 68),
    "knight_supported": (56, 72),
    "knight_base": (52, 73),
    "knight_rim": (-12, -15),
    "knight_outer": (3, 6),
    "knight_inner": (15, 26),
    "knight_centre": (42, 43),
    "pawn_doubled": (-32, -44),
    "pawn_isolated": (-47, -48),
    "pawn_central": (-44, -41),
    "pawn_passed": (43, 48),
}
"""vazquez2012, Table 16, in its order: after the exploration search, and after the exploitation search."""

DIVISORS: dict[str, float] = {
    "king_defence": 30_000,
    "king_attack": 30_000,
    "king_pawns": 8,
    "queen_mobility": 27,
    "rook_mobility": 14,
    "bishop_mobility": 13,
    "knight_mobility": 8,
}
"""How much of a factor earns the weight of Table 16: mobility and pawns count as parts of the most there can be. A factor
not named here earns its weight for each piece, as the thesis says."""

PIECES = ("pawn", "knight", "bishop", "rook", "queen")
SOFTENED = {name: 6.0 for name in EXPLORATION_EXPLOITATION if name not in PIECES} | {
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


def safetensors(metadata: dict[str, str], tensors: dict[str, list[float]]) -> bytes:
    """Return the bytes of a file with these float32 vectors."""
    header: dict[str, object] = {"__metadata__": metadata}
    data = b""
    for name, values in sorted(tensors.items()):
        raw = struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": [len(values)], "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def brain(about: dict[str, str], weights: dict[str, float], divisors: dict[str, float] | None = None) -> bytes:
    """Return a brain's file; `about` is what its passport says beside what all of these have in common."""
    passport = {
        "okapi": "1",
        **about,
        "value": "centipawns, side to move",
        "recipe": "scripts/make_vazquez_brains.py",
        "settings": json.dumps({"order": list(weights)}),
    }
    tensors = {"weights": list(weights.values())}
    if divisors is not None:
        tensors["divisors"] = [divisors[name] for name in weights]
    return safetensors(passport, tensors)


def published(name: str, column: int, title: str, divisors: dict[str, float]) -> bytes:
    """Return a column of Table 16 as a brain."""
    about = {
        "name": name,
        "kind": "linear-28",
        "encoding": "factors-29",
        "source": f"vazquez2012, Table 16, column {title}",
        "note": "What divides its factors was chosen by games: docs/evaluators.md.",
    }
    weights = {factor: float(columns[column]) for factor, columns in EXPLORATION_EXPLOITATION.items()}
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
