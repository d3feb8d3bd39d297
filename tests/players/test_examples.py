"""Small functions about players, one example each."""

import pytest

from okapi.core import Limits, Position
from okapi.errors import NotFound
from okapi.players import AlphaBeta
from okapi.players.opponents import OPPONENTS
from okapi.players.player import NodeSampler
from okapi.players.python import find_python
from okapi.players.singh2015 import move_text
from okapi.players.spec import (
    LimitedSpec,
    alphabeta_options,
    brains_of,
    engine_options,
    kind_of,
    limited_spec,
    needs_seed,
    parse_player,
    read_options,
    takes_elo,
)
from okapi.players.uci import go_command


def test_options_of_a_search() -> None:
    assert {"brain": "material", "elo": 1500, "without": ["killers", "probcut"]} == alphabeta_options(
        "material,elo=1500,without=killers+probcut"
    )
    assert {"brain": "material", "constants": {"null_move_base": 5, "futility_base": 70}} == alphabeta_options(
        "material,null_move_base=5,futility_base=70"
    )


def test_options_of_other_players() -> None:
    assert {"brain": "mover", "elo": 2500, "masked": False} == read_options("top-prob", "mover,elo=2500,masked=no")
    assert ("stockfish", {"Hash": "64", "Skill Level": "3"}) == engine_options("stockfish{Hash=64,Skill Level=3}")
    limited = LimitedSpec(player="uci:sunfish-uci", low=10, high=1000, seed=None)
    assert limited == limited_spec("limited:uci:sunfish-uci,nodes=10-1000")


def test_kinds_of_players() -> None:
    assert ("uci", "stockfish") == kind_of("uci:stockfish")
    assert ("alphabeta", "material,elo=1500") == kind_of("material,elo=1500")
    assert ("alphabeta", "giraffe,moves=giraffe-moves,budget=depth+ask=4,nodes=5000") == kind_of("giraffe,nodes=5000")


def test_what_a_specification_says() -> None:
    assert ["human", "material"] == brains_of("topprob-negamax:human,value=material")
    assert [] == brains_of("greedy") == brains_of("random:7")
    assert [True, False, False] == [takes_elo(f"{kind}:material") for kind in ("alphabeta", "negamax", "uci")]
    assert needs_seed("random") and needs_seed("alphabeta:material,elo=1200") and not needs_seed("alphabeta:material")
    assert [
        "alphabeta:material,depth=1",
        "alphabeta:vazquez-five,depth=2",
        "top-prob:okapi-human,elo=2000",
    ] == [opponent.spec for opponent in OPPONENTS][1:4]


def test_players_by_specification() -> None:
    assert "Random(seed=7)" == repr(parse_player("random:7"))
    assert "floor" == find_python("math:floor").name
    with pytest.raises(NotFound, match="there is no player `alphabeat`"):
        parse_player("alphabeat:material")


def test_a_search_finds_a_mate() -> None:
    position = Position.from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")

    assert "Ra8#" == position.san(AlphaBeta().choose(position, Limits(depth=4)).move)
    constant = AlphaBeta(evaluate=lambda positions: [0.5] * len(positions))
    assert 1 == constant.choose(position, Limits(depth=2)).value.mate


def test_text_of_moves_and_limits() -> None:
    assert "a7a8q" == move_text(Position.from_fen("8/P7/8/8/8/8/8/K1k5 w - - 0 1"), 48, 56)
    assert "a1h8" == move_text(Position.start(), 0, 63)
    assert "go nodes 2000" == go_command(Limits(nodes=2000))


def test_the_same_seed_gives_the_same_nodes() -> None:
    sampler = NodeSampler(10, 1000, seed=1)

    assert [19, 495, 337, 32, 98] == [sampler.next() for _ in range(5)]
