"""`okapi uci`: any player as an engine."""

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Annotated, Any

from cyclopts import Parameter

from okapi.brains import SHIPPED, find, is_native, predicts_moves
from okapi.cli.console import BrainOption
from okapi.core.shape import known_shape
from okapi.core.thinker import known_heuristics
from okapi.players.spec import alphabeta_options, parse_player
from okapi.uci import Uci, okapi_uci

__all__ = ["uci"]


def uci(
    player: Annotated[
        str,
        Parameter(help="Who plays: alphabeta:BRAIN, top-prob:BRAIN, negamax:BRAIN,depth=4, greedy:BRAIN, random, …"),
    ] = "alphabeta",
    *,
    brain: BrainOption = None,
) -> int:
    """Speak UCI on standard input and output, so that chess programs can use a player as an engine.

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
            case "shape":
                said["Shape"] = known_shape(value, with_moves="moves" in options)
            case "moves":
                said["MoveBrain"] = str(find(value).resolve())
            case "syzygy":
                said["SyzygyPath"] = value
    return said


def _native(options: Mapping[str, str]) -> int:
    """Become okapi-uci or, where options have to be set first, stand before it and pass everything on."""
    program = okapi_uci()
    # Wherever the program is installed, it is to know the names of the brains that ship.
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
