"""E. Vázquez-Fernández, *An Evolutionary Approach for Tuning a Chess Evaluation Function*, thesis, CINVESTAV, 2012."""

from typing import Final

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: Final[dict[str, str]] = {
    "pieces": "okapi.papers.vazquez2012.pieces_experiments:pieces",
    "pieces_rating": "okapi.papers.vazquez2012.pieces_experiments:pieces_rating",
    "five": "okapi.papers.vazquez2012.five_experiments:five_weights",
    "exploration": "okapi.papers.vazquez2012.twenty_eight_experiments:exploration",
    "exploitation": "okapi.papers.vazquez2012.twenty_eight_experiments:exploitation",
    "exploitation_games": "okapi.papers.vazquez2012.twenty_eight_experiments:exploitation_games",
    "exploration_rating": "okapi.papers.vazquez2012.twenty_eight_experiments:exploration_rating",
    "beyond": "okapi.papers.vazquez2012.beyond:beyond",
    "beyond_rating": "okapi.papers.vazquez2012.beyond:beyond_rating",
    "beyond_pieces": "okapi.papers.vazquez2012.pieces_experiments:beyond_pieces",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""
