#!/usr/bin/env python3
"""
Write the brains that ship: plain material, and the weights that vazquez2012 published.

    python scripts/make_vazquez_brains.py [--to src/okapi/brains/shipped] [--check]

Needs nothing but Python, and writes the same bytes each time; --check compares instead of writing. The scales of factors
that the thesis leaves open are explained, with the games that chose them, in docs/evaluators.md.
"""

import argparse
import json
import struct
import sys
from pathlib import Path

MATERIAL = {"pawn": 100, "knight": 300, "bishop": 300, "rook": 500, "queen": 900}

FIVE = {"pawn": 100, "knight": 310.89, "bishop": 325.32, "rook": 514.92, "queen": 841.61, "mobility": 5.62}
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

DIVISORS = {
    "king_defence": 3900,
    "king_attack": 3900,
    "king_pawns": 8,
    "queen_mobility": 27,
    "rook_mobility": 14,
    "bishop_mobility": 13,
    "knight_mobility": 8,
}
"""How much of a factor earns its whole weight; 1 for those not named."""

NOTE = "Where the thesis leaves a factor's scale open, see docs/evaluators.md."


def passport(name: str, kind: str, encoding: str, source: str, note: str, order: list[str]) -> dict[str, str]:
    return {
        "okapi": "1",
        "name": name,
        "kind": kind,
        "encoding": encoding,
        "value": "centipawns, side to move",
        "recipe": "scripts/make_vazquez_brains.py",
        "settings": json.dumps({"order": order}),
        "source": source,
        "note": note,
    }


def safetensors(metadata: dict[str, str], tensors: dict[str, list[float]]) -> bytes:
    """The bytes of a file with these float32 vectors."""
    header: dict[str, object] = {"__metadata__": metadata}
    data = b""
    for name, values in sorted(tensors.items()):
        raw = struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": [len(values)], "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def linear_28(column: int, divisors: dict[str, float] = DIVISORS) -> dict[str, list[float]]:
    return {
        "weights": [weights[column] for weights in EXPLORATION_EXPLOITATION.values()],
        "divisors": [divisors.get(name, 1) for name in EXPLORATION_EXPLOITATION],
    }


def brains() -> dict[str, bytes]:
    """Every brain that ships, by name."""
    factors = list(EXPLORATION_EXPLOITATION)
    table_16 = "vazquez2012, Table 16, column "
    made = [
        (passport("material", "material", "material-5", "vazquez2012, section 4.2.1", "1 3 3 5 9.", list(MATERIAL)),
         {"weights": list(MATERIAL.values())}),
        (passport("vazquez-five", "linear-5", "mobility-6", "vazquez2012, equation 18 and Table 13",
                  "Material and mobility, evolved against grandmaster games.", list(FIVE)),
         {"weights": list(FIVE.values())}),
        (passport("vazquez-exploration", "linear-28", "factors-29", table_16 + "VP200 exploration", NOTE, factors),
         linear_28(0)),
        (passport("vazquez-exploitation", "linear-28", "factors-29", table_16 + "VP exploitation", NOTE, factors),
         linear_28(1)),
    ]
    return {about["name"]: safetensors(about, tensors) for about, tensors in made}


def main() -> int:
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
        print(f"error: {', '.join(stale)} differ from what this script makes\nhint: run it without --check", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
