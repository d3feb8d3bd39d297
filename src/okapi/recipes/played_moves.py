"""Positions of a game store with the moves played there."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.core import Color
from okapi.core.packed import rows
from okapi.data.store import Store
from okapi.encodings.boards import move_squares
from okapi.encodings.layers import UNKNOWN_ELO
from okapi.training.supervised import Dataset

__all__ = ["PROMOTION", "PlayedMoves", "all_plies"]

DRAWN: Final = 1
"""The outcome of a game with an unknown result."""

PROMOTION: Final = 1
"""The type of a promotion, in the two highest bits of a move."""

PROMOTIONS: Final = (3, 2, 1, 0)
"""Queen, rook, bishop, knight: two bits of a move that promotes."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlayedMoves:
    """Positions and the moves played: arrays of one length."""

    positions: NDArray[np.void]
    """POSITION."""
    moves: NDArray[np.uint16]
    """Move.bits."""
    elos: NDArray[np.int32]
    """The mover's rating."""
    plies: NDArray[np.int32]
    """Moves of both sides that were played before."""
    games: NDArray[np.int64]
    """The number of the game in its store."""
    outcomes: NDArray[np.int8]
    """For the mover: 0 lost, 1 drawn, 2 won; -1 unknown."""

    @classmethod
    def played(cls, store: Store, games: ArrayLike, side: Color | None = None) -> "PlayedMoves":
        """The moves of some games of a store; of one side, or of both."""
        chosen = np.asarray(games, np.int64)
        which, plies = all_plies(store, chosen)
        samples = store.samples(which, plies)
        columns = store.columns()
        if columns.has_best[chosen].any():  # where samples have what would have been better
            samples["move"] = [move.bits for game in chosen.tolist() for move in store.record(game).moves]
        turn = samples["position"]["turn"]
        elos = np.where(turn == 0, columns.white_elo[which], columns.black_elo[which])
        every = PlayedMoves(
            positions=np.ascontiguousarray(samples["position"]),
            moves=samples["move"].astype(np.uint16),
            elos=np.where(elos > 0, elos, UNKNOWN_ELO).astype(np.int32),
            plies=plies.astype(np.int32),
            games=which,
            outcomes=samples["result"].astype(np.int8),
        )
        there = every.moves != 0
        return every.take(there if side is None else there & (turn == (side is Color.BLACK)))

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        return cls(**{each.name: np.concatenate([getattr(one, each.name) for one in several]) for each in fields(cls)})

    def __len__(self) -> int:
        return len(self.moves)

    def take(self, which: NDArray[Any]) -> Self:
        """Those with these numbers, or for which this is true."""
        return type(self)(**{each.name: getattr(self, each.name)[which] for each in fields(self)})

    def dataset(self) -> Dataset:
        """Positions of 36 bytes, for okapi.models.torch_encodings, and 64 · from + to, as the mover counts."""
        origin, target = move_squares(self.moves)
        more = np.zeros((len(self), 4), np.uint8)
        more[:, :2] = self.elos.astype("<u2")[:, None].view(np.uint8)
        more[:, 2] = origin
        more[:, 3] = np.where(self.outcomes < 0, DRAWN, self.outcomes)
        turned = 56 * self.positions["turn"].astype(np.int64)
        return Dataset(np.hstack([rows(self.positions), more]), 64 * (origin ^ turned) + (target ^ turned))

    def promotions(self) -> list[float]:
        """The shares of queen, rook, bishop and knight among what pawns became; the queen's is 1 where none did."""
        promoting = self.moves[self.moves >> 14 == PROMOTION]
        counts = np.array([(promoting >> 12 & 3 == kind).sum() for kind in PROMOTIONS], np.float64)
        if not counts.any():
            counts[0] = 1
        return [round(float(share), 6) for share in counts / counts.sum()]


def all_plies(store: Store, games: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Every position in which a move was played: its game, and the moves before."""
    plies = store.plies()[games].astype(np.int64)
    return np.repeat(games, plies), np.arange(plies.sum()) - np.repeat(plies.cumsum() - plies, plies)
