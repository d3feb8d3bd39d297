"""Files that stay open between questions, for all boards."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

from okapi.errors import NotFound

__all__ = ["Kept"]

T = TypeVar("T")


class Kept(Generic[T]):
    """What was read from the few files that were asked for last. One thread at a time may use each of them.

    A file that has changed is read again: a run may write its brain anew under its name.

    >>> notes = Kept(lambda path: path.read_text().split(), most=2)
    """

    def __init__(self, read: Callable[[Path], T], most: int) -> None:
        self._read, self._most = read, most
        self._lock = threading.Lock()
        self._open: OrderedDict[tuple[Path, int], tuple[T, threading.Lock]] = OrderedDict()

    @contextmanager
    def use(self, path: Path) -> Iterator[T]:
        """What is in a file, for as long as one needs it."""
        try:
            key = (path, path.stat().st_mtime_ns)
        except OSError:
            raise NotFound(f"`{path.name}` is no longer there", hint="choose another") from None
        with self._lock:
            if key not in self._open:
                self._open[key] = (self._read(path), threading.Lock())
            self._open.move_to_end(key)
            while len(self._open) > self._most:
                self._open.popitem(last=False)
            found, turn = self._open[key]
        with turn:
            yield found
