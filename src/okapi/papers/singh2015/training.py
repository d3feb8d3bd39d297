"""Figures 3.1 and 3.2: how the networks learned, from the reports of their lessons."""

from typing import Any, Final

from okapi.papers.experiment import ExperimentContext
from okapi.papers.singh2015.school import schooled
from okapi.training.report import TrainingReport
from okapi.training.supervised import SupervisedConfig

__all__ = ["training"]

KEYS: Final = ("epochs", "best_epoch", "seconds", "samples_per_second", "device", "busy")
CURVE: Final = (
    "epoch",
    "train_loss",
    "validation_loss",
    "validation_accuracy",
    *(f"validation_top_{k}" for k in (3, 5, 10)),
)


def training(lab: ExperimentContext) -> dict[str, Any]:
    """Of every lesson that was had: its curve, its test, how long it took, and by which plan."""
    school = schooled(lab)
    return {"lessons": {name: _lesson(report) for name, report in school.reports.items()}}


def _lesson(report: TrainingReport) -> dict[str, Any]:
    plan = SupervisedConfig.from_json(report.about["plan"])
    return {
        **{key: getattr(report, key) for key in KEYS},
        "test": {key: value for key, value in report.test.items() if isinstance(value, int | float)},
        "curve": [{key: entry[key] for key in CURVE if key in entry} for entry in report.curve],
        "model": plan.model.rpartition(":")[2],
        "encoding": plan.encoding,
        "optimiser": plan.optimiser["name"],
        "rate": plan.optimiser["lr"],
        "batch": plan.batch,
        "samples": plan.samples and plan.samples * report.epochs,
    }
