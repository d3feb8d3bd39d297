"""A. Singh, *Convolutional Neural Networks learn to play Chess* (ConvChess), IIT Kanpur, 2015."""

from typing import Final

from okapi.papers.page import read_paper

__all__ = ["PAPER"]

PAPER: Final = read_paper("singh2015")
