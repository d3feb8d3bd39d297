"""
How fast brains predict moves: boards a second on one core, legal moves with their probabilities included.

    python bench/predictor.py
    python bench/predictor.py --brain okapi-human --boards 20000

Without a brain: random weights, as one network (ten residual blocks of 128 channels with squeeze, pairs of squares) and as
the seven of singh2015 (64-96-256, 1024 nodes). `network` is the time in the network alone, `masking` what it takes to find
the legal moves and share out the probabilities. Processor time counts, so that a busy machine says nearly the same as a
quiet one.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi.brains import find
from okapi.brains.files import write_brain
from okapi.brains.move_prediction import Predictor
from okapi.core.networks import Network
from okapi.core.packed import legal_moves, random_positions
from okapi.encodings import find_encoding

Shapes = Mapping[str, tuple[int, ...]]

CHANNELS, BLOCKS, NARROW, WIDTH = 128, 10, 32, 64
CHESSNET = (64, 96, 256, 1024)
KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
SIZES = (1, 16, 256)
MANY = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brain", help="a brain that predicts moves")
    parser.add_argument("--boards", type=int, default=1024, help="boards for each size of batch")
    args = parser.parse_args()
    positions = random_positions(MANY, seed=1)
    with timed() as seconds:
        moves = legal_moves(positions)
    print(f"the {len(moves.bits):,} legal moves of {MANY:,} positions: {seconds[0]:.2f} s")
    if args.brain:
        measure(find(args.brain), args.boards)
        return
    with tempfile.TemporaryDirectory() as folder:
        measure(one_network(Path(folder)), args.boards)
        measure(seven_networks(Path(folder)), args.boards)


def measure(brain: Path, boards: int) -> None:
    """Print boards a second by the size of the batch, and how much of the time is the network's."""
    asked = Predictor.open(brain)
    print(f"{asked.card.name}, {asked.card.weights:,} weights")
    for size in SIZES:
        positions = random_positions(max(size, boards if size > 1 else boards // 8), seed=1)
        asked.probabilities(positions[:size])
        with in_networks() as network, timed() as whole:
            for begin in range(0, len(positions), size):
                asked.probabilities(positions[begin : begin + size])
        rest = (whole[0] - network[0]) / len(positions)
        speed = len(positions) / whole[0]
        print(f"  batches of {size:3}: {speed:7.0f} boards/s; outside the network {1e6 * rest:.0f} µs a board")


@contextmanager
def in_networks() -> Iterator[list[float]]:
    """Processor seconds spent in networks meanwhile."""
    seconds = [0.0]
    answers = Network.answers

    def timed_answers(self: Network, planes: NDArray[np.float32]) -> NDArray[np.float32]:
        begun = time.process_time()
        said = answers(self, planes)
        seconds[0] += time.process_time() - begun
        return said

    Network.answers = timed_answers  # type: ignore[method-assign]
    try:
        yield seconds
    finally:
        Network.answers = answers  # type: ignore[method-assign]


@contextmanager
def timed() -> Iterator[list[float]]:
    """Processor seconds, once it is over."""
    seconds = [0.0]
    begun = time.process_time()
    yield seconds
    seconds[0] = time.process_time() - begun


def one_network(folder: Path) -> Path:
    """Ours: a ResNet with squeeze, and pairs of squares."""
    encoding = "planes-18+elo"
    shapes: dict[str, tuple[int, ...]] = {"1": (CHANNELS, find_encoding(encoding).shape[0], 3, 3)}
    layers: list[dict[str, Any]] = [{"do": "convolve", "name": "1", "activation": "relu"}]
    for block in range(BLOCKS):
        names = [f"{block}.{part}" for part in ("first", "second", "squeeze", "excite")]
        kernels = (CHANNELS, CHANNELS, 3, 3)
        shapes |= zip_shapes(names, (kernels, kernels, (NARROW, CHANNELS), (CHANNELS, NARROW)))
        layers.append({"do": "residual", "names": names[:2], "squeeze": names[2:], "activation": "relu"})
    shapes |= {"from": (WIDTH, CHANNELS, 1, 1), "to": (WIDTH, CHANNELS, 1, 1)}
    layers.append({"do": "from-to", "names": ["from", "to"]})
    about = {"encoding": encoding, "kind": "convolutional", "layers": json.dumps(layers)}
    return written(folder, "one network", {**about, "output": '{"form": "moves"}'}, shapes)


def seven_networks(folder: Path) -> Path:
    """ChessNet-1, seven times."""
    first, second, third, nodes = CHESSNET
    layers = [{"do": "convolve", "name": name, "activation": "relu"} for name in "123"] + [
        {"do": "flatten"},
        {"do": "dense", "name": "4", "activation": "relu"},
        {"do": "dense", "name": "5", "activation": "none"},
    ]
    networks: dict[str, Any] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    for name in ("piece", *KINDS):
        encoding = "planes-12+elo" if name == "piece" else "planes-12+elo+piece"
        networks[name] = {"encoding": encoding, "layers": layers}
        inside = (
            (first, find_encoding(encoding).shape[0], 3, 3),
            (second, first, 3, 3),
            (third, second, 3, 3),
            (nodes, 64 * third),
            (64, nodes),
        )
        shapes |= zip_shapes([f"{name}/{n}" for n in "12345"], inside)
    about = {"encoding": "planes-12+elo", "kind": "seven-networks", "networks": json.dumps(networks)}
    return written(folder, "seven networks", {**about, "output": '{"form": "squares"}'}, shapes)


def zip_shapes(names: list[str], shapes: tuple[tuple[int, ...], ...]) -> dict[str, tuple[int, ...]]:
    return dict(zip(names, shapes, strict=True))


def written(folder: Path, name: str, card: Mapping[str, str], shapes: Shapes) -> Path:
    """A brain of random weights."""
    dice = np.random.default_rng(1)
    tensors: dict[str, NDArray[np.float32]] = {}
    for part, shape in shapes.items():
        spread = np.sqrt(2 / np.prod(shape[1:]))
        tensors[f"{part}.weight"] = (spread * dice.standard_normal(shape)).astype(np.float32)
        tensors[f"{part}.bias"] = np.zeros(shape[0], np.float32)
    path = folder / f"{name}.safetensors"
    write_brain(path, {"name": name, **card}, tensors)
    return path


if __name__ == "__main__":
    main()
