"""Table 3.4 and Figure 3.5: how a game begins, by the networks and by those whom they watched."""

from typing import Any

from okapi.brains import predictor
from okapi.core import Position
from okapi.core.packed import pack
from okapi.papers.experiment import ExperimentContext
from okapi.papers.singh2015.marking import brains_of
from okapi.papers.singh2015.school import schooled

__all__ = ["opening"]


def opening(lab: ExperimentContext) -> dict[str, Any]:
    """Probabilities of the twenty first moves, and of the squares that the piece comes from."""
    school = schooled(lab)
    start = pack([Position.start()])
    brains = {}
    for name, path in brains_of(school).items():
        brain = predictor(str(path), threads=lab.executor.workers)
        brains[name] = {
            "moves": {str(move): float(probability) for move, probability in brain.moves(start)[0]},
            "origin": brain.squares(start).origin[0].astype(float).tolist(),
        }
    return {"brains": brains, "played": dict(school.first_moves)}
