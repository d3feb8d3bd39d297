"""J. Sheehan, *Neural Networks for Chess State Evaluation*, Princeton, 2016."""

from typing import Final

from okapi.papers.page import read_paper

__all__ = ["PAPER"]

PAPER: Final = read_paper("sheehan2016")
