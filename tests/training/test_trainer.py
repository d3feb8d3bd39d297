"""The Trainer with a task that knows neither chess nor networks: a number that walks."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from okapi.errors import InvalidText, OkapiError, Unfinished, UsageError  # noqa: E402
from okapi.training.report import TrainingReport  # noqa: E402
from okapi.training.trainer import Trainer, TrainingProgress, finished_report, identity  # noqa: E402

CPU = torch.device("cpu")
ABOUT = identity({"rate": 0.1}, ["hash"])


class Walk:
    """Each step moves a number at random, a little towards zero; the loss is its square."""

    def __init__(self, losses: list[float] | None = None) -> None:
        self.place = torch.tensor(5.0, dtype=torch.float64)
        self.total = torch.zeros((), dtype=torch.float64)
        self.losses = losses
        self.steps: list[tuple[int, float]] = []
        self.model = SimpleNamespace(state_dict=self.state)
        self.epochs, self.batches, self.batch_size, self.device = 4, 10, 1, CPU
        self.patience: int | None = None
        self.hint = ""

    def begin_epoch(self, epoch: int, batch: int) -> None:
        pass

    def step(self, number: int, done: float) -> None:
        self.steps.append((number, done))
        self.place = 0.9 * self.place + 0.1 * torch.randn((), dtype=torch.float64)
        self.total += float(self.place) ** 2

    def evaluate(self, steps: int) -> dict[str, Any]:
        return {"validation_loss": float(self.place) ** 2 if self.losses is None else self.losses.pop(0)}

    def state(self) -> dict[str, Any]:
        return {"place": self.place}

    def load_state(self, state: dict[str, Any]) -> None:
        self.place = state["place"]


def trainer(folder: Path, walk: Walk, *, epochs: int = 4, batches: int = 10, **options: Any) -> Trainer:
    torch.manual_seed(1)
    walk.epochs, walk.batches = epochs, batches
    walk.patience, walk.hint = options.pop("patience", None), options.pop("hint", "")
    return Trainer(walk, folder, ABOUT, **options)


def after(reports: int) -> Callable[[], bool]:
    left = itertools.count()
    return lambda: next(left) >= reports


@pytest.mark.parametrize("reports", [0, 1, 5, 9])
def test_resumed_it_ends_with_the_same_bits(reports: int, tmp_path: Path) -> None:
    whole, first, second = Walk(), Walk(), Walk()
    expected = trainer(tmp_path, whole).run()
    (tmp_path / "checkpoint.pt").unlink()
    with pytest.raises(Unfinished, match="of 4"):
        trainer(tmp_path, first, stop=after(reports), steps_at_once=3).run()
    torch.manual_seed(99)
    found = trainer(tmp_path, second, steps_at_once=4).run()

    assert float(whole.place) == float(second.place)
    assert [entry["train_loss"] for entry in expected.curve] == [entry["train_loss"] for entry in found.curve]
    assert [number for number, _ in first.steps + second.steps] == list(range(40))


def test_the_best_weights_are_kept_and_patience_ends(tmp_path: Path) -> None:
    places: list[float] = []
    walk = Walk([3.0, 2.0, 4.0, 4.0, 1.0])
    at = trainer(
        tmp_path, walk, epochs=5, patience=2, watch=lambda _: places.append(float(walk.place)), steps_at_once=10
    ).run()

    assert (4, 2) == (at.epoch, at.best_epoch)
    assert at.best is not None and float(at.best["place"]) in places
    assert float(at.best["place"]) != float(walk.place)


def test_a_training_for_a_time_is_evaluated_as_often_as_asked(tmp_path: Path) -> None:
    ticks = itertools.count()
    walk = Walk()
    at = trainer(
        tmp_path, walk, epochs=5, batches=0, seconds=10.0, steps_at_once=1, clock=lambda: next(ticks) / 100
    ).run()

    assert 5 == at.epoch == len(at.curve)
    assert at.seconds >= 10.0
    shares = [done for _, done in walk.steps]
    assert shares == sorted(shares) and 0 <= shares[0] < 0.05 and 0.95 < shares[-1] <= 1.0


def test_reports_tell_how_far_it_is(tmp_path: Path) -> None:
    seen: list[TrainingProgress] = []
    trainer(tmp_path, Walk(), watch=seen.append, steps_at_once=5).run()

    assert 0.125 == seen[0].done and 1.0 == seen[-1].done
    assert (1, 5, 10) == (seen[0].epoch, seen[0].batch, seen[0].batches)
    assert 4 == len(seen[-1].curve)


def test_a_loss_that_is_not_finite_ends_it(tmp_path: Path) -> None:
    with pytest.raises(OkapiError, match="not a finite number") as error:
        trainer(tmp_path, Walk([1.0, float("nan")]), hint="smaller steps").run()
    assert "smaller steps" == error.value.hint


def test_another_training_in_the_folder_is_refused(tmp_path: Path) -> None:
    trainer(tmp_path, Walk()).run()

    with pytest.raises(UsageError, match=r"other settings: rate 0\.1, not 0\.2"):
        Trainer(Walk(), tmp_path, identity({"rate": 0.2}, ["hash"]))
    with pytest.raises(UsageError, match="other samples"):
        finished_report(tmp_path, identity({"rate": 0.1}, ["other"]))
    (tmp_path / "config.json").write_bytes(b"{")
    with pytest.raises(InvalidText, match="damaged"):
        finished_report(tmp_path, ABOUT)


def test_what_okapi_0_9_wrote_is_read(tmp_path: Path) -> None:
    old = {"plan": {"rate": 0.1, "start": "lesson:a"}, "data": ["hash"], "start": "abc"}
    figures = {"epochs": 1, "best_epoch": 1, "seconds": 1.0, "samples_per_second": 1.0, "device": "cpu", "busy": None}
    sets: dict[str, Any] = {"train": {}, "validation": {}, "test": {}, "curve": []}
    (tmp_path / "report.json").write_text(json.dumps({**figures, **sets, "about": old}))
    (tmp_path / "plan.json").write_text(json.dumps(old))

    report = finished_report(tmp_path, identity({"rate": 0.1, "warm_start": "job:a"}, ["hash"], "abc"))
    assert report == TrainingReport.read(tmp_path)
    assert report is not None and {"rate": 0.1, "warm_start": "job:a"} == report.about["config"]
    with pytest.raises(UsageError, match="another network"):
        finished_report(tmp_path, identity({"rate": 0.1}, ["hash"], "abd"))
