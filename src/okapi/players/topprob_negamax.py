"""TopProb-Negamax of singh2015 (section 2.6.3): a search of the few moves that people would think of."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from okapi.core import Decision, Limits, Move, Position
from okapi.core.explain import over
from okapi.core.packed import pack
from okapi.core.thinker import value_from_core
from okapi.errors import UsageError
from okapi.players.negamax import Found, Judge, by_the_rules
from okapi.players.predicting import Likely, Predicts

__all__ = ["TopProbNegamax"]


class TopProbNegamax:
    """Looks at the `k` likeliest moves of each position, `depth` plies deep, and judges the ends of these lines.

    The tree is made level by level, so that each brain is asked once a level. What was predicted is remembered until
    the next move, where many of these positions come up again.
    """

    def __init__(
        self, predictor: Predicts, judge: Judge, *, k: int = 5, depth: int = 3, elo: int | None = None
    ) -> None:
        """`elo` is whose moves are predicted, if the brain can be told."""
        for name, number in (("k", k), ("depth", depth)):
            if number < 1:
                raise UsageError(f"a {name} of {number} is nothing to think with", hint="1 or more")
        self.predictor = predictor
        self.judge = judge
        self.k = k
        self.depth = depth
        self.elo = elo
        self._before: dict[tuple[int, int | None], Likely] = {}

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Choose; of `limits` only the moves to choose among count."""
        if not position.legal_moves():
            raise over(position)
        root = _Node(position)
        memory = self._before
        self._before = {}
        likely = [(m, chance) for m, chance in self._predict([root], memory)[0] if m in (limits.only or (m,))]
        levels = [[root], root.grow(likely[: self.k], 1)]
        while len(levels) <= self.depth:
            nodes = [node for node in levels[-1] if node.value is None]
            predicted = self._predict(nodes, memory)
            grown = [node.grow(some[: self.k], len(levels)) for node, some in zip(nodes, predicted, strict=True)]
            levels.append([child for children in grown for child in children])
        self._judge([node for node in levels[-1] if node.value is None])
        value, line = root.negamax()
        told = value_from_core(value, position.turn)
        return Decision(line[0], told, line, sum(map(len, levels)), self.depth, likely=tuple(likely))

    def _predict(self, nodes: Sequence["_Node"], memory: dict[tuple[int, int | None], Likely]) -> list[Likely]:
        """The likely moves of each position; the brain is asked once about all that are new."""
        keys = [(node.position.key, self.elo) for node in nodes]
        asked = {key: node.position for key, node in zip(keys, nodes, strict=True) if key not in memory}
        if asked:
            memory |= zip(asked, self.predictor.moves(pack(asked.values()), elo=self.elo), strict=True)
        self._before |= {key: memory[key] for key in keys}
        return [memory[key] for key in keys]

    def _judge(self, leaves: Sequence["_Node"]) -> None:
        """Ask once what they are all worth."""
        asked = {leaf.position.key: leaf.position for leaf in leaves}
        if asked:
            values = dict(zip(asked, self.judge(pack(asked.values())).tolist(), strict=True))
            for leaf in leaves:
                leaf.value = values[leaf.position.key]


@dataclass(slots=True)
class _Node:
    """A position of the tree."""

    position: Position
    value: int | None = None
    """Of a leaf: centipawns for the side to move, or a mate as the core counts it; None until it is known."""
    children: list[tuple[Move, "_Node"]] = field(default_factory=list)

    def grow(self, likely: Likely, ply: int) -> list["_Node"]:
        """The positions that some moves lead to, `ply` moves from the root; the rules know what some are worth."""
        for move, _ in likely:
            after = self.position.after(move)
            self.children.append((move, _Node(after, by_the_rules(after, ply))))
        return [child for _, child in self.children]

    def negamax(self) -> Found:
        """The value for the side to move, and how to get there; of equal moves, the likelier one."""
        if not self.children:
            assert self.value is not None
            return self.value, ()
        found = [(move, *child.negamax()) for move, child in self.children]
        move, value, line = min(found, key=lambda some: some[1])
        return -value, (move, *line)
