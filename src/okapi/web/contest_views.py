"""Contests and their games as pages get them."""

from typing import TYPE_CHECKING, Any, Final

from okapi.core import Color, Game, Position, Value
from okapi.errors import NotFound
from okapi.formats.pgn import write_pgn
from okapi.web.contest import Contest
from okapi.web.views import played_view, side_name, value_view

if TYPE_CHECKING:
    from okapi.arena.games import Thought

__all__ = ["contest_summary", "contest_view", "game_view"]

BOARDS: Final = 4
"""Games that are shown while they are played."""


def contest_summary(contest: Contest) -> dict[str, Any]:
    """Who plays, and how far it is."""
    return {
        "number": contest.number,
        "names": contest.names,
        "state": contest.state,
        "games": contest.games,
        "total": contest.total,
        "left_s": contest.left_s,
    }


def contest_view(contest: Contest) -> dict[str, Any]:
    """Everything that is shown while it is watched."""
    error = contest.error
    boards = sorted(contest.underway.items())[:BOARDS]
    return {
        **contest_summary(contest),
        "error": None if error is None else {"error": str(error), "hint": error.hint},
        "standings": contest.standings,
        "match": contest.match,
        "boards": [_board(contest.names, game.pairing, game.moves, game.thought) for _, game in boards if game.moves],
        "last": None if contest.last is None else _ended(contest),
    }


def game_view(contest: Contest, number: int) -> dict[str, Any]:
    """A game that is over, to be played through again: NotFound if it is not kept."""
    game = contest.kept.get(number)
    if game is None:
        raise NotFound(f"game {number + 1} is not kept", hint="the newest ones are")
    start = Position.from_fen(game.pairing.fen)
    at = start.copy()
    moves = [played_view(at, at.move(text)) for text in game.moves]
    white, black = contest.names[game.pairing.white], contest.names[game.pairing.black]
    tags = {
        "Event": "Contest at the board",
        "Round": str(number + 1),
        "White": white,
        "Black": black,
        "Termination": game.ending,
    }
    return {
        "number": number,
        "white": white,
        "black": black,
        "result": game.result,
        "ending": game.ending,
        "start": start.fen(),
        "start_number": start.fullmove_number,
        "start_turn": side_name(start.turn),
        "moves": moves,
        "pgn": write_pgn(Game(start, tuple(at.history()), game.result, tags=tags)),
    }


def _ended(contest: Contest) -> dict[str, Any]:
    """The last game that ended."""
    game = contest.last
    assert game is not None
    thought = game.thoughts[-1] if game.thoughts else None
    return {
        **_board(contest.names, game.pairing, game.moves, thought),
        "result": game.result,
        "ending": game.ending,
    }


def _board(names: list[str], pairing: Any, moves: tuple[str, ...], thought: "Thought | None") -> dict[str, Any]:
    """A game as the page shows it."""
    position = Position.from_fen(pairing.fen)
    for text in moves[:-1]:
        position.play(text)
    before = position.copy()
    move = position.play(moves[-1]) if moves else None
    return {
        "number": pairing.number + 1,
        "white": names[pairing.white],
        "black": names[pairing.black],
        "fen": position.fen(),
        "turn": side_name(position.turn),
        "check": position.is_check(),
        "squares": [] if move is None else [str(move.from_square), str(move.to_square)],
        "plies": len(moves),
        "last": "" if move is None else f"{before.fullmove_number}{_dots(before.turn)} {before.san(move)}",
        "value": None if thought is None else _value(thought, before.turn),
        "depth": 0 if thought is None else thought.depth,
    }


def _dots(side: Color) -> str:
    return "." if side is Color.WHITE else "…"


def _value(thought: "Thought", mover: Color) -> dict[str, Any] | None:
    if thought.mate is not None:
        return value_view(Value.from_mate(thought.mate, mover))
    return None if thought.centipawns is None else value_view(Value.from_centipawns(thought.centipawns, mover))
