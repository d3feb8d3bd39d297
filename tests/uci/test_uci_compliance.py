"""The forty checks of `fastchess --compliance`, in its order, and how quickly the program is there."""

import time

from uci_driver import Engine, Info, running

WHITE = "r2qk2r/r2p1p1p/pp1P2p1/2p1P3/2P1P3/5P2/PPQ4P/2KR2R1 w kq - 0 1"
BLACK = "5k2/3pq3/4p1p1/5p2/1PPPn2p/5P1P/4P1P1/3QK3 b - - 0 1"


def last_scored(lines: list[str]) -> str:
    """The line that fastchess examines."""
    scored = [
        line for line in lines if not line.startswith("info string") and " score " in line and " multipv 1 " in line
    ]
    exact = [line for line in scored if "bound" not in line]
    return (exact or scored)[-1]


def check_answer(engine: Engine, go: str) -> None:
    """Bestmove is there and last; an info line was printed, is well formed and has a score."""
    engine.send(go)
    lines = engine.read_until("bestmove", timeout=5)
    info = last_scored(lines)
    words = info.split()
    assert words[0] == "info"
    for key in ("time", "nps", "score"):
        assert "." not in words[words.index(key) + 1]
    Info.parse(info)
    assert engine.is_silent(0.02), "nothing is said after bestmove"


def test_the_forty_checks(engine: Engine) -> None:
    engine.send("uci")
    greeting = engine.read_until("uciok")
    assert engine.ask() == []
    assert any(line.startswith("id name ") for line in greeting)
    assert any(line.startswith("id author ") for line in greeting)
    assert engine.ask("ucinewgame") == []
    assert engine.ask("position startpos") == []
    assert engine.ask(f"position fen {WHITE}") == []
    check_answer(engine, "go wtime 100")
    engine.send(f"position fen {BLACK}")
    check_answer(engine, "go btime 100")
    check_answer(engine, "go wtime 100 winc 100 btime 100 binc 100")
    check_answer(engine, "go btime 100 binc 100 wtime 100 winc 100")
    assert engine.ask("ucinewgame") == []
    engine.send("position startpos")
    check_answer(engine, "go wtime 100 btime 100")
    engine.send("position startpos moves e2e4 e7e5")
    check_answer(engine, "go wtime 100 btime 100")


def test_nothing_is_said_before_uci(engine: Engine) -> None:
    """A banner confuses Fritz."""
    assert engine.is_silent(0.1)


def test_readyok_and_uciok_are_exact(engine: Engine) -> None:
    engine.send("uci", "isready")
    lines = engine.read_until("readyok")
    assert lines[-2:] == ["uciok", "readyok"]


def test_uciok_comes_at_once(uci_path: str) -> None:
    """Best of five, since the machine may be busy."""

    def seconds() -> float:
        start = time.perf_counter()
        with running(uci_path) as engine:
            engine.send("uci")
            engine.read_until("uciok")
            return time.perf_counter() - start

    assert min(seconds() for _ in range(5)) < 0.05
