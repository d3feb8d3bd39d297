"""The search from Python: records, limits, reports, interruption, functions as evaluators."""

import gc
import os
import signal
import threading
import time
from collections.abc import Iterable

import pytest

from okapi import Color, Evaluator, Limits, Line, Position
from okapi.core import Clock, RawBrain, Search, heuristics
from okapi.errors import GameIsOver, UsageError

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"


@pytest.fixture
def search() -> Search:
    return Search(Evaluator.from_brain(RawBrain.default()), table_mb=1)


def material(positions: list[Position]) -> list[float]:
    """The smallest opinion there is, in Python."""
    worth = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}

    def value(position: Position) -> float:
        mine = sum(worth[str(p).lower()] * (1 if p.color is position.turn else -1) for _, p in position.pieces())
        return 1 / (1 + 10 ** (-mine / 4))

    return [value(position) for position in positions]


def test_finds_the_mate(search: Search) -> None:
    position = Position.from_fen(BACK_RANK)

    decision = search.run(position, Limits(depth=4))

    assert "Ra8#" == position.san(decision.move)
    assert (1, 1.0, Color.WHITE) == (decision.value.mate, decision.value.expected, decision.value.side)
    assert decision.move == decision.line[0] == decision.lines[0].moves[0]


def test_being_mated_counts_backwards(search: Search) -> None:
    """Black is mated in two whatever it plays."""
    decision = search.run(Position.from_fen("7k/8/5K2/8/8/8/8/R7 b - - 0 1"), Limits(depth=8))

    assert decision.value.mate is not None and decision.value.mate < 0
    assert 0.0 == decision.value.expected


def test_there_is_nothing_to_think_about_when_the_game_is_over(search: Search) -> None:
    with pytest.raises(GameIsOver, match="checkmate"):
        search.run(Position.from_fen(MATED), Limits(depth=1))


def test_the_same_again_gives_the_same(search: Search) -> None:
    answers = []
    for _ in range(2):
        search.new_game()
        answers.append(search.run(Position.start(), Limits(depth=7)))

    assert answers[0] == answers[1]


def test_limits_are_kept(search: Search) -> None:
    assert 4 >= search.run(Position.start(), Limits(depth=4)).depth
    assert 50_000 > search.run(Position.start(), Limits(nodes=10_000)).nodes
    begun = time.perf_counter()
    search.run(Position.start(), Limits(movetime_ms=100))
    search.run(Position.start(), Limits(white=Clock(1_000, 10), black=Clock(1_000, 10)))
    assert 1.0 > time.perf_counter() - begun


def test_only_the_moves_that_were_asked_for(search: Search) -> None:
    position = Position.start()
    wanted = position.move("a3")

    assert wanted == search.run(position, Limits(depth=5, only=(wanted,))).move


def test_several_lines() -> None:
    search = Search(Evaluator.from_brain(RawBrain.default()), table_mb=1, multipv=3)

    lines = search.run(Position.start(), Limits(depth=6)).lines

    assert 3 == len({line.moves[0] for line in lines})
    assert sorted((line.value.expected for line in lines), reverse=True) == [line.value.expected for line in lines]


def test_reports_while_thinking(search: Search) -> None:
    seen: list[tuple[int, Line, int]] = []

    decision = search.run(Position.start(), Limits(depth=6), lambda *report: seen.append(report))

    assert list(range(1, 7)) == sorted({line.depth for _, line, _ in seen})
    assert decision.move == seen[-1][1].moves[0]


def test_what_a_report_raises_ends_the_thinking(search: Search) -> None:
    def report(rank: int, line: Line, nodes: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search.run(Position.start(), Limits(), report)


def test_stop_from_another_thread(search: Search) -> None:
    timer = threading.Timer(0.2, search.stop)
    timer.start()

    decision = search.run(Position.start(), Limits())

    assert decision.move in Position.start().legal_moves()


@pytest.mark.skipif(os.name == "nt", reason="signals are a POSIX thing")
def test_ctrl_c_is_heard(search: Search) -> None:
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

    with pytest.raises(KeyboardInterrupt):
        search.run(Position.start(), Limits())

    assert search.run(Position.start(), Limits(depth=2)).move  # and it can go on


def test_other_threads_run_meanwhile(search: Search) -> None:
    ticks: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.wait(0.01):
            ticks.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    search.run(Position.start(), Limits(movetime_ms=300))
    stop.set()
    thread.join()

    assert len(ticks) > 5


def test_every_heuristic_can_be_switched_off() -> None:
    evaluator = Evaluator.from_brain(RawBrain.default())
    for name in heuristics():
        search = Search(evaluator, table_mb=1, without=[name])
        assert search.run(Position.start(), Limits(depth=4)).move


def test_a_naive_search_finds_the_same_value() -> None:
    """Without heuristics it is plain alpha-beta: more nodes, no other value."""
    position = Position.from_fen(BACK_RANK)
    naive = Search(Evaluator.from_brain(RawBrain.default()), table_mb=1, without=["all"])

    assert 1 == naive.run(position, Limits(depth=3)).value.mate


def test_a_mistyped_heuristic_is_refused() -> None:
    with pytest.raises(UsageError, match="nul_move") as caught:
        Search(Evaluator.from_brain(RawBrain.default()), without=["nul_move"])

    assert "did you mean `null_move`?" == caught.value.hint


class TestFunctions:
    """Ten lines of Python are an evaluator."""

    def test_a_function_decides(self) -> None:
        position = Position.from_fen("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
        search = Search(Evaluator.from_function(material), table_mb=1)

        assert "exd5" == position.san(search.run(position, Limits(depth=3)).move)

    def test_it_is_asked_in_batches(self) -> None:
        sizes: list[int] = []

        def evaluate(positions: list[Position]) -> list[float]:
            sizes.append(len(positions))
            return material(positions)

        Search(Evaluator.from_function(evaluate), table_mb=1).run(Position.start(), Limits(depth=3))

        assert max(sizes) > 1

    def test_several_threads_may_ask_it(self) -> None:
        search = Search(Evaluator.from_function(material), table_mb=1, threads=2)

        assert search.run(Position.start(), Limits(nodes=2_000)).move

    def test_what_it_raises_arrives(self) -> None:
        def evaluate(positions: list[Position]) -> list[float]:
            raise KeyError("on purpose")

        search = Search(Evaluator.from_function(evaluate), table_mb=1)
        for _ in range(2):
            with pytest.raises(KeyError, match="on purpose"):
                search.run(Position.start(), Limits(depth=5))

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
            Search(Evaluator.from_function(evaluate), table_mb=1).run(Position.start(), Limits(depth=2))

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

        search = Search(Evaluator.from_function(Opinion()), table_mb=1, threads=2)
        search.run(Position.start(), Limits(depth=3))
        assert 1 == Opinion.alive
        del search
        gc.collect()

        assert 0 == Opinion.alive

    def test_it_is_let_go_even_if_it_knows_its_owner(self) -> None:
        class Owner:
            alive = 0

            def __init__(self) -> None:
                Owner.alive += 1
                self.evaluator = Evaluator.from_function(self.evaluate)
                self.search = Search(self.evaluator, table_mb=1)
                self.search.run(Position.start(), Limits(depth=2))

            def __del__(self) -> None:
                Owner.alive -= 1

            def evaluate(self, positions: list[Position]) -> list[float]:
                return [0.5] * len(positions)

        Owner()
        gc.collect()

        assert 0 == Owner.alive
