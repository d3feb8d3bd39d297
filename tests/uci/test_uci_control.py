"""Starting, stopping and waiting: one bestmove for each go, at the right time."""

import subprocess
import time

import pytest
from uci_driver import MIDDLEGAME, Engine, running

STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
CHECKMATE = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
ONE_REPLY = "7k/8/6KQ/8/8/8/8/8 b - - 0 1"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


@pytest.mark.parametrize(
    "go", ["go infinite", "go ponder", "go", "go infinite depth 1", "go infinite nodes 1 movetime 1"]
)
@pytest.mark.parametrize("fen", [MIDDLEGAME, MATE_IN_ONE, ONE_REPLY, CHECKMATE, STALEMATE])
def test_an_endless_search_answers_only_when_stopped(engine: Engine, fen: str, go: str) -> None:
    engine.send(f"position fen {fen}", go)
    time.sleep(0.05)
    assert not any(line.startswith("bestmove") for line in engine.ask())
    engine.send("stop")
    engine.read_until("bestmove", timeout=1)
    assert not any(line.startswith("bestmove") for line in engine.ask())


def test_a_ponder_search_answers_after_ponderhit(engine: Engine) -> None:
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 200 btime 200")
    time.sleep(0.3)
    assert not any(line.startswith("bestmove") for line in engine.ask()), "the clock does not run while pondering"
    engine.send("ponderhit")
    engine.read_until("bestmove", timeout=1)


def test_limits_count_from_ponderhit(engine: Engine) -> None:
    """Arena sends `go ponder movetime`."""
    engine.send("position startpos", "go ponder movetime 200")
    time.sleep(0.25)
    start = time.monotonic()
    engine.send("ponderhit")
    engine.read_until("bestmove", timeout=2)
    assert 0.1 < time.monotonic() - start < 1.0


def test_ponderhit_and_stop_right_after_go_are_not_lost(engine: Engine) -> None:
    for _ in range(20):
        engine.send("position startpos", "go infinite", "stop")
        engine.read_until("bestmove", timeout=2)
        engine.send("go ponder movetime 1", "ponderhit")
        engine.read_until("bestmove", timeout=2)


def test_a_second_go_ends_the_first(engine: Engine) -> None:
    engine.send("position startpos", "go infinite", "go infinite", "go depth 2", "go infinite", "stop", "isready")
    lines = engine.read_until("readyok")
    assert sum(line.startswith("bestmove") for line in lines) == 4


def test_stop_and_ponderhit_are_ignored_when_idle(engine: Engine) -> None:
    """ChessGUI sends stop right after uciok."""
    engine.send("uci", "stop", "ponderhit")
    engine.read_until("uciok")
    assert engine.ask("stop", "ponderhit", "stop") == []
    engine.go("go depth 1")
    assert engine.ask("stop", "ponderhit") == []


def test_ready_a_thousand_times_while_searching(engine: Engine) -> None:
    engine.send("go infinite")
    start = time.monotonic()
    engine.send(*["isready"] * 1000)
    for _ in range(1000):
        engine.read_until("readyok")
    assert time.monotonic() - start < 2
    engine.send("stop")
    engine.read_until("bestmove")


def test_options_wait_for_the_end_of_the_search(engine: Engine) -> None:
    engine.send("go infinite")
    said = engine.ask(
        "setoption name MultiPV value 2", "setoption name Nonsense value 1", "setoption name Hash value 2"
    )
    assert not any("ERROR" in line for line in said)
    engine.send("stop")
    engine.read_until("bestmove")
    assert any("Nonsense" in line for line in engine.ask())
    assert {info.multipv for info in engine.go("go depth 2").infos} == {1, 2}


def test_a_new_game_during_a_search_waits(engine: Engine) -> None:
    """Old Cute Chess does this."""
    engine.send("go infinite", "ucinewgame", "position startpos moves e2e4")
    engine.ask()
    engine.send("stop")
    engine.read_until("bestmove")
    assert engine.go("go depth 3").move[1] in "78", "the new position is Black's"


def test_checkmate_and_stalemate_have_no_move(engine: Engine) -> None:
    engine.send(f"position fen {CHECKMATE}", "go depth 5")
    assert engine.read_until("bestmove") == ["info depth 0 score mate 0", "bestmove (none)"]
    engine.send(f"position fen {STALEMATE}", "go depth 5")
    assert engine.read_until("bestmove") == ["info depth 0 score cp 0", "bestmove (none)"]


@pytest.mark.parametrize("go", ["", "go infinite", "go ponder", "go depth 90", "go perft 9", "bench 60"])
def test_quit_leaves_within_a_second(engine: Engine, go: str) -> None:
    engine.send(go)
    time.sleep(0.05)
    engine.send("quit")
    assert engine.wait(1) == 0


@pytest.mark.parametrize("go", ["", "go infinite", "go ponder", "go depth 90", "go perft 9"])
def test_the_end_of_input_leaves_within_a_second(engine: Engine, go: str) -> None:
    engine.send("position startpos", go)
    assert engine.process.stdin
    engine.process.stdin.close()
    assert engine.wait(1) == 0
    if go and "perft" not in go:
        engine.read_until("bestmove")


def test_a_pipe_gets_the_whole_of_a_small_search(uci_path: str) -> None:
    lines = subprocess.run(
        [uci_path], input="position startpos\ngo depth 5", capture_output=True, text=True, timeout=5, check=True
    ).stdout.splitlines()
    assert lines[-1].startswith("bestmove")
    assert "depth 5" in lines[-2]


@pytest.mark.parametrize("go", ["go infinite", "uci"])
def test_a_closed_output_ends_the_program(uci_path: str, go: str) -> None:
    process = subprocess.Popen([uci_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    process.stdout.close()
    process.stdin.write(f"position startpos\n{go}\n".encode())
    process.stdin.flush()
    try:
        assert process.wait(2) == 0
    finally:
        process.kill()
        process.stdin.close()


def test_several_threads_answer_once(uci_path: str) -> None:
    with running(uci_path) as engine:
        engine.send("setoption name Threads value 4")
        for _ in range(10):
            engine.go("position startpos", "go movetime 20")
            engine.send("go infinite", "stop")
            engine.read_until("bestmove")
        assert engine.ask() == []
