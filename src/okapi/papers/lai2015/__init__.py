"""M. Lai, *Giraffe: Using Deep Reinforcement Learning to Play Chess*, Imperial College London, 2015."""

from typing import Final

from okapi.papers.page import read_paper

__all__ = ["PAPER"]

PAPER: Final = read_paper("lai2015")
