"""A game store as PGN: the same games that were imported."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from okapi.core._core import RawExporter
from okapi.data.game_filter import EVERY_GAME, GameFilter
from okapi.errors import NotFound, UsageError
from okapi.formats.streams import create_stream

__all__ = ["export_games"]

PIECE: Final = 1 << 20
"""Bytes of PGN that are written at once."""


def export_games(
    store: Path | str,
    to: Path | str,
    wanted: GameFilter = EVERY_GAME,
    *,
    numbers: Iterable[int] | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> int:
    """Write games as PGN and say how many; `-` is the standard output, and the end of a name says how to compress.

    `numbers` are those of the games in the store, from 0. `watch` is told how many were looked at, and of how many.
    """
    store = Path(store)
    if not store.is_file():
        raise NotFound(f"no store at `{store}`", hint="okapi games import makes one")
    chosen = None if numbers is None else list(numbers)
    raw = RawExporter(str(store), wanted.raw(), chosen)
    known = raw.store_size
    for number in chosen or ():
        if not 0 <= number < known:
            raise UsageError(f"there is no game {number} in {store.name}", hint=f"it has {known}, the first is 0")
    with create_stream(to) as out:
        while piece := raw.next(PIECE):
            out.write(piece)
            if watch is not None:
                watch(raw.done, raw.size)
    return raw.written
