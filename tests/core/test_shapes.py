"""Budget rules from Python: in a search, in a match and in a player's name, and the errors for wrong ones."""

import pytest

from okapi import Evaluator, Limits, Position
from okapi.brains import load, predictor
from okapi.core import InProcessMatch, MatchPlayer, MovePrior, RawBrain, Search, both_colors
from okapi.core.packed import pack
from okapi.errors import InvalidBrain, UsageError
from okapi.players.spec import parse_player

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
QUEENS = "3qk3/pp3ppp/8/8/8/8/PP3PPP/3QK3 w - - 0 1"


def judge() -> Evaluator:
    return Evaluator.from_brain(RawBrain.default())


@pytest.mark.parametrize("shape", ["depth", "even", "shares+steps=3"])
def test_every_shape_finds_the_mate(shape: str) -> None:
    position = Position.from_fen(BACK_RANK)

    decision = Search(judge(), table_mb=1, budget=shape).run(position, Limits(depth=4))

    assert "Ra8#" == position.san(decision.move)


def test_an_even_search_looks_further_where_moves_are_few() -> None:
    """With everything else switched off, lines of a depth-limited search all have its depth."""
    longest = {}
    for shape in ("depth", "even"):
        search = Search(judge(), table_mb=1, without=["all"], budget=shape)
        longest[shape] = len(search.run(Position.from_fen(QUEENS), Limits(depth=3)).line)

    assert 3 == longest["depth"]
    assert longest["even"] > 3


@pytest.mark.parametrize(
    ("shape", "said", "hint"),
    [
        ("evne", "there is no budget `evne`", "even"),
        ("even+steps=many", "steps is a number from 1 to 8, not many", "write budget="),
        ("even+pace=2", "no setting of a shape is written pace=2", "write budget="),
        ("learned", "the budget `learned` needs a brain that knows moves", "moves=BRAIN"),
    ],
)
def test_wrong_shapes_say_what_to_do(shape: str, said: str, hint: str) -> None:
    for wrong in (lambda: Search(judge(), budget=shape), lambda: parse_player(f"alphabeta:material,budget={shape}")):
        with pytest.raises(UsageError, match=said) as caught:
            wrong()
        assert hint in caught.value.hint


def test_a_brain_that_judges_positions_knows_no_moves() -> None:
    with pytest.raises(InvalidBrain, match="how likely moves are"):
        parse_player("alphabeta:material,moves=material")


def test_a_network_that_predicts_the_moves_of_people_orders_a_search() -> None:
    position = Position.from_fen(QUEENS)
    said = dict(MovePrior.from_brain(load("okapi-human")).probabilities(position))
    likely = predictor("okapi-human", values=False).moves(pack([position]))[0]
    ordered = parse_player("alphabeta:material,moves=okapi-human,with=learned_ordering,budget=depth+ask=1")

    assert [pytest.approx(chance, abs=1e-4) for _, chance in likely] == [said[move] for move, _ in likely]
    assert ordered.choose(position, Limits(nodes=100)).nodes >= 100


def test_duellists_have_shapes() -> None:
    plain = MatchPlayer(judge(), Limits(nodes=300))
    even = MatchPlayer(judge(), Limits(nodes=300), budget="even+steps=2")
    games = [
        [
            move
            for played in InProcessMatch(player, plain, both_colors([Position.from_fen(QUEENS)]))
            for move in played.game.moves
        ]
        for player in (plain, even)
    ]

    assert games[0] != games[1]


def test_the_former_name_of_the_option_is_still_taken() -> None:
    position = Position.from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    now, former = (
        parse_player(f"alphabeta:material,hash=1,{name}=even+steps=2").choose(position, Limits(depth=4))
        for name in ("budget", "shape")
    )
    assert now.nodes == former.nodes and now.move == former.move
