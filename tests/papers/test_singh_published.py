"""The thesis' tables were copied without mistakes: they follow from each other where they should."""

import pytest

from okapi.core import Position
from okapi.papers.singh2015.headlines import FIGURE_3_4, PUBLISHED

ALL_GAMES = 4_970_725
"""The first line of Table 3.4."""


def test_every_network_has_its_line() -> None:
    for table in (PUBLISHED.table_3_1, PUBLISHED.table_3_2, PUBLISHED.table_3_3, PUBLISHED.table_3_3_printed):
        assert PUBLISHED.networks == tuple(table)


def test_more_guesses_are_right_more_often() -> None:
    for shares in (*PUBLISHED.table_3_1.values(), tuple(FIGURE_3_4.values())):
        assert list(shares) == sorted(shares)


def test_masking_never_makes_it_worse() -> None:
    for before, after in PUBLISHED.table_3_3.values():
        assert before <= after
    for rules in PUBLISHED.table_3_2.values():
        assert rules.rank_masked <= rules.rank


def test_the_corrections_agree_with_the_illegal_choices() -> None:
    """Masking can turn no more answers right than were illegal."""
    for network, (before, after) in PUBLISHED.table_3_3.items():
        assert after - before <= PUBLISHED.table_3_2[network].illegal + 1e-4


def test_pawn_knows_most() -> None:
    """It has the best rank in Table 3.2, and yet the worst accuracy but two in Table 3.3 as it is printed."""
    assert min(PUBLISHED.table_3_2, key=lambda network: PUBLISHED.table_3_2[network].rank) == "pawn"
    assert max(PUBLISHED.table_3_3, key=lambda network: PUBLISHED.table_3_3[network]) == "pawn"
    assert max(PUBLISHED.table_3_3_printed, key=lambda network: PUBLISHED.table_3_3_printed[network]) != "pawn"


def test_table_3_4() -> None:
    assert {str(move) for move in Position.start().legal_moves()} == set(PUBLISHED.table_3_4)
    assert sum(probability for probability, _ in PUBLISHED.table_3_4.values()) == pytest.approx(1, abs=1e-4)
    assert sum(played for _, played in PUBLISHED.table_3_4.values()) == pytest.approx(ALL_GAMES, abs=30)


def test_table_3_5_is_a_part_of_one() -> None:
    assert 20 == len(PUBLISHED.table_3_5)
    assert list(PUBLISHED.table_3_5.values()) == sorted(PUBLISHED.table_3_5.values(), reverse=True)
    assert sum(PUBLISHED.table_3_5.values()) < 1


def test_table_3_7_adds_up() -> None:
    for line in PUBLISHED.table_3_7:
        assert line.games == line.wins + line.draws + line.losses
