"""The neurons of an NNUE brain, beside the plain definition of its network."""

from dataclasses import replace
from pathlib import Path

import nnue_twin
import numpy as np
import pytest

from okapi.analysis.neurons import Neurons
from okapi.brains import find
from okapi.brains.nnue import FULL, UNIT
from okapi.core.packed import pack_fens, random_positions
from okapi.encodings import PIECE_SQUARES, find_encoding
from okapi.errors import NotFound, WrongBrain


@pytest.fixture(scope="module")
def neurons() -> Neurons:
    return Neurons(nnue_twin.random_network(64))


def test_sums_are_the_accumulators(neurons: Neurons) -> None:
    positions = random_positions(300, seed=5)

    np.testing.assert_array_equal(nnue_twin.accumulators(neurons.network, positions), neurons.sums(positions))


def test_what_all_say_is_the_opinion(neurons: Neurons) -> None:
    """But for the bias of the output, and what division cuts off."""
    positions = random_positions(300, seed=5)
    says = neurons.contributions(positions, neurons.sums(positions))
    bias = neurons.network.output_bias[neurons.network.buckets(positions)] * neurons.network.scale / (FULL * UNIT)

    np.testing.assert_allclose(says.sum(axis=(1, 2)) + bias, nnue_twin.values(neurons.network, positions), atol=2)


def test_a_neuron_says_what_the_opinion_loses_without_it(neurons: Neurons) -> None:
    positions = random_positions(100, seed=6)
    weight = neurons.network.output_weight.copy()
    weight[:, [7, 64 + 7]] = 0
    without = replace(neurons.network, output_weight=weight)

    lost = nnue_twin.values(neurons.network, positions) - nnue_twin.values(without, positions)
    np.testing.assert_allclose(
        neurons.contributions(positions, neurons.sums(positions))[:, :, 7].sum(axis=1), lost, atol=2
    )


def test_likes_are_what_a_piece_adds(neurons: Neurons) -> None:
    kings, knight = pack_fens(["4k3/8/8/8/8/8/8/3K4 w - - 0 1", "4k3/8/8/5N2/8/8/8/3K4 w - - 0 1"])[:, np.newaxis]
    added = neurons.sums(knight) - neurons.sums(kings)
    likes = neurons.weights(9)

    assert added[0, 0, 9] / FULL == pytest.approx(likes[0, 1, 37]), "an own knight on f5"
    assert added[0, 1, 9] / FULL == pytest.approx(likes[1, 1, 29 ^ 7]), "to Black, whose king is on e, it is on c4"


def test_nobody_likes_what_never_stands_there(neurons: Neurons) -> None:
    likes = neurons.weights(0)

    assert np.isnan(likes[:, 0, :8]).all() and np.isnan(likes[:, 0, 56:]).all()
    assert [1, 1, 1, 1, 0, 0, 0, 0] == (~np.isnan(likes[0, 5, 8:16])).astype(int).tolist()
    assert not np.isnan(likes[1, 5]).any()


def test_the_strongest_are_named(neurons: Neurons) -> None:
    positions = random_positions(300, seed=5)
    found = neurons.strongest(3, 4, np.full(768, 0.5))
    likes = np.sort(np.nan_to_num(np.abs(neurons.weights(3))).ravel())

    assert likes[:-5:-1] == pytest.approx([abs(weight) for _, weight in found])
    assert all(what.split()[0] in ("own", "enemy") for what, _ in found)
    seen = neurons.seen(positions)
    dense = find_encoding("piece-square-mirrored").encode_many(positions).reshape(-1, 768)
    np.testing.assert_allclose(seen, dense.mean(axis=0))
    where = [PIECE_SQUARES["piece-square-mirrored"].describe(n) for n in range(768)]
    assert all(0 < seen[where.index(what)] < 1 for what, _ in neurons.strongest(3, 9, seen))


def test_others_are_refused_with_a_sentence(tmp_path: Path, neurons: Neurons) -> None:
    with pytest.raises(WrongBrain, match="`okapi-28` is of the kind `linear-28`: it has no neurons") as refused:
        Neurons.open(find("okapi-28"))
    assert "nnue" in refused.value.hint
    with pytest.raises(NotFound, match="no neuron 64"):
        neurons.check(64)
    (tmp_path / "made.safetensors").write_bytes(neurons.network.file({"name": "made"}))
    assert 64 == len(Neurons.open(tmp_path / "made.safetensors"))
