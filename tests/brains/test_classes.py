"""Classes are told for the side that asks, whoever a network sees them for."""

import numpy as np
import pytest

from okapi.brains.evaluation import ClassShare, Evaluations, class_shares
from okapi.core import Color

UP = (ClassShare(None, -150, 0.25), ClassShare(-150, 50, 0.125), ClassShare(50, None, 0.625))
DOWN = (ClassShare(None, -50, 0.625), ClassShare(-50, 150, 0.125), ClassShare(150, None, 0.25))


def evaluations(view: str, edges: list[int] | None = None) -> Evaluations:
    output = {
        "form": "classes",
        "view": view,
        "values": [0.1, 0.5, 0.8],
        "edges": [-150, 50] if edges is None else edges,
    }
    return Evaluations(np.array([0.6]), np.array([[0.25, 0.125, 0.625]], np.float32), output)


@pytest.mark.parametrize("turn", Color)
@pytest.mark.parametrize("side", Color)
def test_whites_view(turn: Color, side: Color) -> None:
    assert (UP if side is Color.WHITE else DOWN) == class_shares(evaluations("white"), 0, turn, side)


@pytest.mark.parametrize("turn", Color)
@pytest.mark.parametrize("side", Color)
def test_the_movers_view(turn: Color, side: Color) -> None:
    assert (UP if side is turn else DOWN) == class_shares(evaluations("mover"), 0, turn, side)


def test_without_borders_there_are_none() -> None:
    shares = class_shares(evaluations("white", edges=[]), 0, Color.WHITE, Color.WHITE)

    assert [(None, None)] * 3 == [(share.low, share.high) for share in shares]


def test_a_brain_without_classes_has_none() -> None:
    assert () == class_shares(Evaluations(np.array([0.6]), None, {}), 0, Color.WHITE, Color.WHITE)
