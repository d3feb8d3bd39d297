"""Trainings in Python: the same settings as the command line."""

from pathlib import Path

import pytest

from okapi import Brain, Position, train
from okapi.errors import NotFound, UsageError


def test_a_training_leaves_a_run_and_a_brain_that_is_found_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    result = train("vazquez-five", size="tiny", seed=2, out="mine")

    assert (result.folder / "brain.safetensors").is_file()
    assert result.figures["recipe"] == "vazquez-five"
    assert "mine" == result.brain.name == Brain.load("mine").name
    assert 0 < result.brain.evaluate(Position()) < 1
    assert "" == capsys.readouterr().out


def test_wrong_settings_are_errors_of_okapi(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no recipe"):
        train("vazquez-fife")
    with pytest.raises(UsageError, match="--colour"):
        train("vazquez-five", colour="red")
    with pytest.raises(NotFound, match="no games"):
        train("vazquez-five", games=tmp_path / "nothing.pgn", out=tmp_path / "run")
    with pytest.raises(UsageError):
        train("vazquez-five", size="tiny", out=tmp_path / "run", change={"no_such_setting": 1})
