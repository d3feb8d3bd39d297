"""PGN for tests, made of random games."""

import random
from collections.abc import Iterator

from okapi.core import Position

__all__ = ["pgn_games", "pgn_text"]

SURNAMES = ("Adams", "Böhm", "Castro", "Dvořák", "Eriksson", "Fischer", "García", "Horváth")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def pgn_games(count: int, seed: int = 1, plies: int = 60) -> Iterator[str]:
    """Yield games as PGN, all different."""
    rng = random.Random(seed)
    for number in range(count):
        white, black = rng.sample(SURNAMES, 2)
        result = rng.choice(RESULTS)
        tags = {
            "Event": f"Test {number}",
            "Date": f"{1950 + number % 70}.{1 + number % 12:02}.??",
            "White": f"{white}, {rng.choice('ABC')}",
            "Black": f"{black}, {rng.choice('ABC')}",
            "Result": result,
            "WhiteElo": str(1500 + rng.randrange(1200)),
            "BlackElo": str(1500 + rng.randrange(1200)),
            "TimeControl": rng.choice(("60+0", "300+3", "900+10", "5400+30", "-")),
        }
        head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
        yield f"{head}\n{' '.join(_moves(rng, 1 + rng.randrange(plies)))} {result}\n\n"


def pgn_text(count: int, seed: int = 1, plies: int = 60) -> bytes:
    """The same as one text."""
    return "".join(pgn_games(count, seed, plies)).encode()


def _moves(rng: random.Random, plies: int) -> Iterator[str]:
    position = Position.start()
    for ply in range(plies):
        moves = position.legal_moves()
        if not moves:
            return
        move = rng.choice(moves)
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        yield position.san(move)
        if rng.random() < 0.1:
            yield rng.choice(("{a comment}", "$1", "(1. e4 {no} e5)", "{ [%clk 0:01:05] }", "{ [%eval -0.35,20] }"))
        position.play(move)
