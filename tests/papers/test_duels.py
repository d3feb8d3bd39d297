from pathlib import Path

from okapi.brains import find
from okapi.optimize.executor import ThreadExecutor
from okapi.papers.rating import MatchTerms, play_brains

GOOD, POOR = (Path(find(name)).read_bytes() for name in ("okapi-28", "material"))


def test_the_better_brain_wins_and_every_opening_is_played_twice() -> None:
    tally = play_brains(GOOD, POOR, MatchTerms(games=20, depth=2), ThreadExecutor(2))

    assert 20 == tally.games == 2 * sum(tally.pairs)
    assert tally.score > 0.6


def test_the_same_games_whoever_plays_them() -> None:
    terms = MatchTerms(games=10, depth=1)
    turned = play_brains(POOR, GOOD, terms, ThreadExecutor(2))
    one, many = (play_brains(GOOD, POOR, terms, ThreadExecutor(threads)) for threads in (1, 3))

    assert one == many
    assert (one.wins, one.draws, one.losses) == (turned.losses, turned.draws, turned.wins)
    assert one != play_brains(GOOD, POOR, MatchTerms(games=10, depth=1, seed=2), ThreadExecutor(1))
