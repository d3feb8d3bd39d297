"""A game in the terminal against a player, or of a player against itself."""

from okapi.terminal.session import TerminalSession, watch

__all__ = ["TerminalSession", "watch"]
