"""The search from Python: records, limits, reports, interruption, functions as evaluators."""

import gc
import os
import signal
import threading
import time
from collections.abc import Iterable

import pytest

from okapi import Color, Evaluator, Limits, Line, Position
from okapi.core import Brain, Clock, Thinker, heuristics
from okapi.errors import GameIsOver, UsageError

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"


@pytest.fixture
def thinker() -> Thinker:
    return Thinker(Evaluator.from_brain(Brain.default()), table_mb=1)


def material(positions: list[Position]) -> list[float]:
    """The smallest opinion there is, in Python."""
    worth = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}

    def value(position: Position) -> float:
        mine = sum(worth[str(p).lower()] * (1 if p.color is position.turn else -1) for _, p in position.pieces())
        return 1 / (1 + 10 ** (-mine / 4))

    return [value(position) for position in positions]


def test_finds_the_mate(thinker: Thinker) -> None:
    position = Position.from_fen(BACK_RANK)

    decision = thinker.think(position, Limits(depth=4))

    assert "Ra8#" == position.san(decision.move)
    assert (1, 1.0, Color.WHITE) == (decision.value.mate, decision.value.expected, decision.value.side)
    assert decision.move == decision.line[0] == decision.lines[0].moves[0]


def test_being_mated_counts_backwards(thinker: Thinker) -> None:
    """Black is mated in two whatever it plays."""
    decision = thinker.think(Position.from_fen("7k/8/5K2/8/8/8/8/R7 b - - 0 1"), Limits(depth=8))

    assert decision.value.mate is not None and decision.value.mate < 0
    assert 0.0 == decision.value.expected


def test_there_is_nothing_to_think_about_when_the_game_is_over(thinker: Thinker) -> None:
    with pytest.raises(GameIsOver, match="checkmate"):
        thinker.think(Position.from_fen(MATED), Limits(depth=1))


def test_the_same_again_gives_the_same(thinker: Thinker) -> None:
    answers = []
    for _ in range(2):
        thinker.new_game()
        answers.append(thinker.think(Position.start(), Limits(depth=7)))

    assert answers[0] == answers[1]


def test_limits_are_kept(thinker: Thinker) -> None:
    assert 4 >= thinker.think(Position.start(), Limits(depth=4)).depth
    assert 50_000 > thinker.think(Position.start(), Limits(nodes=10_000)).nodes
    begun = time.perf_counter()
    thinker.think(Position.start(), Limits(movetime_ms=100))
    thinker.think(Position.start(), Limits(white=Clock(1_000, 10), black=Clock(1_000, 10)))
    assert 1.0 > time.perf_counter() - begun


def test_only_the_moves_that_were_asked_for(thinker: Thinker) -> None:
    position = Position.start()
    wanted = position.move("a3")

    assert wanted == thinker.think(position, Limits(depth=5, only=(wanted,))).move


def test_several_lines() -> None:
    thinker = Thinker(Evaluator.from_brain(Brain.default()), table_mb=1, multipv=3)

    lines = thinker.think(Position.start(), Limits(depth=6)).lines

    assert 3 == len({line.moves[0] for line in lines})
    assert sorted((line.value.expected for line in lines), reverse=True) == [line.value.expected for line in lines]


def test_reports_while_thinking(thinker: Thinker) -> None:
    seen: list[tuple[int, Line, int]] = []

    decision = thinker.think(Position.start(), Limits(depth=6), lambda *report: seen.append(report))

    assert list(range(1, 7)) == sorted({line.depth for _, line, _ in seen})
    assert decision.move == seen[-1][1].moves[0]


def test_what_a_report_raises_ends_the_thinking(thinker: Thinker) -> None:
    def report(rank: int, line: Line, nodes: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        thinker.think(Position.start(), Limits(), report)


def test_stop_from_another_thread(thinker: Thinker) -> None:
    timer = threading.Timer(0.2, thinker.stop)
    timer.start()

    decision = thinker.think(Position.start(), Limits())

    assert decision.move in Position.start().legal_moves()


@pytest.mark.skipif(os.name == "nt", reason="signals are a POSIX thing")
def test_ctrl_c_is_heard(thinker: Thinker) -> None:
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

    with pytest.raises(KeyboardInterrupt):
        thinker.think(Position.start(), Limits())

    assert thinker.think(Position.start(), Limits(depth=2)).move  # and it can go on


def test_other_threads_run_meanwhile(thinker: Thinker) -> None:
    ticks: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.wait(0.01):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    thinker.think(Position.start(), Limits(movetime_ms=300))
    stop.set()
    thread.join()

    assert len(ticks) > 5


def test_every_heuristic_can_be_switched_off() -> None:
    evaluator = Evaluator.from_brain(Brain.default())
    for name in heuristics():
        thinker = Thinker(evaluator, table_mb=1, without=[name])
        assert thinker.think(Position.start(), Limits(depth=4)).move


def test_a_naive_search_finds_the_same_value() -> None:
    """Without heuristics it is plain alpha-beta: more nodes, no other value."""
    position = Position.from_fen(BACK_RANK)
    naive = Thinker(Evaluator.from_brain(Brain.default()), table_mb=1, without=["all"])

    assert 1 == naive.think(position, Limits(depth=3)).value.mate


def test_a_mistyped_heuristic_is_refused() -> None:
    with pytest.raises(UsageError, match="nul_move") as caught:
        Thinker(Evaluator.from_brain(Brain.default()), without=["nul_move"])

    assert "did you mean `null_move`?" == caught.value.hint


class TestFunctions:
    """Ten lines of Python are an evaluator."""

    def test_a_function_decides(self) -> None:
        position = Position.from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
        thinker = Thinker(Evaluator.from_function(material), table_mb=1)

        assert "exd5" == position.san(thinker.think(position, Limits(depth=3)).move)

    def test_it_is_asked_in_batches(self) -> None:
        sizes: list[int] = []

        def evaluate(positions: list[Position]) -> list[float]:
            sizes.append(len(positions))
            return material(positions)

        Thinker(Evaluator.from_function(evaluate), table_mb=1).think(Position.start(), Limits(depth=3))

        assert max(sizes) > 1

    def test_several_threads_may_ask_it(self) -> None:
        thinker = Thinker(Evaluator.from_function(material), table_mb=1, threads=2)

        assert thinker.think(Position.start(), Limits(nodes=2_000)).move

    def test_what_it_raises_arrives(self) -> None:
        def evaluate(positions: list[Position]) -> list[float]:
            raise KeyError("on purpose")

        thinker = Thinker(Evaluator.from_function(evaluate), table_mb=1)
        for _ in range(2):
            with pytest.raises(KeyError, match="on purpose"):
                thinker.think(Position.start(), Limits(depth=5))

    @pytest.mark.parametrize(
        ("answer", "message"),
        [
            ([0.5], "too few"),
            ([0.5] * 1000, "too many"),
            ([1.5] * 1000, "0 .lost. to 1"),
            ([float("nan")] * 1000, "nan"),
        ],
    )
    def test_answers_that_make_no_sense_are_refused(self, answer: list[float], message: str) -> None:
        def evaluate(positions: list[Position]) -> Iterable[float]:
            return answer

        with pytest.raises(ValueError, match=message):
            Thinker(Evaluator.from_function(evaluate), table_mb=1).think(Position.start(), Limits(depth=2))

    def test_answers_that_are_no_numbers_are_refused(self) -> None:
        with pytest.raises(TypeError):
            Evaluator.from_function(lambda positions: ["good"]).centipawns(Position.start())  # type: ignore[list-item]

    def test_asked_directly(self) -> None:
        evaluator = Evaluator.from_function(lambda positions: [0.75] * len(positions))

        assert [pytest.approx(0.75, abs=0.01)] * 2 == evaluator([Position.start(), Position.from_fen(BACK_RANK)])

    def test_it_is_let_go_when_nobody_needs_it(self) -> None:
        class Opinion:
            alive = 0

            def __init__(self) -> None:
                Opinion.alive += 1

            def __del__(self) -> None:
                Opinion.alive -= 1

            def __call__(self, positions: list[Position]) -> list[float]:
                return [0.5] * len(positions)

        thinker = Thinker(Evaluator.from_function(Opinion()), table_mb=1, threads=2)
        thinker.think(Position.start(), Limits(depth=3))
        assert 1 == Opinion.alive
        del thinker
        gc.collect()

        assert 0 == Opinion.alive

    def test_it_is_let_go_even_if_it_knows_its_owner(self) -> None:
        class Owner:
            alive = 0

            def __init__(self) -> None:
                Owner.alive += 1
                self.evaluator = Evaluator.from_function(self.evaluate)
                self.thinker = Thinker(self.evaluator, table_mb=1)
                self.thinker.think(Position.start(), Limits(depth=2))

            def __del__(self) -> None:
                Owner.alive -= 1

            def evaluate(self, positions: list[Position]) -> list[float]:
                return [0.5] * len(positions)

        Owner()
        gc.collect()

        assert 0 == Owner.alive
