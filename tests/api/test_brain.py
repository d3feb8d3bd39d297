"""Brains in Python: by name and path, of torch, evaluated, asked for moves, played with, saved."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from okapi import Brain, Limits, Position
from okapi.brains import evaluations, find
from okapi.core.packed import pack, random_positions, unpack
from okapi.errors import InvalidBrain, NotFound, UsageError, WrongBrain

POSITIONS = random_positions(50, seed=1)


def dense(inputs: int = 768) -> nn.Sequential:
    torch.manual_seed(1)
    return nn.Sequential(nn.Flatten(), nn.Linear(inputs, 16), nn.ReLU(), nn.Linear(16, 1), nn.Sigmoid())


def planes() -> nn.Sequential:
    torch.manual_seed(1)
    return nn.Sequential(
        nn.Conv2d(18, 4, 3, padding=1), nn.ReLU(), nn.Sequential(nn.Flatten(), nn.Linear(256, 1), nn.Sigmoid())
    )


class Own(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inside = nn.Linear(64, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.sigmoid(self.inside(x.sum(dim=1).flatten(1)))[:, 0]


class TestLoading:
    def test_names_paths_and_text_of_paths_are_the_same_brain(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.safetensors"
        shutil.copy(find("material"), path)

        assert (
            Brain.load("material").card.weights == Brain.load(path).card.weights == Brain.load(str(path)).card.weights
        )

    def test_without_a_name_it_is_the_champion(self) -> None:
        assert "champion" == Brain.load().name

    def test_an_unknown_name_has_a_hint(self) -> None:
        with pytest.raises(NotFound) as raised:
            Brain.load("materiel")
        assert "material" in raised.value.hint


class TestEvaluating:
    @pytest.mark.parametrize("name", ["material", "champion", "sabatelli-mlp"])
    def test_one_many_and_packed_positions_have_the_same_values(self, name: str) -> None:
        brain = Brain.load(name)
        listed = [Position(), Position("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")]

        np.testing.assert_array_equal(brain.evaluate(listed), brain.evaluate(pack(listed)))
        assert [brain.evaluate(position) for position in listed] == brain.evaluate(listed).tolist()
        np.testing.assert_array_equal(evaluations(name, POSITIONS).values, brain.evaluate(POSITIONS))

    def test_a_brain_that_predicts_moves_has_no_values(self) -> None:
        with pytest.raises(WrongBrain, match="predicts moves"):
            Brain.load("okapi-human").evaluate(Position())

    def test_moves_are_sorted_and_only_of_those_that_predict(self) -> None:
        shares = [share for _, share in Brain.load("okapi-human").moves(Position(), elo=2400)]

        assert sorted(shares, reverse=True) == shares
        with pytest.raises(WrongBrain):
            Brain.load("material").moves(Position())

    def test_both_kinds_play(self) -> None:
        mate = Position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")

        assert "Ra8#" == mate.san(Brain.load("material").choose(mate, Limits(depth=2)).move)
        assert Position().is_legal(Brain.load("okapi-human").choose(Position()).move)


class TestTorch:
    def test_a_value_is_that_of_the_module(self) -> None:
        network = Own()
        brain = Brain.from_torch(network, encoding="planes-18", name="own")
        from okapi.encodings import ENCODINGS

        arrays = torch.from_numpy(ENCODINGS["planes-18"].encode_many(POSITIONS, np.float32))
        np.testing.assert_allclose(network(arrays).detach().numpy(), brain.evaluate(POSITIONS), atol=1e-6)

    def test_the_search_evaluates_with_it_and_finds_a_mate(self) -> None:
        mate = Position("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        decision = Brain.from_torch(Own()).choose(mate, Limits(depth=3))

        assert "Ra8#" == mate.san(decision.move)

    @pytest.mark.parametrize(
        ("network", "encoding"), [(dense(), "bitmap-768"), (planes(), "planes-18"), (Own(), "planes-18")]
    )
    def test_the_evaluator_of_a_match_has_the_module_s_values(self, network: nn.Module, encoding: str) -> None:
        brain = Brain.from_torch(network, encoding=encoding)
        listed = [unpack(row) for row in POSITIONS]

        np.testing.assert_allclose(brain.evaluate(POSITIONS), brain.evaluator()(listed), atol=0.002)  # centipawns

    def test_further_training_counts_at_once(self) -> None:
        network = dense()
        brain = Brain.from_torch(network, encoding="planes-12")
        before = brain.evaluate(Position())
        with torch.no_grad():
            network[3].bias += 1  # type: ignore[operator]

        assert before < brain.evaluate(Position())

    def test_the_module_stays_in_training_mode(self) -> None:
        network = nn.Sequential(nn.Flatten(), nn.Dropout(0.5), nn.Linear(768, 1), nn.Sigmoid()).train()
        brain = Brain.from_torch(network, encoding="planes-12")

        assert brain.evaluate(Position()) == brain.evaluate(Position())
        assert network.training and network[1].training

    def test_a_value_for_white_is_turned_for_black(self) -> None:
        brain = Brain.from_torch(dense(), encoding="bitmap-768", view="white")
        mover = Brain.from_torch(dense(), encoding="bitmap-768")
        black = Position().after("e4")

        assert pytest.approx(1 - mover.evaluate(black)) == brain.evaluate(black)

    @pytest.mark.parametrize(
        ("network", "encoding", "kind"),
        [
            (dense(), "bitmap-768", "perceptron"),
            (dense(), "planes-12", "convolutional"),
            (planes(), "planes-18", "convolutional"),
        ],
    )
    def test_what_is_saved_has_the_same_values(
        self, network: nn.Module, encoding: str, kind: str, tmp_path: Path
    ) -> None:
        brain = Brain.from_torch(network, encoding=encoding, name="mine")
        saved = Brain.load(brain.save(tmp_path / "mine.safetensors"))

        assert ("mine", kind, encoding) == (saved.name, saved.card.kind, saved.card.encoding)
        np.testing.assert_allclose(brain.evaluate(POSITIONS), saved.evaluate(POSITIONS), atol=1e-6)

    def test_another_module_is_not_saved_and_leaves_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="Own cannot be written"):
            Brain.from_torch(Own()).save(tmp_path / "own.safetensors")
        assert [] == list(tmp_path.iterdir())

    def test_a_network_of_another_shape_is_refused_at_once(self) -> None:
        with pytest.raises(UsageError, match="planes-18, n x 18 x 8 x 8"):
            Brain.from_torch(dense())
        with pytest.raises(UsageError, match=r"shape \(2, 3\) for 2 positions"):
            Brain.from_torch(nn.Sequential(nn.Flatten(), nn.Linear(768, 3)), encoding="planes-12")
        with pytest.raises(NotFound, match="no encoding"):
            Brain.from_torch(dense(), encoding="planes-13")

    def test_numbers_that_are_not_finite_are_refused(self) -> None:
        network = dense()
        with torch.no_grad():
            network[3].bias.fill_(float("nan"))  # type: ignore[operator]
        with pytest.raises(InvalidBrain, match="not finite"):
            Brain.from_torch(network, encoding="planes-12")
