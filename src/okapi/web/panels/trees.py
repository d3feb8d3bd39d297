"""Trees: the nodes of searches of two shapes in one position; and the position as Giraffe encodes it, in words."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal

from okapi.brains import evaluator, find, is_native, move_prior
from okapi.core import Color, Move, Position
from okapi.core.move_errors import over
from okapi.core.search import value_from_core
from okapi.core.search_tree import SearchTree, trace_tree
from okapi.encodings.lai2015_text import in_words
from okapi.errors import UsageError
from okapi.web.jobs import Steps
from okapi.web.messages import Between, BrainName, Fen, Many, MoveText, Number
from okapi.web.panel import Answer, JobPanel, action, job
from okapi.web.views import picked, played_view, position_view, read_move

MOVE_NETWORK: Final = "giraffe-moves"  # the kind of brains that give a search its move priors
MOST_NODES: Final = 4000  # nodes of a tree that a page draws
# Eight iterations for each ply where moves cost parts of one: with small steps, a tree of nearly any size can be had.
# A network is asked everywhere; in trees as small as these, it would else never be worth its time.
SETTINGS: Final = {"even": "+steps=8", "shares": "+steps=8", "learned": "+steps=8+ask=0"}
TRIALS: Final = tuple(2.0 ** (step / 2) for step in range(-2, 6))  # nodes of the second search, in those of the first
ALIKE: Final = 1.3  # how much larger the second tree may be: trees of exactly one size are hardly ever to be had


def grow_pair(grow: Callable[[str, int], SearchTree], shapes: tuple[str, str], nodes: int) -> list[SearchTree]:
    """A tree of each shape: the first within so many nodes, the second the largest that is about as large as that."""
    first, second = grow(shapes[0], nodes), None
    for trial in TRIALS:
        tree = grow(shapes[1], round(nodes * trial))
        if second is not None and len(tree.parent) > min(MOST_NODES, ALIKE * len(first.parent)):
            break
        second = tree
    return [first, second or first]


def tree_view(position: Position, tree: SearchTree) -> dict[str, Any]:
    """A tree as lists, one entry a node, the root first and every node behind its parent.

    Values are expected scores as White sees them, in percent; shares, how likely the search took a line to be.
    """
    sans, ucis = _moves(position, tree)
    # The side of a node's value is the one that moved; at the root, the side to move.
    sides = [position.turn if ply % 2 or ply == 0 else position.turn.other for ply in tree.ply.tolist()]
    values = map(value_from_core, tree.value.tolist(), sides)
    return {
        "parents": tree.parent.tolist(),
        "sans": sans,
        "ucis": ucis,
        "shares": [float(f"{share:.3g}") for share in tree.probability.tolist()],
        "values": [round(100 * value.seen_by(Color.WHITE)) for value in values],
    }


def _moves(position: Position, tree: SearchTree) -> tuple[list[str], list[str]]:
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


FEWEST_NODES: Final = 20
LONGEST_LINE: Final = 200
Shape = Literal["depth", "even", "shares", "learned"]


class Trees(JobPanel):
    """Trees are traced in a thread; a newer question ends an older one."""

    @job("listed")
    def listed(self) -> Steps:
        """Brains that judge positions in a search of the core, and move networks, come as news."""
        yield None
        yield {
            "brains": [name for name in self.state.brains if self._judges(name)],
            "moves": [name for name in self.state.all_brains() if self._knows_moves(name)],
        }

    @action
    def see(self, fen: Fen) -> Answer:
        """What can be done in a position, and what Giraffe sees of it, in words."""
        position = Position.from_fen(fen)
        subjects = []
        for subject in in_words(position):
            facts = [asdict(fact) | picked(fact, value=3) for fact in subject.facts]
            subjects.append({**picked(subject, "sentence", "modality", "squares"), "facts": facts})
        return {"position": position_view(position), "subjects": subjects}

    @action
    def walk(self, fen: Fen, moves: Annotated[tuple[MoveText, ...], Many(LONGEST_LINE)], number: Number = 0) -> Answer:
        """Where moves lead: each as it is written, and what comes of it."""
        position = Position.from_fen(fen)
        return {"moves": [played_view(position, read_move(position, move)) for move in moves]}

    @job("grown", "number")
    def grow(
        self,
        fen: Fen,
        brain: BrainName,
        left: Shape = "depth",
        right: Shape = "even",
        moves: BrainName | None = None,
        nodes: Annotated[int, Between(FEWEST_NODES, MOST_NODES)] = 1000,
        naive: bool = True,
        number: Number = 0,
    ) -> Steps:
        """Two shapes of search in one position: both trees come as news, together.

        `moves` is the brain that says how likely moves are, where a shape is learned. A naive search is one without
        anything that makes a search clever, as the thesis compares them.
        """
        position = Position.from_fen(fen)
        if not position.legal_moves():
            raise over(position)
        if not self._judges(brain):
            self.state.source(brain)
            raise UsageError(f"no tree grows with `{brain[:40]}`", hint="choose one that is offered")
        if "learned" in (left, right) and moves is None:
            raise UsageError("a learned shape needs a brain that knows moves", hint="choose one that is offered")
        path = find(self.state.source(brain))
        source = None if moves is None else self.state.source(moves)
        yield None
        prior = None if source is None else move_prior(source)
        how: dict[str, Any] = {"moves": prior, "without": ("all",) if naive else (), "most": MOST_NODES + 1}
        with self.state.cached(evaluator, path) as judge:

            def traced(shape: str, nodes: int) -> SearchTree:
                return trace_tree(judge, position, budget=shape + SETTINGS.get(shape, ""), nodes=nodes, **how)

            trees = grow_pair(traced, (left, right), nodes)
        grown = zip((left, right), trees, strict=True)
        views = [{"shape": shape, **tree_view(position, tree)} for shape, tree in grown]
        yield {"fen": fen, "brain": brain, "trees": views}

    def _judges(self, name: str) -> bool:
        """Is it a brain that the core alone can judge positions with?"""
        card = self.state.card(name)
        return card is not None and not card.predicts_moves and is_native(card.path)

    def _knows_moves(self, name: str) -> bool:
        """Is it a move network, which gives a search its move priors?"""
        card = self.state.card(name)
        return card is not None and card.kind == MOVE_NETWORK
