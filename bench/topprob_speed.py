"""
How long the players of singh2015 think about a move, with networks as large as the thesis': ChessNet-1 seven times, and
ChessNet-2 as the value.

    python bench/topprob_speed.py --threads 2
    python bench/topprob_speed.py --brain seven.safetensors --value outcome.safetensors --depth 4

Prints one JSON object: for each player seconds a move, the median and the longest, and for the searches what they asked
for. Without brains, random weights will do: they cost as much. The positions are those of random games.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.brains.files import write_brain
from okapi.core import Limits, Position
from okapi.core.packed import random_positions, unpack
from okapi.encodings import find_encoding
from okapi.players import parse_player

CHANNELS = (64, 96, 256)
HIDDEN = 1024
KINDS = ("piece", "pawn", "knight", "bishop", "rook", "queen", "king")

Tensors = dict[str, NDArray[np.float32]]


def chessnet(encoding: str, outputs: int, activation: str, last: str) -> tuple[list[dict[str, Any]], Tensors]:
    """Layers and random weights of a network of the thesis."""
    dice = np.random.default_rng(1)
    planes = find_encoding(encoding).shape[0]
    shapes = [(out, into, 3, 3) for into, out in zip((planes, *CHANNELS), CHANNELS, strict=False)]
    dense = [(HIDDEN, CHANNELS[-1] * 64), (outputs, HIDDEN)]
    layers: list[dict[str, Any]] = [
        {"do": "convolve", "name": str(number), "activation": activation} for number in (1, 2, 3)
    ]
    layers += [{"do": "flatten"}, {"do": "dense", "name": "4", "activation": activation}]
    layers += [{"do": "dense", "name": "5", "activation": last}]
    tensors: Tensors = {}
    for number, shape in enumerate([*shapes, *dense], 1):
        spread = np.prod(shape[1:]) ** -0.5
        tensors[f"{number}.weight"] = (spread * dice.standard_normal(shape)).astype(np.float32)
        tensors[f"{number}.bias"] = np.zeros(shape[0], np.float32)
    return layers, tensors


def seven(folder: Path, piece_layer: bool) -> Path:
    """The seven networks, as a brain."""
    networks: dict[str, Any] = {}
    weights: Tensors = {}
    for which in KINDS:
        encoding = "planes-12+elo+piece" if piece_layer and which != "piece" else "planes-12+elo"
        layers, tensors = chessnet(encoding, 64, "relu", "none")
        networks[which] = {"encoding": encoding, "layers": layers}
        weights |= {f"{which}/{name}": tensor for name, tensor in tensors.items()}
    output = {"form": "squares", "promotions": [1, 0, 0, 0]}
    card = {"name": "seven", "kind": "seven-networks", "encoding": "planes-12+elo"}
    path = folder / "seven.safetensors"
    write_brain(path, {**card, "networks": json.dumps(networks), "output": json.dumps(output)}, weights)
    return path


def outcome(folder: Path) -> Path:
    """The value network, as a brain."""
    layers, tensors = chessnet("planes-12", 1, "tanh", "tanh")
    output = {"form": "number", "view": "mover", "low": 0, "high": 10000}
    card = {"name": "outcome", "kind": "convolutional", "encoding": "planes-12"}
    path = folder / "outcome.safetensors"
    write_brain(path, {**card, "layers": json.dumps(layers), "output": json.dumps(output)}, tensors)
    return path


def measured(spec: str, positions: list[Position]) -> dict[str, float]:
    """Seconds a move, the first one, which warms up, left out."""
    player = parse_player(spec)
    seconds, nodes = [], []
    for position in positions:
        begun = time.perf_counter()
        nodes.append(player.choose(position, Limits()).nodes)
        seconds.append(time.perf_counter() - begun)
    figures = {"median": round(statistics.median(seconds[1:]), 3), "longest": round(max(seconds[1:]), 3)}
    return figures | ({"nodes": round(statistics.mean(nodes))} if any(nodes) else {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brain", help="a brain that predicts moves")
    parser.add_argument("--value", help="a brain that judges")
    parser.add_argument("--no-piece-layer", action="store_true", help="one answer for all pieces of a kind")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--k", type=int, default=5)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--negamax", type=int, default=0, metavar="DEPTH", help="the plain search, too, of this depth")
    parser.add_argument("--positions", type=int, default=20)
    chosen = parser.parse_args()
    positions = [unpack(row) for row in random_positions(60 * chosen.positions, seed=2)[20::60]]
    positions = [position for position in positions if position.ending() is None]
    with tempfile.TemporaryDirectory() as made:
        brain = chosen.brain or seven(Path(made), not chosen.no_piece_layer)
        value = chosen.value or outcome(Path(made))
        threads = f"threads={chosen.threads}"
        players = {
            "top-prob": f"top-prob:{brain},{threads}",
            "topprob-negamax": f"topprob-negamax:{brain},value={value},k={chosen.k},depth={chosen.depth},{threads}",
        }
        if chosen.negamax:
            players["negamax"] = f"negamax:{value},depth={chosen.negamax},quiescence=no,{threads}"
        print(json.dumps({name: measured(spec, positions) for name, spec in players.items()}))


if __name__ == "__main__":
    main()
