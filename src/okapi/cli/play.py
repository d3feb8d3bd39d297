"""`okapi play` and `okapi uci`: a board in the browser or terminal, and any player as an engine."""

import os
import random
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.brains import SHIPPED, find, is_native, predicts_moves
from okapi.cli.console import BrainOption, Json, emit, out, talk
from okapi.cli.evaluate import position_from
from okapi.cli.options import Positive, out_flag
from okapi.core import Color, Limits, Position
from okapi.core.search import known_budget, known_heuristics
from okapi.errors import UsageError
from okapi.players import Player
from okapi.players.spec import alphabeta_options, kind_of, parse_player, takes_elo
from okapi.uci import Uci, okapi_uci

FOR_A_MOVE_MS = 1_000
WATCHED_NODES = 10_000
"""Enough to play sensibly, and a whole game in a second or two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRequest:
    player: str = "alphabeta"
    brain: str | None = None
    elo: int | None = None
    limits: Limits = field(default_factory=Limits)
    side: str = "white"
    start: Position | None = None

    @property
    def name(self) -> str:
        kind, _, rest = self.player.partition(":")
        base = {"alphabeta": f"Okapi {rest}".strip(), "uci": rest}.get(kind, self.player)
        return f"{base} ({self.elo})" if self.elo is not None else base

    def opponent(self, seed: int | None) -> Player:
        return parse_player(self.player, brain=self.brain, elo=self.elo, seed=seed)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class BoardOptions:
    port: Annotated[int | None, Parameter(validator=Number(gte=0, lte=65535))] = None
    """Where the browser finds the board; any free port if not given."""
    no_browser: bool = False
    """Print the address and open nothing."""
    share: str | None = None
    """Let others in, at this address of this machine (0.0.0.0: all); they need the token that is printed."""
    engine: tuple[str, ...] = ()
    """A player that the board offers besides ours, as NAME=PLAYER: sf=uci:stockfish, phalanx=xboard:phalanx."""

    @property
    def given(self) -> bool:
        return self.port is not None or self.no_browser or self.share is not None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OpponentOptions:
    player: str = "alphabeta"
    """Who plays against you: alphabeta:BRAIN, top-prob:BRAIN, greedy:BRAIN, random, uci:COMMAND."""
    brain: BrainOption = None
    side: Literal["white", "black", "random"] = "white"
    """Your side."""
    elo: int | None = None
    """Play about as strong as a person with this rating, 800 to 3200; brains that predict moves: 2000 to 2900."""
    nodes: Positive = None
    """Nodes it may search for each move."""
    movetime: Positive = None
    """Milliseconds it may use for each move."""
    depth: Positive = None
    """Its search depth in plies."""
    fen: str | None = None
    """Where to begin; the start of the game if not given."""

    def request(self) -> GameRequest:
        player, brain = self.player, self.brain
        if player == "alphabeta" and brain is not None and predicts_moves(brain):
            player, brain = f"top-prob:{brain}", None
        if self.elo is not None and not takes_elo(player):
            raise UsageError(f"{player} has no rating to set", hint="give a weaker player instead, or fewer --nodes")
        return GameRequest(
            player=player,
            brain=brain,
            elo=self.elo,
            limits=Limits(depth=self.depth, nodes=self.nodes, movetime_ms=self.movetime),
            side=self.side,
            start=None if self.fen is None else position_from(self.fen),
        )


BOARD = BoardOptions()
OPPONENT = OpponentOptions()


def play(
    *,
    terminal: bool = False,
    board: BoardOptions = BOARD,
    opponent: OpponentOptions = OPPONENT,
    pgn: Annotated[Path | None, out_flag("--pgn")] = None,
    watching: Annotated[bool, Parameter(name="--watch")] = False,
    seed: int | None = None,
    json: Json = False,
) -> None:
    """Play on a board in the browser or in this terminal. In a script, Okapi plays against itself.

    For example:
      okapi play
      okapi play --side black --elo 1200
      okapi play --engine stockfish=uci:stockfish --port 8000 --no-browser
      okapi play --share 0.0.0.0
      okapi play --terminal --brain material --nodes 5000 --out game.pgn
      okapi play --watch

    Args:
        terminal: A board of text in this terminal; reads moves from standard input even if that is no terminal.
        pgn: In the terminal: write the game to this file when you leave.
        watching: Let it play against itself, in the terminal.
        seed: In the terminal: random seed.
    """
    wanted = opponent.request()
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    if (interactive or board.given) and not (terminal or watching or pgn is not None):
        _in_the_browser(wanted, board, json=json)
    elif terminal or (interactive and not watching):
        if json:
            raise UsageError("a board of text is for people, not for programs", hint="okapi uci, or okapi play --watch")
        _in_the_terminal(wanted, pgn, seed)
    else:
        note = "" if watching else "stdin is no terminal: Okapi plays against itself"
        _against_itself(wanted, pgn, seed, note, json=json)


def _in_the_browser(wanted: GameRequest, board: BoardOptions, *, json: bool) -> None:
    from okapi.web.game import requested_game
    from okapi.web.server import serve
    from okapi.web.state import AppState

    requested, named = requested_game(wanted.player, wanted.brain, wanted.elo, wanted.limits, wanted.side, wanted.start)
    state = AppState(
        brain=requested.brain,
        engines={**named, **dict(map(_named, board.engine))},
        requested=None if wanted == GameRequest() else requested,
    )

    def announce(url: str) -> None:
        if json:
            emit({"url": url})
        else:
            out().print(f"The board is at {url}", markup=False)
        talk().print("Ctrl-C ends it.", style="dim")

    with suppress(KeyboardInterrupt):
        serve(state, port=board.port or 0, share=board.share, browser=not board.no_browser, announce=announce)


def _in_the_terminal(wanted: GameRequest, pgn: Path | None, seed: int | None) -> None:
    from okapi.players import AlphaBeta
    from okapi.terminal import TerminalSession

    with suppress(ImportError):
        import readline  # noqa: F401  (editing and history while typing, where the system has it)
    session = TerminalSession(
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


def _against_itself(wanted: GameRequest, pgn: Path | None, seed: int | None, note: str, *, json: bool) -> None:
    from okapi.formats.pgn import write_pgn
    from okapi.terminal import watch

    player = wanted.opponent(seed)
    if note:
        talk().print(note, style="dim")
    game = watch(
        player,
        Limits(nodes=WATCHED_NODES) if wanted.limits.endless else wanted.limits,
        console=talk() if json else out(),
        name=wanted.name,
        start=wanted.start,
        seed=1 if seed is None else seed,
    )
    if json:
        emit({"player": wanted.name, "moves": [str(move) for move in game.moves], "result": game.result})
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


def uci(
    player: Annotated[
        str,
        Parameter(help="Who plays: alphabeta:BRAIN, top-prob:BRAIN, negamax:BRAIN,depth=4, greedy:BRAIN, random, …"),
    ] = "alphabeta",
    *,
    brain: BrainOption = None,
    json: Annotated[
        bool, Parameter(negative="", help="Print an error as a JSON object; an engine speaks UCI.")
    ] = False,
) -> int:
    """Run a player as a UCI engine on standard input and output.

    The search is the native program okapi-uci, which GUIs can start themselves and which needs no Python; only
    convolutional brains are searched with from here.

    For example:
      okapi uci
      okapi uci --brain material
      okapi uci greedy:vazquez-five
      okapi uci --player top-prob:BRAIN
    """
    kind, _, rest = player.partition(":")
    if player == "alphabeta" and brain is not None and predicts_moves(brain):
        player = kind = "top-prob"
    if kind == "alphabeta":
        options = {"brain": brain, **alphabeta_options(rest)}
        if not {"depth", "nodes"} & set(options) and is_native(options["brain"]):
            return _native(_native_options(options))
    Uci(parse_player(player, brain=brain), player).run(sys.stdin)
    return 0


def _native_options(options: Mapping[str, Any]) -> dict[str, str]:
    """The options of the native program that say the same."""
    said: dict[str, str] = {}
    for name, value in options.items():
        if value is None:
            continue
        match name:
            case "brain":
                said["EvalFile"] = str(find(value).resolve())
            case "elo":
                said |= {"UCI_LimitStrength": "true", "UCI_Elo": str(value)}
            case "threads":
                said["Threads"] = str(value)
            case "table_mb":
                said["Hash"] = str(value)
            case "without":
                said["Without"] = ",".join(known_heuristics(value))
            case "budget":
                said["Budget"] = known_budget(value, with_moves="moves" in options)
            case "moves":
                said["MoveBrain"] = str(find(value).resolve())
            case "syzygy":
                said["SyzygyPath"] = value
    return said


def _native(options: Mapping[str, str]) -> int:
    """Replace this process by okapi-uci or, where options have to be set first, forward all input to it."""
    program = okapi_uci()
    # The program finds the brains that ship by name, wherever it is installed.
    folders = [folder for folder in (os.environ.get("OKAPI_BRAINS"), str(SHIPPED)) if folder]
    environment = {**os.environ, "OKAPI_BRAINS": os.pathsep.join(folders)}
    if not options and sys.platform != "win32":
        os.execve(program, [str(program)], environment)
    engine = subprocess.Popen([program], stdin=subprocess.PIPE, text=True, env=environment)
    assert engine.stdin is not None
    try:
        for name, value in options.items():
            engine.stdin.write(f"setoption name {name} value {value}\n")
        for line in sys.stdin:
            engine.stdin.write(line)
            engine.stdin.flush()
            if line.split()[:1] == ["quit"]:
                break
        engine.stdin.close()
    except BrokenPipeError:
        pass  # it has quit
    return engine.wait()
