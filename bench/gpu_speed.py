"""Samples a second that ChessNet-1 and our one network learn from, and whether compiled gradients are the eager ones.

python bench/gpu_speed.py GAMES.okapi [--seconds 4] [--batch 1000 8192] [--device cuda]
"""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import nn

from okapi.data.store import Store
from okapi.models import make_model
from okapi.papers.singh2015.jobs import training_jobs
from okapi.recipes.game_jobs import GamePositions, GameTarget
from okapi.training.devices import GpuMonitor, Ranks, find_device
from okapi.training.supervised import LOSSES, Dataset, SupervisedConfig, SupervisedTask, predict

GAMES = 20_000
WARM_UP = 12


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, metavar="GAMES.okapi")
    parser.add_argument("--seconds", type=float, default=4.0, help="for each line")
    parser.add_argument("--size", default="full", help="of the networks: tiny, quick or full")
    parser.add_argument("--jobs", nargs="+", default=["piece", "ours"])
    parser.add_argument("--batch", nargs="+", type=int, default=[1000, 2048, 8192])
    parser.add_argument("--device", default="auto")
    args = parser.parse_args()
    device = find_device(args.device)
    torch.set_float32_matmul_precision("high")
    store = Store.open(args.games)
    begun = time.perf_counter()
    positions = GamePositions.of(store, np.arange(min(GAMES, len(store))))
    seconds = time.perf_counter() - begun
    print(json.dumps({"positions": len(positions.rows), "a second": round(len(positions.rows) / seconds)}), flush=True)
    for name in args.jobs:
        job = training_jobs(args.size)[name]
        taught = GameTarget(task=job.target.task).dataset(positions)
        print(json.dumps({"job": name, "compiled gradients differ by": _apart(job.plan, taught, device)}))
        for batch in args.batch:
            for compiled in (False, True):
                plan = replace(job.plan, batch=batch, compile=compiled)
                print(json.dumps({"job": name, **_speed(plan, taught, device, args.seconds)}), flush=True)


def _speed(plan: SupervisedConfig, taught: Dataset, device: torch.device, seconds: float) -> dict[str, object]:
    task = SupervisedTask(plan, taught, taught, device, Ranks())
    task.begin_epoch(0)
    for _ in range(WARM_UP):
        task.step(0)
    float(task.total)
    begun, steps = time.perf_counter(), 0
    with GpuMonitor(device) as busy:
        while time.perf_counter() - begun < seconds:
            for _ in range(20):
                task.step(0)
            float(task.total)
            steps += 20
    spent = time.perf_counter() - begun
    told = {"batch": plan.batch, "compiled": plan.compile, "samples a second": round(steps * plan.batch / spent)}
    return {**told, "busy": busy.share}


def _apart(plan: SupervisedConfig, taught: Dataset, device: torch.device) -> float:
    """The largest difference between compiled and eager gradients, as a share of the largest gradient of its tensor."""
    model = make_model(plan.model, plan.arguments).to(device).eval()
    rows = torch.from_numpy(taught.positions[:1024]).to(device)
    targets = torch.from_numpy(taught.targets[:1024]).to(device)
    plain = replace(plan, precision="float32")
    found = []
    compiled: nn.Module = torch.compile(model)  # type: ignore[assignment]
    for network in (model, compiled):
        model.zero_grad(set_to_none=True)
        LOSSES[plan.loss](predict(network, rows, plain, device), targets, 0.0).backward()
        found.append([weights.grad.clone() for weights in model.parameters() if weights.grad is not None])
    return max(float((a - b).abs().max() / a.abs().max().clamp(min=1e-12)) for a, b in zip(*found, strict=True))


if __name__ == "__main__":
    main()
