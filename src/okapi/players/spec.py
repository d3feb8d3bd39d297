"""Players by specification, as text.

material                      the search with a brain, by name or path
alphabeta                     the search, with the default brain
alphabeta:material,elo=1500   with options: elo, threads, hash, without=a+b, with=c, bounds, time, syzygy, seed, depth,
                              nodes, budget=even, moves=BRAIN, null_move_base=5 and every other constant of the search
giraffe, vazquez2012, …       a player of papers.toml, with options
greedy:vazquez-five           one move ahead
random:7                      random moves, with a seed
top-prob:BRAIN,elo=2500       the likeliest move, of a brain that predicts moves; also masked=no, temperature, seed
top-move:BRAIN                the likeliest piece, then its likeliest square
topprob-negamax:BRAIN,value=V,k=5,depth=3     a search of the likeliest moves
negamax:V,depth=4,quiescence=no               a search of all moves, to one depth
uci:stockfish                 another program, on the PATH, among Debian's games or by its path
uci:stockfish{Hash=64,Skill Level=3}
xboard:phalanx                one that speaks XBoard
limited:uci:sunfish-uci,nodes=10-1000         any player, with random nodes for each move, on a log scale
python:players.py:NAME        a class, an object with `choose` or a function of a Python file, or python:module:NAME

The name of a brain that predicts moves, alone, means top-prob.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from okapi.brains import evaluator, find, predicts_moves, shipped
from okapi.core import constants
from okapi.errors import NotFound, UsageError, did_you_mean
from okapi.players.alphabeta import AlphaBeta
from okapi.players.engine import PROTOCOLS, Engine
from okapi.players.player import Greedy, LimitedPlayer, NodeSampler, Player, Random
from okapi.players.python import find_python
from okapi.settings import parse_bool

ARGUMENTS: Final = {"hash": "table_mb", "with": "extras", "shape": "budget"}
"""The arguments that options set, where they have other names; `shape` is the former name of `budget`."""

CONSTANTS: Final = tuple(constant.name for constant in constants())
"""Options that together are the argument `constants`."""

SHARED: Final = {"threads": int, "elo": int}

OPTIONS: Final[Mapping[str, Mapping[str, Callable[[str], Any]]]] = {
    "alphabeta": {
        **dict.fromkeys(("threads", "elo", "hash", "seed", "depth", "nodes", *CONSTANTS), int),
        **dict.fromkeys(("bounds", "time", "syzygy", "budget", "shape", "moves"), str),
        **dict.fromkeys(("without", "with"), lambda text: text.split("+")),
    },
    "top-move": SHARED | {"masked": parse_bool},
    "top-prob": SHARED | {"masked": parse_bool, "temperature": float, "seed": int, "repeat": parse_bool},
    "topprob-negamax": SHARED | {"value": str, "k": int, "depth": int},
    "negamax": {"threads": int, "depth": int, "quiescence": parse_bool},
}
"""By kind of player: those that have a brain and options."""


def read_options(kind: str, rest: str) -> dict[str, Any]:
    """The arguments of a player's brain and its options; UsageError for a wrong one."""
    known = OPTIONS[kind]
    brain, _, listed = rest.partition(",")
    options: dict[str, Any] = {"brain": brain} if brain else {}
    for item in filter(None, listed.split(",")):
        name, equals, text = item.partition("=")
        if name not in known or not equals:
            hint = did_you_mean(name, known) if name not in known else f"write {name}=VALUE"
            raise UsageError(f"{kind} has no option `{item}`", hint=hint)
        try:
            value = known[name](text)
        except ValueError:
            wanted = "yes or no" if known[name] is parse_bool else "a number"
            raise UsageError(f"`{text}` is no value for the option `{name}`", hint=f"{name} is {wanted}") from None
        if name in CONSTANTS:
            options.setdefault("constants", {})[name] = value
        else:
            options[ARGUMENTS.get(name, name)] = value
    return options


def parse_player(spec: str, **defaults: Any) -> Player:
    """The player of a specification. `defaults` are options of alphabeta that the text may override."""
    kind, rest = kind_of(spec)
    return PLAYERS[kind](rest, defaults)


def kind_of(spec: str) -> tuple[str, str]:
    """The kind and the rest: uci and stockfish of `uci:stockfish`, alphabeta and the text of `material,elo=1500`."""
    kind, _, rest = spec.partition(":")
    if kind in PLAYERS:
        return kind, rest
    name, comma, options = spec.partition(",")
    if name in OF_PAPERS:
        return kind_of(OF_PAPERS[name]["player"] + comma + options)
    try:
        find(name)
    except NotFound:
        hint = did_you_mean(kind, [*PLAYERS, *OF_PAPERS, *(brain.name for brain in shipped())])
        raise NotFound(f"there is no player `{kind}`", hint=hint) from None
    return ("top-prob" if predicts_moves(name) else "alphabeta"), spec


def is_engine(spec: str) -> bool:
    return kind_of(spec)[0] in PROTOCOLS


def alphabeta_options(rest: str) -> dict[str, Any]:
    """Arguments of AlphaBeta by the text after `alphabeta:`, such as `material,elo=1500,without=killers+probcut`."""
    return read_options("alphabeta", rest)


def _random(rest: str, defaults: Mapping[str, Any]) -> Player:
    if rest and not rest.lstrip("-").isdigit():
        raise UsageError(f"`{rest}` is no seed for random", hint="write random:7")
    return Random(int(rest) if rest else defaults.get("seed"))


def engine_options(rest: str) -> tuple[str, dict[str, str]]:
    """The command and the options in `stockfish{Hash=64,Skill Level=3}`, the text after `uci:` or `xboard:`."""
    command, _, listed = rest.partition("{") if rest.endswith("}") else (rest, "", "")
    if not command.strip():
        raise UsageError("an engine needs a command", hint="write uci:stockfish or xboard:phalanx")
    options = {}
    for item in filter(None, listed.removesuffix("}").split(",")):
        name, equals, value = item.partition("=")
        if not equals:
            raise UsageError(f"`{item}` sets no option", hint="write uci:stockfish{Hash=64,Skill Level=3}")
        options[name.strip()] = value.strip()
    return command.strip(), options


def start_engine(spec: str, **settings: Any) -> Engine:
    """The engine of a specification that begins with `uci:` or `xboard:`; `settings` are those of Engine."""
    protocol, rest = kind_of(spec)
    command, options = engine_options(rest)
    return Engine(command, options=options, protocol=protocol, **settings)


def _engine(rest: str, defaults: Mapping[str, Any], protocol: str) -> Player:
    return start_engine(f"{protocol}:{rest}", multipv=defaults.get("multipv", 1))


class LimitedSpec(NamedTuple):
    player: str
    low: int
    high: int
    seed: int | None


def limited_spec(spec: str) -> LimitedSpec | None:
    """The parts of `limited:uci:sunfish-uci,nodes=10-1000`, and a seed if there is one; None for other players."""
    kind, rest = kind_of(spec)
    if kind != "limited":
        return None
    match = re.fullmatch(r"(.+),nodes=(\d+)-(\d+)(?:,seed=(\d+))?", rest)
    if match is None:
        raise UsageError(f"`{spec}` has no range of nodes", hint="write limited:PLAYER,nodes=10-1000")
    player, low, high, seed = match.groups()
    return LimitedSpec(player, int(low), int(high), None if seed is None else int(seed))


def brains_of(spec: str) -> list[str]:
    """The brains of a player."""
    kind, rest = kind_of(spec)
    if kind == "greedy":
        return [rest] if rest else []
    if kind not in OPTIONS:
        return []
    options = read_options(kind, rest)
    return [options[name] for name in ("brain", "value", "bounds", "time", "moves") if name in options]


def takes_elo(spec: str) -> bool:
    """Does a player have the option elo?"""
    return "elo" in OPTIONS.get(kind_of(spec)[0], ())


def needs_seed(spec: str) -> bool:
    """Does a player choose at random, so that it needs a seed for each game?"""
    kind, rest = kind_of(spec)
    deciding = {"alphabeta": "elo", "top-prob": "temperature"}.get(kind)
    return kind == "random" or (deciding is not None and deciding in read_options(kind, rest))


def _limited(rest: str, defaults: Mapping[str, Any]) -> Player:
    limited = limited_spec(f"limited:{rest}")
    assert limited is not None
    seed = defaults.get("seed") if limited.seed is None else limited.seed
    return LimitedPlayer(parse_player(limited.player, **defaults), NodeSampler(limited.low, limited.high, seed=seed))


def _singh2015(rest: str, defaults: Mapping[str, Any], kind: str) -> Player:
    from okapi.players import singh2015  # here, because numpy is slow to import

    arguments = {"brain", *OPTIONS[kind]}
    fitting = {name: value for name, value in defaults.items() if name in arguments and value is not None}
    return singh2015.make_player(kind, **{**fitting, **read_options(kind, rest)})


PAPERS: Final = Path(__file__).with_name("papers.toml")
OF_PAPERS: Final[Mapping[str, Mapping[str, str]]] = tomllib.loads(PAPERS.read_text(encoding="utf-8"))
"""Players of papers by name, each with `player`, a specification, and `sentence`."""

PLAYERS: Final[dict[str, Callable[[str, Mapping[str, Any]], Player]]] = {
    "alphabeta": lambda rest, defaults: AlphaBeta(**{**defaults, **alphabeta_options(rest)}),
    "greedy": lambda rest, defaults: Greedy(evaluator(rest or defaults.get("brain"))),
    "random": _random,
    **{kind: partial(_singh2015, kind=kind) for kind in OPTIONS if kind != "alphabeta"},
    "limited": _limited,
    "python": lambda rest, defaults: find_python(rest),
    **{protocol: partial(_engine, protocol=protocol) for protocol in PROTOCOLS},
}
