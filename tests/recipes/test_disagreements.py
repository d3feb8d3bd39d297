"""Lessons leave the positions where brain and teacher disagree most, from those that the brain never saw."""

from pathlib import Path

import numpy as np
import pytest

from okapi.analysis.compare import DisagreementList
from okapi.brains import evaluations
from okapi.core.packed import fens, random_positions, rows
from okapi.recipes import training
from okapi.recipes.training import write_disagreements


def test_the_worst_is_first_and_as_the_brain_says(sorter: Path, tmp_path: Path) -> None:
    positions = random_positions(300, seed=2)
    values = np.full(300, -2000, np.int16)
    write_disagreements(sorter, "labels.tsv", positions, values, tmp_path)
    listed = DisagreementList.read(tmp_path / "disagreements.json")
    said = evaluations(str(sorter), positions).values

    # Sixty, and eight of the worst five of each kind that are not among them.
    assert ("sorter", "labels.tsv", 68) == (listed.brain, listed.teacher, len(listed.positions))
    assert float(said.max()) == pytest.approx(listed.positions[0].value, abs=1e-4)
    assert fens(positions)[int(said.argmax())] == listed.positions[0].fen


def test_bytes_of_a_course_will_do_and_some_of_many_are_enough(
    sorter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "MOST_DISAGREEMENTS", 20)
    write_disagreements(sorter, "t", rows(random_positions(300, seed=2)), np.zeros(300, np.int16), tmp_path)

    assert 20 == len(DisagreementList.read(tmp_path / "disagreements.json").positions)
