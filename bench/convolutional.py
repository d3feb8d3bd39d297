"""
How fast convolutional brains are: boards a second by the size of the batch, and nodes a second of the search; and how
fast their networks are beside PyTorch and ONNX Runtime.

    python bench/convolutional.py
    python bench/convolutional.py --brain runs/mine/brain.safetensors --nodes 5000
    python bench/convolutional.py --against --threads 2 --batch 256

Without a brain: random weights in the shape of sabatelli2018's network (20 kernels of 5x5, 50 of 3x3, 500 nodes). The
search is measured asking for one position at a time, in the batches that one search makes, and with many games at once,
whose questions are put together. Processor time counts, so that a busy machine says nearly the same as a quiet one.

With --against: singh2015's ChessNet-1, and a ResNet of ten blocks with 128 channels that predicts moves. PyTorch is eager,
with batch normalisation folded into the kernels as the others have it. Each takes its turn in every round, and its best round by
the clock counts. Errors are against PyTorch with 64 bits, as a share of the largest answer.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from okapi.brains.evaluation import Convolutional
from okapi.brains.files import write_brain
from okapi.brains.onnx import onnx_model
from okapi.core import Adjudication, Evaluator, InProcessMatch, Limits, MatchPlayer, Position, both_colors
from okapi.core._core import bench_positions
from okapi.core.networks import Network
from okapi.core.packed import POSITION, random_positions

if TYPE_CHECKING:
    from torch import nn

    from okapi.models.express import Expressed

KERNELS = ((20, 12, 5, 5), (50, 20, 3, 3))
NODES, CLASSES = 500, 3
SIZES = (1, 16, 64, 256)

Tell = Callable[[NDArray[np.uint8], NDArray[np.int32]], None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brain", type=Path, help="a convolutional brain")
    parser.add_argument("--boards", type=int, default=2048, help="boards for each size of batch")
    parser.add_argument("--nodes", type=int, default=500, help="nodes for each move")
    parser.add_argument("--moves", type=int, default=4, help="plies of each game")
    parser.add_argument("--games", type=int, default=16, help="games at once")
    parser.add_argument("--against", action="store_true", help="PyTorch and ONNX Runtime beside ours, and nothing else")
    parser.add_argument("--threads", type=int, default=1, help="with --against: threads of each")
    parser.add_argument("--batch", type=int, default=256, help="with --against: boards in a batch")
    parser.add_argument("--rounds", type=int, default=5, help="with --against")
    args = parser.parse_args()
    if args.against:
        for name, make in NETWORKS.items():
            compare(name, make(), args.batch, args.threads, args.rounds)
        return
    with tempfile.TemporaryDirectory() as folder:
        brain = Convolutional.open(args.brain or random_brain(Path(folder)))
    for size in SIZES:
        print(f"batches of {size:3}: {boards_a_second(brain, size, args.boards):7.0f} boards/s")
    for title, threads, tell in (
        ("one position at a time", 1, one_by_one(brain)),
        ("batches of one search", 1, together(brain)),
        (f"{args.games} games at once", args.games, together(brain)),
    ):
        nodes, batch = search(tell, args.nodes, args.moves, args.games, threads)
        print(f"{title}: {nodes:.0f} nodes/s, {batch:.1f} positions in a batch")


def boards_a_second(brain: Convolutional, size: int, boards: int) -> float:
    positions = random_positions(boards, seed=1)
    brain.centipawns(positions[:size])
    with timed() as seconds:
        for begin in range(0, boards, size):
            brain.centipawns(positions[begin : begin + size])
    return boards / seconds[0]


def search(tell: Tell, nodes: int, moves: int, games: int, threads: int) -> tuple[float, float]:
    """Nodes a second and the mean size of a batch, in games that begin at the bench's positions."""
    sizes: list[int] = []

    def counted(rows: NDArray[np.uint8], values: NDArray[np.int32]) -> None:
        sizes.append(len(rows))
        tell(rows, values)

    player = MatchPlayer(Evaluator.from_packed(counted), Limits(nodes=nodes))
    starts = [Position.from_fen(fen) for fen in bench_positions()][: games // 2]
    rules = Adjudication(max_plies=moves)
    with timed() as seconds:
        searched = sum(
            sum(match_game.nodes)
            for match_game in InProcessMatch(player, player, both_colors(starts), adjudication=rules, threads=threads)
        )
    return searched / seconds[0], float(np.mean(sizes))


def together(brain: Convolutional) -> Tell:
    def tell(rows: NDArray[np.uint8], values: NDArray[np.int32]) -> None:
        values[:] = brain.centipawns(rows.view(POSITION)[:, 0])

    return tell


def one_by_one(brain: Convolutional) -> Tell:
    def tell(rows: NDArray[np.uint8], values: NDArray[np.int32]) -> None:
        for i in range(len(rows)):
            values[i : i + 1] = brain.centipawns(rows[i : i + 1].view(POSITION)[:, 0])

    return tell


# --- Against others -------------------------------------------------------------------------------------------------


def chessnet_1() -> tuple["nn.Sequential", tuple[int, ...]]:
    from okapi.models.singh2015 import chessnet_1

    return chessnet_1(12), (12, 8, 8)


def resnet() -> tuple["nn.Sequential", tuple[int, ...]]:
    from okapi.models.resnet import from_to

    return from_to(19, channels=128, blocks=10, squeeze=32, width=64), (19, 8, 8)


NETWORKS = {"ChessNet-1": chessnet_1, "10 blocks of 128": resnet}

Answers = Callable[[NDArray[np.float32]], NDArray[np.float32]]


def compare(name: str, made: tuple["nn.Sequential", tuple[int, ...]], batch: int, threads: int, rounds: int) -> None:
    """One line for each who answers."""
    from okapi.models.express import express

    network, shape = made
    expressed = express(network.eval())
    planes = (np.random.default_rng(1).random((batch, *shape)) < 0.1).astype(np.float32)
    crowd: dict[str, Answers] = {
        "okapi": Network(expressed.layers, expressed.tensors, shape, threads=threads).answers,
        "PyTorch": eager(expressed, threads),
        "ONNX Runtime": onnx_runtime(expressed, shape, threads),
    }
    exact = eager(expressed, threads, exact=True)(planes[:16])
    seconds = {who: min(times) for who, times in taking_turns(crowd, planes, rounds).items()}
    for who, answers in crowd.items():
        error = np.abs(answers(planes[:16]) - exact).max() / np.abs(exact).max()
        print(
            f"{name}, {threads} threads, batches of {batch}: {who:12} {batch / seconds[who]:7.0f} boards/s, "
            f"okapi is {seconds[who] / seconds['okapi']:.2f} x as fast, error {error:.1e}"
        )


def taking_turns(crowd: dict[str, Answers], planes: NDArray[np.float32], rounds: int) -> dict[str, list[float]]:
    """Seconds for one batch: the first is not counted."""
    times: dict[str, list[float]] = {who: [] for who in crowd}
    for _ in range(rounds):
        for who, answers in crowd.items():
            answers(planes)
            begun = time.perf_counter()
            answers(planes)
            times[who].append(time.perf_counter() - begun)
    return times


def eager(expressed: "Expressed", threads: int, *, exact: bool = False) -> Answers:
    import torch

    from okapi.models.express import Expressed, rebuilt

    torch.set_num_threads(threads)
    kind = np.float64 if exact else np.float32
    tensors: dict[str, Any] = {name: values.astype(kind) for name, values in expressed.tensors.items()}
    network = rebuilt(Expressed(expressed.layers, tensors))

    def answers(planes: NDArray[np.float32]) -> NDArray[np.float32]:
        with torch.inference_mode():
            return network(torch.from_numpy(planes.astype(kind, copy=False))).numpy()

    return answers


def onnx_runtime(expressed: "Expressed", shape: tuple[int, ...], threads: int) -> Answers:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    model = onnx_model(expressed.layers, expressed.tensors, shape)
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    return lambda planes: session.run(None, {"input": planes})[0]


@contextmanager
def timed() -> Iterator[list[float]]:
    seconds: list[float] = []
    begun = time.process_time()
    yield seconds
    seconds.append(time.process_time() - begun)


def random_brain(folder: Path) -> Path:
    dice = np.random.default_rng(1)
    shapes = (*KERNELS, (NODES, 64 * KERNELS[-1][0]), (CLASSES, NODES))
    layers = [
        *({"do": "convolve", "name": str(n), "activation": "elu"} for n in (1, 2)),
        {"do": "flatten"},
        {"do": "dense", "name": "3", "activation": "elu"},
        {"do": "dense", "name": "4", "activation": "none"},
    ]
    tensors: dict[str, NDArray[np.float32]] = {}
    for name, shape in enumerate(shapes, start=1):
        weights = dice.standard_normal(shape) * np.sqrt(2 / np.prod(shape[1:]))
        tensors |= {f"{name}.weight": weights.astype(np.float32), f"{name}.bias": np.zeros(shape[0], np.float32)}
    output = {"form": "classes", "view": "white", "values": [0.2, 0.5, 0.8], "edges": [-150, 150]}
    described = {"layers": json.dumps(layers), "output": json.dumps(output)}
    card = {"name": "random", "kind": "convolutional", "encoding": "bitmap-12x8x8", **described}
    write_brain(folder / "random.safetensors", card, tensors)
    return folder / "random.safetensors"


if __name__ == "__main__":
    main()
