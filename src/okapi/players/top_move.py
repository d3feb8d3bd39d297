"""Top-move of singh2015 (section 2.6.1): the likeliest piece first, then its likeliest square."""

from okapi.core import Decision, Limits, Move, Position, Square
from okapi.core.explain import over
from okapi.core.packed import pack
from okapi.players.dialect import legal_move
from okapi.players.predicting import Predicts, decided, written

__all__ = ["TopMove"]


class TopMove:
    """Takes the piece that a brain thinks likeliest, and puts it where that piece would likeliest go."""

    def __init__(self, predictor: Predicts, *, elo: int | None = None, masked: bool = True) -> None:
        """`elo` is whose moves are predicted, if the brain can be told; who is not `masked` may choose illegally."""
        self.predictor = predictor
        self.elo = elo
        self.masked = masked

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only the moves to choose among count. PlayerCheated if the choice is illegal."""
        moves = list(limits.only) or position.legal_moves()
        if not moves:
            raise over(position)
        squares = self.predictor.squares(pack([position]), elo=self.elo)
        origins, targets = squares.origin[0], squares.target[0]
        if not self.masked and not limits.only:
            origin = int(origins.argmax())
            text = written(position, origin, int(targets[origin].argmax()))
            return decided(position, legal_move("top-move", position, text))

        def rank(move: Move) -> tuple[float, float, bool]:
            """The piece before the square; of promotions, the queen."""
            text = position.uci(move, chess960=False)
            origin, target = Square(text[:2]).index, Square(text[2:4]).index
            return float(origins[origin]), float(targets[origin, target]), text.endswith("q")

        return decided(position, max(moves, key=rank))
