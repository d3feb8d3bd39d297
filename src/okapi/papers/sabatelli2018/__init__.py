"""M. Sabatelli, F. Bidoia, V. Codreanu, M. Wiering, *Learning to Evaluate Chess Positions with Deep Neural Networks and
Limited Lookahead*, 2018."""

from typing import Final

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: Final[dict[str, str]] = {
    "tables": "okapi.papers.sabatelli2018.teaching:tables",
    "splits": "okapi.papers.sabatelli2018.teaching:splits",
    "normalisation": "okapi.papers.sabatelli2018.normalisation:normalisation",
    "kaufman": "okapi.papers.sabatelli2018.kaufman:kaufman",
    "strength": "okapi.papers.sabatelli2018.strength:strength",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""
