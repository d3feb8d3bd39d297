"""`okapi selfplay`: games for training."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from okapi.arena.openings import GameStarts, RandomStarts, StoredStarts, read_starts
from okapi.arena.selfplay import SelfPlay, SelfPlayReport, play_selfplay
from okapi.arena.time_control import TimeControl
from okapi.cli.console import Json, answer, note
from okapi.cli.options import (
    Above0,
    AdjudicationOptions,
    Cluster,
    Concurrency,
    Count,
    CountOrZero,
    Positive,
    StorageOptions,
    about,
    out_flag,
)
from okapi.cli.progress import FileProgress, results_in_words
from okapi.errors import UsageError
from okapi.files import file_hash

OPENINGS = "random:8"
"""Where nothing else is said."""

FROM_HELP = "Begin with positions of these files (a game store, an EPD, FENs, samples), after one random move: lai2015."


def selfplay(
    players: Annotated[list[str], about("A brain, alphabeta:BRAIN, uci:COMMAND, …; one plays against itself.")],
    /,
    *,
    games: Annotated[Count, about("Games that the store is to have.")],
    to: Annotated[Path, out_flag("--to", help="The game store to write, or to go on with.")],
    depth: Annotated[Positive, about("Search depth in plies for each move.")] = None,
    nodes: Annotated[Positive, about("Nodes to search for each move.")] = None,
    openings: Annotated[str | None, about("random:8 (so many moves; usual), or an EPD, PGN or Polyglot file.")] = None,
    plies: Annotated[Count, about("How far into the games of an opening file to go.")] = 16,
    from_: Annotated[list[Path] | None, Parameter(name="--from", help=FROM_HELP)] = None,
    max_plies: Annotated[CountOrZero, about("Longer games have no result; 0: all are played to their end.")] = 400,
    seed: Annotated[int, about("Random seed: starts, and players that choose at random.")] = 1,
    stall: Annotated[Above0, about("Seconds after which a player counts as hung.")] = 60.0,
    endings: AdjudicationOptions = AdjudicationOptions(),
    concurrency: Annotated[Concurrency, Parameter(name=("--concurrency", "--threads"))] = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Let players play games, and store them with values, best moves and principal variations.

    One player plays against itself, several play a round robin. The same command gives the same games, however
    many are played at a time. An interrupted or killed command continues when it is given again.

    For example:
      okapi selfplay okapi-28 --games 10000 --depth 4 --out games.okapi
      okapi selfplay "uci:stockfish{Skill Level=3}" --games 500 --nodes 2000 --concurrency 2 --out games.okapi
    """
    starts, opened = _starts(openings, from_, plies, seed, games)
    planned = SelfPlay(
        players=tuple(players),
        control=TimeControl(depth=depth, nodes=nodes, stall_s=stall),
        starts=starts,
        starts_name=opened,
        adjudication=endings.adjudication(),
        max_plies=max_plies,
        seed=seed,
    )
    make_workers = None if cluster is None else StorageOptions(concurrency=concurrency, cluster=cluster).make_workers()
    with FileProgress("self-play", games, to) as progress:

        def show(now: SelfPlayReport) -> None:
            if now.trouble:
                progress.note(now.trouble)
            progress.show(now.games, now.kept, f"{_per_minute(now):,.0f} games/min")

        report = play_selfplay(planned, games, to, concurrency=concurrency, make_workers=make_workers, watch=show)
    counts = {"games": report.games, "plies": report.plies, "positions": report.plies}
    faults = f"; {report.faults:,} ended by a fault of a player" if report.faults else ""
    told = {**counts, "seconds": round(report.seconds, 3), "store": str(to), "results": dict(report.results)}
    answer(
        {**told, "faults": report.faults, "kept": report.kept},
        f"{report.games:,} games, {report.plies:,} positions in {to}, {report.seconds:.1f} s, "
        f"{_per_minute(report):,.0f} games/min",
        results_in_words(report.results) + faults,
        json=json,
    )


def _per_minute(report: SelfPlayReport) -> float:
    return (report.games - report.kept) / report.seconds * 60 if report.seconds else 0.0


def _starts(
    openings: str | None, stored: list[Path] | None, plies: int, seed: int, games: int
) -> tuple[GameStarts, str]:
    """Where games begin, and what that is called in the store."""
    if stored:
        if openings is not None:
            raise UsageError("games begin with --openings or --from, not with both")
        starts: GameStarts = StoredStarts(stored, seed)
        return starts, "from " + ", ".join(f"{path.name} {file_hash(path)}" for path in stored)
    starts = read_starts(openings or OPENINGS, plies=plies, seed=seed)
    if starts.different is not None and starts.different < games:
        note(f"there are only {starts.different:,} openings: games will repeat")
    if isinstance(starts, RandomStarts):
        return starts, openings or OPENINGS
    assert openings is not None
    return starts, f"{Path(openings).name} {file_hash(Path(openings))}, {plies} plies"
