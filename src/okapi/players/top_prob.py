"""Top-prob of singh2015 (section 2.6.2): the likeliest move, P(piece) · P(square | piece)."""

from random import Random as Dice

from okapi.core import Decision, Limits, Move, Position
from okapi.core.explain import over
from okapi.core.packed import pack
from okapi.errors import UsageError
from okapi.players.dialect import legal_move
from okapi.players.predicting import Likely, Predicts, decided, written

__all__ = ["TopProb"]


class TopProb:
    """Plays the move that a brain thinks likeliest or, with a temperature, likely ones more often than others."""

    def __init__(
        self,
        predictor: Predicts,
        *,
        elo: int | None = None,
        masked: bool = True,
        temperature: float = 0.0,
        seed: int | None = None,
    ) -> None:
        """`elo` is whose moves are predicted, if the brain can be told; who is not `masked` may choose illegal moves.

        A temperature of 1 plays each move as often as the brain says; `seed` throws those dice.
        """
        if temperature < 0 or (temperature > 0 and not masked):
            raise UsageError(
                f"a temperature of {temperature:g} is none to play with", hint="0 or more, and only with masked=yes"
            )
        self.predictor = predictor
        self.elo = elo
        self.masked = masked
        self.temperature = temperature
        self._dice = Dice(seed)

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only the moves to choose among count. PlayerCheated if the choice is illegal."""
        if not position.legal_moves():
            raise over(position)
        if not self.masked and not limits.only:
            return decided(position, self._blindly(position))
        likely = [
            (move, chance)
            for move, chance in self.predictor.moves(pack([position]), elo=self.elo)[0]
            if not limits.only or move in limits.only
        ]
        return decided(position, self._drawn(likely) if self.temperature else likely[0][0], likely)

    def _drawn(self, likely: Likely) -> Move:
        highest = likely[0][1] or 1.0
        weights = [(chance / highest) ** (1 / self.temperature) for _, chance in likely]
        return self._dice.choices(likely, weights if any(weights) else None)[0][0]

    def _blindly(self, position: Position) -> Move:
        """Without knowing the rules."""
        squares = self.predictor.squares(pack([position]), elo=self.elo)
        pairs = squares.origin[0][:, None] * squares.target[0]  # from to
        origin, target = divmod(int(pairs.argmax()), 64)
        return legal_move("top-prob", position, written(position, origin, target))
