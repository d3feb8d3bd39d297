"""A state, a client that talks as a page does, a real server, and a real browser."""

import json
import shutil
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from okapi.web.app import STATIC, make_app
from okapi.web.server import make_server
from okapi.web.state import AppState

HERE = "127.0.0.1:8000"

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


Condition = Callable[[], bool]


@pytest.fixture
def eventually() -> Callable[[Condition], bool]:
    """Does a condition come true within ten seconds?"""

    def wait(condition: Condition) -> bool:
        until = time.monotonic() + 10
        while not condition() and time.monotonic() < until:
            time.sleep(0.01)
        return condition()

    return wait


class Page:
    """Talks with the server as the page does, and waits for what it wants to hear."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self._numbers = count(1)
        self._unread: deque[dict[str, Any]] = deque()

    def ask(self, action: str, **data: Any) -> dict[str, Any]:
        """The answer to a message; news that come meanwhile can still be read afterwards."""
        number = next(self._numbers)
        self.say(json.dumps({"id": number, "do": action, **data}))
        while (message := self._receive()).get("id") != number:
            self._unread.append(message)
        return message

    def say(self, text: str) -> None:
        """Send anything."""
        self.socket.send_text(text)

    def wait(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message that is wanted; those before it are skipped."""
        while not wanted(message := self._unread.popleft() if self._unread else self._receive()):
            pass
        return message

    def _receive(self) -> dict[str, Any]:
        message: dict[str, Any] = self.socket.receive_json()
        return message

    def news(self, kind: str, wanted: Callable[[dict[str, Any]], bool] = lambda message: True) -> dict[str, Any]:
        """The next news of that kind."""
        return self.wait(lambda message: message.get("tell") == kind and wanted(message))

    def game(self, wanted: Callable[[dict[str, Any]], bool] = lambda game: True) -> dict[str, Any]:
        """The next state of the game that is wanted."""
        game: dict[str, Any] = self.news("play.game", lambda message: wanted(message["game"]))["game"]
        return game


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A page of one line, so that the server's tests need no npm."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>Okapi</title>")
    (tmp_path / "assets" / "page.js").write_text("")
    return tmp_path


@pytest.fixture
def state() -> AppState:
    return AppState(threads=2)


@pytest.fixture
def client(state: AppState, static: Path) -> Iterator[TestClient]:
    with TestClient(make_app(state, static=static), base_url=f"http://{HERE}") as client:
        yield client


@pytest.fixture
def page(client: TestClient) -> Iterator[Page]:
    with client.websocket_connect(f"ws://{HERE}/socket", headers={"origin": f"http://{HERE}"}) as connection:
        yield Page(connection)


@contextmanager
def serving(port: int = 0) -> Iterator[str]:
    """A real server with the real page; its address."""
    if not (STATIC / "index.html").is_file():
        pytest.skip("the board's page is not built: make web")
    listener = socket.create_server(("127.0.0.1", port))
    running = make_server(make_app(AppState(threads=2)))
    thread = threading.Thread(target=running.run, args=([listener],), daemon=True)
    thread.start()
    while not running.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    running.should_exit = True
    thread.join(10)
    listener.close()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The server that all tests of the browser share."""
    with serving() as address:
        yield address


@pytest.fixture
def restarted() -> Iterator[Callable[[], str]]:
    """A server of one's own: the first call starts it, each further one ends it and starts another in its place."""
    with ExitStack() as running:
        port = 0

        def again() -> str:
            nonlocal port
            running.close()
            address = running.enter_context(serving(port))
            port = int(address.rstrip("/").rpartition(":")[2])
            return address

        yield again


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A browser that serves all tests, one after the other."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium: make test installs it")
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("needs chromium and chromedriver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()
