"""Positions of every kind: random games, from the start of chess and of Chess960."""

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from okapi import Position
from okapi.core.packed import random_positions


@pytest.fixture(scope="session")
def positions() -> NDArray[np.void]:
    starts = [Position.start(), *(Position.from_chess(chess.Board.from_chess960_pos(n)) for n in range(0, 960, 7))]
    return random_positions(100_000, seed=1, starts=starts)
