"""
Scores of the seven whole networks of singh2015 where they were trained, for the folder of `okapi paper singh2015`.

python bench/whole_seven.py JOBS whole.npz [--device cuda] [--positions 50000] [--seed 1]

Whole networks are too large to be sent back; their scores of the test positions and of all queen moves are 4 MB.
"""

import argparse
import json
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.brains.card import ModelCard
from okapi.brains.evaluation import read_encoding
from okapi.brains.move_prediction import Predictor, SevenNetworks, SquareNetwork
from okapi.core import Kind
from okapi.encodings.boards import move_squares, moving_kinds
from okapi.models import make_model
from okapi.models.express import restore
from okapi.papers.singh2015.accuracy import AT_ONCE, SCORES, score
from okapi.papers.singh2015.jobs import NETWORKS
from okapi.papers.singh2015.training import EvaluationSet
from okapi.recipes.arrays import TEST
from okapi.recipes.game_jobs import GameJobs
from okapi.recipes.moves import PlayedMoves
from okapi.training.devices import find_device
from okapi.training.report import read_network


@dataclass(frozen=True, slots=True)
class TorchNetwork:
    """A trained network on a GPU, in 32 bits."""

    model: torch.nn.Module
    device: torch.device

    @torch.no_grad()
    def answers(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        batches = torch.from_numpy(np.ascontiguousarray(inputs, np.float32)).split(4096)
        return np.concatenate([self.model(batch.to(self.device)).float().cpu().numpy() for batch in batches])


def whole_seven(jobs: GameJobs, device: torch.device) -> Predictor:
    """The networks of the jobs `piece` to `king`."""
    networks = {}
    for name in NETWORKS:
        plan = jobs.jobs[name].plan
        model = make_model(plan.model, plan.arguments)
        restore(model, read_network(jobs.job_folder(name)))
        network = TorchNetwork(model.to(device).eval(), device)
        networks[name] = SquareNetwork(read_encoding(plan.encoding), network)
    nowhere = ModelCard(
        name="whole", kind="seven-networks", encoding="", path=Path(), size=0, weights=0, tensors={}, metadata={}
    )
    return Predictor(nowhere, SevenNetworks(networks))


def scores(brain: Predictor, tests: EvaluationSet) -> NDArray[np.void]:
    begins = range(0, len(tests), AT_ONCE)
    parts = [tests.take(np.arange(begin, min(begin + AT_ONCE, len(tests)))) for begin in begins]
    return np.concatenate([np.zeros(0, SCORES), *(score(brain, part) for part in parts)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", type=Path, metavar="JOBS")
    parser.add_argument("out", type=Path, metavar="whole.npz")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--positions", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    jobs = GameJobs.read(args.jobs)
    brain = whole_seven(jobs, find_device(args.device))
    played = PlayedMoves.played(jobs.store, np.flatnonzero(jobs.parts == TEST))
    columns = {each.name: getattr(played, each.name) for each in fields(PlayedMoves)}
    tests = EvaluationSet(**columns, seen=np.zeros(len(played), np.bool_))
    moved = moving_kinds(tests.positions, move_squares(tests.moves)[0])
    some = scores(brain, tests.some(args.positions, args.seed))
    queens = scores(brain, tests.take(np.flatnonzero(moved == Kind.QUEEN.value)))
    np.savez_compressed(args.out, some=some, queens=queens)
    told = {
        "positions": len(some),
        "queens": len(queens),
        "illegal_queens": float(queens["target"]["illegal"].mean()),
        "whole": {k: float((some["move"]["masked"] <= k).mean()) for k in (1, 3, 10)},
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
