"""Samples whose labels are right, from random games: for tests that make them wrong."""

import random
from functools import cache

import numpy as np
from numpy.typing import NDArray

from okapi.core import Move, Position
from okapi.core.packed import SAMPLE, pack
from okapi.data.doctor.statistics import material

SCALE = 400


@cache
def _played(games: int, seed: int) -> tuple[list[Position], list[Move], list[int], list[int]]:
    chance = random.Random(seed)
    positions, moves, plies, of = [], [], [], []
    for game in range(games):
        position = Position.start()
        for ply in range(160):
            legal = position.legal_moves()
            if not legal:
                break
            move = chance.choice(legal)
            positions.append(position.copy())
            moves.append(move)
            plies.append(ply)
            of.append(game)
            position.play(move)
    return positions, moves, plies, of


def samples(games: int = 40, seed: int = 1) -> NDArray[np.void]:
    """Values near what the material is worth, and results that are as likely as the values say."""
    positions, moves, plies, of = _played(games, seed)
    rows = np.zeros(len(positions), SAMPLE)
    rows["position"] = pack(positions)
    rows["move"] = [move.bits for move in moves]
    rows["ply"], rows["game"] = plies, of
    chance = np.random.default_rng(seed)
    values = 100.0 * material(rows["position"]) + chance.normal(0, 50, len(rows))
    rows["value"] = np.clip(values, -3000, 3000)
    rows["result"] = 2 * (chance.random(len(rows)) < 1 / (1 + 10 ** (-values / SCALE)))
    return rows
