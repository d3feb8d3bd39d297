"""Teachers: the fast way and the slow way hear the same, and a program that fails loses one position at most."""

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from okapi.core import Limits, Position, random_openings
from okapi.core.packed import pack, pack_fens
from okapi.errors import PlayerCheated, PlayerFailed, UsageError
from okapi.players import Engine, process
from okapi.players.teacher import Teacher, TeacherSettings, label_slowly
from okapi.uci import okapi_uci

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes that can be polled")

PICKY = Path(__file__).with_name("picky_engine.py")
FENS = [f"{file}k{7 - file}/8/8/8/8/8/8/4K3 w - - {file} 1" for file in range(1, 7)]
"""Halfmove clocks 1 to 6, and e1e2 is legal in all of them."""


@pytest.fixture(autouse=True)
def nothing_is_left_behind() -> Iterator[None]:
    before = set(process._running)
    yield
    assert set(process._running) <= before


def picky(fault: str, at: int = 3, **more: object) -> TeacherSettings:
    command = f"{sys.executable} {PICKY} {fault} {at}"
    return TeacherSettings(command=command, limits=Limits(nodes=100), timeout=0.3, **more)  # type: ignore[arg-type]


def test_what_it_says_becomes_labels() -> None:
    with Teacher(picky("honest", wdl=True)) as teacher:
        found = teacher.label(pack_fens(FENS))

    assert found.answered.all() and not found.complaints
    assert [1, 2, 3, 4, 5, 6] == found.labels["value"].tolist()
    assert {Position.from_fen(FENS[0]).move("e1e2").bits} == set(found.labels["move"].tolist())
    assert [[20, 970, 10]] * 6 == found.labels["wdl"].tolist()
    assert {(3, 100)} == set(zip(found.labels["depth"].tolist(), found.labels["nodes"].tolist(), strict=True))


@pytest.mark.parametrize("ahead", [0, 5])
@pytest.mark.parametrize(
    ("fault", "why"), [("crashes", "exit code 7: out of luck"), ("hangs", "did not answer"), ("cheats", "'e1e8'")]
)
def test_one_position_is_left_out_and_the_others_are_not(fault: str, why: str, ahead: int) -> None:
    with Teacher(picky(fault), ahead=ahead) as teacher:
        found = teacher.label(pack_fens(FENS))

    assert [True, True, False, True, True, True] == found.answered.tolist()
    assert [1, 2, 4, 5, 6] == found.labels["value"][found.answered].tolist()
    (complaint,) = found.complaints
    assert complaint.startswith(FENS[2]) and why in complaint


def test_a_program_that_always_fails_is_given_up() -> None:
    with Teacher(picky("cheats", at=1)) as teacher, pytest.raises(PlayerCheated, match="5 positions in a row"):
        teacher.label(pack_fens([FENS[0]] * 9))


def test_options_that_it_does_not_have() -> None:
    with pytest.raises(UsageError, match="MultiPV"):
        Teacher(picky("honest", lines=3))


def test_stop_ends_a_lesson_from_another_thread() -> None:
    with Teacher(picky("hangs", at=1)) as teacher:
        threading.Timer(0.05, teacher.stop).start()
        begun = time.perf_counter()
        with pytest.raises(PlayerFailed):
            teacher.label(pack_fens(FENS))

        assert time.perf_counter() - begun < 5


class TestAhead:
    @pytest.fixture(autouse=True)
    def with_questions_that_it_can_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("okapi.players.teacher.PROBES", tuple(FENS[:3]))

    def test_a_program_that_reads_in_order_may_be_asked_ahead(self) -> None:
        with Teacher(picky("honest")) as teacher:
            assert teacher.reads_ahead()

    def test_one_that_forgets_questions_may_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("okapi.players.teacher.PROBE_S", 1.0)
        with Teacher(picky("hasty")) as teacher:
            assert not teacher.reads_ahead()

            assert teacher.label(pack_fens(FENS)).answered.all()

    @pytest.mark.parametrize("nodes", [1, 50, 5000])
    def test_okapi_may_not_because_go_ends_the_search_before(self, nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.undo()
        with Teacher(TeacherSettings(command=str(okapi_uci()), limits=Limits(nodes=nodes))) as teacher:
            assert not teacher.reads_ahead()

    def test_one_that_takes_its_time_need_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("okapi.players.teacher.QUICK_S", 0.0)
        with Teacher(picky("honest")) as teacher:
            assert not teacher.reads_ahead()

    def test_one_that_thinks_by_the_clock_need_not(self) -> None:
        with Teacher(TeacherSettings(command=str(okapi_uci()), limits=Limits(movetime_ms=1))) as teacher:
            assert not teacher.reads_ahead()


class TestTwins:
    """label_positions() in C++ and label_slowly() in Python."""

    @pytest.mark.parametrize("lines", [1, 4])
    @pytest.mark.parametrize("independent", [False, True])
    def test_they_hear_the_same(self, lines: int, independent: bool) -> None:
        positions = pack(random_openings(30, seed=3, plies=20))
        teaching = TeacherSettings(
            command=str(okapi_uci()),
            limits=Limits(nodes=300),
            lines=lines,
            independent=independent,
            options={"Hash": "1"},
        )
        with Teacher(teaching) as teacher:
            fast = teacher.label(positions)
        with Engine(teaching.command, options=teaching.all_options) as engine:
            engine.new_game()
            slow = label_slowly(engine, positions, teaching)

        assert fast.answered.all()
        assert np.array_equal(slow.lines, fast.lines)
        for name in ("value", "move", "nodes", "depth"):
            assert slow.labels[name].tolist() == fast.labels[name].tolist()

    def test_in_chess960(self) -> None:
        fens = ["4k3/pppppppp/8/8/8/8/PPPPPPPP/4KR2 w F - 0 1", "1k1r4/8/8/8/8/8/8/4K3 b d - 0 1"]
        teaching = TeacherSettings(command=str(okapi_uci()), limits=Limits(depth=4))
        with Teacher(teaching) as teacher:
            assert teacher.label(pack_fens(fens)).answered.all()


def test_labels_do_not_depend_on_what_was_asked_before() -> None:
    positions = pack(random_openings(20, seed=5, plies=12))
    teaching = TeacherSettings(command=str(okapi_uci()), limits=Limits(nodes=400))
    with Teacher(teaching) as teacher:
        teacher.label(positions[10:])
        after_others = teacher.label(positions[:10])
    with Teacher(teaching) as teacher:
        alone = teacher.label(positions[:10])

    assert np.array_equal(alone.labels, after_others.labels)


def test_independent_labels_do_not_depend_on_their_neighbours() -> None:
    positions = pack(random_openings(10, seed=6, plies=12))
    teaching = TeacherSettings(command=str(okapi_uci()), limits=Limits(nodes=2000), independent=True)
    with Teacher(teaching) as teacher:
        forwards = teacher.label(positions)
        backwards = teacher.label(positions[::-1].copy())

    assert np.array_equal(forwards.labels, backwards.labels[::-1])
