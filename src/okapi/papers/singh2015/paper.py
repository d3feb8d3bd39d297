"""The paper as the table of papers knows it."""

from typing import Any, Final

from okapi.papers.experiment import Experiment, ExperimentContext, Paper, lazily
from okapi.papers.singh2015 import EXPERIMENTS
from okapi.papers.singh2015.figures import figures
from okapi.papers.singh2015.page import page

__all__ = ["PAPER", "once_taught"]


def once_taught(make: Experiment) -> Experiment:
    """The same experiment, which is skipped as long as its lessons wait for another machine."""

    def made(lab: ExperimentContext) -> dict[str, Any]:
        from okapi.papers.jobs import JobsLeft  # here, because it brings torch, which pages do without

        try:
            return make(lab)
        except JobsLeft as left:
            return {"skipped": str(left)}

    return made


PAPER: Final = Paper(
    name="singh2015",
    title="singh2015: networks that learn to play by watching",
    experiments={name: once_taught(lazily(where)) for name, where in EXPERIMENTS.items()},
    figures=figures,
    page=page,
)
