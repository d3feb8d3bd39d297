"""The numbers in the search that games can tune, by name."""

from collections.abc import Mapping
from dataclasses import dataclass

from okapi.core import _core
from okapi.errors import UsageError, did_you_mean

__all__ = ["Constant", "constants", "known_constants"]


@dataclass(frozen=True, slots=True)
class Constant:
    """One of them."""

    name: str
    usual: int
    least: int
    most: int
    step: int
    """A change by so much can be felt in games."""


def constants() -> tuple[Constant, ...]:
    """All of them, as the search has them when nobody changes one.

    >>> next(constant for constant in constants() if constant.name == "null_move_depth").usual
    3
    """
    return tuple(Constant(raw.name, raw.usual, raw.least, raw.most, raw.step) for raw in _core.constants())


def known_constants(changes: Mapping[str, int]) -> dict[str, int]:
    """Changes to constants, checked.

    >>> known_constants({"null_move_base": 99})
    Traceback (most recent call last):
    okapi.errors.UsageError: null_move_base cannot be 99
    """
    known = {raw.name: raw for raw in _core.constants()}
    for name, value in changes.items():
        if name not in known:
            raise UsageError(f"the search has no constant `{name}`", hint=did_you_mean(name, known))
        if not known[name].least <= value <= known[name].most:
            raise UsageError(
                f"{name} cannot be {value}", hint=f"it lies between {known[name].least} and {known[name].most}"
            )
    return dict(changes)
