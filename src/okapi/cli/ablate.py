"""`okapi ablate`: the Elo that each heuristic of the search gains."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

from rich.table import Table

from okapi.arena.ablation import Ablation, AblationResult, play_ablation
from okapi.arena.games import PlayedGame
from okapi.brains.library import run_folder
from okapi.cli.console import Json, answer, table_of
from okapi.cli.drawing import write_picture
from okapi.cli.options import Cluster, Concurrency, Count, GameOptions, RunName, StorageOptions, Words, about
from okapi.cli.progress import Progress
from okapi.formats.svg import Interval, Intervals

USUAL_NODES = 5000
"""Nodes to search for each move where no limit is given: a clock would also measure what else the machine does."""

PICTURE = "ablation.svg"


def ablate(
    *,
    player: Annotated[str, about("The search to measure: alphabeta:BRAIN and options.")] = "alphabeta",
    only: Annotated[Words, about("Only these heuristics, by name; all that change how the player searches.")] = None,
    games: Annotated[Count, about("Games for each heuristic.")] = 400,
    to: RunName = None,
    concurrency: Concurrency = None,
    cluster: Cluster = None,
    fresh: Annotated[bool, about("Delete the games that were played before.")] = False,
    conditions: GameOptions = GameOptions(),
    json: Json = False,
) -> None:
    """Measure the Elo of each heuristic: the player with it plays the same player without it.

    Heuristics that are off by default are switched on for it. The table is shown after the first 100 games of each
    heuristic, and its intervals shrink. Games are stored as they end: an interrupted or killed command continues when
    it is given again; with more --games, only the missing games are played.

    For example:
      okapi ablate --only null_move late_move_reductions probcut --games 2000 --openings book.epd
      okapi ablate --player okapi-28 --tc 2+0.02 --out by-the-clock
    """
    chosen = conditions if conditions.limited else replace(conditions, nodes=USUAL_NODES)
    planned = Ablation(player=player, **chosen.as_arguments())
    folder = run_folder(to, planned.run_name())
    total = games * len(planned.trials(only or ()))
    make_workers = StorageOptions(concurrency=concurrency, cluster=cluster).make_workers()
    new = 0

    with Progress("ablation", total) as progress:
        progress.kept = f" after 0 of {total} games; they are in {folder}"

        def show(rows: Sequence[AblationResult], played: PlayedGame | None) -> None:
            nonlocal new
            done = sum(row.report.games for row in rows)
            progress.kept = f" after {done} of {total} games; they are in {folder}"
            progress.result = partial(ablation_table, rows) if done else None
            if not new:
                progress.resume(done - (played is not None))
            new += played is not None
            progress.update(done, lambda: _so_far(rows), above=lambda: ablation_table(rows))

        rows = play_ablation(
            planned, games, only=only or (), folder=folder, fresh=fresh, make_workers=make_workers, watch=show
        )
    _draw(planned, rows, folder / PICTURE)
    told = {"player": planned.player, "limits": str(planned.control)}
    found = {"heuristics": [row.as_json() for row in _ranked(rows)]}
    answer({**told, **found, "folder": str(folder), "picture": str(folder / PICTURE)}, ablation_table(rows), json=json)


def _so_far(rows: Sequence[AblationResult]) -> str:
    ranked = _ranked(rows)
    return " … ".join(f"{row.trial.name} {row.estimate.elo:+.0f}" for row in ranked[:1] + ranked[1:][-1:])


def _ranked(rows: Sequence[AblationResult]) -> list[AblationResult]:
    """The heuristics that have games, the largest gain first."""
    return sorted((row for row in rows if row.report.games), key=lambda row: -row.estimate.elo)


def ablation_table(rows: Sequence[AblationResult]) -> Table:
    columns = {"heuristic": "", "usually": "", "Elo": "+.0f", "95 %": "s"}
    columns |= dict.fromkeys(("games", "won", "drawn", "lost"), "d")
    cells = []
    for row in _ranked(rows):
        found, report, usually = row.estimate, row.report, "on" if row.trial.on_by_default else "off"
        counts = (report.games, report.wins, report.draws, report.losses)
        cells.append((row.trial.name, usually, found.elo, f"{found.low:+.0f} … {found.high:+.0f}", *counts))
    return table_of(columns, cells)


def _draw(planned: Ablation, rows: Sequence[AblationResult], file: Path) -> None:
    """The table as a picture; where an interval has no end, it ends with the estimate."""
    drawn = []
    for row in _ranked(rows):
        found, usually = row.estimate, "usually on" if row.trial.on_by_default else "usually off"
        low, high = (end if math.isfinite(end) else found.elo for end in (found.low, found.high))
        drawn.append(Interval(row.trial.name, found.elo, low, high, usually))
    title = f"Elo of heuristics: {planned.player}, {planned.control}"
    write_picture(file, title, [Intervals("Elo, with 95 % intervals", drawn, "Elo")])
