"""The thesis' tables were copied without mistakes: they follow from each other where they should."""

from math import isclose, sqrt
from statistics import mean

import pytest

from okapi.arena.elo import MatchResult
from okapi.brains import find
from okapi.brains.files import read_tensors
from okapi.papers.page import tally_of
from okapi.papers.published import Row
from okapi.papers.vazquez2012.headlines import PUBLISHED
from okapi.recipes.vazquez2012.pieces import TABLE_7, TABLE_8
from okapi.recipes.vazquez2012.twenty_eight import TABLE_15

TABLE_9 = [tally_of(run) for run in PUBLISHED.table_9]
FIGURE_34, FIGURE_35 = (
    {row.level: tally_of(row) for row in figure} for figure in (PUBLISHED.figure_34, PUBLISHED.figure_35)
)
FIGURE_42 = {name: tally_of(row) for name, row in PUBLISHED.figure_42.items()}
TABLE_17_GAMES = tally_of(PUBLISHED.table_17_games)

WINS_PERCENT = (93.50, 92.00, 95.50, 91.50, 93.25, 92.75, 95.00, 95.25, 93.50, 91.00)
"""The last column of Table 9."""


def rounds_to(percent: int, share: float) -> bool:
    return abs(100 * share - percent) <= 0.501


def test_table_9() -> None:
    assert WINS_PERCENT == tuple(100 * run.score for run in TABLE_9)
    assert {200} == {run.games for run in TABLE_9}
    assert 3 == 1 + WINS_PERCENT.index(max(WINS_PERCENT))
    assert 93.325 == pytest.approx(mean(WINS_PERCENT))


def turned(tally: MatchResult) -> MatchResult:
    return MatchResult(tally.losses, tally.draws, tally.wins)


def total(*tallies: MatchResult) -> MatchResult:
    return MatchResult(*(sum(getattr(tally, name) for tally in tallies) for name in ("wins", "draws", "losses")))


def check(rated: Row, games: MatchResult, opposition: float) -> None:
    assert rated.games == games.games
    assert rounds_to(rated.score, games.score)
    assert rated.get("draws") is None or rounds_to(rated.draws, games.draws / games.games)
    assert abs(rated.opposition - opposition) <= 0.501


def test_table_10_follows_from_figures_34_and_35() -> None:
    by_name = {rated.name: rated for rated in PUBLISHED.table_10}
    rybkas = mean(by_name[f"Rybka{level}"].elo for level in FIGURE_34)
    ours = mean((by_name["Player0"].elo, by_name["Player50"].elo))
    check(by_name["Player0"], total(*FIGURE_34.values()), rybkas)
    check(by_name["Player50"], total(*FIGURE_35.values()), rybkas)
    for level, first in FIGURE_34.items():
        check(by_name[f"Rybka{level}"], total(turned(first), turned(FIGURE_35[level])), ours)


def test_table_18_follows_from_figure_42() -> None:
    chessmaster, *players = PUBLISHED.table_18
    for player in players:
        check(player, FIGURE_42[player.name], chessmaster.elo)
    check(chessmaster, total(*map(turned, FIGURE_42.values())), mean(player.elo for player in players))
    assert (597, 227) == (players[1].elo - players[2].elo, players[0].elo - players[1].elo)


def test_a_game_of_table_17_is_missing() -> None:
    best, other = PUBLISHED.table_17

    assert TABLE_17_GAMES.games == best.games - 1 == other.games - 1
    assert rounds_to(best.score, (TABLE_17_GAMES.wins + TABLE_17_GAMES.draws / 2) / 200)
    assert not rounds_to(best.score, TABLE_17_GAMES.score)
    assert (220, 100) == (best.elo - other.elo, best.score + other.score)


def test_table_14() -> None:
    person, engine = PUBLISHED.table_14

    assert (person.elo, engine.elo) == (engine.opposition, person.opposition)
    assert 100 == person.score + engine.score


@pytest.mark.parametrize("board", [TABLE_7, TABLE_8, PUBLISHED.table_11])
def test_boards_have_64_squares_and_no_pawns_on_the_first_and_last_rank(board: tuple[tuple[float, ...], ...]) -> None:
    assert [8] * 8 == [len(rank) for rank in board]
    assert {0} == {*board[0], *board[7]}


def test_boards_are_mirrors_but_for_one_square() -> None:
    assert [] == odd_squares(TABLE_8)
    assert ["a3"] == odd_squares(TABLE_7)


def odd_squares(board: tuple[tuple[float, ...], ...]) -> list[str]:
    return [
        f"{'abcdefgh'[file]}{8 - row}"
        for row, rank in enumerate(board)
        for file in range(4)
        if rank[file] != rank[7 - file]
    ]


def test_table_7_leaves_the_range_that_the_text_gives_and_evolution_moved_one_square_far() -> None:
    moved = {
        (row, file): abs(PUBLISHED.table_11[row][file] - TABLE_7[row][file]) for row in range(8) for file in range(8)
    }

    assert max(max(rank) for rank in TABLE_7) > 20
    assert (5, 0) == max(moved, key=lambda square: moved[square])
    assert sorted(moved.values())[-2] <= 0.56


def test_the_deviations_of_table_12_do_not_fit_into_the_ranges_that_the_text_gives() -> None:
    """Of ten numbers between low and high with a given mean, none are further apart than those that sit at the ends."""
    for name, weight in PUBLISHED.table_12.items():
        low, high = {"pawn": (100, 100), "mobility": (0, 300)}.get(name, (400, 500))
        most = sqrt((weight.mean - low) * (high - weight.mean)) * sqrt(10 / 9)
        assert name == "pawn" or weight.deviation > most


def test_the_weights_of_table_16_keep_to_the_bounds_of_table_15() -> None:
    assert list(TABLE_15) == list(PUBLISHED.table_16) and 29 == len(TABLE_15)
    for name, (low, high) in TABLE_15.items():
        assert all(low <= weight <= high for weight in PUBLISHED.table_16[name])


@pytest.mark.parametrize(
    ("brain", "weights"),
    [
        ("vazquez-five", [weight.mean for weight in PUBLISHED.table_13.values()]),
        ("vazquez-exploration", [before for before, _ in PUBLISHED.table_16.values()]),
        ("vazquez-exploitation", [after for _, after in PUBLISHED.table_16.values()]),
    ],
)
def test_the_brains_that_ship_have_these_weights(brain: str, weights: list[float]) -> None:
    shipped = read_tensors(find(brain))["weights"]

    assert all(isclose(a, b, rel_tol=1e-6) for a, b in zip(weights, shipped, strict=True))
