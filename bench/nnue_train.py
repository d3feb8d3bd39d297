"""
Samples a second that the NNUE learns from, on whatever device is there.

    PYTHONPATH=src python bench/nnue_train.py                                    # 256 neurons, on a GPU if there is one
    python bench/nnue_train.py --device cpu --threads 2 --change neurons=128
    PYTHONPATH=src python bench/nnue_train.py --positions 20_000_000 --change compile=1 --change precision=bf16

Positions are made up, with as many men as games have on average, and lie in the device's memory as real ones do. Time is
all of a step: drawing a batch, unpacking it, forwards, loss, backwards, AdamW, keeping weights small. The median of
several rounds is told, and what a round of nothing but the first layer's products would reach. Needs torch and numpy alone.
"""

import argparse
import json
import statistics
import time

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.models.nnue import INPUTS
from okapi.training.devices import GpuMonitor, find_device
from okapi.training.nnue import NnueConfig, NnueDataset, NnueTask
from okapi.training.shards import Shard

MEN = (8, 32)
"""From few to all, evenly: 20 on average."""

WARM_UP = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=2_000_000)
    parser.add_argument("--seconds", type=float, default=3.0, help="of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--threads", type=int, default=0, help="on a CPU")
    parser.add_argument("--change", action="append", default=[], metavar="KEY=VALUE", help="of the plan")
    args = parser.parse_args()
    if args.threads:
        torch.set_num_threads(args.threads)
    device = find_device(args.device)
    plan = NnueConfig().changed(args.change)
    data = NnueDataset.from_shard(made_up(args.positions), device)
    task = NnueTask(plan, data, data, device)
    task.begin_epoch(0)
    for _ in range(WARM_UP):
        task.step()
    with GpuMonitor(device) as busy:
        rounds = [round_of(task, plan, args.seconds) for _ in range(args.rounds)]
    rates = [rate for rate, _ in rounds]
    told = {
        "device": torch.cuda.get_device_name(device)
        if device.type == "cuda"
        else f"cpu, {torch.get_num_threads()} threads",
        "neurons": plan.neurons,
        "batch": plan.batch,
        "changes": args.change,
        "samples_per_second": round(statistics.median(rates)),
        "rounds": [round(rate) for rate in rates],
        "a_processor_second": round(statistics.median(rate for _, rate in rounds)),
        "products_alone": round(products(plan, device, args.seconds)),
        "busy": busy.share,
    }
    print(json.dumps(told))


def round_of(task: NnueTask, plan: NnueConfig, seconds: float) -> tuple[float, float]:
    """Samples a second, and a second of the processors' time: on a CPU, other work does not change that much."""
    float(task.total)
    begun, worked, steps = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - begun < seconds:
        for _ in range(100 if task.batches > 100 else 1):
            if steps % task.batches == task.batches - WARM_UP - 1:
                task.begin_epoch(0)
            task.step()
            steps += 1
        float(task.total)
    samples = steps * plan.batch
    return samples / (time.perf_counter() - begun), samples / (time.process_time() - worked)


def products(plan: NnueConfig, device: torch.device, seconds: float) -> float:
    """Samples a second if dense products, forwards and backwards, were everything."""
    dtype = torch.bfloat16 if plan.precision == "bf16" else torch.float32
    ones = torch.rand(2 * plan.batch, INPUTS, device=device).to(dtype)
    weights = torch.rand(INPUTS, plan.neurons, device=device).to(dtype)
    begun, done = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds / 3:
        for _ in range(20 if device.type == "cuda" else 1):
            sums = ones @ weights
            gradient = ones.t() @ sums
        float(gradient[0, 0])
        done += 20 if device.type == "cuda" else 1
    return done * plan.batch / (time.perf_counter() - begun)


def made_up(count: int) -> Shard:
    """Boards with a king of each side and other men anywhere."""
    dice = np.random.default_rng(1)
    kinds = np.arange(1 << 14)
    codes = np.zeros((len(kinds), 64), np.uint8)
    for board, men in zip(codes, dice.integers(*MEN, len(kinds), endpoint=True), strict=True):
        board[dice.permutation(64)[:men]] = np.concatenate(
            [[6, 12], dice.choice([*range(1, 6), *range(7, 12)], men - 2)]
        )
    boards: NDArray[np.uint8] = codes[:, ::2] | (codes[:, 1::2] << 4).astype(np.uint8)
    which = dice.integers(0, len(kinds), count)
    return Shard(
        boards=boards[which],
        black=dice.integers(0, 2, count, np.uint8),
        values=dice.integers(-500, 500, count, np.int16),
        results=dice.integers(-1, 2, count, np.int8, endpoint=True),
        validation=0,
        about={},
    )


if __name__ == "__main__":
    main()
