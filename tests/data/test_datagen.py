"""Samples of own games: the same file however it came about, and games of others are not mixed with them."""

from pathlib import Path

import numpy as np
import pytest

from okapi.data import datagen
from okapi.data.datagen import DatagenConfig, DatagenProgress, generate_samples
from okapi.data.samples import Samples
from okapi.errors import InvalidSamples, Unfinished

ASKED = DatagenConfig(brain="material", nodes=8)


@pytest.fixture(autouse=True)
def few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datagen, "SMALLEST_BATCH", 3)
    monkeypatch.setattr(datagen, "NODES_IN_A_BATCH", 1)


def test_the_file_is_the_same_however_often_it_was_interrupted(tmp_path: Path) -> None:
    whole, torn = tmp_path / "whole.samples", tmp_path / "torn.samples"
    generate_samples(ASKED, 12, whole)
    answers = iter([False, True])
    with pytest.raises(Unfinished, match="3 of 12 games"):
        generate_samples(ASKED, 12, torn, stop=lambda: next(answers))
    with torn.open("ab") as file:
        file.write(b"half a block that a killed writer left")
    told: list[int] = []
    report = generate_samples(ASKED, 12, torn, threads=3, watch=lambda now: told.append(now.games))

    assert whole.read_bytes() == torn.read_bytes()
    assert [3, 6, 9, 12] == told
    assert (12, 3) == (report.games, report.kept)
    assert 12 == sum(report.results.values())


def test_every_position_is_a_sample(tmp_path: Path) -> None:
    report = generate_samples(ASKED, 5, tmp_path / "own.samples")
    samples = Samples.open(tmp_path / "own.samples")

    assert report.positions == len(samples)
    assert report.nodes == samples[:]["nodes"].sum()
    assert list(range(5)) == np.unique(samples[:]["game"]).tolist()
    assert "material" == samples.card["teacher"]


def test_it_goes_on_if_more_is_asked_for(tmp_path: Path) -> None:
    generate_samples(ASKED, 3, tmp_path / "own.samples")
    report = generate_samples(ASKED, 6, tmp_path / "own.samples")
    again: DatagenProgress = generate_samples(ASKED, 6, tmp_path / "own.samples")

    assert (6, 3) == (report.games, report.kept)
    assert (6, 6, report.results) == (again.games, again.kept, again.results)


def test_games_of_others_are_not_mixed_with_them(tmp_path: Path) -> None:
    generate_samples(ASKED, 1, tmp_path / "own.samples")
    with pytest.raises(InvalidSamples, match="nodes was 8 and is 9"):
        generate_samples(DatagenConfig(brain="material", nodes=9), 1, tmp_path / "own.samples")
    with pytest.raises(InvalidSamples, match="teacher was 'material' and is 'okapi-28'"):
        generate_samples(DatagenConfig(brain="okapi-28", nodes=8), 1, tmp_path / "own.samples")
