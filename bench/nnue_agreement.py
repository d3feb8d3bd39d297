"""
Does the core say of a million positions what torch says with the same whole numbers, and how far are fractions from it?

    python bench/nnue_agreement.py                                   # random weights
    python bench/nnue_agreement.py --brain champion --positions 1_000_000
    python bench/nnue_agreement.py --brain champion --samples labels.samples
    python bench/nnue_agreement.py --brain brain.safetensors --run runs/training

Positions are those of random games, or of a file of samples. Everything has to be the same, to the last centipawn: the
evaluator of the core as a search uses it, torch (okapi.models.nnue.whole_values), and of some plain numpy
(tests/brains/nnue_twin.py). With --run, the weights before they were rounded say how much rounding changed.
"""

import argparse
import itertools
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from okapi import brains
from okapi.brains.nnue import QuantisedNnue
from okapi.core.evaluation import evaluate
from okapi.core.packed import random_positions
from okapi.data.sources import read_samples
from okapi.models.nnue import Nnue, whole_values
from okapi.training.nnue import WEIGHTS_FILE, NnueDataset, read_weights
from okapi.training.shards import unlabelled_shard

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "brains"))

import nnue_twin

AT_A_TIME = 1 << 14
IN_NUMPY = 1 << 9
"""Of each piece: numpy takes its time."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--brain", help="a name or a file; 256 neurons of random weights if not given")
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--samples", type=Path, help="positions of a file instead of random games")
    parser.add_argument("--run", type=Path, help="the folder in which the brain was trained")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = brains.find(args.brain) if args.brain else Path(folder) / "random.safetensors"
        if not args.brain:
            path.write_bytes(nnue_twin.random_network(256).file({"name": "random"}))
        told = compared(path, pieces(args.samples, args.positions), args.run, args.threads)
    print(json.dumps({**told, "seconds": round(time.perf_counter() - begun, 1)}))
    return 0 if told["differences"] == 0 else 1


def compared(path: Path, positions: Iterator[NDArray[np.void]], run: Path | None, threads: int) -> dict[str, object]:
    """How many values differ, and by how much fractions do."""
    network, core = QuantisedNnue.open(path), brains.evaluator(str(path))
    before = None if run is None else learned(run, network)
    count = differences = numpy_differences = 0
    spread, apart = [], []
    for piece in positions:
        lessons = NnueDataset.from_shard(unlabelled_shard(piece), torch.device("cpu"))
        values = evaluate([core], piece, threads=threads)[0]
        whole = whole_values(network.tensors(), network.scale, lessons.codes, lessons.turned)
        differences += int((whole.numpy() != values).sum())
        numpy_differences += int((nnue_twin.values(network, piece[:IN_NUMPY]) != values[:IN_NUMPY]).sum())
        count += len(piece)
        spread.append(float(values.std()))
        if before is not None:
            with torch.no_grad():
                fractions = before(lessons.codes, lessons.turned, sparse=True) * network.scale
            apart.append(float((fractions - whole).abs().mean()))
        print(f"{count:,} positions, {differences + numpy_differences} differences", end="\r", file=sys.stderr)
    told = {"brain": path.stem, "positions": count, "differences": differences + numpy_differences}
    told["spread"] = round(float(np.mean(spread)), 1)
    return told | ({"rounding_centipawns": round(float(np.mean(apart)), 3)} if apart else {})


def learned(run: Path, network: QuantisedNnue) -> Nnue:
    """The network before its weights were rounded."""
    model = Nnue(network.neurons, len(network.output_bias))
    model.load_state_dict(read_weights(run / WEIGHTS_FILE))
    return model.eval()


def pieces(samples: Path | None, count: int) -> Iterator[NDArray[np.void]]:
    """So many positions, some thousand at a time."""
    if samples is None:
        several = (random_positions(AT_A_TIME, seed=seed) for seed in itertools.count(1))
    else:
        rows = (rows["position"] for rows in read_samples(samples))
        several = (piece[begin : begin + AT_A_TIME] for piece in rows for begin in range(0, len(piece), AT_A_TIME))
    for piece in several:
        yield np.ascontiguousarray(piece[:count])
        count -= len(piece)
        if count <= 0:
            return


if __name__ == "__main__":
    sys.exit(main())
