"""Which positions are for training, validation and test, and how much of a test was seen in training.

The papers split positions at random. Positions of one game are much alike, so a test position then has the one before
it, or the one behind it, in training. Split by game, none of a test game's positions is trained on.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from okapi.core import Position
from okapi.core.keys import KeySet, successors_in
from okapi.core.packed import pack
from okapi.data.shuffle import hashed
from okapi.data.split import Subset, assign, drop_leaks
from okapi.data.store import Store
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
"""Of a library, until there are enough test positions. Of a small one a 50th, so that the games can be shared out."""


def usual_split(labels: LabelledPositions) -> SplitBy:
    """By games, where they are known."""
    return "positions" if labels.games is None else "games"


def usual_shares(labels: LabelledPositions) -> SplitShares:
    return SHARES if labels.library is None else LOOKED_UP


def split_labels(labels: LabelledPositions, how: SplitBy, seed: int = 1, shares: SplitShares = SHARES) -> Parts:
    """The part of each row, always the same for a seed. By games, no position of a test or validation game is trained
    on, wherever else it stands; where games were looked up, nothing that is one move away from such a game, either.
    Positions whose game nobody knows are for training."""
    _, validation, test = wanted = [round(share * len(labels)) for share in shares]
    if how == "positions":
        return _by_position(labels, seed, *wanted)
    if labels.games is None:
        told = f"{labels.name} names no games, so it can only be split by position"
        raise UsageError(told, hint="--games FILE: games in which its positions are looked up")
    order = np.unique(labels.games[labels.games >= 0])
    order = order[np.argsort(hashed(order, seed), kind="stable")]
    if (library := labels.library) is None:
        return _by_game(labels, order, validation, test)
    make = partial(_by_library, labels, library, order, validation, test)
    return library.once("split", labels.keys(), make, seed=seed, sizes=wanted, random=int(labels.random.sum()))


def both_splits(labels: LabelledPositions, seed: int = 1, shares: SplitShares = SHARES) -> dict[SplitBy, Parts]:
    """By games, where they are known, and by positions, with as many rows of each kind for each purpose."""
    if usual_split(labels) == "positions":
        return {"positions": split_labels(labels, "positions", seed, shares)}
    by_games = split_labels(labels, "games", seed, shares)
    by_positions, kinds = by_games.copy(), _kinds(labels)
    for kind in np.unique(kinds):
        rows = np.flatnonzero(kinds == kind)
        wanted = [int((by_games[rows] == part).sum()) for part in PARTS.values()]
        by_positions[rows] = _by_position(labels.take(rows), seed, *wanted)
    return {"games": by_games, "positions": by_positions}


def thinned(labels: LabelledPositions, every: int) -> LabelledPositions:
    """One of so many positions of each game, as they follow each other: what is left lies further apart."""
    if labels.games is None or (labels.plies < 0).all():
        raise UsageError(f"{labels.name} does not say where in a game its positions stand", hint="use `okapi label`")
    first = (hashed(labels.games, every) % np.uint64(every)).astype(np.int64)
    return labels.take((labels.games >= 0) & (labels.plies % every == first))


def neighbours(labels: LabelledPositions, split: Parts) -> dict[str, float]:
    """How many test positions there are, and how many and what share of them have one a legal move away in training."""
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
    """In pieces, so that Ctrl-C is heard: the number of the first position, and what is reached from all of them."""
    for begin in range(0, len(positions), 1 << 16):
        yield begin, successors_in(positions[begin : begin + (1 << 16)], wanted)


def _by_position(labels: LabelledPositions, seed: int, train: int, validation: int, test: int) -> Parts:
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
    as it would at random; the others are in no part."""
    keys, kinds = labels.keys(), _kinds(labels)
    all_keys = KeySet(len(keys))
    all_keys.add(keys)
    shuffled = np.argsort(hashed(keys, 0), kind="stable")
    split = np.full(len(labels), TRAIN, np.uint8)
    together = np.array_split(order, max(-(-len(order) // GAMES_AT_A_TIME), min(len(order), 50)))
    left = iter(together)
    for_test = islice(left, -(-len(together) * test // max(1, test + validation)))  # where there are too few for both
    for part, wanted, chunks in ((TEST, test, for_test), (VALIDATION, validation, left)):
        quota = np.rint(np.bincount(kinds) * (wanted / len(labels))).astype(np.int64)
        found, held = KeySet(), np.zeros(0, np.int64)
        chosen = held
        enough = 0.98 * quota.sum()  # the last rare kinds of positions would take many games
        while len(chosen) < enough and (games := next(chunks, None)) is not None:
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
    return np.asarray(np.bitwise_count(labels.positions["occupied"]) + 64 * labels.random, np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentSplit:
    """Shares of the tournaments, games of players with at least so much, and players whose games are in no part."""

    validation: float = 0.005
    test: float = 0.01
    least_elo: int = 2000
    apart: tuple[str, ...] = ()
    salt: int = 1


def split_by_tournament(store: Store, split: TournamentSplit) -> NDArray[np.uint8]:
    """The part of each game; NONE for weak, unusual, excluded and repeated games. Games with the moves of a test or
    validation game are not trained on, whatever their tournament."""
    columns = store.columns()
    events, sites = store.texts("Event"), store.texts("Site")
    keys = np.stack([events.index, sites.index, columns.year], axis=1)
    tournaments, which = np.unique(keys, axis=0, return_inverse=True)
    events_named, sites_named = ([*names.values, ""] for names in (events, sites))  # -1, the last one, is unknown
    names = (f"{split.salt}\n{events_named[at]}\n{sites_named[on]}\n{year}" for at, on, year in tournaments.tolist())
    digests = (hashlib.blake2b(name.encode(), digest_size=8).digest() for name in names)
    drawn = np.array([int.from_bytes(each) / 2**64 for each in digests])  # the same after a new import
    subsets = assign(drawn, split.test, split.test + split.validation)[which.reshape(-1)]
    numbers = np.arange(len(store))
    usable = (columns.result >= 0) & (columns.plies > 0)
    usable &= store.positions(numbers, 0 * numbers) == pack([Position.start()])
    usable &= np.minimum(columns.white_elo, columns.black_elo) >= split.least_elo
    for players in map(store.texts, ("White", "Black")):
        apart = np.array([*(name in split.apart for name in players.values), False])
        usable &= ~apart[players.index]
    subsets[~usable] = Subset.NONE
    drop_leaks(subsets, columns.hash)
    return AS_CODES[subsets]
