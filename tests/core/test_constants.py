"""Numbers of the search, by name: the same search with the usual ones, another with others, and refusals."""

import pytest

from okapi import Evaluator, Limits, Position
from okapi.brains import load
from okapi.core import Constant, Search, constants
from okapi.core.search import known_constants, known_heuristics
from okapi.errors import UsageError
from okapi.players.spec import alphabeta_options

MIDDLE_GAME = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1BN2/PP2BPPP/R2Q1RK1 w - - 0 9"
IDLE = {
    "aspiration_growth",  # no window fails in so small a tree
    "reduction_again",  # of a heuristic that is off
}


def nodes(changes: dict[str, int]) -> int:
    search = Search(Evaluator.from_brain(load("okapi-28")), table_mb=1, constants=changes)
    return search.run(Position.from_fen(MIDDLE_GAME), Limits(depth=10)).nodes


def test_the_usual_constants_change_nothing() -> None:
    assert nodes({}) == nodes({constant.name: constant.usual for constant in constants()})


def test_every_constant_has_a_range_around_its_usual_value() -> None:
    assert all(constant.least <= constant.usual <= constant.most and constant.step > 0 for constant in constants())


@pytest.mark.parametrize("constant", constants(), ids=lambda constant: str(constant.name))
def test_every_constant_is_felt(constant: Constant) -> None:
    if constant.name in IDLE:
        pytest.skip("not in so small a tree")

    assert nodes({constant.name: constant.least}) != nodes({constant.name: constant.most})


def test_a_player_has_them_as_options() -> None:
    options = alphabeta_options("material,null_move_base=5,futility_base=70")

    assert {"null_move_base": 5, "futility_base": 70} == options["constants"]


@pytest.mark.parametrize(
    ("changes", "words"), [({"null_move": 4}, "no constant"), ({"null_move_base": 99}, "cannot be 99")]
)
def test_a_mistake_is_refused(changes: dict[str, int], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        known_constants(changes)


def test_names_of_the_last_release_are_still_read() -> None:
    assert {"see_quiet": 30, "see_noisy": 90} == known_constants({"exchange_quiet": 30, "exchange_noisy": 90})
    assert ["see_pruning"] == known_heuristics(["see_pruning"])
