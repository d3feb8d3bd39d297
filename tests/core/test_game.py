"""Games: going through what was played."""

from okapi.core import Game, Move, Position
from okapi.formats.pgn import movetext


def test_a_null_move_passes_the_turn() -> None:
    start = Position.start()
    game = Game(start, (start.move("e4"), Move.none(), start.move("d4")), "*")
    assert ["w", "b", "w"] == [position.fen().split()[1] for position, _ in game.positions()]
    assert "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2" == game.last.fen()
    assert "1. e4 -- 2. d4" == movetext(game)
