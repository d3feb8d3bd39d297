"""`okapi play` and `okapi uci`: a board in the browser or terminal, and any player as an engine."""

import os
import random
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.brains import SHIPPED, find, is_native, predicts_moves
from okapi.cli.console import BrainOption, Json, answer, emit, note, out, talk
from okapi.cli.evaluate import position_from
from okapi.cli.options import search_limits
from okapi.cli.parameters import Positive, about, out_flag
from okapi.core import Color, Limits, Position
from okapi.core.search import known_budget, known_heuristics
from okapi.errors import UsageError
from okapi.formats.pgn import write_pgn
from okapi.players import AlphaBeta, Player
from okapi.players.spec import alphabeta_options, kind_of, parse_player, takes_elo
from okapi.terminal import TerminalSession, watch
from okapi.uci import Uci, okapi_uci

FOR_A_MOVE = Limits(movetime_ms=1_000)
WATCHED = Limits(nodes=10_000)
"""Enough to play sensibly, and a whole game in a second or two."""


ELO_HELP = "Play like a person with this rating, 800 to 3200; brains that predict moves: 2000 to 2900."


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OpponentOptions:
    player: Annotated[str, about("Who plays against you: alphabeta:BRAIN, top-prob:BRAIN, uci:PROGRAM…")] = "alphabeta"
    brain: BrainOption = None
    side: Annotated[Literal["white", "black", "random"], about("Your side.")] = "white"
    elo: Annotated[int | None, about(ELO_HELP)] = None
    nodes: Annotated[Positive, about("Nodes it may search for each move.")] = None
    movetime: Annotated[Positive, about("Milliseconds it may use for each move.")] = None
    depth: Annotated[Positive, about("Its search depth in plies.")] = None
    fen: Annotated[str | None, about("Where to begin; the start of the game if not given.")] = None

    def checked(self) -> "OpponentOptions":
        """UsageError if the player has no rating to set. A brain that predicts moves is a player of its own."""
        player, brain = self.player, self.brain
        if player == "alphabeta" and brain is not None and predicts_moves(brain):
            player, brain = f"top-prob:{brain}", None
        if self.elo is not None and not takes_elo(player):
            raise UsageError(f"{player} has no rating to set", hint="give a weaker player instead, or fewer --nodes")
        return replace(self, player=player, brain=brain)

    @property
    def name(self) -> str:
        kind, _, rest = self.player.partition(":")
        base = {"alphabeta": f"Okapi {rest}".strip(), "uci": rest}.get(kind, self.player)
        return f"{base} ({self.elo})" if self.elo is not None else base

    @property
    def start(self) -> Position | None:
        return None if self.fen is None else position_from(self.fen)

    def limits(self, default: Limits) -> Limits:
        return search_limits(self.nodes, self.depth, self.movetime, default)

    def opponent(self, seed: int | None) -> Player:
        return parse_player(self.player, brain=self.brain, elo=self.elo, seed=seed)


def play(
    *,
    terminal: Annotated[bool, about("A board of text here; reads moves from any standard input.")] = False,
    port: Annotated[int | None, about("Where the browser finds the board.", validator=Number(gte=0, lte=65535))] = None,
    no_browser: Annotated[bool, about("Print the address and open nothing.")] = False,
    share: Annotated[str | None, about("Let others in, at this address (0.0.0.0: all), by a printed token.")] = None,
    engine: Annotated[tuple[str, ...], about("The board offers this player, too: NAME=PLAYER, sf=uci:stockfish.")] = (),
    opponent: OpponentOptions = OpponentOptions(),
    pgn: Annotated[Path | None, out_flag("--pgn", help="In the terminal: write the game to this file.")] = None,
    watching: Annotated[bool, about("Let it play against itself, in the terminal.", name="--watch")] = False,
    seed: Annotated[int | None, about("In the terminal: random seed.")] = None,
    json: Json = False,
) -> None:
    """Play on a board in the browser or in this terminal. In a script, Okapi plays against itself.

    For example:
      okapi play
      okapi play --side black --elo 1200
      okapi play --terminal --brain material --nodes 5000 --out game.pgn
    """
    wanted = opponent.checked()
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    for_the_board = interactive or port is not None or no_browser or share is not None
    if for_the_board and not (terminal or watching or pgn is not None):
        from okapi.web.game import requested_game  # imported here: these take a while to load
        from okapi.web.server import serve
        from okapi.web.state import AppState

        def announce(url: str) -> None:
            answer({"url": url}, f"The board is at {url}", json=json)
            note("Ctrl-C ends it.", "dim")

        given = (wanted.player, wanted.brain, wanted.elo, wanted.limits(Limits()), wanted.side, wanted.start)
        requested, named = requested_game(*given)
        asked, engines = None if wanted == OpponentOptions() else requested, {**named, **dict(map(_named, engine))}
        state = AppState(brain=requested.brain, engines=engines, requested=asked)
        with suppress(KeyboardInterrupt):
            serve(state, port=port or 0, share=share, browser=not no_browser, announce=announce)
    elif terminal or (interactive and not watching):
        if json:
            raise UsageError("a board of text is for people, not for programs", hint="okapi uci, or okapi play --watch")
        _in_the_terminal(wanted, pgn, seed)
    else:
        _against_itself(wanted, pgn, seed, watching=watching, json=json)


def _in_the_terminal(wanted: OpponentOptions, pgn: Path | None, seed: int | None) -> None:
    with suppress(ImportError):
        import readline  # noqa: F401  (editing and history while typing, where the system has it)
    side = random.Random(seed).choice(list(Color)) if wanted.side == "random" else Color[wanted.side.upper()]
    how: dict[str, Any] = {"name": wanted.name, "side": side, "start": wanted.start, "pgn": pgn, "console": out()}
    TerminalSession(wanted.opponent(seed), wanted.limits(FOR_A_MOVE), **how, adviser=AlphaBeta()).run()


def _against_itself(wanted: OpponentOptions, pgn: Path | None, seed: int | None, *, watching: bool, json: bool) -> None:
    player = wanted.opponent(seed)
    if not watching:
        note("stdin is no terminal: Okapi plays against itself", "dim")
    how: dict[str, Any] = {"name": wanted.name, "start": wanted.start, "seed": 1 if seed is None else seed}
    game = watch(player, wanted.limits(WATCHED), console=talk() if json else out(), **how)
    if json:
        emit({"player": wanted.name, "moves": [str(move) for move in game.moves], "result": game.result})
    if pgn is not None:
        pgn.write_text(write_pgn(game), encoding="utf-8")


def _named(engine: str) -> tuple[str, str]:
    """The name and the player that `--engine` gives."""
    name, _, spec = (part.strip() for part in engine.partition("="))
    if not name or not spec:
        raise UsageError(f"`{engine}` names no player", hint="write --engine sf=uci:stockfish")
    kind_of(spec)
    return name, spec


def uci(
    player: str = "alphabeta", *, brain: BrainOption = None, json: Annotated[bool, Parameter(negative="")] = False
) -> int:
    """Run a player as a UCI engine on standard input and output.

    The search is the native program okapi-uci, which GUIs can start themselves and which needs no Python; only
    convolutional brains are searched with from here.

    For example:
      okapi uci greedy:vazquez-five
      okapi uci --player top-prob:BRAIN

    Args:
        player: Who plays: alphabeta:BRAIN, top-prob:BRAIN, negamax:BRAIN,depth=4, greedy:BRAIN, random, …
        json: Print an error as a JSON object; an engine speaks UCI.
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


SPELLED = {"elo": "UCI_Elo", "threads": "Threads", "table_mb": "Hash", "syzygy": "SyzygyPath"}
"""Options of the search under their names in UCI."""


def _native_options(options: Mapping[str, Any]) -> dict[str, str]:
    """The options of the native program that say the same."""
    given = {name: value for name, value in options.items() if value is not None}
    said = {spelled: str(given[name]) for name, spelled in SPELLED.items() if name in given}
    files = {"brain": "EvalFile", "moves": "MoveBrain"}
    said |= {spelled: str(find(given[name]).resolve()) for name, spelled in files.items() if name in given}
    if "elo" in given:
        said["UCI_LimitStrength"] = "true"
    if "without" in given:
        said["Without"] = ",".join(known_heuristics(given["without"]))
    if "budget" in given:
        said["Budget"] = known_budget(given["budget"], with_moves="moves" in given)
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
    with suppress(BrokenPipeError):  # it has quit
        for line in chain((f"setoption name {name} value {value}\n" for name, value in options.items()), sys.stdin):
            engine.stdin.write(line)
            engine.stdin.flush()
            if line.split()[:1] == ["quit"]:
                break
        engine.stdin.close()
    return engine.wait()
