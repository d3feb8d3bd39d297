"""The model of Bayeselo, and the numbers that make a pool's results likeliest.

White wins with probability f(d + advantage − drawelo) and loses with f(−d − advantage − drawelo), where d is White's
rating minus Black's and f(x) = 1 / (1 + 10^(−x/400)); else it is a draw (Rao and Kupper 1967; Coulom 2005).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from okapi.arena.likelihood import Array
from okapi.arena.pool import Pool
from okapi.errors import NotRatable, UsageError

__all__ = ["BAYESELO_ADVANTAGE", "BAYESELO_DRAWELO", "PRIOR", "UNIT", "Model", "curvature", "fit"]

BAYESELO_ADVANTAGE = 32.8
BAYESELO_DRAWELO = 97.3
"""What Bayeselo assumes where nobody asks it to estimate: measured on games of people and older engines."""

PRIOR = 2.0
"""Virtual draws of each player, as in Bayeselo."""

EQUALS = 10
"""For each virtual draw of a player, so many virtual games between equals that end as Bayeselo's numbers say. They
count only for advantage and drawelo: without them a match in which one side never won would make drawelo infinite."""

UNIT = float(np.log(10) / 400)
"""From Elo to natural logarithms of odds."""

STEPS = 50_000
"""More than minorisation-maximisation has ever needed here; a chain of 50 players takes some thousand."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A fit: ratings of the pool's players around 0, in Elo of the model, and the two numbers of the game itself."""

    elo: Array
    advantage: float
    drawelo: float

    @property
    def scale(self) -> float:
        """The slope of the expected score between equals, compared with the slope of f.

        >>> round(Model(np.zeros(2), 0.0, 97.3).scale, 4)
        0.9255
        """
        return float(1 / np.cosh(UNIT * self.drawelo / 2) ** 2)

    def outcomes(self, difference: Array) -> tuple[Array, Array]:
        """Probabilities that White wins and loses, so much stronger than Black.

        >>> win, loss = Model(np.zeros(2), 32.8, 97.3).outcomes(np.zeros(1))
        >>> win.round(3).tolist(), loss.round(3).tolist()
        ([0.408], [0.321])
        """
        lead = UNIT * (difference + self.advantage)
        win, loss = (1 / (1 + np.exp(np.minimum(UNIT * self.drawelo - way, 500))) for way in (lead, -lead))
        return win, loss


@dataclass(frozen=True, slots=True, eq=False)
class _Evidence:
    """Entries of a pool with their virtual draws; the last entry is the virtual games of an equal against an equal."""

    white: NDArray[np.intp]
    black: NDArray[np.intp]
    not_lost: Array
    """By White."""
    not_won: Array
    drawn: Array

    @classmethod
    def of(cls, pool: Pool, prior: float) -> "_Evidence":
        equals = len(pool.names)
        usual = Model(np.zeros(2), BAYESELO_ADVANTAGE, BAYESELO_DRAWELO)
        win, loss = (float(chance[0]) for chance in usual.outcomes(np.zeros(1)))
        virtual, games = pool.virtual_draws(prior), EQUALS * prior
        return cls(
            np.append(pool.white, equals),
            np.append(pool.black, equals),
            np.append(pool.wins + pool.draws + virtual, games * (1 - loss)),
            np.append(pool.losses + pool.draws + virtual, games * (1 - win)),
            np.append(pool.draws + virtual, games * (1 - win - loss)),
        )

    def tangents(self, x: Array, a: float, t: float) -> tuple[Array, Array]:
        """The slopes of the logarithms of both denominators, as often as each occurs."""
        white, black = x[self.white], x[self.black]
        return self.not_lost / (a * white + t * black), self.not_won / (t * a * white + black)

    def of_players(self, for_white: Array, for_black: Array) -> Array:
        """Sum a quantity for each player; the equals come last."""
        return np.bincount(self.white, for_white).astype(float) + np.bincount(self.black, for_black)


def fit(pool: Pool, *, advantage: float | None = None, drawelo: float | None = None, prior: float = PRIOR) -> Model:
    """The likeliest ratings, around 0, by minorisation-maximisation (Hunter 2004); advantage and drawelo, if not given.

    In powers of ten, strengths x, advantage a and drawelo t make each result a fraction such as a·x / (a·x + t·y). Each
    step replaces the logarithms of the denominators by their tangents, which lie above; what remains is solved for each
    number alone. No step can make the results less likely.
    """
    _check(pool, prior)
    seen, players = _Evidence.of(pool, prior), slice(len(pool.names))
    points = seen.of_players(seen.not_lost, seen.not_won)[players]
    x = np.ones(len(pool.names) + 1)
    a, t = (1.0 if given is None else float(np.exp(UNIT * given)) for given in (advantage, drawelo))
    for _ in range(STEPS):
        before = x.copy(), a, t
        by_win, by_loss = seen.tangents(x, a, t)
        x[players] = points / seen.of_players(a * by_win + t * a * by_loss, t * by_win + by_loss)[players]
        x[players] /= np.exp(np.log(x[players]).mean())
        if advantage is None:
            by_win, by_loss = seen.tangents(x, a, t)
            a = float(seen.not_lost.sum() / (x[seen.white] @ (by_win + t * by_loss)))
        if drawelo is None:
            by_win, by_loss = seen.tangents(x, a, t)
            ratio = float(seen.drawn.sum() / (x[seen.black] @ by_win + a * x[seen.white] @ by_loss))
            t = ratio + float(np.sqrt(ratio**2 + 1))
        if max(np.abs(np.log(x / before[0])).max(), abs(a / before[1] - 1), abs(t / before[2] - 1)) < 1e-9:
            break
    else:
        raise NotRatable("the results have no likeliest ratings", hint="--prior 2, or --drawelo 97.3, or more games")
    return Model(np.log(x[players]) / UNIT, float(np.log(a) / UNIT), float(np.log(t) / UNIT))


def curvature(pool: Pool, model: Model, prior: float) -> Array:
    """Minus the second derivatives of the log-likelihood by ratings, then advantage and drawelo, in natural units.

    Ratings are known only up to a constant: a spring to their mean makes the matrix invertible and changes no distance.
    """
    seen, size = _Evidence.of(pool, prior), len(pool.names)
    elo = np.append(model.elo, 0.0)
    win, loss = model.outcomes(elo[seen.white] - elo[seen.black])
    of_win, of_loss = seen.not_lost * win * (1 - win), seen.not_won * loss * (1 - loss)
    straight, crossed = of_win + of_loss, of_loss - of_win
    matrix = np.zeros((size + 2, size + 2))
    w, b, met = pool.white, pool.black, straight[:-1]
    for rows, columns, values in ((w, w, met), (b, b, met), (w, b, -met), (b, w, -met)):
        np.add.at(matrix, (rows, columns), values)
    matrix[:size, :size] += met.sum() / size**2
    matrix[:size, size] = matrix[size, :size] = seen.of_players(straight, -straight)[:size]
    matrix[:size, size + 1] = matrix[size + 1, :size] = seen.of_players(crossed, -crossed)[:size]
    matrix[size, size + 1] = matrix[size + 1, size] = crossed.sum()
    matrix[size, size] = straight.sum()
    bend = seen.drawn.sum() / np.sinh(UNIT * model.drawelo) ** 2 if model.drawelo > 0 else 0.0
    matrix[size + 1, size + 1] = straight.sum() + bend
    return matrix


def _check(pool: Pool, prior: float) -> None:
    """Refuse what cannot be rated, and say why."""
    if len(pool.names) < 2:
        raise NotRatable("there is no finished game between two players", hint="ratings come from results")
    parts = pool.parts()
    if len(parts) > 1:
        shown = " | ".join(_few(part) for part in parts[:4]) + (" | …" if len(parts) > 4 else "")
        raise NotRatable(
            f"{len(parts)} groups of players never met: {shown}",
            hint="rate the groups one by one, or let one player of each meet",
        )
    if prior < 0:
        raise UsageError(f"a prior of {prior:g} draws", hint="expected 0 or more; Bayeselo has 2")
    if prior == 0 and (group := pool.unbounded()):
        raise NotRatable(
            f"{_few(group)} only won, or only lost, against the others: no rating is the likeliest",
            hint=f"--prior {PRIOR:g}, or more games",
        )


def _few(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
