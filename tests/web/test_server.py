"""Who is let in, what is served, and what the play panel answers."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from networks import write_mover
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from okapi.core import Limits, Position
from okapi.errors import NotFound, UsageError
from okapi.papers import PAPERS
from okapi.players.spec import OF_PAPERS
from okapi.web.app import make_app
from okapi.web.game import RequestedGame
from okapi.web.session import Outbox, Session
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page

PROGRAM = Path(sys.executable).parent / "okapi-uci"
HERE = "127.0.0.1:8000"
START = Position.start().fen()
OURS = {"origin": f"http://{HERE}"}
SHUFFLE = ["g1f3", "g8f6", "f3g1", "f6g8"]
PERSON = {"player": "person"}
PLAYER = {"player": "alphabeta", "brain": "material", "nodes": 500}


def listen_until_closed(socket: WebSocketTestSession) -> None:
    while True:
        socket.receive_json()


class TestTheGate:
    @pytest.mark.parametrize(
        "host", ["evil.example", "evil.example:8000", "192.168.0.7:8000", "127.0.0.1.evil.example", ""]
    )
    def test_another_host_is_refused(self, client: TestClient, host: str) -> None:
        answer = client.get("/", headers={"host": host})

        assert 403 == answer.status_code and "use the address that okapi printed" in answer.text

    @pytest.mark.parametrize("host", ["localhost:8000", "[::1]:8000", "127.0.0.1"])
    def test_our_own_names_are_not(self, client: TestClient, host: str) -> None:
        assert 200 == client.get("/", headers={"host": host}).status_code

    @pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:9000", "null", "", None])
    def test_another_origin_is_refused(self, client: TestClient, origin: str | None) -> None:
        headers = {} if origin is None else {"origin": origin}
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://{HERE}/socket", headers=headers):
            pass

    def test_a_shared_board_demands_its_token(self, state: AppState, static: Path) -> None:
        with TestClient(make_app(state, token="secret", static=static), base_url="http://192.168.0.7:8000") as client:
            assert 403 == client.get("/").status_code
            assert 403 == client.get("/?token=guess").status_code
            with (
                pytest.raises(WebSocketDisconnect),
                client.websocket_connect("ws://192.168.0.7:8000/socket", headers={"origin": "http://192.168.0.7:8000"}),
            ):
                pass
            assert "Okapi" in client.get("/?token=secret").text
            assert 200 == client.get("/").status_code
            with client.websocket_connect(
                "ws://192.168.0.7:8000/socket", headers={"origin": "http://192.168.0.7:8000"}
            ) as socket:
                assert "hello" == socket.receive_json()["tell"]
            assert 403 == client.get("/", headers={"host": "evil.example"}).status_code

    def test_every_answer_forbids_what_the_page_does_not_need(self, client: TestClient) -> None:
        policy = client.get("/").headers["content-security-policy"]

        assert "default-src 'none'" in policy and "script-src 'self';" in policy and "frame-ancestors 'none'" in policy


class TestFiles:
    def test_the_page_and_what_it_needs(self, client: TestClient) -> None:
        assert "text/html" in client.get("/").headers["content-type"]
        assert "javascript" in client.get("/assets/page.js").headers["content-type"]

    @pytest.mark.parametrize(
        "path",
        [
            "/../app.py",
            "/%2e%2e/app.py",
            "/..%2f..%2fapp.py",
            "//etc/passwd",
            "/assets/",
            "/assets/../../app.py",
            "/index.html/",
        ],
    )
    def test_nothing_else(self, client: TestClient, path: str) -> None:
        assert 404 == client.get(f"http://{HERE}{path}").status_code

    def test_a_page_that_was_not_built_is_explained(self, state: AppState, tmp_path: Path) -> None:
        with pytest.raises(NotFound) as missing:
            make_app(state, static=tmp_path)

        assert "--terminal" in missing.value.hint
        state.close()


class TestPlay:
    def test_hello_says_what_there_is(self, page: "Page") -> None:
        hello = page.news("hello")

        assert "champion" == hello["brains"][0] and "material" in hello["brains"]
        assert ["alphabeta", "greedy", "random"] == hello["players"][:3] and [800, 3200] == hello["elo"]
        assert {*hello["predicting"], *hello["papers"]} == set(hello["players"][3:])
        assert set(OF_PAPERS) - set(hello["brains"]) == set(hello["papers"]) >= set(PAPERS)

    def test_a_brain_that_predicts_moves_is_a_player_of_its_own_name(self, tmp_path: Path) -> None:
        pytest.importorskip("onnxruntime", reason="needs ONNX Runtime: make test installs it")
        path = write_mover(tmp_path)
        state = AppState(brain=str(path), threads=1)

        assert "mover" in state.offer()["players"]
        assert (2000, 2900) == state.offer()["predicting"]["mover"]
        assert state.player("mover", None, 2300).choose(Position.start(), Limits()).likely
        assert f"top-prob:{path},elo=2300" == state.spec("mover", None, 2300)
        with pytest.raises(UsageError, match="an elo of 1500 is not available"):
            state.player("mover", None, 1500)
        state.close()

    def test_a_move_is_answered(self, page: "Page") -> None:
        assert page.ask("play.new", white=PERSON, black=PLAYER)["ok"]
        assert page.ask("play.move", move="e2e4")["ok"]
        game = page.game(lambda game: len(game["moves"]) == 2)

        assert "e4" == game["moves"][0]["san"] and game["moves"][1]["value"] is not None
        assert "material, 500 nodes" == game["seats"]["black"]["title"]

    @pytest.mark.parametrize(
        "seat",
        [
            {"player": "greedy", "brain": "material"},
            {"player": "random"},
            {"player": "alphabeta", "elo": 800},
            *({"player": paper, "nodes": 500} for paper in sorted({*PAPERS} - {"singh2015"})),  # it needs ONNX Runtime
        ],
    )
    def test_any_player_plays(self, page: "Page", seat: dict[str, object]) -> None:
        page.ask("play.new", white=seat, black=PERSON)

        assert 1 == len(page.game(lambda game: len(game["moves"]) == 1)["moves"])

    def test_two_players_play_a_whole_game_by_themselves(self, page: "Page") -> None:
        fen = "8/8/8/8/8/k7/7R/K7 w - - 0 1"
        page.ask("play.new", white={**PLAYER, "brain": "okapi-28"}, black=PLAYER, fen=fen)
        game = page.game(lambda game: len(game["moves"]) >= 3)
        page.ask("play.pause")
        paused = page.game(lambda game: game["paused"])

        assert game["person"] is None and paused["result"] == "*"

    def test_a_fallen_flag_is_told_without_being_asked(self, page: "Page") -> None:
        record = {
            "game_id": "1",
            "white": PERSON,
            "black": PERSON,
            "fen": "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "moves": ["h1h2", "e8e7"],
        }
        page.ask("play.resume", **record, clock={"time_ms": 60_000}, white_ms=150, black_ms=60_000)

        assert "White ran out of time" == page.game(lambda game: game["result"] != "*")["reason"]

    def test_a_hint_comes_with_the_name_of_its_brain(self, page: "Page") -> None:
        page.ask("play.new", white=PERSON, black=PERSON, fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        page.ask("play.hint")
        hint = page.news("play.hint")

        assert ("champion", "Ra8#") == (hint["brain"], hint["line"]["moves"][0]["san"])

    @pytest.mark.parametrize(
        ("action", "data", "message"),
        [
            ("play.move", {"move": "e2e4"}, "there is no game"),
            ("play.new", {"white": PERSON, "black": {"player": "uci:sh"}}, "no player `uci:sh`"),
            ("play.new", {"white": PERSON, "black": {"player": "alphabeta", "brain": "/etc/passwd"}}, "no brain"),
            ("play.new", {"white": PERSON, "black": {"player": "alphabeta", "elo": 3300}}, "cannot be played"),
            ("play.new", {"white": PERSON, "black": PERSON, "fen": "8/8"}, "FEN"),
            ("play.new", {"white": PERSON, "black": PERSON, "chess960": 960}, "expected -1 to 959"),
            ("play.close", {}, "no action"),
            ("play.__init__", {}, "no action"),
            ("state.close", {}, "no panel"),
        ],
    )
    def test_what_cannot_be_is_refused(self, page: "Page", action: str, data: dict[str, object], message: str) -> None:
        answer = page.ask(action, **data)

        assert not answer["ok"] and message in answer["error"]

    def test_the_invitation_of_the_command_line(self, static: Path) -> None:
        state = AppState(brain="material", requested=RequestedGame(brain="material", elo=1200, side="black"), threads=1)
        with (
            TestClient(make_app(state, static=static), base_url=f"http://{HERE}") as client,
            client.websocket_connect(f"ws://{HERE}/socket", headers=OURS) as socket,
        ):
            assert "material" == socket.receive_json()["brains"][0]
            socket.send_text(json.dumps({"id": 1, "do": "play.requested"}))
            setup = socket.receive_json()["setup"]

        assert ("black", 1200, "material") == (setup["side"], setup["opponent"]["elo"], setup["opponent"]["brain"])


@pytest.mark.skipif(not PROGRAM.exists(), reason="needs okapi-uci beside this Python")
class TestPrograms:
    @pytest.mark.parametrize(
        ("seat", "start"), [({"nodes": 100}, {}), ({"elo": 1500}, {}), ({"nodes": 100}, {"chess960": 0})]
    )
    def test_a_program_plays_at_any_strength_and_leaves_with_its_page(
        self,
        static: Path,
        seat: dict[str, int],
        start: dict[str, int],
        eventually: Callable[[Callable[[], bool]], bool],
    ) -> None:
        others = programs()
        state = AppState(engines={"native": f"uci:{PROGRAM}"}, threads=1)
        with TestClient(make_app(state, static=static), base_url=f"http://{HERE}") as client:
            with client.websocket_connect(f"ws://{HERE}/socket", headers=OURS) as socket:
                new = {"id": 1, "do": "play.new", "white": {"player": "native", **seat}, "black": PERSON, **start}
                socket.send_text(json.dumps(new))
                message = socket.receive_json()
                while not (message.get("tell") == "play.game" and message["game"]["moves"]):
                    assert message.get("tell") != "error", message
                    message = socket.receive_json()
                assert programs() - others
            assert eventually(lambda: not programs() - others)

    def test_one_that_knows_no_ratings_says_so(self) -> None:
        state = AppState(engines={"old": "xboard:gnuchess"}, threads=1)
        with pytest.raises(UsageError, match="knows no ratings"):
            state.player("old", None, 1500)
        state.close()


def programs() -> set[str]:
    """The numbers of the native programs that this process has started."""
    if not Path("/proc/self/task").exists():
        pytest.skip("needs /proc to see processes")
    children: set[str] = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # a thread that has just ended
            children.update((task / "children").read_text().split())
    return {child for child in children if _is_native(child)}


def _is_native(process: str) -> bool:
    try:
        return "okapi-uci" in Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return False


class TestHostility:
    def test_a_program_that_dies_is_said_and_the_game_waits(self, static: Path) -> None:
        state = AppState(engines={"broken": "uci:false"}, threads=1)
        with (
            TestClient(make_app(state, static=static), base_url=f"http://{HERE}") as client,
            client.websocket_connect(f"ws://{HERE}/socket", headers=OURS) as socket,
        ):
            socket.send_text(json.dumps({"id": 1, "do": "play.new", "white": {"player": "broken"}, "black": PERSON}))
            while (message := socket.receive_json()).get("tell") != "error":
                pass
            while (shown := socket.receive_json()).get("tell") != "play.game":
                pass

        assert "does not speak UCI" in message["error"] and shown["game"]["paused"]

    def test_ten_thousand_messages_of_nonsense_do_no_harm(self, client: TestClient, state: AppState) -> None:
        nonsense = ["", "{", '{"id":1}', '{"id":1,"do":"play.move"}', "\x00", "[" * 1000, "x" * 100_000]
        with client.websocket_connect(f"ws://{HERE}/socket", headers=OURS) as socket:
            for number in range(10_000):
                socket.send_text(nonsense[number % len(nonsense)])
            with pytest.raises(WebSocketDisconnect) as closed:
                listen_until_closed(socket)
        assert 1008 == closed.value.code
        with client.websocket_connect(f"ws://{HERE}/socket", headers=OURS) as socket:
            assert "hello" == socket.receive_json()["tell"]

        assert 0 == state.pages

    def test_long_answers_count_as_many(self, state: AppState) -> None:
        answered = []
        for moves in ([], SHUFFLE * 1400):
            record = {"game_id": "1", "white": PERSON, "black": PERSON, "fen": START, "moves": moves}
            session = Session(state, Outbox(), now=lambda: 0.0)
            for number in range(300):
                session.receive(json.dumps({"id": number, "do": "play.resume", **record}))
            answered.append(300 - session.refused)
        state.close()

        short, long = answered
        assert 1 <= long and 2 * long < short <= 200

    def test_a_page_that_leaves_takes_its_thinking_along(
        self, client: TestClient, state: AppState, eventually: Callable[[Callable[[], bool]], bool]
    ) -> None:
        with client.websocket_connect(f"ws://{HERE}/socket", headers=OURS) as socket:
            endless = {"player": "alphabeta", "brain": "material", "movetime_ms": 600_000}
            socket.send_text(json.dumps({"id": 1, "do": "play.new", "white": endless, "black": PERSON}))
            while socket.receive_json().get("tell") != "play.search":
                pass
            assert 1 == state.pool.busy

        assert eventually(lambda: state.pool.busy == state._slots == 0)
