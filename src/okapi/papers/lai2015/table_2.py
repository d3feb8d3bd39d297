"""Table 2: the error that a game of twelve moves teaches its first position."""

from typing import Any, Final

import numpy as np

from okapi.papers.lai2015.published import TABLE_2
from okapi.recipes.lab import Lab
from okapi.training.tdleaf.errors import contributions, errors

__all__ = ["table_2"]

DISCOUNT: Final = 0.7


def table_2(lab: Lab) -> dict[str, Any]:
    """Each move's contribution, and their sum: as the table discounts them, and as the rule above it does."""
    scores = np.array([step.score for step in TABLE_2])
    one_game, all_learn = scores[None], np.ones((1, len(scores)), np.uint8)
    return {
        "discount": DISCOUNT,
        "contributions": [round(float(each), 4) for each in contributions(scores, DISCOUNT)],
        "total": round(float(errors(one_game, all_learn, DISCOUNT, late=True)[0, 0]), 4),
        "by_the_rule": round(float(errors(one_game, all_learn, DISCOUNT)[0, 0]), 4),
    }
