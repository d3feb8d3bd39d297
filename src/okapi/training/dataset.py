"""Positions with targets: from samples, games or self-play to arrays, tensors and a torch dataset."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from okapi.brains import evaluator
from okapi.brains.output import expected_scores
from okapi.core.packed import NO_VALUE, POSITION
from okapi.core.selfplay import play_games
from okapi.data.sources import read_positions
from okapi.encodings import find_encoding
from okapi.errors import InvalidSamples
from okapi.formats.samples.base import SkippedSamples

if TYPE_CHECKING:
    from torch import Tensor
    from torch import device as Device  # noqa: N812  (`torch` is a method of Dataset)

    from okapi.models.torch_encodings import EncodedDataset

ROW_BYTES: Final = (32, 36)  # of a packed position, and of one with four bytes more: okapi.models.torch_encodings
Target = Literal["value", "result"]


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """Packed positions, n x 32 bytes or n records, and targets: classes as int64, or numbers as float32.

    With the four further bytes of okapi.models.torch_encodings positions are n x 36. Where k positions make one sample,
    they are n x k x 32.

    >>> data = Dataset.selfplay("material", games=2, nodes=20)
    >>> inputs, targets = data.arrays("planes-18")
    >>> inputs.shape == (len(data), 18, 8, 8), bool((targets >= 0).all() and (targets <= 1).all())
    (True, True)
    """

    positions: NDArray[Any]
    targets: NDArray[Any]

    def __post_init__(self) -> None:
        row = ROW_BYTES[self.positions.dtype == np.uint8 and self.positions.shape[1:] == ROW_BYTES[1:]]
        shape = (-1, *self.positions.shape[1:-1], row)
        object.__setattr__(self, "positions", np.ascontiguousarray(self.positions).view(np.uint8).reshape(shape))
        if self.targets.shape != (len(self.positions),):
            raise InvalidSamples(f"{len(self.positions)} positions have targets of shape {self.targets.shape}")
        if self.targets.dtype not in (np.int64, np.float32):
            raise InvalidSamples(f"targets are {self.targets.dtype}", hint="classes are int64, numbers float32")
        if not np.isfinite(self.targets).all():
            raise InvalidSamples("a target is not a finite number")

    @classmethod
    def load(cls, path: Path | str, *, target: Target = "value") -> Self:
        """The positions of a file of samples, a game store or a PGN, with expected scores of the side to move.

        These are the teacher's values, or the games' results; positions without one are left out.
        """
        chunks = [chunk.rows for chunk in read_positions([path], SkippedSamples())]
        if not chunks:
            raise InvalidSamples(f"`{path}` has no positions")
        return cls.from_samples(np.concatenate(chunks), target=target)

    @classmethod
    def selfplay(
        cls,
        brain: Path | str = "champion",
        *,
        games: int = 100,
        nodes: int = 500,
        seed: int = 1,
        threads: int = 1,
        target: Target = "value",
    ) -> Self:
        """Positions of games that a brain plays against itself now; the same arguments give the same positions."""
        rows = play_games(evaluator(str(brain)), games=games, nodes=nodes, seed=seed, threads=threads)
        return cls.from_samples(rows, target=target)

    @classmethod
    def from_samples(cls, rows: NDArray[np.void], *, target: Target = "value") -> Self:
        """Of rows of okapi.core.packed.SAMPLE."""
        rows = rows[rows["value"] != NO_VALUE if target == "value" else rows["result"] >= 0]
        if not len(rows):
            hint = "`okapi label` gives positions their values" if target == "value" else "the games need results"
            raise InvalidSamples(f"no position has a {target}", hint=hint)
        scores = expected_scores(rows["value"]) if target == "value" else rows["result"] / 2
        return cls(rows["position"], scores.astype(np.float32))

    def arrays(self, encoding: str, *, threads: int = 1) -> tuple[NDArray[np.float32], NDArray[Any]]:
        """All positions as an encoding's arrays, float32, and the targets."""
        return find_encoding(encoding).encode_many(self.records, np.float32, threads=threads), self.targets

    def torch(self, encoding: str) -> "EncodedDataset":
        """The same as a torch.utils.data.Dataset, encoded batch by batch."""
        from okapi.models.torch_encodings import EncodedDataset

        return EncodedDataset(self.positions, self.targets, encoding)

    @property
    def records(self) -> NDArray[np.void]:
        return self.positions.view(POSITION).reshape(-1)

    def __len__(self) -> int:
        return len(self.positions)

    def fingerprint(self) -> str:
        digest = hashlib.blake2b(self.positions.data, digest_size=16)
        digest.update(np.ascontiguousarray(self.targets).data)
        return digest.hexdigest()

    def on(self, device: "Device") -> "tuple[Tensor, Tensor]":
        import torch

        positions = torch.from_numpy(np.array(self.positions))
        return positions.to(device), torch.from_numpy(np.array(self.targets)).to(device)
