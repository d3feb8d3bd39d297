"""The HTTP API: what it answers, what it refuses, and that its description is true."""

import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from okapi import brains
from okapi.core import Position
from okapi.core.packed import pack
from okapi.web import api, session
from okapi.web.app import make_app
from okapi.web.state import AppState

START = Position.start().fen()
MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
OVER = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
CLIENT = Path(__file__).parents[2] / "examples" / "api" / "client.py"


def test_a_position_is_analysed(
    client: TestClient, state: AppState, eventually: Callable[[Callable[[], bool]], bool]
) -> None:
    answer = client.post("/api/analyse", json={"fen": MATE, "nodes": 5000, "lines": 2, "brain": "material"}).json()

    best, other = answer["lines"]
    assert ("a1a8", "Ra8#", 1, None, 1.0) == tuple(best[key] for key in ("move", "san", "mate", "centipawns", "value"))
    assert other["mate"] is None and isinstance(other["centipawns"], int)
    assert "material" == answer["brain"] and 0 < answer["nodes"] <= 6000
    assert eventually(lambda: state.pool.busy == 0)


def test_values_are_those_of_the_brain(client: TestClient) -> None:
    fens = [START, "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]
    found = client.post("/api/evaluate", json={"fens": fens, "brain": "material"}).json()["positions"]

    assert [0, -100] == [each["centipawns"] for each in found]
    assert fens == [each["fen"] for each in found]


def test_moves_are_those_of_the_predictor(client: TestClient) -> None:
    (expected,) = brains.predictor("okapi-human").moves(pack([Position.start()]), elo=2200)
    found = client.post("/api/moves", json={"elo": 2200}).json()["moves"]

    assert [Position.start().uci(move) for move, _ in expected] == [each["move"] for each in found]
    assert found[0]["probability"] == pytest.approx(expected[0][1], abs=1e-5)


def test_every_brain_is_listed(client: TestClient) -> None:
    answer = client.get("/api/brains").json()

    assert brains.default_name() == answer["default"]
    assert {card.name for card in brains.shipped()} <= {brain["name"] for brain in answer["brains"]}


@pytest.mark.parametrize(
    ("path", "body", "status", "says"),
    [
        ("analyse", {"fen": "nonsense"}, 400, "FEN"),
        ("analyse", {"fen": OVER}, 400, "no move is legal"),
        ("analyse", {"brain": "../../etc/passwd"}, 404, "no brain"),
        ("analyse", {"movetime_ms": 10**9}, 400, "expected 1 to 20000"),
        ("analyse", {"lines": 50}, 400, "expected 1 to 5"),
        ("analyse", {"depht": 3}, 400, "no field"),
        ("analyse", [], 400, "JSON object"),
        ("evaluate", {"fens": [START] * 257}, 400, "256 are allowed"),
        ("evaluate", {"brain": "okapi-human"}, 400, "does not evaluate"),
        ("moves", {"brain": "material"}, 400, "does not predict"),
        ("moves", {"elo": 100}, 400, "expected 2000"),
    ],
)
def test_a_wrong_request_is_refused_with_a_reason(
    client: TestClient, path: str, body: Any, status: int, says: str
) -> None:
    answer = client.post(f"/api/{path}", json=body)

    assert status == answer.status_code and says in answer.json()["error"]


@pytest.mark.parametrize("text", ["", "{", '{"lines": NaN}', "[" * 5000, "null", '{"fen": "\\ud800"}'])
def test_what_is_not_json_is_refused(client: TestClient, text: str) -> None:
    answer = client.post("/api/analyse", content=text, headers={"content-type": "application/json"})

    assert 400 == answer.status_code


def test_a_form_of_another_page_is_refused(client: TestClient) -> None:
    """A browser sends such a request without asking first."""
    assert 400 == client.post("/api/analyse", content="{}", headers={"content-type": "text/plain"}).status_code


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_another_origin_is_refused(client: TestClient, origin: str) -> None:
    assert 403 == client.post("/api/moves", json={}, headers={"origin": origin}).status_code


def test_a_long_request_is_refused(client: TestClient) -> None:
    answer = client.post("/api/analyse", json={"fen": "x" * 200_000})

    assert 400 == answer.status_code and "bytes" in answer.json()["error"]


def test_a_shared_board_demands_its_token(state: AppState, static: Path) -> None:
    with TestClient(make_app(state, token="secret", static=static), base_url="http://192.168.0.7:8000") as client:
        assert 403 == client.get("/api/brains").status_code
        assert 403 == client.get("/api/brains", headers={"authorization": "Bearer guess"}).status_code
        assert 200 == client.get("/api/brains", headers={"authorization": "Bearer secret"}).status_code


def test_too_many_requests_are_told_to_wait(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "A_SECOND", 0.0)
    monkeypatch.setattr(session, "AT_ONCE", 3.0)
    codes = [client.post("/api/evaluate", json={"brain": "material"}).status_code for _ in range(5)]

    assert [200, 200, 200, 429, 429] == codes


def test_too_many_at_once_are_told_to_wait(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "MOST_AT_ONCE", 0)

    assert 429 == client.get("/api/brains").status_code


# --- The description --------------------------------------------------------------------------------------------------


@pytest.fixture
def described(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/openapi.json").json()
    return found


def fits(described: dict[str, Any], name: str, value: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    jsonschema.validate(value, {"$ref": f"#/components/schemas/{name}", "components": described["components"]})


def test_every_endpoint_is_described(described: dict[str, Any]) -> None:
    assert {each.path for each in api.ENDPOINTS} == set(described["paths"])
    assert described["openapi"].startswith("3.1")


@pytest.mark.parametrize(
    ("path", "body"),
    [("analyse", {"nodes": 500, "brain": "material"}), ("evaluate", {}), ("moves", {"fen": MATE}), ("brains", None)],
)
def test_answers_are_as_described(client: TestClient, described: dict[str, Any], path: str, body: Any) -> None:
    (endpoint,) = (each for each in api.ENDPOINTS if each.path == f"/api/{path}")
    answer = client.get(endpoint.path) if body is None else client.post(endpoint.path, json=body)

    assert 200 == answer.status_code
    fits(described, endpoint.answers.__name__, answer.json())


def test_bounds_of_the_description_are_those_of_the_reader(described: dict[str, Any]) -> None:
    asked = described["components"]["schemas"]["AnalyseRequest"]

    assert {"type": "integer", "minimum": 1, "maximum": 5, "default": 1} == asked["properties"]["lines"]
    assert 120 == asked["properties"]["fen"]["maxLength"]
    assert [] == asked["required"]


def test_the_example_is_a_client_of_ten_lines(
    restarted: Callable[[], str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not CLIENT.exists():
        pytest.skip("no examples here")
    monkeypatch.setattr(sys, "argv", ["client.py", restarted().rstrip("/")])
    runpy.run_path(str(CLIENT))

    assert "'san': 'Ra8#'" in capsys.readouterr().out
    assert len(CLIENT.read_text(encoding="utf-8").splitlines()) <= 10
