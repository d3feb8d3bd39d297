"""What somebody wants of a recipe: how much of it, with which seed and games, and what is to be different."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, get_args

from okapi.optimize.executor import Executor, ThreadExecutor
from okapi.settings import override

__all__ = ["SIZES", "Order", "Size"]

Size = Literal["tiny", "quick", "full"]
"""A look, minutes, or as the paper has it."""

SIZES: Final[tuple[Size, ...]] = get_args(Size)


@dataclass(frozen=True, slots=True)
class Order:
    """Given to a recipe, which makes something definite of it."""

    size: Size = "quick"
    seed: int = 1
    executor: Executor = field(default_factory=ThreadExecutor)
    games: Path | None = None
    """Games of masters: a PGN file or a game store. Without them a recipe that needs some plays its own."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Settings that are to be others than the recipe's; as text, or as what they are."""
    labels: Path | None = None
    """Labelled positions: a file of samples. Without them a recipe that needs some makes its own."""
    kept: Path | None = None
    """A folder for what takes long to make of them, so that it is made once."""

    def settings(self, usual: Mapping[str, Any]) -> dict[str, Any]:
        """The usual settings with the changes made: UsageError for one that the recipe does not have.

        >>> Order(changes={"sigma": "0.75"}).settings({"players": 20, "sigma": 0.05})
        {'players': 20, 'sigma': 0.75}
        """
        return override(usual, self.changes)
