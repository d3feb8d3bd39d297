"""What neurons do in many positions, and what changes from one brain to the next."""

from pathlib import Path

import nnue_twin
import numpy as np
import pytest

from okapi.analysis.attribution import brain_changes
from okapi.analysis.neurons import FULL, Neurons, NeuronSurvey
from okapi.brains.files import brain_file
from okapi.core import Kind
from okapi.core.packed import NO_GAME, SAMPLE, random_positions
from okapi.core.samples import Rows


@pytest.fixture(scope="module")
def rows() -> Rows:
    """More than are in memory together."""
    rows = np.zeros(700, SAMPLE)
    rows["position"], rows["game"] = random_positions(700, seed=3), NO_GAME
    return rows


@pytest.fixture(scope="module")
def neurons() -> Neurons:
    return Neurons(nnue_twin.random_network(32, seed=4))


@pytest.fixture(scope="module")
def survey(neurons: Neurons, rows: Rows) -> NeuronSurvey:
    return NeuronSurvey.of(neurons, rows)


class TestASurvey:
    def test_influence_is_how_much_what_it_says_differs(
        self, survey: NeuronSurvey, neurons: Neurons, rows: Rows
    ) -> None:
        sums = neurons.sums(rows["position"])
        says = neurons.contributions(rows["position"], sums)
        influence = [fact.influence for fact in survey.neurons]

        assert sorted(influence, reverse=True) == influence and 32 == len({fact.number for fact in survey.neurons})
        for fact in survey.neurons[::9]:
            mine = says[:, :, fact.number]
            assert mine.sum(axis=1).std() == pytest.approx(fact.influence)
            assert (sums[:, :, fact.number] > 0).mean() == pytest.approx(fact.active)
            assert (sums[:, :, fact.number] >= FULL).mean() == pytest.approx(fact.saturated)
            awake = sums[:, :, fact.number] > 0
            assert (mine * [1, -1])[awake].mean() == pytest.approx(fact.mean_contribution)

    def test_the_most_exciting_view_is_found(self, survey: NeuronSurvey, neurons: Neurons, rows: Rows) -> None:
        sums = neurons.sums(rows["position"])[:, :, 6]
        first, second = survey.most_active(6, 2)

        assert sums.max() / FULL == first.activation >= second.activation
        view = int(sums[first.row].argmax())
        assert sums.max() == sums[first.row, view]
        assert (int(rows["position"]["turn"][first.row]) + view) % 2 == first.side.value


def counting(path: Path, **more: int) -> str:
    """A brain that counts pieces, with some of them worth more."""
    usual = {"pawn": 100, "knight": 300, "bishop": 300, "rook": 500, "queen": 900}
    weights = np.array([usual[kind] + more.get(kind, 0) for kind in usual], np.float32)
    card = {"name": path.stem, "kind": "material", "encoding": "material-5"}
    path.write_bytes(brain_file(card, {"weights": weights}))
    return str(path)


class TestChanges:
    def test_a_dearer_knight_is_dearer_everywhere(self, tmp_path: Path, rows: Rows) -> None:
        before, now = counting(tmp_path / "before.safetensors"), counting(tmp_path / "now.safetensors", knight=50)
        found = brain_changes(before, now, rows, worst=1, attributed=100)

        assert [("now", "before")] == [tuple(judge.name for judge in found.compared.evaluators)]
        moved = {kind: round(new - old) for kind, old, new in found.kinds()}
        assert {Kind.KNIGHT: 50} == {kind: by for kind, by in moved.items() if by}
        assert all(abs(change.beyond) < 25 for change in found.squares(50)), "only bare endings, known by rules, differ"
        assert found.compared.pairs[0].whole.mean > 0

    def test_brains_of_one_name_are_told_apart(self, tmp_path: Path, rows: Rows) -> None:
        (tmp_path / "old").mkdir()
        before, now = counting(tmp_path / "old" / "x.safetensors"), counting(tmp_path / "x.safetensors", rook=9)
        found = brain_changes(before, now, rows[:50], worst=0, attributed=10)

        assert ["x, now", "x, before"] == [judge.name for judge in found.compared.evaluators]

    def test_placement_is_what_its_kind_did_not_do(self, tmp_path: Path, rows: Rows) -> None:
        found = brain_changes(counting(tmp_path / "b.safetensors"), "okapi-28", rows, worst=0, attributed=700)
        everywhere = {kind: new - old for kind, old, new in found.kinds()}
        first = found.squares(1)[0]

        assert first.now - first.before - everywhere[first.kind] == pytest.approx(first.beyond)
        assert abs(first.beyond) == max(abs(change.beyond) for change in found.squares(400))
