"""Runs that fit into a time, over several sessions."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from okapi.errors import Unfinished, UsageError
from okapi.recipes import RECIPES, Recipe
from okapi.recipes.config import RecipeConfig
from okapi.recipes.run import FILLED, Minutes, RecipeRun


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_was_decided_stays_and_time_adds_up_over_sessions(tmp_path: Path) -> None:
    clock = Clock()
    first = Minutes(tmp_path, 10, clock=clock)
    clock.now = 100
    assert 7 == first.once("games", lambda left: 7)
    clock.now = 130
    first.tick()
    clock.now = 131  # killed: the last second is lost

    again = Minutes(tmp_path, 10, clock=clock)
    assert 7 == again.once("games", lambda left: 8)
    assert FILLED * 600 - 130 == again.once("training", lambda left: left)


def test_another_time_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    Minutes(tmp_path, 10).once("games", lambda left: 1)
    with pytest.raises(UsageError, match="begun with --minutes 10, not 5"):
        Minutes(tmp_path, 5)


def test_there_is_always_some_time_left(tmp_path: Path) -> None:
    clock = Clock()
    minutes = Minutes(tmp_path, 1, clock=clock)
    clock.now = 1e6

    assert 1.0 == minutes.left_s


def test_a_recipe_of_fixed_length_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="length of `time` cannot be chosen"):
        RecipeRun(name="time", config=RecipeConfig(), folder=tmp_path, minutes=1).start()


def test_readme_and_docs_have_the_figure_that_the_board_expects() -> None:
    measured = RECIPES["nnue"].measured
    assert measured is not None
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    row = next(line for line in readme.splitlines() if f"okapi train nnue --minutes {measured.minutes:g}`" in line)

    figure = f"{measured.elo:+} Elo ({measured.low:+} … {measured.high:+})"
    assert f"{measured.games} games | {figure}" in row
    for page in ("howto/training.md", "tutorials/1_first_engine.ipynb"):
        assert figure in (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8"), page


def test_an_estimate_needs_a_time(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="for a given time"):
        RecipeRun(name="vazquez-pieces", config=RecipeConfig(), folder=tmp_path).estimate()


def test_a_network_trains_as_many_epochs_as_fit_and_goes_on_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    monkeypatch.setitem(RECIPES, "toy", Recipe("Three classes", "nothing", "supervised", "toy_training:toy"))
    told: list[str] = []
    config = RecipeConfig(size="tiny", changes={"elo": "off"})
    run = RecipeRun(name="toy", config=config, folder=tmp_path, minutes=0.05, threads=1, tell=told.append)
    with pytest.raises(Unfinished):
        replace(run, stop=lambda: True).start()
    result = run.start()

    assert result is not None and 1 == sum(line.startswith("plan: ") for line in told)
    decided = json.loads((tmp_path / "minutes.json").read_bytes())["decided"]["training"]
    assert decided["epochs"] == result.figures["epochs"] >= 4


@pytest.mark.parametrize("is_over", [False, True])
def test_an_evolution_has_as_many_generations_as_fit(
    is_over: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RECIPES, "toy", Recipe("Five weights", "nothing", "evolution", "toy:toy"))
    monkeypatch.setattr(Minutes, "is_over", is_over)
    config = RecipeConfig(size="tiny", changes={"elo": "off"})
    run = RecipeRun(name="toy", config=config, folder=tmp_path, minutes=0.02)

    for _ in range(2):  # the second time it is only read
        result = run.start()
        decided = json.loads((tmp_path / "minutes.json").read_bytes())["decided"]["generations"]
        assert result is not None and (0 if is_over else decided) == result.figures["generations"]
    assert decided > 1
