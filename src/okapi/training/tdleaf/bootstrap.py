"""The first lesson, of seconds: pieces are worth 1 3 3 5 9 pawns (lai2015, section 4.4)."""

from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.brains import evaluator
from okapi.core.evaluation import evaluate
from okapi.core.packed import random_positions
from okapi.training.tdleaf.errors import CENTIPAWNS
from okapi.training.tdleaf.pupils import Pupil
from okapi.training.tdleaf.starts import Starts

__all__ = ["bootstrap"]

BATCH: Final = 512
RATE: Final = 0.002


def bootstrap(pupil: Pupil, starts: Starts, *, positions: int, epochs: int, seed: int, threads: int = 1) -> float:
    """Teach a pupil material; the root of the mean squared error in the end, in units of y.

    Half of the positions are of random games, in which pieces hang and are lost, as in the leaves of a search.
    """
    torch.set_num_threads(1)
    dice = np.random.default_rng([seed, 0])
    played = starts.draw(positions // 2, dice)
    taught = np.concatenate([played, random_positions(positions - len(played), seed=seed)])
    material = evaluate([evaluator("material")], taught, threads=threads)[0]
    targets = torch.from_numpy(np.tanh(material / CENTIPAWNS).astype(np.float32))
    optimiser = torch.optim.Adam(pupil.module.parameters(), lr=RATE)
    steps = max(1, epochs * (len(taught) // BATCH))
    easing = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(steps):
        here = dice.integers(len(taught), size=BATCH)
        loss = (pupil.values(taught[here], threads=threads).tanh() - targets[here]).square().mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        easing.step()
    return _error(pupil, taught[:: max(1, len(taught) // 4096)], threads)


@torch.no_grad()
def _error(pupil: Pupil, positions: NDArray[np.void], threads: int) -> float:
    material = evaluate([evaluator("material")], positions, threads=threads)[0]
    said = pupil.values(positions, threads=threads).tanh().numpy()
    return float(np.sqrt(np.mean((said - np.tanh(material / CENTIPAWNS)) ** 2)))
