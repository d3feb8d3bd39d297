"""The server's half of Analyse: texts, lines, threats, reports, and what a page may not do."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient

from okapi.core import Position
from okapi.errors import OkapiError
from okapi.web.app import make_app
from okapi.web.game_tree import Tree, TreeMove, read_text, write_tree
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page

START = Position.start().fen()
SCHOLAR = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"]
PLACE = {"start": START, "moves": SCHOLAR[:5]}
TO_AND_FRO = ["Nf3", "Nf6", "Ng1", "Ng8"]
HERE = "127.0.0.1:8000"
OURS = {"origin": f"http://{HERE}"}


class TestTexts:
    def test_side_lines_comments_and_marks_are_kept_both_ways(self) -> None:
        text = "1. e4 { best by test } e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Qh5?! Nc6 *"
        game = read_text(text)
        again = read_text(write_tree(_tree(game)))

        assert again == game
        assert ["e4", "e5", "c5"] == [move["san"] for move in game["moves"][:3]]
        assert "best by test" == game["moves"][0]["comment"]
        assert ["?!"] == [move["mark"] for move in game["moves"] if move["san"] == "Qh5"]

    def test_a_fen_is_a_game_without_moves(self) -> None:
        game = read_text("4k3/8/8/8/8/8/4P3/4K3 b - - 3 40")

        assert ("black", 40, []) == (game["start_turn"], game["start_number"], game["moves"])

    def test_chess960_castles(self) -> None:
        head = '[Variant "Chess960"]\n[SetUp "1"]\n[FEN "rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1"]\n\n'
        game = read_text(head + "1. O-O O-O-O *")

        assert [("O-O", "b1h1"), ("O-O-O", "b8a8")] == [(move["san"], move["uci"]) for move in game["moves"]]
        assert read_text(write_tree(_tree(game)))["moves"] == game["moves"]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "neither a game nor a position"),
            ("hello there", "neither a game nor a position"),
            ("1. e4 e5 2. Ke3 *", "illegal san: 'Ke3'"),
            ("1. e4 -- 2. d4 *", "cannot be read"),
            ("1. e5 ) {a}", "cannot be read"),
            (" ".join(TO_AND_FRO * 800), "more than 3000 moves"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "piece placement"),
            ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "piece placement"),
            ('[FEN "8/8/8/8/8/8/8/k7 w - - 0 1"]\n\n*', "piece placement"),
        ],
    )
    def test_what_is_wrong_is_said(self, text: str, message: str) -> None:
        with pytest.raises(OkapiError, match=message):
            read_text(text)

    def test_a_side_line_with_a_null_move_is_left_out(self) -> None:
        assert ["e4", "e5"] == [move["san"] for move in read_text("1. e4 e5 (1... -- 2. d4) *")["moves"]]

    def test_a_tree_whose_moves_follow_later_ones_is_refused(self) -> None:
        with pytest.raises(OkapiError, match="comes later"):
            write_tree(Tree(START, (TreeMove(0, "e2e4"),)))


class TestLooking:
    def test_lines_come_as_news_with_the_name_of_who_says_so(self, page: "Page") -> None:
        answer = page.ask("analyse.look", **PLACE, engine="okapi-28", lines=3)
        news = page.news("analyse.lines", lambda news: news["depth"] >= 3)

        assert "black" == answer["position"]["turn"] and "e2" not in answer["position"]["destinations"]
        assert "C23 " == answer["opening"][:4]
        assert ("okapi-28", 3) == (news["engine"], len(news["lines"]))
        assert news["nodes"] > 0 and news["fen"] == answer["position"]["fen"]

    def test_a_threat_is_told(self, page: "Page") -> None:
        page.ask("analyse.look", **PLACE, engine="okapi-28", lines=0, threat=True)
        news = page.news("analyse.threat")

        assert "White threatens mate: Qxf7#" == news["sentence"]
        assert "h5f7" == news["line"]["moves"][0]["uci"]

    def test_a_quiet_position_has_no_threat(self, page: "Page") -> None:
        page.ask("analyse.look", start="4k3/8/8/8/8/8/8/4K3 w - - 0 1", engine="material", lines=0, threat=True)

        assert "" == page.news("analyse.threat")["sentence"]

    def test_nobody_looks_at_a_finished_game(self, page: "Page", state: AppState) -> None:
        answer = page.ask("analyse.look", start=START, moves=SCHOLAR, engine="okapi-28", threat=True)

        assert "checkmate" == answer["position"]["ending"] and 0 == state.pool.busy

    def test_a_move_is_written_as_people_write_it(self, page: "Page") -> None:
        assert "Nxe4" == page.ask("analyse.move", start=START, moves=["e4", "Nf6", "a3"], move="f6e4")["move"]["san"]

    def test_a_program_looks_ever_longer_and_is_ended(
        self, static: Path, eventually: Callable[[Callable[[], bool]], bool]
    ) -> None:
        state = AppState(engines={"other": f"uci:{okapi_uci()}"}, threads=1)
        with (
            TestClient(make_app(state, static=static), base_url=f"http://{HERE}") as client,
            client.websocket_connect(f"ws://{HERE}/socket", headers=OURS) as socket,
        ):
            socket.send_text(json.dumps({"id": 1, "do": "analyse.look", **PLACE, "engine": "other", "lines": 2}))
            news = []
            while len(news) < 2:
                if (message := socket.receive_json()).get("tell") == "analyse.lines":
                    news.append(message)
        assert eventually(lambda: state.programs.busy == 0)
        assert ("other", 2) == (news[0]["engine"], len(news[0]["lines"]))
        assert news[1]["nodes"] > news[0]["nodes"]

    @pytest.mark.parametrize("engine", ["okapi-human", "singh2015", "sabatelli2018", "vazquez2012"])
    def test_the_players_of_papers_and_those_that_predict_moves_look(self, page: "Page", engine: str) -> None:
        predicts = engine in ("okapi-human", "singh2015")
        page.ask("analyse.look", **PLACE, engine=engine, lines=2)
        news = page.news("analyse.lines", lambda news: news["engine"] == engine)

        assert predicts == news.get("predicts", False) == news["lines"][0]["value"]["text"].endswith(" %")
        assert 1 <= len(news["lines"][0]["moves"])

    def test_no_report_is_written_by_who_gives_no_values(self, page: "Page") -> None:
        answer = page.ask("analyse.report", **PLACE, engine="okapi-human")

        assert not answer["ok"] and "values no position" in answer["error"]

    def test_a_program_that_was_stopped_is_not_started_again(
        self,
        static: Path,
        monkeypatch: pytest.MonkeyPatch,
        eventually: Callable[[Callable[[], bool]], bool],
    ) -> None:
        state = AppState(engines={"other": f"uci:{okapi_uci()}"}, threads=1)
        started: list[Any] = []
        start = state.player
        monkeypatch.setattr(
            state, "player", lambda *args, **named: started.append(start(*args, **named)) or started[-1]
        )
        with (
            TestClient(make_app(state, static=static), base_url=f"http://{HERE}") as client,
            client.websocket_connect(f"ws://{HERE}/socket", headers=OURS) as socket,
        ):
            order = {"start": START, "moves": SCHOLAR, "engine": "other", "effort": "deep"}
            socket.send_text(json.dumps({"id": 1, "do": "analyse.report", **order}))
            assert eventually(lambda: len(started) == 1)
            socket.send_text(json.dumps({"id": 2, "do": "analyse.cancel"}))
            assert eventually(lambda: state.jobs.busy + state.programs.busy == 0)

        assert 1 == len(started) and not Path(f"/proc/{started[0].pid}").exists()

    def test_a_program_that_dies_is_said(self, static: Path) -> None:
        state = AppState(engines={"broken": "uci:false"}, threads=1)
        with (
            TestClient(make_app(state, static=static), base_url=f"http://{HERE}") as client,
            client.websocket_connect(f"ws://{HERE}/socket", headers=OURS) as socket,
        ):
            socket.send_text(json.dumps({"id": 1, "do": "analyse.report", **PLACE, "engine": "broken", "number": 3}))
            while (failed := socket.receive_json()).get("tell") != "analyse.failed":
                pass
            message = socket.receive_json()

        assert 3 == failed["number"] and "does not speak UCI" in message["error"]


class TestReports:
    def test_it_grows_and_ends_with_a_sentence(self, page: "Page", state: AppState) -> None:
        assert page.ask("analyse.report", start=START, moves=SCHOLAR, engine="okapi-28", effort="quick", number=7)["ok"]
        news = page.news("analyse.report", lambda news: not news["report"]["phase"])
        report = news["report"]
        blunder = report["moves"][-1]

        assert (7, 8) == (news["number"], len(report["values"]))
        assert ("3... Nf6??", "allows mate: Qxf7#") == (blunder["name"], blunder["sentence"])
        assert "okapi-28, 20,000 positions for each move" == report["by"]
        assert report["summary"]["white"]["accuracy"] > report["summary"]["black"]["accuracy"]

    def test_it_can_be_cancelled(
        self, page: "Page", state: AppState, eventually: Callable[[Callable[[], bool]], bool]
    ) -> None:
        page.ask("analyse.report", start=START, moves=SCHOLAR, engine="material", effort="deep")
        page.ask("analyse.cancel")
        assert eventually(lambda: state.pool.busy + state.jobs.busy + state._slots == 0)

    def test_a_page_that_leaves_takes_its_report_along(
        self, client: TestClient, state: AppState, eventually: Callable[[Callable[[], bool]], bool]
    ) -> None:
        with client.websocket_connect(f"ws://{HERE}/socket", headers=OURS) as socket:
            order = {"start": START, "moves": SCHOLAR, "engine": "material", "effort": "deep"}
            socket.send_text(json.dumps({"id": 1, "do": "analyse.report", **order}))
            while "ok" not in socket.receive_json():
                pass
        assert eventually(lambda: state.pool.busy + state.jobs.busy + state._slots == 0)


@pytest.mark.parametrize(
    ("action", "data", "message"),
    [
        ("analyse.open", {"text": "nonsense"}, "neither a game nor a position"),
        ("analyse.look", {**PLACE, "engine": "/etc/passwd"}, "no brain"),
        ("analyse.look", {**PLACE, "engine": "uci:sh"}, "no brain"),
        ("analyse.look", {**PLACE, "engine": "material", "lines": 6}, "expected 0 to 5"),
        ("analyse.look", {"start": "8/8", "engine": "material"}, "FEN"),
        ("analyse.move", {"start": START, "move": "e5"}, "not legal"),
        ("analyse.report", {"start": START, "engine": "material"}, "no moves"),
        ("analyse.report", {"start": START, "moves": TO_AND_FRO * 200, "engine": "material"}, "may have 300 moves"),
        ("analyse.report", {**PLACE, "engine": "material", "effort": "endless"}, "effort"),
        ("analyse.pgn", {"start": START, "moves": [{"before": 5, "move": "e4"}]}, "comes later"),
        ("analyse.pgn", {"start": START, "tags": [{"name": "../x y", "value": ""}]}, "invalid pgn header"),
        ("analyse.pgn", {"start": START, "tags": [{"name": "X", "value": "a\nb"}]}, "line break"),
    ],
)
def test_what_cannot_be_is_refused(page: "Page", action: str, data: dict[str, object], message: str) -> None:
    answer = page.ask(action, **data)

    assert not answer["ok"] and message in answer["error"]


def _tree(game: dict[str, object]) -> Tree:
    moves = [TreeMove(m["before"], m["uci"], m["mark"], m["comment"]) for m in game["moves"]]  # type: ignore[attr-defined]
    return Tree(str(game["start"]), tuple(moves))


def okapi_uci() -> str:
    beside = Path(sys.executable).with_name("okapi-uci")
    found = str(beside) if beside.exists() else shutil.which("okapi-uci")
    if found is None:
        pytest.skip("no okapi-uci here: pip install .")
    return found
