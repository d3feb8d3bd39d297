"""The players of singh2015: top-move, top-prob and TopProb-Negamax, which predict moves, and full-width Negamax."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random as RandomState
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from okapi.brains import evaluator, predictor
from okapi.brains.move_prediction import Predictor
from okapi.core import Decision, Kind, Limits, Move, Position, Square, Value
from okapi.core.evaluation import evaluate
from okapi.core.packed import pack
from okapi.core.search import MATE, value_from_core
from okapi.encodings.layers import ELO_RANGE
from okapi.errors import UsageError
from okapi.players.alphabeta import AlphaBeta, check_limits
from okapi.players.player import Player, choices
from okapi.players.protocol import legal_move

BatchEvaluate: TypeAlias = Callable[[NDArray[np.void]], NDArray[np.int32]]
"""Gives centipawns for the side to move in each packed position; expected scores are not exact enough."""

ScoredLine: TypeAlias = tuple[int, tuple[Move, ...]]
"""A value for the side to move, and its principal variation."""

MoveProbabilities: TypeAlias = list[tuple[Move, float]]
"""The legal moves of a position with their probabilities, most likely first."""

Predictions: TypeAlias = dict[tuple[int, int | None], MoveProbabilities]
"""By a position's key and the rating of who moves."""


def move_text(position: Position, origin: int, target: int) -> str:
    """A pair of squares in UCI notation, legal or not; pawns promote to queens."""
    here, there = Square.at(origin), Square.at(target)
    piece = position.at(here)
    promotes = piece is not None and piece.kind is Kind.PAWN and there.rank in (0, 7)
    return f"{here}{there}{'q' if promotes else ''}"


@dataclass(eq=False)
class TopMove:
    """Top-move of singh2015 (section 2.6.1): the most likely piece first, then its most likely square."""

    predictor: Predictor
    elo: int | None = None
    """An input of the brain, if it has that."""
    masked: bool = True
    """If not, illegal moves may be chosen."""

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only `only` counts. PlayerCheated if the choice is illegal."""
        moves = choices(position, limits)
        squares = self.predictor.squares(pack([position]), elo=self.elo)
        origins, targets = squares.origin[0], squares.target[0]
        if not self.masked and not limits.only:
            origin = int(origins.argmax())
            text = move_text(position, origin, int(targets[origin].argmax()))
            return self._decision(position, legal_move("top-move", position, text))

        def rank(move: Move) -> tuple[float, float, bool]:
            """The piece before the square; of promotions, the queen."""
            text = position.uci(move, chess960=False)
            origin, target = Square(text[:2]).index, Square(text[2:4]).index
            return float(origins[origin]), float(targets[origin, target]), text.endswith("q")

        return self._decision(position, max(moves, key=rank))

    @staticmethod
    def _decision(position: Position, move: Move, likely: Sequence[tuple[Move, float]] = ()) -> Decision:
        return Decision(move, Value(0.5, position.turn), (move,), 0, likely=tuple(likely))


@dataclass(eq=False)
class TopProb(TopMove):
    """Top-prob of singh2015 (section 2.6.2): the most likely move, P(piece) · P(square | piece)."""

    temperature: float = 0.0
    """With 1, moves are sampled by their probabilities."""
    seed: int | None = None
    repeat: bool = True
    """If not, no position is repeated while the player has more material, if there is another move."""

    def __post_init__(self) -> None:
        if self.temperature < 0 or (self.temperature > 0 and not self.masked):
            what = f"a temperature of {self.temperature:g} is not available"
            raise UsageError(what, hint="0 or more, and only with masked=yes")
        self._material = None if self.repeat else evaluator("material")
        self._rng = RandomState(self.seed)

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only `only` counts. PlayerCheated if the choice is illegal."""
        moves = choices(position, limits)
        if not self.masked and not limits.only:
            squares = self.predictor.squares(pack([position]), elo=self.elo)
            pairs = squares.origin[0][:, None] * squares.target[0]  # from to
            text = move_text(position, *divmod(int(pairs.argmax()), 64))
            return self._decision(position, legal_move("top-prob", position, text))
        predicted = self.predictor.moves(pack([position]), elo=self.elo)[0]
        likely = [(move, chance) for move, chance in predicted if move in moves]
        if self._material is not None and self._material.centipawns(position) > 0:
            likely = [each for each in likely if not position.after(each[0]).repetitions()] or likely
        move, highest = likely[0]
        if self.temperature:
            weights = [(chance / (highest or 1.0)) ** (1 / self.temperature) for _, chance in likely]
            move = self._rng.choices(likely, weights if any(weights) else None)[0][0]
        return self._decision(position, move, likely)


@dataclass(eq=False)
class TopProbNegamax:
    """TopProb-Negamax of singh2015 (section 2.6.3): a search of the `k` most likely moves, `depth` plies deep.

    The tree grows level by level: each brain evaluates one batch a level. Predictions are kept until the next move.
    """

    predictor: Predictor
    evaluate: BatchEvaluate
    k: int = 5
    depth: int = 3
    elo: int | None = None

    def __post_init__(self) -> None:
        check_limits(k=self.k, depth=self.depth)
        self._cache: Predictions = {}

    def choose(self, position: Position, limits: Limits) -> Decision:
        moves = choices(position, limits)
        root = _Node(position)
        memory, self._cache = self._cache, {}
        likely = [(move, chance) for move, chance in self._predict([root], memory)[0] if move in moves]
        levels = [[root], root.grow(likely[: self.k], 1)]
        while len(levels) <= self.depth:
            nodes = [node for node in levels[-1] if node.value is None]
            predicted = self._predict(nodes, memory)
            grown = [node.grow(some[: self.k], len(levels)) for node, some in zip(nodes, predicted, strict=True)]
            levels.append([child for children in grown for child in children])
        leaves = {node.position.key: node.position for node in levels[-1] if node.value is None}
        values = dict(zip(leaves, self.evaluate(pack(leaves.values())).tolist(), strict=True)) if leaves else {}
        value, line = root.negamax(values)
        told = value_from_core(value, position.turn)
        return Decision(line[0], told, line, sum(map(len, levels)), self.depth, likely=tuple(likely))

    def _predict(self, nodes: Sequence["_Node"], memory: Predictions) -> list[MoveProbabilities]:
        """The predictions for each position; new positions are one batch."""
        keys = [(node.position.key, self.elo) for node in nodes]
        asked = {key: node.position for key, node in zip(keys, nodes, strict=True) if key not in memory}
        if asked:
            memory |= zip(asked, self.predictor.moves(pack(asked.values()), elo=self.elo), strict=True)
        self._cache |= {key: memory[key] for key in keys}
        return [memory[key] for key in keys]


@dataclass(slots=True)
class _Node:
    position: Position
    value: int | None = None
    """For the side to move, where the game is over."""
    children: list[tuple[Move, "_Node"]] = field(default_factory=list)

    def grow(self, likely: MoveProbabilities, ply: int) -> list["_Node"]:
        """Add the children for these moves, `ply` plies from the root; positions where the game is over get a value."""
        for move, _ in likely:
            after = self.position.after(move)
            self.children.append((move, _Node(after, game_end_value(after, ply))))
        return [child for _, child in self.children]

    def negamax(self, leaves: Mapping[int, int]) -> ScoredLine:
        """The value for the side to move by those of leaves, and its line; of equal moves, the more likely one."""
        if not self.children:
            return leaves[self.position.key] if self.value is None else self.value, ()
        found = [(move, *child.negamax(leaves)) for move, child in self.children]
        move, value, line = min(found, key=lambda some: some[1])
        return -value, (move, *line)


INFINITE: Final = MATE + 1
PIECE_VALUES: Final = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 0}


@dataclass(eq=False)
class Negamax:
    """Alpha-beta over all moves to `depth` plies, without quiescence or extensions; leaves are evaluated in batches."""

    evaluate: BatchEvaluate
    depth: int = 4

    def __post_init__(self) -> None:
        check_limits(depth=self.depth)

    def choose(self, position: Position, limits: Limits) -> Decision:
        moves, search = choices(position, limits), _Search(self.evaluate)
        value, line = 0, tuple(moves[:1])
        for depth in sorted({max(1, self.depth - 1), self.depth}):  # one ply less gives the move order
            moves.sort(key=lambda move: move != line[0])
            value, line = search.among(moves, position, depth, -INFINITE, INFINITE, 0)
        return Decision(line[0], value_from_core(value, position.turn), line, search.nodes, self.depth)


class _Search:
    """The state of one search: evaluations, and best moves, which affect the move order only."""

    def __init__(self, evaluate: BatchEvaluate) -> None:
        self.nodes, self._evaluate_batch = 0, evaluate
        self._values: dict[int, int] = {}
        self._best: dict[int, Move] = {}
        self._history: Counter[tuple[int, Move]] = Counter()

    def among(self, moves: list[Move], position: Position, depth: int, alpha: int, beta: int, ply: int) -> ScoredLine:
        """The best of some moves. Fail-soft: a value outside alpha and beta is a bound on that side."""
        best, line = -INFINITE, tuple(moves[:1])
        children = [position.after(move) for move in moves]
        for number, (move, child) in enumerate(zip(moves, children, strict=True)):
            # 1. Leaves are evaluated together. If the first move gives no cutoff, the others are searched, and most of
            #    these are refuted by the best-looking reply.
            if depth == 1 and number < 2:
                self._evaluate(children[number:] if number else children[:1])
            elif depth == 2 and number == 1:
                replies = ((child, self._ordered(child, 1, ply + 1)[:1]) for child in children[1:])
                self._evaluate(child.after(move) for child, moves in replies for move in moves)
            # 2. Principal variation search: the first move with the full window, others with a null window first.
            lower = max(alpha, best)
            upper = beta if number == 0 else min(lower + 1, beta)
            value, rest = self._after(child, depth - 1, -upper, -lower, ply + 1)
            if upper <= value < beta:
                value, rest = self._after(child, depth - 1, -beta, -value, ply + 1)
            if value > best:
                best, line = value, (move, *rest)
            if best >= beta:
                break
        # 3. Store the best move for the move order.
        if best > alpha:
            self._best[position.key] = line[0]
            self._history[ply, line[0]] += depth * depth
        return best, line

    def _after(self, child: Position, depth: int, alpha: int, beta: int, ply: int) -> ScoredLine:
        """The value of the move that led to `child`, for the side that played it; the window is the child's."""
        self.nodes += 1
        ended = game_end_value(child, ply)
        if ended is not None or depth == 0:
            return -(self._values[child.key] if ended is None else ended), ()
        value, line = self.among(self._ordered(child, depth, ply), child, depth, alpha, beta, ply)
        return -value, line

    def _ordered(self, position: Position, depth: int, ply: int) -> list[Move]:
        """Legal moves in order: the known best move, then captures by material won, then by history."""
        best = self._best.get(position.key)

        def rank(move: Move) -> tuple[bool, int, int]:
            wins = _taken(position, move) if depth == 1 else position.see(move) if position.is_capture(move) else 0
            return move != best, -wins, -self._history[ply, move]

        return sorted(position.legal_moves(), key=rank)

    def _evaluate(self, positions: Iterable[Position]) -> None:
        unknown = {position.key: position for position in positions if position.key not in self._values}
        if unknown:
            self._values |= zip(unknown, self._evaluate_batch(pack(unknown.values())).tolist(), strict=True)


def game_end_value(position: Position, ply: int) -> int | None:
    """The value of a position where the game is over, for the side to move; None elsewhere. Nearer mates are worse."""
    return {None: None, "checkmate": ply - MATE}.get(position.ending(), 0)


def _taken(position: Position, move: Move) -> int:
    """The material that the last move of a line wins; there is no recapture."""
    piece = None if move.castles else position.at(move.to_square)
    kinds = (None if piece is None else piece.kind, move.promotion)
    return sum(PIECE_VALUES[kind] for kind in kinds if kind is not None)


EXTRAS: Final = ("shortcuts", "check_extensions", "known_endings", "fading", "correction_history", "tablebases")
"""What the core's search adds to a full-width search to one depth with quiescence."""


def make_player(kind: str, brain: str | None = None, *, elo: int | None = None, threads: int = 1, **how: Any) -> Player:
    """A player of OPTIONS in spec.py. Without a brain for values, the default one evaluates."""
    if kind == "negamax":
        depth = how.get("depth", 4)
        if how.get("quiescence", True):  # the core's search of the same width and depth
            return AlphaBeta(brain, depth=depth, without=EXTRAS, threads=threads)
        return Negamax(_evaluate(brain, threads), depth=depth)
    predicts = _predictor(kind, brain, elo, threads)
    if kind == "topprob-negamax":
        return TopProbNegamax(predicts, _evaluate(how.pop("value", None), threads), elo=elo, **how)
    return (TopMove if kind == "top-move" else TopProb)(predicts, elo=elo, **how)


def _predictor(player: str, brain: str | None, elo: int | None, threads: int) -> Predictor:
    if brain is None:
        raise UsageError(f"{player} needs a brain that predicts moves", hint=f"write {player}:BRAIN")
    predicts = predictor(brain, threads=threads, values=False)  # these players do not search
    if elo is not None and "elo" not in predicts.inputs:
        raise UsageError(f"brain `{predicts.card.name}` has no input for a rating", hint="leave elo out")
    lowest, highest = ELO_RANGE
    if elo is not None and not lowest <= elo <= highest:
        raise UsageError(f"an elo of {elo} is not available", hint=f"{lowest} to {highest}")
    return predicts


def _evaluate(brain: str | None, threads: int) -> BatchEvaluate:
    evaluating = evaluator(brain)
    return lambda positions: evaluate([evaluating], positions, threads=threads)[0]
