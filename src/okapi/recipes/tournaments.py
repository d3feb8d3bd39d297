"""
From a store of games to transcripts, split by tournament: whoever is tested has never seen the tournament.

A tournament is an event at a place in a year. All games of some players may be kept out of everything, for those who
want to learn from one player's games afterwards.
"""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Position
from okapi.core.packed import pack
from okapi.data.split import Subset, assign, drop_leaks
from okapi.data.store import GameColumns, Store
from okapi.encodings.boards import move_squares
from okapi.encodings.layers import UNKNOWN_ELO
from okapi.recipes.arrays import AS_CODES
from okapi.recipes.played_moves import PROMOTION, PlayedMoves
from okapi.recipes.transcripts import Transcripts

__all__ = ["TournamentSplit", "common_start", "split_by_tournament", "transcribed"]

AT_ONCE: Final = 20_000
"""Games that are read at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSplit:
    """How the games of a store are divided."""

    validation: float = 0.005
    test: float = 0.01
    """Shares of the tournaments."""
    least_elo: int = 2000
    """Both players have at least this."""
    apart: tuple[str, ...] = ()
    """Players whose games are in no part."""
    salt: int = 1


def split_by_tournament(store: Store, split: TournamentSplit) -> NDArray[np.uint8]:
    """The part of each game; NONE for those that are too weak, too odd, kept apart, or the same as one in another part.

    Games with the moves of a test or validation game are not trained on, whatever tournament they are said to be of.
    """
    columns = store.columns()
    subsets = _by_tournament(store, columns, split)
    usable = (columns.result >= 0) & (columns.plies > 0) & common_start(store)
    usable &= np.minimum(columns.white_elo, columns.black_elo) >= split.least_elo
    for tag in ("White", "Black"):
        names = store.texts(tag)
        kept = np.array([name in split.apart for name in names.values] or [False])
        usable &= ~(kept[names.index] & (names.index >= 0))
    subsets[~usable] = Subset.NONE
    drop_leaks(subsets, columns.hash)
    return AS_CODES[subsets]


def transcribed(
    store: Store, games: NDArray[Any], parts: NDArray[Any], watch: Callable[[int, int], object] = lambda done, of: None
) -> Transcripts:
    """Some games as transcripts, each with its part; `watch` is told how many are done."""
    columns = store.columns()
    moves = [np.zeros((0, 2), np.uint8)]
    for done, some in _in_pieces(np.asarray(games, np.int64)):
        watch(done, len(games))
        moves.append(_as_bytes(PlayedMoves.played(store, some)))
    watch(len(games), len(games))
    elos = np.stack([columns.white_elo[games], columns.black_elo[games]], axis=1)
    return Transcripts(
        moves=np.concatenate(moves),
        lengths=columns.plies[games],
        results=columns.result[games].astype(np.uint8),
        elos=np.where(elos < 0, UNKNOWN_ELO, elos).astype(np.uint16),
        parts=np.asarray(parts, np.uint8),
    )


def _as_bytes(played: PlayedMoves) -> NDArray[np.uint8]:
    """Moves as transcripts write them."""
    origin, target = move_squares(played.moves)
    bits = played.moves.astype(np.int64)
    promoted = np.where(bits >> 14 == PROMOTION, 3 - (bits >> 12 & 3), 0)
    return np.stack([origin, target | promoted << 6], axis=1).astype(np.uint8)


def _by_tournament(store: Store, columns: GameColumns, split: TournamentSplit) -> NDArray[np.uint8]:
    events, sites = store.texts("Event"), store.texts("Site")
    keys = np.stack([events.index, sites.index, columns.year], axis=1)
    tournaments, which = np.unique(keys, axis=0, return_inverse=True)
    drawn = np.array([_drawn(events.values, sites.values, key, split.salt) for key in tournaments.tolist()])
    return assign(drawn, split.test, split.test + split.validation)[which.reshape(-1)]


def _drawn(events: list[str], sites: list[str], key: list[int], salt: int) -> float:
    """A number from 0 to 1 that follows from a tournament's name alone: importing again moves it nowhere."""
    event, site, year = key
    name = f"{salt}\n{events[event] if event >= 0 else ''}\n{sites[site] if site >= 0 else ''}\n{year}"
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest()) / 2**64


def common_start(store: Store) -> NDArray[np.bool_]:
    """Does each game begin where all games of chess do?"""
    if not len(store):
        return np.zeros(0, np.bool_)
    starts = store.positions(np.arange(len(store)), np.zeros(len(store), np.int64))
    return np.asarray(starts == pack([Position.start()]))


def _in_pieces(games: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    for begin in range(0, len(games), AT_ONCE):
        yield begin, games[begin : begin + AT_ONCE]
