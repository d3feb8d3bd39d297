"""E. Vázquez-Fernández, *An Evolutionary Approach for Tuning a Chess Evaluation Function*, thesis, CINVESTAV, 2012."""

from typing import Final

from okapi.papers.page import read_paper

__all__ = ["PAPER"]

PAPER: Final = read_paper("vazquez2012")
