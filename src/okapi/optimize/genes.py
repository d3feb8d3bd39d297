"""What a chromosome is made of."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["FloatArray", "Genes"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Genes:
    """Numbers with names, each within bounds of its own. A population is a row for each player, a column for each gene.

    >>> genes = Genes(("knight", "mobility"), np.array([100.0, 0.0]), np.array([500.0, 300.0]))
    >>> genes.clip(np.array([[90.0, 20.0], [320.0, 301.0]])).tolist()
    [[100.0, 20.0], [320.0, 300.0]]
    """

    names: tuple[str, ...]
    low: FloatArray
    high: FloatArray

    def __post_init__(self) -> None:
        if not self.low.shape == self.high.shape == (len(self.names),):
            raise ValueError(f"{len(self.names)} genes with {self.low.shape} lower and {self.high.shape} upper bounds")
        if not (self.low <= self.high).all():
            wrong = [name for name, low, high in zip(self.names, self.low, self.high, strict=True) if not low <= high]
            raise ValueError(f"the bounds of {', '.join(wrong)} leave no room")

    def __len__(self) -> int:
        return len(self.names)

    @property
    def width(self) -> FloatArray:
        """From bound to bound."""
        return self.high - self.low

    def random(self, rng: np.random.Generator, count: int) -> FloatArray:
        """A population of so many players, evenly spread within the bounds."""
        return rng.uniform(self.low, self.high, (count, len(self)))

    def clip(self, population: FloatArray) -> FloatArray:
        """The same players; a gene that is outside is put on the nearest bound."""
        return np.clip(population, self.low, self.high)
