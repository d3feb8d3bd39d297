"""
Inner nodes of searches with the best move of each: what a move network learns from (lai2015, sections 6.3 and 6.4).

    python -m okapi.recipes.inner_nodes label games.okapi --brain giraffe --to inner.samples
    python -m okapi.recipes.inner_nodes course inner.samples --to course
    python -m okapi.recipes.jobs course                    # on a machine with torch and this checkout, and no more
    python -m okapi.recipes.inner_nodes brain course/ours --name giraffe-moves --to giraffe-moves.safetensors
    python -m okapi.recipes.inner_nodes tables inner.samples --brain giraffe-moves.safetensors

Positions of games are searched, some nodes of each search are drawn evenly, and each of those is searched again, by
itself: its best move is the label. The thesis limits both by time, we by nodes, so that the same gives the same.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi import brains
from okapi.brains.move_prediction import Predictor
from okapi.core import Move
from okapi.core.keys import KeySet, position_keys
from okapi.core.labelling import best_moves, internal_nodes
from okapi.core.packed import SAMPLE, rows, unpack
from okapi.data.samples import Samples, SampleWriter
from okapi.data.shuffle import Shuffle, hashed
from okapi.data.sources import StoreSource
from okapi.data.split import assign, identity
from okapi.data.store import Store
from okapi.errors import InvalidSamples
from okapi.recipes.arrays import AS_CODES, NONE, TEST, TRAIN, VALIDATION
from okapi.recipes.move_jobs import InnerNodes
from okapi.training.moves import RANKS

__all__ = [
    "InnerNodesConfig",
    "InnerNodesProgress",
    "MoveRanks",
    "inner_nodes",
    "is_quiet",
    "label_inner_nodes",
    "parts_of_games",
    "rank_best_moves",
]

ROOTS: Final = 128
"""Roots of a batch: a second's work, which is all that a kill can lose."""

PERCENT: Final = {TEST: 3, VALIDATION: 1}
"""Of the games, whose nodes are kept out of training."""

SALT: Final = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerNodesConfig:
    """What is to be gathered: all that decides what the file will say."""

    store: Path
    brain: str
    positions: int = 3_000_000
    """At least so many; the last batch is whole."""
    root_nodes: int = 1024
    """Of a search whose nodes are drawn from."""
    each: int = 8
    """Drawn from each of them."""
    nodes: int = 256
    """Of the search that finds a best move."""
    seed: int = 1

    def card(self, store: Store) -> dict[str, Any]:
        """What the file tells about itself."""
        brain = brains.find(self.brain)
        digest = hashlib.blake2b(brain.read_bytes(), digest_size=16).hexdigest()
        settings = {name: value for name, value in asdict(self).items() if name not in ("store", "brain", "positions")}
        return {"inner_nodes_of": identity(store.hashes()), "brain": brain.stem, "brain_hash": digest, **settings}


@dataclass(frozen=True, slots=True)
class InnerNodesProgress:
    """How far it is."""

    positions: int
    wanted: int
    kept: int
    """That were there before this began."""
    seconds: float
    """Since this began."""


def label_inner_nodes(
    gathering: InnerNodesConfig,
    to: Path,
    *,
    threads: int = 1,
    watch: Callable[[InnerNodesProgress], object] = lambda now: None,
) -> int:
    """Label inner nodes until there are enough, or go on with that; how many there are.

    The file is the same whatever the number of threads, and however often it was interrupted.
    """
    store = Store.open(gathering.store)
    source = StoreSource(store)
    order = Shuffle(len(source), gathering.seed)
    evaluator = brains.evaluator(gathering.brain)
    with SampleWriter.open(to, card=gathering.card(store)) as writer:
        kept, begun = len(writer), time.monotonic()
        batch = (writer.cursor or {}).get("batches", 0)
        while len(writer) < gathering.positions:
            roots = source.take(np.sort(order[batch * ROOTS : (batch + 1) * ROOTS]))
            if not len(roots):
                raise InvalidSamples(
                    f"the {len(source)} positions of the games have {len(writer)} inner nodes, not more",
                    hint="more games, or --each with a larger number",
                )
            writer.append(_labelled(gathering, evaluator, roots, batch, threads))
            batch += 1
            writer.commit({"batches": batch})
            watch(InnerNodesProgress(len(writer), gathering.positions, kept, time.monotonic() - begun))
        return len(writer)


def _labelled(
    gathering: InnerNodesConfig, evaluator: Any, roots: NDArray[np.void], batch: int, threads: int
) -> NDArray[np.void]:
    """The nodes of these roots, as samples of the games that their roots are from."""
    seed = int(hashed(np.array([batch]), gathering.seed)[0] >> np.uint64(1))
    positions, below = internal_nodes(
        evaluator, roots["position"].copy(), nodes=gathering.root_nodes, each=gathering.each, seed=seed, threads=threads
    )
    moves, values = best_moves(evaluator, positions, nodes=gathering.nodes, threads=threads)
    samples = np.zeros(len(positions), SAMPLE)
    samples["position"], samples["move"] = positions, moves
    samples["value"] = values.clip(-32000, 32000)
    samples["result"], samples["nodes"] = -1, gathering.nodes
    samples["game"], samples["ply"] = roots["game"][below], roots["ply"][below]
    return np.asarray(samples[moves != 0])


def parts_of_games(games: NDArray[Any]) -> NDArray[np.uint8]:
    """What the nodes of these games are for: TRAIN, or one of those of PERCENT; by the game's number alone."""
    return AS_CODES[assign(hashed(games, SALT) % np.uint64(100), PERCENT[TEST], PERCENT[TEST] + PERCENT[VALIDATION])]


def inner_nodes(samples: Samples, *, most: int | None = None) -> InnerNodes:
    """The nodes of a file for a course: each position once, and none in training that is kept out of it.

    Whether a best move is quiet is only found out where it is counted: not in training.
    """
    found = samples[: len(samples) if most is None else most]
    parts = parts_of_games(found["game"])
    keys = position_keys(found["position"].copy())
    seen = KeySet(len(found))
    for part in (TEST, VALIDATION, TRAIN):
        here = np.flatnonzero(parts == part)
        parts[here[~seen.add(keys[here])]] = NONE
    found, parts = found[parts != NONE], parts[parts != NONE]
    quiet = np.ones(len(found), np.uint8)
    for row in np.flatnonzero(parts != TRAIN):
        quiet[row] = is_quiet(found["position"][row], int(found["move"][row]))
    packed = np.ascontiguousarray(rows(found["position"].copy()))
    return InnerNodes(packed.reshape(-1, 32), found["move"].copy(), parts, quiet)


def is_quiet(position: Any, bits: int) -> bool:
    """Is the best move something else than a winning capture? Table 5 is about those positions.

    Winning is a capture that gains material if both sides take as often as it pays.
    """
    board, move = unpack(position), Move.from_bits(bits)
    return not (board.is_capture(move) and board.see(move) > 0)


# --- Ranks of best moves: Tables 4 and 5 ------------------------------------------------------------------------------

AT_ONCE: Final = 4096


@dataclass(frozen=True, slots=True)
class MoveRanks:
    """How often the best move had rank 0, 1, … 10, or a lower one."""

    all: list[int]
    """Table 4."""
    quiet: list[int]
    """Table 5: without positions whose best move is a winning capture."""


def rank_best_moves(predictor: Predictor, samples: NDArray[np.void]) -> MoveRanks:
    """Of SAMPLEs whose moves are the best ones."""
    found = np.zeros(len(samples), np.int64)
    for begin in range(0, len(samples), AT_ONCE):
        some = samples[begin : begin + AT_ONCE]
        likely = predictor.probabilities(some["position"].copy())
        counts = np.diff(likely.starts)
        best = np.repeat(some["move"], counts) == likely.moves
        place = np.arange(len(best)) - np.repeat(likely.starts[:-1], counts)
        here = np.full(len(some), RANKS)
        here[np.repeat(np.arange(len(some)), counts)[best]] = place[best]
        found[begin : begin + AT_ONCE] = here.clip(max=RANKS)
    quiet = np.array([is_quiet(sample["position"], int(sample["move"])) for sample in samples], np.bool_)
    return MoveRanks(_counted(found), _counted(found[quiet]))


def _counted(ranks: NDArray[np.int64]) -> list[int]:
    counts: list[int] = np.bincount(ranks, minlength=RANKS + 1).tolist()
    return counts


if __name__ == "__main__":
    from okapi.recipes.inner_nodes_command import main

    raise SystemExit(main())
