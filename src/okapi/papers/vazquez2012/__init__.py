"""E. Vázquez-Fernández, *An Evolutionary Approach for Tuning a Chess Evaluation Function*, thesis, CINVESTAV, 2012."""

from typing import Final

__all__ = ["EXPERIMENTS", "RECIPES"]

RECIPES: Final[dict[str, str]] = {
    "vazquez-pieces": "okapi.papers.vazquez2012.pieces:recipe",
    "vazquez-pieces-results": "okapi.papers.vazquez2012.pieces_results:recipe",
    "vazquez-five": "okapi.papers.vazquez2012.five:recipe",
    "vazquez-28": "okapi.papers.vazquez2012.twenty_eight:recipe",
    "vazquez-exploitation": "okapi.papers.vazquez2012.exploitation:recipe",
    "vazquez-28-de": "okapi.papers.vazquez2012.rivals:differential",
    "vazquez-28-cma": "okapi.papers.vazquez2012.rivals:cma",
    "vazquez-28-hooke": "okapi.papers.vazquez2012.rivals:hooke",
    "vazquez-28-results": "okapi.papers.vazquez2012.rivals:results",
    "vazquez-28-texel": "okapi.papers.vazquez2012.rivals:texel",
    "vazquez-35": "okapi.papers.vazquez2012.rivals:evolution_35",
    "vazquez-35-texel": "okapi.papers.vazquez2012.rivals:texel_35",
}
"""What `okapi evolve` can raise: names, and the functions that make the recipes; imported when they are asked for."""

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
