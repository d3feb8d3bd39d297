"""What networks see in torch is what the encodings say in numpy."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from okapi.core import Position  # noqa: E402
from okapi.core.packed import fens, pack_fens, random_positions, rows, unpack  # noqa: E402
from okapi.encodings import ENCODINGS, Known, encode_known, find_encoding  # noqa: E402
from okapi.errors import UsageError  # noqa: E402
from okapi.models.torch_boards import mirrored  # noqa: E402
from okapi.models.torch_encodings import TORCH_ENCODINGS, encode  # noqa: E402

SPECIAL = (
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1",
    "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    "rnbqkbnr/pp1ppppp/8/8/2pP4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3",
    "4k3/8/8/8/8/8/8/4K3 w - - 99 150",
    "QQQQQQQQ/8/8/k7/8/8/8/K7 b - - 0 1",
    "4k3/p7/p6p/p5pp/P4PPP/P6P/P7/4K3 w - - 0 1",
    "4k3/1r6/2r2b2/3b1n2/2N5/1N1N2B1/6R1/4K2R b K - 0 1",
)


@pytest.fixture(scope="module")
def positions() -> np.ndarray:
    torch.set_num_threads(1)
    return np.concatenate([pack_fens(SPECIAL), random_positions(300, seed=1)])


@pytest.mark.parametrize("name", TORCH_ENCODINGS)
def test_a_sight_is_the_twin_of_its_encoding(name: str, positions: np.ndarray) -> None:
    seen = encode(torch.from_numpy(rows(positions).copy()), name)

    assert torch.float32 == seen.dtype
    np.testing.assert_array_equal(ENCODINGS[name].in_numpy(positions).astype(np.float32), seen.numpy())


@pytest.mark.parametrize("name", ["planes-12+elo", "planes-12+elo+piece", "planes-6+piece", "planes-18+elo+outcome"])
def test_layers_tell_the_same_in_torch(name: str, positions: np.ndarray) -> None:
    rng = np.random.default_rng(1)
    elos = rng.integers(1900, 3000, len(positions)).astype("<u2")
    squares, outcomes = (rng.integers(0, most, len(positions), np.uint8) for most in (64, 3))
    told = np.column_stack([rows(positions), elos[:, np.newaxis].view(np.uint8), squares, outcomes])
    known = Known(elo=elos, piece=squares, outcome=outcomes / 2)

    np.testing.assert_allclose(
        encode_known(find_encoding(name), positions, known), encode(torch.from_numpy(told), name)
    )


def test_an_encoding_that_networks_cannot_see_is_told() -> None:
    with pytest.raises(UsageError, match="`giraffe-368`"):
        encode(torch.zeros(1, 32, dtype=torch.uint8), "giraffe-368")


def turned_round(position: Position) -> str:
    """By hand: each rank of the FEN read from behind."""
    placement, turn, castling, passing, *clocks = position.fen().split()
    ranks = "/".join(rank[::-1] for rank in placement.split("/"))
    there = passing if passing == "-" else "abcdefgh"[7 - "abcdefgh".index(passing[0])] + passing[1]
    return " ".join([ranks, turn, castling, there, *clocks])


def test_mirrored_positions_are_turned_round_unless_somebody_may_castle(positions: np.ndarray) -> None:
    turned = mirrored(torch.from_numpy(rows(positions).copy())).numpy()
    free = ["-" == fen.split()[2] for fen in fens(positions)]

    assert 50 < sum(free) < len(free)
    for row, before, may in zip(turned.view(positions.dtype)[:, 0], positions, free, strict=True):
        expected = turned_round(unpack(before)) if may else unpack(before).fen()
        assert expected == unpack(row).fen()
