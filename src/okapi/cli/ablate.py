"""`okapi ablate`: the Elo that each heuristic of the search gains."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.markup import escape
from rich.table import Table

from okapi.arena.ablation import Ablation, AblationResult, play_ablation
from okapi.arena.games import PlayedGame
from okapi.brains.library import run_folder
from okapi.cli.console import Json, emit, make_table, print_table
from okapi.cli.drawing import write_picture
from okapi.cli.options import GAME_OPTIONS, Count, GameOptions, Positive, StorageOptions
from okapi.cli.progress import Progress
from okapi.formats.svg import Interval, Intervals

USUAL_NODES = 5000
"""Nodes to search for each move where no limit is given: a clock would also measure what else the machine does."""

PICTURE = "ablation.svg"


def ablate(
    *,
    player: str = "alphabeta",
    only: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None,
    games: Count = 400,
    to: Annotated[str | None, Parameter(name=("--out", "--to"))] = None,
    concurrency: Positive = None,
    cluster: str | None = None,
    fresh: bool = False,
    conditions: GameOptions = GAME_OPTIONS,
    json: Json = False,
) -> None:
    """Measure the Elo of each heuristic: the player with it plays the same player without it.

    Heuristics that are off by default are switched on for it. The table is shown after the first 100 games of each
    heuristic, and its intervals shrink. Games are stored as they end: an interrupted or killed command continues when
    it is given again; with more --games, only the missing games are played.

    For example:
      okapi ablate
      okapi ablate --player alphabeta:material --nodes 2000 --games 200
      okapi ablate --only null_move late_move_reductions probcut --games 2000 --openings book.epd
      okapi ablate --player okapi-28 --tc 2+0.02 --out by-the-clock

    Args:
        player: The search that is measured, as in okapi match: alphabeta:BRAIN and options.
        only: Some heuristics, by their names; all that change how the player searches if not given.
        games: Games for each heuristic.
        to: The name of the run, or a path of its folder; one by its settings if not given.
        concurrency: Games at a time; as many as there are processors if not given.
        cluster: Play on the Ray cluster at this address (host:port, or auto).
        fresh: Delete the games that were played before.
    """
    chosen = conditions if conditions.limited else replace(conditions, nodes=USUAL_NODES)
    planned = Ablation(player=player, **chosen.as_arguments())
    folder = run_folder(to, planned.run_name())
    total = games * len(planned.trials(only or ()))
    found: Sequence[AblationResult] = ()
    new = 0

    with Progress("ablation", total) as progress:

        def show(rows: Sequence[AblationResult], played: PlayedGame | None) -> None:
            nonlocal found, new
            found, done = rows, _games(rows)
            if not new:
                progress.resume(done - (played is not None))
            new += played is not None
            progress.update(done, lambda: _so_far(rows), above=lambda: ablation_table(rows))

        try:
            rows = play_ablation(
                planned,
                games,
                only=only or (),
                folder=folder,
                fresh=fresh,
                make_workers=StorageOptions(concurrency=concurrency, cluster=cluster).make_workers(),
                watch=show,
            )
        except KeyboardInterrupt:
            progress.stop()
            if done := _games(found):
                progress.print(ablation_table(found))
            progress.interrupted(f" after {done} of {total} games; they are in {folder}")
    _draw(planned, rows, folder / PICTURE)
    if json:
        emit(_described(planned, rows, folder))
    else:
        print_table(ablation_table(rows))


def _games(rows: Sequence[AblationResult]) -> int:
    return sum(row.report.games for row in rows)


def _so_far(rows: Sequence[AblationResult]) -> str:
    ranked = _ranked(rows)
    return " … ".join(f"{row.trial.name} {row.estimate.elo:+.0f}" for row in ranked[:1] + ranked[1:][-1:])


def _ranked(rows: Sequence[AblationResult]) -> list[AblationResult]:
    """The heuristics that have games, the largest gain first."""
    return sorted((row for row in rows if row.report.games), key=lambda row: -row.estimate.elo)


def ablation_table(rows: Sequence[AblationResult]) -> Table:
    headings = ("heuristic", "usually", "Elo", "95 %", "games", "won", "drawn", "lost")
    table = make_table(*headings, text=["heuristic", "usually"])
    for row in _ranked(rows):
        found, report = row.estimate, row.report
        counts = (str(count) for count in (report.games, report.wins, report.draws, report.losses))
        interval = f"{found.low:+.0f} … {found.high:+.0f}"
        table.add_row(
            escape(row.trial.name), "on" if row.trial.on_by_default else "off", f"{found.elo:+.0f}", interval, *counts
        )
    return table


def _draw(planned: Ablation, rows: Sequence[AblationResult], file: Path) -> None:
    """The table as a picture; where an interval has no end, it ends with the estimate."""
    drawn = []
    for row in _ranked(rows):
        found = row.estimate
        low, high = (end if math.isfinite(end) else found.elo for end in (found.low, found.high))
        drawn.append(
            Interval(row.trial.name, found.elo, low, high, "usually on" if row.trial.on_by_default else "usually off")
        )
    title = f"Elo of heuristics: {planned.player}, {planned.control}"
    write_picture(file, title, [Intervals("Elo, with 95 % intervals", drawn, "Elo")])


def _described(planned: Ablation, rows: Sequence[AblationResult], folder: Path) -> dict[str, Any]:
    return {
        "player": planned.player,
        "limits": str(planned.control),
        "heuristics": [row.as_json() for row in _ranked(rows)],
        "folder": str(folder),
        "picture": str(folder / PICTURE),
    }
