"""The server's half of a panel: a class whose methods answer messages."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Protocol, TypeAlias, TypeVar

from okapi.web.house import House

__all__ = ["Answer", "Desk", "Panel", "answers"]

Answer: TypeAlias = Mapping[str, Any] | None
"""Whatever JSON can say, or nothing but “done”."""

P = TypeVar("P", bound="Panel")
M = TypeVar("M")
RECORD: Final = "_record"


class Desk(Protocol):
    """What a panel may use: the house that all share, and a way to speak to its own page."""

    house: House

    def tell(self, kind: str, **data: Any) -> None:
        """News for the page; if it is slow, only the newest of each kind reaches it."""
        ...


class Panel:
    """One for each page and panel. Methods run on the event loop and return at once; thinking goes to the pool."""

    name: ClassVar[str]
    """As in the messages: the page sends `name.method`."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.house = desk.house

    def close(self) -> None:
        """The page has gone: stop everything that was begun for it."""


def answers(record: type[M]) -> Callable[[Callable[[P, M], Answer]], Callable[[P, M], Answer]]:
    """Mark a method as the answer to messages of its name, which are read as `record`."""

    def mark(method: Callable[[P, M], Answer]) -> Callable[[P, M], Answer]:
        setattr(method, RECORD, record)
        return method

    return mark
