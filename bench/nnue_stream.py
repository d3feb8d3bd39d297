"""How fast `okapi train nnue-stream` makes, labels and learns: python bench/nnue_stream.py FILE.nnue GAMES.okapi."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from okapi import brains
from okapi.core.labelling import evaluated_positions, random_walks
from okapi.core.packed import rows
from okapi.data.store import Store
from okapi.formats.nnue_file import NnueFile
from okapi.models.halfka import HalfKaLabeller
from okapi.recipes.nnue_stream import game_positions
from okapi.training.devices import find_device
from okapi.training.nnue import NnueConfig, NnueDataset, NnueTask
from okapi.training.stream import boards_of_packed

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "brains"))

import halfka_twin

BATCHES = (16_384, 32_768)


def rate(count: int, work: Callable[[], object], device: torch.device) -> float:
    begun = time.perf_counter()
    work()
    if device.type == "cuda":
        torch.cuda.synchronize()
    return count / (time.perf_counter() - begun)


def take(task: NnueTask, steps: int) -> None:
    for _ in range(steps):
        task.step()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("teacher", type=Path)
    parser.add_argument("games", type=Path)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--count", type=int, default=1 << 23)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--batch", type=int, default=1 << 18, help="of the labeller")
    parser.add_argument("--neurons", type=int, nargs="+", default=[1024, 512])
    parser.add_argument("--king-buckets", type=int, default=1)
    parser.add_argument("--profile", action="store_true", help="print the labeller's kernels")
    parser.add_argument("--compared", type=int, default=2000)
    given = parser.parse_args()
    device, threads, count = find_device(given.device), os.cpu_count() or 1, given.count
    cuda = device.type == "cuda"
    begun = time.perf_counter()
    parents, _ = game_positions(Store.open(given.games), 8)
    found = {"threads": threads, "parents": len(parents), "parents_seconds": round(time.perf_counter() - begun, 1)}

    made: dict[str, Any] = {}
    champion = brains.evaluator("champion")
    found["walks_per_second"] = rate(
        count, lambda: made.update(walks=random_walks(parents, count, threads=threads)), torch.device("cpu")
    )
    found["searched_per_second"] = rate(
        count,
        lambda: made.update(searched=evaluated_positions(champion, parents, count, threads=threads)),
        torch.device("cpu"),
    )
    positions = np.concatenate([made["walks"][: count // 2], made["searched"][: count // 2]])
    print(json.dumps(found), flush=True)

    file = NnueFile.open(given.teacher)
    labeller = HalfKaLabeller(file, device, batch=given.batch, compiled=cuda)
    unpack = torch.compile(boards_of_packed) if cuda else boards_of_packed
    packed = torch.from_numpy(rows(positions)).to(device)
    codes = torch.empty(len(packed), 64, dtype=torch.uint8, device=device)
    turned = torch.empty(len(packed), dtype=torch.bool, device=device)

    def unpack_all() -> None:
        for at in range(0, len(packed), given.batch):
            here = slice(at, at + given.batch)
            codes[here], turned[here] = unpack(packed[here])

    unpack_all()
    found["unpacked_per_second"] = rate(len(packed), unpack_all, device)
    labeller(codes, turned)
    values = torch.empty(0)

    def label() -> None:
        nonlocal values
        values = labeller(codes, turned)

    found["labels_per_second"] = rate(len(packed), label, device)
    some = np.random.default_rng(1).choice(len(positions), given.compared, replace=False)
    twin = halfka_twin.values(file, positions[some])
    found["equal_to_numpy"] = int((values.cpu().numpy()[some] == twin).sum())
    found["compared"] = given.compared
    print(json.dumps(found), flush=True)
    if given.profile:
        with torch.profiler.profile() as profile:
            label()
            torch.cuda.synchronize()
        print(profile.key_averages().table(sort_by="cuda_time_total", row_limit=24, max_name_column_width=60))

    results = torch.full((len(codes),), -1, dtype=torch.int8, device=device)
    dataset = NnueDataset(codes, turned, values, results)
    for neurons in given.neurons:
        for batch in BATCHES:
            fast: dict[str, Any] = {"precision": "bf16", "compile": True} if cuda else {}
            kings = given.king_buckets
            sizes: dict[str, Any] = {"neurons": neurons, "king_buckets": kings, "batch": batch, "epochs": 100}
            config = NnueConfig(result=0.0, last_result=0.0, **sizes, **fast)
            torch.compiler.reset()  # each size is compiled for itself
            task = NnueTask(config, dataset, dataset, device)
            task.begin_epoch(0)
            for _ in range(10 if cuda else 1):
                task.step()
            per_second = rate(given.steps * batch, partial(take, task, given.steps), device)
            print(json.dumps({"neurons": neurons, "batch": batch, "samples_per_second": per_second}), flush=True)


if __name__ == "__main__":
    main()
