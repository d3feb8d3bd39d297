"""Section 3.2, held against the networks and plans that are made of it."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from okapi.models import make_model
from okapi.papers.sabatelli2018.training import jobs
from okapi.recipes.sabatelli2018 import network_job, outputs, players, target

SHAPES = {"768": (768,), "12x8x8": (12, 8, 8)}


def units(model: nn.Sequential) -> list[int]:
    return [layer.out_features for layer in model if isinstance(layer, nn.Linear)]


def made(network: str, dataset: int, **changes: int) -> nn.Sequential:
    plan = network_job(network, "bitmap", dataset, parts="games", epochs=1, **changes).plan
    return make_model(plan.model, plan.arguments)


@pytest.mark.parametrize(
    ("dataset", "hidden"), [(1, [1048, 500, 50]), (2, [2048, 2048, 1050]), (3, [2048, 2048, 1050]), (4, [2048] * 3)]
)
def test_perceptrons_have_the_papers_units(dataset: int, hidden: list[int]) -> None:
    model = made("mlp", dataset)

    assert [*hidden, outputs(dataset)] == units(model)
    activations = {type(layer) for layer in model if isinstance(layer, nn.ReLU | nn.ELU)}
    assert {nn.ReLU if dataset == 1 else nn.ELU} == activations
    assert (0 if dataset == 4 else 3) == sum(isinstance(layer, nn.Dropout) for layer in model)
    assert (3 if dataset == 4 else 0) == sum(isinstance(layer, nn.BatchNorm1d) for layer in model)


def test_the_convolutional_network_loses_no_square() -> None:
    model = made("cnn", 3)
    convolutions = [layer for layer in model if isinstance(layer, nn.Conv2d)]

    assert [(20, (5, 5)), (50, (3, 3))] == [(layer.out_channels, layer.kernel_size) for layer in convolutions]
    assert [500, 20] == units(model)
    assert (2, 50, 8, 8) == model[:5](torch.zeros(2, 12, 8, 8)).shape
    assert {0.3} == {layer.p for layer in model if isinstance(layer, nn.Dropout)}


def test_optimisers_and_minibatches_are_the_papers() -> None:
    plans = {name: each.plan for name, each in jobs(parts="games", epochs=20).items()}

    assert 16 == len(plans)
    assert {5} == {plan.patience for plan in plans.values()}
    for name, plan in plans.items():
        expected = (256, "sgd", 0.001) if name.startswith("mlp") and name.endswith("4") else (128, "sgd", 0.01)
        if name.startswith("mlp") and not name.endswith("4"):
            expected = (128, "adam", 0.001)
        assert expected == (plan.batch, plan.optimiser["name"], plan.optimiser["lr"])
        assert ("squared" if name.endswith("4") else "cross-entropy") == plan.loss
    assert plans["mlp-bitmap-4"].optimiser["nesterov"] and plans["cnn-bitmap-4"].optimiser["momentum"] == 0


def test_every_network_answers_what_its_dataset_asks_for() -> None:
    same: dict[str, Any] = {"parts": "games", "shrink": 32}
    every = {**jobs(**same, epochs=1), **players(**same, epochs=1)}
    for each in every.values():
        shape = SHAPES[each.plan.encoding.partition("-")[2]]
        answer = make_model(each.plan.model, each.plan.arguments).eval()(torch.zeros(3, *shape))
        classes = len(each.target.edges) + 1 if each.target.form == "classes" else 1
        assert (3, classes) == answer.shape


def test_a_pawn_and_a_half_is_a_draw_and_more_is_not() -> None:
    values, turns = np.array([-32_000, -151, -150, 0, 150, 151, 32_000]), np.zeros(7)

    assert [0, 0, 1, 1, 1, 2, 2] == target(1).of(values, turns).tolist()
    assert [0, 6, 7, 7, 7, 8, 14] == target(2).of(values, turns).tolist()
    assert [0, 6, 7, 10, 12, 13, 19] == target(3).of(values, turns).tolist()
    assert [0.0, 1.0] == target(4).of(values, turns)[[0, -1]].tolist()
    assert (3, 15, 20) == tuple(map(outputs, (1, 2, 3)))
