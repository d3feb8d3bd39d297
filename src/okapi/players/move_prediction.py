"""The players of singh2015 that choose by predicted moves: top-move, top-prob, TopProb-Negamax."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random as RandomState
from typing import Any, Final, TypeAlias

from okapi.brains import evaluator, predictor
from okapi.brains.move_prediction import Predictor
from okapi.core import Decision, Kind, Limits, Move, Position, Square, Value
from okapi.core.evaluation import evaluate
from okapi.core.move_errors import over
from okapi.core.packed import pack
from okapi.core.search import value_from_core
from okapi.encodings.layers import ELO_RANGE
from okapi.errors import UsageError
from okapi.players.alphabeta import AlphaBeta
from okapi.players.negamax import BatchEvaluate, Negamax, ScoredLine, game_end_value
from okapi.players.player import Player
from okapi.players.protocol import legal_move

MoveProbabilities: TypeAlias = list[tuple[Move, float]]
"""The legal moves of a position with their probabilities, most likely first."""


def decision_without_value(position: Position, move: Move, likely: Sequence[tuple[Move, float]] = ()) -> Decision:
    return Decision(move, Value(0.5, position.turn), (move,), 0, likely=tuple(likely))


def move_text(position: Position, origin: int, target: int) -> str:
    """A pair of squares in UCI notation, legal or not; pawns promote to queens.

    >>> move_text(Position.from_fen("8/P7/8/8/8/8/8/K1k5 w - - 0 1"), 48, 56), move_text(Position.start(), 0, 63)
    ('a7a8q', 'a1h8')
    """
    here, there = Square.at(origin), Square.at(target)
    piece = position.at(here)
    promotes = piece is not None and piece.kind is Kind.PAWN and there.rank in (0, 7)
    return f"{here}{there}{'q' if promotes else ''}"


class TopMove:
    """Top-move of singh2015 (section 2.6.1): the most likely piece first, then its most likely square."""

    def __init__(self, predictor: Predictor, *, elo: int | None = None, masked: bool = True) -> None:
        """`elo` is an input of the brain, if it has that; not `masked`, illegal moves may be chosen."""
        self.predictor = predictor
        self.elo = elo
        self.masked = masked

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only `only` counts. PlayerCheated if the choice is illegal."""
        moves = list(limits.only) or position.legal_moves()
        if not moves:
            raise over(position)
        squares = self.predictor.squares(pack([position]), elo=self.elo)
        origins, targets = squares.origin[0], squares.target[0]
        if not self.masked and not limits.only:
            origin = int(origins.argmax())
            text = move_text(position, origin, int(targets[origin].argmax()))
            return decision_without_value(position, legal_move("top-move", position, text))

        def rank(move: Move) -> tuple[float, float, bool]:
            """The piece before the square; of promotions, the queen."""
            text = position.uci(move, chess960=False)
            origin, target = Square(text[:2]).index, Square(text[2:4]).index
            return float(origins[origin]), float(targets[origin, target]), text.endswith("q")

        return decision_without_value(position, max(moves, key=rank))


class TopProb:
    """Top-prob of singh2015 (section 2.6.2): the most likely move, P(piece) · P(square | piece)."""

    def __init__(
        self,
        predictor: Predictor,
        *,
        elo: int | None = None,
        masked: bool = True,
        temperature: float = 0.0,
        seed: int | None = None,
        repeat: bool = True,
    ) -> None:
        """`elo` is an input of the brain, if it has that; not `masked`, illegal moves may be chosen.

        With a temperature of 1 moves are sampled by their probabilities; `seed` is the random seed. Without `repeat`,
        no position is repeated while the player has more material, if there is another move.
        """
        if temperature < 0 or (temperature > 0 and not masked):
            raise UsageError(
                f"a temperature of {temperature:g} is not available", hint="0 or more, and only with masked=yes"
            )
        self.predictor = predictor
        self.elo = elo
        self.masked = masked
        self.temperature = temperature
        self._material = None if repeat else evaluator("material")
        self._rng = RandomState(seed)

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only `only` counts. PlayerCheated if the choice is illegal."""
        if not position.legal_moves():
            raise over(position)
        if not self.masked and not limits.only:
            return decision_without_value(position, self._unmasked(position))
        likely = [
            (move, chance)
            for move, chance in self.predictor.moves(pack([position]), elo=self.elo)[0]
            if not limits.only or move in limits.only
        ]
        if self._material is not None and self._material.centipawns(position) > 0:
            likely = [each for each in likely if not position.after(each[0]).repetitions()] or likely
        return decision_without_value(position, self._sample(likely) if self.temperature else likely[0][0], likely)

    def _sample(self, likely: MoveProbabilities) -> Move:
        highest = likely[0][1] or 1.0
        weights = [(chance / highest) ** (1 / self.temperature) for _, chance in likely]
        return self._rng.choices(likely, weights if any(weights) else None)[0][0]

    def _unmasked(self, position: Position) -> Move:
        """The most likely pair of squares, legal or not."""
        squares = self.predictor.squares(pack([position]), elo=self.elo)
        pairs = squares.origin[0][:, None] * squares.target[0]  # from to
        origin, target = divmod(int(pairs.argmax()), 64)
        return legal_move("top-prob", position, move_text(position, origin, target))


class TopProbNegamax:
    """TopProb-Negamax of singh2015 (section 2.6.3): a search of the `k` most likely moves of each position.

    It is `depth` plies deep. The tree grows level by level, so that each brain evaluates one batch a level. Predictions
    are kept until the next move, where many of the positions occur again.
    """

    def __init__(
        self, predictor: Predictor, evaluate: BatchEvaluate, *, k: int = 5, depth: int = 3, elo: int | None = None
    ) -> None:
        """`elo` is an input of the brain, if it has that."""
        for name, number in (("k", k), ("depth", depth)):
            if number < 1:
                raise UsageError(f"{name}={number} is no limit of a search", hint="1 or more")
        self.predictor = predictor
        self.evaluate = evaluate
        self.k = k
        self.depth = depth
        self.elo = elo
        self._cache: dict[tuple[int, int | None], MoveProbabilities] = {}

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only `only` counts."""
        if not position.legal_moves():
            raise over(position)
        root = _Node(position)
        memory = self._cache
        self._cache = {}
        likely = [(m, chance) for m, chance in self._predict([root], memory)[0] if m in (limits.only or (m,))]
        levels = [[root], root.grow(likely[: self.k], 1)]
        while len(levels) <= self.depth:
            nodes = [node for node in levels[-1] if node.value is None]
            predicted = self._predict(nodes, memory)
            grown = [node.grow(some[: self.k], len(levels)) for node, some in zip(nodes, predicted, strict=True)]
            levels.append([child for children in grown for child in children])
        self._evaluate([node for node in levels[-1] if node.value is None])
        value, line = root.negamax()
        told = value_from_core(value, position.turn)
        return Decision(line[0], told, line, sum(map(len, levels)), self.depth, likely=tuple(likely))

    def _predict(
        self, nodes: Sequence["_Node"], memory: dict[tuple[int, int | None], MoveProbabilities]
    ) -> list[MoveProbabilities]:
        """The predictions for each position; new positions are one batch."""
        keys = [(node.position.key, self.elo) for node in nodes]
        asked = {key: node.position for key, node in zip(keys, nodes, strict=True) if key not in memory}
        if asked:
            memory |= zip(asked, self.predictor.moves(pack(asked.values()), elo=self.elo), strict=True)
        self._cache |= {key: memory[key] for key in keys}
        return [memory[key] for key in keys]

    def _evaluate(self, leaves: Sequence["_Node"]) -> None:
        asked = {leaf.position.key: leaf.position for leaf in leaves}
        if asked:
            values = dict(zip(asked, self.evaluate(pack(asked.values())).tolist(), strict=True))
            for leaf in leaves:
                leaf.value = values[leaf.position.key]


@dataclass(slots=True)
class _Node:
    position: Position
    value: int | None = None
    """Of a leaf: centipawns for the side to move, or a mate as in the core; None until it is known."""
    children: list[tuple[Move, "_Node"]] = field(default_factory=list)

    def grow(self, likely: MoveProbabilities, ply: int) -> list["_Node"]:
        """Add the children for these moves, `ply` plies from the root; positions where the game is over get a value."""
        for move, _ in likely:
            after = self.position.after(move)
            self.children.append((move, _Node(after, game_end_value(after, ply))))
        return [child for _, child in self.children]

    def negamax(self) -> ScoredLine:
        """The value for the side to move, and its line; of equal moves, the more likely one."""
        if not self.children:
            assert self.value is not None
            return self.value, ()
        found = [(move, *child.negamax()) for move, child in self.children]
        move, value, line = min(found, key=lambda some: some[1])
        return -value, (move, *line)


EXTRAS: Final = ("shortcuts", "check_extensions", "known_endings", "fading", "correction_history", "tablebases")
"""What the core's search adds to a full-width search to one depth with quiescence."""


def top_move(brain: str | None = None, *, elo: int | None = None, threads: int = 1, **options: Any) -> Player:
    return TopMove(_predictor("top-move", brain, elo, threads), elo=elo, **options)


def top_prob(brain: str | None = None, *, elo: int | None = None, threads: int = 1, **options: Any) -> Player:
    return TopProb(_predictor("top-prob", brain, elo, threads), elo=elo, **options)


def topprob_negamax(
    brain: str | None = None, *, value: str | None = None, elo: int | None = None, threads: int = 1, **options: Any
) -> Player:
    """Without `value`, the default brain evaluates."""
    predicts = _predictor("topprob-negamax", brain, elo, threads)
    return TopProbNegamax(predicts, _evaluate(value, threads), elo=elo, **options)


def negamax(brain: str | None = None, *, depth: int = 4, quiescence: bool = True, threads: int = 1) -> Player:
    """See Negamax; with quiescence, the core's search of the same width and depth."""
    if quiescence:
        return AlphaBeta(brain, depth=depth, without=EXTRAS, threads=threads)
    return Negamax(_evaluate(brain, threads), depth=depth)


def _predictor(player: str, brain: str | None, elo: int | None, threads: int) -> Predictor:
    if brain is None:
        raise UsageError(f"{player} needs a brain that predicts moves", hint=f"write {player}:BRAIN")
    predicts = predictor(brain, threads=threads)
    if elo is not None and "elo" not in predicts.inputs:
        raise UsageError(f"brain `{predicts.card.name}` has no input for a rating", hint="leave elo out")
    lowest, highest = ELO_RANGE
    if elo is not None and not lowest <= elo <= highest:
        raise UsageError(f"an elo of {elo} is not available", hint=f"{lowest} to {highest}")
    return predicts


def _evaluate(brain: str | None, threads: int) -> BatchEvaluate:
    judges = evaluator(brain)
    return lambda positions: evaluate([judges], positions, threads=threads)[0]
