"""A game in the terminal against a player, or of a player against itself."""

from okapi.terminal.session import Session
from okapi.terminal.watch import watch

__all__ = ["Session", "watch"]
