"""All networks of Tables 1 to 3, as lessons; and the same ones, learning as one does today."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from okapi.papers.sabatelli2018.names import NETWORKS, lesson_name, today_name
from okapi.recipes.course import Lesson
from okapi.recipes.sabatelli2018 import DATASETS, INPUTS, REGRESSION, TODAY, lesson

__all__ = ["lessons", "today"]


def lessons(
    *,
    parts: str,
    epochs: Mapping[str, int],
    seed: int = 1,
    shrink: int = 1,
    prefix: str = "",
    inputs: Iterable[str] = INPUTS,
    datasets: Iterable[int] = DATASETS,
) -> dict[str, Lesson]:
    """All networks of Tables 1 to 3, or those of some inputs and datasets; `epochs` of each kind of network."""
    return {
        f"{prefix}{lesson_name(network, input_, dataset)}": lesson(
            network, input_, dataset, parts=parts, epochs=epochs[network], seed=seed, shrink=shrink
        )
        for network in NETWORKS
        for input_ in inputs
        for dataset in datasets
    }


def today(*, parts: str, epochs: int, seed: int = 1, shrink: int = 1) -> dict[str, Lesson]:
    """The networks of Tables 1 and 2, dropout and all, with another way of learning; none where there are no epochs."""
    made = {}
    for network in NETWORKS if epochs else ():
        for input_ in INPUTS:
            for dataset in sorted(set(DATASETS) - {REGRESSION}):
                paper = lesson(network, input_, dataset, parts=parts, epochs=epochs, seed=seed, shrink=shrink)
                plan = replace(paper.plan, patience=None, **TODAY)
                made[today_name(network, input_, dataset)] = replace(paper, plan=plan)
    return made
