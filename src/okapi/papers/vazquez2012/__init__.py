"""E. Vázquez-Fernández, *An Evolutionary Approach for Tuning a Chess Evaluation Function*, thesis, CINVESTAV, 2012."""

from typing import Final

__all__ = ["RECIPES"]

RECIPES: Final[dict[str, str]] = {}
"""What `okapi evolve` can raise: a recipe's name, and the function that makes it of an Order; imported when asked for."""
