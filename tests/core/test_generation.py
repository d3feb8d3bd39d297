"""Games in bulk are games by the rules, thought about as the ordinary search does, and depend on nothing but orders."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from okapi import Position, brains
from okapi.core import Adjudication, Evaluator, Limits, Line, Move, Search, Value
from okapi.core.packed import fens, unpack
from okapi.core.samples import MATE
from okapi.core.selfplay import DECIDED, play_games

NODES = 60

Samples = NDArray[np.void]


def evaluator(name: str = "okapi-28") -> Evaluator:
    return Evaluator.from_brain(brains.load(name))


@pytest.fixture(scope="module")
def samples() -> Samples:
    return play_games(evaluator(), games=24, nodes=NODES, seed=3, threads=2)


def games_of(samples: Samples) -> list[Samples]:
    return [samples[samples["game"] == number] for number in np.unique(samples["game"])]


def test_they_depend_on_the_arguments_alone(samples: Samples) -> None:
    parts = [
        play_games(evaluator(), games=count, nodes=NODES, seed=3, first=first) for first, count in ((0, 7), (7, 17))
    ]

    assert samples.tobytes() == np.concatenate(parts).tobytes()
    assert samples.tobytes() != play_games(evaluator(), games=24, nodes=NODES, seed=4, threads=2).tobytes()


def value_of(thought: Value) -> int:
    return thought.centipawns if thought.mate is None else int(np.sign(thought.mate)) * (MATE - abs(thought.mate))


def slow_twin(position: Position, adjudication: Adjudication) -> list[tuple[str, Move, int]]:
    """The game that a Search plays from here, which is told to stop after the first depth that took long enough."""
    search = Search(evaluator(), table_mb=1, without=("tablebases",))
    twin: list[tuple[str, Move, int]] = []
    ahead = 0
    while position.ending() is None and ahead < 2 * adjudication.resign_moves:
        lines: list[Line] = []

        def hear(_: int, line: Line, used: int, lines: list[Line] = lines) -> None:
            # What an unfinished depth found is told last, when the nodes are used up. The first is always finished.
            if used < 8 * NODES or not lines:
                lines.append(line)
            if used >= NODES:
                search.stop()

        search.run(position, Limits(nodes=8 * NODES), hear)
        twin.append((position.fen(), lines[-1].moves[0], value_of(lines[-1].value)))
        ahead = ahead + 1 if abs(twin[-1][2]) >= (adjudication.resign_score or 0) else 0
        position.play(lines[-1].moves[0])
    return twin


def test_a_game_is_what_the_ordinary_search_would_play(samples: Samples) -> None:
    game = games_of(samples)[0]
    rows = zip(fens(game["position"]), map(Move.from_bits, game["move"].tolist()), game["value"].tolist(), strict=True)

    assert slow_twin(unpack(game[0]["position"]), DECIDED) == list(rows)


def test_every_game_follows_the_rules(samples: Samples) -> None:
    for game in games_of(samples):
        position = unpack(game[0]["position"])
        assert 8 <= game[0]["ply"] <= 9
        for row, following in pairwise(game):
            position.play(Move.from_bits(int(row["move"])))
            assert position.fen() == unpack(following["position"]).fen()
            assert position.ending() is None
            assert following["ply"] == row["ply"] + 1


def white_values(game: Samples, plies: int) -> NDArray[np.int64]:
    last = game[-plies:]
    return np.where(last["position"]["turn"] == 0, 1, -1) * last["value"].astype(np.int64)


def test_results_are_those_of_the_games(samples: Samples) -> None:
    seen = set()
    for game in games_of(samples):
        black = game["position"]["turn"] == 1
        (white,) = np.unique(np.where(black, 2 - game["result"], game["result"]))
        position = unpack(game[0]["position"])
        for row in game:
            position.play(Move.from_bits(int(row["move"])))
        if position.ending() is not None:
            expected = {"1-0": 2, "0-1": 0}.get(position.result() or "", 1)
        elif (np.abs(white_values(game, 4)) >= 2500).all():
            expected = 2 if white_values(game, 1)[0] > 0 else 0
        else:
            assert (np.abs(white_values(game, 16)) <= 10).all()
            expected = 1
        assert expected == white
        seen.add(int(white))
    assert seen == {0, 1, 2}


def test_a_game_that_is_too_long_has_no_result() -> None:
    short = play_games(evaluator(), games=2, nodes=10, seed=1, adjudication=Adjudication(max_plies=6))

    assert [6, 6] == [len(game) for game in games_of(short)]
    assert (short["result"] == -1).all()


def test_games_begin_balanced() -> None:
    strict, loose = (
        play_games(evaluator(), games=40, nodes=20, seed=5, balanced=balanced) for balanced in (30, 32_000)
    )

    assert max(abs(int(game[0]["value"])) for game in games_of(strict)) <= 30
    assert max(abs(int(game[0]["value"])) for game in games_of(loose)) > 30


def test_who_never_sees_balance_plays_all_the_same() -> None:
    sure = Evaluator.from_function(lambda positions: [0.9999] * len(positions))
    played = play_games(sure, games=1, nodes=2, seed=1, balanced=1, adjudication=Adjudication(max_plies=4))

    assert 4 == len(played)


def test_a_search_ends_with_a_depth_that_took_long_enough(samples: Samples) -> None:
    assert (samples["nodes"] >= NODES).mean() > 0.9
    assert (samples["nodes"] < 8 * NODES).mean() > 0.95


@pytest.mark.parametrize("wrong", [{"games": -1}, {"nodes": 0}, {"first": -1}, {"threads": 0}, {"random_plies": 41}])
def test_wrong_orders_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} is"):
        play_games(evaluator(), **{"games": 1, "nodes": 10, "seed": 1, **wrong})
