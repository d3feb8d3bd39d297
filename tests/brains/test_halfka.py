"""The network of Stockfish as a brain: numpy, torch and the core agree to the last unit, also move by move."""

from pathlib import Path

import halfka_twin
import numpy as np
import pytest
from random_nnue import random_nnue

from okapi.brains.halfka import export_network, import_network, network_brain, tensors
from okapi.core import Evaluator, Position, RawBrain
from okapi.core.labelling import evaluated_positions, random_walks
from okapi.core.packed import POSITION, fens, pack, pack_fens
from okapi.errors import InvalidBrain, WrongBrain
from okapi.formats.nnue_file import NnueFile

POSITIONS = pack_fens(
    [
        Position.start().fen(),
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/8/8/8/5k2/4q3/7K b - - 0 1",
    ]
)


@pytest.fixture(scope="module")
def network() -> NnueFile:
    return random_nnue()


@pytest.fixture(scope="module")
def evaluator(network: NnueFile) -> Evaluator:
    return Evaluator.from_brain(RawBrain.from_bytes(network_brain(network, {"name": "made"})))


def test_core_and_numpy_agree(network: NnueFile, evaluator: Evaluator) -> None:
    positions = np.concatenate([POSITIONS, random_walks(POSITIONS[:3], 200, plies=30)])
    expected = halfka_twin.values(network, positions)
    assert len(set(expected.tolist())) > 100
    assert expected.tolist() == [evaluator.centipawns(Position.from_fen(fen)) for fen in fens(positions)]


def test_sums_stay_right_through_a_search(evaluator: Evaluator) -> None:
    """Updated move by move, also over castling and moves of kings, they lead through the same tree as fresh ones."""

    def value_all(rows: np.ndarray, values: np.ndarray) -> None:
        values[:] = [evaluator.centipawns(Position.from_fen(fen)) for fen in fens(rows.copy().view(POSITION)[:, 0])]

    fresh = Evaluator.from_packed(value_all)
    one, other = (evaluated_positions(each, POSITIONS[:3], 3000, nodes=300, one_in=1) for each in (evaluator, fresh))
    assert np.array_equal(one, other)


def test_torch_and_numpy_agree(network: NnueFile) -> None:
    torch = pytest.importorskip("torch")
    from okapi.core.packed import rows
    from okapi.models.halfka import HalfKaLabeller
    from okapi.training.stream import boards_of_packed

    positions = np.concatenate([POSITIONS, random_walks(POSITIONS[:3], 200, plies=30)])
    labeller = HalfKaLabeller(network, torch.device("cpu"), batch=64)
    values = labeller(*boards_of_packed(torch.from_numpy(rows(positions))))
    assert halfka_twin.values(network, positions).tolist() == values.tolist()


def test_an_imported_file_says_where_it_comes_from(network: NnueFile, tmp_path: Path) -> None:
    (tmp_path / "fish.nnue").write_bytes(network.to_bytes())
    (tmp_path / "fish.safetensors").write_bytes(import_network(tmp_path / "fish.nnue", "fish"))
    assert network.to_bytes() == export_network(tmp_path / "fish.safetensors")
    brain = RawBrain.open(str(tmp_path / "fish.safetensors"))
    assert ("fish", "halfka") == (brain.name, brain.kind)


def test_a_brain_with_a_tensor_of_another_shape_is_refused(network: NnueFile) -> None:
    from okapi.brains.files import brain_file

    changed = {**tensors(network), "last_bias": np.zeros(7, np.int32)}
    card = {"name": "bad", "kind": "halfka", "encoding": "halfka-v2-mirrored"}
    with pytest.raises(InvalidBrain, match="last_bias"):
        Evaluator.from_brain(RawBrain.from_bytes(brain_file(card, changed)))


def test_another_kind_of_brain_is_not_exported() -> None:
    from okapi import brains

    with pytest.raises(WrongBrain, match="halfka"):
        export_network(brains.find("champion"))


def test_mirrored_positions_are_worth_the_same(network: NnueFile) -> None:
    one, other = "4k3/8/8/8/8/2N5/PP6/4K3 w - - 0 1", "4k3/pp6/2n5/8/8/8/8/4K3 b - - 0 1"
    values = halfka_twin.values(network, pack([Position.from_fen(one), Position.from_fen(other)]))
    assert values[0] == values[1]
