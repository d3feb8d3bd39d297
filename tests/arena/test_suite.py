"""Suites: what counts as solved, what a move earns, and what a judge says about it."""

import json
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

from okapi import Decision, Limits, Position, Value
from okapi.arena.suite import ReferenceEngine, SuiteAnswer, SuiteScore, SuiteTask, by_theme, read_suite, run_suite
from okapi.arena.suite_page import suite_page
from okapi.cli import main
from okapi.errors import InvalidEpd, NotFound, PlayerFailed
from okapi.formats.epd import Epd
from okapi.players import AlphaBeta, Player

SUITE = (Path(__file__).parent / "suite.epd").read_text(encoding="utf-8")


@dataclass
class Scripted:
    """Plays what it is told to, by the position's number in the script; says that it sees a mate in one."""

    moves: dict[str, str]
    closed: list[bool] = field(default_factory=list)

    def choose(self, position: Position, limits: Limits) -> Decision:
        text = self.moves.get(position.fen().split(" ")[0], "")
        if text == "crash":
            raise PlayerFailed("it crashed")
        move = position.move(text) if text else position.legal_moves()[0]
        return Decision(move, Value.from_mate(1, position.turn), (move,), 1)

    def close(self) -> None:
        self.closed.append(True)


def task_of(line: str) -> SuiteTask:
    return SuiteTask.of(Epd.parse(line), 1, "some")


def answer_to(line: str, move: str) -> SuiteAnswer:
    task = task_of(line)
    chosen = task.position.move(move)
    return SuiteAnswer(task, Decision(chosen, Value(0.5, task.position.turn), (chosen,), 0), 0.0)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "some.epd"
    path.write_text(SUITE, encoding="utf-8")
    return path


def test_any_of_several_best_moves_solves() -> None:
    line = "4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5 e5;"

    assert answer_to(line, "exd5").solved and answer_to(line, "e5").solved
    assert not answer_to(line, "Kf2").solved


def test_any_move_solves_that_is_not_to_be_avoided() -> None:
    line = "4k3/8/8/3p4/4P3/8/8/4K3 w - - am exd5;"

    assert not answer_to(line, "exd5").solved and 0 == answer_to(line, "exd5").points
    assert answer_to(line, "e5").solved and 1 == answer_to(line, "e5").points


def test_a_mate_is_solved_by_seeing_it_in_time() -> None:
    task = task_of("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - dm 2;")
    move = task.position.move("h3")

    for mate, solved in ((1, True), (2, True), (3, False), (-1, False)):
        assert solved == task.solved_by(Decision(move, Value.from_mate(mate, task.position.turn), (move,), 0))
    assert not task.solved_by(Decision(move, Value(0.9, task.position.turn), (move,), 0))


def test_points_count_where_they_contradict_the_best_move() -> None:
    """In graded35k the best move of one engine stands beside the points of another: the points are meant."""
    line = 'r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1 w - - bm Rfd1; c0 "Rad1=10, Rfd1=4";'

    assert (10, True) == (answer_to(line, "Rad1").points, answer_to(line, "Rad1").solved)
    assert (4, False) == (answer_to(line, "Rfd1").points, answer_to(line, "Rfd1").solved)
    assert (0, False) == (answer_to(line, "h3").points, answer_to(line, "h3").solved)


def test_a_comment_with_a_sign_of_equality_is_no_grade() -> None:
    line = '4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; c0 "see http://example.org/?tid=5, page 3";'

    assert {} == task_of(line).graded and answer_to(line, "exd5").solved


def test_a_suite_knows_its_themes_and_spells_them_in_one_way(suite: Path) -> None:
    tasks = read_suite(suite)

    assert ["Mates", "Mates", "leave it", "Mates", *["Undermine"] * 3] == [task.theme for task in tasks]
    assert [1, 1, 1, 1, 10, 7, 10] == [task.most for task in tasks]


def test_tasks_without_a_name_have_the_name_of_their_suite() -> None:
    task = task_of("4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5;")

    assert ("some 1", "some") == (task.name, task.theme)


def test_scores_are_summed_by_theme(suite: Path) -> None:
    moves = {
        "6k1/5ppp/8/8/8/8/5PPP/R5K1": "Ra8#",
        "4k3/8/8/3q4/4P3/8/8/4K3": "Kf2",
        "4k3/8/8/3p4/4P3/8/8/4K3": "exd5",
        "r4rk1/ppp2ppp/8/8/8/8/PPP2PPP/R4RK1": "Rfd1",
        "7k/P7/8/8/8/8/8/7K": "a8=R",
    }
    total, themes = by_theme(run_suite(read_suite(suite), lambda: Scripted(moves), Limits(depth=1)))

    assert SuiteScore(positions=7, solved=2, points=2 + 4 + 2 + 8, max_points=4 + 10 + 7 + 10) == total
    assert {
        "Mates": SuiteScore(3, 2, 2, 3),
        "leave it": SuiteScore(1, 0, 0, 1),
        "Undermine": SuiteScore(3, 0, 14, 27),
    } == themes


def test_answers_do_not_depend_on_concurrency(suite: Path) -> None:
    def moves(concurrency: int) -> list[str]:
        found = run_suite(
            read_suite(suite), lambda: AlphaBeta("material"), Limits(nodes=3_000), concurrency=concurrency
        )
        return [answer.played for answer in sorted(found, key=lambda answer: answer.task.number)]

    assert moves(1) == moves(3)


def test_a_player_that_fails_is_replaced_and_has_not_solved_the_position(suite: Path) -> None:
    hired: list[Scripted] = []

    def hire() -> Player:
        hired.append(Scripted({"4k3/8/8/3q4/4P3/8/8/4K3": "crash"}))
        return hired[-1]

    answers = list(run_suite(read_suite(suite), hire, Limits(depth=1)))

    assert 7 == len(answers) and 2 == len(hired)
    assert ["it crashed"] == [answer.failure for answer in answers if answer.decision is None]
    assert all(player.closed for player in hired)


# --- The judge ------------------------------------------------------------------------------------------------------


def judged(fen: str, played: str, *best: str) -> int:
    position = Position.from_fen(fen)
    judge = ReferenceEngine(AlphaBeta("material"), Limits(depth=4))
    return judge.compare(position, position.move(played), [position.move(move) for move in best]).delta


def test_the_best_move_gives_nothing_away() -> None:
    assert 0 == judged("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1", "exd5", "e5", "exd5")


def test_a_rook_left_standing_costs_about_a_rook_and_a_pawn() -> None:
    assert 300 <= judged("4k3/p7/8/3r4/4P3/8/8/4K3 w - - 0 1", "Kf2", "exd5") <= 700


def test_getting_mated_costs_ten_pawns_and_no_more() -> None:
    """The paper writes a symbolic 10 for the move of position 22 that allows a forced mate."""
    assert 1_000 == judged("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", "Rc1", "Rb8#")


def test_a_better_move_than_the_suite_knows_counts_for_the_player() -> None:
    assert 0 > judged("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1", "exd5", "e5")


def test_where_nothing_is_named_the_judge_names_its_own() -> None:
    assert 300 <= judged("4k3/p7/8/3r4/4P3/8/8/4K3 w - - 0 1", "Kf2") <= 1_000


# --- The page -------------------------------------------------------------------------------------------------------


class Links(HTMLParser):
    """Collects what a page refers to, and what it has."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.refers: set[str] = set()
        self.loads: list[str] = []
        self.boards = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.boards += tag == "svg" and said.get("role") == "img"
        if said.get("id"):
            self.ids.add(str(said["id"]))
        if tag == "use":
            self.refers.add(str(said["href"]).removeprefix("#"))
        if tag in ("link", "img", "iframe") or said.get("src"):
            self.loads.append(tag)


def test_a_page_has_a_board_for_each_miss_and_needs_nothing_else(suite: Path) -> None:
    answers = list(run_suite(read_suite(suite), lambda: Scripted({}), Limits(depth=1)))
    page = Links()
    page.feed(suite_page("<some> suite", answers, player="a & b", limits="1 ply"))

    assert sum(not answer.solved for answer in answers) == page.boards > 2
    assert page.refers <= page.ids
    assert [] == page.loads


def test_a_page_escapes_what_it_shows(suite: Path) -> None:
    text = suite_page("<some>", [], player="<b>", limits="1 ply")

    assert "<some>" not in text and "&lt;some&gt;" in text and "Everything was found" in text


# --- The command ----------------------------------------------------------------------------------------------------


def test_the_command_prints_the_keys_that_programs_rely_on(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = suite.with_suffix(".html")

    code = main(["suite", str(suite), "--player", "material", "--depth", "3", "--page", str(page), "--json"])

    said = json.loads(capsys.readouterr().out)
    assert 0 == code and page.exists()
    assert (7, 31) == (said["positions"], said["max_points"])
    assert {"positions", "solved", "points", "max_points"} == set(said["by_theme"]["Undermine"])
    assert said["solved"] == sum(answer["solved"] for answer in said["answers"])


def test_the_command_prints_a_table_and_what_a_judge_says(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["suite", str(suite), "--player", "greedy:material", "--judge", "material", "--judge-depth", "3"]

    assert 0 == main(command)

    text = capsys.readouterr().out
    assert "Undermine" in text and "Δ pawns" in text and "of 7 solved" in text and "on average" in text


def test_fewer_positions_are_spread_over_the_file(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["suite", str(suite), "--player", "material", "--depth", "1", "--count", "3", "--json"])

    said = json.loads(capsys.readouterr().out)
    assert ["Mates.001", "Greed 001 - leave it", "STS(v1.0) Undermine.001"] == [a["id"] for a in said["answers"]]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_stops_the_thinking_and_tells_what_was_found(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun = time.perf_counter()
    alarm = threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT])
    alarm.start()

    code = main(["suite", str(suite), "--player", "material", "--movetime", "60000", "--json"])

    said = capsys.readouterr()
    assert 4 == code and time.perf_counter() - begun < 20
    assert not json.loads(said.out)["complete"]
    assert "interrupted after" in said.err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('4k3/8/8/8/8/8/8/4K3 w - - id "nothing";', "some.epd, position 1: there is nothing to find"),
        ("4k3/8/8/8/8/8/8/4K3 w - - bm Qh5;", "some.epd, line 1"),
        ('4k3/8/8/8/8/8/8/4K3 w - - c0 "Qh5=10, Kd2=3";', "some.epd, position 1"),
        ("# empty", "there is no position in some.epd"),
        ("nonsense", "some.epd, line 1"),
    ],
)
def test_a_bad_suite_is_refused_with_its_line(suite: Path, text: str, says: str) -> None:
    suite.write_text(text + "\n", encoding="utf-8")

    with pytest.raises(InvalidEpd, match=says):
        read_suite(suite)


def test_a_suite_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_suite(tmp_path / "none.epd")
    assert 3 == main(["suite", str(tmp_path / "none.epd")])
