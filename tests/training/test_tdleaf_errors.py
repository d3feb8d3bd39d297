"""The errors of TD-Leaf: Table 2 of lai2015, the rule above it, and what becomes of games that end."""

import numpy as np
import pytest

pytest.importorskip("torch")

from okapi.core.packed import POSITION
from okapi.core.selfplay import FIXED, LEARNS, NOTHING, TdLeafGames
from okapi.training.tdleaf import contributions, first_side_scores, leaf_targets, td_errors
from okapi.training.tdleaf_learners import CENTIPAWNS

TABLE_2 = np.array([10, 20, 20, 20, -10, -10, -10, 40, 40, 40, 40, 40])


def test_table_2() -> None:
    """The contributions are the thesis' own; it adds them up to 4.10, but their sum is 3.92."""
    told = {1: 7.0, 4: -7.2, 7: 4.12}

    found = contributions(TABLE_2, 0.7)

    assert {int(ply): round(found[ply], 2) for ply in np.flatnonzero(found)} == told
    assert round(sum(told.values()), 2) == 3.92
    whole = td_errors(TABLE_2[None], np.full((1, 12), LEARNS), 0.7, late=True)
    assert np.isclose(whole[0, 0], found.sum()) and abs(whole[0, 0] - 3.92) < 0.01


def test_the_rule_counts_the_first_change_in_full() -> None:
    late, soon = (td_errors(TABLE_2[None], np.full((1, 12), LEARNS), 0.7, late=late) for late in (True, False))

    assert np.allclose(late, 0.7 * soon)


@pytest.mark.parametrize("same_side", [False, True])
def test_errors_are_the_sums_of_the_rule(same_side: bool) -> None:
    values = np.random.default_rng(1).normal(size=(5, 9))
    step = 2 if same_side else 1

    found = td_errors(values, np.full(values.shape, LEARNS), 0.6, same_side=same_side)

    for start in range(9):
        views = values[:, start::step]
        wanted = (np.diff(views, axis=1) * 0.6 ** np.arange(views.shape[1] - 1)).sum(axis=1)
        assert np.allclose(found[:, start], wanted)


def test_with_no_discount_all_targets_are_the_last_value() -> None:
    values = np.random.default_rng(2).normal(size=(3, 7))

    assert np.allclose(values + td_errors(values, np.full(values.shape, LEARNS), 1.0), values[:, -1:])


def test_what_has_no_value_stands_for_no_change() -> None:
    values = np.array([[1.0, 99.0, 3.0, 99.0, 99.0]])
    kinds = np.array([[LEARNS, NOTHING, LEARNS, NOTHING, NOTHING]])

    found = td_errors(values, kinds, 0.5)

    assert np.allclose(found[0, :3], [0.5 * 2, 2.0, 0.0])


def test_values_are_seen_by_whoever_moves_first() -> None:
    y = first_side_scores(np.array([[100, -100, 100]]))

    assert np.allclose(y, np.tanh(100 / CENTIPAWNS))
    assert np.isclose((1 + np.tanh(400 / CENTIPAWNS)) / 2, 10 / 11), "400 centipawns are ten to one"


def played(values: list[int], kinds: list[int], turned: list[bool]) -> TdLeafGames:
    shape = (1, len(values))
    array = np.array([values], np.int32)
    positions = np.zeros(shape, POSITION)
    positions["fullmove_number"] = np.arange(shape[1])
    return TdLeafGames(
        positions=positions,
        values=array,
        leaves=positions,
        leaf_values=np.where(turned, -array, array).astype(np.int32),
        kinds=np.array([kinds], np.uint8),
        turned=np.array([turned]),
    )


def test_a_leaf_learns_what_it_is_worth_to_its_own_side_to_move() -> None:
    game = played([50, -50, 200], [LEARNS] * 3, [True, True, False])

    leaves, _ = leaf_targets(game, 1.0, same_side=False, late=False, learn_from="all", least_plies=0)

    end = np.tanh(200 / CENTIPAWNS)  # for the first mover, who is on the move in plies 0 and 2
    assert np.allclose(leaves.targets, [-end, end, end])


def test_the_last_plies_and_fixed_ones_teach_nothing_for_themselves() -> None:
    game = played([0, 0, 0, -32000, 0], [LEARNS, LEARNS, LEARNS, FIXED, NOTHING], [False] * 5)
    about = {"same_side": False, "late": False}

    every, _ = leaf_targets(game, 0.5, learn_from="all", least_plies=0, **about)
    early, _ = leaf_targets(game, 0.5, learn_from="all", least_plies=2, **about)
    start, _ = leaf_targets(game, 0.5, learn_from="start", least_plies=1, **about)

    assert every.positions["fullmove_number"].tolist() == [0, 1, 2]
    assert np.allclose(every.targets, [0.25, -0.5, 1.0], atol=1e-5), "whoever is mated in the end was worse before"
    assert early.positions["fullmove_number"].tolist() == [0, 1]
    assert start.positions["fullmove_number"].tolist() == [0]
