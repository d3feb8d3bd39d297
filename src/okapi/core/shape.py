"""The shapes that a tree may have, by name: what a move costs of the budget."""

from okapi.core import _core
from okapi.errors import UsageError, did_you_mean

__all__ = ["known_shape"]


def known_shape(text: str, *, with_moves: bool = False) -> str:
    """A shape with its settings, checked; `learned` needs somebody who knows moves.

    >>> known_shape("even+steps=2")
    'even+steps=2'
    >>> known_shape("evne")
    Traceback (most recent call last):
    okapi.errors.UsageError: there is no shape `evne`
    """
    name = text.partition("+")[0]
    if name not in _core.shapes():
        raise UsageError(f"there is no shape `{name}`", hint=did_you_mean(name, _core.shapes()))
    try:
        _core.check_shape(text)
    except ValueError as error:
        raise UsageError(str(error), hint="write shape=learned+ask=2+temperature=1.2") from None
    if name == "learned" and not with_moves:
        raise UsageError("the shape `learned` needs a brain that knows moves", hint="name one with moves=BRAIN")
    return text
