"""`okapi train giraffe`, tiny: a plan, a run that can be broken off, strength on the way, an outcome."""

import json
import math
import multiprocessing
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from okapi.brains import card, find
from okapi.core.packed import random_positions
from okapi.data.runs import RunInfo, RunReader
from okapi.errors import NotFound, Unfinished, UsageError
from okapi.optimize.executor import ThreadExecutor
from okapi.recipes.config import RecipeConfig
from okapi.recipes.run import RecipeRun
from okapi.recipes.tdleaf import (
    REACHED,
    BackgroundTest,
    StrengthTest,
    TdLeafResult,
    estimate_run,
    expected_gain,
    giraffe,
    measure_speed,
    run_tdleaf,
    tdleaf,
)
from okapi.training.tdleaf_learners import FixedPositions, find_learner

SMALL = {
    "hidden": "8",
    "pieces": "8",
    "squares": "8",
    "bootstrap": "600",
    "own_games": "4",
    "starts": "4",
    "plies": "4",
    "games": "2",
}

SUITE = """\
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id "x.001"; c0 "Bb5=10, Bc4=8";
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; id "x.002"; c0 "exd5=10";
"""


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("okapi.recipes.tdleaf.MEASURE_S", 0.05)


def order(tmp_path: Path, *, games: Path | None = None, **changes: Any) -> RecipeConfig:
    return RecipeConfig("tiny", 1, ThreadExecutor(1), games, {**SMALL, **changes}, cache=tmp_path / "labels")


def taught(tmp_path: Path, folder: str = "run", **changes: Any) -> TdLeafResult:
    return run_tdleaf(giraffe(order(tmp_path, **changes)), a_run(tmp_path / folder))


def a_run(folder: Path, **how: Any) -> RecipeRun:
    config = RecipeConfig("tiny", changes={"snapshots": 0, "elo": False})
    return RecipeRun(name="giraffe", config=config, folder=folder, **how)


def test_a_giraffe_raises_itself(tmp_path: Path) -> None:
    suite = tmp_path / "suite.epd"
    suite.write_text(SUITE)
    heard: list[str] = []

    outcome = run_tdleaf(giraffe(order(tmp_path, suite=str(suite))), a_run(tmp_path / "run", tell=heard.append))

    plan = outcome.estimate
    assert heard[0].startswith("plan: 3 iterations") and "on 1 threads" in heard[0]
    assert plan["iterations"] == outcome.iterations == 3 and plan["positions_per_second"] > 0
    assert 0 < outcome.leaves < outcome.positions <= plan["positions"]
    assert 0 <= outcome.begun["sts"] <= 15_000 and 0 <= outcome.trained["sts"] <= 15_000
    told = card(str(tmp_path / "run" / "brain.safetensors"))
    assert ("run", "giraffe", "giraffe-363-mover") == (told.name, told.kind, told.encoding)
    assert told.details()["settings"]["suite"] == "suite.epd", "a path says something of the machine"
    follower = RunReader(tmp_path / "run")
    follower.look()
    assert {"error", "loss", "rate", "elo", "sts"} <= set(follower.curves)
    assert RunInfo.read(tmp_path / "run").state == "done"
    again = taught(tmp_path, suite=str(suite))
    assert again == outcome, "what is finished is only read"


def test_broken_off_it_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    taught(tmp_path, "calm")
    with pytest.raises(Unfinished):
        run_tdleaf(giraffe(order(tmp_path)), a_run(tmp_path / "broken", stop=lambda: True))
    assert RunInfo.read(tmp_path / "broken").state == "stopped"

    taught(tmp_path, "broken")

    calm, broken = ((tmp_path / name / "brain.safetensors").read_bytes() for name in ("calm", "broken"))
    assert calm == broken


def test_other_settings_are_refused_but_it_may_last_longer(tmp_path: Path) -> None:
    taught(tmp_path)

    longer = taught(tmp_path, iterations=4)

    assert longer.iterations == 4
    with pytest.raises(UsageError, match="discount"):
        taught(tmp_path, discount=0.1)


def test_the_letter_of_the_thesis(tmp_path: Path) -> None:
    plan = giraffe(order(tmp_path, way="letter")).plan(3)

    assert (plan.discount, plan.loss, plan.learn_from, plan.late) == (0.7, "absolute", "start", True)
    assert plan.optimiser == {"name": "adadelta", "lr": 1.0} and plan.schedule == {"name": "constant"}
    with pytest.raises(UsageError, match="way"):
        giraffe(order(tmp_path, way="other"))
    with pytest.raises(UsageError, match="setting"):
        giraffe(order(tmp_path, lamda=0.5))
    with pytest.raises(NotFound, match="suite"):
        giraffe(order(tmp_path, suite="nowhere.epd"))


@pytest.mark.parametrize("brain", ["vazquez-five", "sheehan-a"])
def test_others_teach_themselves(brain: str, tmp_path: Path) -> None:
    changes = {"brain": brain, "iterations": 1, "starts": 4, "plies": 4, "games": 2}
    made = RecipeConfig("tiny", 1, ThreadExecutor(1), None, changes)

    outcome = run_tdleaf(tdleaf(made), a_run(tmp_path / "run"))

    assert outcome.iterations == 1
    assert card(str(tmp_path / "run" / "brain.safetensors")).details()["name"] == f"{brain}-tdleaf"


def test_nobody_teaches_itself_without_a_brain() -> None:
    with pytest.raises(UsageError, match="which brain"):
        tdleaf(RecipeConfig("tiny"))


def test_strength_is_measured_in_the_background() -> None:
    gauge = StrengthTest(suite=None, suite_nodes=10, games=2, game_nodes=10, every=1)
    measuring = BackgroundTest(gauge, find("material"))
    assert not measuring.busy and measuring.found() is None

    measuring.start(find("vazquez-five"), {"iteration": 7})
    assert measuring.busy
    found = None
    until = time.monotonic() + 120
    while found is None and time.monotonic() < until:
        found = measuring.found()
        time.sleep(0.05)

    assert found is not None and found[0] == {"iteration": 7} and math.isfinite(found[1]["elo"])
    assert not measuring.busy


def test_a_measurement_that_is_killed_found_nothing_and_another_begins() -> None:
    gauge = StrengthTest(suite=None, suite_nodes=10, games=100_000, game_nodes=1000, every=1)
    measuring, others = BackgroundTest(gauge, find("material")), {*multiprocessing.active_children()}
    measuring.start(find("vazquez-five"), {"iteration": 7})
    (process,) = {*multiprocessing.active_children()} - others
    process.kill()
    process.join()

    assert measuring.found() is None and not measuring.busy
    measuring.start(find("vazquez-five"), {"iteration": 8})
    assert measuring.busy
    measuring.close()
    assert {*multiprocessing.active_children()} <= others


def test_elo_needs_no_suite(tmp_path: Path) -> None:
    taught(tmp_path)
    run = tmp_path / "run"

    found = StrengthTest(suite=None, suite_nodes=10, games=4, game_nodes=20, every=1).measure(
        run / "brain.safetensors", run / "bootstrap.safetensors"
    )

    assert found["sts"] is None and math.isfinite(found["elo"])
    assert json.loads((run / "outcome.json").read_text())["trained"]["sts"] is None


def test_what_is_expected_grows_with_the_positions() -> None:
    gains = [expected_gain(count) for count in (0, 10_000, 1_000_000, REACHED[0][-1], 10 * REACHED[0][-1])]

    assert gains[0] == (0.0, 0.0) and gains == sorted(gains) and gains[-1] == gains[-2]


def test_the_length_follows_from_the_pace(tmp_path: Path) -> None:
    made = giraffe(order(tmp_path))
    learner, starts = find_learner("vazquez-five"), FixedPositions(random_positions(50, seed=1))
    before = [weights.clone() for weights in learner.module.parameters()]

    pace = measure_speed(learner, starts, made.plan(1), 1)

    once, twice = (estimate_run(made.plan(count), pace).seconds for count in (10, 20))
    assert math.isclose(twice, 2 * once) and once > 0
    assert all((old == new).all() for old, new in zip(before, learner.module.parameters(), strict=True))
