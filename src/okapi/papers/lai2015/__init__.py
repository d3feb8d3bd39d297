"""M. Lai, *Giraffe: Using Deep Reinforcement Learning to Play Chess*, Imperial College London, 2015."""

from typing import Final

from okapi.papers.lai2015.page import PAGE
from okapi.papers.page import as_paper

__all__ = ["EXPERIMENTS", "PAPER"]

EXPERIMENTS: Final[dict[str, str]] = {
    "features": "okapi.papers.lai2015.representation:features",
    "representation": "okapi.papers.lai2015.representation:representation",
    "table_2": "okapi.papers.lai2015.learning:table_2",
    "tdleaf": "okapi.papers.lai2015.learning:tdleaf",
    "optimisers": "okapi.papers.lai2015.learning:optimisers",
    "move_network": "okapi.papers.lai2015.move_network:move_network",
    "sts": "okapi.papers.lai2015.engine:sts",
    "trees": "okapi.papers.lai2015.search:trees",
    "shapes": "okapi.papers.lai2015.search:shapes",
    "speed": "okapi.papers.lai2015.engine:speed",
    "strength": "okapi.papers.lai2015.engine:strength",
    "future": "okapi.papers.lai2015.search:future",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""

PAPER: Final = as_paper(PAGE, EXPERIMENTS)
