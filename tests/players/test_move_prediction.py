"""Players that ask a brain which moves people would play."""

import math

import pytest
from oracle import Oracle

from okapi import Limits, Move, Position
from okapi.errors import GameIsOver, PlayerCheated, UsageError
from okapi.players.singh2015 import TopMove, TopProb

MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"
PROMOTING = "8/4P3/8/8/8/8/8/k1K5 w - - 0 1"


def uci(position: Position, move: Move) -> str:
    return position.uci(move, chess960=False)


class TestTopProb:
    def test_multiplies_while_top_move_takes_the_piece_first(self) -> None:
        """The knight is the likelier piece, but its squares share its probability."""
        brain = Oracle({"g1f3": 0.5, "g1h3": 0.5, "e2e4": 0.9}, {"g1": 0.6, "e2": 0.4})
        start = Position.start()

        assert "e2e4" == uci(start, TopProb(brain).choose(start, Limits()).move)
        assert uci(start, TopMove(brain).choose(start, Limits()).move).startswith("g1")

    def test_masked_it_plays_the_likeliest_legal_move_and_unmasked_it_loses_by_an_illegal_one(self) -> None:
        brain, start = Oracle({"e2e5": 0.9, "e2e4": 0.1}), Position.start()

        for player in (TopProb, TopMove):
            assert "e2e4" == uci(start, player(brain).choose(start, Limits()).move)
            with pytest.raises(PlayerCheated, match="illegal move e2e5"):
                player(brain, masked=False).choose(start, Limits())

    @pytest.mark.parametrize("player", [TopProb, TopMove])
    @pytest.mark.parametrize("masked", [True, False])
    @pytest.mark.parametrize(
        ("fen", "pair", "played"),
        [(CASTLING, "e8c8", "O-O-O"), (PROMOTING, "e7e8", "e8=Q"), (CASTLING, "h8h1", "Rxh1+")],
    )
    def test_squares_that_castle_promote_and_take(
        self, player: type[TopProb] | type[TopMove], masked: bool, fen: str, pair: str, played: str
    ) -> None:
        position = Position.from_fen(fen)

        decision = player(Oracle({pair: 0.9}), masked=masked).choose(position, Limits())

        assert played == position.san(decision.move)

    def test_a_temperature_plays_likely_moves_more_often_and_the_same_seed_the_same(self) -> None:
        brain, start = Oracle({"e2e4": 0.6, "d2d4": 0.3}), Position.start()
        once, again = (TopProb(brain, temperature=1, seed=5) for _ in range(2))

        games = [[uci(start, player.choose(start, Limits()).move) for _ in range(200)] for player in (once, again)]

        assert games[0] == games[1]
        assert 100 < games[0].count("e2e4") < 160
        assert 40 < games[0].count("d2d4") < 100

    @pytest.mark.parametrize(("piece", "again"), [("R", "a1b1"), ("r", "a1a2")])
    def test_it_repeats_no_position_when_it_has_more_material(self, piece: str, again: str) -> None:
        """White shuffles a rook; with a rook more it plays on, without it repeats."""
        position = Position.from_fen(f"4k2{'r' if piece == 'r' else '1'}/8/8/8/8/8/8/R3K3 w - - 0 1")
        for move in ("a1a2", "e8d8", "a2a1", "d8e8"):
            position = position.after(position.move(move))
        brain = Oracle({"a1a2": 0.6, "a1b1": 0.3})

        assert uci(position, TopProb(brain).choose(position, Limits()).move) == "a1a2"
        assert uci(position, TopProb(brain, repeat=False).choose(position, Limits()).move) == again

    def test_says_how_likely_moves_are_and_has_no_opinion_of_the_value(self) -> None:
        decision = TopProb(Oracle({"e2e4": 0.6, "d2d4": 0.3}), elo=2300).choose(Position.start(), Limits())

        assert ["e2e4", "d2d4"] == [str(move) for move, _ in decision.likely[:2]]
        assert math.isclose(1, sum(chance for _, chance in decision.likely), rel_tol=1e-6)
        assert 0 == decision.nodes

    def test_asks_for_the_moves_of_a_rating(self) -> None:
        brain = Oracle({"e2e4": 0.6})
        player = TopProb(brain, elo=2300)
        player.choose(Position.start(), Limits())
        player.elo = 2600
        player.choose(Position.start(), Limits())

        assert [2300, 2600] == brain.elos

    @pytest.mark.parametrize("player", [TopProb, TopMove])
    def test_chooses_among_the_moves_it_is_given_and_none_in_a_game_that_is_over(
        self, player: type[TopProb] | type[TopMove]
    ) -> None:
        start = Position.start()
        only = (start.move("h3"), start.move("a3"))
        brain = Oracle({"e2e4": 0.9, "a2a3": 0.1})

        for masked in (True, False):
            assert only[1] == player(brain, masked=masked).choose(start, Limits(only=only)).move
        with pytest.raises(GameIsOver):
            player(brain).choose(Position.from_fen(MATED), Limits())

    def test_temperatures_that_mean_nothing(self) -> None:
        for wrong in ({"temperature": -1.0}, {"temperature": 1.0, "masked": False}):
            with pytest.raises(UsageError, match="temperature"):
                TopProb(Oracle({}), **wrong)  # type: ignore[arg-type]
