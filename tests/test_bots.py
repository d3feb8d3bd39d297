"""The lichess bot of examples/ plays against a stub of lichess's server; recipes for other hosts do what they say."""

import json
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import chess
import chess.engine
import pytest

from okapi import Position
from okapi.brains import SHIPPED
from okapi.cli import main

HOWTO = Path(__file__).parent.parent / "docs" / "howto"
BESIDE_PYTHON = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
BOT = Path(__file__).parent.parent / "examples" / "bots" / "lichess.py"
LONGEST_S = 300


class Server(ThreadingHTTPServer):
    """As much of lichess as a bot sees: a challenge, then a game in which the opponent plays its first legal move."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.position, self.posts, self.refused = Position(), queue.Queue[str](), list[str]()
        self.over = threading.Event()

    def state(self) -> dict[str, object]:
        status = "started" if self.position.ending() is None else "mate"
        moves = " ".join(str(move) for move in self.position.history())
        clocks = {"wtime": 60_000, "btime": 60_000, "winc": 0, "binc": 0}
        return {"type": "gameState", "moves": moves, "status": status, **clocks}


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None: ...

    def send(self, *events: object) -> None:
        for event in events:
            self.wfile.write((json.dumps(event) if event else "").encode() + b"\n")
        self.wfile.flush()

    def do_GET(self) -> None:
        assert self.headers["Authorization"] == "Bearer secret"
        self.send_response(200)
        self.end_headers()
        if self.path == "/api/account":
            self.send({"id": "okapi"})
        elif self.path == "/api/stream/event":
            for key in ("atomic", "standard"):
                control = {"type": "clock", "limit": 60, "increment": 0}
                self.send(
                    {"type": "challenge", "challenge": {"id": key, "variant": {"key": key}, "timeControl": control}}
                )
            assert [self.server.posts.get(timeout=LONGEST_S) for _ in range(2)] == ["atomic/decline", "standard/accept"]
            self.send(None, {"type": "gameStart", "game": {"id": "standard"}})
            self.server.over.wait(LONGEST_S)
        else:
            self.game()

    def game(self) -> None:
        """The opponent has White."""
        server, position = self.server, self.server.position
        position.play(str(position.legal_moves()[0]))
        self.send({"type": "gameFull", "white": {"id": "guest"}, "black": {"id": "okapi"}, "state": server.state()})
        while position.ending() is None:
            server.posts.get(timeout=LONGEST_S)
            if position.ending() is None:
                position.play(str(position.legal_moves()[0]))
            self.send({"type": "chatLine", "text": "good luck"}, server.state())
        server.over.set()

    def do_POST(self) -> None:
        kind, _, rest = self.path.removeprefix("/api/").partition("/")
        if kind == "bot":
            move = rest.rpartition("/")[2]
            if move not in {str(legal) for legal in self.server.position.legal_moves()}:
                self.server.refused.append(move)
            self.server.position.play(move)
        self.send_response(200)
        self.end_headers()
        self.server.posts.put(rest)


@pytest.mark.skipif(not BOT.is_file(), reason="only in the repository")
def test_the_bot_plays_a_game() -> None:
    server = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command = [sys.executable, BOT, "--player", "alphabeta:material,depth=3"]
    address = f"http://127.0.0.1:{server.server_address[1]}"
    environment = os.environ | {"LICHESS_TOKEN": "secret"}
    bot = subprocess.run(
        [*command, "--server", address], env=environment, capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    server.shutdown()
    server.server_close()

    assert (0, "", []) == (bot.returncode, bot.stderr, server.refused)
    assert ("checkmate", "0-1") == (server.position.ending(), server.position.result())


def block(page: str, language: str) -> str:
    found = re.search(
        rf"^```{language}\n(.*?)^```", (HOWTO / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert found, page
    return found[1]


@pytest.mark.skipif(not HOWTO.is_dir(), reason="only in the repository")
@pytest.mark.skipif(shutil.which("okapi-uci", path=BESIDE_PYTHON) is None, reason="no okapi-uci here")
class TestRecipes:
    def test_the_engine_takes_the_options_of_lichess_bot_s_settings(self) -> None:
        """lichess-bot is not on PyPI; it starts engines by python-chess, which refuses options that there are not."""
        settings = block("lichess.md", "yaml").partition("uci_options:\n")[2]
        options = dict(re.findall(r'^    ([\w ]+): "?([^"#\n]+?)"?(?: +#.*)?$', settings, re.MULTILINE))
        assert {"EvalFile": "mine", "Threads": "2", "Hash": "256", "Move Overhead": "300"} == options
        assert 0 == main(["brains", "add", str(SHIPPED / "okapi-28.safetensors"), "--name", "mine"])
        program = str(shutil.which("okapi-uci", path=BESIDE_PYTHON))
        with chess.engine.SimpleEngine.popen_uci(program) as engine:
            engine.configure(options)
            clock = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0, black_inc=0)
            played = engine.play(chess.Board(), clock)
        lines = "".join(f"setoption name {name} value {value}\n" for name, value in options.items())
        said = subprocess.run([program], input=f"{lines}quit\n", capture_output=True, text=True, check=True).stdout

        assert played.move in chess.Board().legal_moves
        assert "info string brain okapi-28" in said and "ERROR" not in said

    def test_the_script_for_python_chess_plays_a_game(self) -> None:
        environment = os.environ | {"PATH": BESIDE_PYTHON}
        done = subprocess.run(
            [sys.executable, "-c", block("gui.md", "python")],
            env=environment, capture_output=True, text=True, timeout=LONGEST_S, check=False,
        )  # fmt: skip

        assert 0 == done.returncode, done.stderr
        assert done.stdout.strip() in ("1-0", "0-1", "1/2-1/2")
