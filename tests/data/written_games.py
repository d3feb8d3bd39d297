"""Games that are known move by move, and games with values."""

import re

from okapi.core import Color, Decision, Game, Position, Value
from okapi.data.doctor.statistics import PointOfView

TAGS = {"White": "Anderssen, Adolf", "Black": "Kieseritzky, L.", "Date": "1851.06.21"}
MATE = ["f3", "e5", "g4", "Qh4#"]
LONG = re.findall(r"\S+", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8")


def game(moves: list[str], result: str = "1-0", **tags: str) -> Game:
    return Game(Position.start(), Game.of(moves).moves, result, tags=TAGS | tags)


WITHOUT_QUEEN = {
    Color.WHITE: "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    Color.BLACK: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
}
"""Who is a queen ahead here."""


def one_sided(number: int, whose: PointOfView) -> Game:
    """A game with a queen more for one side, and values that say so; for the mover, or, wrongly, for White."""
    ahead = (Color.WHITE, Color.BLACK)[number % 2]
    position = Position.from_fen(WITHOUT_QUEEN[ahead])
    start, moves, thoughts = position.copy(), [], []
    for text in ("a3", "a6", "b3", "b6", f"{'cdefgh'[number // 2 % 6]}3", f"{'cdefgh'[number // 12 % 6]}6"):
        side = position.turn
        pleased = ahead is (side if whose is PointOfView.MOVER else Color.WHITE)
        moves.append(position.play(text))
        thoughts.append(Decision(moves[-1], Value.from_centipawns(900 if pleased else -900, side), (), 0))
    result = "1-0" if ahead is Color.WHITE else "0-1"
    return Game(start, tuple(moves), result, tuple(thoughts), TAGS | {"White": f"Player{number}"})
