"""A recipe: everything that is needed to raise a brain."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any, Final, TypeAlias

from okapi.errors import NotFound, did_you_mean
from okapi.optimize.generation import Generation, Score
from okapi.optimize.genes import FloatArray, Genes
from okapi.papers import vazquez2012
from okapi.recipes.order import Order

__all__ = ["RECIPES", "Recipe", "RecipeMaker", "find_recipe"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Who learns (the genes), how (the learner), from what (the score), and what it becomes (the brain)."""

    name: str
    title: str
    """A few words for people."""
    genes: Genes
    generations: int | None
    """The number of the last one, if that is known."""
    settings: Mapping[str, Any]
    """Everything that makes it what it is, seed and hashes of data among it; JSON."""
    learn: Callable[[Score], Iterator[Generation]]
    """The learner, which is given the score function below, or a tape of it."""
    score: Score
    express: Callable[[FloatArray, Mapping[str, str]], bytes]
    """Genes and entries of a card: the file of a brain."""


RecipeMaker: TypeAlias = Callable[[Order], Recipe]

RECIPES: Final[dict[str, str]] = {**vazquez2012.RECIPES}
"""Of all papers."""


def find_recipe(name: str) -> RecipeMaker:
    """The function that makes the recipe of that name: NotFound with the nearest one."""
    if name not in RECIPES:
        raise NotFound(f"no recipe `{name}`", hint=did_you_mean(name, RECIPES))
    maker: RecipeMaker = resolve_name(RECIPES[name])
    return maker
