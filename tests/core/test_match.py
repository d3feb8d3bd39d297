"""Games inside one process: the same whoever plays them, records that hold, interruption, functions as evaluators."""

import os
import signal
import threading
import time

import pytest

from okapi import Color, Evaluator, Limits, Position
from okapi.core import (
    Adjudication,
    Clock,
    InProcessMatch,
    MatchGame,
    MatchPlayer,
    RawBrain,
    Search,
    both_colors,
    random_openings,
)
from okapi.errors import UsageError

EVALUATOR = Evaluator.from_brain(RawBrain.default())
FOREVER = Limits(depth=100)
MATED = Position.from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")


def at(limits: Limits, table_mb: int = 1) -> MatchPlayer:
    return MatchPlayer(EVALUATOR, limits, table_mb)


def written(games: list[MatchGame]) -> list[tuple[object, ...]]:
    """All that may not depend on chance."""
    return [(played.number, played.first, played.game, played.ending, played.nodes, played.score) for played in games]


def test_any_number_of_threads_plays_the_same_games() -> None:
    pairings = both_colors(random_openings(5, seed=1))

    one, two = (
        written(
            list(InProcessMatch(at(Limits(depth=3)), at(Limits(nodes=200)), pairings, threads=threads, decisions=True))
        )
        for threads in (1, 2)
    )

    assert one == two
    assert list(range(10)) == [number for number, *_ in one]


def test_as_soon_as_they_are_over() -> None:
    pairings = both_colors(random_openings(8, seed=2))

    games = list(InProcessMatch(at(Limits(depth=2)), at(Limits(depth=1)), pairings, threads=3, in_order=False))

    assert list(range(16)) == sorted(played.number for played in games)


def test_a_duel_is_what_two_thinkers_play() -> None:
    """The slow twin: the same searches, asked from Python."""
    start = random_openings(1, seed=5)[0]
    limits = {Color.WHITE: Limits(depth=3), Color.BLACK: Limits(nodes=400)}
    thinkers = {side: Search(EVALUATOR, table_mb=1) for side in Color}
    position, decisions = start.copy(), []
    while position.ending() is None:
        decisions.append(thinkers[position.turn].run(position, limits[position.turn]))
        position.play(decisions[-1].move)

    [played] = InProcessMatch(at(limits[Color.WHITE]), at(limits[Color.BLACK]), [(start, Color.WHITE)], decisions=True)

    assert position.result() == played.game.result
    assert position.ending() == played.ending
    assert [(d.move, d.value, d.line, d.nodes, d.depth) for d in decisions] == [
        (d.move, d.value, d.line, d.nodes, d.depth) for d in played.game.decisions if d is not None
    ]
    assert len(decisions) == len(played.seconds)


def test_results_are_those_of_the_games() -> None:
    """Three plies against one: the scores are told from the first player's side."""
    pairings = both_colors(random_openings(6, seed=4))

    games = list(InProcessMatch(at(Limits(depth=3)), at(Limits(depth=1)), pairings, threads=2))

    for played in games:
        assert pairings[played.number] == (played.game.start, played.first)
        assert played.ending == (played.game.last.ending() or "adjudication: too long")
        assert not played.game.decisions and not played.seconds
        winner = {"1-0": Color.WHITE, "0-1": Color.BLACK}.get(played.game.result)
        assert {None: 0.5, played.first: 1.0, played.first.other: 0.0}[winner] == played.score
    assert sum(played.score for played in games) > len(games) / 2


def test_a_game_that_is_over_already() -> None:
    [played] = InProcessMatch(at(Limits(depth=1)), at(Limits(depth=1)), [(MATED, Color.BLACK)])

    assert ("1-0", "checkmate", 0.0, ()) == (played.game.result, played.ending, played.score, played.game.moves)


def test_adjudication() -> None:
    queen_up = Position.from_fen("4k3/8/8/8/8/8/PPPP4/3QK3 w - - 0 1")
    player = at(Limits(depth=3))

    [won] = InProcessMatch(
        player, player, [(queen_up, Color.WHITE)], adjudication=Adjudication(resign_score=400, resign_moves=2)
    )
    [long] = InProcessMatch(player, player, [(Position.start(), Color.WHITE)], adjudication=Adjudication(max_plies=5))

    assert ("1-0", "adjudication: both see it decided", 4) == (won.game.result, won.ending, len(won.game.moves))
    assert ("1/2-1/2", "adjudication: too long", 5) == (long.game.result, long.ending, len(long.game.moves))


def test_chess960() -> None:
    start = Position.from_fen("bnrkqrbn/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRBN w FCfc - 0 1")

    games = list(InProcessMatch(at(Limits(depth=3)), at(Limits(depth=2)), both_colors([start])))

    assert all(played.game.last.ending() == played.ending or "adjudication" in played.ending for played in games)


def test_leaving_the_loop_ends_the_games() -> None:
    match = InProcessMatch(
        at(Limits(depth=1)), at(Limits(depth=1)), both_colors(random_openings(100, seed=5)), threads=2
    )
    for played in match:
        if played.number == 3:
            break

    assert 190 > len(list(match)) + 4


def test_stop_from_another_thread() -> None:
    match = InProcessMatch(at(FOREVER), at(FOREVER), both_colors(random_openings(2, seed=6)), threads=2)
    threading.Timer(0.1, match.stop).start()

    assert [] == list(match)


def test_a_forgotten_duel_ends() -> None:
    """The first game is over at once, the others never would be."""
    match = InProcessMatch(
        at(FOREVER), at(FOREVER), [(MATED, Color.WHITE), *both_colors(random_openings(2, seed=7))], threads=2
    )
    begun = time.perf_counter()

    assert "checkmate" == next(iter(match)).ending
    del match

    assert 5 > time.perf_counter() - begun


@pytest.mark.skipif(os.name == "nt", reason="signals are a POSIX thing")
def test_ctrl_c_is_heard() -> None:
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.perf_counter()

    with pytest.raises(KeyboardInterrupt):
        list(InProcessMatch(at(FOREVER), at(FOREVER), both_colors(random_openings(2, seed=8)), threads=2))

    assert 5 > time.perf_counter() - begun


def test_other_threads_run_meanwhile() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.01):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    list(
        InProcessMatch(
            at(Limits(movetime_ms=30)),
            at(Limits(movetime_ms=30)),
            [(Position.start(), Color.WHITE)],
            adjudication=Adjudication(max_plies=8),
        )
    )
    done.set()
    thread.join()

    assert ticks > 3


class TestFunctions:
    """A Python function may be a player, from several threads."""

    def test_it_plays(self) -> None:
        def count(positions: list[Position]) -> list[float]:
            return [0.5 + 0.001 * (len(position.legal_moves()) % 100) for position in positions]

        mobile = MatchPlayer(Evaluator.from_function(count), Limits(depth=2))
        short = Adjudication(max_plies=10)
        starts = both_colors(random_openings(2, seed=9))

        one, two = (
            list(InProcessMatch(mobile, mobile, starts, adjudication=short, threads=threads)) for threads in (1, 2)
        )

        assert [played.game for played in one] == [played.game for played in two]

    def test_what_it_raises_arrives(self) -> None:
        calls = 0

        def evaluate(positions: list[Position]) -> list[float]:
            nonlocal calls
            calls += 1
            if calls > 20:
                raise KeyError("on purpose")
            return [0.5] * len(positions)

        broken = MatchPlayer(Evaluator.from_function(evaluate), Limits(depth=2))

        with pytest.raises(KeyError, match="on purpose"):
            list(InProcessMatch(broken, at(Limits(depth=1)), both_colors(random_openings(4, seed=10)), threads=2))


@pytest.mark.parametrize(
    "limits", [Limits(), Limits(mate=2), Limits(depth=3, white=Clock(1000), black=Clock(1000)), Limits(white=Clock(1))]
)
def test_limits_that_make_no_duel(limits: Limits) -> None:
    with pytest.raises(UsageError, match="player"):
        MatchPlayer(EVALUATOR, limits)


def test_a_mistyped_heuristic_is_refused() -> None:
    player = MatchPlayer(EVALUATOR, Limits(depth=1), without=("nul_move",))

    with pytest.raises(UsageError, match="nul_move"):
        InProcessMatch(player, player, [])


@pytest.mark.parametrize("threads", [0, -1, 100_000])
def test_a_number_of_threads_that_cannot_be(threads: int) -> None:
    with pytest.raises(UsageError, match="threads"):
        InProcessMatch(at(Limits(depth=1)), at(Limits(depth=1)), [], threads=threads)


def test_no_games() -> None:
    assert [] == list(InProcessMatch(at(Limits(depth=1)), at(Limits(depth=1)), [], threads=2))
