"""The full-width negamax search of singh2015 (algorithm 3): all lines to one depth, evaluated at their ends."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from okapi.core import Decision, Kind, Limits, Move, Position
from okapi.core.move_errors import over
from okapi.core.packed import pack
from okapi.core.search import MATE, value_from_core
from okapi.errors import UsageError

BatchEvaluate: TypeAlias = Callable[[NDArray[np.void]], NDArray[np.int32]]
"""Gives centipawns for the side to move in each packed position. Expected scores are not exact enough: far from
equality they are all almost 1."""

ScoredLine: TypeAlias = tuple[int, tuple[Move, ...]]
"""A value for the side to move, and its principal variation."""

INFINITE: Final = MATE + 1

PIECE_VALUES: Final = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 0}


class Negamax:
    """Searches all moves to `depth` plies, without quiescence search or extensions.

    Alpha-beta prunes only what cannot change the value. Leaf positions are evaluated in batches.

    >>> from okapi.brains import evaluator
    >>> from okapi.core.evaluation import evaluate
    >>> player = Negamax(lambda positions: evaluate([evaluator("material")], positions)[0], depth=3)
    >>> position = Position.from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    >>> decision = player.choose(position, Limits())
    >>> position.san(decision.move), decision.value.mate
    ('Ra8#', 1)
    """

    def __init__(self, evaluate: BatchEvaluate, *, depth: int = 4) -> None:
        if depth < 1:
            raise UsageError(f"depth={depth} is no limit of a search", hint="1 or more")
        self.evaluate = evaluate
        self.depth = depth

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only `only` counts."""
        moves = list(limits.only) or position.legal_moves()
        if not moves:
            raise over(position)
        search = _Search(self.evaluate)
        value, line = 0, tuple(moves[:1])
        for depth in sorted({max(1, self.depth - 1), self.depth}):  # one ply less gives the move order
            moves.sort(key=lambda move: move != line[0])
            value, line = search.among(moves, position, depth, -INFINITE, INFINITE, 0)
        return Decision(line[0], value_from_core(value, position.turn), line, search.nodes, self.depth)


class _Search:
    """The state of one search: evaluations, and best moves, which affect the move order only."""

    def __init__(self, evaluate: BatchEvaluate) -> None:
        self.nodes = 0
        self._evaluate_batch = evaluate
        self._values: dict[int, int] = {}
        self._best: dict[int, Move] = {}
        self._history: Counter[tuple[int, Move]] = Counter()

    def among(
        self, moves: Sequence[Move], position: Position, depth: int, alpha: int, beta: int, ply: int
    ) -> ScoredLine:
        """The best of some moves. Fail-soft: a value outside alpha and beta is a bound on that side."""
        best, line = -INFINITE, moves[:1]
        children = [position.after(move) for move in moves]
        for number, (move, child) in enumerate(zip(moves, children, strict=True)):
            # 1. Leaves are evaluated together. If the first move gives no cutoff, the others are searched, and most of
            #    these are refuted by the best-looking reply.
            if depth == 1 and number < 2:
                self._evaluate(children[number:] if number else children[:1])
            elif depth == 2 and number == 1:
                self._evaluate(after for child in children[1:] for after in self._best_reply(child, ply + 1))
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
        return best, tuple(line)

    def _after(self, child: Position, depth: int, alpha: int, beta: int, ply: int) -> ScoredLine:
        """The value of the move that led to `child`, for the side that played it; the window is the child's."""
        self.nodes += 1
        ended = game_end_value(child, ply)
        if ended is not None:
            return -ended, ()
        if depth == 0:
            return -self._values[child.key], ()
        value, line = self.among(self._ordered(child, depth, ply), child, depth, alpha, beta, ply)
        return -value, line

    def _ordered(self, position: Position, depth: int, ply: int) -> list[Move]:
        """Legal moves in order: the known best move, then captures by material won, then by history."""
        best = self._best.get(position.key)

        def rank(move: Move) -> tuple[bool, int, int]:
            wins = _taken(position, move) if depth == 1 else position.see(move) if position.is_capture(move) else 0
            return move != best, -wins, -self._history[ply, move]

        return sorted(position.legal_moves(), key=rank)

    def _best_reply(self, position: Position, ply: int) -> list[Position]:
        """The position after the most likely last move of a line; empty without a legal move."""
        return [position.after(move) for move in self._ordered(position, 1, ply)[:1]]

    def _evaluate(self, positions: Iterable[Position]) -> None:
        unknown = {position.key: position for position in positions if position.key not in self._values}
        if unknown:
            self._values |= zip(unknown, self._evaluate_batch(pack(unknown.values())).tolist(), strict=True)


def game_end_value(position: Position, ply: int) -> int | None:
    """The value of a position where the game is over, for the side to move; None elsewhere. Nearer mates are worse."""
    ending = position.ending()
    if ending is None:
        return None
    return ply - MATE if ending == "checkmate" else 0


def _taken(position: Position, move: Move) -> int:
    """The material that the last move of a line wins; there is no recapture."""
    piece = None if move.castles else position.at(move.to_square)
    return (0 if piece is None else PIECE_VALUES[piece.kind]) + (
        0 if move.promotion is None else PIECE_VALUES[move.promotion]
    )
