"""E. Vázquez-Fernández, *An Evolutionary Approach for Tuning a Chess Evaluation Function*, thesis, CINVESTAV, 2012."""

from typing import Final

from okapi.papers.page import as_paper
from okapi.papers.vazquez2012.page import PAGE

__all__ = ["EXPERIMENTS", "PAPER"]

EXPERIMENTS: Final[dict[str, str]] = {
    "pieces": "okapi.papers.vazquez2012.pieces:pieces",
    "pieces_rating": "okapi.papers.vazquez2012.pieces:pieces_rating",
    "five": "okapi.papers.vazquez2012.weights:five_weights",
    "exploration": "okapi.papers.vazquez2012.weights:exploration",
    "exploitation": "okapi.papers.vazquez2012.weights:exploitation",
    "exploitation_games": "okapi.papers.vazquez2012.weights:exploitation_games",
    "exploration_rating": "okapi.papers.vazquez2012.weights:exploration_rating",
    "beyond": "okapi.papers.vazquez2012.beyond:beyond",
    "beyond_rating": "okapi.papers.vazquez2012.beyond:beyond_rating",
    "beyond_pieces": "okapi.papers.vazquez2012.pieces:beyond_pieces",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""

PAPER: Final = as_paper(PAGE, EXPERIMENTS)
