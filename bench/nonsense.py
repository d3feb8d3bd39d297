"""Messages for the board that are almost right: made from the server's own table of panels, then damaged."""

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from okapi.web.messages import LONGEST, Between, parameters
from okapi.web.panel import declares
from okapi.web.panels import PANELS

__all__ = ["KINDS", "nonsense", "sensible"]

KINDS: Final[dict[str, Any]] = {
    f"{panel.name}.{name}": declares(method) for panel in PANELS for name, method in panel.actions.items()
}
"""Every message that a panel answers, and what has its fields as parameters."""

TEXTS: Final = (
    "",
    "person",
    "alphabeta",
    "random",
    "material",
    "okapi-human",
    "e2e4",
    "O-O",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/8/8/8/k7/7R/K7 w - - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    '[White "A"]\n\n1. e4 (1. d4 (1. c4)) e5 {so} $1 *',
    "uci:sh -c 'touch /tmp/okapi'",
    "../../../../etc/passwd",
    "%2e%2e/app.py",
    "<script>alert(1)</script>",
    "\x00",
    "\ud800",
    "٣",
    "é" * 60,
    "x" * 5000,
)
"""What some field may take, and what none should."""

ODDITIES: Final[tuple[Any, ...]] = (
    None,
    True,
    -1,
    0,
    1,
    2**31,
    2**53,
    -(2**63),
    10**30,
    0.5,
    -0.0,
    1e300,
    [],
    {},
    [[]],
    {"id": 1},
)

SCRAPS: Final = (
    "",
    "{",
    "[]",
    "null",
    "\x00",
    "[" * 5000,
    '{"id":' * 900,
    '{"id":1,"do":1e999}',
    '{"id":NaN,"do":"x"}',
    "9" * 5000,
    *(f'{{"id":1,"do":"play.move","move":{"[" * deep}{"]" * deep}}}' for deep in range(940, 1000, 3)),
)


def sensible(dice: random.Random, action: str) -> dict[str, Any]:
    """A message with every field, of the declared types and within the declared bounds."""
    return {"id": dice.randrange(1000), "do": action, **_fields(dice, KINDS[action])}


def nonsense(seed: int) -> Iterator[str]:
    """Endless messages: each is of some kind, and most are damaged somewhere."""
    dice = random.Random(seed)
    actions = list(KINDS)
    while True:
        message = sensible(dice, dice.choice(actions))
        for _ in range(dice.choice((0, 1, 1, 1, 2, 5))):
            _damage(dice, message)
        text = json.dumps(message)
        yield dice.choice((text, text, text, text, _scratch(dice, text), dice.choice(SCRAPS)))


def _fields(dice: random.Random, kind: Any) -> dict[str, Any]:
    return {name: _value(dice, parameter.annotation) for name, parameter in parameters(kind).items()}


def _value(dice: random.Random, kind: Any) -> Any:
    origin = get_origin(kind)
    if origin is Annotated:
        inner, rule = get_args(kind)
        if isinstance(rule, Between):
            ends = (rule.least, rule.most, dice.uniform(rule.least, rule.most))
            return (int if inner is int else float)(dice.choice(ends))
        value = _value(dice, inner)
        return value[: rule.most]
    if origin in (Union, UnionType):
        (inner,) = (choice for choice in get_args(kind) if choice is not NoneType)
        return dice.choice((None, _value(dice, inner)))
    if origin is Literal:
        return dice.choice(get_args(kind))
    if origin is tuple:
        return [_value(dice, get_args(kind)[0]) for _ in range(dice.choice((0, 1, 3, 40)))]
    if is_dataclass(kind):
        return _fields(dice, kind)
    return {str: dice.choice(TEXTS), int: dice.randrange(100), float: dice.random(), bool: dice.random() < 0.5}[kind]


def _damage(dice: random.Random, message: dict[str, Any]) -> None:
    """Change something, somewhere inside."""
    where: Any = message
    while True:
        key = dice.choice(list(where) if isinstance(where, dict) else range(len(where)))
        if not isinstance(where[key], dict | list) or not where[key] or dice.random() < 0.3:
            break
        where = where[key]
    match dice.randrange(5):
        case 0:
            del where[key]
        case 1:
            where[key] = deepcopy(dice.choice(ODDITIES))  # the next damage may be done inside it
        case 2:
            where[key] = dice.choice(TEXTS)
        case 3:
            where[key] = [where[key]] * dice.choice((0, 1, 2, 2 if isinstance(where[key], dict | list) else 7000))
        case _ if isinstance(where, dict):
            where[dice.choice(TEXTS)] = where[key]
    message.setdefault("id", 1)


def _scratch(dice: random.Random, text: str) -> str:
    """Damage the text itself: cut, repeat, swap, lengthen."""
    place = dice.randrange(len(text) + 1)
    match dice.randrange(4):
        case 0:
            return text[:place]
        case 1:
            return text + text[place:]
        case 2:
            return text[:place] + chr(dice.randrange(1, 0xD800)) + text[place + 1 :]
        case _:
            return text + " " * (2 * LONGEST)
