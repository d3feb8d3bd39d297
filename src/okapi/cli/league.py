"""`okapi league`: every way of learning under one search and one clock; tables, a picture, a page."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number
from rich.markup import escape

from okapi.brains import find
from okapi.brains.library import run_folder
from okapi.cli.console import Json, emit, make_table, out, print_table, talk
from okapi.cli.options import Count, LocalStorageOptions, Positive
from okapi.cli.tournament import StandingsProgress
from okapi.errors import NotFound, UsageError, did_you_mean

if TYPE_CHECKING:
    from okapi.arena.ladder import Rung
    from okapi.recipes.league.result import LeagueResult
    from okapi.recipes.league.season import SeasonConfig

Names = Annotated[list[str] | None, Parameter(consume_multiple=True)]
Counts = Annotated[list[int] | None, Parameter(consume_multiple=True, validator=Number(gte=1))]
Parts = Annotated[list[Literal["nodes", "clock", "thinking"]] | None, Parameter(consume_multiple=True)]

LEVELS = (100, 1_000, 10_000)
"""Nodes of the third table, by default."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SeasonOptions:
    nodes: Count = 1_000
    """Nodes for each move in the first table."""
    games: Count = 20
    """Games of each pair there; slow brains play fewer."""
    tc: str = "1+0.01"
    """The clock of the second table."""
    clock_games: Count = 2
    """Games of each pair there."""
    levels: Counts = None
    """Nodes at which everybody plays the reference; 100, 1,000 and 10,000 if not given."""
    level_games: Count = 10
    """Games of each such pair."""
    seed: int = 1
    """Random seed of the order of the openings."""

    def config(self, entrants: Sequence[str]) -> "SeasonConfig":
        from okapi.recipes.league.season import SeasonConfig

        levels = tuple(self.levels or LEVELS)
        return SeasonConfig(**{**asdict(self), "levels": levels, "entrants": tuple(entrants)})


SEASON = SeasonOptions()


def league(
    *,
    out_: Annotated[str | None, Parameter(name="--out")] = None,
    entrants: Names = None,
    brain: list[str] | None = None,
    engines: Names = None,
    only: Parts = None,
    season: SeasonOptions = SEASON,
    concurrency: Positive = None,
    json: Json = False,
) -> None:
    """Play a league of all ways of learning: at equal nodes, with a clock, and with more and fewer nodes.

    Games are stored by the contents of both players: the same command continues, and after a change of one brain only
    its games are played again. The folder gets league.json, league.html, league.svg and league.md
    after each part; the board's panel League shows the newest.

    For example:
      okapi league
      okapi league --only nodes --nodes 500 --games 10
      okapi league --brain champion=mine
      okapi league --entrants material okapi-28 giraffe --engines none --tc 5+0.05 --clock-games 20

    Args:
        out_: The name of the run, or a path of its folder; `league` if not given.
        entrants: Who plays, by name; all that are installed if not given. The reference, okapi-28, always plays.
        brain: NAME=BRAIN: another brain for an entrant; may be given several times.
        engines: Engines of the ladder that play with a clock, by name, or `none`; a few installed ones if not given.
        only: Parts to play; the others stay as they are.
        concurrency: Games at a time; as many as there are processors if not given.
    """
    from okapi.recipes.league.entrants import YARDSTICK, available_entrants, select_entrants
    from okapi.recipes.league.season import TABLES, Season

    folder = run_folder(out_, "league")
    here = available_entrants(_files(brain or ()))
    playing = here if entrants is None else select_entrants(here, [YARDSTICK, *entrants])
    if len(playing) < 2:
        raise UsageError("a league needs two entrants or more", hint="okapi league --entrants material giraffe")
    parts = [part for part in TABLES if only is None or part in only]
    rungs = _engines(engines) if "clock" in parts else []
    played = Season(
        playing,
        rungs,
        season.config(entrants or ()),
        folder / "games",
        make_workers=LocalStorageOptions(concurrency=concurrency).make_workers(),
    )
    result = _before(folder)
    for part in parts:
        with StandingsProgress(part) as watch:
            try:
                result = played.play(part, result, on_begin=watch.begin, on_game=watch.game)
            except KeyboardInterrupt:
                watch.stopped()
        _write(folder, result)
    if json:
        emit({**result.as_json(), "folder": str(folder)})
    else:
        _show(result)
        talk().print(f"the page is {folder / 'league.html'}, the picture {folder / 'league.svg'}", markup=False)


def _files(named: Sequence[str]) -> dict[str, Path]:
    """Brains that the command line gives entrants: UsageError, NotFound."""
    files = {}
    for text in named:
        name, equals, path = text.partition("=")
        if not equals:
            raise UsageError(f"`{text}` names no brain", hint="--brain champion=mine")
        files[name] = find(path)
    return files


def _engines(names: Sequence[str] | None) -> "list[Rung]":
    """Rungs of the ladder by name: those that are not installed are named and left out."""
    from okapi.arena.ladder import LADDER, usable
    from okapi.recipes.league.season import ANCHORS

    wanted = list(ANCHORS if names is None else names)
    if wanted == ["none"]:
        return []
    known = {rung.name: rung for rung in LADDER}
    for name in wanted:
        if name not in known:
            raise NotFound(f"`{name}` is no engine of the ladder", hint=did_you_mean(name, known))
    rungs, missing = usable([known[name] for name in wanted])
    for name, why in missing.items():
        talk().print(f"left out: {name} ({why})", markup=False)
    return rungs


def _before(folder: Path) -> "LeagueResult":
    from okapi.recipes.league.result import RESULT, LeagueResult

    return LeagueResult.read(folder / RESULT) if (folder / RESULT).exists() else LeagueResult()


def _write(folder: Path, result: "LeagueResult") -> None:
    from okapi.files import replace_file
    from okapi.recipes.league.report import as_markdown, in_one, league_page
    from okapi.recipes.league.result import RESULT

    result.write(folder / RESULT)
    for name, text in (
        ("league.html", league_page(result)),
        ("league.svg", in_one(result)),
        ("league.md", as_markdown(result)),
    ):
        replace_file(folder / name, text.encode())


def _show(result: "LeagueResult") -> None:
    from okapi.formats.numbers import interval, number
    from okapi.recipes.league.report import title_of
    from okapi.recipes.league.result import answers

    for played in result.tables:
        table = make_table("", "player", "elo", "95 %", "games", "score", text=["player"], title=title_of(played))
        for place, row in enumerate(played.rows, start=1):
            rated = number(row.elo), interval(row.low, row.high)
            table.add_row(str(place), escape(row.name), *rated, str(row.games), f"{row.score:.1%}")
        print_table(table)
        out().print()
    for sentence in answers(result):
        out().print(sentence, markup=False)
