"""From moves that were played to what is to be learned: the ends of principal variations, and a target for each."""

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.core.selfplay import LEARNS, NOTHING, TdLeafGames
from okapi.training.tdleaf.errors import errors, in_one_view

__all__ = ["CLOSE", "Leaves", "leaves_of"]

CLOSE: Final = 1 - 1e-6
"""A target beyond what tanh reaches could never be met."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """Packed positions, and for each what it should be worth to its side to move: -1 lost to 1 won."""

    positions: NDArray[np.void]
    targets: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.positions)

    def take(self, which: slice | NDArray[np.int64]) -> Self:
        """Those with these numbers."""
        return type(self)(self.positions[which], self.targets[which])

    @classmethod
    def joined(cls, parts: "list[Leaves]") -> Self:
        """All of them."""
        return cls(np.concatenate([part.positions for part in parts]), np.concatenate([part.targets for part in parts]))


def leaves_of(
    played: TdLeafGames, discount: float, *, same_side: bool, late: bool, learn_from: str, least_plies: int
) -> tuple[Leaves, float]:
    """What some moves teach, and the mean size of the errors.

    A leaf is learned from if its value can change and at least `least_plies` were played after it; `learn_from` is
    "all" such plies or the "start" alone.
    """
    ours = in_one_view(played.values)
    wrong = errors(ours, played.kinds, discount, same_side=same_side, late=late)
    plies = ours.shape[1]
    lasts = plies - 1 - np.argmax((played.kinds != NOTHING)[:, ::-1], axis=1)
    after = lasts[:, None] - np.arange(plies)
    learns = (played.kinds == LEARNS) & (after >= least_plies)
    if learn_from == "start":
        learns[:, 1:] = False
    signs = np.where((np.arange(plies) % 2 == 1) ^ played.turned, -1.0, 1.0)
    targets = np.clip((ours + wrong) * signs, -CLOSE, CLOSE)[learns]
    size = float(np.abs(wrong[learns]).mean()) if learns.any() else 0.0
    return Leaves(played.leaves[learns], targets.astype(np.float32)), size
