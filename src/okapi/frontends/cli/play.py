"""`okapi play`: a game against a player."""

import random
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.core import Color, Limits, Position
from okapi.errors import UsageError
from okapi.formats.pgn import write_pgn
from okapi.frontends.cli.console import BrainOption, out, talk
from okapi.frontends.cli.evaluate import position_from
from okapi.frontends.terminal import Session, watch
from okapi.players import AlphaBeta, Player, parse_player

__all__ = ["play"]

FOR_A_MOVE_MS = 1_000
WATCHED_NODES = 10_000
"""Enough to play sensibly, and a whole game in a second or two."""

Positive = Annotated[int | None, Parameter(validator=Number(gte=1))]


def play(
    *,
    terminal: bool = False,
    player: str = "alphabeta",
    brain: BrainOption = None,
    side: Literal["white", "black", "random"] = "white",
    elo: int | None = None,
    nodes: Positive = None,
    movetime: Positive = None,
    depth: Positive = None,
    fen: str | None = None,
    pgn: Path | None = None,
    watching: Annotated[bool, Parameter(name="--watch")] = False,
    seed: int | None = None,
) -> None:
    """Play a game in the terminal. Where nobody can type, in a script, Okapi plays a short one against itself.

    For example:
      okapi play
      okapi play --side black --elo 1200
      okapi play --brain material --nodes 5000 --pgn game.pgn
      okapi play --player uci:stockfish --movetime 100
      okapi play --watch

    Parameters
    ----------
    terminal
        A board of text (the only one so far); reads moves from standard input even if that is no terminal.
    player
        Who plays against you: alphabeta:BRAIN, greedy:BRAIN, random, uci:COMMAND.
    side
        Your side.
    elo
        Play about as strong as a person with this rating, 800 to 2600.
    nodes
        Positions it may look at for each move.
    movetime
        Milliseconds it may think for each move.
    depth
        Plies it may look ahead.
    fen
        Where to begin; the start of the game if not given.
    pgn
        Write the game to this file when you leave.
    watching
        Let it play against itself.
    seed
        For everything that is left to chance.
    """
    start = None if fen is None else position_from(fen)
    if elo is not None and not player.startswith("alphabeta"):
        raise UsageError(
            f"--elo is for alphabeta, not for {player}", hint="give a weaker player instead, or fewer --nodes"
        )
    opponent = parse_player(player, brain=brain, elo=elo, seed=seed)
    name = _name(player, elo)
    chosen = Limits(depth=depth, nodes=nodes, movetime_ms=movetime)
    if watching or not (terminal or (sys.stdin.isatty() and sys.stdout.isatty())):
        game_limits = Limits(nodes=WATCHED_NODES) if chosen.endless else chosen
        if not watching:
            talk().print("no terminal to type in: Okapi plays against itself", style="dim")
        game = watch(opponent, game_limits, console=out(), name=name, start=start, seed=1 if seed is None else seed)
        if pgn is not None:
            pgn.write_text(write_pgn(game), encoding="utf-8")
        return
    limits = Limits(movetime_ms=FOR_A_MOVE_MS) if chosen.endless else chosen
    _converse(opponent, limits, name, _side(side, seed), start, pgn)


def _converse(
    opponent: Player, limits: Limits, name: str, side: Color, start: Position | None, pgn: Path | None
) -> None:
    with suppress(ImportError):
        import readline  # noqa: F401  (editing and history while typing, where the system has it)
    session = Session(opponent, limits, name=name, side=side, start=start, console=out(), pgn=pgn, adviser=AlphaBeta())
    session.run()


def _side(side: str, seed: int | None) -> Color:
    if side == "random":
        return random.Random(seed).choice(list(Color))
    return Color.WHITE if side == "white" else Color.BLACK


def _name(player: str, elo: int | None) -> str:
    kind, _, rest = player.partition(":")
    base = {"alphabeta": f"Okapi {rest}".strip(), "uci": rest}.get(kind, player)
    return f"{base} ({elo})" if elo is not None else base
