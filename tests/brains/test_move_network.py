"""A move network says in C++ what it says in torch, and can be asked like any brain that predicts moves."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from okapi import brains  # noqa: E402
from okapi.core import Position, RawBrain  # noqa: E402
from okapi.core.evaluation import priors  # noqa: E402
from okapi.core.packed import legal_moves as core_moves  # noqa: E402
from okapi.core.packed import pack_fens, random_positions, rows  # noqa: E402
from okapi.errors import InvalidBrain, WrongBrain  # noqa: E402
from okapi.models.move_features import encoded_moves  # noqa: E402
from okapi.models.move_network import (  # noqa: E402
    LIKE_THE_PROGRAM,
    LIKE_THE_THESIS,
    Design,
    MoveNetworkModule,
    chances,
    move_brain,
    ranks,
)
from okapi.models.torch_encodings import encode  # noqa: E402

SPECIAL = (
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "8/8/8/2k5/3Pp3/8/8/3K4 b - d3 0 1",
    "1n5k/P1P5/8/8/8/8/8/K7 w - - 0 1",
    "k7/8/8/8/8/8/p1p4K/1N6 b - - 0 1",
    "4k3/8/8/8/7b/8/5P2/4K2q w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
)
SMALL = Design(position=5, pieces=20, squares=17, move=24, joined=33, hidden=9)


@pytest.fixture(scope="module")
def positions() -> np.ndarray:
    torch.set_num_threads(1)
    return np.concatenate([pack_fens(SPECIAL), random_positions(600, seed=5)])


def brain_of(design: Design, path: Path) -> MoveNetworkModule:
    """A network with weights by chance, some of them large, written there."""
    torch.manual_seed(1)
    network = MoveNetworkModule(design)
    with torch.no_grad():
        network.output.weight *= 10
        network.move.weight *= 3
    path.write_bytes(move_brain(network, {"name": "mine"}))
    return network


def said_in_torch(network: MoveNetworkModule, positions: np.ndarray) -> dict[tuple[int, int], float]:
    legal = core_moves(positions)
    where, counts = torch.from_numpy(legal.rows), torch.from_numpy(np.diff(legal.starts))
    features = encode(torch.from_numpy(rows(positions).copy()), network.design.encoding)
    known = torch.from_numpy(encoded_moves(network.design.moves, positions, legal))
    with torch.no_grad():
        if network.design.scores_alone:
            rank = torch.zeros(len(where))
            for _ in range(2):
                told = torch.cat([known, rank[:, None]], dim=1)
                scores = network(features, told, where)
                rank = ranks(scores, where, counts) / counts[where]
            shares = torch.sigmoid(scores)
            shares /= torch.zeros(len(positions)).index_add(0, where, shares)[where]
        else:
            shares = chances(network(features, known, where), where, len(positions)).exp()
    return dict(zip(zip(where.tolist(), legal.bits.tolist(), strict=True), shares.tolist(), strict=True))


@pytest.mark.parametrize("design", [SMALL, LIKE_THE_THESIS, LIKE_THE_PROGRAM], ids=["ours", "letter", "program"])
def test_cpp_says_what_torch_says(design: Design, positions: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    expected = said_in_torch(brain_of(design, path), positions)

    found = brains.predictor(str(path)).probabilities(positions)

    where = np.repeat(np.arange(len(positions)), np.diff(found.starts)).tolist()
    said = dict(zip(zip(where, found.moves.tolist(), strict=True), found.probabilities.tolist(), strict=True))
    assert said.keys() == expected.keys()
    wrong = [key for key, share in expected.items() if abs(share - said[key]) > 2e-4 + 2e-3 * share]
    # In two passes, moves that are equally likely in the first may change places.
    assert len(wrong) <= (len(said) // 100 if design.scores_alone else 0)


def test_it_predicts_moves_and_squares(positions: np.ndarray, tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    brain_of(SMALL, path)
    asked = brains.predictor(str(path), threads=2)
    some = positions[:50]

    assert brains.predicts_moves(str(path))
    assert not asked.inputs
    for (_, share), *others in (moves for moves in asked.moves(some) if moves):
        assert all(share >= other for _, other in others)
    found, squares = asked.probabilities(some), asked.squares(some)
    np.testing.assert_allclose(squares.origin.sum(axis=1), np.diff(found.starts) > 0, atol=1e-4)
    for row, moves in enumerate(asked.moves(some)):
        origin = np.zeros(64)
        for move, share in moves:
            origin[move.from_square.index] += share
        np.testing.assert_allclose(squares.origin[row], origin, atol=1e-5)


def test_a_brain_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    brain_of(SMALL, path)
    start = pack_fens([Position.start().fen()])
    with pytest.raises(WrongBrain, match="predicts moves"):
        brains.evaluator(str(path))
    with pytest.raises(InvalidBrain, match="giraffe-moves"):
        priors(brains.load("material"), start, core_moves(start))
    damaged = path.read_bytes().replace(b"okapi-moves", b"okapi-noves")
    with pytest.raises(InvalidBrain, match="okapi-noves"):
        priors(RawBrain.from_bytes(damaged), start, core_moves(start))
