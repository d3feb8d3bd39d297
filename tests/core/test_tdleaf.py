"""Searches in bulk are those of the ordinary search, and nothing stands between the evaluator and a value."""

import numpy as np
import pytest
from numpy.typing import NDArray

from okapi import Position, brains
from okapi.core import Color, Evaluator, Limits, Line, Search, Value, _core, random_openings
from okapi.core.evaluation import evaluate
from okapi.core.labelling import best_moves, internal_nodes
from okapi.core.packed import POSITION, fens, pack, pack_fens, random_positions, unpack
from okapi.core.search import value_from_core
from okapi.core.selfplay import FIXED, LEARNS, NOTHING, PLY, TdLeafGames, play_tdleaf
from okapi.errors import InvalidPosition, UsageError

MATE = 32_000
PLAIN = ("correction_history", "fading", "known_endings", "tablebases", "stand_by_table")

Positions = NDArray[np.void]


def evaluator(name: str = "okapi-28") -> Evaluator:
    return Evaluator.from_brain(brains.load(name))


@pytest.fixture(scope="module")
def positions() -> Positions:
    return np.concatenate([random_positions(60, seed=3), pack(random_openings(20, seed=4))])


@pytest.fixture(scope="module")
def played(positions: Positions) -> TdLeafGames:
    return play_tdleaf(evaluator(), positions, seed=5)


def test_the_record_has_the_same_bytes_in_cpp() -> None:
    fields = [(name, PLY.fields[name][1]) for name in PLY.names or () if PLY.fields]

    assert _core.ply_layout() == [*fields, ("", PLY.itemsize)]


def same(one: TdLeafGames, other: TdLeafGames) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in TdLeafGames.__slots__)


def test_games_depend_on_the_arguments_alone(positions: Positions, played: TdLeafGames) -> None:
    assert same(played, play_tdleaf(evaluator(), positions, seed=5, threads=3))
    assert not same(played, play_tdleaf(evaluator(), positions, seed=6))


def test_values_are_what_the_evaluator_says_of_the_leaves(played: TdLeafGames) -> None:
    learns = played.kinds == LEARNS
    says = evaluate([evaluator()], played.leaves[learns])[0]

    assert learns.mean() > 0.8
    assert (played.leaf_values[learns] == says).all()
    assert (played.values == np.where(played.turned, -1, 1) * played.leaf_values).all()
    assert (played.turned == (played.leaves["turn"] != played.positions["turn"]))[played.kinds != NOTHING].all()


@pytest.mark.parametrize("without", [("pvs",), ("table",), ("aspiration", "shortcuts"), ("quiescence",)])
def test_so_they_are_however_the_search_is_made(positions: Positions, without: tuple[str, ...]) -> None:
    played = play_tdleaf(evaluator(), positions[::4], seed=5, nodes=500, plies=4, without=without)
    learns = played.kinds == LEARNS

    assert (played.leaf_values[learns] == evaluate([evaluator()], played.leaves[learns])[0]).all()
    assert (played.values == np.where(played.turned, -1, 1) * played.leaf_values).all()


def slow_twin(position: Position, plies: int, nodes: int) -> list[tuple[str, str, Value]]:
    """Root, leaf and value of each ply, as the Search finds them at the last depth that it finishes."""
    search = Search(evaluator(), table_mb=1, without=PLAIN)
    twin: list[tuple[str, str, Value]] = []
    while len(twin) < plies and position.ending() is None:
        lines: list[Line] = []

        def hear(_: int, line: Line, used: int, lines: list[Line] = lines) -> None:
            # What an unfinished depth found is told last, when the nodes are used up. The first is always finished.
            if used < nodes or not lines:
                lines.append(line)

        search.run(position, Limits(nodes=nodes), hear)
        [*_, line] = lines
        leaf = position
        for move in line.moves:
            leaf = leaf.after(move)
        twin.append((position.fen(), leaf.fen(), line.value))
        position = position.after(line.moves[0])
    return twin


def test_searches_are_those_of_the_thinker(positions: Positions) -> None:
    some = positions[::3]
    played = play_tdleaf(evaluator(), some, seed=1, random_moves=0, plies=5, nodes=300)

    for game, start in enumerate(some):
        twin = slow_twin(unpack(start), 5, 300)
        thought = played.positions[game, : len(twin)]
        sides = [Color.BLACK if turn else Color.WHITE for turn in thought["turn"]]
        values = [value_from_core(int(value), side) for value, side in zip(played.values[game], sides, strict=False)]
        assert twin == list(zip(fens(thought), fens(played.leaves[game, : len(twin)]), values, strict=False))


def test_games_that_end() -> None:
    mate_in_one, bare_kings = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "8/8/8/4k3/8/4n3/3K4/8 w - - 0 1"
    mated, clock = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 1 1", "8/5k2/8/8/8/8/2R5/4K3 w - - 99 90"
    games = play_tdleaf(
        evaluator(), pack_fens([mate_in_one, bare_kings, mated, clock]), plies=4, seed=1, random_moves=0
    )

    assert [[FIXED, FIXED, NOTHING, NOTHING]] * 2 == games.kinds[[0, 3]].tolist()
    assert [[FIXED, NOTHING, NOTHING, NOTHING]] * 2 == games.kinds[[1, 2]].tolist()
    assert [[MATE - 1, -MATE, 0, 0], [0, 0, 0, 0], [-MATE, 0, 0, 0], [0, 0, 0, 0]] == games.values.tolist()
    assert fens(games.leaves[0, :2]) == [mated] * 2


def test_a_position_that_stood_before_is_a_draw() -> None:
    """Queens that may check for ever, and nothing better."""
    [start] = pack_fens(["6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 1"])
    game = play_tdleaf(evaluator(), np.array([start]), plies=12, seed=1, random_moves=0, nodes=2000)

    assert [FIXED, 0] == [game.kinds[0, 1], game.values[0, 1]]
    assert FIXED in game.kinds[0, 3:]


def test_random_moves_come_first() -> None:
    start = pack([Position.start()] * 40)
    games = [
        play_tdleaf(evaluator("material"), start, plies=1, nodes=1, seed=1, random_moves=moves) for moves in (0, 1, 2)
    ]
    roots = [set(fens(game.positions[:, 0])) for game in games]

    assert [1, True, True] == [len(roots[0]), 10 < len(roots[1]) <= 20, len(roots[2]) > 30]


def test_a_function_of_python_is_an_evaluator_too(positions: Positions) -> None:
    def evaluate(asked: list[Position]) -> list[float]:
        return [0.5 + 0.001 * (len(position.legal_moves()) % 50) for position in asked]

    functions = Evaluator.from_function(evaluate)

    assert same(
        *(play_tdleaf(functions, positions[:4], plies=2, nodes=50, seed=1, threads=threads) for threads in (1, 2))
    )


def test_best_moves_are_those_of_the_thinker(positions: Positions) -> None:
    search = Search(evaluator(), table_mb=1, without=["tablebases"])
    moves, values = best_moves(evaluator(), positions, nodes=400, threads=2)

    for row, move, value in zip(positions, moves, values, strict=True):
        position = unpack(row)
        if not position.legal_moves():
            assert [0, -MATE if position.is_check() else 0] == [move, value]
            continue
        search.new_game()
        decision = search.run(position, Limits(nodes=400))
        assert (decision.move.bits, decision.value) == (move, value_from_core(int(value), position.turn))


def test_a_best_move_depends_on_its_position_alone(positions: Positions) -> None:
    alone = [best_moves(evaluator(), positions[n : n + 1], nodes=200)[0][0] for n in range(20)]

    assert alone == best_moves(evaluator(), positions[:20], nodes=200)[0].tolist()


def plies_between(root: NDArray[np.void], node: NDArray[np.void]) -> int:
    return int(2 * (int(node["fullmove_number"]) - int(root["fullmove_number"])) + node["turn"] - root["turn"])


def test_internal_nodes_lie_below_their_roots(positions: Positions) -> None:
    some = positions[::4]
    nodes, roots = internal_nodes(evaluator("material"), some, nodes=120, each=1000, seed=1)

    assert ((0 < np.bincount(roots, minlength=len(some))) == (legal(some) > 0)).all()
    for number, root in enumerate(some):
        below = nodes[roots == number]
        met = set(fens(below))
        assert len(met) == len(below) < 120
        assert not met or fens(root.reshape(1))[0] in met
        position = unpack(root)
        children = {position.after(move).fen() for move in position.legal_moves()}
        near = [node for node in below if plies_between(root, node) == 1 and not is_pass(root, node)]
        assert set(fens(np.array(near, POSITION))) <= children


def is_pass(root: NDArray[np.void], node: NDArray[np.void]) -> bool:
    return bool(root["occupied"] == node["occupied"])


def legal(positions: Positions) -> NDArray[np.int_]:
    return np.array([len(unpack(row).legal_moves()) for row in positions])


def test_internal_nodes_do_not_depend_on_threads(positions: Positions) -> None:
    one, two = (internal_nodes(evaluator(), positions, nodes=200, each=3, seed=1, threads=n) for n in (1, 2))

    assert all((first == second).all() for first, second in zip(one, two, strict=True))
    assert {3} == set(np.bincount(one[1])[60:].tolist())
    assert (one[0] != internal_nodes(evaluator(), positions, nodes=200, each=3, seed=2)[0]).any()


def test_every_internal_node_has_the_same_chance() -> None:
    start = pack([Position.start()] * 2000)
    every, _ = internal_nodes(evaluator(), start[:1], nodes=150, each=1000, seed=1)
    drawn, _ = internal_nodes(evaluator(), start, nodes=150, each=4, seed=1)
    times = np.array([np.count_nonzero(drawn == node) for node in every])
    expected = len(drawn) / len(every)

    assert times.sum() == len(drawn)
    assert np.square((times - expected) / np.sqrt(expected)).sum() < 1.5 * len(every)


def test_what_makes_no_sense_is_refused(positions: Positions) -> None:
    with pytest.raises(ValueError, match="plies is 0"):
        play_tdleaf(evaluator(), positions, plies=0, seed=1)
    with pytest.raises(UsageError, match="nul_move"):
        play_tdleaf(evaluator(), positions, seed=1, without=["nul_move"])
    broken = positions.copy()
    broken["pieces"][7] = 0
    with pytest.raises(InvalidPosition, match="7"):
        play_tdleaf(evaluator(), broken, seed=1)
