"""The chromosome of chapter 4: six networks, the pawns that obstruct a bishop, and how they become a brain."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from okapi.brains.writing import brain_file
from okapi.learn.genes import FloatArray, Genes
from okapi.papers.vazquez2012.published import TABLE_7, TABLE_8, Board

__all__ = ["INPUTS", "PieceGenes", "as_board"]

INPUTS: Final = {
    "king": ("attack", "defence", "castled", "pawns"),
    "queen": ("moves", "column_type", "row", "column"),
    "rook": ("moves", "column_type", "seventh", "folded"),
    "bishop": ("moves", "pawn_moves", "ahead", "weight"),
    "knight": ("moves", "periphery", "supported", "base"),
    "pawn": ("doubled", "isolated", "central", "passed"),
}
"""What each network sees, in the order of figure 24."""

MOST: Final = {
    "king": (5000, 5000, 1, 8),
    "queen": (27, 2, 8, 8),
    "rook": (14, 2, 1, 1),
    "bishop": (13, 8, 8, 100),
    "knight": (8, 1, 1, 1),
    "pawn": (1, 1, 1, 1),
}
"""About the most that each input can be: what it is divided by to lie between 0 and 1."""

KINDS: Final = tuple(reversed(INPUTS))
"""Pawn first, as tensors have them."""

MATERIAL: Final = {"pawn": 100.0, "knight": 300.0, "bishop": 300.0, "rook": 500.0, "queen": 900.0}
"""Section 4.2.1."""

WEIGHT_BOUND: Final = 15.0
PAWN_BOUND: Final = 24.0
"""The thesis says 20, but its Table 7 begins with 24 on two squares, and its Table 11 ends there."""

FloatTensor = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceGenes:
    """Which numbers there are. Everything but `scaled` as the thesis has it if nothing is said."""

    hidden: int = 9
    """Nodes of each hidden layer; with `free_nodes`, the most there can be."""
    c: float = 0.5
    """Equation 17: what a piece's place is worth, as a part of its material."""
    king_c: float = 100.0
    """The same for the king, which has no material: centipawns."""
    scaled: bool = False
    """Inputs are divided by the most that they can be."""
    free_c: bool = False
    """A gene for each piece, times what is said above."""
    free_nodes: bool = False
    """A gene for each piece: the number of its hidden nodes."""

    @property
    def genes(self) -> Genes:
        """426 of them, if nothing is free."""
        low, high, names = [], [], []
        for piece, inputs in INPUTS.items():
            for node in range(self.hidden):
                names += [f"{piece}.{node}.{what}" for what in (*inputs, "bias")]
            names += [f"{piece}.output.{node}" for node in (*range(self.hidden), "bias")]
        low += [-WEIGHT_BOUND] * len(names)
        high += [WEIGHT_BOUND] * len(names)
        pawns = [f"{whose}.{file}{rank}" for whose in ("own", "enemy") for rank in range(2, 8) for file in "abcdefgh"]
        names += [f"bishop_pawns.{pawn}" for pawn in pawns]
        low += [0.0] * len(pawns)
        high += [PAWN_BOUND] * len(pawns)
        for free, what, bounds in ((self.free_c, "c", (0.0, 2.0)), (self.free_nodes, "nodes", (1.0, self.hidden))):
            if free:
                names += [f"{piece}.{what}" for piece in INPUTS]
                low += [bounds[0]] * len(INPUTS)
                high += [bounds[1]] * len(INPUTS)
        return Genes(tuple(names), np.array(low), np.array(high))

    def start(self, rng: np.random.Generator, count: int) -> FloatArray:
        """A random population whose bishops have Tables 7 and 8, and where a free c is what the thesis found best."""
        genes = self.genes
        population = genes.random(rng, count)
        at = {name: column for column, name in enumerate(genes.names)}
        first = at["bishop_pawns.own.a2"]
        population[:, first : first + 96] = np.concatenate([_as_seen(TABLE_7), _as_seen(TABLE_8)])
        if self.free_c:
            population[:, at["king.c"] : at["pawn.c"] + 1] = 1.0
        return population

    def tensors(self, chromosome: FloatArray) -> dict[str, FloatTensor]:
        """What a brain of kind piece-networks holds."""
        rest = chromosome
        tensors: dict[str, FloatArray] = {}
        for piece in INPUTS:
            layer, rest = rest[: 5 * self.hidden].reshape(self.hidden, 5), rest[5 * self.hidden :]
            output, rest = rest[: self.hidden + 1], rest[self.hidden + 1 :]
            tensors[f"{piece}.hidden"], tensors[f"{piece}.output"] = layer, output
        tensors["bishop_pawns"], rest = rest[:96].reshape(2, 48), rest[96:]
        times = np.ones(6)
        if self.free_c:
            times, rest = rest[:6], rest[6:]
        if self.free_nodes:
            for piece, nodes in zip(INPUTS, np.rint(rest).astype(int), strict=True):
                output = tensors[f"{piece}.output"]
                tensors[f"{piece}.hidden"] = tensors[f"{piece}.hidden"][:nodes]
                tensors[f"{piece}.output"] = np.append(output[:nodes], output[-1])
        c = {piece: time * self.c * MATERIAL.get(piece, 0.0) for piece, time in zip(INPUTS, times, strict=True)}
        c["king"] = times[0] * self.king_c
        tensors["c"] = np.array([c[kind] for kind in KINDS])
        tensors["material"] = np.array(list(MATERIAL.values()))
        tensors["divisors"] = np.array([MOST[kind] if self.scaled else (1, 1, 1, 1) for kind in KINDS])
        return {name: values.astype(np.float32) for name, values in tensors.items()}

    def brain(self, chromosome: FloatArray, passport: Mapping[str, str]) -> bytes:
        """The file of a player."""
        kind = {"kind": "piece-networks", "encoding": "pieces-24", "value": "centipawns, side to move"}
        return brain_file({**passport, **kind}, self.tensors(chromosome))


def as_board(own: npt.ArrayLike) -> list[list[float]]:
    """The 48 weights of a bishop's own pawns as the thesis prints them: for Black, rank 8 first."""
    inside = np.round(np.asarray(own, np.float64).reshape(6, 8), 2)
    return [[0.0] * 8, *inside.tolist(), [0.0] * 8]


def _as_seen(table: Board) -> FloatArray:
    """Printed for the black bishop with rank 8 first, its second row is the second line: already as its side sees it."""
    return np.array(table[1:7], np.float64).ravel()
