"""Chapter 5 (search trees, matches between search budgets) and the proposals of section 7.1."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.arena.sprt import Sprt
from okapi.brains import evaluator, move_prior
from okapi.core import Position, heuristics
from okapi.core.search_tree import SearchTree, trace_tree
from okapi.formats.svg import TYPE
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped, is_wanted, listed
from okapi.papers.lai2015.players import Players, asked_players, by_steps, planned, play, switched_off
from okapi.papers.rating import PlannedMatch

POSITIONS: Final = {
    "check": ("r1bq1rk1/pppn1ppp/4pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 8", "d3h7"),
    "queens": ("r1bq1rk1/ppp2ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPP2PPP/R1BQ1RK1 w - - 0 8", "d1d8"),
}
"""White may sacrifice a bishop with check, or exchange queens; the boards of the figures are lost."""

WAYS: Final[dict[str, tuple[str, ...]]] = {"naive": ("all",), "best": ()}  # heuristics that are switched off
PICTURED: Final = "best"  # the searches whose trees are drawn
DRAWN: Final = 400  # nodes that a picture has room for: those nearest to the root


def trees(context: ExperimentContext) -> dict[str, Any]:
    """For each position and search budget: nodes below one move and below the others, depths, and a drawing."""
    chosen, who = asked_players(context, "trees")
    nodes = chosen["nodes"]
    return {"brain": who.brain, "nodes": nodes, "positions": [_position(who, key, nodes) for key in POSITIONS]}


def _position(who: Players, key: str, nodes: int) -> dict[str, Any]:
    fen, text = POSITIONS[key]
    position = Position.from_fen(fen)
    move = position.move(text)
    judge, shapes = evaluator(who.brain), dict.fromkeys(("depth", "even", "shares"))
    if who.moves is not None:
        shapes["learned"] = move_prior(who.moves)
    ways: dict[str, dict[str, Any]] = {way: {} for way in WAYS}
    for way, shape in product(WAYS, shapes):
        how: dict[str, Any] = {"budget": shape, "moves": shapes[shape], "without": WAYS[way]}
        tree = trace_tree(judge, position, nodes=nodes, most=nodes, **how)
        ways[way][shape] = _tree_figures(tree, move.bits, drawn=way == PICTURED)
    return {"key": key, "fen": fen, "san": position.san(move), "ways": ways}


def _tree_figures(tree: SearchTree, move: int, *, drawn: bool) -> dict[str, Any]:
    parents, plies = tree.parent.astype(np.int64), tree.ply.astype(np.int64)
    below = below_move(parents, np.flatnonzero((plies == 1) & (tree.move == move)))
    found: dict[str, Any] = {"nodes": len(plies), "by_ply": np.bincount(plies).tolist()}
    for name, which in (("branch", below), ("others", ~below & (plies > 0))):
        found[name] = {"nodes": int(which.sum()), "deepest": int(plies[which].max(initial=0))}
    return {**found, **({"drawn": _drawn(parents, plies, below)} if drawn else {})}


def below_move(parents: NDArray[np.int64], roots: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Those roots and everything below them. Parents come before their children."""
    found = np.zeros(len(parents), np.bool_)
    found[roots] = True
    for node in range(1, len(parents)):
        found[node] |= found[parents[node]]
    return found


def _drawn(parents: NDArray[np.int64], plies: NDArray[np.int64], below: NDArray[np.bool_]) -> list[list[int]]:
    """Of the nodes nearest to the root: parent, ply, and whether it lies below the move; parents numbered anew."""
    chosen = np.sort(np.argsort(plies, kind="stable")[:DRAWN])
    number = {int(node): new for new, node in enumerate(chosen)}
    return [[number[int(parents[node])] if plies[node] else -1, int(plies[node]), int(below[node])] for node in chosen]


TreeNodes = Sequence[Sequence[int]]
"""Parents before children: parent (-1: none), ply, and whether the node is coloured."""

WIDTH, ROW, TOP = 460, 46, 34
COLOURS: Final = ("#a8a8a8", "#cf6238")


def tree_picture(title: str, nodes: TreeNodes, marked: str) -> str:
    """A search tree as SVG, one row a ply, with a description for readers who cannot see it."""
    deepest = max((ply for _, ply, _ in nodes), default=0)
    height = TOP + ROW * (deepest + 1)
    xs = places(nodes)
    coloured = sum(colour for _, _, colour in nodes)
    described = f"{title}: {len(nodes)} nodes to ply {deepest}, {coloured} of them below {marked}"
    paths = ["", ""]
    for (parent, ply, colour), x in zip(nodes, xs, strict=True):
        if parent >= 0:
            y = TOP + ROW * ply
            paths[colour] += f"M{xs[parent] * WIDTH:.1f} {y - ROW}L{x * WIDTH:.1f} {y}"
    drawn = "".join(
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="0.8"/>'
        for path, colour in zip(paths, COLOURS, strict=True)
        if path
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-label="{escape(described)}" {TYPE}>'
        f'<text x="8" y="18" font-weight="bold">{escape(title)}</text>{drawn}</svg>'
    )


def places(nodes: TreeNodes) -> list[float]:
    """The places of nodes from left to right, from 0 to 1: each is as wide as its leaves, and stands in their middle.

    >>> places([(-1, 0, 0), (0, 1, 0), (0, 1, 0), (1, 2, 0), (1, 2, 0)])
    [0.5, 0.3333333333333333, 0.8333333333333334, 0.16666666666666666, 0.5]
    """
    leaves = [0] * len(nodes)
    for node, (parent, *_) in reversed(list(enumerate(nodes))):
        leaves[node] = leaves[node] or 1
        if parent >= 0:
            leaves[parent] += leaves[node]
    begins, free = [0.0] * len(nodes), [0.0] * len(nodes)
    for node, (parent, _, _) in enumerate(nodes):
        if parent >= 0:
            begins[node] = free[node] = free[parent]
            free[parent] += leaves[node]
    whole = max(leaves[:1], default=1)
    return [(begin + count / 2) / whole for begin, count in zip(begins, leaves, strict=True)]


def shapes(context: ExperimentContext) -> dict[str, Any]:
    """Every match, from the side of probability. `only` names some, separated by commas."""
    chosen, who = asked_players(context, "shapes")
    pairings = [each for each in _pairings(who, chosen) if is_wanted(each.key, chosen["only"])]
    return {"brain": who.brain, "rows": [play(context, "shapes", pairing) for pairing in pairings]}


def _pairings(who: Players, chosen: dict[str, Any]) -> Iterator[PlannedMatch]:
    quieted = ("quiescence", "ordering", "see_pruning")  # what a search has that is naive but for quiescence
    ways = {
        "naive": chosen["naive"],
        "quiescence": "+".join(name for name in heuristics() if name not in quieted),
        "thesis": switched_off(chosen["thesis"]),
        "best": "",
    }
    shapes = {"even": "even probabilities", "shares": "Giraffe's shares"}
    for (way, without), shape, limit in product(ways.items(), shapes, ("nodes", "time")):
        name = f"{way}: {shapes[shape]} against depth, equal {limit}"
        first = who.player(by_steps(shape, chosen["steps"]), without)
        yield planned(chosen, f"{way}_{shape}_{limit}", name, first, who.player("depth", without), limit)


BUDGET_LEVELS: Final = ("depth", "even", "learned")


def factorial(context: ExperimentContext) -> dict[str, Any]:
    """Evaluator × budget × who orders the moves, with the thesis' heuristics, at equal nodes.

    Each search plays against the one by depth with the same evaluator, without a network; so do evaluators the first.
    """
    chosen, who = asked_players(context, "factorial")
    if who.moves is None:
        raise ExperimentSkipped("it needs a move network: --change factorial.moves=BRAIN")
    evaluators = listed(chosen["evaluators"])
    rows = [{**play(context, "factorial", match), **about} for match, about in _cells(who, evaluators, chosen)]
    return {"evaluators": evaluators, "rows": rows}


def _cells(
    who: Players, evaluators: Sequence[str], chosen: dict[str, Any]
) -> list[tuple[PlannedMatch, dict[str, str]]]:
    """Matches, and the levels that their first player has."""
    without = switched_off(chosen["thesis"])
    levels = [(budget, ordered) for budget in BUDGET_LEVELS for ordered in (False, True)]
    pairs = [(name, budget, ordered, name) for name in evaluators for budget, ordered in levels[1:]]
    pairs += [(name, *levels[0], evaluators[0]) for name in evaluators[1:]]
    found = []
    for brain, budget, ordered, rival in pairs:
        # A search asks the network everywhere, if it asks it at all: equal nodes do not count its time.
        asked = budget == "learned" or ordered
        shape = by_steps(budget, chosen["steps"], 0 if asked else None)
        shape = "depth+ask=0" if ordered and budget == "depth" else shape
        first = Players(brain, who.moves).player(shape, without, ordered=ordered)
        second = Players(rival, who.moves).player(levels[0][0], without)
        by = "network" if ordered else "history"
        name = f"{brain}, {budget}, moves ordered by {by}, against {rival} by depth"
        about = {"evaluator": brain, "budget": budget, "ordering": by, "rival": rival}
        found.append((planned(chosen, f"{brain}_{budget}_{by}", name, first, second, "nodes"), about))
    return found


PROPOSALS: Final = {
    "time": ("a network that allots time", "time", "time"),
    "bounds": ("bounds instead of values", "bounds", "time"),
    "distilled": ("a smaller network, distilled", "", "time"),
    "similarity": ("similarity of moves", "with", "nodes"),
}
"""Name, option of the player, and what is equal in the match. A proposal is tried if its setting has a value."""


def future(context: ExperimentContext) -> dict[str, Any]:
    """Every proposal that has a value: brains by name or path, and for similarity the heuristic's name."""
    chosen, who = asked_players(context, "future")
    usual = who.player("depth")
    rows, missing = [], []
    for key, (name, option, limit) in PROPOSALS.items():
        if value := chosen[key]:
            changed = f"{usual},{option}={value}" if option else Players(value, None).player("depth")
            rows.append(play(context, "future", planned(chosen, key, name, changed, usual, limit, Sprt(0, 5))))
        else:
            missing.append(f"{name} (--change future.{key}=BRAIN)")
    return {"rows": rows, "missing": missing}
