"""The board in the browser, opened from Python."""

from functools import partial
from pathlib import Path
from typing import Literal

from okapi.api.brain import Brain
from okapi.api.match import AnyPlayer
from okapi.core import Limits, Position
from okapi.files import Closable
from okapi.players.python import as_player
from okapi.web.game import RequestedGame, requested_game
from okapi.web.server import BackgroundServer
from okapi.web.state import AppState


class Board(Closable):
    """A board that is open in the background; `close()`, the end of a `with` or of the program closes it.

    >>> board = play("material", browser=False)
    >>> board.url.startswith("http://127.0.0.1:")
    True
    >>> board.close()
    """

    def __init__(self, server: BackgroundServer) -> None:
        self._server = server

    @property
    def url(self) -> str:
        return self._server.url

    def close(self) -> None:
        self._server.close()

    def __repr__(self) -> str:
        return f"<Board {self.url}>"

    def _repr_html_(self) -> str:
        return f'The board is at <a href="{self.url}" target="_blank">{self.url}</a>'


def play(
    player: AnyPlayer = "alphabeta",
    *,
    side: Literal["white", "black", "random"] = "white",
    elo: int | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    position: Position | str | None = None,
    port: int = 0,
    browser: bool = True,
) -> Board:
    """Open the board in the browser and play against a player: a name, a Brain, or an object or function of yours.

    It runs in the background, until `close()`, on a free port if none is given. `movetime` is in milliseconds, and
    `position` is where the game begins.

    >>> with play(lambda position: position.legal_moves()[0], browser=False) as board:
    ...     board.url.startswith("http://127.0.0.1:")
    True
    """
    limits = Limits(nodes=nodes, depth=depth, movetime_ms=movetime)
    start = Position(position) if isinstance(position, str) else position
    if isinstance(player, str | Path) or (isinstance(player, Brain) and player.card.path.is_file()):
        spec, brain = str(player), None
        if isinstance(player, Brain):
            path = str(player.card.path)
            spec, brain = (f"top-prob:{path}", None) if player.card.predicts_moves else ("alphabeta", path)
        requested, engines = requested_game(spec, brain, elo, limits, side, start)
        state = AppState(brain=requested.brain, engines=engines, requested=requested)
    else:  # only this process has it
        make = player.player if isinstance(player, Brain) else partial(as_player, player)
        name = player.name if isinstance(player, Brain) else getattr(make(), "name", "your player")
        fen = None if start is None else start.fen()
        requested = RequestedGame(player=name, elo=elo, limits=limits, side=side, fen=fen)
        state = AppState(engines={name: make}, requested=requested)
    return Board(BackgroundServer(state, port=port, browser=browser))
