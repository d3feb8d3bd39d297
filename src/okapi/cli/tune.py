"""`okapi tune` and `okapi ablate`: the constants of the search, tuned by games, and the Elo of its heuristics."""

import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from rich.table import Table

from okapi.arena.ablation import Ablation, AblationResult, play_ablation
from okapi.arena.games import PlayedGame
from okapi.arena.time_control import TimeControl
from okapi.brains.library import run_folder
from okapi.cli.console import Json, answer, table_of
from okapi.cli.drawing import write_picture
from okapi.cli.options import AdjudicationOptions, GameOptions, StorageOptions
from okapi.cli.parameters import Amount, Cluster, Concurrency, Count, Openings, Positive, RunName, Words, about
from okapi.cli.progress import Progress
from okapi.core import constants as known_constants
from okapi.formats.svg import Interval, Intervals
from okapi.recipes.tune import PICTURE, TuneConfig, TuneResult, chosen_constants
from okapi.recipes.tune import tune as learn

USUAL_NODES = 5000
"""Nodes to search for each move where neither nodes nor a depth are given."""


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
      okapi tune --player okapi-28 --iterations 2000 --nodes 10000 --openings book.epd --out tuned
    """
    if list_:
        listed = [asdict(constant) for constant in known_constants()]
        columns = {"constant": "", "usual": "d", "least": "d", "most": "d", "step": "d"}
        table = table_of(columns, (constant.values() for constant in listed))
        answer({"constants": listed}, table, json=json)
        return
    search: dict[str, Any] = {"player": player, "constants": chosen_constants(constants or ())}
    steps: dict[str, Any] = {"iterations": iterations, "directions": directions, "rate": rate, "seed": seed}
    control = TimeControl(nodes=nodes or (None if depth else USUAL_NODES), depth=depth)
    played: dict[str, Any] = {"openings": openings, "plies": plies, "adjudication": endings.adjudication()}
    planned = TuneConfig(**search, **steps, control=control, **played)
    folder = run_folder(to, planned.run_name())
    with Progress("iterations", iterations) as progress:

        def show(now: TuneResult, played: bool) -> None:
            table = partial(constants_table, now, most=20)
            progress.kept = f" after {now.iterations} of {iterations} iterations; games are in {folder}"
            progress.result = table
            if played:
                ranked = sorted(now.moved.items(), key=lambda item: -abs(item[1]))[:3]
                said = ", ".join(f"{name} {now.values[name]} ({steps:+.1f})" for name, steps in ranked)
                progress.update(now.iterations, said, above=table)
            else:
                progress.resume(now.iterations)

        found = learn(planned, folder, threads=concurrency, watch=show)
    told = {**found.as_json(), "folder": str(folder), "picture": str(folder / PICTURE)}
    done = f"\n{found.iterations} iterations, {found.games} games; curves are in {folder / PICTURE}"
    proof = (f"the player: {found.player}", f"to prove it: {found.proof}")
    answer(told, constants_table(found), done, *proof, json=json)


def constants_table(found: TuneResult, most: int | None = None) -> Table:
    """Where each constant was and is, the one that moved most first."""
    start, values = found.tuning.start, found.values
    ranked = sorted(found.moved.items(), key=lambda item: -abs(item[1]))[:most]
    rows = ((name, start[name], values[name], steps) for name, steps in ranked)
    return table_of({"constant": "", "was": "d", "is": "d", "steps": "+.2f"}, rows)


ABLATION_PICTURE = "ablation.svg"


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
            progress.update(done, lambda: _extremes(rows), above=lambda: ablation_table(rows))

        rows = play_ablation(
            planned, games, only=only or (), folder=folder, fresh=fresh, make_workers=make_workers, watch=show
        )
    _draw(planned, rows, folder / ABLATION_PICTURE)
    told = {"player": planned.player, "limits": str(planned.control)}
    found = {"heuristics": [row.as_json() for row in _ranked(rows)]}
    told |= {"folder": str(folder), "picture": str(folder / ABLATION_PICTURE)}
    answer({**told, **found}, ablation_table(rows), json=json)


def _extremes(rows: Sequence[AblationResult]) -> str:
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
