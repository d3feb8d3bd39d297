"""A game in the terminal: a board that is a pleasure to look at, and somebody to play against."""

from okapi.terminal.session import Session
from okapi.terminal.watch import watch

__all__ = ["Session", "watch"]
