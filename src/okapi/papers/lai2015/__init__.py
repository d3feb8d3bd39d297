"""M. Lai, *Giraffe: Using Deep Reinforcement Learning to Play Chess*, Imperial College London, 2015."""

from typing import Final

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: Final[dict[str, str]] = {
    "features": "okapi.papers.lai2015.features:features",
    "representation": "okapi.papers.lai2015.representation:representation",
    "table_2": "okapi.papers.lai2015.table_2:table_2",
    "tdleaf": "okapi.papers.lai2015.tdleaf:tdleaf",
    "optimisers": "okapi.papers.lai2015.optimisers:optimisers",
    "move_network": "okapi.papers.lai2015.move_network:move_network",
    "sts": "okapi.papers.lai2015.sts:sts",
    "trees": "okapi.papers.lai2015.trees:trees",
    "shapes": "okapi.papers.lai2015.shapes:shapes",
    "speed": "okapi.papers.lai2015.speed:speed",
    "strength": "okapi.papers.lai2015.strength:strength",
    "future": "okapi.papers.lai2015.future:future",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""
