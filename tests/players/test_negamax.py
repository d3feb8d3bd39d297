"""Searches of one depth: the fast ones find what every line of that length, written out, would give."""

import numpy as np
import pytest
from numpy.typing import NDArray
from oracle import Oracle

from okapi import Limits, Move, Position
from okapi.brains import evaluator
from okapi.core.evaluation import evaluate
from okapi.core.packed import pack, random_positions, unpack
from okapi.core.search import value_from_core
from okapi.errors import GameIsOver, UsageError
from okapi.players.singh2015 import Negamax, TopProbNegamax, game_end_value

MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
STALEMATE_TRAP = "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1"
FIFTY = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 98 80"


class Counting:
    """A brain's opinion, and how often it was asked about how many."""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self._evaluator = evaluator("okapi-28")

    def __call__(self, positions: NDArray[np.void]) -> NDArray[np.int32]:
        self.batches.append(len(positions))
        return evaluate([self._evaluator], positions)[0]


def plainly(position: Position, depth: int, ply: int = 0) -> int:
    """Algorithm 3 of singh2015, letter by letter."""
    ended = game_end_value(position, ply)
    if ended is not None:
        return ended
    if depth == 0:
        return int(evaluate([evaluator("okapi-28")], pack([position]))[0, 0])
    return max(-plainly(position.after(move), depth - 1, ply + 1) for move in position.legal_moves())


POSITIONS = [unpack(row) for row in random_positions(400, seed=3)[::57]]
POSITIONS += [Position.from_fen(fen) for fen in (STALEMATE_TRAP, FIFTY)]
CASES = [
    (position.fen(), depth)
    for position in POSITIONS
    for depth in (1, 2, 3)
    if position.ending() is None and (depth < 3 or len(position.legal_moves()) < 25)
]
"""Three plies only where few moves are legal: writing every line out takes a while."""


class TestNegamax:
    @pytest.mark.parametrize(("fen", "depth"), CASES)
    def test_finds_what_every_line_written_out_gives(self, fen: str, depth: int) -> None:
        position = Position.from_fen(fen)

        decision = Negamax(Counting(), depth=depth).choose(position, Limits())

        values = {move: -plainly(position.after(move), depth - 1, 1) for move in position.legal_moves()}
        best = max(values.values())
        assert best == values[decision.move]
        assert value_from_core(best, position.turn) == decision.value
        assert best == at_the_end_of(decision.line, position)

    def test_judges_in_batches(self) -> None:
        judged = Counting()

        Negamax(judged, depth=3).choose(Position.start(), Limits())

        assert sum(judged.batches) / len(judged.batches) > 8

    def test_sees_no_further_than_its_depth(self) -> None:
        """A pawn that is defended hangs, for who does not see the recapture."""
        position = Position.from_fen("4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1")

        assert "Qxd6" == position.san(Negamax(Counting(), depth=1).choose(position, Limits()).move)
        assert "Qxd6" != position.san(Negamax(Counting(), depth=2).choose(position, Limits()).move)

    def test_chooses_among_the_moves_it_is_given(self) -> None:
        start = Position.start()
        only = (start.move("h3"),)

        assert only[0] == Negamax(Counting(), depth=2).choose(start, Limits(only=only)).move
        with pytest.raises(GameIsOver):
            Negamax(Counting()).choose(Position.from_fen(MATED), Limits())
        with pytest.raises(UsageError, match="depth=0"):
            Negamax(Counting(), depth=0)


class TestTopProbNegamax:
    def test_with_every_move_among_the_likeliest_it_is_negamax(self) -> None:
        for position in POSITIONS[1:4]:
            narrow = TopProbNegamax(Oracle({}), Counting(), k=300, depth=2).choose(position, Limits())
            wide = Negamax(Counting(), depth=2).choose(position, Limits())

            assert wide.value == narrow.value

    def test_looks_at_the_likeliest_moves_alone(self) -> None:
        """The queen hangs, but nobody thinks of taking it."""
        position = Position.from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
        brain = Oracle({"e1e2": 0.6, "e1f2": 0.3, "e4d5": 0.1})

        taken = {k: TopProbNegamax(brain, Counting(), k=k, depth=1).choose(position, Limits()) for k in (2, 3)}

        assert "exd5" != position.san(taken[2].move)
        assert "exd5" == position.san(taken[3].move)
        assert "Ke2" == position.san(taken[3].likely[0][0])

    def test_asks_once_a_level_and_never_twice_about_a_position(self) -> None:
        brain, judged = Oracle({"g1f3": 0.9, "b1c3": 0.8, "g8f6": 0.9, "b8c6": 0.8}), Counting()
        player = TopProbNegamax(brain, judged, k=2, depth=3)

        decision = player.choose(Position.start(), Limits())

        assert [1, 2, 4] == brain.asked
        assert [len(judged.batches), sum(judged.batches)] == [1, 6], "of 8 lines two pairs transpose"
        assert 15 == decision.nodes
        player.choose(Position.start().after(decision.line[0]).after(decision.line[1]), Limits())
        assert [1, 2, 4, 2, 4] == brain.asked, "the first position was predicted before"

    def test_mates_and_draws_by_the_rules(self) -> None:
        mate = Position.from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        decision = TopProbNegamax(Oracle({"a1a8": 0.1}), Counting(), k=3, depth=3).choose(mate, Limits())
        assert ("Ra8#", 1) == (mate.san(decision.move), decision.value.mate)
        assert 1 == len(decision.line)

        trap = Position.from_fen(STALEMATE_TRAP)
        brain = Oracle({"g5g6": 0.9, "f7f6": 0.5})
        assert "Kg6" != trap.san(TopProbNegamax(brain, Counting(), k=2, depth=1).choose(trap, Limits()).move)

    def test_chooses_among_the_moves_it_is_given(self) -> None:
        start = Position.start()
        only = (start.move("h3"),)
        player = TopProbNegamax(Oracle({"e2e4": 0.9}), Counting(), k=2, depth=2)

        assert only[0] == player.choose(start, Limits(only=only)).move
        with pytest.raises(GameIsOver):
            player.choose(Position.from_fen(MATED), Limits())
        for wrong in ({"k": 0}, {"depth": 0}):
            with pytest.raises(UsageError, match="no limit of a search"):
                TopProbNegamax(Oracle({}), Counting(), **wrong)


def at_the_end_of(line: tuple[Move, ...], position: Position) -> int:
    """The value of the last position of a line, for who began it."""
    for move in line:
        position = position.after(move)
    return (-1) ** len(line) * plainly(position, 0, len(line))
