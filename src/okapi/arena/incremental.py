"""Elo game by game: the formula of the federations, as in appendix A of vazquez2012."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from okapi.arena.elo import expected_score

__all__ = ["START", "Player", "k_factor", "replay", "updated"]

START = 1500.0
"""The rating of a player nobody has seen. The thesis does not say; the formula forgets it after some hundred games."""


def k_factor(rating: float, games: int) -> int:
    """How many points a game can move a rating (FIDE, 2012).

    >>> k_factor(1800, games=10), k_factor(1800, games=30), k_factor(2500, games=30)
    (30, 15, 10)
    """
    if games < 30:
        return 30
    return 15 if rating < 2400 else 10


def updated(rating: float, opponent: float, points: float, games: int) -> float:
    """The rating after one more game: R + K·(points − expected points). Equations 30 and 31 of the thesis.

    >>> round(updated(1600, opponent=1700, points=1, games=40), 1)
    1609.6
    """
    return rating + k_factor(rating, games) * (points - expected_score(rating - opponent))


@dataclass(slots=True)
class Player:
    """Where a player stands."""

    rating: float
    games: int = 0
    points: float = 0.0
    draws: int = 0


def replay(
    games: Iterable[tuple[str, str, float]], *, start: float = START, anchors: Mapping[str, float] | None = None
) -> dict[str, Player]:
    """The players after all games, told in order as White, Black and White's points. Anchors never move.

    >>> {name: round(player.rating) for name, player in replay([("A", "B", 1), ("B", "A", 0.5)]).items()}
    {'A': 1514, 'B': 1486}
    """
    fixed = anchors or {}
    players: dict[str, Player] = {}
    for white, black, points in games:
        one, two = (players.setdefault(name, Player(fixed.get(name, start))) for name in (white, black))
        before = one.rating, two.rating
        for name, player, opponent, got in ((white, one, before[1], points), (black, two, before[0], 1 - points)):
            if name not in fixed:
                player.rating = updated(player.rating, opponent, got, player.games)
            player.games += 1
            player.points += got
            player.draws += got == 0.5
    return players
