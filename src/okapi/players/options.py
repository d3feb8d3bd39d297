"""The options that are written behind a player's name: elo=1500,masked=no."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from okapi.core import constants
from okapi.errors import UsageError, did_you_mean
from okapi.settings import parse_bool

__all__ = ["ALPHABETA", "NEGAMAX", "TOPPROB_NEGAMAX", "TOP_MOVE", "TOP_PROB", "Options", "read_options"]

Options: TypeAlias = Mapping[str, tuple[str, Callable[[str], Any]]]
"""By the name that people write: the argument that it sets, and how its text is read."""


def read_options(player: str, rest: str, known: Options) -> dict[str, Any]:
    """The arguments that a brain and options stand for: UsageError says what is wrong with one.

    >>> read_options("top-prob", "mover,elo=2500,masked=no", TOP_PROB)
    {'brain': 'mover', 'elo': 2500, 'masked': False}
    """
    brain, _, listed = rest.partition(",")
    options: dict[str, Any] = {"brain": brain} if brain else {}
    for item in filter(None, listed.split(",")):
        name, equals, text = item.partition("=")
        if name not in known or not equals:
            hint = did_you_mean(name, known) if name not in known else f"write {name}=VALUE"
            raise UsageError(f"{player} has no option `{item}`", hint=hint)
        argument, convert = known[name]
        try:
            value = convert(text)
            if argument == "constants":
                options.setdefault(argument, {})[name] = value
            else:
                options[argument] = value
        except ValueError:
            wanted = "yes or no" if convert is parse_bool else "a number"
            raise UsageError(f"`{text}` is no value for the option `{name}`", hint=f"{name} is {wanted}") from None
    return options


THREADS: Final[Options] = {"threads": ("threads", int)}
ALPHABETA: Final[Options] = {
    **THREADS,
    "elo": ("elo", int),
    "hash": ("table_mb", int),
    "without": ("without", lambda text: text.split("+")),
    "with": ("extras", lambda text: text.split("+")),
    "bounds": ("bounds", str),
    "time": ("time", str),
    "syzygy": ("syzygy", str),
    "seed": ("seed", int),
    "depth": ("depth", int),
    "nodes": ("nodes", int),
    "shape": ("shape", str),
    "moves": ("moves", str),
    **{constant.name: ("constants", int) for constant in constants()},
}
NEGAMAX: Final[Options] = {**THREADS, "depth": ("depth", int), "quiescence": ("quiescence", parse_bool)}
TOP_MOVE: Final[Options] = {**THREADS, "elo": ("elo", int), "masked": ("masked", parse_bool)}
TOP_PROB: Final[Options] = {**TOP_MOVE, "temperature": ("temperature", float), "seed": ("seed", int)}
TOPPROB_NEGAMAX: Final[Options] = {
    **THREADS,
    "value": ("value", str),
    "k": ("k", int),
    "depth": ("depth", int),
    "elo": ("elo", int),
}
