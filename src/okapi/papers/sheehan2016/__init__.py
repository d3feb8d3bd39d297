"""J. Sheehan, *Neural Networks for Chess State Evaluation*, Princeton, 2016."""

from typing import Final

__all__ = ["EXPERIMENTS", "TRAININGS"]

EXPERIMENTS: Final[dict[str, str]] = {
    "networks": "okapi.papers.sheehan2016.networks:networks",
    "consecutive": "okapi.papers.sheehan2016.networks:consecutive",
    "certainty": "okapi.papers.sheehan2016.certainty:certainty",
    "storms": "okapi.papers.sheehan2016.storms:storms",
    "strength": "okapi.papers.sheehan2016.strength:strength",
    "deep_pink": "okapi.papers.sheehan2016.deep_pink:deep_pink",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""

TRAININGS: Final[dict[str, str]] = {
    "sheehan-a": "okapi.papers.sheehan2016.trainings:net_a",
    "sheehan-b": "okapi.papers.sheehan2016.trainings:net_b",
    "sheehan-c": "okapi.papers.sheehan2016.trainings:net_c",
    "sheehan-residual": "okapi.papers.sheehan2016.trainings:residual",
}
"""What `okapi train` can teach: names, and the functions that make the trainings; imported when asked for."""
