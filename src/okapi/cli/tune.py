"""`okapi tune`: the constants of the search, tuned by SPSA on the results of games."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number
from rich.table import Table

from okapi.brains.library import run_folder
from okapi.cli.console import Json, emit, make_table, out, print_table
from okapi.cli.options import ADJUDICATION, AdjudicationOptions, Count, Positive
from okapi.cli.progress import Progress

if TYPE_CHECKING:
    from okapi.recipes.tune import TuneConfig, TuneResult

USUAL_NODES = 5000
"""Nodes to search for each move where neither nodes nor a depth are given."""

MOST_ROWS = 20
"""Constants in the table, those that moved most."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TuneOptions:
    player: str = "alphabeta"
    """The search that is tuned, as in okapi match: alphabeta:BRAIN and options."""
    constants: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None
    """Constants to tune; all if not given. A few need fewer games than many."""
    iterations: Count = 500
    """Iterations; the step sizes shrink accordingly."""
    directions: Count = 8
    """Pairs of games in each iteration."""
    rate: Annotated[float | None, Parameter(validator=Number(gt=0))] = None
    """Steps that a constant moves for a won game, in the end; chosen by the number of games if not given."""
    nodes: Positive = None
    """Nodes to search for each move; 5000 if not given."""
    depth: Positive = None
    """Search depth in plies for each move."""
    openings: str | None = None
    """EPD, PGN or Polyglot file; our own set of balanced openings if not given."""
    plies: Count = 16
    """How far into the games of an opening file to go."""
    seed: int = 1
    """Random seed: directions, and the order of the openings."""

    def config(self, endings: AdjudicationOptions) -> "TuneConfig":
        from okapi.arena.time_control import TimeControl  # here, because numpy takes a while and others do without
        from okapi.recipes.tune import TuneConfig, chosen_constants

        return TuneConfig(
            player=self.player,
            constants=chosen_constants(self.constants or ()),
            iterations=self.iterations,
            directions=self.directions,
            rate=self.rate,
            control=TimeControl(nodes=self.nodes or (None if self.depth else USUAL_NODES), depth=self.depth),
            openings=self.openings,
            plies=self.plies,
            adjudication=endings.adjudication(),
            seed=self.seed,
        )


TUNE_OPTIONS = TuneOptions()


def tune(
    *,
    list_: Annotated[bool, Parameter(name="--list", negative="")] = False,
    asked: TuneOptions = TUNE_OPTIONS,
    endings: AdjudicationOptions = ADJUDICATION,
    to: Annotated[str | None, Parameter(name=("--out", "--to"))] = None,
    concurrency: Positive = None,
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
      okapi tune --player alphabeta:material --iterations 3 --directions 2 --depth 3 --resign-score 600

    Args:
        list_: List the constants.
        to: The name of the run, or a path of its folder; one by its settings if not given.
        concurrency: Games at a time; as many as there are processors if not given.
    """
    if list_:
        _list(json=json)
        return
    from okapi.recipes.tune import PICTURE
    from okapi.recipes.tune import tune as learn

    planned, iterations = asked.config(endings), asked.iterations
    folder = run_folder(to, planned.run_name())
    latest: TuneResult | None = None
    with Progress("iterations", iterations) as progress:

        def show(now: "TuneResult", played: bool) -> None:
            nonlocal latest
            latest = now
            if not played:
                progress.resume(now.iterations)
                return
            progress.update(now.iterations, lambda: _so_far(now), above=lambda: constants_table(now, MOST_ROWS))

        try:
            found = learn(planned, folder, threads=concurrency, watch=show)
        except KeyboardInterrupt:
            if latest is None:
                raise
            progress.stop()
            progress.print(constants_table(latest, MOST_ROWS))
            done = f" after {latest.iterations} of {iterations} iterations; games are in {folder}"
            progress.interrupted(done)
    if json:
        emit({**found.as_json(), "folder": str(folder), "picture": str(folder / PICTURE)})
        return
    print_table(constants_table(found))
    for line in (
        f"\n{found.iterations} iterations, {found.games} games; curves are in {folder / PICTURE}",
        f"the player: {found.player}",
        f"to prove it: {found.proof}",
    ):
        out().print(line, markup=False)


def _list(*, json: bool) -> None:
    from okapi.core import constants

    if json:
        keys = ("name", "usual", "least", "most", "step")
        emit({"constants": [{key: getattr(constant, key) for key in keys} for constant in constants()]})
        return
    table = make_table("constant", "usual", "least", "most", "step", text=["constant"])
    for constant in constants():
        numbers = (constant.usual, constant.least, constant.most, constant.step)
        table.add_row(constant.name, *map(str, numbers))
    print_table(table)


def _so_far(found: "TuneResult") -> str:
    ranked = sorted(found.moved.items(), key=lambda item: -abs(item[1]))
    return ", ".join(f"{name} {found.values[name]} ({steps:+.1f})" for name, steps in ranked[:3])


def constants_table(found: "TuneResult", most: int | None = None) -> Table:
    """Where each constant was and is, the one that moved most first."""
    table = make_table("constant", "was", "is", "steps", text=["constant"])
    start, values = found.tuning.start, found.values
    for name, steps in sorted(found.moved.items(), key=lambda item: -abs(item[1]))[:most]:
        table.add_row(name, str(start[name]), str(values[name]), f"{steps:+.2f}")
    return table
