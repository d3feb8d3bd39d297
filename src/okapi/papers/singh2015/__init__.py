"""A. Singh, *Convolutional Neural Networks learn to play Chess* (ConvChess), IIT Kanpur, 2015."""

from typing import Final

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: Final[dict[str, str]] = {
    "training": "okapi.papers.singh2015.training:training",
    "networks": "okapi.papers.singh2015.networks:networks",
    "full_moves": "okapi.papers.singh2015.full_moves:full_moves",
    "opening": "okapi.papers.singh2015.opening:opening",
    "bands": "okapi.papers.singh2015.bands:bands",
    "cases": "okapi.papers.singh2015.cases:cases",
    "evaluation": "okapi.papers.singh2015.evaluation:evaluation",
    "trajectories": "okapi.papers.singh2015.trajectories:trajectories",
    "gameplay": "okapi.papers.singh2015.gameplay:gameplay",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""
