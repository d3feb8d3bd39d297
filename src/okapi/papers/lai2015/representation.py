"""Section 4.1: Figures 1 and 2, Table 1, and networks that differ only in their input."""

from typing import Any, Final

import numpy as np

from okapi.core import Position
from okapi.core.packed import pack_fens
from okapi.encodings import ENCODINGS, inspect
from okapi.encodings.lai2015 import MODALITIES
from okapi.models import make_model
from okapi.models.lai2015 import Apart
from okapi.papers.experiment import ExperimentContext
from okapi.papers.headlines import preferred
from okapi.papers.jobs import JOB_SETTINGS, JobLabels, train_some_jobs
from okapi.papers.lai2015.headlines import PUBLISHED
from okapi.papers.published import Row, read_toml
from okapi.recipes.arrays import TEST
from okapi.recipes.config import SIZES, Size
from okapi.recipes.jobs import TURN, TrainingJob
from okapi.recipes.labels import LabelledPositions
from okapi.recipes.splits import Parts, SplitBy, SplitShares, split_labels, usual_split
from okapi.recipes.targets import Target
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
    boards, apart = pack_fens(list(FIGURE_1.values())), {}
    for name in ENCODINGS_COMPARED:
        left, middle, right = ENCODINGS[name].encode_many(boards, np.float32).astype(np.float64)
        sides = {"left": left, "right": right}
        apart[name] = {side: round(float(np.linalg.norm(middle - seen)), 4) for side, seen in sides.items()}
    return {
        "fen": FIGURE_2,
        "table": table,
        "agree": sum(table.get(name) == value for name, value in PUBLISHED.table_1.items()),
        "kinds": {name: part.stop - part.start for name, part in MODALITIES.items()},
        "boards": FIGURE_1,
        "apart": apart,
    }


LEARNING: Final[dict[Size, dict[str, Any]]] = {
    "tiny": {"batch": 128, "epochs": 1},
    "quick": {"batch": 256, "epochs": 4},
    "full": {"batch": 2048, "epochs": 30},
}

NETWORKS: Final = tuple(Row(each) for each in read_toml("lai2015", "networks")["network"])
"""Encodings of the board, and networks that read them."""


def jobs(size: Size, seed: int, parts: str) -> dict[str, TrainingJob]:
    """Of the networks that are trained at this size."""
    found = {}
    for network in NETWORKS:
        if SIZES.index(network.least) <= SIZES.index(size):
            plan = SupervisedConfig(
                model=f"okapi.models.lai2015:{network.model}",
                arguments=network.arguments,
                encoding=network.encoding,
                loss="squared",
                optimiser={"name": "adam", "lr": 0.002},
                schedule={"name": "cosine", "warmup": 100},
                seed=seed,
                **LEARNING[size],
            )
            found[network.name] = TrainingJob(plan, Target.score(network.view), parts)
    return found


def representation(context: ExperimentContext) -> dict[str, Any]:
    """Networks with different inputs, on the same labels and the same split."""
    chosen = context.read_settings("lai2015", "representation", **JOB_SETTINGS)
    material = JobLabels.of(context, chosen, "representation", split=_split)
    split = preferred(material.parts)
    made = jobs(context.size, context.seed, split)
    job_set = material.write_jobs(made)
    reports, notes = train_some_jobs(context, job_set, list(made), chosen)
    tested = job_set.part(next(iter(reports)), TEST)
    scores = Target.score().of(job_set.values[tested], job_set.positions[tested, TURN])
    return {
        "split": split,
        **material.split_figures(split),
        "spread": float(np.var(scores)),  # the squared error of a constant answer
        "rows": [_row(network, reports[network.name]) for network in NETWORKS if network.name in reports],
        "notes": notes,
    }


def _split(labels: LabelledPositions, seed: int, shares: SplitShares) -> dict[SplitBy, Parts]:
    how = usual_split(labels)
    return {how: split_labels(labels, how, seed, shares)}


def _row(network: Row, report: TrainingReport) -> dict[str, Any]:
    plan = SupervisedConfig.from_json(report.about["config"])
    layers = make_model(plan.model, plan.arguments)
    weights = (
        layer.size if isinstance(layer, Apart) else sum(each.numel() for each in layer.parameters()) for layer in layers
    )
    return {
        **{key: network[key] for key in ("name", "what", "weight")},
        **{key: report.test[key] for key in ("count", "mse", "mse_error", "mae")},
        **{key: getattr(report, key) for key in ("epochs", "seconds", "device")},
        "encoding": plan.encoding,
        "size": sum(weights),
        "train_mse": report.train["mse"],
        "curve": [[entry["epoch"], entry["validation_loss"]] for entry in report.curve],
    }
