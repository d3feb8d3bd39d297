"""Choices in bulk are those of the ordinary search, and factors those that a linear brain weighs."""

from collections.abc import Iterable

import numpy as np
import pytest
from numpy.typing import NDArray

from okapi import Position, brains
from okapi.brains.files import brain_file
from okapi.core import Evaluator, Limits, RawBrain, Search, random_openings
from okapi.core.evaluation import FACTORS, choose, evaluate, factors, solve
from okapi.core.packed import POSITION, pack, pack_fens, random_positions, unpack
from okapi.errors import InvalidPosition, UsageError

BRAINS = ("vazquez-five", "okapi-28")
NO_MEMORY = ("table", "correction_history", "tablebases")

Positions = NDArray[np.void]


@pytest.fixture(scope="module")
def positions() -> Positions:
    return np.concatenate([random_positions(150, seed=3), pack(random_openings(50, seed=4))])


def evaluators(names: Iterable[str] = BRAINS) -> list[Evaluator]:
    return [Evaluator.from_brain(brains.load(name)) for name in names]


def slow_twin(name: str, positions: Positions, depth: int, without: tuple[str, ...]) -> list[int]:
    search = Search(evaluators([name])[0], table_mb=1, without=(*NO_MEMORY, *without))
    chosen = []
    for row in positions:
        position = unpack(row)
        search.new_game()
        over = not position.legal_moves()
        chosen.append(0 if over else search.run(position, Limits(depth=depth)).move.bits)
    return chosen


@pytest.mark.parametrize("without", [(), ("shortcuts", "fading", "known_endings")], ids=["all", "plain"])
def test_choices_are_those_of_the_ordinary_search(positions: Positions, without: tuple[str, ...]) -> None:
    twins = [slow_twin(name, positions, 1, without) for name in BRAINS]

    assert twins == choose(evaluators(), positions, without=without).tolist()


def test_so_they_are_at_more_plies(positions: Positions) -> None:
    some = positions[::8]

    assert [slow_twin(name, some, 3, ()) for name in BRAINS] == choose(evaluators(), some, depth=3).tolist()


def test_a_choice_depends_on_nothing_else(positions: Positions) -> None:
    together = choose(evaluators(), positions, depth=2)

    assert (together == choose(evaluators(), positions, depth=2, threads=3)).all()
    assert (together[1, ::-1] == choose(evaluators(BRAINS[1:]), positions[::-1], depth=2)[0]).all()


def test_an_exercise_is_solved_by_its_move(positions: Positions) -> None:
    moves = choose(evaluators(), positions)[0]

    solved = solve(evaluators(), positions, moves)

    assert solved[0].all() and 0 < solved[1].mean() < 1


def test_a_finished_game_has_no_choice() -> None:
    mated = pack_fens(["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"])

    assert [[0]] == choose(evaluators(BRAINS[:1]), mated).tolist()


def test_functions_may_judge() -> None:
    start = pack([Position.start()])
    same = Evaluator.from_function(lambda asked: [0.5] * len(asked))

    assert 0 < choose([same], start)[0, 0]


def test_what_a_function_throws_is_heard() -> None:
    def fail(asked: list[Position]) -> list[float]:
        raise RuntimeError("no opinion")

    with pytest.raises(RuntimeError, match="no opinion"):
        choose([Evaluator.from_function(fail)], pack([Position.start()]), threads=2)


def test_nonsense_is_refused(positions: Positions) -> None:
    with pytest.raises(InvalidPosition, match="number 1"):
        choose(evaluators(), np.concatenate([positions[:1], np.zeros(1, POSITION)]))
    with pytest.raises(InvalidPosition, match="number 0"):
        factors(np.zeros(1, POSITION))
    with pytest.raises(UsageError, match="no heuristic"):
        choose(evaluators(), positions, without=["luck"])
    with pytest.raises(ValueError, match="depth is 0"):
        choose(evaluators(), positions, depth=0)
    with pytest.raises(ValueError, match="200 positions"):
        solve(evaluators(), positions, [1, 2])


def test_no_work_is_no_trouble(positions: Positions) -> None:
    assert (0, 200) == choose([], positions).shape
    assert (2, 0) == choose(evaluators(), positions[:0]).shape
    assert (0, len(FACTORS)) == factors(positions[:0]).shape


@pytest.mark.parametrize(("kind", "count"), [("linear-28", 29), ("linear-35", 35)])
def test_factors_are_what_a_linear_brain_weighs(positions: Positions, kind: str, count: int) -> None:
    weights = np.random.default_rng(count).uniform(-50, 50, count).astype(np.float32)
    card = {"name": "random", "kind": kind, "encoding": f"factors-{count}"}
    divisors = np.linspace(1, 9, count, dtype=np.float32)
    divisors[[FACTORS.index("king_defence"), FACTORS.index("king_attack")]] = 1000  # by centipawns of material
    tensors = {"weights": weights, "divisors": divisors}
    evaluator = Evaluator.from_brain(RawBrain.from_bytes(brain_file(card, tensors)))

    said = factors(positions, threads=2)[:, :count] @ (weights / divisors)

    values = [evaluator.centipawns(unpack(row)) for row in positions]
    assert np.abs(said - values).max() < 2  # weights are rounded to 256ths of a centipawn, for each of many pieces


def test_factors_are_the_mover_s_less_the_other_s() -> None:
    white, black = factors(pack_fens([f"4k3/8/8/8/8/8/4P3/R3K3 {turn} - - 0 1" for turn in "wb"]))

    assert (white == -black).all()
    assert (1, 1) == (white[FACTORS.index("pawn")], white[FACTORS.index("rook")])


def test_opinions_in_bulk_are_those_of_the_evaluators(positions: Positions) -> None:
    values = evaluate(evaluators(), positions, threads=2)

    assert [[each.centipawns(unpack(row)) for row in positions] for each in evaluators()] == values.tolist()
    assert (0, len(positions)) == evaluate([], positions).shape and (2, 0) == evaluate(
        evaluators(), positions[:0]
    ).shape
