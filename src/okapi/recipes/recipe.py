"""A recipe: everything that is needed to raise a brain."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any, Final, TypeAlias

from okapi.errors import NotFound, did_you_mean
from okapi.optimize.generation import Generation, Score
from okapi.optimize.genes import FloatArray, Genes
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

RECIPES: Final[dict[str, str]] = {
    "vazquez-pieces": "okapi.recipes.vazquez2012.pieces:recipe",
    "vazquez-pieces-results": "okapi.recipes.vazquez2012.pieces:by_results",
    "vazquez-five": "okapi.recipes.vazquez2012.five:recipe",
    "vazquez-28": "okapi.recipes.vazquez2012.twenty_eight:recipe",
    "vazquez-exploitation": "okapi.recipes.vazquez2012.exploitation:recipe",
    "vazquez-28-de": "okapi.recipes.vazquez2012.rivals:differential",
    "vazquez-28-cma": "okapi.recipes.vazquez2012.rivals:cma",
    "vazquez-28-hooke": "okapi.recipes.vazquez2012.rivals:hooke",
    "vazquez-28-results": "okapi.recipes.vazquez2012.rivals:results",
    "vazquez-28-texel": "okapi.recipes.vazquez2012.rivals:texel",
    "vazquez-35": "okapi.recipes.vazquez2012.rivals:evolution_35",
    "vazquez-35-texel": "okapi.recipes.vazquez2012.rivals:texel_35",
}
"""What `okapi evolve` can raise: names, and the functions that make the recipes; imported when they are asked for."""


def find_recipe(name: str) -> RecipeMaker:
    """The function that makes the recipe of that name: NotFound with the nearest one."""
    if name not in RECIPES:
        raise NotFound(f"no recipe `{name}`", hint=did_you_mean(name, RECIPES))
    maker: RecipeMaker = resolve_name(RECIPES[name])
    return maker
