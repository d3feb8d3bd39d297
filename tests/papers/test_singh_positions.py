"""The tests of singh2015: positions of test games with what was played there, and which of them training games have."""

from pathlib import Path

import numpy as np
import pytest

from okapi.core import Game, Position
from okapi.core.packed import fens
from okapi.data.store import Store, StoreWriter
from okapi.papers.singh2015 import training as module
from okapi.papers.singh2015.training import EvaluationSet, first_moves, occurring

GAMES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("e4 e5 Nf3 Nc6 Bc4", "1-0", {"WhiteElo": "2400", "BlackElo": "2100"}),
    ("d4 d5 c4", "1/2-1/2", {}),
    ("Nf3 Nc6 e4 e5 Bb5", "0-1", {"WhiteElo": "2600"}),
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    with StoreWriter.open(tmp_path / "games.okapi") as writer:
        for moves, result, tags in GAMES:
            writer.add(Game(Position.start(), Game.of(moves.split()).moves, result, tags=tags))
    return Store.open(tmp_path / "games.okapi")


def test_an_exam_has_every_position_and_what_was_played(store: Store) -> None:
    tests = EvaluationSet.of(store, [0, 2], [1])

    assert 10 == len(tests)
    assert [0, 1, 2, 3, 4, 0, 1, 2, 3, 4] == tests.plies.tolist()
    assert [0] * 5 + [2] * 5 == tests.games.tolist()
    assert [2400, 2100, 2400, 2100, 2400, 2600, 2500, 2600, 2500, 2600] == tests.elos.tolist()
    assert [2, 0, 2, 0, 2, 0, 2, 0, 2, 0] == tests.outcomes.tolist()
    played = f"{GAMES[0][0]} {GAMES[2][0]}".split()
    for fen, bits, san in zip(fens(tests.positions), tests.moves, played, strict=True):
        assert Position.from_fen(fen).move(san).bits == bits


def test_positions_of_training_games_are_known_by_whatever_way_they_came_about(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AT_ONCE", 2)  # so that games are looked at in several parts
    tests = EvaluationSet.of(store, [2], [0, 1])

    assert [True, False, False, False, True] == tests.seen.tolist()  # the last one is that after Nc6, too
    assert not occurring(store, [], tests.positions).any()
    assert EvaluationSet.of(store, [2], [2]).seen.all()


def test_some_of_it(store: Store) -> None:
    tests = EvaluationSet.of(store, [0, 1, 2], [])
    some = tests.some(5, seed=3)

    assert 5 == len(some) and np.array_equal(some.moves, tests.some(5, seed=3).moves)
    assert len(tests) == len(tests.some(100, seed=3))
    assert some.games.tolist() == sorted(some.games.tolist())


def test_first_moves(store: Store) -> None:
    counted = first_moves(store, [0, 1, 2])

    assert 20 == len(counted) and 3 == sum(counted.values())
    assert {"e2e4", "d2d4", "g1f3"} == set(list(counted)[:3])
