"""E. Vázquez-Fernández, *An Evolutionary Approach for Tuning a Chess Evaluation Function*, thesis, CINVESTAV, 2012."""

from typing import Final

__all__ = ["EXPERIMENTS", "RECIPES"]

RECIPES: Final[dict[str, str]] = {"vazquez-pieces": "okapi.papers.vazquez2012.pieces:recipe"}
"""What `okapi evolve` can raise: names, and the functions that make the recipes; imported when they are asked for."""

EXPERIMENTS: Final[dict[str, str]] = {}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""
