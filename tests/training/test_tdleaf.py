"""A brain teaches itself: it comes to the same bits however it is broken off, and to what the plan says."""

import math
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from okapi.core.packed import random_positions  # noqa: E402
from okapi.errors import InvalidText, OkapiError, Unfinished, UsageError  # noqa: E402
from okapi.training.tdleaf import (  # noqa: E402
    LETTER,
    LOSSES,
    OURS,
    Leaves,
    ReplayBuffer,
    TdLeafConfig,
    TdLeafTraining,
)
from okapi.training.tdleaf_learners import (  # noqa: E402
    FixedPositions,
    find_learner,
)

STARTS = FixedPositions(random_positions(200, seed=5))
SMALL: dict[str, Any] = {"starts": 8, "plies": 6, "nodes": 32, "least_plies": 1, "iterations": 4, "seed": 1}
QUICK: dict[str, Any] = {**OURS, **SMALL, "batch": 32, "window": 60, "average": 0.9}


def teaching(folder: Path, plan: dict[str, Any] = QUICK, *, brain: str = "okapi-28", **how: Any) -> TdLeafTraining:
    folder.mkdir(exist_ok=True)
    return TdLeafTraining(find_learner(brain), STARTS, TdLeafConfig(**plan), folder, **how)


def after(count: int) -> Callable[[], bool]:
    """Stops after so many questions."""
    left = [count]

    def stop() -> bool:
        left[0] -= 1
        return left[0] < 0

    return stop


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The brain, if nothing happens."""
    taught = teaching(tmp_path_factory.mktemp("calm"))
    taught.run()
    return taught.brain({"name": "x"})


@pytest.mark.parametrize("threads", [1, 2])
def test_any_number_of_threads_comes_to_the_same_bits(threads: int, calm: bytes, tmp_path: Path) -> None:
    again = teaching(tmp_path, threads=threads)
    again.run()

    assert again.brain({"name": "x"}) == calm


@pytest.mark.parametrize("looks", [0, 2])
def test_broken_off_it_comes_to_the_same_bits(looks: int, calm: bytes, tmp_path: Path) -> None:
    with pytest.raises(Unfinished):
        teaching(tmp_path).run(stop=after(looks))
    again = teaching(tmp_path)
    assert looks + 1 == again.iteration
    again.run()

    assert again.brain({"name": "x"}) == calm


def test_killed_it_comes_to_the_same_bits(calm: bytes, tmp_path: Path) -> None:
    """kill -9 in the third iteration, a checkpoint behind every one."""
    script = (
        "import os, signal, sys; from pathlib import Path; sys.path.insert(0, sys.argv[1])\n"
        "from test_tdleaf import teaching\n"
        "def die(now):\n"
        "    if now.iteration == 3: os.kill(os.getpid(), signal.SIGKILL)\n"
        "teaching(Path(sys.argv[2]), checkpoint_every_s=0.0).run(die)"
    )
    here = str(Path(__file__).parent)
    ended = subprocess.run([sys.executable, "-c", script, here, str(tmp_path)], env=os.environ, check=False)

    assert ended.returncode == -signal.SIGKILL
    again = teaching(tmp_path)
    assert 1 <= again.iteration <= 2
    again.run()
    assert again.brain({"name": "x"}) == calm


def test_the_end_may_be_moved_and_nothing_else(tmp_path: Path) -> None:
    teaching(tmp_path).run()

    longer = teaching(tmp_path, {**QUICK, "iterations": 5})
    longer.run()

    assert longer.iteration == 5
    with pytest.raises(UsageError, match="discount"):
        teaching(tmp_path, {**QUICK, "discount": 0.1})
    with pytest.raises(UsageError, match="learner"):
        teaching(tmp_path, brain="vazquez-five")
    (tmp_path / "checkpoint.pt").write_bytes(b"nonsense")
    with pytest.raises(InvalidText, match="damaged"):
        teaching(tmp_path)


def test_the_letter_of_the_thesis_learns_from_starts_alone(tmp_path: Path) -> None:
    taught = teaching(tmp_path, {**LETTER, **SMALL})
    last = taught.run()

    assert last.leaves <= SMALL["starts"] * SMALL["iterations"] < last.positions
    assert last.steps == SMALL["iterations"] and taught.brain({"name": "x"}) == taught.brain({"name": "x"}, newest=True)


def test_a_loss_that_is_no_number_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LOSSES, "squared", lambda outputs, targets: outputs.mean() * math.nan)

    with pytest.raises(OkapiError, match="not a finite number"):
        teaching(tmp_path).run()


def test_a_window_forgets_the_oldest() -> None:
    window = ReplayBuffer(5)
    positions = random_positions(8, seed=1)
    for begin, end in ((0, 3), (3, 6), (6, 8)):
        window.add(Leaves(positions[begin:end], np.arange(begin, end, dtype=np.float32)))

    drawn = window.draw(200, np.random.default_rng(1)).targets
    again = ReplayBuffer(5)
    again.load_state(window.state())

    assert set(drawn.tolist()) == {3, 4, 5, 6, 7}
    assert np.array_equal(again.draw(200, np.random.default_rng(1)).targets, drawn)


@pytest.mark.parametrize(
    "wrong", [{"loss": "cubed"}, {"discount": 1.5}, {"learn_from": "none"}, {"optimiser": {"name": "adan", "lr": 1}}]
)
def test_nonsense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        TdLeafConfig(**{**QUICK, **wrong})
