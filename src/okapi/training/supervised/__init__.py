"""Supervised learning: positions and what a teacher says of them, a network that learns to say the same.

Needs torch and numpy, and nothing else of okapi than `errors`, `files` and `models`: not the compiled core.
"""

from okapi.training.supervised.lessons import Lessons
from okapi.training.supervised.loop import learn
from okapi.training.supervised.now import Now
from okapi.training.supervised.plan import Plan
from okapi.training.supervised.report import Report, read_learned

__all__ = ["Lessons", "Now", "Plan", "Report", "learn", "read_learned"]
