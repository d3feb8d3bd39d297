"""Studies: values as they come, passes that go on where they stopped, mistakes that were looked at twice."""

import chess
import chess.engine
import pytest

from okapi.analysis.report import GameAnalysis, MoveNote, closer, quicker, summarise
from okapi.analysis.report.sentences import find_threat
from okapi.core import Color, Decision, Game, Limits, Position, Value
from okapi.players import AlphaBeta
from okapi.uci import okapi_uci

SCHOLARS = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]


class Recorder:
    """A player that remembers what it was asked."""

    def __init__(self) -> None:
        self.player = AlphaBeta()
        self.asked: list[tuple[str, Limits]] = []

    def choose(self, position: Position, limits: Limits) -> Decision:
        self.asked.append((position.fen(), limits))
        return self.player.choose(position, limits)


def studied(moves: list[str], limits: Limits, start: Position | None = None) -> GameAnalysis:
    study = GameAnalysis(Game.of(moves, start), AlphaBeta("okapi-28"))
    for _ in study.deepen(limits):
        pass
    for _ in study.check(limits):
        pass
    return study


@pytest.mark.parametrize("fen", ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"])
def test_shares_are_those_that_the_uci_program_tells(fen: str) -> None:
    """The slow twin of `wdl` in cpp/okapi/uci/info.cpp, which counts in thousandths."""
    with chess.engine.SimpleEngine.popen_uci(str(okapi_uci())) as engine:
        engine.configure({"UCI_ShowWDL": True})
        told = engine.analyse(chess.Board(fen), chess.engine.Limit(depth=5))
    centipawns = told["score"].relative.score()
    assert centipawns is not None

    ours = Value.from_centipawns(centipawns, Color.WHITE).win_draw_loss

    theirs = [share / 1000 for share in told["wdl"].relative]
    assert pytest.approx(theirs, abs=0.0011) == list(ours)


def test_shares_and_value_say_the_same() -> None:
    for expected in (0.0, 0.2, 0.5, 0.9, 1.0):
        win, draw, loss = Value(expected, Color.BLACK).win_draw_loss
        assert pytest.approx(expected) == win + draw / 2
        assert pytest.approx(1.0) == win + draw + loss


def test_values_come_one_by_one() -> None:
    recorder = Recorder()
    passing = GameAnalysis(Game.of(SCHOLARS), recorder).deepen(Limits(depth=2))

    first = next(passing)

    assert (0, Color.WHITE, 1) == (first.ply, first.value.side, len(recorder.asked))


def test_a_pass_that_was_left_goes_on_where_it_stopped() -> None:
    recorder = Recorder()
    study = GameAnalysis(Game.of(SCHOLARS), recorder)
    passing = study.deepen(Limits(depth=2))
    assert [0, 1, 2] == [next(passing).ply for _ in range(3)]
    passing.close()

    assert 2 == len(study.moves())
    assert [3, 4, 5, 6, 7] == [valued.ply for valued in study.deepen(Limits(depth=2))]
    assert 7 == len(recorder.asked)  # mate is known without asking


def test_a_deeper_pass_looks_again_and_a_shallower_one_does_not() -> None:
    study = GameAnalysis(Game.of(SCHOLARS), AlphaBeta())
    plies = len(SCHOLARS) + 1

    assert plies == len(list(study.deepen(Limits(depth=2))))
    assert plies - 1 == len(list(study.deepen(Limits(depth=4))))
    assert [] == list(study.deepen(Limits(depth=3)))


def test_a_mistake_is_looked_at_again_and_more_closely() -> None:
    recorder = Recorder()
    study = GameAnalysis(Game.of(SCHOLARS), recorder)
    list(study.deepen(Limits(depth=4)))
    recorder.asked.clear()

    told = list(study.check(Limits(depth=4)))

    blunder = next(move for move in told if move.san == "Nf6")
    before = Game.of(SCHOLARS[:5]).last
    assert "allows mate: Qxf7#" == blunder.sentence
    assert (before.fen(), closer(Limits(depth=4))) in recorder.asked
    assert blunder in study.report().moves


def test_every_mistake_has_a_sentence() -> None:
    moves = studied(["e4", "e5", "Qh5", "Ke7", "Qxe5#"], Limits(depth=4)).moves()

    assert any(move.mark for move in moves)
    assert all(move.sentence for move in moves if move.mark or move.note)


def test_a_missed_mate_is_noted() -> None:
    start = Position.from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")

    (move,) = studied(["h3"], Limits(depth=5), start).moves()

    assert MoveNote.MISSED_MATE is move.note and "misses mate: Ra8#" == move.sentence


def test_a_missed_win_is_noted() -> None:
    start = Position.from_fen("4k3/8/8/8/3q4/8/6P1/3QK3 w - - 0 1")

    (move,) = studied(["Ke2"], Limits(depth=6), start).moves()

    assert MoveNote.MISSED_WIN is move.note and "misses Qxd4, which wins the queen" == move.sentence


def test_the_only_move_is_noted_unless_it_is_plain() -> None:
    quiet = Position.from_fen("7k/8/8/8/8/1p6/2p5/K7 w - - 0 1")
    saves = Position.from_fen("6k1/5ppp/8/8/8/8/4rPPP/3R2K1 w - - 0 1")
    taking = Position.from_fen("4k3/8/8/8/3q4/8/6P1/3QK3 w - - 0 1")

    (saved,) = studied(["Rd8#"], Limits(depth=5), saves).moves()
    (took,) = studied(["Qxd4"], Limits(depth=5), taking).moves()
    (lost,) = studied(["Kb2"], Limits(depth=5), quiet).moves()

    assert MoveNote.ONLY_MOVE is saved.note
    assert took.note is None
    assert lost.note is None  # nothing was saved by it


def test_the_best_move_gives_nothing_away() -> None:
    study = GameAnalysis(Game.of(["e4", "e5"]), AlphaBeta())
    list(study.deepen(Limits(depth=3)))

    assert all(move.loss == 0 for move in study.moves() if move.move == move.best)


def test_a_side_that_played_no_move_played_well() -> None:
    nothing = summarise([], Color.WHITE)

    assert (0, 100.0, 0.0) == (nothing.moves, nothing.accuracy, nothing.average_loss)


def test_accuracy_and_average_loss() -> None:
    moves = studied(SCHOLARS, Limits(depth=5)).moves()
    white, black = summarise(moves, Color.WHITE), summarise(moves, Color.BLACK)

    assert (4, 3, 1) == (white.moves, black.moves, black.blunders)
    assert white.accuracy > black.accuracy and white.average_loss < black.average_loss


def test_limits_grow_and_shrink() -> None:
    assert (4000, 2) == (closer(Limits(nodes=1000)).nodes, closer(Limits(depth=1)).depth - 1)  # type: ignore[operator]
    assert (1, 1, 25) == (
        quicker(Limits(nodes=1)).nodes,
        quicker(Limits(depth=2)).depth,
        quicker(Limits(movetime_ms=200)).movetime_ms,
    )


class TestThreats:
    def test_a_mate_is_a_threat(self) -> None:
        position = Game.of(SCHOLARS[:5]).last

        threat = find_threat(position, AlphaBeta(), Limits(depth=4))

        assert threat is not None and "threatens mate: Qxf7#" == threat.sentence

    def test_nothing_is_threatened_at_the_start(self) -> None:
        assert find_threat(Position.start(), AlphaBeta(), Limits(depth=4)) is None

    def test_nobody_passes_in_check(self) -> None:
        position = Position.from_fen("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1")

        assert find_threat(position, AlphaBeta(), Limits(depth=4)) is None
