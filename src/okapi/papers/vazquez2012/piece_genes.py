"""The chromosome of chapter 4: six networks, the pawns that obstruct a bishop, and how they become a brain."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from okapi.brains.writing import brain_file
from okapi.errors import UsageError
from okapi.optimize.genes import FloatArray, Genes
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
"""About the most that each input can be."""

KINDS: Final = tuple(reversed(INPUTS))
"""Pawn first, as tensors have them."""

MATERIAL: Final = {"pawn": 100.0, "knight": 300.0, "bishop": 300.0, "rook": 500.0, "queen": 900.0}
"""Section 4.2.1."""

WEIGHT_BOUND: Final = 15.0
PAWN_BOUND: Final = 24.0
"""The thesis says 20, but its Table 7 begins with 24 on two squares, and its Table 11 ends there."""

PAWNS: Final = 96
MOST_NODES: Final = 64


@dataclass(frozen=True, slots=True)
class Free:
    """Something that the thesis fixed, and that can be a gene of each piece instead."""

    low: float
    high: float
    start: float
    """What the thesis fixed."""
    sigma: float
    """How much a mutation changes it."""


FREE: Final = {"c": Free(0.0, 2.0, 1.0, 0.1), "nodes": Free(1.0, MOST_NODES, 9.0, 0.5)}
"""A factor for the c of equation 17; the number of hidden nodes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceGenes:
    """Which genes there are, and what they mean. As the thesis has it, if nothing is said."""

    hidden: int = 9
    """Nodes of each hidden layer; the most there can be, if their number is free."""
    c: float = 0.5
    """Equation 17: what a piece's place is worth, as a part of its material."""
    king_c: float = 100.0
    """The same for the king, which has no material: centipawns."""
    scaled: bool = False
    """Inputs are divided by the most that they can be."""
    free: str = ""
    """One of FREE, or nothing."""

    def __post_init__(self) -> None:
        if self.free not in ("", *FREE):
            raise UsageError(f"`free` is `{self.free}`", hint=f"expected nothing, or {' or '.join(FREE)}")
        if not 1 <= self.hidden <= MOST_NODES:
            raise UsageError(f"a hidden layer of {self.hidden} nodes", hint=f"1 to {MOST_NODES} are possible")

    @property
    def genes(self) -> Genes:
        """426 of them, if nothing is free."""
        names = []
        for piece, inputs in INPUTS.items():
            for node in range(self.hidden):
                names += [f"{piece}.{node}.{what}" for what in (*inputs, "bias")]
            names += [f"{piece}.output.{node}" for node in (*range(self.hidden), "bias")]
        low, high = [-WEIGHT_BOUND] * len(names), [WEIGHT_BOUND] * len(names)
        pawns = [f"{whose}.{file}{rank}" for whose in ("own", "enemy") for rank in range(2, 8) for file in "abcdefgh"]
        names += [f"bishop_pawns.{pawn}" for pawn in pawns]
        low, high = low + [0.0] * PAWNS, high + [PAWN_BOUND] * PAWNS
        if self.free:
            free = FREE[self.free]
            names += [f"{piece}.{self.free}" for piece in INPUTS]
            low += [free.low] * len(INPUTS)
            high += [min(free.high, self.hidden) if self.free == "nodes" else free.high] * len(INPUTS)
        return Genes(tuple(names), np.array(low), np.array(high))

    @property
    def _network(self) -> int:
        """Genes of one network."""
        return 6 * self.hidden + 1

    def start(self, rng: np.random.Generator, count: int) -> FloatArray:
        """A random population, but for the weights of Tables 7 and 8 and for what is free.

        The same dice give the same networks, whether c is free or not.
        """
        networks = rng.uniform(-WEIGHT_BOUND, WEIGHT_BOUND, (count, len(INPUTS) * self._network))
        pawns = np.tile(np.concatenate([_as_seen(TABLE_7), _as_seen(TABLE_8)]), (count, 1))
        freed = np.full((count, len(INPUTS)), FREE[self.free].start) if self.free else np.empty((count, 0))
        return self.genes.clip(np.hstack([networks, pawns, freed]))

    def neutral(self) -> FloatArray:
        """A player for whom every piece stands equally well anywhere: networks of nothing, and Tables 7 and 8."""
        players = self.start(np.random.default_rng(0), 1)
        players[:, : len(INPUTS) * (6 * self.hidden + 1)] = 0.0
        return np.concatenate(players)

    def sigma(self, usual: float) -> FloatArray:
        """How much a mutation changes each gene."""
        sigmas = np.full(len(self.genes), usual)
        if self.free:
            sigmas[-len(INPUTS) :] = FREE[self.free].sigma
        return sigmas

    def tensors(self, player: FloatArray) -> dict[str, npt.NDArray[np.float32]]:
        """What a brain of kind piece-networks holds."""
        networks = player[: len(INPUTS) * self._network].reshape(len(INPUTS), -1)
        pawns, freed = np.split(player[networks.size :], [PAWNS])
        nodes = np.rint(freed).astype(int) if self.free == "nodes" else [self.hidden] * len(INPUTS)
        times = dict(zip(INPUTS, freed if self.free == "c" else np.ones(len(INPUTS)), strict=True))
        tensors: dict[str, FloatArray] = {}
        for piece, genes, count in zip(INPUTS, networks, nodes, strict=True):
            hidden, output = np.split(genes, [5 * self.hidden])
            tensors[f"{piece}.hidden"] = hidden.reshape(self.hidden, 5)[:count]
            tensors[f"{piece}.output"] = np.append(output[:count], output[-1])
        whole = {**{piece: self.c * material for piece, material in MATERIAL.items()}, "king": self.king_c}
        tensors["bishop_pawns"] = pawns.reshape(2, PAWNS // 2)
        tensors["c"] = np.array([times[kind] * whole[kind] for kind in KINDS])
        tensors["material"] = np.array(list(MATERIAL.values()))
        tensors["divisors"] = np.array([MOST[kind] if self.scaled else (1, 1, 1, 1) for kind in KINDS], np.float64)
        return {name: values.astype(np.float32) for name, values in tensors.items()}

    def brain(self, player: FloatArray, card: Mapping[str, str]) -> bytes:
        """The file of a player."""
        kind = {"kind": "piece-networks", "encoding": "pieces-24", "value": "centipawns, side to move"}
        return brain_file({**card, **kind}, self.tensors(player))


def as_board(own: npt.ArrayLike) -> list[list[float]]:
    """The 48 weights of a bishop's own pawns as Table 11 prints them: of a black bishop, rank 8 first."""
    inside: list[list[float]] = np.asarray(own, np.float64).reshape(6, 8).round(2).tolist()
    return [[0.0] * 8, *inside, [0.0] * 8]


def _as_seen(table: Board) -> FloatArray:
    """A table of the black bishop has its second row as the second line: already as its own side sees it."""
    return np.array(table[1:7], np.float64).ravel()
