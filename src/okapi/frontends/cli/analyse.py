"""`okapi analyse`: the best lines of a position, or the mistakes of a game."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number
from rich.table import Table

from okapi.core import Color, Decision, Game, Limits, Line, Position, Value
from okapi.errors import UsageError
from okapi.formats.pgn import movetext, read_pgn, write_pgn
from okapi.frontends.analysis import NAGS, Judged, judge, summarise
from okapi.frontends.cli.console import BrainOption, Json, emit, out, progress, talk
from okapi.frontends.cli.evaluate import position_from
from okapi.players import AlphaBeta, Player, parse_player

__all__ = ["analyse"]

FOR_A_POSITION_MS = 1_000
FOR_A_MOVE_MS = 200
"""Milliseconds, where no limit is given."""

Positive = Annotated[int | None, Parameter(validator=Number(gte=1))]


def analyse(
    *what: Annotated[str, Parameter(help="A FEN, `startpos`, or the path of a PGN file.")],
    movetime: Positive = None,
    depth: Positive = None,
    nodes: Positive = None,
    multipv: Annotated[int, Parameter(validator=Number(gte=1, lte=256))] = 1,
    player: str = "alphabeta",
    brain: BrainOption = None,
    threads: Annotated[int, Parameter(validator=Number(gte=1, lte=1024))] = 1,
    pgn: Path | None = None,
    json: Json = False,
) -> None:
    """Show the best lines of a position, or mark the mistakes of the games in a PGN file.

    Values are the expected score of the side to move, 0 lost to 1 won; in games, of the side that moved.
    Marks: ?! gave away 0.05, ? 0.10, ?? 0.20.

    For example:
      okapi analyse startpos --movetime 500 --multipv 3
      okapi analyse "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1" --depth 10 --json
      okapi analyse game.pgn --nodes 100000 --pgn marked.pgn
      okapi analyse game.pgn --player uci:stockfish

    Parameters
    ----------
    movetime
        Milliseconds for each position.
    depth
        Plies to look ahead.
    nodes
        Positions to look at.
    multipv
        Lines to show.
    player
        Who analyses: alphabeta:BRAIN, uci:COMMAND.
    threads
        Threads to search with.
    pgn
        Write the marked games to this file.
    """
    if not what:
        raise UsageError("analyse takes a FEN or a PGN file", hint="okapi analyse startpos")
    text = " ".join(what)
    is_file = Path(text).is_file() or text.endswith(".pgn")
    default = FOR_A_MOVE_MS if is_file else FOR_A_POSITION_MS
    limits = Limits(
        depth=depth, nodes=nodes, movetime_ms=movetime or (None if depth or nodes else default), overhead_ms=0
    )
    with _opened(parse_player(player, brain=brain, threads=threads, multipv=1 if is_file else multipv)) as analyst:
        if is_file:
            _analyse_games(list(read_pgn(Path(text))), analyst, limits, pgn, json=json)
        else:
            _analyse_position(position_from(text), analyst, limits, json=json)


@contextmanager
def _opened(player: Player) -> Iterator[Player]:
    """Close the player afterwards, if it is one that has to be closed."""
    try:
        yield player
    finally:
        close = getattr(player, "close", None)
        if close is not None:
            close()


# --- A position -----------------------------------------------------------------------------------------------------


def _analyse_position(position: Position, player: Player, limits: Limits, *, json: bool) -> None:
    begun = time.perf_counter()
    decision = _think_aloud(position, player, limits)
    seconds = time.perf_counter() - begun
    lines = decision.lines or (Line(decision.line, decision.value, decision.depth),)
    if json:
        listed = [_described(position, line) for line in lines]
        emit({"fen": position.fen(), "lines": listed, "nodes": decision.nodes, "seconds": round(seconds, 3)})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("", "value", "pawns", "depth", "line"):
        table.add_column(heading, justify="left" if heading == "line" else "right", overflow="fold")
    for rank, line in enumerate(lines, start=1):
        shown = movetext(Game.of(list(line.moves), position.copy()))
        table.add_row(str(rank), f"{line.value.expected:.3f}", str(line.value), str(line.depth), shown)
    console = out()
    console.print(f"{position.turn.name.capitalize()} to move in {position.fen()}")
    console.print(table, soft_wrap=False)
    console.print(f"{decision.nodes:,} nodes in {seconds:.1f} s")


def _think_aloud(position: Position, player: Player, limits: Limits) -> Decision:
    """Think and, if somebody watches, show the best line so far."""
    console = talk()
    if not isinstance(player, AlphaBeta) or not console.is_terminal or not sys.stdout.isatty():
        return player.choose(position, limits)
    with console.status("thinking …") as status:

        def report(rank: int, line: Line, nodes: int) -> None:
            if rank == 1:
                status.update(f"depth {line.depth}  {line.value}  {position.san(line.moves[0])}  {nodes:,} nodes")

        return player.choose(position, limits, report)


def _described(position: Position, line: Line) -> dict[str, Any]:
    ahead, written = position.copy(), []
    for move in line.moves:
        written.append(ahead.san(move))
        ahead.play(move)
    return {
        "move": position.uci(line.moves[0]),
        "san": written[0],
        **_worth(line.value),
        "pv": [position.uci(move) for move in line.moves],
        "pv_san": written,
        "depth": line.depth,
    }


def _worth(value: Value) -> dict[str, Any]:
    unit = {"centipawns": value.centipawns} if value.mate is None else {"mate": value.mate}
    return {"value": round(value.expected, 6), **unit}


# --- Games ----------------------------------------------------------------------------------------------------------


def _analyse_games(games: list[Game], player: Player, limits: Limits, pgn: Path | None, *, json: bool) -> None:
    begun = time.perf_counter()
    judged: list[list[Judged]] = []
    with progress("analysing", sum(len(game.moves) for game in games)) as bar:
        for game in games:
            moves = []
            for move in judge(game, player, limits):
                moves.append(move)
                bar.advance(bar.task_ids[0])
            judged.append(moves)
    if pgn is not None:
        pgn.write_text("\n".join(map(_marked, games, judged)), encoding="utf-8")
    if json:
        emit(
            {
                "games": [_game_as_json(game, moves) for game, moves in zip(games, judged, strict=True)],
                "nodes": sum(move.nodes for moves in judged for move in moves),
                "seconds": round(time.perf_counter() - begun, 3),
            }
        )
        return
    for game, moves in zip(games, judged, strict=True):
        _print_game(game, moves)
    if pgn is not None:
        talk().print(f"marked games are in {pgn}", markup=False)


def _print_game(game: Game, moves: list[Judged]) -> None:
    console = out()
    console.print(f"[bold]{_name(game, 'White')} – {_name(game, 'Black')}[/]  {game.result}")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("move", no_wrap=True)
    table.add_column("value", justify="right")
    table.add_column("pawns", justify="right")
    table.add_column("lost", justify="right")
    table.add_column("better", no_wrap=True)
    for move in moves:
        dots = "." if move.side is Color.WHITE else "..."
        style = {"??": "bold red", "?": "red", "?!": "yellow"}.get(move.mark, "")
        table.add_row(
            f"{move.number}{dots} {move.san}{move.mark}",
            f"{move.value.expected:.2f}",
            str(move.value),
            f"{move.loss:.2f}" if move.mark else "",
            move.best_san if move.mark else "",
            style=style,
        )
    console.print(table, soft_wrap=False)
    totals = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("", "moves", "?!", "?", "??", "accuracy"):
        totals.add_column(heading, justify="left" if not heading else "right")
    for side in Color:
        of = summarise(moves, side)
        counts = (str(n) for n in (of.moves, of.inaccuracies, of.mistakes, of.blunders))
        totals.add_row(side.name.capitalize(), *counts, f"{of.accuracy:.0f} %")
    console.print()
    console.print(totals, soft_wrap=False)
    console.print()


def _name(game: Game, side: str) -> str:
    return game.tags.get(side, "?").replace("[", "\\[")


def _marked(game: Game, moves: list[Judged]) -> str:
    comments = {
        move.ply: f"{NAGS[move.mark]} {{ {move.value}, better {move.best_san} }}" for move in moves if move.mark
    }
    return write_pgn(game, comments)


def _game_as_json(game: Game, moves: list[Judged]) -> dict[str, Any]:
    return {
        "white": game.tags.get("White", "?"),
        "black": game.tags.get("Black", "?"),
        "result": game.result,
        "moves": [
            {
                "ply": move.ply,
                "move": game.start.uci(move.move),
                "san": move.san,
                **_worth(move.value),
                "best": game.start.uci(move.best),
                "best_san": move.best_san,
                "loss": round(move.loss, 6),
                "mark": move.mark,
            }
            for move in moves
        ],
        "summary": {side.name.lower(): asdict(summarise(moves, side)) for side in Color},
    }
