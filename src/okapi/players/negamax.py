"""The plain search of singh2015 (algorithm 3): every line of so many moves, judged at its end and nowhere else."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from okapi.core import Decision, Kind, Limits, Move, Position
from okapi.core._core import MATE
from okapi.core.move_errors import over
from okapi.core.packed import pack
from okapi.core.search import value_from_core
from okapi.errors import UsageError

__all__ = ["BatchEvaluate", "Negamax", "ScoredLine", "game_end_value"]

BatchEvaluate: TypeAlias = Callable[[NDArray[np.void]], NDArray[np.int32]]
"""Packed positions in, centipawns for each one's side to move out. Expected scores would not do: far from equality two
positions that a network tells apart are both almost 1."""

ScoredLine: TypeAlias = tuple[int, tuple[Move, ...]]
"""A value for the side to move, and the line that leads to it."""

INFINITE: Final = MATE + 1

PIECE_VALUES: Final = {Kind.PAWN: 1, Kind.KNIGHT: 3, Kind.BISHOP: 3, Kind.ROOK: 5, Kind.QUEEN: 9, Kind.KING: 0}


class Negamax:
    """Looks at all moves, exactly `depth` plies deep, without quiescence or any other extension.

    Alpha-beta leaves out only what cannot change the value. Positions at the ends of lines are judged in batches.

    >>> from okapi.brains import evaluator
    >>> from okapi.core.evaluation import evaluate
    >>> player = Negamax(lambda positions: evaluate([evaluator("material")], positions)[0], depth=3)
    >>> position = Position.from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    >>> decision = player.choose(position, Limits())
    >>> position.san(decision.move), decision.value.mate
    ('Ra8#', 1)
    """

    def __init__(self, judge: BatchEvaluate, *, depth: int = 4) -> None:
        if depth < 1:
            raise UsageError(f"a depth of {depth} is nothing to think with", hint="1 or more")
        self.judge = judge
        self.depth = depth

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only the moves to choose among count."""
        moves = list(limits.only) or position.legal_moves()
        if not moves:
            raise over(position)
        search = _Search(self.judge)
        value, line = 0, tuple(moves[:1])
        for depth in sorted({max(1, self.depth - 1), self.depth}):  # one ply less decides in which order to look
            moves.sort(key=lambda move: move != line[0])
            value, line = search.among(moves, position, depth, -INFINITE, INFINITE, 0)
        return Decision(line[0], value_from_core(value, position.turn), line, search.nodes, self.depth)


class _Search:
    """What one search remembers: judgements, and moves that were good before, which decide the order and no value."""

    def __init__(self, judge: BatchEvaluate) -> None:
        self.nodes = 0
        self._judge = judge
        self._known: dict[int, int] = {}
        self._best: dict[int, Move] = {}
        self._history: Counter[tuple[int, Move]] = Counter()

    def among(
        self, moves: Sequence[Move], position: Position, depth: int, alpha: int, beta: int, ply: int
    ) -> ScoredLine:
        """The best of some moves. Fail-soft: a value outside alpha and beta is a bound on that side."""
        best, line = -INFINITE, moves[:1]
        children = [position.after(move) for move in moves]
        for number, (move, child) in enumerate(zip(moves, children, strict=True)):
            # 1. Ends of lines are judged together. If our first move does not refute, we shall look at the others, and
            #    most of these are refuted by what seems the best reply.
            if depth == 1 and number < 2:
                self._foresee(children[number:] if number else children[:1])
            elif depth == 2 and number == 1:
                self._foresee(after for child in children[1:] for after in self._best_reply(child, ply + 1))
            # 2. The first move in full; of others we only ask whether they are better, and if so by how much.
            lower = max(alpha, best)
            upper = beta if number == 0 else min(lower + 1, beta)
            value, rest = self._after(child, depth - 1, -upper, -lower, ply + 1)
            if upper <= value < beta:
                value, rest = self._after(child, depth - 1, -beta, -value, ply + 1)
            if value > best:
                best, line = value, (move, *rest)
            if best >= beta:
                break
        # 3. Remember what was good.
        if best > alpha:
            self._best[position.key] = line[0]
            self._history[ply, line[0]] += depth * depth
        return best, tuple(line)

    def _after(self, child: Position, depth: int, alpha: int, beta: int, ply: int) -> ScoredLine:
        """What a move that led to `child` is worth for who played it; the window is the child's."""
        self.nodes += 1
        ended = game_end_value(child, ply)
        if ended is not None:
            return -ended, ()
        if depth == 0:
            return -self._known[child.key], ()
        value, line = self.among(self._ordered(child, depth, ply), child, depth, alpha, beta, ply)
        return -value, line

    def _ordered(self, position: Position, depth: int, ply: int) -> list[Move]:
        """Legal moves: what was best here before, what wins material as far as we look, what was good nearby."""
        best = self._best.get(position.key)

        def rank(move: Move) -> tuple[bool, int, int]:
            wins = _taken(position, move) if depth == 1 else position.see(move) if position.is_capture(move) else 0
            return move != best, -wins, -self._history[ply, move]

        return sorted(position.legal_moves(), key=rank)

    def _best_reply(self, position: Position, ply: int) -> list[Position]:
        """Where the likeliest last move of a line leads; nowhere, if no move is legal."""
        return [position.after(move) for move in self._ordered(position, 1, ply)[:1]]

    def _foresee(self, positions: Iterable[Position]) -> None:
        unknown = {position.key: position for position in positions if position.key not in self._known}
        if unknown:
            self._known |= zip(unknown, self._judge(pack(unknown.values())).tolist(), strict=True)


def game_end_value(position: Position, ply: int) -> int | None:
    """The value of a position that ends the game, for its side to move; a mate is worse the nearer it is. Else None."""
    ending = position.ending()
    if ending is None:
        return None
    return ply - MATE if ending == "checkmate" else 0


def _taken(position: Position, move: Move) -> int:
    """What the last move of a line wins: nobody takes back any more."""
    piece = None if move.castles else position.at(move.to_square)
    return (0 if piece is None else PIECE_VALUES[piece.kind]) + (
        0 if move.promotion is None else PIECE_VALUES[move.promotion]
    )
