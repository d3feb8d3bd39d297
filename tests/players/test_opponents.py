"""The named opponents of the board."""

import pytest

from okapi.core import Limits, Position
from okapi.players import parse_player
from okapi.players.opponents import OPPONENTS, Opponent, ratings


@pytest.mark.parametrize("opponent", OPPONENTS, ids=lambda opponent: opponent.name)
def test_every_opponent_plays_within_a_limit_of_its_own(opponent: Opponent) -> None:
    position = Position.from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4")
    decision = parse_player(opponent.spec).choose(position, Limits(nodes=300_000))

    assert decision.move in position.legal_moves() and opponent.sentence.endswith(".")
    assert opponent.player != "alphabeta" or opponent.depth or opponent.nodes


def test_five_or_six_with_a_name_each_and_the_weakest_is_first() -> None:
    rated = [opponent.as_json()["rating"] for opponent in OPPONENTS]
    known = [rating for rating in rated if rating is not None]

    assert 5 <= len({opponent.name for opponent in OPPONENTS}) == len(OPPONENTS) <= 6
    assert sorted(known) == known and set(ratings()) <= {opponent.name for opponent in OPPONENTS}
