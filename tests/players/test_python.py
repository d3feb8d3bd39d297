"""Players written in Python: objects, functions, files."""

import sys
from pathlib import Path

import pytest

from okapi import Decision, Limits, Move, Position, Value
from okapi.errors import NotFound, PlayerCheated, PlayerCrashed, UsageError
from okapi.players import PythonPlayer, parse_player
from okapi.players.python import python_spec

FILE = """
from okapi import Limits, Position

class First:
    def choose(self, position, limits):
        return position.legal_moves()[0]

def last(position):
    return position.legal_moves()[-1]

def make_first():
    return First()

made = First()
number = 7

class Needy:
    def __init__(self, what):
        pass
"""


class First:
    games = 0

    def choose(self, position: Position, limits: Limits) -> Move:
        return position.legal_moves()[0]

    def new_game(self) -> None:
        self.games += 1


def last(position: Position) -> Move:
    return position.legal_moves()[-1]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "wooden.py").write_text(FILE)
    return "wooden.py"


class TestObjectsAndFunctions:
    def test_a_move_may_be_a_move_text_or_a_decision(self) -> None:
        move = Position().move("Nf3")
        decision = Decision(move, Value(0.6, Position().turn), (move,), 12)

        for answer in (move, "Nf3", "g1f3", decision):
            assert move == PythonPlayer(lambda position, answer=answer: answer).choose(Position(), Limits()).move
        assert 12 == PythonPlayer(lambda position: decision).choose(Position(), Limits()).nodes

    def test_limits_go_to_those_who_take_them(self) -> None:
        seen: list[Limits] = []

        def two(position: Position, limits: Limits) -> str:
            seen.append(limits)
            return "e4"

        PythonPlayer(two).choose(Position(), Limits(nodes=7))
        PythonPlayer(last).choose(Position(), Limits(nodes=7))

        assert [Limits(nodes=7)] == seen

    def test_a_player_cannot_change_the_game(self) -> None:
        position = Position()
        PythonPlayer(lambda given: given.play("e4")).choose(position, Limits())

        assert Position() == position

    def test_what_is_no_legal_move_is_cheating(self) -> None:
        for answer in ("e5", "nonsense", None, 3, Move.none(), Position().after("e4").move("e5")):
            with pytest.raises(PlayerCheated, match="no legal move"):
                PythonPlayer(lambda position, answer=answer: answer).choose(Position(), Limits())

    def test_an_exception_comes_with_their_traceback_and_not_with_ours(self) -> None:
        with pytest.raises(PlayerCrashed, match="ZeroDivisionError") as raised:
            PythonPlayer(lambda position: 1 / 0).choose(Position(), Limits())

        assert "1 / 0" in raised.value.traceback and "test_python.py" in raised.value.traceback
        assert "players/python.py" not in raised.value.traceback

    def test_an_error_of_okapi_inside_the_player_is_the_player_s(self) -> None:
        with pytest.raises(PlayerCrashed, match="IllegalMove"):
            PythonPlayer(lambda position: position.play("Ke2")).choose(Position(), Limits())

    def test_what_cannot_choose_is_refused(self) -> None:
        with pytest.raises(UsageError, match="cannot play"):
            PythonPlayer(7)  # type: ignore[arg-type]

    def test_it_is_told_that_a_game_begins(self) -> None:
        first = First()
        PythonPlayer(first).new_game()

        assert 1 == first.games


class TestSpecification:
    @pytest.mark.parametrize("name", ["First", "make_first", "made"])
    def test_a_file_has_classes_makers_and_objects(self, file: str, name: str) -> None:
        player = parse_player(f"python:{file}:{name}")

        assert Position().legal_moves()[0] == player.choose(Position(), Limits()).move

    def test_a_file_has_functions(self, file: str) -> None:
        assert Position().legal_moves()[-1] == parse_player(f"python:{file}:last").choose(Position(), Limits()).move

    def test_a_module_of_this_folder_is_found(self, file: str) -> None:
        assert parse_player("python:wooden:last").choose(Position(), Limits()).move

    def test_errors_say_what_is_missing(self, file: str) -> None:
        with pytest.raises(NotFound, match="no file"):
            parse_player("python:stone.py:First")
        with pytest.raises(NotFound, match="has no `Frist`") as raised:
            parse_player(f"python:{file}:Frist")
        assert "First" in raised.value.hint
        with pytest.raises(UsageError, match="names no player"):
            parse_player("python:wooden")
        with pytest.raises(UsageError, match="cannot be imported"):
            parse_player("python:no_such_module:First")
        with pytest.raises(UsageError, match="cannot play"):
            parse_player(f"python:{file}:number")
        with pytest.raises(UsageError, match="cannot be made"):
            parse_player(f"python:{file}:Needy")

    def test_a_class_is_named_for_other_processes(self) -> None:
        assert f"python:{First.__module__}:First" == python_spec(First)
        with pytest.raises(UsageError, match="another process"):
            python_spec(lambda: First())
