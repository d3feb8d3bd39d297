"""One game: clocks, rules, adjudication, Chess960. The players here recite what they are told."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from okapi.arena.games import Fault, Pairing, PlayedGame
from okapi.arena.referee import Referee
from okapi.arena.settings import AdjudicationRules, GameSettings
from okapi.arena.time_control import Clocks, TimeControl
from okapi.core import Color, Limits, Line, Position, Value
from okapi.errors import PlayerResigned, UsageError
from okapi.players.protocol import Reply

TABLES = Path(__file__).parents[3] / "shared" / "data" / "syzygy34"
START = Position.start().fen()
CLOCK = TimeControl.from_text("1+0.1")
USUAL = AdjudicationRules()


@dataclass
class Reciter:
    """Plays these moves, each after so many seconds, and always says the same about the position."""

    moves: Sequence[str]
    seconds: Sequence[float] = ()
    queued: float = 0.0
    centipawns: int | None = None
    told: list[Limits] = field(default_factory=list)
    failed: bool = False

    def new_game(self, chess960: bool, seed: int) -> None:
        self.left = iter(self.moves)
        self.times = iter(self.seconds)

    def choose(self, position: Position, limits: Limits, timeout: float) -> Reply:
        self.told.append(limits)
        text = next(self.left, "resign")
        if text == "resign":
            raise PlayerResigned("no more moves")
        move = position.move(text)
        lines = ()
        if self.centipawns is not None:
            lines = (Line((move,), Value.from_centipawns(self.centipawns, position.turn), 5),)
        return Reply(move, lines, 10, next(self.times, 0.0), self.queued)

    def end_game(self, result: str, reason: str, failed: bool) -> None:
        self.failed = failed

    def close(self) -> None:
        pass


def referee_of(control: TimeControl, adjudication: AdjudicationRules = USUAL, *, chess960: bool = False) -> Referee:
    return Referee(GameSettings(players=(), control=control, adjudication=adjudication, chess960=chess960))


def play(white: Reciter, black: Reciter, referee: Referee | None = None, fen: str = START) -> PlayedGame:
    seats = {Color.WHITE: white, Color.BLACK: black}
    return (referee or referee_of(CLOCK)).play(Pairing(0, 0, 1, fen), seats, {Color.WHITE: 1, Color.BLACK: 2})


def there_and_back(times: int, white: str = "g1f3 f3g1", black: str = "g8f6 f6g8") -> tuple[list[str], list[str]]:
    return white.split() * times, black.split() * times


class TestRules:
    def test_checkmate(self) -> None:
        played = play(Reciter(["f3", "g4"]), Reciter(["e5", "Qh4"]))

        assert ("0-1", "checkmate", None) == (played.result, played.ending, played.fault)
        assert ("f2f3", "e7e5", "g2g4", "d8h4") == played.moves

    def test_the_third_time_is_a_draw(self) -> None:
        white, black = there_and_back(5)
        played = play(Reciter(white), Reciter(black))

        assert ("1/2-1/2", "threefold repetition", 8) == (played.result, played.ending, len(played.moves))

    def test_fifty_moves(self) -> None:
        fen = "4k3/8/8/8/8/8/8/R3K3 w - - 98 80"
        played = play(Reciter(["Ra2", "Ra3"]), Reciter(["Kd7", "Kd6"]), fen=fen)

        assert ("1/2-1/2", "fifty moves") == (played.result, played.ending)

    def test_stalemate(self) -> None:
        played = play(Reciter(["Qf7"]), Reciter([]), fen="7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")

        assert ("1/2-1/2", "stalemate") == (played.result, played.ending)

    def test_nothing_left_to_mate_with(self) -> None:
        played = play(Reciter(["Kxe2"]), Reciter([]), fen="4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")

        assert ("1/2-1/2", "insufficient material") == (played.result, played.ending)

    def test_resigning_is_no_fault(self) -> None:
        white = Reciter([])
        played = play(white, Reciter([]))

        assert ("0-1", "White resigned", None, False) == (played.result, played.ending, played.fault, white.failed)


class TestClocks:
    def test_written_and_read(self) -> None:
        control = TimeControl.from_text("40/1:30+0.5")

        assert (90_000, 500, 40) == (control.time_ms, control.increment_ms, control.moves)
        assert "40/90+0.5" == str(control)

    @pytest.mark.parametrize("text", ["", "fast", "10+", "-1+1", "0+0.1", "0/60", "1/2/3", "10+0.1 s"])
    def test_what_is_no_clock(self, text: str) -> None:
        with pytest.raises(UsageError, match="no time control"):
            TimeControl.from_text(text)

    def test_nothing_would_end_the_thinking(self) -> None:
        with pytest.raises(UsageError, match="needs a limit"):
            TimeControl()

    def test_players_are_told_what_is_left(self) -> None:
        white, black = Reciter(["e4", "d4"], [0.25, 0.1]), Reciter(["e5"], [0.7])
        play(white, black)

        first, second = white.told
        assert (1000, 100) == (first.white.time_ms, first.white.increment_ms)
        assert (850, 400) == (second.white.time_ms, second.black.time_ms)

    def test_the_increment_cannot_be_spent_before_it_is_earned(self) -> None:
        white = Reciter(["e4"], [1.05])
        played = play(white, Reciter([]))

        assert ("0-1", Fault.TIME, "White lost on time by 50 ms") == (played.result, played.fault, played.ending)
        assert not white.failed  # it answered, so it need not be started again

    def test_the_margin(self) -> None:
        assert play(Reciter(["e4"], [1.009]), Reciter([])).fault is None
        assert play(Reciter(["e4"], [1.011]), Reciter([])).fault is Fault.TIME
        strict = referee_of(TimeControl.from_text("1+0.1", margin_ms=0))
        assert play(Reciter(["e4"], [1.001]), Reciter([]), strict).fault is Fault.TIME

    def test_our_own_lateness_is_no_time_loss(self) -> None:
        """The answer came in time and lay in the pipe, while this process was waiting for a processor."""
        assert play(Reciter(["e4"], [1.2], queued=0.25), Reciter([])).fault is None

    def test_an_overdrawn_clock_begins_again_at_the_increment(self) -> None:
        white = Reciter(["e4", "d4"], [1.009])
        play(white, Reciter(["e5"]))

        assert 100 == white.told[1].white.time_ms

    def test_so_many_moves_in_so_much_time(self) -> None:
        clocks = Clocks(TimeControl.from_text("2/10"))
        seen = []
        for _ in range(3):
            limits = clocks.limits(Color.WHITE)
            seen.append((limits.white.time_ms, limits.moves_to_go))
            clocks.press(Color.WHITE, 4.0)

        assert [(10_000, 2), (6_000, 1), (12_000, 2)] == seen

    def test_a_time_for_each_move(self) -> None:
        referee = referee_of(TimeControl(movetime_ms=100))

        assert play(Reciter(["e4"], [0.19]), Reciter([]), referee).fault is None
        assert play(Reciter(["e4"], [0.21]), Reciter([]), referee).fault is Fault.TIME

    def test_no_clock_no_time_loss(self) -> None:
        assert play(Reciter(["e4"], [50.0]), Reciter([]), referee_of(TimeControl(nodes=5))).fault is None


class TestAdjudication:
    MOVES = there_and_back(9, "a1a2 a2a3 a3a4 a4a1", "h8h7 h7h6 h6h5 h5h8")
    ROOKS = "4k2r/8/8/8/8/8/8/R3K3 w - - 0 30"

    def test_both_have_to_see_it_for_long_enough(self) -> None:
        referee = referee_of(CLOCK, AdjudicationRules(resign_score=500, resign_moves=2))
        white, black = self.MOVES
        played = play(Reciter(white, centipawns=600), Reciter(black, centipawns=-700), referee, self.ROOKS)

        assert ("1-0", "adjudication: both see it decided", 4) == (played.result, played.ending, len(played.moves))

    def test_one_alone_cannot_decide(self) -> None:
        referee = referee_of(CLOCK, AdjudicationRules(resign_score=500, resign_moves=2))
        white, black = self.MOVES
        played = play(Reciter(white, centipawns=600), Reciter(black, centipawns=0), referee, self.ROOKS)

        assert "threefold repetition" == played.ending

    def test_each_sees_himself_ahead(self) -> None:
        referee = referee_of(CLOCK, AdjudicationRules(resign_score=500, resign_moves=1))
        white, black = self.MOVES
        played = play(Reciter(white, centipawns=600), Reciter(black, centipawns=600), referee, self.ROOKS)

        assert "threefold repetition" == played.ending

    def test_a_player_that_says_nothing_prevents_it(self) -> None:
        referee = referee_of(CLOCK, AdjudicationRules(resign_score=500, resign_moves=1, draw_score=5, draw_after=0))
        white, black = self.MOVES
        played = play(Reciter(white), Reciter(black, centipawns=-700), referee, self.ROOKS)

        assert "threefold repetition" == played.ending

    def test_drawn_but_not_too_early(self) -> None:
        referee = referee_of(CLOCK, AdjudicationRules(draw_score=10, draw_moves=2, draw_after=32))
        white, black = self.MOVES
        played = play(Reciter(white, centipawns=5), Reciter(black, centipawns=-5), referee, self.ROOKS)

        assert ("1/2-1/2", "adjudication: both see it drawn") == (played.result, played.ending)
        assert 8 == len(played.moves)  # moves 30 and 31 do not count; then two moves of each

    @pytest.mark.skipif(not TABLES.is_dir(), reason="no endgame tables here: ../shared/data/syzygy34")
    @pytest.mark.parametrize(
        ("fen", "move", "result", "ending"),
        [
            ("4k3/8/8/8/8/8/R3n3/4K3 w - - 0 1", "Rxe2", "1-0", "adjudication: tablebase"),
            ("k7/8/8/8/8/8/P3n3/4K3 w - - 0 1", "Kxe2", "1/2-1/2", "adjudication: tablebase"),
            ("4k3/8/8/8/8/8/R3n3/4K3 w - - 0 1", "Kd2", "1-0", "Black resigned"),  # nothing was taken
        ],
    )
    def test_tables_decide_after_a_capture(self, fen: str, move: str, result: str, ending: str) -> None:
        played = play(Reciter([move]), Reciter([]), referee_of(CLOCK, AdjudicationRules(tablebase=str(TABLES))), fen)

        assert (result, ending) == (played.result, played.ending)


def test_castling_in_chess960_is_told_by_the_rook() -> None:
    fen = "1k3r2/5p2/8/8/8/8/8/1K3R2 w Ff - 0 1"
    referee = referee_of(CLOCK, chess960=True)
    played = play(Reciter(["O-O"]), Reciter([]), referee, fen)

    assert ("b1f1",) == played.moves
