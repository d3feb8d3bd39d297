"""
The game store: its size, and how fast it is written and read, on this machine and in this run.

    okapi games import *.pgn --to games.okapi
    python bench/store.py games.okapi

Prints one JSON object. Times are those of this process alone (CPU time), so that a busy machine does little harm; each is the
best of three. Positions are asked for in batches of 16,384. `reached` is the ratio to what docs/reference/store.md promises: 1 or more is good.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from okapi.data.store import Store, StoreWriter

ROUNDS = 3
BATCH = 16384
MOST_BYTES_A_PLY = 1.2
SEQUENTIAL, RANDOM = 2_000_000, 300_000  # positions a second


def seconds(work: Callable[[], object]) -> float:
    """The best of some rounds."""
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def in_order(store: Store, positions: int) -> tuple[np.ndarray, np.ndarray]:
    """Every position of the first games, one after the other."""
    plies = store.plies().astype(np.int64) + 1
    games = np.repeat(np.arange(len(plies)), plies)[:positions]
    first = np.concatenate([[0], plies.cumsum()])[games]
    return games.astype(np.uint32), (np.arange(len(games)) - first).astype(np.uint16)


def at_random(store: Store, positions: int) -> tuple[np.ndarray, np.ndarray]:
    """Random plies of random games."""
    random = np.random.default_rng(1)
    games = random.integers(0, len(store), positions)
    plies = random.integers(0, store.plies()[games].astype(np.int64) + 1)
    return games.astype(np.uint32), plies.astype(np.uint16)


def in_batches(read: Callable[[np.ndarray, np.ndarray], object], games: np.ndarray, plies: np.ndarray) -> None:
    """As learners ask for them."""
    for begin in range(0, len(games), BATCH):
        read(games[begin : begin + BATCH], plies[begin : begin + BATCH])


def writing(store: Store, games: int) -> float:
    """Seconds for adding and flushing games that are in memory."""
    records = [store.record(number) for number in range(min(games, len(store)))]
    with tempfile.TemporaryDirectory() as folder:

        def write() -> None:
            path = Path(folder) / "games.okapi"
            path.unlink(missing_ok=True)
            with StoreWriter.open(path) as writer:
                for record in records:
                    writer.add(record)

        return seconds(write)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=50_000, help="that are written")
    given = parser.parse_args()
    begin = time.process_time()
    store = Store.open(given.store)
    plies = store.plies()
    opening = time.process_time() - begin
    written = min(given.games, len(store))
    sequential, random = in_order(store, given.positions), at_random(store, given.positions)
    a_ply = given.store.stat().st_size / int(plies.sum())
    rates = {
        "sequential": len(sequential[0]) / seconds(lambda: in_batches(store.positions, *sequential)),
        "random": len(random[0]) / seconds(lambda: in_batches(store.positions, *random)),
        "random_at_once": len(random[0]) / seconds(lambda: store.positions(*random)),
        "samples_random": len(random[0]) / seconds(lambda: in_batches(store.samples, *random)),
    }
    write = writing(store, given.games)
    figures = {
        "games": len(store),
        "plies": int(plies.sum()),
        "bytes_a_ply": round(a_ply, 4),
        "open_and_index_seconds": round(opening, 3),
        "columns_seconds": round(seconds(store.columns), 3),
        "positions_a_second": {name: round(rate) for name, rate in rates.items()},
        "written_games_a_second": round(written / write),
        "written_ns_a_ply": round(write / int(plies[:written].sum()) * 1e9, 1),
        "reached": {
            "size": round(MOST_BYTES_A_PLY / a_ply, 2),
            "sequential": round(rates["sequential"] / SEQUENTIAL, 2),
            "random": round(rates["random"] / RANDOM, 2),
        },
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
