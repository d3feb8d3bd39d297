"""
Recipes: everything that `okapi train` can do. RECIPES lists them; one line adds one.

Importing this package imports neither numpy nor torch: a recipe's own module is imported by `Recipe.make`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, Literal

from okapi.errors import NotFound, UsageError, did_you_mean

if TYPE_CHECKING:
    from okapi.recipes.config import RecipeConfig

__all__ = ["ALIASES", "RECIPES", "RUNNERS", "Recipe", "check_data", "default_recipe", "find_recipe"]

Needs = Literal["labels", "games", "brain", "nothing"]
"""The data that a recipe learns from. Where it is not given, most recipes make it by self-play."""

USUAL_DATA: Final[dict[Needs, tuple[str, ...]]] = {
    "labels": ("labels", "games"),
    "games": ("games",),
    "brain": ("brain", "games"),
    "nothing": (),
}
"""The options of data that recipes take, unless they name others."""

Method = Literal["supervised", "nnue", "evolution", "tdleaf", "time", "champion", "inner-nodes", "teacher", "stream"]
"""How a recipe trains."""

RUNNERS: Final[dict[Method, str]] = {
    "supervised": "okapi.recipes.training:run_recipe",
    "nnue": "okapi.recipes.nnue:run_recipe",
    "evolution": "okapi.recipes.evolution:run_recipe",
    "tdleaf": "okapi.recipes.tdleaf_run:run_recipe",
    "time": "okapi.recipes.time_manager:run_recipe",
    "champion": "okapi.recipes.champion.run:run_recipe",
    "inner-nodes": "okapi.recipes.inner_nodes:run_recipe",
    "teacher": "okapi.recipes.teacher:run_recipe",
    "stream": "okapi.recipes.nnue_stream:run_recipe",
}
"""The function of each method: takes an okapi.recipes.run.RecipeRun, returns its RecipeResult."""


@dataclass(frozen=True, slots=True)
class Recipe:
    title: str
    """One line for `okapi train --list`."""
    needs: Needs
    method: Method
    maker: str
    """`module:function`. The function takes a RecipeConfig and returns what the method runs."""
    data: tuple[str, ...] | None = None
    """Options of data that it takes, if they are not those of USUAL_DATA."""

    @property
    def takes(self) -> tuple[str, ...]:
        """The options of data that it learns from: labels, games, brain, player, elo, suite, generations."""
        return USUAL_DATA[self.needs] if self.data is None else self.data

    @property
    def needs_torch(self) -> bool:
        return self.method != "evolution"

    def make(self, config: "RecipeConfig", **data: Any) -> Any:
        """Import the recipe, check its settings and prepare its data."""
        return resolve_name(self.maker)(config, **data)


def _sabatelli(network: str, dataset: int) -> Recipe:
    name = {"mlp": "perceptron", "cnn": "convolutional network"}[network]
    output = {1: "3 classes", 2: "15 classes", 3: "20 classes", 4: "a number from -15 to 15 pawns"}[dataset]
    title = f"The {name} of dataset {dataset}: {output} (sabatelli2018, section 3.2)"
    return Recipe(title, "labels", "supervised", f"okapi.recipes.sabatelli2018:{network}_{dataset}")


def _evolution(title: str, maker: str, needs: Needs = "games") -> Recipe:
    return Recipe(title, needs, "evolution", f"okapi.recipes.vazquez2012.{maker}")


RECIPES: Final[dict[str, Recipe]] = {
    "nnue": Recipe(
        "An NNUE learns from positions that a brain labels on the spot, or from your labels or games",
        "nothing",
        "nnue",
        "okapi.recipes.nnue:nnue",
        ("labels", "games", "brain"),
    ),
    "mlp": Recipe(
        "A perceptron with two hidden layers on the bitmap: the expected score",
        "labels",
        "supervised",
        "okapi.recipes.value_networks:mlp",
    ),
    "resnet": Recipe(
        "Four residual blocks on planes: the expected score",
        "labels",
        "supervised",
        "okapi.recipes.value_networks:resnet",
    ),
    "moves": Recipe(
        "One network that predicts moves, given the mover's rating; tested on other tournaments",
        "games",
        "supervised",
        "okapi.recipes.moves:moves",
        ("games", "elo"),
    ),
    "personal": Recipe(
        "A brain that predicts moves is trained on one player's games: how much better does it predict them?",
        "games",
        "supervised",
        "okapi.recipes.personal:personal",
        ("games", "player", "brain", "elo"),
    ),
    "distil": Recipe(
        "A perceptron on the bitmap learns another brain's values: --brain NAME",
        "brain",
        "supervised",
        "okapi.recipes.value_networks:distil",
        ("brain", "games", "labels"),
    ),
    "bounds": Recipe(
        "A small perceptron learns bounds that hold for 96 of 100 values of another brain: --brain NAME",
        "brain",
        "supervised",
        "okapi.recipes.value_networks:bounds",
        ("brain", "games", "labels"),
    ),
    **{
        f"sabatelli-{network}-{dataset}": _sabatelli(network, dataset)
        for network in ("mlp", "cnn")
        for dataset in (1, 2, 3, 4)
    },
    "sabatelli-player": Recipe(
        "The small perceptron of sabatelli2018 as a player: the expected score",
        "labels",
        "supervised",
        "okapi.recipes.sabatelli2018:player",
    ),
    "sheehan-a": Recipe(
        "Net A of sheehan2016: 64 squares and the piece differential",
        "labels",
        "supervised",
        "okapi.recipes.sheehan2016:net_a",
    ),
    "sheehan-b": Recipe(
        "Net B of sheehan2016, after Deep Pink: 64 squares and the piece differential",
        "labels",
        "supervised",
        "okapi.recipes.sheehan2016:net_b",
    ),
    "sheehan-c": Recipe("Net C of sheehan2016: 64 squares", "labels", "supervised", "okapi.recipes.sheehan2016:net_c"),
    "sheehan-residual": Recipe(
        "A residual network on the buckets of sheehan2016",
        "labels",
        "supervised",
        "okapi.recipes.sheehan2016:residual",
    ),
    "giraffe": Recipe(
        "The network of lai2015: first material, then TD-Leaf on self-play",
        "games",
        "tdleaf",
        "okapi.recipes.tdleaf:giraffe",
        ("games", "suite"),
    ),
    "tdleaf": Recipe(
        "TD-Leaf on self-play for any brain with a differentiable value: --brain NAME",
        "brain",
        "tdleaf",
        "okapi.recipes.tdleaf:tdleaf",
        ("brain", "games", "suite"),
    ),
    "giraffe-moves": Recipe(
        "The move network of lai2015, on inner nodes of searches",
        "games",
        "inner-nodes",
        "okapi.recipes.inner_nodes:giraffe_moves",
        ("games", "brain"),
    ),
    "teacher": Recipe(
        "A ResNet learns from labels and labels the positions of games, for an NNUE to learn from",
        "labels",
        "teacher",
        "okapi.recipes.teacher:teacher",
    ),
    "nnue-stream": Recipe(
        "An NNUE learns from a network of Stockfish 15 on positions made meanwhile: --labels FILE.nnue",
        "games",
        "stream",
        "okapi.recipes.nnue_stream:nnue_stream",
        ("labels", "games", "brain"),
    ),
    "time": Recipe(
        "A small network learns from recorded searches when more time changes the move: --brain NAME",
        "brain",
        "time",
        "okapi.recipes.time_manager:time",
        ("brain", "games"),
    ),
    "champion": Recipe(
        "An NNUE by generations of self-play, training and a test by games; from a brain, labels or nothing",
        "nothing",
        "champion",
        "okapi.recipes.champion.config:champion",
        ("labels", "brain", "generations"),
    ),
    "vazquez-pieces": _evolution("Six piece networks by tournaments (chapter 4)", "pieces:recipe", "nothing"),
    "vazquez-pieces-results": _evolution("Six piece networks by CMA-ES, on results of games", "pieces:by_results"),
    "vazquez-five": _evolution("Five weights by evolution, on masters' games (chapter 5)", "five:recipe"),
    "vazquez-28": _evolution("Twenty-eight weights by evolution, on masters' moves (chapter 6)", "twenty_eight:recipe"),
    "vazquez-exploitation": _evolution("Twenty-eight weights by Hooke-Jeeves (chapter 6)", "optimizers:exploitation"),
    "vazquez-28-de": _evolution("Twenty-eight weights by differential evolution", "optimizers:differential"),
    "vazquez-28-cma": _evolution("Twenty-eight weights by CMA-ES", "optimizers:cma"),
    "vazquez-28-hooke": _evolution("Twenty-eight weights by Hooke-Jeeves alone", "optimizers:hooke"),
    "vazquez-28-results": _evolution("Twenty-eight weights by evolution, on results of games", "optimizers:results"),
    "vazquez-28-texel": _evolution("Twenty-eight weights by gradient descent, on results of games", "optimizers:texel"),
    "vazquez-35": _evolution("Thirty-five weights by evolution, on masters' moves", "optimizers:evolution_35"),
    "vazquez-35-texel": _evolution("Thirty-five weights by gradient descent, on results", "optimizers:texel_35"),
}

ALIASES: Final = {"tower": "resnet", "perceptron": "mlp"}
"""Old names, accepted for one release."""


def find_recipe(name: str) -> Recipe:
    """NotFound with the nearest name."""
    name = ALIASES.get(name, name)
    if name not in RECIPES:
        raise NotFound(f"no recipe `{name}`", hint=did_you_mean(name, RECIPES))
    return RECIPES[name]


def default_recipe() -> str:
    """The recipe for somebody who has not chosen one: the best that this installation can run."""
    return "nnue" if find_spec("torch") else "vazquez-five"


def check_data(name: str, given: Collection[str]) -> None:
    """UsageError for an option of data that the recipe does not use."""
    takes = find_recipe(name).takes
    for option in given:
        if option not in takes:
            known = " and ".join(f"--{each}" for each in takes)
            raise UsageError(f"`{name}` does not use --{option}", hint=f"it takes {known or 'no data'}")
    if "games" in given and find_recipe(name).needs == "labels" and "labels" not in given:
        raise UsageError(
            f"`{name}` learns from labels; --games only tells which games they came from",
            hint="`okapi label GAMES --out FILE` makes labels for --labels FILE, or train `nnue` on the games",
        )
