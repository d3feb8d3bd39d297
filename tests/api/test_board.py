"""The board opened from Python."""

import urllib.request

import pytest

from okapi import Brain, Limits, Position, play
from okapi.errors import UsageError
from okapi.players import PythonPlayer
from okapi.players.python import as_player
from okapi.web.app import STATIC
from okapi.web.state import AppState


def first(position: Position) -> str:
    return str(position.legal_moves()[0])


@pytest.mark.skipif(not (STATIC / "index.html").is_file(), reason="the board's page is not built: make web")
@pytest.mark.parametrize("player", ["material", first, Brain.load("okapi-human")], ids=["name", "function", "brain"])
def test_the_board_answers_until_it_is_closed(player: object) -> None:
    with play(player, browser=False, nodes=100) as board:  # type: ignore[arg-type]
        assert 200 == urllib.request.urlopen(board.url).status
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(board.url)


def test_a_player_of_this_process_plays_on_the_board_and_in_no_tournament() -> None:
    state = AppState(engines={"first": lambda: as_player(first)})
    player = state.player("first", None, None)

    assert "first" in state.offer()["players"]
    assert isinstance(player, PythonPlayer)
    assert Position().legal_moves()[0] == player.choose(Position(), Limits()).move
    with pytest.raises(UsageError, match="object of this process"):
        state.spec("first", None, None)
    state.close()
