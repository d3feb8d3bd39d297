"""`okapi train nnue`: from nothing to a brain, and the same after an interruption."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from okapi.brains import card, evaluator
from okapi.core import Position
from okapi.data.runs import RunInfo
from okapi.data.sources import read_samples, write_samples
from okapi.errors import Unfinished, WrongBrain
from okapi.optimize.executor import ThreadExecutor
from okapi.recipes import check_data, default_recipe
from okapi.recipes.config import RecipeConfig
from okapi.recipes.run import RecipeResult, RecipeRun
from okapi.training.shards import find_shards, load_shards

CHANGES = {"games": 12, "nodes": 10, "epochs": 2, "snapshots": 4, "elo_games": 2}


def run(folder: Path, changes: dict[str, Any] | None = None, **options: Any) -> RecipeResult:
    config = RecipeConfig(size="tiny", executor=ThreadExecutor(1), changes={**CHANGES, **(changes or {})})
    result = RecipeRun(name="nnue", config=config, folder=folder, device="cpu", **options).start()
    assert result is not None
    return result


def test_from_nothing_to_a_brain_that_says_how_it_was_made(tmp_path: Path) -> None:
    result = run(tmp_path / "mine")

    assert "nnue" == card(str(tmp_path / "mine" / "brain.safetensors")).kind
    assert evaluator(str(tmp_path / "mine" / "brain.safetensors")).centipawns(Position.start()) is not None
    ages = sorted(int(file.stem) for file in (tmp_path / "mine" / "checkpoints").iterdir())
    about = RunInfo.read(tmp_path / "mine")
    assert 0 == ages[0] and about.total == ages[-1] and "steps" == about.unit
    kept = json.loads((tmp_path / "mine" / "summary.json").read_bytes())
    assert kept == json.loads(json.dumps(result.figures["summary"]))
    assert 0 < kept["data"]["used"] <= kept["data"]["found"] and 2 <= kept["elo"]["games"]
    assert any(line.startswith("It learned from") for line in result.lines)
    assert result.lines == run(tmp_path / "mine").lines  # a finished run is only read


def test_interrupted_anywhere_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    run(tmp_path / "whole")
    stops = 0
    while True:
        left = iter(range(stops % 3 + 1))
        try:
            run(tmp_path / "broken", stop=lambda left=left: next(left, None) is None)
            break
        except Unfinished:
            stops += 1
        assert stops < 60
    assert stops > 1
    for name in ("weights.npz", "checkpoints/000000.safetensors"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "broken" / name).read_bytes()


def test_a_time_decides_how_much_is_played_and_trained(tmp_path: Path) -> None:
    told: list[str] = []
    run(tmp_path / "mine", {"batch": 64}, minutes=0.1, tell=told.append)

    assert any(line.startswith("plan: ") and "games of champion" in line for line in told)
    decided = json.loads((tmp_path / "mine" / "minutes.json").read_bytes())["decided"]
    config = json.loads((tmp_path / "mine" / "config.json").read_bytes())["config"]
    assert decided["training"]["epochs"] == config["epochs"] >= 8 and decided["games"] >= 20


def test_labels_whose_last_file_has_no_validation_make_a_brain(tmp_path: Path) -> None:
    run(tmp_path / "first", {"validation": 0.4})
    played = tmp_path / "first" / "labels" / "own.samples"
    rows = np.concatenate(list(read_samples(played)))
    one_game = rows[rows["game"] == rows["game"][0]]
    write_samples(tmp_path / "two.samples", [one_game])
    run(tmp_path / "mine", {"validation": 0.4}, labels=[played, tmp_path / "two.samples"])

    last = find_shards([tmp_path / "mine" / "labels"])[-1:]
    assert 0 == len(load_shards(last)[1])
    assert "nnue" == card(str(tmp_path / "mine" / "brain.safetensors")).kind


def test_a_teacher_that_is_too_slow_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongBrain, match="too slow"):
        run(tmp_path / "mine", {"brain": "okapi-resnet"})


def test_with_torch_it_is_the_default() -> None:
    assert "nnue" == default_recipe()
    check_data("nnue", ["labels", "games", "brain"])
