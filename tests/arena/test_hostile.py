"""Engines that crash, hang, flood, cheat or write nonsense: the match ends, with the right result and report."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from okapi.arena.games import Fault
from okapi.arena.match import Match, MatchReport, play_match
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import SerialWorkers
from okapi.core import Position
from okapi.errors import PlayerCrashed, PlayerSilent
from okapi.players import Engine, process

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and polling")

HOSTILE = Path(__file__).with_name("hostile.py")
SHORT = TimeControl.from_text("0.2+0.02")
LONG = TimeControl.from_text("10+0.1")
NO_CLOCK = TimeControl(nodes=50, stall_s=0.4)


@pytest.fixture(autouse=True)
def nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("okapi.arena.referee.GRACE_S", 0.2)
    yield
    assert not process._running


def spec(fault: str) -> str:
    return f"uci:{sys.executable} {HOSTILE} {fault}"


def meet(tmp_path: Path, fault: str, control: TimeControl, games: int = 2) -> MatchReport:
    """Two games against a decent player that sees little."""
    openings = tmp_path / "start.epd"
    openings.write_text("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R w K - 0 1\n")
    match = Match(first="greedy:material", second=spec(fault), control=control, openings=str(openings))
    return play_match(match, games, store=tmp_path / "games.sqlite", make_workers=SerialWorkers)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("dies-at-start", Fault.CRASH),
        ("crashes", Fault.CRASH),
        ("segfaults", Fault.CRASH),
        ("closes-its-output", Fault.CRASH),
        ("hangs", Fault.TIME),
        ("floods-forever", Fault.TIME),
        ("floods-without-newline", Fault.TIME),
        ("no-newline", Fault.TIME),
        ("late", Fault.TIME),
        ("illegal", Fault.ILLEGAL),
        ("nonsense", Fault.ILLEGAL),
        ("no-move", Fault.ILLEGAL),
        ("null-move", Fault.ILLEGAL),
    ],
)
def test_loses_its_games_and_the_report_says_why(tmp_path: Path, fault: str, expected: Fault) -> None:
    report = meet(tmp_path, fault, SHORT if expected is Fault.TIME else LONG)

    assert (2, 0, 0) == (report.wins, report.draws, report.losses)
    assert {(1, expected): 2} == report.faults


@pytest.mark.parametrize("fault", ["hangs", "floods-forever", "silent-at-start"])
def test_without_a_clock_it_has_hung(tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("okapi.arena.referee.STARTUP_S", 0.5 if fault == "silent-at-start" else 5.0)
    monkeypatch.setattr("okapi.arena.referee.RESTART_S", 0.2)
    monkeypatch.setattr("okapi.arena.match.check_players", lambda match: None)

    assert {(1, Fault.STALL): 2} == meet(tmp_path, fault, NO_CLOCK).faults


@pytest.mark.parametrize(
    "fault",
    [
        "floods",
        "long-line",
        "wrong-encoding",
        "talks-on-stderr",
        "windows-lines",
        "answers-twice",
        "strange-numbers",
        "illegal-line",
        "prints-a-banner",
    ],
)
def test_plays_on_if_it_is_only_odd(tmp_path: Path, fault: str) -> None:
    report = meet(tmp_path, fault, LONG, games=1)

    assert not report.faults
    assert 1 == report.games


def test_odd_answers_are_counted(tmp_path: Path) -> None:
    report = meet(tmp_path, "illegal-line", NO_CLOCK, games=1)

    assert report.warnings[1, "illegal move in its line"] > 3


def test_the_reason_names_the_exit_code_and_the_last_words(tmp_path: Path) -> None:
    endings = []
    openings = tmp_path / "start.epd"
    openings.write_text(Position.start().fen() + "\n")
    match = Match(first="greedy:material", second=spec("crashes"), control=LONG, openings=str(openings))
    play_match(
        match,
        1,
        store=tmp_path / "games.sqlite",
        make_workers=SerialWorkers,
        on_game=lambda report, played: endings.append(played.ending),
    )

    assert "ended with exit code 134" in endings[0]
    assert "std::bad_alloc" in endings[0]


class TestLeaving:
    def test_a_program_that_ignores_quit_is_ended(self) -> None:
        engine = Engine([sys.executable, str(HOSTILE), "ignores-quit"])
        pid = engine.pid
        begun = time.perf_counter()
        engine.close()

        assert time.perf_counter() - begun < 3
        assert not is_alive(pid)

    def test_the_children_of_a_program_end_with_it(self) -> None:
        engine = Engine([sys.executable, str(HOSTILE), "has-a-child"])
        children = group(engine.pid)
        engine.close()

        assert len(children) == 2
        until = time.perf_counter() + 2
        while any(map(is_alive, children)) and time.perf_counter() < until:
            time.sleep(0.01)
        assert not any(map(is_alive, children))

    def test_a_program_that_no_longer_reads_is_noticed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(process, "SEND_S", 0.3)
        with Engine([sys.executable, str(HOSTILE), "hangs"]) as engine:
            os.kill(engine.pid, signal.SIGSTOP)
            with pytest.raises(PlayerSilent, match="does not read"):
                engine.process.send("position startpos" * 100_000)
            os.kill(engine.pid, signal.SIGCONT)
            engine.kill()

    def test_a_program_that_is_killed_by_others_is_noticed(self) -> None:
        with Engine([sys.executable, str(HOSTILE), "honest"]) as engine:
            os.kill(engine.pid, signal.SIGKILL)
            with pytest.raises(PlayerCrashed, match=r"SIGKILL|ended|closed"):
                engine.new_game()


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def group(leader: int) -> list[int]:
    """The processes of a process group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(stat.read_text().rpartition(")")[2].split()[2]) == leader:
                found.append(int(stat.parent.name))
        except OSError:
            continue
    return found
