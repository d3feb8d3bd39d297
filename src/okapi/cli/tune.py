"""`okapi tune`: the constants of the search, tuned by SPSA on the results of games."""

from dataclasses import asdict
from functools import partial
from typing import Annotated

from rich.table import Table

from okapi.arena.time_control import TimeControl
from okapi.brains.library import run_folder
from okapi.cli.console import Json, answer, table_of
from okapi.cli.options import AdjudicationOptions, Amount, Concurrency, Count, Openings, Positive, RunName, Words, about
from okapi.cli.progress import Progress
from okapi.core import constants as known_constants
from okapi.recipes.tune import PICTURE, TuneConfig, TuneResult, chosen_constants
from okapi.recipes.tune import tune as learn

USUAL_NODES = 5000
"""Nodes to search for each move where neither nodes nor a depth are given."""

MOST_ROWS = 20
"""Constants in the table, those that moved most."""


def tune(
    *,
    list_: Annotated[bool, about("List the constants.", name="--list", negative="")] = False,
    player: Annotated[str, about("The search to tune, as in okapi match: alphabeta:BRAIN and options.")] = "alphabeta",
    constants: Annotated[Words, about("Constants to tune; all if not given. A few need fewer games.")] = None,
    iterations: Annotated[Count, about("Iterations; the step sizes shrink accordingly.")] = 500,
    directions: Annotated[Count, about("Pairs of games in each iteration.")] = 8,
    rate: Annotated[Amount, about("Steps that a constant moves for a won game, in the end; usually chosen.")] = None,
    nodes: Annotated[Positive, about("Nodes to search for each move; 5000 if not given.")] = None,
    depth: Annotated[Positive, about("Search depth in plies for each move.")] = None,
    openings: Openings = None,
    plies: Annotated[Count, about("How far into the games of an opening file to go.")] = 16,
    seed: Annotated[int, about("Random seed: directions, and the order of the openings.")] = 1,
    endings: AdjudicationOptions = AdjudicationOptions(),
    to: RunName = None,
    concurrency: Concurrency = None,
    json: Json = False,
) -> None:
    """Tune constants of the search by SPSA, and print the match that tests the result.

    Each iteration changes all constants at random, up and down, and the two players that result play a pair of games,
    for several random directions; then all constants move a little in the direction that won. Pairs are stored as
    they end: an interrupted or killed command continues when it is given again, with the same result.

    For example:
      okapi tune --list
      okapi tune --constants null_move_base null_move_divisor reverse_futility_step
      okapi tune --player okapi-28 --iterations 2000 --nodes 10000 --openings book.epd --out tuned
    """
    if list_:
        listed = [asdict(constant) for constant in known_constants()]
        columns = {"constant": "", "usual": "d", "least": "d", "most": "d", "step": "d"}
        table = table_of(columns, (constant.values() for constant in listed))
        answer({"constants": listed}, table, json=json)
        return
    planned = TuneConfig(
        player=player,
        constants=chosen_constants(constants or ()),
        iterations=iterations,
        directions=directions,
        rate=rate,
        control=TimeControl(nodes=nodes or (None if depth else USUAL_NODES), depth=depth),
        openings=openings,
        plies=plies,
        adjudication=endings.adjudication(),
        seed=seed,
    )
    folder = run_folder(to, planned.run_name())
    with Progress("iterations", iterations) as progress:

        def show(now: TuneResult, played: bool) -> None:
            table = partial(constants_table, now, MOST_ROWS)
            progress.kept = f" after {now.iterations} of {iterations} iterations; games are in {folder}"
            progress.result = table
            if played:
                progress.update(now.iterations, lambda: _so_far(now), above=table)
            else:
                progress.resume(now.iterations)

        found = learn(planned, folder, threads=concurrency, watch=show)
    answer(
        {**found.as_json(), "folder": str(folder), "picture": str(folder / PICTURE)},
        constants_table(found),
        f"\n{found.iterations} iterations, {found.games} games; curves are in {folder / PICTURE}",
        f"the player: {found.player}",
        f"to prove it: {found.proof}",
        json=json,
    )


def _so_far(found: TuneResult) -> str:
    ranked = sorted(found.moved.items(), key=lambda item: -abs(item[1]))
    return ", ".join(f"{name} {found.values[name]} ({steps:+.1f})" for name, steps in ranked[:3])


def constants_table(found: TuneResult, most: int | None = None) -> Table:
    """Where each constant was and is, the one that moved most first."""
    start, values = found.tuning.start, found.values
    ranked = sorted(found.moved.items(), key=lambda item: -abs(item[1]))[:most]
    rows = ((name, start[name], values[name], steps) for name, steps in ranked)
    return table_of({"constant": "", "was": "d", "is": "d", "steps": "+.2f"}, rows)
