"""What a page may say: JSON, read as the parameters and records that panels declare. Nothing else gets past here."""

import json
from collections.abc import Callable, Mapping, Sized
from dataclasses import dataclass, is_dataclass
from functools import cache
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Final, Literal, TypeVar, Union, cast, get_args, get_origin

from okapi.errors import InvalidMessage, did_you_mean

NAMES: Final[dict[type, str]] = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
LONGEST: Final = 128 * 1024  # bytes of one message; the longest game that can be played fits in
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Text:
    most: int
    unit: ClassVar = "characters"

    def check(self, value: Sized, where: str) -> None:
        if len(value) > self.most:
            raise InvalidMessage(f"{where} has {len(value)} {self.unit}: {self.most} are allowed")


@dataclass(frozen=True, slots=True)
class Many(Text):
    unit: ClassVar = "items"


@dataclass(frozen=True, slots=True)
class Between:
    least: float
    most: float

    def check(self, value: float, where: str) -> None:
        if not self.least <= value <= self.most:
            raise InvalidMessage(f"{where} is {value}: expected {self.least} to {self.most}")


Fen = Annotated[str, Text(120)]
MoveText = Annotated[str, Text(12)]
BrainName = Annotated[str, Text(300)]
RunName = Annotated[str, Text(255)]
PgnText = Annotated[str, Text(LONGEST)]
TournamentNumber = Annotated[int, Between(1, 2**31)]
GameNumber = Annotated[int, Between(0, 2**31)]
Number = Annotated[int, Between(0, 2**53)]  # comes back with what is found: the page knows which question it answers


@dataclass(frozen=True, slots=True)
class Request:
    """The envelope: panel, action, and the number of the answer."""

    id: int
    panel: str
    action: str
    data: dict[str, object]


@dataclass(frozen=True, slots=True)
class _Head:
    id: Number
    do: Annotated[str, Text(60)]


def parse(text: str) -> Request:
    """The envelope of a message.

    >>> parse('{"id": 1, "do": "play.move", "move": "e4"}')
    Request(id=1, panel='play', action='move', data={'move': 'e4'})
    """
    data = json_object(text)
    head = read(_Head, {name: data.pop(name) for name in ("id", "do") if name in data})
    panel, _, action = head.do.partition(".")
    return Request(head.id, panel, action, data)


def json_object(text: str) -> dict[str, object]:
    """An object of JSON that can be written again; InvalidMessage for anything else."""
    try:
        data = json.loads(text, parse_constant=int)  # which raises ValueError for NaN
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode()  # lone surrogates can be written so, and cannot be sent
    except (ValueError, RecursionError):
        raise InvalidMessage("the message is not JSON") from None
    if not isinstance(data, dict):
        raise InvalidMessage("the message is not a JSON object")
    return data


def read(kind: type[T], data: object, where: str = "the message") -> T:
    """Data as a declared record, its types and bounds checked; InvalidMessage says what is wrong and where.

    >>> @dataclass(frozen=True)
    ... class Dice:
    ...     sides: Annotated[int, Between(2, 100)]
    >>> read(Dice, {"sides": 6})
    Dice(sides=6)
    >>> read(Dice, {"sides": 1000})
    Traceback (most recent call last):
    okapi.errors.InvalidMessage: sides is 1000: expected 2 to 100
    """
    return cast(T, _read(kind, data, where))


def arguments(function: Callable[..., object], data: object, where: str = "the message") -> dict[str, object]:
    """Data as the parameters of a function or of a record, their types and bounds checked: InvalidMessage."""
    if not isinstance(data, dict):
        raise InvalidMessage(f"{where} is not an object")
    declared = parameters(function)
    for name in data:
        if name not in declared:
            raise InvalidMessage(f"{where} has no field {_shown(name)}", hint=did_you_mean(name, declared))
    found = {}
    for name, parameter in declared.items():
        if name in data:
            found[name] = _read(parameter.annotation, data[name], name)
        elif parameter.default is Parameter.empty:
            raise InvalidMessage(f"{where} lacks `{name}`")
    return found


@cache
def parameters(function: Callable[..., object]) -> Mapping[str, Parameter]:
    """The parameters that may be in a message: all that have a type."""
    found = signature(function).parameters.values()
    return {parameter.name: parameter for parameter in found if parameter.annotation is not Parameter.empty}


def _read(kind: Any, data: object, where: str) -> object:
    origin = get_origin(kind)
    if origin is Annotated:
        inner, rule = get_args(kind)
        value = _read(inner, data, where)
        rule.check(value, where)
        return value
    if origin in (Union, UnionType):
        (inner,) = (choice for choice in get_args(kind) if choice is not NoneType)
        return None if data is None else _read(inner, data, where)
    if origin is Literal:
        if not isinstance(data, str) or data not in get_args(kind):
            raise InvalidMessage(f"{where} is {_shown(data)}", hint=f"expected {', '.join(get_args(kind))}")
        return data
    if origin is tuple:
        if not isinstance(data, list):
            raise InvalidMessage(f"{where} is not a list")
        return tuple(_read(get_args(kind)[0], item, f"{where}[{number}]") for number, item in enumerate(data))
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**arguments(kind, data, where))
    if type(data) not in ((int, float) if kind is float else (kind,)):  # a Boolean is not a number
        raise InvalidMessage(f"{where} is {_shown(data)}: expected {NAMES[kind]}")
    return data


def _shown(data: object) -> str:
    """Data as an error may show it: short, whatever a page sends."""
    try:
        text = json.dumps(data, ensure_ascii=False)
    except RecursionError:  # it could be read, from a little higher up the stack
        return "too deep"
    return text if len(text) <= 40 else f"{text[:40]}…"
