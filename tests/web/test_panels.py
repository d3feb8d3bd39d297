"""docs/howto/panels.md: the example is as short as it says, and it works."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from okapi.core import Position
from okapi.web import session
from okapi.web.app import make_app
from okapi.web.panels import PANELS
from okapi.web.state import AppState

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "howto" / "panels.md"
WEB = ROOT / "build" / "web"
TSC = WEB / "node_modules" / ".bin" / "tsc"

pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="only in the repository")


def example(language: str) -> str:
    match = re.search(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert match is not None
    return match[1]


def test_the_servers_half_answers(static: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, type] = {"__name__": "okapi.web.panels.evaluations"}  # type: ignore[dict-item]
    exec(compile(example("python"), "evaluations.py", "exec"), names)
    monkeypatch.setattr(session, "PANELS", (*PANELS, names["Evaluations"]))
    with (
        TestClient(make_app(AppState(threads=1), static=static), base_url="http://127.0.0.1") as client,
        client.websocket_connect("ws://127.0.0.1/socket", headers={"origin": "http://127.0.0.1"}) as socket,
    ):
        assert "evaluations" == socket.receive_json()["panels"][-1]
        socket.send_text(json.dumps({"id": 1, "do": "evaluations.ask", "fen": Position.start().fen()}))
        evaluations = socket.receive_json()["evaluations"]

    assert {"brain": "material", "value": {"white": 0.5, "wdl": [0.25, 0.5, 0.25], "text": "+0.00"}} in evaluations


@pytest.mark.skipif(not TSC.exists(), reason="needs what npm fetches: make web")
def test_the_pages_half_has_the_right_types(tmp_path: Path) -> None:
    (tmp_path / "panels").mkdir()
    (tmp_path / "panels" / "evaluations.ts").write_text(example("ts"), encoding="utf-8")
    roots = {"rootDirs": [str(WEB / "src"), str(tmp_path)], "types": []}
    config = {"extends": str(WEB / "tsconfig.json"), "compilerOptions": roots, "include": ["panels"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")
    done = subprocess.run([TSC, "--noEmit", "-p", tmp_path], capture_output=True, text=True, check=False)

    assert "" == done.stdout


@pytest.mark.parametrize("language", ["python", "ts"])
def test_twenty_lines_are_enough(language: str) -> None:
    code = [line for line in example(language).splitlines() if line.strip() and "import" not in line]

    assert len(code) <= 21


LIBRARY_CLASSES = {"current-premove", "last-move", "move-dest", "oc", "premove-dest", "ranks", "u-legend", "u-over"}
"""Of chessground and uPlot."""


def test_every_class_of_the_styles_is_used_by_the_page() -> None:
    """A class that was renamed on one side alone leaves an element without its style."""
    sources = ROOT / "web" / "src"
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources.rglob("*.ts"))
    styles = "\n".join(path.read_text(encoding="utf-8") for path in sources.rglob("*.css"))
    classes = set(re.findall(r"\.([a-z][a-z0-9-]+)", re.sub(r"/\*.*?\*/", "", styles, flags=re.DOTALL)))
    unused = {name for name in classes if not re.search(rf"(?<![\w-]){name}(?![\w-])", code)}

    assert LIBRARY_CLASSES == unused
