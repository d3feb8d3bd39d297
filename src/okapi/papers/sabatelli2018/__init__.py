"""M. Sabatelli, F. Bidoia, V. Codreanu, M. Wiering, *Learning to Evaluate Chess Positions with Deep Neural Networks and
Limited Lookahead*, 2018."""

from typing import Final

from okapi.papers.page import read_paper

__all__ = ["PAPER"]

PAPER: Final = read_paper("sabatelli2018")
