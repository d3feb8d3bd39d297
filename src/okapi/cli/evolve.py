"""`okapi evolve`: an alias of `okapi train` for recipes of evolution."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from okapi.cli.console import Json
from okapi.cli.train import RUN_OPTIONS, DataOptions, RunOptions, list_recipes, train_with
from okapi.errors import UsageError


def evolve(
    recipe: Annotated[str | None, Parameter(help="A recipe; --list shows them.")] = None,
    /,
    *,
    list_: Annotated[bool, Parameter(name="--list", negative="", help="List the recipes of evolution.")] = False,
    games: Path | None = None,
    run: RunOptions = RUN_OPTIONS,
    json: Json = False,
) -> int:
    """Evolve a brain by a recipe, and show best, mean, spread and time left of each generation: an alias of train.

    The same command gives the same brain, on however many threads or machines. An interrupted or killed command
    continues when it is given again.

    For example:
      okapi evolve --list
      okapi evolve vazquez-28 --games masters.pgn
      okapi evolve vazquez-five --size full --seed 7 --games masters.pgn
      okapi evolve vazquez-pieces --size tiny --change sigma=0.75 --out wilder

    Args:
        games: Games of masters: a PGN file, plain or compressed, or a game store; Okapi can play games of its own.
    """
    if list_:
        return list_recipes("evolution", json=json)
    if recipe is None:
        raise UsageError("which recipe?", hint="`okapi evolve --list` shows them")
    data = DataOptions(games=games)
    data.check()
    return train_with(recipe, data, run, json=json)
