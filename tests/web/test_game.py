"""A game at the board: turns, clocks, ends, and that a page can bring it back."""

import json

import pytest

from okapi.core import Color, Decision, Position, Value
from okapi.errors import GameIsOver, IllegalMove, InvalidFen, UsageError
from okapi.web.game import ClockSettings, LiveGame, Record, Seat, Setup
from okapi.web.messages import read
from okapi.web.views import choices, position_view, read_move

PERSON, PLAYER = Seat(), Seat(player="alphabeta", brain="material", nodes=1000)


class Time:
    """A clock for tests."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def game(*moves: str, white: Seat = PERSON, black: Seat = PLAYER, **more: object) -> LiveGame:
    found = LiveGame(Setup(white=white, black=black, **more))  # type: ignore[arg-type]
    for move in moves:
        found.play(read_move(found.position, move))
    return found


def decision(position: Position, move: str, expected: float, side: Color) -> Decision:
    return Decision(position.move(move), Value(expected, side), (position.move(move),), 1)


def test_a_mate_ends_it() -> None:
    over = game("f3", "e5", "g4", "Qh4")

    assert ("0-1", "checkmate") == (over.result, over.reason)
    assert {} == over.view()["position"]["destinations"]
    with pytest.raises(GameIsOver):
        over.play(over.position.origin().move("e4"))


def test_moves_are_read_as_hands_and_people_make_them() -> None:
    castled = game("e2e4", "e7e5", "Nf3", "Nc6", "f1c4", "f8c5", "e1g1")

    assert "O-O" == castled.view()["moves"][-1]["san"]
    with pytest.raises(IllegalMove):
        read_move(castled.position, "e1g1")


def test_in_chess960_the_king_goes_onto_its_rook() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/8/5KR1 w G - 0 1")

    assert choices(position)["f1g1"].castles
    assert "g1" in position_view(position)["destinations"]["f1"]


def test_a_promotion_is_one_move_to_the_eye() -> None:
    view = position_view(Position.from_fen("8/P7/8/8/8/8/8/k1K5 w - - 0 1"))

    assert ["a8"] == view["destinations"]["a7"] and ["a7a8"] == view["promotions"]


@pytest.mark.parametrize(
    ("moves", "left"), [(("e4",), 0), (("e4", "e5"), 0), (("e4", "e5", "Nf3"), 2), (("e4", "e5", "Nf3", "Nc6"), 2)]
)
def test_a_person_takes_back_to_their_own_last_choice(moves: tuple[str, ...], left: int) -> None:
    played = game(*moves)
    played.take_back()

    assert left == played.position.plies == len(played.values)


def test_taking_back_an_end_gives_the_game_back() -> None:
    over = game("e4", "e5")
    over.resign()
    over.take_back()

    assert ("*", "", 2) == (over.result, over.reason, over.position.plies)


def test_there_may_be_nothing_to_take_back() -> None:
    with pytest.raises(UsageError):
        game().take_back()


def test_the_person_resigns_even_out_of_turn() -> None:
    over = game("e4")
    over.resign()

    assert ("0-1", "White resigned") == (over.result, over.reason)


@pytest.mark.parametrize(("expected", "taken"), [(0.2, True), (0.5, False), (0.8, False)])
def test_a_player_takes_a_draw_when_it_stands_worse(expected: float, taken: bool) -> None:
    asked = game("e4")
    asked.play(asked.position.move("e5"), decision(asked.position, "e5", expected, Color.BLACK))

    assert taken == asked.offer_draw() == asked.is_over


def test_two_people_agree() -> None:
    assert game(black=PERSON).offer_draw()


class TestClocks:
    def timed(self) -> tuple[LiveGame, Time]:
        now = Time()
        control = ClockSettings(time_ms=60_000, increment_ms=2_000)
        found = LiveGame(Setup(white=PERSON, black=PERSON, clock=control), now)
        for move in ("e4", "e5"):
            found.start_clock()
            now.now += 30
            found.play(read_move(found.position, move))
        return found, now

    def test_nobody_pays_before_the_first_move(self) -> None:
        found, _ = self.timed()

        assert 62_000 == found.left_ms(Color.WHITE) == found.left_ms(Color.BLACK)

    def test_a_move_costs_its_time_and_brings_the_increment(self) -> None:
        found, now = self.timed()
        found.start_clock()
        now.now += 10
        assert 52_000 == found.left_ms(Color.WHITE)
        found.play(read_move(found.position, "Nf3"))

        assert 54_000 == found.left_ms(Color.WHITE)

    def test_a_fallen_flag_loses_and_a_late_move_is_refused(self) -> None:
        found, now = self.timed()
        found.start_clock()
        now.now += 63
        with pytest.raises(GameIsOver):
            found.play(read_move(found.position, "Nf3"))

        assert ("0-1", "White ran out of time") == (found.result, found.reason)

    def test_against_a_bare_king_a_fallen_flag_is_a_draw(self) -> None:
        now = Time()
        setup = Setup(white=PERSON, black=PERSON, fen="k7/8/8/8/8/8/8/KQ6 w - - 0 1", clock=ClockSettings(time_ms=1000))
        found = LiveGame(setup, now)
        for move in ("Qb2", "Ka7"):
            found.play(read_move(found.position, move))
        found.start_clock()
        now.now += 2

        assert found.flag() and "1/2-1/2" == found.result


@pytest.mark.parametrize("strength", [{}, {"elo": 1500}, {"nodes": 5}, {"depth": 3}, {"movetime_ms": 50}])
@pytest.mark.parametrize("clock", [None, ClockSettings(time_ms=60_000)])
def test_no_player_ever_thinks_without_end(strength: dict[str, int], clock: ClockSettings | None) -> None:
    limits = game(white=Seat(player="alphabeta", **strength), clock=clock).limits()  # type: ignore[arg-type]

    assert not limits.endless


def test_a_page_brings_a_game_back_as_it_was() -> None:
    played = game("e4", "c5", clock=ClockSettings(time_ms=60_000))
    played.play(played.position.move("Nf3"), decision(played.position, "Nf3", 0.6, Color.WHITE))
    sent = json.loads(json.dumps(played.record()))
    back = LiveGame.from_record(read(Record, sent))

    assert played.view() == back.view()


def test_a_chess960_game_comes_back_with_its_rights() -> None:
    played = game(chess960=0)
    back = LiveGame.from_record(read(Record, json.loads(json.dumps(played.record()))))

    assert played.start == back.start and played.start.is_chess960()


def test_a_record_that_cannot_be_is_refused() -> None:
    with pytest.raises(IllegalMove):
        LiveGame.from_record(
            Record(game_id="1", white=PERSON, black=PERSON, fen=Position.start().fen(), moves=("e2e5",))
        )
    with pytest.raises(InvalidFen):
        LiveGame.from_record(Record(game_id="1", white=PERSON, black=PERSON, fen="nonsense"))


def test_the_pgn_says_who_played_and_what_was_thought() -> None:
    played = game("e4")
    played.play(played.position.move("e5"), decision(played.position, "e5", 0.5, Color.BLACK))
    pgn = played.pgn()

    assert '[White "You"]' in pgn and '[Black "material, 1,000 nodes"]' in pgn and "[%eval 0.00]" in pgn
