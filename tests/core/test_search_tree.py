"""Trees of searches, recorded for drawings."""

import numpy as np
import pytest

from okapi import Evaluator, Move, Position
from okapi.core import RawBrain
from okapi.core.search_tree import HORIZON, INNER, SearchTree, trace_tree
from okapi.errors import UsageError

QUEENS = "3qk3/pp3ppp/8/8/8/8/PP3PPP/3QK3 w - - 0 1"


def judge() -> Evaluator:
    return Evaluator.from_brain(RawBrain.default())


def plain(shape: str) -> SearchTree:
    return trace_tree(judge(), Position.from_fen(QUEENS), budget=shape, nodes=20000, without=["all"], most=20000)


@pytest.mark.parametrize("shape", ["depth", "even", "shares"])
def test_every_node_is_one_legal_move_below_its_parent(shape: str) -> None:
    tree = trace_tree(judge(), Position.from_fen(QUEENS), budget=shape)

    positions = [Position.from_fen(QUEENS)]
    for parent, move, ply in zip(tree.parent[1:], tree.move[1:], tree.ply[1:], strict=True):
        assert ply == tree.ply[parent] + 1
        positions.append(positions[parent].after(Move.from_bits(int(move))))
    assert -1 == tree.parent[0]
    assert len(tree.move) > 100


def test_without_shortcuts_the_depth_shape_ends_everywhere_at_the_same_ply() -> None:
    tree = plain("depth")

    assert {int(tree.left[0])} == set(tree.ply[tree.kind == HORIZON].tolist())


def test_the_even_shape_goes_further_where_queens_are_off() -> None:
    """White may exchange queens: each side has then fewer moves, and each is likelier."""
    position = Position.from_fen(QUEENS)
    exchange = next(move.bits for move in position.legal_moves() if position.san(move) == "Qxd8+")
    tree = plain("even")

    first = np.arange(len(tree.parent))
    while (tree.ply[first] > 1).any():
        first = np.where(tree.ply[first] > 1, tree.parent[first], first)
    exchanged = tree.move[first] == exchange
    horizon = (tree.kind == HORIZON) & (tree.ply > 0)
    assert tree.ply[exchanged & horizon].min() > np.median(tree.ply[~exchanged & horizon])


def test_probabilities_of_a_complete_node_add_up() -> None:
    tree = plain("even")

    first = tree.ply == 1
    assert 1 == pytest.approx(tree.probability[first].sum(), abs=0.01)
    assert INNER == tree.kind[0]


def test_no_more_nodes_than_wanted_are_written_down() -> None:
    assert 10 == len(trace_tree(judge(), Position.start(), most=10).parent)


def test_a_tree_has_nodes() -> None:
    with pytest.raises(UsageError):
        trace_tree(judge(), Position.start(), nodes=0)
