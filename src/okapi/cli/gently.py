"""Ctrl-C in work that keeps what it has: once, and it ends where it can be taken up again."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["gently"]


@contextmanager
def gently() -> Iterator[Callable[[], bool]]:
    """Was Ctrl-C pressed? The first one lets the work end and keep everything; the second one does not wait."""
    asked: list[int] = []

    def ask(number: int, frame: FrameType | None) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, before)
