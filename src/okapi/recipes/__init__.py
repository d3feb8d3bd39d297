"""Recipes: everything that `okapi train` can do. recipes.toml lists them, with their settings.

Importing this package imports neither numpy nor torch: a recipe's own module is imported by `Recipe.make`.
"""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

from okapi.errors import NotFound, UsageError, did_you_mean

if TYPE_CHECKING:
    from okapi.recipes.config import RecipeConfig

Size = Literal["tiny", "quick", "full"]
"""A few seconds; minutes; or as large as in the paper."""

Needs = Literal["labels", "games", "brain", "nothing"]
"""The data that a recipe learns from. Where it is not given, most recipes make it by self-play."""

USUAL_DATA: Final = {"labels": ("labels", "games"), "games": ("games",), "brain": ("brain", "games"), "nothing": ()}
"""The options of data that recipes take by what they need, unless they name others."""

RUNNERS: Final = {
    "supervised": "training",
    "nnue": "nnue",
    "evolution": "evolution",
    "tdleaf": "tdleaf",
    "time": "time_manager",
    "champion": "champion.run",
    "inner-nodes": "inner_nodes",
    "teacher": "teacher",
    "stream": "nnue_stream",
    "move-values": "move_values",
}
"""The module of each method: its `run_recipe` takes an okapi.recipes.run.RecipeRun and returns its RecipeResult."""


class MeasuredElo(NamedTuple):
    """Against `material` at depth 3 on two cores, with its 95 % interval. README has the same figures."""

    elo: int
    low: int
    high: int
    games: int
    minutes: float

    def __str__(self) -> str:
        return (
            f"{self.elo:+} Elo ({self.low:+} … {self.high:+}) against counting pieces, {self.games} games, "
            f"measured after {self.minutes:g} min on two cores"
        )


@dataclass(frozen=True, slots=True)
class Recipe:
    """An entry of recipes.toml, which says what each field means."""

    title: str
    needs: Needs
    method: str
    maker: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    data: Sequence[str] | None = None
    """Options of data that it takes, if they are not those of USUAL_DATA."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    sizes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    measured: MeasuredElo | None = None

    @property
    def takes(self) -> Sequence[str]:
        """The options of data that it learns from: labels, games, brain, player, elo, suite, generations."""
        return USUAL_DATA[self.needs] if self.data is None else self.data

    @property
    def needs_torch(self) -> bool:
        return self.method != "evolution"

    def make(self, config: "RecipeConfig") -> Any:
        """Import the recipe, check its settings and prepare its data."""
        return resolve_name(self.maker)(config, **self.arguments)


def _read_recipes() -> dict[str, Recipe]:
    table = tomllib.loads(Path(__file__).with_name("recipes.toml").read_text(encoding="utf-8"))
    recipes = {}
    for name, entry in table.items():
        like = table.get(entry.get("like"), {})
        sizes = {what: {**like.get(what, {}), **entry.get(what, {})} for what in ("settings", *get_args(Size))}
        recipes[name] = Recipe(
            **{key: entry[key] for key in ("title", "needs", "method", "arguments", "data") if key in entry},
            maker=f"okapi.recipes.{entry.get('maker', '')}",
            settings=sizes.pop("settings"),
            sizes=sizes,
            measured=MeasuredElo(**entry["measured"]) if "measured" in entry else None,
        )
    return recipes


RECIPES: Final = _read_recipes()

ALIASES: Final = {"tower": "resnet", "perceptron": "mlp"}
"""Old names, accepted for one release."""


def find_recipe(name: str) -> Recipe:
    """NotFound with the nearest name."""
    name = ALIASES.get(name, name)
    if name not in RECIPES:
        raise NotFound(f"no recipe `{name}`", hint=did_you_mean(name, RECIPES))
    return RECIPES[name]


def usual_settings(name: str, size: Size) -> dict[str, Any]:
    """The settings of a recipe in one size.

    >>> usual_settings("vazquez-28", "tiny")["generations"], usual_settings("vazquez-28", "full")["generations"]
    (6, 200)
    """
    recipe = find_recipe(name)
    return {**recipe.settings, **recipe.sizes.get(size, {})}


def default_recipe() -> str:
    """The recipe for somebody who has not chosen one: the best that this installation can run."""
    return "nnue" if find_spec("torch") else "vazquez-five"


def check_data(name: str, given: Collection[str]) -> None:
    """UsageError for an option of data that the recipe does not use."""
    recipe = find_recipe(name)
    for option in given:
        if option not in recipe.takes:
            known = " and ".join(f"--{each}" for each in recipe.takes)
            raise UsageError(f"`{name}` does not use --{option}", hint=f"it takes {known or 'no data'}")
    if "games" in given and recipe.needs == "labels" and "labels" not in given:
        hint = "`okapi label GAMES --out FILE` makes labels for --labels FILE, or train `nnue` on the games"
        raise UsageError(f"`{name}` learns from labels; --games only tells which games they came from", hint=hint)
