"""Ratings of many players at once, with intervals, on the scale of the anchors."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from okapi.arena.likelihood import Array
from okapi.arena.model import PRIOR, UNIT, Model, curvature, fit
from okapi.arena.pool import Pool
from okapi.errors import UsageError, did_you_mean

__all__ = ["Rating", "Ratings", "rate"]


@dataclass(frozen=True, slots=True)
class Rating:
    """One player's line in the table."""

    name: str
    elo: float
    low: float
    """The interval of the distance to the reference: an only anchor has none."""
    high: float
    games: int
    score: float
    """Share of the points, 0 to 1."""
    draws: float
    """Share of the games that were drawn, 0 to 1."""
    opposition: float
    """Mean rating of the opponents, game by game."""


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Players, strongest first, and the model that rates them."""

    players: tuple[Rating, ...]
    advantage: float
    """What White is worth, in Elo of the model."""
    drawelo: float
    """How easily games are drawn, in Elo of the model."""
    scale: float
    """Elo shown for one Elo of the model: between equals the expected score is then the one that everybody knows."""
    los: Array
    """How sure it is that the player of the row is stronger than the one of the column."""


def rate(
    pool: Pool,
    *,
    advantage: float | None = None,
    drawelo: float | None = None,
    prior: float = PRIOR,
    anchors: Mapping[str, float] | None = None,
    mean: float = 0.0,
    confidence: float = 0.95,
    exact: bool = False,
) -> Ratings:
    """Rate the players of a pool.

    White's advantage and drawelo are estimated where they are not given. Without anchors the mean of all ratings is
    `mean`; with anchors, all are moved so that those players are right on average (exactly right, if it is only one).
    Intervals are those of the distance to that reference. `exact` gives the intervals of Bayeselo's `exactdist`
    instead: not symmetric, but taking the opponents' ratings as certain.

    A and B take half of the points each, but A had White more often:

    >>> games = [("A", "B", 1.0), ("B", "A", 0.5), ("A", "B", 0.5)] * 40 + [("A", "B", 0.0), ("B", "A", 1.0)] * 20
    >>> [f"{player.name} {player.elo:.0f} ± {player.elo - player.low:.0f}" for player in rate(Pool.of(games)).players]
    ['B 7 ± 19', 'A -7 ± 19']
    """
    model = fit(pool, advantage=advantage, drawelo=drawelo, prior=prior)
    reference, level = _reference(pool, anchors or {}, mean)
    elo = level + model.scale * (model.elo - reference @ model.elo)
    covariance = _covariance(pool, model, prior, reference, free=(advantage is None, drawelo is None))
    width = NormalDist().inv_cdf((1 + confidence) / 2) * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    below, above = _exact_widths(pool, model, prior, confidence) if exact else (width, width)
    games = pool.games_of_players
    columns = (
        elo,
        elo - below,
        elo + above,
        games.astype(int),
        pool.of_players(pool.wins + pool.draws / 2, pool.losses + pool.draws / 2) / games,
        pool.of_players(pool.draws, pool.draws) / games,
        pool.of_players(pool.games * elo[pool.black], pool.games * elo[pool.white]) / games,
    )
    order = np.argsort(-elo, kind="stable")
    rows = zip((pool.names[i] for i in order), *(column[order].tolist() for column in columns), strict=True)
    los = _superiority(elo[order], covariance[np.ix_(order, order)])
    return Ratings(tuple(Rating(*row) for row in rows), model.advantage, model.drawelo, model.scale, los)


def _reference(pool: Pool, anchors: Mapping[str, float], mean: float) -> tuple[Array, float]:
    """The weights of the players whose mean rating is known, and that mean."""
    for name in anchors:
        if name not in pool.names:
            raise UsageError(f"the anchor `{name}` played no game here", hint=did_you_mean(name, pool.names))
    chosen = np.array([not anchors or name in anchors for name in pool.names], dtype=np.float64)
    return chosen / chosen.sum(), sum(anchors.values()) / len(anchors) if anchors else mean


def _covariance(pool: Pool, model: Model, prior: float, reference: Array, *, free: tuple[bool, bool]) -> Array:
    """The covariance of the shown ratings: the inverse of the curvature of the log-likelihood.

    Advantage and drawelo, where they were estimated (`free`), are uncertain, too, and the scale hangs on drawelo.
    """
    size = len(pool.names)
    uncertain = [*range(size), *(size + index for index in (0, 1) if free[index])]
    full = np.zeros((size + 2, size + 2))
    full[np.ix_(uncertain, uncertain)] = np.linalg.inv(curvature(pool, model, prior)[np.ix_(uncertain, uncertain)])
    centring = np.eye(size) - reference  # from ratings to distances from the reference
    slopes = np.zeros((size, size + 2))
    slopes[:, :size] = model.scale * centring
    slopes[:, -1] = -UNIT * model.scale * np.tanh(UNIT * model.drawelo / 2) * (centring @ model.elo)
    covariance: Array = slopes @ full @ slopes.T / UNIT**2
    return covariance


def _superiority(elo: Array, covariance: Array) -> Array:
    """For each pair: the probability that the first is stronger."""
    variance = np.diag(covariance)
    spread = np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 1e-12))
    likelihood: Array = np.vectorize(NormalDist().cdf, otypes=[np.float64])((elo[:, None] - elo) / spread)
    return likelihood


def _exact_widths(pool: Pool, model: Model, prior: float, confidence: float) -> tuple[Array, Array]:
    """How far below and above each rating its interval reaches, as Bayeselo's `exactdist` has it.

    The likelihood of one rating is looked at alone, while the others stay where they are among each other and together
    give way to keep the mean.
    """
    size, tails = len(pool.names), ((1 - confidence) / 2, (1 + confidence) / 2)
    drawn = pool.draws + pool.virtual_draws(prior)
    moves = np.linspace(-2000, 2000, 4001)
    reach = np.empty((size, 2))
    for player in range(size):
        of = (pool.white == player) | (pool.black == player)
        w, b = pool.white[of], pool.black[of]
        apart = np.where(w == player, 1, -1)[:, None] * moves * size / (size - 1)
        win, loss = model.outcomes((model.elo[w] - model.elo[b])[:, None] + apart)
        draw = np.maximum(1 - win - loss, 1e-300)
        likelihood = pool.wins[of] @ np.log(win) + pool.losses[of] @ np.log(loss) + drawn[of] @ np.log(draw)
        density = np.exp(likelihood - likelihood.max())
        reach[player] = np.interp(tails, (np.cumsum(density) - density / 2) / density.sum(), moves)
    below, above = model.scale * reach.T
    return -below, above
