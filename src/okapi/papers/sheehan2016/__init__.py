"""J. Sheehan, *Neural Networks for Chess State Evaluation*, Princeton, 2016."""

from typing import Final

__all__ = ["EXPERIMENTS"]

EXPERIMENTS: Final[dict[str, str]] = {
    "networks": "okapi.papers.sheehan2016.networks:networks",
    "consecutive": "okapi.papers.sheehan2016.networks:consecutive",
    "certainty": "okapi.papers.sheehan2016.certainty:certainty",
    "storms": "okapi.papers.sheehan2016.storms:storms",
    "strength": "okapi.papers.sheehan2016.strength:strength",
    "deep_pink": "okapi.papers.sheehan2016.deep_pink:deep_pink",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""
