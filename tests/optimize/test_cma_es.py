from functools import partial

import numpy as np
import pytest
from known_peaks import BOX, distance, sphere, steps

from okapi.errors import UsageError
from okapi.optimize.evolution import cma_es
from okapi.optimize.population import Score


def test_without_pycma_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(UsageError, match="needs pycma"):
        next(cma_es(sphere, BOX, players=8, generations=3, seed=1))


@pytest.mark.filterwarnings("ignore")
class TestWithPycma:
    learn = staticmethod(partial(cma_es, space=BOX, players=10, generations=60, seed=1))

    @pytest.fixture(autouse=True)
    def needs_pycma(self) -> None:
        pytest.importorskip("cma", reason="pip install 'okapi-chess[learn]'")

    @pytest.mark.parametrize("score", [sphere, steps])
    def test_the_cloud_finds_the_peak(self, score: Score) -> None:
        *_, last = self.learn(score)

        assert distance(last.best) < 5.0

    def test_the_best_player_is_never_lost_and_all_stay_within(self) -> None:
        generations = list(self.learn(sphere))
        best = [now.best_score for now in generations]

        assert best == sorted(best)
        assert [10 * (number + 1) for number in range(61)] == [now.evaluations for now in generations]
        assert all(np.array_equal(BOX.clip(now.population), now.population) for now in generations)

    def test_the_seed_decides_and_numpys_own_dice_are_left_alone(self) -> None:
        np.random.seed(7)
        expected = np.random.random()
        np.random.seed(7)
        first, second = ([now.best_score for now in self.learn(sphere, generations=9)] for _ in range(2))

        assert first == second != [now.best_score for now in self.learn(sphere, generations=9, seed=2)]
        assert expected == np.random.random()
