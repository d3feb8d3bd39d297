"""Piece networks evolved by tournaments: chapter 4.

Twenty players, random but for Tables 7 and 8, play ten games each against random opponents, four plies deep. The
ten with the most points survive, and each has a child whose every gene is a little different. The best player after
fifty generations is the result.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from okapi.arena.openings import load_openings
from okapi.brains.files import brain_file
from okapi.brains.output import expected_scores
from okapi.core import Color, Evaluator, InProcessMatch, Limits, MatchPlayer, Position, RawBrain
from okapi.core.evaluation import evaluate
from okapi.errors import UsageError
from okapi.optimize.evolution import Mutate, cma_es, evolve, gaussian, self_adaptive
from okapi.optimize.executor import Executor
from okapi.optimize.population import FloatArray, ParameterSpace, Score
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import Evolution, described
from okapi.recipes.exercises import PLAIN, Exercises, exercises_for
from okapi.recipes.vazquez2012 import TABLES
from okapi.recipes.vazquez2012.twenty_eight import decided
from okapi.settings import Config

TABLE_7: Final[list[list[float]]] = TABLES["table_7"]
TABLE_8: Final[list[list[float]]] = TABLES["table_8"]
INPUTS: Final[dict[str, dict[str, float]]] = TABLES["inputs"]
FREE: Final[dict[str, dict[str, float]]] = TABLES["free"]
"""tables.toml says what they are."""

MATERIAL: Final = {"pawn": 100.0, "knight": 300.0, "bishop": 300.0, "rook": 500.0, "queen": 900.0}
WEIGHT_BOUND: Final = 15.0
PAWN_BOUND: Final = 24.0
"""The thesis says 20, but its Table 7 begins with 24 on two squares, and its Table 11 ends there."""

PAWNS: Final = 96
MOST_NODES: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceGenes(Config):
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
    def genes(self) -> ParameterSpace:
        """426 of them, if nothing is free."""
        names = []
        for piece, inputs in INPUTS.items():
            names += [f"{piece}.{node}.{what}" for node in range(self.hidden) for what in (*inputs, "bias")]
            names += [f"{piece}.output.{node}" for node in (*range(self.hidden), "bias")]
        bounds = [(-WEIGHT_BOUND, WEIGHT_BOUND)] * len(names)
        squares = [f"{file}{rank}" for rank in range(2, 8) for file in "abcdefgh"]
        names += [f"bishop_pawns.{whose}.{square}" for whose in ("own", "enemy") for square in squares]
        bounds += [(0.0, PAWN_BOUND)] * PAWNS
        if self.free:
            names += [f"{piece}.{self.free}" for piece in INPUTS]
            most = FREE[self.free]["high"]
            bounds += [(FREE[self.free]["low"], min(most, self.hidden) if self.free == "nodes" else most)] * len(INPUTS)
        return ParameterSpace(tuple(names), *np.array(bounds).T)

    @property
    def _network(self) -> int:
        return 6 * self.hidden + 1

    def start(self, rng: np.random.Generator, count: int) -> FloatArray:
        """A random population, but for Tables 7 and 8 and what is free; a seed gives the same networks in any case."""
        networks = rng.uniform(-WEIGHT_BOUND, WEIGHT_BOUND, (count, len(INPUTS) * self._network))
        # a table of the black bishop has its second row as the second line: already as its own side sees it
        pawns = np.tile(np.array([*TABLE_7[1:7], *TABLE_8[1:7]], np.float64).ravel(), (count, 1))
        freed = np.full((count, len(INPUTS)), FREE[self.free]["start"]) if self.free else np.empty((count, 0))
        return self.genes.clip(np.hstack([networks, pawns, freed]))

    def neutral(self) -> FloatArray:
        """A player for whom every piece stands equally well anywhere: networks of nothing, and Tables 7 and 8."""
        players = self.start(np.random.default_rng(0), 1)
        players[:, : len(INPUTS) * self._network] = 0.0
        return np.concatenate(players)

    def mutate(self, usual: float) -> Mutate:
        """By a deviation for all genes, or by that of each piece; pawns that obstruct bishops have the bishop's."""
        if self.free == "sigma":
            pieces = np.repeat(np.arange(len(INPUTS)), self._network)
            return self_adaptive(len(INPUTS), np.concatenate([pieces, np.full(PAWNS, list(INPUTS).index("bishop"))]))
        sigmas = np.full(len(self.genes), usual)
        if self.free:
            sigmas[-len(INPUTS) :] = FREE[self.free]["sigma"]
        return gaussian(sigmas)

    def tensors(self, player: FloatArray) -> dict[str, npt.NDArray[np.float32]]:
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
        kinds = tuple(reversed(INPUTS))  # pawn first
        tensors["c"] = np.array([times[kind] * whole[kind] for kind in kinds])
        tensors["material"] = np.array(list(MATERIAL.values()))
        most = np.array([list(INPUTS[kind].values()) for kind in kinds], np.float64)
        tensors["divisors"] = most if self.scaled else np.ones_like(most)
        return {name: values.astype(np.float32) for name, values in tensors.items()}

    def brain(self, player: FloatArray, card: Mapping[str, str]) -> bytes:
        kind = {"kind": "piece-networks", "encoding": "pieces-24", "value": "centipawns, side to move"}
        return brain_file({**card, **kind}, self.tensors(player))


def as_board(own: npt.ArrayLike) -> list[list[float]]:
    """The 48 weights of a bishop's own pawns as Table 11 prints them: of a black bishop, rank 8 first."""
    inside: list[list[float]] = np.asarray(own, np.float64).reshape(6, 8).round(2).tolist()
    return [[0.0] * 8, *inside, [0.0] * 8]


GAMES_AT_ONCE = 5
"""In a task of the executor: enough that loading brains does not matter, few enough that all workers end together."""


class TournamentGame(NamedTuple):
    white: int
    """The number of the player who has White."""
    black: int
    opening: int


class Sitting(NamedTuple):
    """Some games of a tournament, with all that is needed to play them anywhere."""

    brains: dict[int, bytes]
    pairings: Sequence[TournamentGame]
    depth: int
    without: tuple[str, ...]


def pairings(players: int, games: int, rng: random.Random) -> list[TournamentGame]:
    """One round for each game of a player; in each round, opponents and colours are random.

    >>> [(game.white, game.black) for game in pairings(4, 2, random.Random(1))]
    [(1, 2), (0, 3), (3, 1), (2, 0)]
    """
    drawn = []
    for _ in range(games):
        order = rng.sample(range(players), players)
        pairs = zip(order[::2], order[1::2], strict=False)
        drawn += [TournamentGame(white, black, rng.randrange(len(_openings()))) for white, black in pairs]
    return drawn


def tournament(
    express: Callable[[FloatArray], bytes],
    executor: Executor,
    *,
    games: int,
    depth: int,
    seed: int,
    without: tuple[str, ...] = (),
) -> Score:
    """A score function: the points that each player takes. The same for the same seed and number of the question."""

    def score(population: FloatArray, number: int) -> FloatArray:
        brains = [express(player) for player in population]
        drawn = pairings(len(brains), games, random.Random(f"{seed} {number}"))
        sittings = []
        for begin in range(0, len(drawn), GAMES_AT_ONCE):
            some = drawn[begin : begin + GAMES_AT_ONCE]
            here = {player: brains[player] for game in some for player in (game.white, game.black)}
            sittings.append(Sitting(here, some, depth, without))
        points = np.zeros(len(brains))
        for game, result in zip(drawn, chain(*executor.map(play, sittings)), strict=True):
            points[game.white] += result
            points[game.black] += 1.0 - result
        return points

    return score


def play(sitting: Sitting) -> list[float]:
    """White's points in each game."""
    brains, games, depth, without = sitting
    players = {
        player: MatchPlayer(Evaluator.from_brain(RawBrain.from_bytes(brain)), Limits(depth=depth), without=without)
        for player, brain in brains.items()
    }
    return [
        played.score
        for white, black, opening in games
        for played in InProcessMatch(players[white], players[black], [(_openings()[opening], Color.WHITE)])
    ]


@cache
def _openings() -> tuple[Position, ...]:
    return tuple(load_openings(seed=None))


def recipe(config: RecipeConfig) -> Evolution:
    settings = config.settings_of("vazquez-pieces")
    shape = PieceGenes.from_settings(settings)
    genes = shape.genes
    start = shape.start(np.random.default_rng([config.seed, 0]), settings["players"])
    how: dict[str, Any] = {"players": settings["players"], "generations": settings["generations"], "start": start}
    games: dict[str, Any] = {name: settings[name] for name in ("games", "depth")}
    games |= {"without": without(settings), "seed": config.seed}
    return Evolution(
        **described(config, "vazquez-pieces", "Piece networks evolved by tournaments", settings),
        genes=genes,
        learn=lambda score: evolve(score, genes, **how, mutate=shape.mutate(settings["sigma"]), seed=config.seed),
        score=tournament(lambda player: shape.brain(player, {"name": "player"}), config.executor, **games),
        express=shape.brain,
    )


def without(settings: Mapping[str, Any]) -> tuple[str, ...]:
    return () if settings["shortcuts"] else PLAIN


def by_results(config: RecipeConfig) -> Evolution:
    settings = config.settings_of("vazquez-pieces-results")
    library = exercises_for(config)
    shape = PieceGenes(scaled=True)
    learned = decided(library.training).some(settings["positions"], np.random.default_rng([config.seed, 1]))
    how = {name: settings[name] for name in ("players", "generations", "sigma")}
    start = shape.neutral()
    return Evolution(
        **described(config, "vazquez-pieces-results", "Piece networks by CMA-ES, on results", settings, library),
        genes=shape.genes,
        learn=lambda score: cma_es(score, shape.genes, **how, seed=config.seed, start=start, diagonal=True),
        score=_foresight(shape, learned, config.executor),
        express=shape.brain,
    )


def _foresight(shape: PieceGenes, learned: Exercises, executor: Executor) -> Score:
    """How much better than a coin each player foretells results, in thousandths of a nat a position."""

    def score(population: FloatArray, number: int) -> FloatArray:
        brains = [shape.brain(player, {"name": "candidate"}) for player in population]
        parts = np.array_split(np.arange(len(brains)), min(executor.workers, len(brains)))
        tasks = [([brains[i] for i in part], learned.rows["position"], learned.scores) for part in parts]
        return np.concatenate(executor.map(_foretold, tasks))

    return score


def _foretold(task: tuple[Sequence[bytes], NDArray[np.void], FloatArray]) -> FloatArray:
    brains, positions, results = task
    values = evaluate([Evaluator.from_brain(RawBrain.from_bytes(brain)) for brain in brains], positions)
    chances = np.clip(expected_scores(values), 1e-6, 1 - 1e-6)  # nobody is punished without end for one game
    likelihood = (results * np.log(chances) + (1 - results) * np.log1p(-chances)).mean(axis=1)
    return np.asarray(np.round(1000 * (math.log(2) + likelihood), 6))
