"""TD-Leaf(λ): a brain learns from its own games to foresee what its search will find (lai2015, sections 4.3 to 4.5)."""

from okapi.training.tdleaf.bootstrap import bootstrap
from okapi.training.tdleaf.errors import contributions, errors
from okapi.training.tdleaf.loop import Now, Teaching
from okapi.training.tdleaf.plan import LETTER, OURS, Plan
from okapi.training.tdleaf.pupils import GiraffePupil, Pupil, evaluator_of, find_pupil

__all__ = [
    "LETTER",
    "OURS",
    "GiraffePupil",
    "Now",
    "Plan",
    "Pupil",
    "Teaching",
    "bootstrap",
    "contributions",
    "errors",
    "evaluator_of",
    "find_pupil",
]
