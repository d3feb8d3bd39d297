"""Tables 3.1 to 3.5 and Figures 3.3 to 3.10: predicted pieces, squares and moves, with and without masking.

A brain gives three distributions for a position: of the origin square, of the target square of the played piece, and of
whole moves, their product. Masking (section 3.3) sets squares without a piece of the mover, squares where the piece
cannot go, and illegal moves to zero.
"""

import hashlib
import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import find, predictor
from okapi.brains.move_prediction import Predictor
from okapi.core import Kind, Position, Square
from okapi.core.packed import legal_moves, pack, rows
from okapi.encodings import move_squares
from okapi.encodings.boards import EMPTY, moving_kinds, piece_codes
from okapi.encodings.singh2015 import CHANNELS
from okapi.errors import UsageError
from okapi.files import file_hash
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped, write_file
from okapi.papers.singh2015.headlines import BRAINS, PUBLISHED
from okapi.papers.singh2015.positions import CASES, Case
from okapi.papers.singh2015.training import TRAINED, EvaluationSet, TrainedNetworks, test_positions, trained_networks

RANKS: Final = np.dtype(
    [
        ("rank", "<u2"),  # of what was played; 1 is the first choice
        ("masked", "<u2"),  # the same among what can be
        ("squared", "<f4"),  # squared Euclidean distance between the distribution and the masked one
        ("chebyshev", "<f4"),  # the largest probability that is masked
        ("illegal", "?"),  # is the first choice one that cannot be?
    ]
)
"""Of one distribution for one position."""

SCORES: Final = np.dtype(
    [
        ("piece", RANKS),
        ("target", RANKS),
        ("move", RANKS),
        ("kind", "u1"),  # of the piece that moved, by its number in CHANNELS
        ("stuck", "?"),  # does the likeliest piece of the mover have no legal move?
        ("probability", "<f4"),  # of the played pair of squares among the legal ones
    ]
)
"""Of a brain for one position. A promotion counts by its squares, whatever the pawn becomes."""

Floats = NDArray[np.float32]


def score(brain: Predictor, tests: EvaluationSet) -> NDArray[np.void]:
    """SCORES for each position; the brain gets the mover's rating."""
    predicted = brain.squares(tests.positions, elo=tests.elos)
    rows = np.arange(len(tests))
    origin, target = move_squares(tests.moves)
    codes, legal = piece_codes(tests.positions), _legal(tests.positions)
    own = (codes != EMPTY) & (codes & 1 == tests.positions["turn"][:, np.newaxis])
    pairs = (predicted.origin[:, :, np.newaxis] * predicted.target).reshape(-1, 4096)
    masked = np.where(legal.reshape(-1, 4096), pairs, 0).sum(axis=1, dtype=np.float64)
    played = pairs[rows, origin * 64 + target]
    likeliest = np.where(own, predicted.origin, -1).argmax(axis=1)

    scores = np.zeros(len(tests), SCORES)
    scores["piece"] = _ranks(predicted.origin, own, origin)
    scores["target"] = _ranks(predicted.target[rows, origin], legal[rows, origin], target)
    scores["move"] = _ranks(pairs, legal.reshape(-1, 4096), origin * 64 + target)
    scores["kind"] = _moved(tests)
    scores["stuck"] = ~legal[rows, likeliest].any(axis=1)
    scores["probability"] = np.divide(played, masked, out=np.zeros_like(masked), where=masked > 0)
    return scores


def score_targets(brain: Predictor, tests: EvaluationSet) -> NDArray[np.void]:
    """RANKS of the target squares alone, from the origin squares that were played."""
    origin, target = move_squares(tests.moves)
    allowed = _legal(tests.positions)[np.arange(len(tests)), origin]
    return _ranks(brain.targets(tests.positions, origin, elo=tests.elos), allowed, target)


def loss(scores: NDArray[np.void]) -> float | None:
    """The mean of −log p of the played moves; p is at least a millionth."""
    return float(-np.log(np.maximum(scores["probability"], 1e-6)).mean()) if len(scores) else None


def _ranks(probabilities: Floats, allowed: NDArray[np.bool_], played: NDArray[np.int64]) -> NDArray[np.void]:
    """Of one distribution for each position."""
    kept = np.where(allowed, probabilities, 0)
    lost = probabilities - kept
    ranks = np.zeros(len(lost), RANKS)
    ranks["rank"], ranks["masked"] = _rank(probabilities, played), _rank(kept, played)
    ranks["squared"] = np.square(lost, dtype=np.float64).sum(axis=1)
    ranks["chebyshev"] = lost.max(axis=1)
    ranks["illegal"] = ~allowed[np.arange(len(lost)), probabilities.argmax(axis=1)]
    return ranks


def _rank(probabilities: Floats, played: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ranks of the played answers. Of equal ones, earlier squares come first."""
    its = np.take_along_axis(probabilities, played[:, np.newaxis], axis=1)
    before = np.arange(probabilities.shape[1]) < played[:, np.newaxis]
    return np.asarray(1 + ((probabilities > its) | ((probabilities == its) & before)).sum(axis=1))


def _legal(positions: NDArray[np.void]) -> NDArray[np.bool_]:
    """Pairs of squares that a legal move joins; the king castles by two squares: batch x 64 x 64."""
    moves = legal_moves(positions)
    origin, target = move_squares(moves.bits)
    allowed = np.zeros((len(positions), 64, 64), np.bool_)
    allowed[moves.rows, origin, target] = True
    return allowed


AT_ONCE: Final = 512  # positions in a batch: the probabilities of all pairs of squares are 8 MB


WHOLE: Final = "whole.npz"
"""In the folder, SCORES of the whole seven networks from where they were trained (bench/whole_seven.py): `some` of the
test positions, `queens` of all queen moves."""


def scored(
    context: ExperimentContext, trained: TrainedNetworks, name: str
) -> tuple[EvaluationSet, Mapping[str, NDArray[np.void]]]:
    """The test positions of an experiment, and the scores of each brain."""
    count = context.read_settings("singh2015", name)["positions"]
    tests = trained.tests.some(count, context.seed)
    scores = _whole(context, "some", tests)
    for brain, path in trained.movers.items():
        scores[brain] = scores_of(context, path, tests, BRAINS[brain])
    return tests, scores


def _whole(context: ExperimentContext, part: str, tests: EvaluationSet) -> dict[str, NDArray[np.void]]:
    """Scores that came back from another machine, if any: UsageError for those of other positions."""
    path = context.folder / WHOLE
    if not path.exists():
        return {}
    with np.load(path, allow_pickle=False) as arrays:
        found = arrays[part]
    if not np.array_equal(found["kind"], _moved(tests)):
        raise UsageError(f"`{path}` has scores of other positions", hint="bench/whole_seven.py makes them again")
    return {"whole": found}


def _moved(tests: EvaluationSet) -> NDArray[np.int64]:
    """The kinds of the moved pieces, as the thesis numbers them."""
    channels = np.array([CHANNELS.index(kind) for kind in Kind])
    return channels[moving_kinds(tests.positions, move_squares(tests.moves)[0])]


def scores_of(
    context: ExperimentContext, brain: Path, tests: EvaluationSet, what: str, *, targets: bool = False
) -> NDArray[np.void]:
    """The scores of a brain, or of its targets alone, kept in files; `what` is for the display of progress."""
    asked_for = b"".join(array.tobytes() for array in (rows(tests.positions), tests.moves, tests.elos))
    name = f"{file_hash(brain)}-{hashlib.sha256(asked_for).hexdigest()[:16]}{'-targets' if targets else ''}"
    folder = context.folder / "marks" / name
    begins = range(0, len(tests), AT_ONCE)
    files = [folder / f"{begin:08}.npy" for begin in begins]
    asked = None
    for begin, file in zip(begins, files, strict=True):
        if file.exists():
            continue
        asked = asked or predictor(str(brain), threads=context.executor.workers, values=False)
        part = tests.take(np.arange(begin, min(begin + AT_ONCE, len(tests))))
        buffer = io.BytesIO()
        np.save(buffer, score_targets(asked, part) if targets else score(asked, part))
        write_file(file, buffer.getvalue())
        context.tell(f"{what}: {begin + len(part):,} of {len(tests):,} positions")
    return np.concatenate([np.zeros(0, RANKS if targets else SCORES), *(np.load(file) for file in files)])


def networks(context: ExperimentContext) -> dict[str, Any]:
    """PIECE in all positions of the tests, and each of the six in those where such a piece moved."""
    trained = trained_networks(context)
    tests, scores = scored(context, trained, "networks")
    moved_queens = trained.tests.take(np.flatnonzero(_moved(trained.tests) == CHANNELS.index(Kind.QUEEN)))
    queens = {brain: found["target"] for brain, found in _whole(context, "queens", moved_queens).items()}
    for brain, path in trained.movers.items():
        queens[brain] = scores_of(context, path, moved_queens, f"QUEEN, {BRAINS[brain]}", targets=True)
    brains = {}
    for brain, found in scores.items():
        kinds = {kind: found["target"][found["kind"] == number] for number, kind in enumerate(PUBLISHED.kinds)}
        brains[brain] = {kind: _networks_row(ranks) for kind, ranks in {"piece": found["piece"], **kinds}.items()}
        brains[brain]["piece"]["stuck"] = int(found["stuck"].sum())
    return {
        **about_tests(tests),
        "brains": brains,
        "queens": {brain: _networks_row(ranks) for brain, ranks in queens.items()},
    }


def about_tests(tests: EvaluationSet) -> dict[str, Any]:
    """Sizes, and the number of positions that also occur in training games."""
    return {"positions": len(tests), "games": len(np.unique(tests.games)), "seen": int(tests.seen.sum())}


def top(ranks: NDArray[Any], guesses: range | tuple[int, ...] = PUBLISHED.top) -> dict[str, int]:
    """How often the played answer is among so many guesses.

    >>> top(np.array([1, 2, 1, 7]), (1, 3, 10))
    {'1': 2, '3': 3, '10': 4}
    """
    return {str(k): int((ranks <= k).sum()) for k in guesses}


def _networks_row(ranks: NDArray[np.void]) -> dict[str, Any]:
    fields = {"squared": "squared", "chebyshev": "chebyshev", "rank": "rank", "rank_masked": "masked"}
    means = {key: float(ranks[name].mean(dtype=np.float64)) if len(ranks) else None for key, name in fields.items()}
    counts = {"count": len(ranks), "illegal": int(ranks["illegal"].sum())}
    return {**counts, "top": top(ranks["rank"]), "top_masked": top(ranks["masked"]), **means}


GUESSES: Final = range(1, 31)
BY_NUMBER: Final = (1, 5, 10, 20, 30)  # guesses of Figure 3.3

FEWEST: Final = 20
"""Positions that a point of a curve, or a band, needs; late moves, which few games have, are left out."""


def full_moves(context: ExperimentContext) -> dict[str, Any]:
    """Of each brain, in all positions of the tests and in those that no training game has."""
    trained = trained_networks(context)
    tests, scores = scored(context, trained, "full_moves")
    return {**about_tests(tests), "brains": {brain: _full_moves_brain(found, tests) for brain, found in scores.items()}}


def _full_moves_brain(scores: NDArray[np.void], tests: EvaluationSet) -> dict[str, Any]:
    numbers, fewest = 1 + tests.plies // 2, FEWEST if len(tests) >= 100 * FEWEST else 1
    ranks = {int(number): scores[numbers == number]["move"]["masked"] for number in np.unique(numbers)}
    by_number = [
        {"number": number, "count": len(some), "top": top(some, BY_NUMBER)}
        for number, some in ranks.items()
        if len(some) >= fewest
    ]
    return {"all": _full_moves_row(scores), "fresh": _full_moves_row(scores[~tests.seen]), "by_number": by_number}


def _full_moves_row(scores: NDArray[np.void]) -> dict[str, Any]:
    ranks = scores["move"]
    found = {"top": top(ranks["masked"], GUESSES), "top_unmasked": top(ranks["rank"], GUESSES)}
    return {"count": len(scores), **found, "illegal": int(ranks["illegal"].sum()), "loss": loss(scores)}


def opening(context: ExperimentContext) -> dict[str, Any]:
    """Probabilities of the twenty first moves, and of the squares that the piece comes from."""
    trained = trained_networks(context)
    start = pack([Position.start()])
    brains = {}
    for name, path in trained.movers.items():
        brain = predictor(str(path), threads=context.executor.workers, values=False)
        moves = {str(move): float(probability) for move, probability in brain.moves(start)[0]}
        brains[name] = {"moves": moves, "origin": brain.squares(start).origin[0].astype(float).tolist()}
    return {"brains": brains, "played": dict(trained.first_moves)}


BANDS: Final = tuple(range(2000, 2800, 100))  # lower ends; the last band has no upper end
RATINGS: Final = tuple(band + 50 for band in BANDS)  # the middle of each band


def bands(context: ExperimentContext) -> dict[str, Any]:
    """For each band and each setting of the dial: first choices that were played, and the loss."""
    chosen = context.read_settings("singh2015", "bands")
    if chosen["brain"] in TRAINED:
        trained = trained_networks(context)
        brain, tests = trained.movers.get(chosen["brain"]), trained.tests
    else:
        brain, tests = find(chosen["brain"]), test_positions(context)
    if brain is None:
        raise ExperimentSkipped(f"there is no network `{chosen['brain']}` here")
    if "elo" not in predictor(str(brain), values=False).inputs:
        raise ExperimentSkipped("the network has no ELO layer")
    count = chosen["positions"]
    numbers = np.clip((tests.elos - BANDS[0]) // 100, 0, len(BANDS) - 1)  # nobody is below the first one
    parts = [tests.take(numbers == number).some(count, context.seed) for number in range(len(BANDS))]
    rows = [_bands_row(context, brain, own, part) for own, part in enumerate(parts) if len(part) >= FEWEST]
    if len(rows) < 2:
        why = "the test games have no ratings in two bands or more; --games with WhiteElo and BlackElo"
        raise ExperimentSkipped(why)
    return {"brain": chosen["brain"], "ratings": list(RATINGS), "rows": rows}


def _bands_row(context: ExperimentContext, brain: Path, own: int, tests: EvaluationSet) -> dict[str, Any]:
    """A band: one cell for each setting of the dial, each compared with the band's own."""
    band, scores = BANDS[own], []
    for rating in RATINGS:
        rated = replace(tests, elos=np.full(len(tests), rating, np.int32))
        scores.append(scores_of(context, brain, rated, f"band {band}, rating {rating}"))
    right = [each["move"]["masked"] == 1 for each in scores]
    cells = []
    for here, each in zip(right, scores, strict=True):
        other = {"only_here": int((here & ~right[own]).sum()), "only_own": int((right[own] & ~here).sum())}
        cells.append({"right": int(here.sum()), **other, "loss": loss(each)})
    name = f"{band} and more" if band == BANDS[-1] else f"{band} to {band + 99}"
    return {"name": name, "own": own, "count": len(tests), "cells": cells}


Probabilities = NDArray[np.float64]
DIGITS: Final = 5


def cases(context: ExperimentContext) -> dict[str, Any]:
    return predictions(trained_networks(context).movers)


def predictions(brains: Mapping[str, Path]) -> dict[str, Any]:
    if not brains:
        raise ExperimentSkipped("no network that predicts moves was trained yet")
    asked = {name: predictor(str(path), values=False) for name, path in brains.items()}
    return {"rows": [{"brain": name, **expected(asked[name], case)} for case in CASES for name in asked]}


def expected(asked: Predictor, case: Case) -> dict[str, Any]:
    """Of one board: heat maps unmasked and masked, the legal moves, and the rank of the expected one."""
    packed = pack([case.position])
    predicted = asked.squares(packed)
    origin, target = predicted.origin[0].astype(np.float64), predicted.target[0].astype(np.float64)
    allowed, together = _legal(packed)[0], origin[:, None] * target
    legal = {case.position.uci(move): round(share, DIGITS) for move, share in asked.moves(packed)[0]}
    found: dict[str, Any] = {
        "key": case.key,
        "unmasked": _seen(origin, target),
        "masked": _seen(_as_one(origin * allowed.any(axis=1)), _as_one(target * allowed)),
        "moves": legal,
        "rank": 1 + list(legal).index(case.move),
        "illegal": round(1 - float((together * allowed).sum() / together.sum()), DIGITS),
    }
    if case.key == "en_passant":
        found["in_time"] = _taking(asked, case.fen, case.move)
        found["too_late"] = _taking(asked, case.fen.replace(" d6 ", " - "), case.move)
    if case.key == "sochi":
        found["table"] = {move: legal[move] for move in PUBLISHED.table_3_5}
    return found


def _seen(origin: Probabilities, target: Probabilities) -> dict[str, Any]:
    """The distribution of origin squares, the likeliest one, and the target squares from there."""
    square = int(origin.argmax())
    goes = str(Square.at(int(target[square].argmax()))) if target[square].any() else ""
    shares = {"origin": origin.round(DIGITS).tolist(), "target": target[square].round(DIGITS).tolist()}
    return {"piece": str(Square.at(square)), "goes": goes, **shares}


def _taking(asked: Predictor, fen: str, move: str) -> float:
    predicted = asked.squares(pack([Position.from_fen(fen)]))
    origin, target = Square(move[:2]).index, Square(move[2:]).index
    return round(float(predicted.origin[0, origin] * predicted.target[0, origin, target]), DIGITS)


def _as_one(shares: Probabilities) -> Probabilities:
    total = shares.sum(axis=-1, keepdims=True)
    return np.asarray(shares / np.where(total > 0, total, 1))
