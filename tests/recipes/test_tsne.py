"""t-SNE against its definition, and clusters that stay apart."""

import numpy as np
import pytest

from okapi.recipes.tsne import _slope, principal, similarities, tsne

DICE = np.random.default_rng(5)
GROUPS = np.repeat(np.arange(4), 30)
ROWS = 6 * DICE.normal(size=(4, 10))[GROUPS] + DICE.normal(size=(120, 10))


@pytest.fixture(scope="module")
def places() -> np.ndarray:
    return tsne(ROWS, perplexity=15, rounds=400)


def test_groups_stay_apart(places: np.ndarray) -> None:
    away = np.linalg.norm(places[:, None] - places, axis=2)
    np.fill_diagonal(away, np.inf)

    assert (GROUPS[away.argmin(axis=1)] == GROUPS).all(), "everybody's nearest neighbour is of the same group"
    centres = np.stack([places[GROUPS == group].mean(axis=0) for group in range(4)])
    widths = [np.linalg.norm(places[GROUPS == group] - centres[group], axis=1).max() for group in range(4)]
    between = np.linalg.norm(centres[:, None] - centres, axis=2)[~np.eye(4, dtype=bool)].min()
    assert between > 1.5 * max(widths)


def test_the_same_seed_gives_the_same_map(places: np.ndarray) -> None:
    assert (places == tsne(ROWS, perplexity=15, rounds=400)).all()
    assert np.abs(places.mean(axis=0)).max() < 1e-3


def test_similarities_have_the_perplexity_that_was_asked_for() -> None:
    count, perplexity = 40, 8.0
    rows = DICE.normal(size=(count, 5))
    together = similarities(rows, perplexity).astype(np.float64)

    assert together == pytest.approx(together.T)
    assert together.sum() == pytest.approx(1, abs=1e-5)
    assert together == pytest.approx(plain_similarities(rows, perplexity), abs=2e-6)


def test_the_slope_is_that_of_the_divergence() -> None:
    rows = DICE.normal(size=(20, 4))
    near = similarities(rows, 5.0)
    places = DICE.normal(size=(20, 2)).astype(np.float32)
    slope = _slope(near, places, 1.0)

    for point, axis in ((0, 0), (7, 1), (19, 0)):
        step = np.zeros((20, 2))
        step[point, axis] = 1e-4
        rise = (divergence(near, places + step) - divergence(near, places - step)) / 2e-4
        assert slope[point, axis] == pytest.approx(rise, abs=2e-5)


def test_rows_that_are_the_same_lie_together_and_harm_nobody() -> None:
    rows = np.concatenate([np.zeros((6, 3)), DICE.normal(size=(30, 3))])
    places = tsne(rows, rounds=300)

    assert np.isfinite(places).all()
    assert np.ptp(places[:6], axis=0).max() < np.ptp(places, axis=0).max() / 4


def test_principal_directions_are_found_in_their_order() -> None:
    rows = DICE.normal(size=(500, 3)) * (1, 5, 2) + 7
    mean, directions = principal(rows, 2)

    assert mean == pytest.approx(rows.mean(axis=0), abs=1e-4)
    assert np.abs(directions).argmax(axis=0).tolist() == [1, 2]
    assert directions.T @ directions == pytest.approx(np.eye(2), abs=1e-5)


def test_three_points_make_no_map() -> None:
    with pytest.raises(ValueError, match="four are the least"):
        tsne(np.zeros((3, 2)))


def plain_similarities(rows: np.ndarray, perplexity: float) -> np.ndarray:
    """One point after the other, with every width tried until one fits."""
    count = len(rows)
    chances = np.zeros((count, count))
    for point in range(count):
        squares = ((rows - rows[point]) ** 2).sum(axis=1)
        squares[point] = np.inf
        squares -= squares.min()
        low, high = 1e-6, 1e6
        for _ in range(200):
            sharpness = np.sqrt(low * high)
            weights = np.exp(-sharpness * squares)
            chance = weights / weights.sum()
            entropy = -sum(share * np.log(share) for share in chance if share > 0)
            low, high = (sharpness, high) if entropy > np.log(perplexity) else (low, sharpness)
        chances[point] = chance
    return (chances + chances.T) / (2 * count)


def divergence(near: np.ndarray, places: np.ndarray) -> float:
    """Kullback and Leibler's, of the map from the similarities."""
    closeness = 1 / (1 + ((places[:, None] - places) ** 2).sum(axis=2))
    np.fill_diagonal(closeness, 0)
    share = closeness / closeness.sum()
    apart = ~np.eye(len(places), dtype=bool)
    return float((near[apart] * np.log(near[apart] / share[apart])).sum())
