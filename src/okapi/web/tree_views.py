"""Search trees and features in words as pages get them."""

from typing import Any, Final

from okapi.core import Color, Evaluator, Move, MovePrior, Position
from okapi.core.thinker import value_from_core
from okapi.core.trees import Tree, grow
from okapi.encodings.lai2015_words import Subject

__all__ = ["MOST_NODES", "grow_pair", "subject_view", "tree_view"]

MOST_NODES: Final = 4000
"""Nodes of a tree that a page draws."""

SETTINGS: Final = {"even": "+steps=8", "shares": "+steps=8", "learned": "+steps=8+ask=0"}
"""Eight iterations for each ply where moves cost parts of one: with small steps, a tree of nearly any size can be had.
A network is asked everywhere; in trees as small as these, it would else never be worth its time."""

TRIALS: Final = tuple(2.0 ** (step / 2) for step in range(-2, 6))
"""What the second search may look at, in terms of the first one's nodes: earlier iterations take their part of it."""

ALIKE: Final = 1.3
"""How much larger the second tree may be: trees of exactly one size are hardly ever to be had."""


def grow_pair(
    evaluator: Evaluator,
    position: Position,
    shapes: tuple[str, str],
    nodes: int,
    moves: MovePrior | None,
    without: tuple[str, ...],
) -> list[Tree]:
    """A tree of each shape: the first within so many nodes, the second the largest that is about as large as that."""

    def grown(shape: str, nodes: int) -> Tree:
        shape += SETTINGS.get(shape, "")
        return grow(evaluator, position, shape=shape, nodes=nodes, moves=moves, without=without, most=MOST_NODES + 1)

    first = grown(shapes[0], nodes)
    most = min(MOST_NODES, ALIKE * len(first.parent))
    second, *larger = (round(nodes * trial) for trial in TRIALS)
    chosen = grown(shapes[1], second)
    for more in larger:
        tree = grown(shapes[1], more)
        if len(tree.parent) > most:
            break
        chosen = tree
    return [first, chosen]


def tree_view(position: Position, tree: Tree) -> dict[str, Any]:
    """A tree as lists, one entry a node, the root first and every node behind its parent.

    Values are expected scores as White sees them, in percent; shares, how likely the search took a line to be.
    """
    sans, ucis = _moves(position, tree)
    return {
        "parents": tree.parent.tolist(),
        "sans": sans,
        "ucis": ucis,
        "shares": [float(f"{share:.3g}") for share in tree.probability.tolist()],
        "values": [
            round(100 * value_from_core(value, _valued(position, ply)).seen_by(Color.WHITE))
            for value, ply in zip(tree.value.tolist(), tree.ply.tolist(), strict=True)
        ],
    }


def subject_view(subject: Subject) -> dict[str, Any]:
    """A sentence, where it is about, and the numbers that say it."""
    return {
        "sentence": subject.sentence,
        "modality": subject.modality,
        "squares": subject.squares,
        "facts": [
            {"index": fact.index, "name": fact.name, "value": round(fact.value, 3), "words": fact.words}
            for fact in subject.facts
        ],
    }


def _valued(position: Position, ply: int) -> Color:
    """Whose value a node of that ply has: whoever made the move; at the root, the side to move."""
    return position.turn if ply % 2 or ply == 0 else position.turn.other


def _moves(position: Position, tree: Tree) -> tuple[list[str], list[str]]:
    """The move that leads to each node, as SAN and UCI; nothing for the root."""
    children: list[list[int]] = [[] for _ in tree.parent]
    for node, parent in enumerate(tree.parent.tolist()):
        if parent >= 0:
            children[parent].append(node)
    moves = [Move.from_bits(bits) for bits in tree.move.tolist()]
    sans, ucis = [""] * len(moves), [""] * len(moves)
    at = position.copy()

    def visit(node: int) -> None:
        for child in children[node]:
            sans[child], ucis[child] = at.san(moves[child]), at.uci(moves[child])
            at.play_unchecked(moves[child])
            visit(child)
            at.undo()

    visit(0)
    return sans, ucis
