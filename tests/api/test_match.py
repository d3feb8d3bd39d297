"""Matches in Python: whoever can play, in this process or in others."""

import subprocess
import sys
from pathlib import Path

import pytest
from torch import nn

from okapi import Brain, Limits, Move, Position, match
from okapi.errors import UsageError
from okapi.players import Random


class First:
    def choose(self, position: Position, limits: Limits) -> Move:
        return position.legal_moves()[0]


def last(position: Position) -> Move:
    return position.legal_moves()[-1]


def crashes(position: Position) -> Move:
    if position.plies > 3:
        raise RuntimeError("out of ideas")
    return position.legal_moves()[0]


def network() -> Brain:
    return Brain.from_torch(nn.Sequential(nn.Flatten(), nn.Linear(768, 1), nn.Sigmoid()), encoding="planes-12")


PLAYERS = {
    "a class": First,
    "an object": First(),
    "a function": last,
    "a maker": lambda: First(),
    "a name": "material",
    "a specification": "random:7",
    "a brain": Brain.load("okapi-28"),
    "a torch network": network(),
    "a player of okapi": Random(1),
}


@pytest.mark.parametrize("player", PLAYERS.values(), ids=PLAYERS)
def test_everybody_plays_without_an_error(player: object) -> None:
    result = match(player, "random", games=2, nodes=20)  # type: ignore[arg-type]

    assert (2, []) == (result.games, result.errors)
    assert 2 == result.wins + result.draws + result.losses


def test_two_brains_play_in_the_core_and_the_better_one_wins() -> None:
    result = match("okapi-28", Brain.load("material"), games=40, depth=2)

    assert result.low < result.elo < result.high and result.elo > 0
    assert ("okapi-28", "material") == result.names
    assert str(result).startswith("okapi-28 against material: +")


def test_an_exception_loses_the_game_and_its_traceback_is_in_the_result() -> None:
    result = match(crashes, "random", games=2)

    assert 2 == result.losses
    assert all("RuntimeError: out of ideas" in error and 'raise RuntimeError("out' in error for error in result.errors)


def test_an_illegal_move_loses_the_game() -> None:
    result = match(lambda position: "a1a1", "random", games=2)

    assert 2 == result.losses and "no legal move" in result.errors[0]


def test_equal_names_are_told_apart() -> None:
    assert ("material (1)", "material (2)") == match("material", "material", games=2, depth=1).names


def test_a_pgn_has_every_game(tmp_path: Path) -> None:
    match(First, "random", games=4, pgn=str(tmp_path / "games.pgn"))

    assert 4 == (tmp_path / "games.pgn").read_text().count('[Event "')


def test_objects_are_refused_by_other_processes() -> None:
    for player in (First(), network()):
        with pytest.raises(UsageError, match="process"):
            match(player, "random", games=2, workers=2)


SCRIPT = """
from okapi import match

class First:
    def choose(self, position, limits):
        return position.legal_moves()[0]

if __name__ == "__main__":
    here = match(First, "random", games=4)
    there = match(First, "random", games=4, workers=2)
    print(here.wins, here.draws, here.losses, here.errors)
    print(there.wins, there.draws, there.losses, there.errors)
"""


def test_workers_make_a_class_of_a_script_themselves_and_play_the_same_games(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=120)

    assert 0 == done.returncode, done.stderr
    here, there = done.stdout.splitlines()
    assert here == there and here.endswith("[]")
