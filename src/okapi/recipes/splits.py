"""Which positions are for training, validation and test, and how much of a test was seen in training.

The papers split positions at random. Positions of one game are much alike, so a test position then has the one before
it, or the one behind it, in training. Split by game, none of a test game's positions is trained on.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from okapi.core import Position
from okapi.core.keys import KeySet, successors_in
from okapi.core.packed import pack
from okapi.data.shuffle import hashed
from okapi.data.split import Subset, assign, drop_leaks
from okapi.data.store import GameColumns, Store
from okapi.errors import UsageError
from okapi.recipes.arrays import AS_CODES, NONE, PARTS, TEST, TRAIN, VALIDATION
from okapi.recipes.labels import GameLibrary, LabelledPositions

SplitBy = Literal["positions", "games"]
"""What is kept together."""

Parts = NDArray[np.uint8]
"""TRAIN, VALIDATION, TEST or NONE for each row, as okapi.recipes.arrays has them."""

SplitShares = tuple[float, float, float]

SHARES: Final[SplitShares] = (0.8, 0.1, 0.1)
"""Of all rows: for training, validation, test. Whoever holds out a quarter gives others."""

LOOKED_UP: Final[SplitShares] = (0.95, 0.02, 0.03)
"""Where games had to be looked up: most rows stand in no game that is known, and all around a test game is left out."""

GAMES_AT_A_TIME: Final = 1000
"""Of a library, until there are enough test positions."""

LEAST_CHUNKS: Final = 50
"""Of a small library, so that the games can be shared out."""

ENOUGH: Final = 0.98
"""Of what is wanted: the last rare kinds of positions would take many games."""

MOST_PIECES: Final = 64

ROWS_AT_A_TIME: Final = 1 << 16
"""Positions from which all moves are played, between two looks at Ctrl-C."""


def usual_split(labels: LabelledPositions) -> SplitBy:
    """By games, where they are known."""
    return "positions" if labels.games is None else "games"


def usual_shares(labels: LabelledPositions) -> SplitShares:
    return SHARES if labels.library is None else LOOKED_UP


def split_labels(labels: LabelledPositions, how: SplitBy, seed: int = 1, shares: SplitShares = SHARES) -> Parts:
    """The part of each row, always the same for a seed.

    By games, no position of a test or validation game is trained on, wherever else it stands; where games were looked
    up, nothing that is one move away from such a game, either. Positions whose game nobody knows are for training.
    UsageError where no games are known.
    """
    wanted = [round(share * len(labels)) for share in shares]
    if how == "positions":
        return _by_position(labels, seed, wanted[VALIDATION], wanted[TEST], wanted[TRAIN])
    if labels.games is None:
        hint = "--games FILE: games in which its positions are looked up"
        raise UsageError(f"{labels.name} names no games, so it can only be split by position", hint=hint)
    order = np.unique(labels.games[labels.games >= 0])
    order = order[np.argsort(hashed(order, seed), kind="stable")]
    if labels.library is None:
        return _by_game(labels, order, wanted[VALIDATION], wanted[TEST])
    library = labels.library

    def make() -> Parts:
        return _by_library(labels, library, order, wanted[VALIDATION], wanted[TEST])

    return library.once("split", labels.keys(), make, seed=seed, sizes=wanted, random=int(labels.random.sum()))


def both_splits(labels: LabelledPositions, seed: int = 1, shares: SplitShares = SHARES) -> dict[SplitBy, Parts]:
    """By games and by positions, with as many rows of each kind for each purpose: only the kind of split differs.

    Where no games are known there is only one way.
    """
    if usual_split(labels) == "positions":
        return {"positions": split_labels(labels, "positions", seed, shares)}
    by_games = split_labels(labels, "games", seed, shares)
    by_positions, kinds = by_games.copy(), _kinds(labels)
    for kind in np.unique(kinds):
        rows = np.flatnonzero(kinds == kind)
        counts = {part: int((by_games[rows] == part).sum()) for part in PARTS.values()}
        by_positions[rows] = _by_position(labels.take(rows), seed, counts[VALIDATION], counts[TEST], counts[TRAIN])
    return {"games": by_games, "positions": by_positions}


def thinned(labels: LabelledPositions, every: int) -> LabelledPositions:
    """One of so many positions of each game, as they follow each other: what is left lies further apart."""
    if labels.games is None or (labels.plies < 0).all():
        raise UsageError(f"{labels.name} does not say where in a game its positions stand", hint="use `okapi label`")
    first = hashed(labels.games, every) % np.uint64(every)
    return labels.take((labels.games >= 0) & (labels.plies % every == first.astype(np.int64)))


# --- How much of a test was seen in training --------------------------------------------------------------------------


def neighbours(labels: LabelledPositions, split: Parts) -> dict[str, float]:
    """How many test positions there are, and how many and what share of them have a neighbour in training.

    A neighbour is one legal move away, before a position or behind it, in whatever game.
    """
    keys = labels.keys()
    test, train = np.flatnonzero(split == TEST), np.flatnonzero(split == TRAIN)
    tested, trained = KeySet(len(test)), KeySet(len(train))
    tested.add(keys[test])
    trained.add(keys[train])
    before = np.zeros(len(test), np.bool_)
    for begin, found in _successors(labels.positions[test], trained):
        before[begin + found["row"].astype(np.int64)] = True
    reached = KeySet(len(test))
    for _, found in _successors(labels.positions[train], tested):
        reached.add(found["key"])
    near = int((before | reached.contains(keys[test])).sum())
    return {"test": len(test), "near": near, "share": round(near / max(len(test), 1), 4)}


def _successors(positions: NDArray[np.void], wanted: KeySet) -> Iterator[tuple[int, NDArray[np.void]]]:
    for begin in range(0, len(positions), ROWS_AT_A_TIME):
        yield begin, successors_in(positions[begin : begin + ROWS_AT_A_TIME], wanted)


# --- The ways to split ------------------------------------------------------------------------------------------------


def _by_position(labels: LabelledPositions, seed: int, validation: int, test: int, train: int) -> Parts:
    """In the order of the keys' hashes, so that a position that stands in several rows is in one part."""
    draws = hashed(labels.keys(), seed)
    ends = np.minimum(np.cumsum([test, validation, train]), len(labels))
    edges = np.append(np.sort(draws), np.uint64(0xFFFFFFFFFFFFFFFF))[ends]
    return AS_CODES[assign(draws, edges[0], edges[1], train=draws < edges[2])]


def _by_game(labels: LabelledPositions, order: NDArray[np.int64], validation: int, test: int) -> Parts:
    """Whole games, one at least; a position of several parts stays in the last of them only."""
    assert labels.games is not None
    sizes = np.bincount(labels.games[labels.games >= 0], minlength=int(order.max()) + 1)[order].cumsum()
    first = max(int(np.searchsorted(sizes, test)), test > 0)
    second = max(int(np.searchsorted(sizes, test + validation)), first + (validation > 0))
    place = np.full(int(order.max()) + 2, len(order))  # the last one is for rows whose game is unknown, -1
    place[order] = np.arange(len(order))
    subsets = assign(place[labels.games], first, second)
    drop_leaks(subsets, labels.keys())
    return AS_CODES[subsets]


def _by_library(
    labels: LabelledPositions, library: GameLibrary, order: NDArray[np.int64], validation: int, test: int
) -> Parts:
    """Games of the library, one after the other, with what stands in them or one move away, until that is enough.

    Opening positions are in many games, so too many of them are held out. A part takes as many positions of each kind
    as it would at random; the others are in no part.
    """
    keys, kinds = labels.keys(), _kinds(labels)
    all_keys = KeySet(len(keys))
    all_keys.add(keys)
    shuffled = np.argsort(hashed(keys, 0), kind="stable")
    split = np.full(len(labels), TRAIN, np.uint8)
    together = np.array_split(order, max(-(-len(order) // GAMES_AT_A_TIME), min(len(order), LEAST_CHUNKS)))
    left = iter(together)
    for_test = islice(left, -(-len(together) * test // max(1, test + validation)))  # where there are too few for both
    for part, wanted, chunks in ((TEST, test, for_test), (VALIDATION, validation, left)):
        quota = np.rint(np.bincount(kinds) * (wanted / len(labels))).astype(np.int64)
        found, held = KeySet(), np.zeros(0, np.int64)
        chosen = held
        while len(chosen) < ENOUGH * quota.sum() and (games := next(chunks, None)) is not None:
            found.add(library.around(np.sort(games), all_keys))
            held = shuffled[found.contains(keys[shuffled]) & (split[shuffled] == TRAIN)]
            chosen = held[_first_of_each(kinds[held], quota)]
            library.tell(f"holding games out: {len(chosen):,} of {wanted:,} positions")
        split[held] = NONE
        split[chosen] = part
    return split


def _first_of_each(kinds: NDArray[np.int64], quota: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of the first rows of each kind, as many as its quota.

    >>> _first_of_each(np.array([1, 0, 1, 1, 0]), np.array([5, 2])).tolist()
    [1, 4, 0, 2]
    """
    order = np.argsort(kinds, kind="stable")
    counts = np.bincount(kinds, minlength=len(quota))
    rank = np.arange(len(kinds)) - np.repeat(counts.cumsum() - counts, counts)
    return np.asarray(order[rank < quota[kinds[order]]])


def _kinds(labels: LabelledPositions) -> NDArray[np.int64]:
    """The kind of a position: its number of pieces, and whether a random move led to it."""
    pieces = np.bitwise_count(labels.positions["occupied"])
    return np.asarray(pieces + MOST_PIECES * labels.random, np.int64)


# --- By tournament ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSplit:
    validation: float = 0.005
    test: float = 0.01
    """Shares of the tournaments."""
    least_elo: int = 2000
    """Both players have at least this."""
    apart: tuple[str, ...] = ()
    """Players whose games are in no part."""
    salt: int = 1


def split_by_tournament(store: Store, split: TournamentSplit) -> NDArray[np.uint8]:
    """The part of each game; NONE for weak, unusual, excluded and repeated games.

    Games with the moves of a test or validation game are not trained on, whatever their tournament.
    """
    columns = store.columns()
    subsets = _by_tournament(store, columns, split)
    numbers = np.arange(len(store))
    usable = (columns.result >= 0) & (columns.plies > 0)
    usable &= store.positions(numbers, 0 * numbers) == pack([Position.start()])
    usable &= np.minimum(columns.white_elo, columns.black_elo) >= split.least_elo
    for tag in ("White", "Black"):
        names = store.texts(tag)
        kept = np.array([name in split.apart for name in names.values] or [False])
        usable &= ~(kept[names.index] & (names.index >= 0))
    subsets[~usable] = Subset.NONE
    drop_leaks(subsets, columns.hash)
    return AS_CODES[subsets]


def _by_tournament(store: Store, columns: GameColumns, split: TournamentSplit) -> NDArray[np.uint8]:
    events, sites = store.texts("Event"), store.texts("Site")
    keys = np.stack([events.index, sites.index, columns.year], axis=1)
    tournaments, which = np.unique(keys, axis=0, return_inverse=True)
    drawn = np.array([_drawn(events.values, sites.values, key, split.salt) for key in tournaments.tolist()])
    return assign(drawn, split.test, split.test + split.validation)[which.reshape(-1)]


def _drawn(events: list[str], sites: list[str], key: list[int], salt: int) -> float:
    """A number from 0 to 1 that depends on the tournament's name only, so that a new import gives the same split."""
    event, site, year = key
    name = f"{salt}\n{events[event] if event >= 0 else ''}\n{sites[site] if site >= 0 else ''}\n{year}"
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest()) / 2**64
