"""A player of your own: any object with `choose`, or a function from a position to a move.

As a command: okapi match python:examples/3_player.py:Cautious random --nodes 1
"""

from okapi import Limits, Move, Position, match


class Cautious:
    """Leaves the opponent as few replies as it can."""

    def choose(self, position: Position, limits: Limits) -> Move:
        return min(position.legal_moves(), key=lambda move: len(position.after(move).legal_moves()))


if __name__ == "__main__":
    print(match(Cautious, "random", games=20))
