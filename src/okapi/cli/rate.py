"""`okapi rate`: ratings with intervals, from games that were played or against a ladder of engines."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from okapi.arena.elo import replay_ratings
from okapi.arena.games import find_store, stored_results
from okapi.arena.ladder import LadderRating, climb, usable
from okapi.arena.ratings import RatingPool, Ratings
from okapi.arena.ratings import rate as rate_pool
from okapi.arena.settings import short_name
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.cli.console import Json, answer, emit, note, out, rounded, say, table_of
from okapi.cli.match import standings_progress
from okapi.cli.options import LocalStorageOptions, anchor_from
from okapi.cli.parameters import Anchors, Count, about
from okapi.errors import InvalidPgn, UsageError, did_you_mean
from okapi.formats.numbers import finite
from okapi.formats.pgn import read_results

Games = list[tuple[str, str, float]]
"""White, Black and White's points."""

SHOWN = 3
"""Names of players that an error lists."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class LadderOptions:
    games: Annotated[Count, about("Games to play.")] = 100
    tc: Annotated[str, about("Clock: seconds+increment, or moves/seconds.")] = "10+0.1"
    openings: str | None = None
    """EPD, PGN or Polyglot file; our own set of balanced openings if not given."""
    seed: Annotated[int, about("Random seed of the order of the openings.")] = 1


def rate(
    *files: Annotated[Path, about("PGN files, and what `okapi match` and `tournament` stored, by path or name.")],
    anchor: Anchors = None,
    mean: Annotated[float, about("The mean of all ratings, where there is no anchor.")] = 0.0,
    advantage: Annotated[float | None, about("The advantage of White in Elo; estimated if not given.")] = None,
    drawelo: Annotated[float | None, about("The draw parameter of Bayeselo; estimated if not given.")] = None,
    prior: Annotated[float, about("Virtual draws of each player, for finite ratings of who won every game.")] = 2.0,
    exact: Annotated[bool, about("Intervals like Bayeselo's exactdist, with ratings of opponents as exact.")] = False,
    los: Annotated[bool, about("Show the likelihood of superiority of each pair.")] = False,
    incremental: Annotated[bool, about("Rate game by game, as federations do, from 1500; anchors stay.")] = False,
    ladder_player: Annotated[str | None, about("Play it against a ladder of engines.", name="--ladder")] = None,
    climbing: LadderOptions = LadderOptions(),
    keeping: LocalStorageOptions = LocalStorageOptions(),
    json: Json = False,
) -> None:
    """Rate the players of PGN files, all at once, with 95 % intervals: the model of Bayeselo.

    Ratings are relative. Without an anchor their mean is 0; anchors move them all until those are right on average.

    For example:
      okapi rate games.pgn
      okapi rate games.pgn --advantage 32.8 --drawelo 97.3 --exact    as Bayeselo does by default
      okapi rate --ladder alphabeta --games 200 --tc 10+0.1       against the engines that are installed here
    """
    if ladder_player is not None:
        if files:
            raise UsageError("--ladder plays games of its own", hint="give it no files")
        ladder(ladder_player, climbing=climbing, keeping=keeping, json=json)
        return
    anchors = dict(anchor_from(text) for text in anchor or ())
    results, skipped = _games(files)
    if incremental:
        _replay(results, skipped, anchors, json=json)
        return
    how: dict[str, Any] = {"advantage": advantage, "drawelo": drawelo, "prior": prior, "mean": mean, "exact": exact}
    ratings = rate_pool(RatingPool.of(results), anchors=anchors, **how)
    if json:
        emit(_described(ratings, len(results), skipped, los=los))
        return
    columns = {"": "d", "name": "", "elo": ".0f", "+": ".0f", "-": ".0f", "games": "d", "score": ".0%"}
    rows = (
        (rank, p.name, p.elo, p.high - p.elo, p.elo - p.low, p.games, p.score, p.opposition, p.draws)
        for rank, p in enumerate(ratings.players, start=1)
    )
    say(table_of({**columns, "opposition": ".0f", "draws": ".0%"}, rows))
    out().print(f"the advantage of White is {ratings.advantage:.0f} Elo, drawelo is {ratings.drawelo:.0f}", style="dim")
    if los:
        say(_superiority_table(ratings))
    _print_skipped(len(results), skipped)


def _games(files: tuple[Path, ...]) -> tuple[Games, int]:
    """The games of all files in order, and how many are skipped: no names, no result, or one player on both sides."""
    if not files:
        raise UsageError("rate takes PGN files", hint="okapi rate games.pgn, or okapi rate --ladder PLAYER")
    read = (read_results(file) if (store := find_store(file)) is None else stored_results(store) for file in files)
    found = list(chain.from_iterable(read))
    silent = found.count(None)
    games = [(each.white, each.black, each.points) for each in found if each is not None]
    alone = Counter(white for white, black, _ in games if white == black)
    if len(games) == alone.total():
        raise _nothing_to_rate(", ".join(file.name for file in files), silent, alone)
    return [game for game in games if game[0] != game[1]], silent + alone.total()


def _nothing_to_rate(files: str, silent: int, alone: Counter[str]) -> InvalidPgn:
    if not alone:
        skipped, hint = f" ({silent} skipped)" if silent else "", "games need the tags White, Black and Result"
        return InvalidPgn(f"no finished game between two players in {files}{skipped}", hint=hint)
    names = ", ".join(f"`{name}`" for name, _ in alone.most_common(SHOWN)) + (", …" if len(alone) > SHOWN else "")
    others = f"; {silent} more lack a name or a result" if silent else ""
    return InvalidPgn(
        f"every finished game in {files} is between players of the same name: {names} ({alone.total()} in all{others})",
        hint="games of a player against itself do not say how strong it is: give the two sides different names in the "
        "tags White and Black, or play against others, as in okapi match A B --pgn games.pgn",
    )


def _described(ratings: Ratings, games: int, skipped: int, *, los: bool) -> dict[str, Any]:
    players = [rounded(player, 4) for player in ratings.players]
    numbers = {key: round(getattr(ratings, key), 4) for key in ("advantage", "drawelo", "scale")}
    matrix = {"los": ratings.los.round(4).tolist()} if los else {}
    return {"players": players, **numbers, "games": games, "skipped": skipped, **matrix}


def _superiority_table(ratings: Ratings) -> Table:
    columns = {"": "", **{str(rank): ".0f" for rank in range(1, len(ratings.players) + 1)}}
    rows = []
    for row, player in enumerate(ratings.players):
        chances = (None if column == row else 100 * chance for column, chance in enumerate(ratings.los[row]))
        rows.append((f"{row + 1} {player.name}", *chances))
    return table_of(columns, rows, title="stronger than …, %")


def _print_skipped(games: int, skipped: int) -> None:
    if skipped:
        note(f"{games} games rated, {skipped} skipped: no two different names, or no result", "dim")


def _replay(games: Games, skipped: int, anchors: Mapping[str, float], *, json: bool) -> None:
    players = replay_ratings(games, anchors=anchors)
    for name in anchors:
        if name not in players:
            raise UsageError(f"the anchor `{name}` played no game here", hint=did_you_mean(name, players))
    rows, listed = [], []
    for rank, (name, player) in enumerate(sorted(players.items(), key=lambda item: -item[1].rating), start=1):
        elo, score, draws = player.rating, player.points / player.games, player.draws / player.games
        known = {"games": player.games, "score": round(score, 4), "draws": round(draws, 4)}
        listed.append({"name": name, "elo": round(elo, 4), "low": None, "high": None, **known})
        rows.append((rank, name, elo, player.games, score, draws))
    columns = {"": "d", "name": "", "elo": ".0f", "games": "d", "score": ".0%", "draws": ".0%"}
    told = {"players": listed, "advantage": None, "drawelo": None, "games": len(games), "skipped": skipped}
    answer(told, table_of(columns, rows), json=json)
    if not json:
        _print_skipped(len(games), skipped)


def ladder(
    player: Annotated[str, about("A player: a brain, alphabeta:BRAIN, uci:COMMAND, …")],
    /,
    *,
    climbing: LadderOptions = LadderOptions(),
    keeping: LocalStorageOptions = LocalStorageOptions(),
    json: Json = False,
) -> None:
    """Estimate the rating of a player by games against the engines that are installed, nearest to the estimate first.

    Games are stored as they end: interrupted or killed, the same command continues.

    For example:
      okapi ladder alphabeta --games 200 --tc 10+0.1
      okapi ladder mine --games 100 --json
    """
    name, control = short_name(player), TimeControl.from_text(climbing.tc)
    rungs, missing = usable()
    if any(rung.name == name for rung in rungs):
        raise UsageError(f"{name} is a rung of the ladder itself", hint="okapi match plays two engines")
    for why in sorted(set(missing.values())):
        names = ", ".join(rung for rung, reason in missing.items() if reason == why)
        note(f"left out: {names} ({why})")
    how = {"openings": climbing.openings, "seed": climbing.seed, **keeping.as_arguments()}
    with standings_progress("ladder") as watch:
        how |= {"on_begin": watch.begin, "on_game": watch.game}
        placing = climb(player, climbing.games, control, name=name, rungs=rungs, **how)
    assert watch.report is not None
    caveats = placing.caveats(str(control))
    failed = watch.report.games - placing.games
    if failed > 0:
        caveats.append(f"{failed} games do not count, because an engine of the ladder failed in one of a pair.")
    if json:
        told = {"caveats": caveats, "left_out": missing, "store": str(watch.store)}
        emit(_ladder_described(watch.report, placing) | told)
        return
    say(_ladder_table(placing), "", Text(placing.sentence(name), "bold"), *(Text(each, "dim") for each in caveats))
    note(f"games are in {watch.store}")


def _ladder_described(standings: Standings, placing: LadderRating) -> dict[str, Any]:
    line = next(line for line in standings.rows() if line.name == standings.names[0])
    share = {"score": round(line.score, 4), "draws": round(line.draws / max(line.games, 1), 4)}
    player = {"name": line.name, **_bounds(placing), "games": line.games, **share}
    rungs = []
    for step in placing.steps:
        rung, played = step.rung, {"games": step.games, "score": round(step.score, 4), "implied": finite(step.implied)}
        rungs.append({"name": rung.name, "nominal": rung.elo, "source": rung.source, **played})
    return {"players": [player], **_bounds(placing), "games": placing.games, "rungs": rungs}


def _bounds(placing: LadderRating) -> dict[str, float | None]:
    return {key: finite(getattr(placing, key)) for key in ("elo", "low", "high")}


def _ladder_table(placing: LadderRating) -> Table:
    columns = {"rung": "", "nominal": "d", "games": "d", "score": ".0%", "implied": "s"}
    rows = []
    for step in placing.steps:
        implied = f"{step.implied:.0f}" if math.isfinite(step.implied) else "∞" if step.score else "-∞"
        rows.append((step.rung.name, step.rung.elo, step.games, step.score, implied, step.rung.source))
    return table_of({**columns, "source of the nominal rating": ""}, rows)
