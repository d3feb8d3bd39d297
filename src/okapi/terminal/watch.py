"""A game of two players, printed as it is played: what is shown where nobody can type."""

import random

from rich.console import Console

from okapi.core import Color, Decision, Game, Limits, Move, Position
from okapi.formats.pgn import write_pgn
from okapi.players import Player
from okapi.terminal.board import Look, draw_bar, draw_board

__all__ = ["watch"]


def watch(
    player: Player,
    limits: Limits,
    *,
    console: Console,
    name: str = "Okapi",
    start: Position | None = None,
    plies: int = 150,
    seed: int = 1,
) -> Game:
    """Let a player play against itself for at most so many plies, and print the game.

    A game from the start begins with two random moves, so that seeds give different games.
    """
    begin = start or Position.start()
    position = begin.copy()
    rng = random.Random(seed)
    thoughts: list[Decision | None] = []
    while position.ending() is None and position.plies < plies:
        if start is None and position.plies < 2:
            move = rng.choice(position.legal_moves())
            thoughts.append(None)
        else:
            decision = player.choose(position, limits)
            thoughts.append(decision)
            move = decision.move
        _print_move(console, position, move, thoughts[-1])
        position.play(move)
    tags = {"Event": "Okapi against itself", "White": name, "Black": name}
    game = Game(begin, tuple(position.history()), position.result(), tuple(thoughts), tags)
    look = Look.of(console)
    console.print("\n" if position.turn is Color.BLACK else "")
    console.print(draw_board(position, look, last=game.moves[-1] if game.moves else None))
    console.print(draw_bar(_expected(game), look), "for White")
    console.print(position.ending() or f"stopped after {position.plies} plies")
    console.print()
    console.print(write_pgn(game), markup=False)
    return game


def _print_move(console: Console, position: Position, move: Move, thought: Decision | None) -> None:
    """As on a score sheet: number, White's move, Black's, and what White may expect."""
    if position.turn is Color.WHITE or position.plies == 0:
        console.print(f"{position.fullmove_number:>3}. ", end="")
    if position.turn is Color.BLACK and position.plies == 0:
        console.print(f"{'…':<9}", end="")
    if position.turn is Color.WHITE:
        console.print(f"{position.san(move):<9}", end="")
    else:
        shown = "" if thought is None else f"{thought.value.seen_by(Color.WHITE):.2f}"
        console.print(f"{position.san(move):<9}{shown}".rstrip())


def _expected(game: Game) -> float:
    decided = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}.get(game.result)
    if decided is not None:
        return decided
    known = [thought.value.seen_by(Color.WHITE) for thought in game.thoughts if thought is not None]
    return known[-1] if known else 0.5
