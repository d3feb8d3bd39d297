"""M. Sabatelli, F. Bidoia, V. Codreanu, M. Wiering, *Learning to Evaluate Chess Positions with Deep Neural Networks and
Limited Lookahead*, 2018."""

from typing import Final

__all__ = ["EXPERIMENTS", "TRAININGS"]

TRAININGS: Final[dict[str, str]] = {
    **{
        f"sabatelli-{network}-{dataset}": f"okapi.papers.sabatelli2018.trainings:{network}_{dataset}"
        for network in ("mlp", "cnn")
        for dataset in (1, 2, 3, 4)
    },
    "sabatelli-player": "okapi.papers.sabatelli2018.trainings:player",
}
"""What `okapi train` can teach: names, and the functions that make the trainings; imported when they are asked for."""

EXPERIMENTS: Final[dict[str, str]] = {
    "tables": "okapi.papers.sabatelli2018.teaching:tables",
    "splits": "okapi.papers.sabatelli2018.teaching:splits",
    "normalisation": "okapi.papers.sabatelli2018.normalisation:normalisation",
    "kaufman": "okapi.papers.sabatelli2018.kaufman:kaufman",
    "strength": "okapi.papers.sabatelli2018.strength:strength",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""
