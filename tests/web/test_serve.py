"""`okapi play` as a person starts it: an address, a board, and Ctrl-C."""

import io
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from okapi.cli import main
from okapi.cli.console import Exit
from okapi.core import Limits, Position
from okapi.errors import UsageError
from okapi.web import app
from okapi.web.app import STATIC
from okapi.web.game import requested_game
from okapi.web.server import serve
from okapi.web.state import AppState

built = pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the board's page is not built: make web")


@contextmanager
def okapi_play(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address that it prints."""
    command = [sys.executable, "-m", "okapi", "play", "--no-browser", *options]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        found = re.search(r"http://\S+", running.stdout.readline())
        assert found is not None
        yield running, found[0]
    finally:
        running.kill()
        running.communicate()


@built
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send")
def test_it_serves_where_it_says_and_ctrl_c_ends_it_well() -> None:
    with okapi_play() as (running, address):
        with urlopen(address) as page:
            assert b"<title>Okapi</title>" in page.read()
        running.send_signal(signal.SIGINT)

        assert Exit.DONE == running.wait(10)


@built
def test_a_shared_board_prints_its_token_and_wants_it() -> None:
    with okapi_play("--share", "127.0.0.1") as (_, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{20,}", address)
        with pytest.raises(HTTPError, match="Forbidden"):
            urlopen(address.partition("?")[0])


def test_a_port_that_is_taken_is_explained(static: os.PathLike[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.make_app, "__kwdefaults__", {"token": None, "static": static})
    state = AppState(threads=1)
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(UsageError, match="cannot be served"):
        serve(state, port=taken.getsockname()[1], browser=False)
    state.close()


def test_a_page_that_was_not_built_offers_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: os.PathLike[str]
) -> None:
    monkeypatch.setattr(app.make_app, "__kwdefaults__", {"token": None, "static": tmp_path})

    assert Exit.INPUT == main(["play", "--no-browser"])
    assert "okapi play --terminal" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("play --no-browser --engine stockfish", Exit.USAGE, "names no player"),
        ("play --no-browser --engine x=nobody:y", Exit.INPUT, "no player `nobody`"),
        ("play --no-browser --elo 5", Exit.USAGE, "is not available"),
        ("play --port 70000", Exit.USAGE, ""),
    ],
)
def test_wrong_options_are_said_before_anything_is_served(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, line: str, code: Exit, message: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    assert code == main(line.split())
    assert message in capsys.readouterr().err


def test_the_command_line_in_the_words_of_the_board() -> None:
    wish, programs = requested_game(
        "uci:/usr/games/stockfish{Hash=1}", None, None, Limits(nodes=5), "random", Position.start()
    )

    assert ("stockfish", "random", 5) == (wish.player, wish.side, wish.limits.nodes)
    assert {"stockfish": "uci:/usr/games/stockfish{Hash=1}"} == programs
    assert "vazquez2012" == requested_game("vazquez2012", None, None, Limits(), "white", None)[0].player
    deeper, named = requested_game("vazquez2012,depth=2", None, None, Limits(), "white", None)
    assert named[deeper.player] == "vazquez2012,depth=2"
    assert "vazquez-five" == requested_game("greedy:vazquez-five", None, None, Limits(), "white", None)[0].brain

    wish, others = requested_game("negamax:material,depth=2,quiescence=no", None, None, Limits(), "white", None)
    assert ("negamax material", {"negamax material": "negamax:material,depth=2,quiescence=no"}) == (wish.player, others)
