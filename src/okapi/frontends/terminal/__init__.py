"""A game in the terminal: a board that is a pleasure to look at, and somebody to play against."""

from okapi.frontends.terminal.session import Session
from okapi.frontends.terminal.watch import watch

__all__ = ["Session", "watch"]
