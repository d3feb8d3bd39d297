"""Datasets: samples, games and self-play as arrays and as tensors."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader

from okapi import Dataset, Game, Position
from okapi.core.packed import SAMPLE, pack
from okapi.data.sources import write_samples
from okapi.encodings import ENCODINGS
from okapi.errors import InvalidSamples, NotFound, OkapiError, UsageError
from okapi.formats.pgn import write_pgn


def samples() -> np.ndarray:
    rows = np.zeros(3, SAMPLE)
    rows["position"] = pack([Position(), Position().after("e4"), Position().after("d4")])
    rows["value"], rows["result"] = (0, 400, -32768), (1, 2, -1)
    return rows


class TestReading:
    def test_a_target_is_the_expected_score_of_the_value_or_of_the_result(self) -> None:
        np.testing.assert_allclose([0.5, 10 / 11], Dataset.from_samples(samples()).targets, atol=1e-6)
        assert [0.5, 1.0] == Dataset.from_samples(samples(), target="result").targets.tolist()

    def test_a_file_is_read_by_text_and_path(self, tmp_path: Path) -> None:
        path = tmp_path / "few.samples"
        write_samples(path, [samples()])

        assert 2 == len(Dataset.load(path)) == len(Dataset.load(str(path)))

    def test_a_pgn_has_results_and_no_values(self, tmp_path: Path) -> None:
        path = tmp_path / "games.pgn"
        path.write_text(write_pgn(Game.of(["f3", "e5", "g4", "Qh4#"])))

        assert [0.0, 1.0, 0.0, 1.0] == Dataset.load(path, target="result").targets.tolist()
        with pytest.raises(InvalidSamples, match="no position has a value"):
            Dataset.load(path)

    def test_what_is_not_there_is_not_found(self, tmp_path: Path) -> None:
        with pytest.raises(OkapiError):
            Dataset.load(tmp_path / "nothing.samples")

    def test_the_same_arguments_give_the_same_games(self) -> None:
        one, again, other = (Dataset.selfplay("material", games=2, nodes=20, seed=seed) for seed in (1, 1, 2))

        assert one.fingerprint() == again.fingerprint() != other.fingerprint()


class TestTensors:
    def test_numpy_and_torch_see_the_same(self) -> None:
        data = Dataset.selfplay("material", games=2, nodes=20)
        inputs, targets = data.arrays("planes-18")
        batches = list(DataLoader(data.torch("planes-18"), batch_size=32))

        assert isinstance(data.torch("planes-18"), torch.utils.data.Dataset)
        np.testing.assert_array_equal(inputs, torch.cat([seen for seen, _ in batches]).numpy())
        np.testing.assert_array_equal(targets, torch.cat([scores for _, scores in batches]).numpy())
        np.testing.assert_array_equal(inputs[0], ENCODINGS["planes-18"].encode_many(data.records[:1], np.float32)[0])

    def test_an_unknown_encoding_is_refused(self) -> None:
        data = Dataset.from_samples(samples())
        with pytest.raises(NotFound):
            data.arrays("planes-13")
        with pytest.raises(UsageError):
            data.torch("planes-13")
