"""`okapi experiment`: a queue of changes, tested one after the other."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.markup import escape
from rich.table import Table

from okapi.cli.console import Json, emit, make_table, print_table
from okapi.cli.match import score_so_far
from okapi.cli.options import Positive, StorageOptions
from okapi.cli.progress import Progress

if TYPE_CHECKING:
    from okapi.arena.experiments import Ledger


def experiment(
    queue: Annotated[Path, Parameter(help="A TOML file of gates and experiments.")],
    /,
    *,
    to: Annotated[Path | None, Parameter(name="--out")] = None,
    concurrency: Positive = None,
    cluster: str | None = None,
    json: Json = False,
) -> None:
    """Test changes to a player one after the other, each by SPRT: at fixed nodes first, then by the clock.

    Results are added to a ledger beside the queue (QUEUE.json). Games are stored as they end: an interrupted or killed
    command continues when it is given again, and an experiment that is in the ledger is not played again unless its
    brain, its openings or its gate have changed.

    A queue says whom everybody plays, the gates, and a table for each experiment:
      against = "champion"
      openings = "UHO_4060_v4.epd"
      gates = [{nodes = 10_000, games = 3000, sprt = [0, 10]}, {tc = "1+0.01", games = 3000, sprt = [0, 10]}]

      [null-move-5]
      player = "alphabeta:champion,null_move_base=5"
      about = "Search less after a null move."

    For example:
      okapi experiment queue.toml
      okapi experiment queue.toml --out docs/search-tests.md --cluster auto

    Args:
        to: Write all results of the ledger to this file, as a table in Markdown.
        concurrency: Games at a time; as many as there are processors if not given.
        cluster: Play on the Ray cluster at this address (host:port, or auto).
    """
    from okapi.arena.experiments import Experiment, Gate, Ledger, Queue, elo, play_experiments, verdict
    from okapi.arena.games import PlayedGame
    from okapi.arena.match import MatchReport, MatchRun
    from okapi.files import replace_file

    planned = Queue.read(queue)
    ledger = Ledger(planned.path.with_suffix(".json"))
    with Progress("experiment") as progress:

        def begin(tested: Experiment, gate: Gate, run: MatchRun) -> None:
            progress.note(f"{tested.name}: {gate}")
            progress.resume(run.report.games, gate.games)

        def game(tested: Experiment, _: Gate, report: MatchReport, __: PlayedGame) -> None:
            progress.update(report.games, lambda: f"{tested.name}: {score_so_far(report)}")

        def result(row: Mapping[str, Any]) -> None:
            progress.note(f"{row['name']}: {elo(row)} Elo after {row['games']} games, {verdict(row)}")

        try:
            workers = StorageOptions(concurrency=concurrency, cluster=cluster).make_workers()
            play_experiments(planned, ledger, make_workers=workers, on_begin=begin, on_game=game, on_result=result)
        except KeyboardInterrupt:
            progress.interrupted(f"; results are in {ledger.path}")
    if to is not None:
        replace_file(to, ledger.page().encode())
    if json:
        emit({"ledger": str(ledger.path), "results": ledger.rows})
    else:
        print_table(_table(ledger))


def _table(ledger: "Ledger") -> Table:
    from okapi.arena.experiments import elo, verdict

    table = make_table(
        "experiment", "gate", "games", "Elo (95 %)", "LLR", "verdict", text=["experiment", "gate", "verdict"]
    )
    for row in ledger.rows:
        counts = str(row["games"]), elo(row), f"{row['sprt']['llr']:.2f}"
        table.add_row(escape(row["name"]), row["gate"], *counts, verdict(row))
    return table
