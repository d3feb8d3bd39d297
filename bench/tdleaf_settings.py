"""
Which settings of TD-Leaf teach most? Games are played once; then everybody learns from the same leaves.

    python bench/tdleaf_settings.py record --brain bootstrap.safetensors --games games.okapi --to games.npz
    python bench/tdleaf_settings.py learn games.npz --brain bootstrap.safetensors --labels labels.samples \
        --change discount=0.97 plies=32 --change loss=absolute
    python bench/tdleaf_settings.py judge run/stages/*.safetensors --labels labels.samples

What is learned is measured by how opinions of quiet positions agree with a teacher's: of all, and of those in which
material is even. The teacher's values are never learned from.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.brains import evaluator
from okapi.core.evaluation import evaluate
from okapi.core.packed import NO_VALUE
from okapi.core.selfplay import TdLeafGames, play_tdleaf
from okapi.data.sources import read_samples
from okapi.data.store import Store
from okapi.encodings import move_squares
from okapi.formats.samples import SampleOptions, SampleView
from okapi.training.optimisers import make_optimiser, rate_at, set_rate
from okapi.training.tdleaf import LOSSES, OURS, leaf_targets
from okapi.training.tdleaf_learners import CENTIPAWNS, StorePositions, evaluator_of, find_learner

AT_ONCE = 256
"""Games between two lines of progress."""
CHUNKS = 20
"""Of labels, some thousand each."""
MOST = 3000
"""Centipawns: beyond, everybody agrees."""


@dataclass(frozen=True)
class Teacher:
    """Quiet positions of games, whose results are known, and what a teacher says of them."""

    positions: NDArray[np.void]
    y: NDArray[np.float64]
    even: NDArray[np.bool_]

    @classmethod
    def read(cls, path: Path) -> "Teacher":
        rows = np.concatenate(list(islice(read_samples(path, options=SampleOptions(view=SampleView.MOVER)), CHUNKS)))
        target = move_squares(rows["move"])[1].astype(np.uint64)
        quiet = (rows["position"]["occupied"] >> target & np.uint64(1)) == 0
        known = (rows["value"] != NO_VALUE) & (np.abs(rows["value"].astype(int)) <= MOST)
        chosen = rows[quiet & known & (rows["move"] != 0) & (rows["result"] >= 0)]
        positions = np.ascontiguousarray(chosen["position"])
        even = evaluate([evaluator("material")], positions)[0] == 0
        return cls(positions, np.tanh(chosen["value"] / CENTIPAWNS), even)

    def agrees(self, said: NDArray[Any]) -> dict[str, float]:
        """Correlations of opinions, as y, with the teacher's."""
        every = np.corrcoef(said, self.y)[0, 1]
        even = np.corrcoef(said[self.even], self.y[self.even])[0, 1]
        return {"positions": len(said), "correlation": round(float(every), 4), "even": round(float(even), 4)}


def record(brain: str, games: Path, count: int, plies: int, nodes: int, threads: int) -> Iterator[TdLeafGames]:
    """Games of a brain against itself."""
    pupil, starts, dice = evaluator_of(find_learner(brain)), StorePositions(Store.open(games)), np.random.default_rng(5)
    for number in range(0, count, AT_ONCE):
        yield play_tdleaf(pupil, starts.draw(AT_ONCE, dice), plies=plies, nodes=nodes, seed=1 + number, threads=threads)


def learn(path: Path, brain: str, changes: dict[str, Any], count: int) -> Any:
    """The opinions of a brain after it learned from recorded games, as a function of positions."""
    kept = np.load(path)
    how = {**OURS, **changes}
    played = TdLeafGames(**{name: kept[name][:count, : how["plies"]] for name in kept.files})
    rule = {name: how[name] for name in ("same_side", "late", "learn_from", "least_plies")}
    leaves, _ = leaf_targets(played, how["discount"], **rule)
    pupil = find_learner(brain)
    told = {"name": how["optimiser"]["name"], "lr": how.get("lr", how["optimiser"]["lr"])}
    optimiser = make_optimiser(told, pupil.module.parameters(), torch.device("cpu"))
    batch, dice = how["batch"] or 256, np.random.default_rng(1)
    steps = max(1, round(len(leaves) * how["reuse"] / batch))
    for step in range(steps):
        set_rate(optimiser, rate_at(told, how["schedule"], step, steps))
        drawn = leaves.take(dice.integers(len(leaves), size=batch))
        loss = LOSSES[how["loss"]](pupil.values(drawn.positions).tanh(), torch.from_numpy(drawn.targets))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return pupil


def _read(change: str) -> tuple[str, Any]:
    name, _, value = change.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


@torch.no_grad()
def _opinions(pupil: Any, teacher: Teacher) -> NDArray[Any]:
    return np.asarray(pupil.values(teacher.positions).tanh().numpy())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("record", "learn", "judge"))
    parser.add_argument("files", nargs="*", type=Path, help="recorded games, or brains to judge")
    parser.add_argument("--brain", help="who plays, and begins to learn")
    parser.add_argument("--games", type=Path, help="a game store")
    parser.add_argument("--count", type=int, default=15_360, help="games to record, or to learn from")
    parser.add_argument("--plies", type=int, default=32)
    parser.add_argument("--nodes", type=int, default=256)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--to", type=Path)
    parser.add_argument("--labels", type=Path)
    parser.add_argument("--change", nargs="*", action="append", default=[], metavar="KEY=VALUE")
    args = parser.parse_args()
    torch.set_num_threads(1)
    if args.do == "record":
        parts = list(record(args.brain, args.games, args.count, args.plies, args.nodes, args.threads))
        joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in TdLeafGames.__slots__}
        np.savez(args.to, **joined)  # type: ignore[arg-type]
        return
    teacher = Teacher.read(args.labels)
    if args.do == "judge":
        for path in args.files:
            print(json.dumps({"brain": str(path), **teacher.agrees(_opinions(find_learner(str(path)), teacher))}))
        return
    for changes in args.change or [[]]:
        pupil = learn(args.files[0], args.brain, dict(map(_read, changes)), args.count)
        print(json.dumps({"changes": changes, **teacher.agrees(_opinions(pupil, teacher))}), flush=True)


if __name__ == "__main__":
    main()
