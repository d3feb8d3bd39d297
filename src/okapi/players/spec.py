"""Players by name: what people type where a player is wanted.

material                      a brain, by name or path: the search judges with it
alphabeta                     the search, with the default brain
alphabeta:material,elo=1500   with options: elo, threads, hash, without=a+b, syzygy, seed, depth, nodes
greedy:vazquez-five           one move ahead
random:7                      dice, with a seed
uci:stockfish                 another program, on the PATH, among Debian's games or by its path
uci:stockfish{Hash=64,Skill Level=3}
xboard:phalanx                one that speaks XBoard
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from okapi.brains import evaluator, find, shipped
from okapi.errors import NotFound, UsageError, did_you_mean
from okapi.players.alphabeta import AlphaBeta
from okapi.players.engine import DIALECTS, Engine
from okapi.players.greedy import Greedy
from okapi.players.player import Player
from okapi.players.random import Random

__all__ = ["PLAYERS", "alphabeta_options", "engine_options", "kind_of", "parse_player"]


def parse_player(spec: str, **defaults: Any) -> Player:
    """The player that a specification stands for. `defaults` are options of alphabeta that the text may override.

    >>> parse_player("random:7").choose.__self__
    Random(seed=7)
    >>> parse_player("alphabeat:material")
    Traceback (most recent call last):
    okapi.errors.UsageError: there is no player `alphabeat`
    """
    kind, rest = kind_of(spec)
    return PLAYERS[kind](rest, defaults)


def kind_of(spec: str) -> tuple[str, str]:
    """The kind of player that a specification stands for, and what is said about it.

    >>> kind_of("uci:stockfish"), kind_of("material,elo=1500")
    (('uci', 'stockfish'), ('alphabeta', 'material,elo=1500'))
    """
    kind, _, rest = spec.partition(":")
    if kind in PLAYERS:
        return kind, rest
    try:
        find(spec.partition(",")[0])
    except NotFound:
        hint = did_you_mean(kind, [*PLAYERS, *(brain.name for brain in shipped())])
        raise UsageError(f"there is no player `{kind}`", hint=hint) from None
    return "alphabeta", spec


def alphabeta_options(rest: str) -> dict[str, Any]:
    """The arguments of AlphaBeta that the text behind `alphabeta:` stands for.

    >>> alphabeta_options("material,elo=1500,without=killers+probcut")
    {'brain': 'material', 'elo': 1500, 'without': ['killers', 'probcut']}
    """
    brain, _, listed = rest.partition(",")
    options: dict[str, Any] = {"brain": brain} if brain else {}
    for item in filter(None, listed.split(",")):
        name, equals, text = item.partition("=")
        if name not in OPTIONS or not equals:
            hint = did_you_mean(name, OPTIONS) if name not in OPTIONS else f"write {name}=VALUE"
            raise UsageError(f"alphabeta has no option `{item}`", hint=hint)
        keyword, convert = OPTIONS[name]
        try:
            options[keyword] = convert(text)
        except ValueError:
            raise UsageError(f"`{text}` is no value for the option `{name}`", hint=f"{name} is a number") from None
    return options


def _alphabeta(rest: str, defaults: Mapping[str, Any]) -> Player:
    return AlphaBeta(**{**defaults, **alphabeta_options(rest)})


def _greedy(rest: str, defaults: Mapping[str, Any]) -> Player:
    return Greedy(evaluator(rest or defaults.get("brain")))


def _random(rest: str, defaults: Mapping[str, Any]) -> Player:
    if rest and not rest.lstrip("-").isdigit():
        raise UsageError(f"`{rest}` is no seed for random", hint="write random:7")
    return Random(int(rest) if rest else defaults.get("seed"))


def engine_options(rest: str) -> tuple[str, dict[str, str]]:
    """The command and the options that the text behind `uci:` or `xboard:` stands for.

    >>> engine_options("stockfish{Hash=64,Skill Level=3}")
    ('stockfish', {'Hash': '64', 'Skill Level': '3'})
    """
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


def _engine(rest: str, defaults: Mapping[str, Any], dialect: str) -> Player:
    command, options = engine_options(rest)
    return Engine(command, options=options, dialect=dialect, multipv=defaults.get("multipv", 1))


OPTIONS: Final[dict[str, tuple[str, Callable[[str], Any]]]] = {
    "elo": ("elo", int),
    "threads": ("threads", int),
    "hash": ("table_mb", int),
    "without": ("without", lambda text: text.split("+")),
    "syzygy": ("syzygy", str),
    "seed": ("seed", int),
    "depth": ("depth", int),
    "nodes": ("nodes", int),
}

PLAYERS: Final[dict[str, Callable[[str, Mapping[str, Any]], Player]]] = {
    "alphabeta": _alphabeta,
    "greedy": _greedy,
    "random": _random,
    **{dialect: partial(_engine, dialect=dialect) for dialect in DIALECTS},
}
