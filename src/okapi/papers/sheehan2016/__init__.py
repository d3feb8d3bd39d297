"""J. Sheehan, *Neural Networks for Chess State Evaluation*, Princeton, 2016."""

from typing import Final

from okapi.papers.page import as_paper
from okapi.papers.sheehan2016.page import PAGE

__all__ = ["EXPERIMENTS", "PAPER"]

EXPERIMENTS: Final[dict[str, str]] = {
    "networks": "okapi.papers.sheehan2016.training:networks",
    "consecutive": "okapi.papers.sheehan2016.training:consecutive",
    "certainty": "okapi.papers.sheehan2016.training:certainty",
    "storms": "okapi.papers.sheehan2016.boards:storms",
    "strength": "okapi.papers.sheehan2016.play:strength",
    "deep_pink": "okapi.papers.sheehan2016.play:deep_pink",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a Lab; imported when needed."""

PAPER: Final = as_paper(PAGE, EXPERIMENTS)
