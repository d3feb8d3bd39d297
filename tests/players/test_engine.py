"""Other programs, in both languages: what we tell them, and what we make of what they say."""

import shutil
import sys
from pathlib import Path

import pytest

from okapi import Clock, Limits, Position
from okapi.errors import PlayerCheated, PlayerFailed, PlayerResigned, PlayerSilent, UsageError
from okapi.players import Engine
from okapi.players.process import EngineProcess, ThreadedReader, find_program
from okapi.uci import okapi_uci

XBOARD = Path(__file__).with_name("xboard_engine.py")
MODERN = "ping=1 setboard=1 usermove=1 time=1 memory=1"
CLOCKS = Limits(white=Clock(61_500, 200), black=Clock(5_000, 200))
MIDDLE = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XBOARD_LOG", str(tmp_path / "log"))
    return tmp_path / "log"


def xboard(features: str = MODERN, fault: str = "", **options: str) -> Engine:
    return Engine([sys.executable, str(XBOARD), features, fault], protocol="xboard", options=options)


def said(log: Path, *, without: str = "") -> list[str]:
    return [
        line for line in log.read_text().splitlines() if not line.startswith(("accepted", "rejected", without or "\0"))
    ]


def test_our_own_program_is_found_wherever_python_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    assert str(okapi_uci()) == find_program("okapi-uci")


class TestXboard:
    def test_a_game_as_it_is_told(self, log: Path) -> None:
        position = Position.from_fen(MIDDLE)
        with xboard(memory="32", Level="3") as engine:
            assert "Tester" == engine.name
            engine.new_game()
            position.play(engine.choose(position, CLOCKS).move)
            position.play("a6")
            position.play(engine.choose(position, CLOCKS).move)
            engine.game_over("1-0", "checkmate")

        assert [
            "xboard",
            "protover 2",
            "memory 32",
            "option Level=3",
            "new",
            "easy",
            "post",
            "force",
            "ping 1",
            f"setboard {MIDDLE}",
            "level 0 1:02 0.2",
            "ping 2",
            "time 6150",
            "otim 500",
            "go",
            "time 6150",
            "otim 500",
            "usermove a7a6",
            "result 1-0 {checkmate}",
            "force",
            "quit",
        ] == said(log)

    def test_another_position_is_another_game(self, log: Path) -> None:
        with xboard() as engine:
            engine.choose(Position.start(), CLOCKS)
            engine.choose(Position.from_fen(MIDDLE), CLOCKS)

        assert 2 == said(log).count("go")
        assert 1 == said(log).count("new")

    def test_an_old_program_says_nothing_about_itself(self, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("okapi.players.xboard.FEATURES_S", 0.2)
        position = Position.start()
        position.play("e4")
        with xboard("", "old-words") as engine:
            decision = engine.choose(position, CLOCKS)

        assert position.is_legal(decision.move)
        assert "e2e4" in said(log)

    @pytest.mark.parametrize("turn", ["w", "b"])
    def test_positions_without_setboard(self, log: Path, turn: str) -> None:
        position = Position.from_fen(f"4k3/pp6/8/8/8/8/5PP1/4K3 {turn} - - 0 1")
        with xboard("ping=1 setboard=0 usermove=1") as engine:
            assert position.is_legal(engine.choose(position, CLOCKS).move)
            with pytest.raises(PlayerFailed, match="no feature setboard"):
                engine.choose(Position.from_fen("4k3/8/8/8/8/8/8/4K2R w - - 0 1"), CLOCKS)

        assert ["edit", "#", "Ke1", "Pf2", "Pg2", "c", "Pa7", "Pb7", "Ke8", "."] == said(log)[
            said(log).index("edit") :
        ][:10]

    def test_moves_as_people_write_them(self) -> None:
        with xboard(MODERN + " san=1") as engine:
            decision = engine.choose(Position.from_fen(MIDDLE), CLOCKS)

        assert (25, 3, 1200) == (decision.value.centipawns, decision.depth, decision.nodes)

    def test_a_time_that_is_no_whole_second_is_called_out(self, log: Path) -> None:
        with xboard(fault="slow") as engine:
            reply = engine.ask(Position.start(), Limits(movetime_ms=150), timeout=5)

        assert 0.14 < reply.seconds < 1
        assert "level 0 0:05 0" in said(log)
        assert "?" in said(log)

    def test_depth(self, log: Path) -> None:
        with xboard() as engine:
            engine.choose(Position.start(), Limits(depth=5))

        assert "sd 5" in said(log)

    @pytest.mark.parametrize(
        ("fault", "limits", "expected"),
        [
            ("resigns", CLOCKS, PlayerResigned),
            ("admits", CLOCKS, PlayerResigned),
            ("claims", CLOCKS, PlayerCheated),
            ("no-depth", Limits(depth=4), UsageError),
            ("", Limits(nodes=100), UsageError),
        ],
    )
    def test_no_move(
        self, fault: str, limits: Limits, expected: type[Exception], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("okapi.players.xboard.CLAIM_S", 0.1)
        with xboard(fault=fault) as engine, pytest.raises(expected):
            engine.choose(Position.start(), limits)

    def test_a_claim_before_the_move_does_no_harm(self) -> None:
        with xboard(fault="claims-and-moves") as engine:
            assert engine.choose(Position.start(), CLOCKS).move

    def test_a_refused_move_is_the_fault_of_who_refuses(self) -> None:
        position = Position.start()
        with xboard(fault="refuses") as engine:
            position.play(engine.choose(position, CLOCKS).move)
            position.play("e5")
            with pytest.raises(PlayerCheated, match="refused a legal move"):
                engine.choose(position, CLOCKS)

    def test_options_it_does_not_have(self) -> None:
        with pytest.raises(UsageError, match="no option `Strength`"):
            xboard(Strength="3")

    @pytest.mark.skipif(find_program("phalanx") is None, reason="phalanx is not installed")
    def test_phalanx(self) -> None:
        position = Position.from_fen(MIDDLE)
        with Engine("phalanx", protocol="xboard") as engine:
            for _ in range(6):
                position.play(engine.choose(position, Limits(white=Clock(500), black=Clock(500))).move)


class TestUci:
    def test_the_language_of_the_other(self) -> None:
        with pytest.raises(PlayerFailed) as caught:
            Engine([sys.executable, "-c", "print('feature done=1'); input()"], startup_seconds=1)

        assert "xboard:" in caught.value.hint

    def test_patience(self) -> None:
        with Engine([str(okapi_uci())]) as engine:
            with pytest.raises(PlayerSilent, match="did not answer `go`"):
                engine.ask(Position.start(), Limits(), timeout=0.1)
            engine.kill()

    def test_time_runs_from_question_to_answer(self) -> None:
        with Engine([str(okapi_uci())]) as engine:
            reply = engine.ask(Position.start(), Limits(movetime_ms=200), timeout=5)

        assert 0.1 < reply.seconds < 1.0

    def test_chess960_castling(self) -> None:
        position = Position.from_fen("1k3r2/5p2/8/8/8/8/8/1K3R2 w Ff - 0 1")
        castle = position.move("O-O")
        with Engine([str(okapi_uci())]) as engine:
            engine.new_game(chess960=True)
            assert castle == engine.choose(position, Limits(depth=1, only=(castle,))).move

    @pytest.mark.parametrize("options", [{"hash": 2}, {"Threads": 1, "Hash": 2}, {"Ponder": False}])
    def test_options(self, options: dict[str, int]) -> None:
        Engine([str(okapi_uci())], options=options).close()


class TestPipe:
    def test_debian_keeps_its_engines_where_nobody_looks(self) -> None:
        if not Path("/usr/games").is_dir():
            pytest.skip("no /usr/games")
        for program in list(Path("/usr/games").iterdir())[:3]:
            assert find_program(program.name)

    @pytest.mark.parametrize("threaded", [False, True])
    def test_both_ways_of_reading(self, threaded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        """Windows cannot poll pipes; what it does instead works anywhere."""
        if threaded:
            monkeypatch.setattr(
                "okapi.players.process.make_reader", lambda process: ThreadedReader(process.stdout, process.stderr)
            )
        with Engine([str(okapi_uci())]) as engine:
            position = Position.start()
            for _ in range(5):
                position.play(engine.choose(position, Limits(nodes=300)).move)
            engine.kill()
            with pytest.raises(PlayerFailed):
                engine.choose(position, Limits(nodes=300))

    def test_a_line_without_end_takes_no_memory(self) -> None:
        if shutil.which("yes") is None:
            pytest.skip("no `yes` here")
        from time import perf_counter

        pipe = EngineProcess(["sh", "-c", "yes | tr -d '\\n'"])
        assert pipe.receive(perf_counter() + 0.3) is None
        assert len(pipe._rest) <= 1 << 16
        pipe.kill()
