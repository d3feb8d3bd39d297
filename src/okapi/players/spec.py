"""Players by name: what people type where a player is wanted.

alphabeta                     the search, with the default brain
alphabeta:material            with another brain, by name or path
alphabeta:material,elo=1500   with options: elo, threads, hash, without=a+b, syzygy, seed
greedy:vazquez-five           one move ahead
random:7                      dice, with a seed
uci:stockfish                 another program
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from okapi.brains import load
from okapi.core import Evaluator
from okapi.errors import UsageError, did_you_mean
from okapi.players.alphabeta import AlphaBeta
from okapi.players.engine import Engine
from okapi.players.greedy import Greedy
from okapi.players.player import Player
from okapi.players.random import Random

__all__ = ["PLAYERS", "alphabeta_options", "parse_player"]


def parse_player(spec: str, **defaults: Any) -> Player:
    """The player that a specification stands for. `defaults` are options of alphabeta that the text may override.

    >>> parse_player("random:7").choose.__self__
    Random(seed=7)
    >>> parse_player("alphabeat:material")
    Traceback (most recent call last):
    okapi.errors.UsageError: there is no player `alphabeat`
    """
    kind, _, rest = spec.partition(":")
    if kind not in PLAYERS:
        raise UsageError(f"there is no player `{kind}`", hint=did_you_mean(kind, PLAYERS))
    return PLAYERS[kind](rest, defaults)


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
    return Greedy(Evaluator.from_brain(load(rest or defaults.get("brain"))))


def _random(rest: str, defaults: Mapping[str, Any]) -> Player:
    if rest and not rest.lstrip("-").isdigit():
        raise UsageError(f"`{rest}` is no seed for random", hint="write random:7")
    return Random(int(rest) if rest else defaults.get("seed"))


def _engine(rest: str, defaults: Mapping[str, Any]) -> Player:
    if not rest:
        raise UsageError("`uci:` needs the command of an engine", hint="write uci:stockfish")
    return Engine(rest, multipv=defaults.get("multipv", 1))


OPTIONS: Final[dict[str, tuple[str, Callable[[str], Any]]]] = {
    "elo": ("elo", int),
    "threads": ("threads", int),
    "hash": ("table_mb", int),
    "without": ("without", lambda text: text.split("+")),
    "syzygy": ("syzygy", str),
    "seed": ("seed", int),
}

PLAYERS: Final[dict[str, Callable[[str, Mapping[str, Any]], Player]]] = {
    "alphabeta": _alphabeta,
    "greedy": _greedy,
    "random": _random,
    "uci": _engine,
}
