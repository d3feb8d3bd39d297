"""Section 4.1: Figures 1 and 2, Table 1, and networks that differ only in their input."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from okapi.core import Position
from okapi.core.packed import pack_fens
from okapi.encodings import ENCODINGS, inspect
from okapi.encodings.lai2015 import MODALITIES
from okapi.models import make_model
from okapi.models.lai2015 import Apart
from okapi.papers.experiment import ExperimentContext
from okapi.papers.jobs import JOB_SETTINGS, JobLabels, JobsLeft, jobs_folder, train_jobs
from okapi.papers.lai2015.headlines import PUBLISHED
from okapi.recipes.arrays import TEST
from okapi.recipes.config import Size
from okapi.recipes.jobs import TURN, LabelledJobs, TrainingJob
from okapi.recipes.labels import LabelledPositions, load_labels
from okapi.recipes.splits import LOOKED_UP, SHARES, SplitBy, split_labels
from okapi.recipes.targets import Target, TargetView
from okapi.training.report import TrainingReport
from okapi.training.supervised import SupervisedConfig

FIGURE_1: Final = {
    "left": "r1bq1rk1/pp3ppp/2n1pn2/2bp4/8/1P2PN2/PB1N1PPP/R2QK2R w KQ - 0 1",
    "middle": "r1bq1rk1/pp3ppp/2n1pn2/2bp4/8/BP2PN2/P2N1PPP/R2QK2R w KQ - 0 1",
    "right": "r1bq1rk1/pp3ppp/2n1pn2/2bp2B1/8/1P2PN2/P2N1PPP/R2QK2R w KQ - 0 1",
}
"""A bishop on b2, on a3 beside it, and on g5; the boards of the figure are lost."""

FIGURE_2: Final = "r3r1k1/pQ3ppp/1q1pbn2/1np1p3/4P3/P1N2N2/1PP2PPP/1RB2RK1 w - - 0 1"
"""A position of which all lines of Table 1 are true; the figure itself is lost."""

ENCODINGS_COMPARED: Final = ("bitmap-768", "giraffe-363")


def features(context: ExperimentContext) -> dict[str, Any]:
    """Table 1 of a position, the number of features by kind, and distances between three boards."""
    table = inspect(Position.from_fen(FIGURE_2))
    boards = pack_fens(list(FIGURE_1.values()))
    return {
        "fen": FIGURE_2,
        "table": table,
        "agree": sum(table.get(name) == value for name, value in PUBLISHED.table_1.items()),
        "kinds": {name: part.stop - part.start for name, part in MODALITIES.items()},
        "boards": FIGURE_1,
        "apart": {
            name: _distances(ENCODINGS[name].encode_many(boards, np.float32).astype(np.float64))
            for name in ENCODINGS_COMPARED
        },
    }


def _distances(seen: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, float]:
    left, middle, right = seen
    return {side: round(float(np.linalg.norm(middle - other)), 4) for side, other in (("left", left), ("right", right))}


Weight = Literal["light", "heavy"]
"""As many weights as Giraffe of November 2015, or some seven times as many."""


@dataclass(frozen=True, slots=True)
class InputNetwork:
    """An encoding of the board, and a network that reads it."""

    name: str
    what: str
    encoding: str
    view: TargetView
    """Whose value it predicts."""
    model: str
    arguments: dict[str, Any]
    weight: Weight = "light"

    def job(self, size: Size, seed: int, parts: str) -> TrainingJob:
        plan = SupervisedConfig(
            model=f"okapi.models.lai2015:{self.model}",
            arguments=self.arguments,
            encoding=self.encoding,
            loss="squared",
            optimiser={"name": "adam", "lr": 0.002},
            schedule={"name": "cosine", "warmup": 100},
            seed=seed,
            **LEARNING[size],
        )
        return TrainingJob(plan, Target.score(self.view), parts)


LEARNING: Final[dict[Size, dict[str, Any]]] = {
    "tiny": {"batch": 128, "epochs": 1},
    "quick": {"batch": 256, "epochs": 4},
    "full": {"batch": 2048, "epochs": 30},
}

NETWORKS: Final = (
    InputNetwork(
        "giraffe",
        "giraffe-363, modalities apart",
        "giraffe-363",
        "white",
        "apart",
        {"neurons": [19, 44, 26], "hidden": 64},
    ),
    InputNetwork(
        "giraffe-mover",
        "the same, the board turned for the mover",
        "giraffe-363-mover",
        "mover",
        "apart",
        {"neurons": [19, 44, 26], "hidden": 64},
    ),
    InputNetwork(
        "giraffe-mixed",
        "turned, modalities mixed from the start",
        "giraffe-363-mover",
        "mover",
        "together",
        {"inputs": 363, "hidden": [44, 64]},
    ),
    InputNetwork(
        "bitmap",
        "bitmap-768, the mover's pieces 1, the others −1",
        "bitmap-768",
        "mover",
        "together",
        {"inputs": 768, "hidden": [23, 64]},
    ),
    InputNetwork(
        "bitmap-mover",
        "a bitmap of the board turned for the mover",
        "planes-12",
        "mover",
        "together",
        {"inputs": 768, "hidden": [23, 64]},
    ),
    InputNetwork(
        "giraffe-heavy",
        "giraffe-363, turned, modalities apart",
        "giraffe-363-mover",
        "mover",
        "apart",
        {"neurons": [64, 256, 128], "hidden": 128},
        "heavy",
    ),
    InputNetwork(
        "bitmap-heavy",
        "a bitmap of the board turned for the mover",
        "planes-12",
        "mover",
        "together",
        {"inputs": 768, "hidden": [160, 64]},
        "heavy",
    ),
)

NETWORKS_OF: Final[dict[Size, tuple[str, ...]]] = {
    "tiny": ("giraffe", "bitmap"),
    "quick": tuple(network.name for network in NETWORKS if network.weight == "light"),
    "full": tuple(network.name for network in NETWORKS),
}


def networks(size: Size) -> list[InputNetwork]:
    return [network for network in NETWORKS if network.name in NETWORKS_OF[size]]


def jobs(size: Size, seed: int, parts: str) -> dict[str, TrainingJob]:
    return {network.name: network.job(size, seed, parts) for network in networks(size)}


def representation(context: ExperimentContext) -> dict[str, Any]:
    """Networks with different inputs, on the same labels and the same split."""
    chosen = context.read_settings("lai2015", "representation", **JOB_SETTINGS)
    folder = jobs_folder(context, chosen, "representation")
    material = _gathered(context, folder, chosen["positions"])
    split = "games" if "games" in material.parts else "positions"
    job_set = material.write_jobs(folder, jobs(context.size, context.seed, split))
    who = {network.name: network for network in networks(context.size)}
    missing = ""
    try:
        train_jobs(context, job_set, list(who), device=chosen["device"], at_once=chosen["at_once"])
    except JobsLeft as left:
        missing = str(left)
    reports = {name: report for name in who if (report := job_set.report(name)) is not None}
    if not reports:
        return {"skipped": missing}
    return {
        "split": split,
        **material.split_figures(split),
        "spread": _spread(job_set, next(iter(reports))),
        "rows": [_row(who[name], report) for name, report in reports.items()],
        "notes": [f"Not all networks are here: {missing}."] if missing else [],
    }


def _gathered(context: ExperimentContext, folder: Path, most: int) -> JobLabels:
    def make() -> tuple[LabelledPositions, Mapping[str, NDArray[np.uint8]]]:
        found = load_labels(context, most=most or None)
        how: SplitBy = "positions" if found.games is None else "games"
        return found, {how: split_labels(found, how, context.seed, SHARES if found.library is None else LOOKED_UP)}

    settings = context.settings("")
    return JobLabels.gathered(
        folder, {**{key: settings[key] for key in ("seed", "games", "labels")}, "positions": most}, make
    )


def _row(network: InputNetwork, report: TrainingReport) -> dict[str, Any]:
    plan = SupervisedConfig.from_json(report.about["config"])
    return {
        "name": network.name,
        "what": network.what,
        "weight": network.weight,
        "encoding": plan.encoding,
        "size": _size(plan),
        **{key: report.test[key] for key in ("count", "mse", "mse_error", "mae")},
        "train_mse": report.train["mse"],
        "epochs": report.epochs,
        "seconds": report.seconds,
        "device": report.device,
        "curve": [[entry["epoch"], entry["validation_loss"]] for entry in report.curve],
    }


def _size(plan: SupervisedConfig) -> int:
    model = make_model(plan.model, plan.arguments)
    return sum(
        layer.size if isinstance(layer, Apart) else sum(weights.numel() for weights in layer.parameters())
        for layer in model
    )


def _spread(job_set: LabelledJobs, job: str) -> float:
    """The variance of the test positions' scores: the squared error of a constant answer."""
    rows = job_set.part(job, TEST)
    scores = Target.score().of(job_set.values[rows], job_set.positions[rows, TURN])
    return float(np.var(scores))
