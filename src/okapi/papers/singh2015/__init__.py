"""A. Singh, *Convolutional Neural Networks learn to play Chess* (ConvChess), IIT Kanpur, 2015."""

from typing import Any, Final

from okapi.papers.experiment import Experiment, ExperimentContext, lazily
from okapi.papers.page import as_paper
from okapi.papers.singh2015.page import PAGE

__all__ = ["EXPERIMENTS", "PAPER", "once_trained"]

EXPERIMENTS: Final[dict[str, str]] = {
    "training": "okapi.papers.singh2015.training:training",
    "networks": "okapi.papers.singh2015.accuracy:networks",
    "full_moves": "okapi.papers.singh2015.accuracy:full_moves",
    "opening": "okapi.papers.singh2015.accuracy:opening",
    "bands": "okapi.papers.singh2015.accuracy:bands",
    "cases": "okapi.papers.singh2015.accuracy:cases",
    "evaluation": "okapi.papers.singh2015.evaluation:evaluation",
    "trajectories": "okapi.papers.singh2015.evaluation:trajectories",
    "gameplay": "okapi.papers.singh2015.gameplay:gameplay",
}
"""What `okapi paper` makes, in this order: names, and the functions that make them in a ExperimentContext; imported "
"when needed."""


def once_trained(make: Experiment) -> Experiment:
    """The same experiment, which is skipped as long as its training jobs are left for another machine."""

    def made(context: ExperimentContext) -> dict[str, Any]:
        from okapi.papers.jobs import JobsLeft  # here, because it imports torch, which pages do not need

        try:
            return make(context)
        except JobsLeft as left:
            return {"skipped": str(left)}

    return made


PAPER: Final = as_paper(PAGE, {name: once_trained(lazily(where)) for name, where in EXPERIMENTS.items()})
