"""Ratings of many players at once, with intervals, on the scale of the anchors: the model of Bayeselo."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Self

import numpy as np
from numpy.typing import NDArray

from okapi.arena.elo import Array
from okapi.errors import NotRatable, UsageError, did_you_mean


@dataclass(frozen=True, slots=True, eq=False)
class RatingPool:
    """Counts of the games of many players. Two players have two entries, one for each of them with White."""

    names: tuple[str, ...]
    white: NDArray[np.intp]
    black: NDArray[np.intp]
    wins: Array
    draws: Array
    losses: Array

    @classmethod
    def of(cls, games: Iterable[tuple[str, str, float]]) -> Self:
        """Count games, given as White, Black and White's points (0, ½, 1)."""
        counted = Counter(games)
        names = tuple(sorted({name for white, black, _ in counted for name in (white, black)}))
        number = {name: index for index, name in enumerate(names)}
        met = sorted({pair for white, black, _ in counted for pair in ((white, black), (black, white))})
        entry = {pair: index for index, pair in enumerate(met)}
        counts = np.zeros((3, len(met)))
        for (white, black, points), times in counted.items():
            if white == black:
                raise NotRatable(f"{white} plays against itself", hint="give the two players different names")
            counts[round(2 - 2 * points), entry[white, black]] += times
        return cls(
            names,
            np.array([number[white] for white, _ in met], dtype=np.intp),
            np.array([number[black] for _, black in met], dtype=np.intp),
            *counts,
        )

    def of_players(self, for_white: Array, for_black: Array) -> Array:
        """Sum a quantity of the entries for each player: one value as White, another as Black."""
        size = len(self.names)
        return np.bincount(self.white, for_white, size).astype(float) + np.bincount(self.black, for_black, size)

    @property
    def games(self) -> Array:
        return self.wins + self.draws + self.losses

    def virtual_draws(self, prior: float) -> Array:
        """Bayeselo's prior: virtual draws, for each entry. They keep ratings finite and, with few games, close.

        Each player has about `prior` of them: half come from it, by its games with each opponent, half from them.
        """
        back = np.lexsort((self.white, self.black))  # entries are sorted by White, then by Black
        both = self.games + self.games[back]
        games = self.of_players(self.games, self.games)
        return np.asarray(prior / 4 * (both / games[self.white] + both / games[self.black]))

    def groups(self) -> list[list[str]]:
        """The groups of players linked by games, largest first."""
        groups = {tuple(np.flatnonzero(row).tolist()) for row in self._linked(self.games, self.games)}
        ordered = sorted(groups, key=lambda group: (-len(group), group))
        return [[self.names[index] for index in group] for group in ordered]

    def unbounded(self) -> list[str]:
        """Players that lost no point, or won none, against the rest: without a prior their ratings are infinite."""
        not_lost, not_won = self.wins + self.draws, self.losses + self.draws
        for there, back in ((not_lost, not_won), (not_won, not_lost)):
            group = self._linked(there, back)[0]
            if not group.all():
                few = ~group if 2 * group.sum() > len(group) else group
                return [self.names[index] for index in np.flatnonzero(few)]
        return []

    def _linked(self, there: Array, back: Array) -> NDArray[np.bool_]:
        """Who leads to whom, also by others: White to Black where `there` is more than 0, and back."""
        linked = np.eye(len(self.names), dtype=np.float32)
        linked[self.white[there > 0], self.black[there > 0]] = 1
        linked[self.black[back > 0], self.white[back > 0]] = 1
        while (farther := (linked @ linked > 0).astype(np.float32)).sum() > linked.sum():
            linked = farther
        return linked > 0


# White wins with probability f(d + advantage − drawelo) and loses with f(−d − advantage − drawelo), where d is White's
# rating minus Black's and f(x) = 1 / (1 + 10^(−x/400)); else it is a draw (Rao and Kupper 1967; Coulom 2005).

BAYESELO_ADVANTAGE = 32.8
BAYESELO_DRAWELO = 97.3
"""Bayeselo's defaults, measured on games of people and older engines."""

PRIOR = 2.0
"""Virtual draws of each player, as in Bayeselo."""

EQUALS = 10
"""Virtual games between equals for each virtual draw, by Bayeselo's defaults: else drawelo could be infinite."""

UNIT = float(np.log(10) / 400)
"""From Elo to natural logarithms of odds."""

STEPS = 50_000
"""The most steps of minorisation-maximisation; a chain of 50 players takes some thousand."""


@dataclass(frozen=True, slots=True, eq=False)
class RatingModel:
    """A fitted model: ratings around 0, in Elo of the model, White's advantage and drawelo."""

    elo: Array
    advantage: float
    drawelo: float

    @property
    def scale(self) -> float:
        """The slope of the expected score between equals, compared with the slope of f."""
        return float(1 / np.cosh(UNIT * self.drawelo / 2) ** 2)

    def outcomes(self, difference: Array) -> tuple[Array, Array]:
        """Probabilities that White wins and loses, for a rating `difference` of White minus Black."""
        lead = UNIT * (difference + self.advantage)
        win, loss = (1 / (1 + np.exp(np.minimum(UNIT * self.drawelo - way, 500))) for way in (lead, -lead))
        return win, loss


def _with_prior(pool: RatingPool, prior: float) -> RatingPool:
    """The pool with its virtual draws; the last player and the last entry are the virtual games between equals."""
    equals, games = len(pool.names), EQUALS * prior
    usual = RatingModel(np.zeros(2), BAYESELO_ADVANTAGE, BAYESELO_DRAWELO)
    win, loss = (float(chance[0]) for chance in usual.outcomes(np.zeros(1)))
    return RatingPool(
        (*pool.names, "equals"),
        np.append(pool.white, equals),
        np.append(pool.black, equals),
        np.append(pool.wins, games * win),
        np.append(pool.draws + pool.virtual_draws(prior), games * (1 - win - loss)),
        np.append(pool.losses, games * loss),
    )


def fit_model(
    pool: RatingPool, *, advantage: float | None = None, drawelo: float | None = None, prior: float = PRIOR
) -> RatingModel:
    """The most likely ratings, around 0, by minorisation-maximisation (Hunter 2004), with advantage and drawelo.

    In powers of ten, strengths x, advantage a and drawelo t make each result a fraction such as a·x / (a·x + t·y). Each
    step replaces the logarithms of the denominators by their tangents, which lie above, and is solved number by number.
    """
    _check(pool, prior)
    seen, players = _with_prior(pool, prior), slice(len(pool.names))
    not_lost, not_won = seen.wins + seen.draws, seen.losses + seen.draws
    points = seen.of_players(not_lost, not_won)[players]
    x = np.ones(len(seen.names))
    a, t = (1.0 if given is None else float(np.exp(UNIT * given)) for given in (advantage, drawelo))

    def tangents() -> tuple[Array, Array]:
        """The slopes of the logarithms of both denominators, as often as each occurs."""
        white, black = x[seen.white], x[seen.black]
        return not_lost / (a * white + t * black), not_won / (t * a * white + black)

    for _ in range(STEPS):
        before = x.copy(), a, t
        by_win, by_loss = tangents()
        x[players] = points / seen.of_players(a * by_win + t * a * by_loss, t * by_win + by_loss)[players]
        x[players] /= np.exp(np.log(x[players]).mean())
        if advantage is None:
            by_win, by_loss = tangents()
            a = float(not_lost.sum() / (x[seen.white] @ (by_win + t * by_loss)))
        if drawelo is None:
            by_win, by_loss = tangents()
            ratio = float(seen.draws.sum() / (x[seen.black] @ by_win + a * x[seen.white] @ by_loss))
            t = ratio + float(np.sqrt(ratio**2 + 1))
        if max(np.abs(np.log(x / before[0])).max(), abs(a / before[1] - 1), abs(t / before[2] - 1)) < 1e-9:
            break
    else:
        raise NotRatable("the results have no most likely ratings", hint="--prior 2, or --drawelo 97.3, or more games")
    return RatingModel(np.log(x[players]) / UNIT, float(np.log(a) / UNIT), float(np.log(t) / UNIT))


def curvature(pool: RatingPool, model: RatingModel, prior: float) -> Array:
    """Minus the second derivatives of the log-likelihood by ratings, held by a spring, then advantage and drawelo."""
    seen, size = _with_prior(pool, prior), len(pool.names)
    elo = np.append(model.elo, 0.0)
    win, loss = model.outcomes(elo[seen.white] - elo[seen.black])
    of_win = (seen.wins + seen.draws) * win * (1 - win)
    of_loss = (seen.losses + seen.draws) * loss * (1 - loss)
    straight, crossed = of_win + of_loss, of_loss - of_win
    matrix = np.zeros((size + 2, size + 2))
    w, b, met = pool.white, pool.black, straight[:-1]
    for rows, columns, values in ((w, w, met), (b, b, met), (w, b, -met), (b, w, -met)):
        np.add.at(matrix, (rows, columns), values)
    matrix[:size, :size] += met.sum() / size**2
    bend = seen.draws.sum() / np.sinh(UNIT * model.drawelo) ** 2 if model.drawelo > 0 else 0.0
    for place, slopes in ((size, straight), (size + 1, crossed)):
        matrix[:size, place] = matrix[place, :size] = seen.of_players(slopes, -slopes)[:size]
    both, apart = straight.sum(), crossed.sum()
    matrix[size:, size:] = [[both, apart], [apart, both + bend]]
    return matrix


def _check(pool: RatingPool, prior: float) -> None:
    """NotRatable or UsageError for a pool that cannot be rated."""
    if len(pool.names) < 2:
        raise NotRatable("there is no finished game between two players", hint="ratings come from results")
    groups = pool.groups()
    if len(groups) > 1:
        shown = " | ".join(_few(group) for group in groups[:4]) + (" | …" if len(groups) > 4 else "")
        hint = "rate the groups one by one, or play games between them"
        raise NotRatable(f"{len(groups)} groups of players never met: {shown}", hint=hint)
    if prior < 0:
        raise UsageError(f"a prior of {prior:g} draws", hint="expected 0 or more; Bayeselo has 2")
    if prior == 0 and (group := pool.unbounded()):
        what = f"{_few(group)} only won, or only lost, against the others: the ratings are infinite"
        raise NotRatable(what, hint=f"--prior {PRIOR:g}, or more games")


def _few(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Rating:
    name: str
    elo: float
    low: float
    """The interval of the distance to the reference; a single anchor has none."""
    high: float
    games: int
    score: float
    draws: float
    opposition: float
    """Mean rating of the opponents, game by game."""


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Players, strongest first, and the model that rates them."""

    players: tuple[Rating, ...]
    advantage: float
    """White's advantage, in Elo of the model."""
    drawelo: float
    """How easily games are drawn, in Elo of the model."""
    scale: float
    """Elo shown for one Elo of the model: it makes the expected score between near equals that of the Elo formula."""
    los: Array
    """The probability that the row's player is stronger than the column's."""


def rate(
    pool: RatingPool,
    *,
    advantage: float | None = None,
    drawelo: float | None = None,
    prior: float = PRIOR,
    anchors: Mapping[str, float] | None = None,
    mean: float = 0.0,
    exact: bool = False,
) -> Ratings:
    """Rate the players of a pool; White's advantage and drawelo are estimated where they are not given.

    The mean of all ratings is `mean`; with anchors, all are shifted so that theirs is right. Intervals are those of the
    distance to that reference or, if `exact`, of Bayeselo's `exactdist`: for opponents of certain ratings.
    """
    model = fit_model(pool, advantage=advantage, drawelo=drawelo, prior=prior)
    anchors = anchors or {}
    for name in sorted(anchors.keys() - pool.names):
        raise UsageError(f"the anchor `{name}` played no game", hint=did_you_mean(name, pool.names))
    known = np.array([not anchors or name in anchors for name in pool.names], dtype=np.float64)
    reference, level = known / known.sum(), sum(anchors.values()) / len(anchors) if anchors else mean
    elo = level + model.scale * (model.elo - reference @ model.elo)
    covariance = _covariance(pool, model, prior, reference, free=(advantage is None, drawelo is None))
    width = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    below, above = _exact_widths(pool, model, prior) if exact else (width, width)
    games = pool.of_players(pool.games, pool.games)
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
    variance = np.diag(covariance)
    spread = np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 1e-12))
    stronger = np.vectorize(NormalDist().cdf, otypes=[np.float64])((elo[:, None] - elo) / spread)
    los = stronger[np.ix_(order, order)]
    return Ratings(tuple(Rating(*row) for row in rows), model.advantage, model.drawelo, model.scale, los)


def _covariance(pool: RatingPool, model: RatingModel, prior: float, reference: Array, free: tuple[bool, bool]) -> Array:
    """The covariance of the shown ratings; advantage and drawelo, where estimated (`free`), are uncertain, too."""
    size = len(pool.names)
    uncertain = [*range(size), *(size + index for index in (0, 1) if free[index])]
    full = np.zeros((size + 2, size + 2))
    full[np.ix_(uncertain, uncertain)] = np.linalg.inv(curvature(pool, model, prior)[np.ix_(uncertain, uncertain)])
    centring = np.eye(size) - reference  # from ratings to distances from the reference
    slopes = np.zeros((size, size + 2))
    slopes[:, :size] = model.scale * centring
    slopes[:, -1] = -UNIT * model.scale * np.tanh(UNIT * model.drawelo / 2) * (centring @ model.elo)
    return np.asarray(slopes @ full @ slopes.T / UNIT**2)


def _exact_widths(pool: RatingPool, model: RatingModel, prior: float) -> tuple[Array, Array]:
    """How far below and above each rating its interval reaches by Bayeselo's `exactdist`: the others move together."""
    size, tails = len(pool.names), ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
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
