"""M. Sabatelli, F. Bidoia, V. Codreanu, M. Wiering, *Learning to Evaluate Chess Positions with Deep Neural Networks and
Limited Lookahead*, 2018."""

from typing import Final

from okapi.papers.page import as_paper
from okapi.papers.sabatelli2018.page import PAGE

__all__ = ["EXPERIMENTS", "PAPER"]

EXPERIMENTS: Final[dict[str, str]] = {
    "tables": "okapi.papers.sabatelli2018.training:tables",
    "splits": "okapi.papers.sabatelli2018.training:splits",
    "normalisation": "okapi.papers.sabatelli2018.training:normalisation",
    "kaufman": "okapi.papers.sabatelli2018.play:kaufman",
    "strength": "okapi.papers.sabatelli2018.play:strength",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""

PAPER: Final = as_paper(PAGE, EXPERIMENTS)
