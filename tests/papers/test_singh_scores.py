"""Marks of singh2015's tests: in numpy as one by one, by the rules of chess as the core knows them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from networks import write_mover, write_seven
from singh_networks import random_store

from okapi.brains import predictor
from okapi.core import Move, Position
from okapi.core.packed import pack, unpack
from okapi.encodings.boards import SQUARES
from okapi.papers.singh2015.accuracy import SCORES, loss, score
from okapi.papers.singh2015.headlines import PUBLISHED
from okapi.papers.singh2015.training import EvaluationSet

ODD = (
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6"),
    ("8/P6k/8/8/8/8/8/7K w - - 0 1", "a7a8n"),
    ("4k3/8/8/8/1b6/8/3P4/4K3 w - - 0 1", "e1f2"),
)
"""Castling, en passant, promotion, a pinned pawn; and what is played."""


@pytest.fixture(scope="module")
def tests(tmp_path_factory: pytest.TempPathFactory) -> EvaluationSet:
    store = random_store(tmp_path_factory.mktemp("games") / "games.okapi")
    some = EvaluationSet.of(store, [0, 1], []).some(16, seed=1)
    positions = [Position.from_fen(fen) for fen, _ in ODD]
    odd = some.take(np.zeros(len(ODD), np.int64))
    odd.positions[:] = pack(positions)
    odd.moves[:] = [position.move(move).bits for position, (_, move) in zip(positions, ODD, strict=True)]
    return EvaluationSet.joined([some, odd])


def squares_of(move: Move) -> tuple[int, int]:
    text = str(move)
    return SQUARES.index(text[:2]), SQUARES.index(text[2:4])


@pytest.mark.parametrize("write", [write_seven, write_mover])
def test_marks_are_those_that_one_finds_by_hand(
    write: Callable[[Path], Path], tests: EvaluationSet, tmp_path: Path
) -> None:
    brain = predictor(str(write(tmp_path)))
    scores = score(brain, tests)
    said = brain.squares(tests.positions, elo=tests.elos)

    for row, found in enumerate(scores):
        position = unpack(tests.positions[row])
        played = next(move for move in position.legal_moves() if move.bits == tests.moves[row])
        origin, target = squares_of(played)
        legal = {squares_of(move) for move in position.legal_moves()}
        own = {square.index: piece.kind for square, piece in position.pieces() if piece.color is position.turn}
        products = said.origin[row, :, np.newaxis] * said.target[row]
        pairs = {(place // 64, place % 64): chance for place, chance in enumerate(products.ravel().tolist())}
        by_square = dict(enumerate(said.origin[row].tolist()))
        by_target = dict(enumerate(said.target[row, origin].tolist()))
        for name, chances, allowed, right in (
            ("piece", by_square, set(own), origin),
            ("target", by_target, {b for a, b in legal if a == origin}, target),
            ("move", pairs, legal, (origin, target)),
        ):
            check(found[name], chances, allowed, right)
        total = sum(pairs[pair] for pair in legal)
        assert found["probability"] == pytest.approx(pairs[origin, target] / total, rel=1e-4)
        likeliest = max(own, key=lambda square: by_square[square])
        assert bool(found["stuck"]) is not any(a == likeliest for a, _ in legal)
        assert PUBLISHED.kinds[found["kind"]] == own[origin].name.lower()


def check(found: np.void, chances: Mapping[Any, float], allowed: set[Any], right: Any) -> None:
    """Against lists that are sorted; Python's sorting keeps equals in their order, too."""
    order = sorted(chances, key=lambda square: -chances[square])
    masked = sorted(chances, key=lambda square: -chances[square] if square in allowed else 0.0)
    lost = [chance for square, chance in chances.items() if square not in allowed]

    assert 1 + order.index(right) == found["rank"]
    assert 1 + masked.index(right) == found["masked"]
    assert found["squared"] == pytest.approx(sum(chance**2 for chance in lost), rel=1e-4, abs=1e-12)
    assert found["chebyshev"] == pytest.approx(max(lost), rel=1e-5, abs=1e-12)
    assert bool(found["illegal"]) is (order[0] not in allowed)


def test_the_loss_is_never_infinite() -> None:
    scores = np.zeros(2, SCORES)
    scores["probability"] = (1, 0)

    assert loss(scores) == pytest.approx(-np.log(1e-6) / 2, rel=1e-5)
    assert loss(scores[:0]) is None
