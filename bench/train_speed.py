"""
How fast a perceptron is trained on this processor, as a share of how fast it multiplies matrices.

    python bench/train_speed.py
    python bench/train_speed.py --batch 128 --threads 1 --rounds 9

What is compared. Work: the multiplications and additions of the matrix products of training, that is 2 for each weight
and sample forwards, 2 for its gradient, and 2 for the gradient of its inputs, which the first layer does not need.
Time: all that `train_supervised` spends between two looks: gathering positions, expanding them from packed
bytes, forwards, loss, backwards, Adam. The machine's rate: products of 2048 x 2048 float32 matrices by torch, on as many
threads, measured before and after each round; `at these shapes` is the rate of the same products of a step alone,
without anything around them. Shares are medians over rounds.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch

from okapi.core.packed import random_positions, rows
from okapi.training.supervised import Dataset, SupervisedConfig, train_supervised

LAYERS = (768, 1048, 500, 50, 3)
"""sabatelli2018, dataset 1."""

SIDE = 2048


def per_second(work: Callable[[], object], at_least_s: float = 0.5) -> float:
    """How often a second; the best of several tries."""
    work()
    best, until = 0.0, time.perf_counter() + at_least_s
    while time.perf_counter() < until:
        begun = time.perf_counter()
        work()
        best = max(best, 1 / (time.perf_counter() - begun))
    return best


def square_rate() -> float:
    """FLOP/s of large square products."""
    one, two = torch.rand(SIDE, SIDE), torch.rand(SIDE, SIDE)
    return 2.0 * SIDE**3 * per_second(lambda: one @ two)


def shapes_rate(batch: int) -> float:
    """FLOP/s of the products of a step, one after the other."""
    layers = list(pairwise(LAYERS))
    inputs = [torch.rand(batch, width) for width, _ in layers]
    weights = [torch.rand(width, before) for before, width in layers]
    errors = [torch.rand(batch, width) for _, width in layers]

    def products() -> None:
        for number, (x, w, e) in enumerate(zip(inputs, weights, errors, strict=True)):
            torch.nn.functional.linear(x, w)
            e.t() @ x
            if number:
                e @ w

    return flops_of_a_sample() * batch * per_second(products)


def flops_of_a_sample() -> int:
    products = [before * width for before, width in pairwise(LAYERS)]
    return 2 * (3 * sum(products) - products[0])


def training_rate(lessons: Dataset, batch: int, seed: int) -> float:
    """Samples a second, as a report tells them."""
    plan = SupervisedConfig(
        model="okapi.models.perceptron:perceptron",
        arguments={"inputs": LAYERS[0], "hidden": list(LAYERS[1:-1]), "outputs": LAYERS[-1]},
        encoding="bitmap-768",
        loss="cross-entropy",
        optimiser={"name": "adam", "lr": 0.001},
        batch=batch,
        epochs=1,
        seed=seed,
    )
    few = Dataset(lessons.positions[:batch], lessons.targets[:batch])
    with tempfile.TemporaryDirectory() as folder:
        return train_supervised(plan, lessons, few, few, Path(folder), device="cpu").samples_per_second


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batch", type=int, nargs="+", default=[128, 256, 512, 1024])
    parser.add_argument("--threads", type=int, default=0, help="as many as there are processors if not given")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=40_000)
    args = parser.parse_args()
    if args.threads:
        torch.set_num_threads(args.threads)
    positions = rows(random_positions(args.samples, seed=1))
    lessons = Dataset(positions, np.random.default_rng(1).integers(0, LAYERS[-1], len(positions)))
    for batch in args.batch:
        shares, at_shapes, rates, squares = [], [], [], []
        for number in range(args.rounds):
            before = square_rate()
            shapes = shapes_rate(batch)
            samples = training_rate(lessons, batch, seed=number)
            square = (before + square_rate()) / 2
            shares.append(samples * flops_of_a_sample() / square)
            at_shapes.append(samples * flops_of_a_sample() / shapes)
            rates.append(samples)
            squares.append(square)
        told = {
            "batch": batch,
            "threads": torch.get_num_threads(),
            "samples_per_second": round(statistics.median(rates)),
            "training_gflops": round(statistics.median(rates) * flops_of_a_sample() / 1e9, 1),
            "square_gflops": round(statistics.median(squares) / 1e9, 1),
            "share_of_square": round(statistics.median(shares), 3),
            "share_at_these_shapes": round(statistics.median(at_shapes), 3),
        }
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
