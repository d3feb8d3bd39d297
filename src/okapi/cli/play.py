"""`okapi play`: a board in the browser, or in the terminal."""

import random
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.brains import predicts_moves
from okapi.cli.console import BrainOption, out, talk
from okapi.cli.evaluate import position_from
from okapi.core import Color, Limits, Position
from okapi.errors import UsageError
from okapi.players import Player, parse_player
from okapi.players.spec import kind_of, takes_elo

__all__ = ["play"]

FOR_A_MOVE_MS = 1_000
WATCHED_NODES = 10_000
"""Enough to play sensibly, and a whole game in a second or two."""

Positive = Annotated[int | None, Parameter(validator=Number(gte=1))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The game that somebody asks for, wherever it is played."""

    player: str = "alphabeta"
    brain: str | None = None
    elo: int | None = None
    limits: Limits = field(default_factory=Limits)
    side: str = "white"
    start: Position | None = None

    @property
    def name(self) -> str:
        """What to call the opponent."""
        kind, _, rest = self.player.partition(":")
        base = {"alphabeta": f"Okapi {rest}".strip(), "uci": rest}.get(kind, self.player)
        return f"{base} ({self.elo})" if self.elo is not None else base

    def opponent(self, seed: int | None) -> Player:
        """Who plays."""
        return parse_player(self.player, brain=self.brain, elo=self.elo, seed=seed)


def play(
    *,
    terminal: bool = False,
    port: Annotated[int | None, Parameter(validator=Number(gte=0, lte=65535))] = None,
    no_browser: bool = False,
    share: str | None = None,
    engine: tuple[str, ...] = (),
    runs: Path = Path("runs"),
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
    """Play, on a board in the browser or in this terminal. Where nobody looks, in a script, Okapi plays against itself.

    For example:
      okapi play
      okapi play --side black --elo 1200
      okapi play --engine stockfish=uci:stockfish --port 8000 --no-browser
      okapi play --share 0.0.0.0
      okapi play --terminal --brain material --nodes 5000 --pgn game.pgn
      okapi play --watch

    Parameters
    ----------
    terminal
        A board of text in this terminal; reads moves from standard input even if that is no terminal.
    port
        Where the browser finds the board; any free port if not given.
    no_browser
        Print the address and open nothing.
    share
        Let others in, at this address of this machine (0.0.0.0: all); they need the token that is printed.
    engine
        A player that the board offers besides ours, as NAME=PLAYER: sf=uci:stockfish, phalanx=xboard:phalanx.
    runs
        The folder whose runs the board shows: training, labelling, matches.
    player
        Who plays against you: alphabeta:BRAIN, top-prob:BRAIN, greedy:BRAIN, random, uci:COMMAND.
    side
        Your side.
    elo
        Play about as strong as a person with this rating, 800 to 2600; brains that predict moves: 2000 to 2900.
    nodes
        Positions it may look at for each move.
    movetime
        Milliseconds it may think for each move.
    depth
        Plies it may look ahead.
    fen
        Where to begin; the start of the game if not given.
    pgn
        In the terminal: write the game to this file when you leave.
    watching
        Let it play against itself, in the terminal.
    seed
        In the terminal: for everything that is left to chance.
    """
    if player == "alphabeta" and brain is not None and predicts_moves(brain):
        player, brain = f"top-prob:{brain}", None
    if elo is not None and not takes_elo(player):
        raise UsageError(f"{player} knows no ratings", hint="give a weaker player instead, or fewer --nodes")
    wanted = Wanted(
        player=player,
        brain=brain,
        elo=elo,
        limits=Limits(depth=depth, nodes=nodes, movetime_ms=movetime),
        side=side,
        start=None if fen is None else position_from(fen),
    )
    somebody = sys.stdin.isatty() and sys.stdout.isatty()
    in_browser = somebody or port is not None or no_browser or share is not None
    if in_browser and not (terminal or watching or pgn is not None):
        _in_the_browser(wanted, port=port or 0, share=share, browser=not no_browser, engines=engine, runs=runs)
    elif terminal or (somebody and not watching):
        _in_the_terminal(wanted, pgn, seed)
    else:
        note = "" if watching else "no terminal to type in: Okapi plays against itself"
        _against_itself(wanted, pgn, seed, note)


def _in_the_browser(
    wanted: Wanted, *, port: int, share: str | None, browser: bool, engines: tuple[str, ...], runs: Path
) -> None:
    from okapi.web.game import requested_game
    from okapi.web.server import serve
    from okapi.web.state import AppState

    requested, named = requested_game(wanted.player, wanted.brain, wanted.elo, wanted.limits, wanted.side, wanted.start)
    state = AppState(
        brain=requested.brain,
        engines={**named, **dict(map(_named, engines))},
        requested=None if wanted == Wanted() else requested,
        runs=runs,
    )

    def announce(url: str) -> None:
        out().print(f"The board is at {url}", markup=False)
        talk().print("Ctrl-C ends it.", style="dim")

    with suppress(KeyboardInterrupt):
        serve(state, port=port, share=share, browser=browser, announce=announce)


def _in_the_terminal(wanted: Wanted, pgn: Path | None, seed: int | None) -> None:
    from okapi.players import AlphaBeta
    from okapi.terminal import Session

    with suppress(ImportError):
        import readline  # noqa: F401  (editing and history while typing, where the system has it)
    session = Session(
        wanted.opponent(seed),
        Limits(movetime_ms=FOR_A_MOVE_MS) if wanted.limits.endless else wanted.limits,
        name=wanted.name,
        side=_side(wanted.side, seed),
        start=wanted.start,
        console=out(),
        pgn=pgn,
        adviser=AlphaBeta(),
    )
    session.run()


def _against_itself(wanted: Wanted, pgn: Path | None, seed: int | None, note: str) -> None:
    from okapi.formats.pgn import write_pgn
    from okapi.terminal import watch

    player = wanted.opponent(seed)
    if note:
        talk().print(note, style="dim")
    game = watch(
        player,
        Limits(nodes=WATCHED_NODES) if wanted.limits.endless else wanted.limits,
        console=out(),
        name=wanted.name,
        start=wanted.start,
        seed=1 if seed is None else seed,
    )
    if pgn is not None:
        pgn.write_text(write_pgn(game), encoding="utf-8")


def _named(engine: str) -> tuple[str, str]:
    """The name and the player that `--engine` gives.

    >>> _named("sf=uci:stockfish"), _named("phalanx=xboard:phalanx")
    (('sf', 'uci:stockfish'), ('phalanx', 'xboard:phalanx'))
    """
    name, equals, spec = engine.partition("=")
    if not equals or not name.strip() or not spec.strip():
        raise UsageError(f"`{engine}` names no player", hint="write --engine sf=uci:stockfish")
    kind_of(spec.strip())
    return name.strip(), spec.strip()


def _side(side: str, seed: int | None) -> Color:
    if side == "random":
        return random.Random(seed).choice(list(Color))
    return Color.WHITE if side == "white" else Color.BLACK
