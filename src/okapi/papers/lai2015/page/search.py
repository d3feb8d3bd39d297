"""Chapter 5: Figures 5 and 6, and matches between shapes of search."""

from collections.abc import Iterator
from typing import Final

from okapi.core import Position
from okapi.formats.svg import Line, Lines, figure
from okapi.papers.lab import Results
from okapi.papers.lai2015.page.matched import matched
from okapi.papers.lai2015.page.tree import tree_picture
from okapi.papers.lai2015.published import NAIVE_PROBABILITY
from okapi.papers.lai2015.reading import Data
from okapi.papers.page import Boards, Figure, Notes, Part, Prose, Section, Table
from okapi.papers.tables import made
from okapi.papers.words import number, percent

__all__ = ["search"]

FIGURES: Final = {"check": "Figure 5", "queens": "Figure 6"}
SHAPES: Final = {
    "depth": "depth",
    "even": "even probabilities",
    "shares": "Giraffe's shares",
    "learned": "the move network",
}


def search(results: Results) -> Section:
    """What limits a search."""
    return Section(
        "Probability-limited search",
        [
            *made(results, "trees", "Figures 5 and 6", _trees),
            *made(results, "shapes", "Matches between shapes", _matches),
        ],
    )


def _trees(data: Data) -> Iterator[Part]:
    kind = "naive searches" if data["naive"] else "searches"
    yield Prose(
        f"The last finished iteration of {kind} of {number(data['nodes'])} nodes, without quiescence. The boards of "
        "the thesis are lost; on these, too, one move leaves few answers."
    )
    for told in data["positions"]:
        yield from _tree(FIGURES[told["key"]], told)


def _tree(name: str, told: Data) -> Iterator[Part]:
    san, shapes = told["san"], told["shapes"]
    yield Boards(
        name=name, caption=f"The move that is looked at is {san}.", boards=[(Position.from_fen(told["fen"]), [san])]
    )
    yield Figure(
        name=f"{name}, trees",
        caption=f"Nodes nearest to the root, one row a ply; those below {san} are coloured.",
        pictures=[tree_picture(SHAPES[shape], tree["drawn"], san) for shape, tree in shapes.items()],
    )
    lines = [
        Line(SHAPES[shape], [(ply, count) for ply, count in enumerate(tree["by_ply"])])
        for shape, tree in shapes.items()
    ]
    described = "; ".join(f"{SHAPES[shape]} reaches ply {len(tree['by_ply']) - 1}" for shape, tree in shapes.items())
    yield Figure(
        name=f"{name}, nodes by ply",
        caption="How many nodes of the tree stand how far from the root.",
        pictures=[figure(Lines("nodes", lines, "ply"), described, width=560)],
    )
    yield Table(
        name=f"{name}, in numbers",
        caption=f"Nodes below {san} and below all other moves, and how deep the tree is there.",
        heads=("limited by", f"nodes below {san}", "of all", "deepest", "nodes below others", "deepest"),
        rows=[_row(SHAPES[shape], tree) for shape, tree in shapes.items()],
    )
    yield Notes(_sentences(san, shapes))


def _row(name: str, tree: Data) -> tuple[str, ...]:
    branch, others = tree["branch"], tree["others"]
    share = branch["nodes"] / max(branch["nodes"] + others["nodes"], 1)
    return (
        name,
        number(branch["nodes"]),
        percent(share),
        number(branch["deepest"]),
        number(others["nodes"]),
        number(others["deepest"]),
    )


def _sentences(san: str, shapes: Data) -> list[str]:
    depth, even = shapes["depth"], shapes["even"]
    mine, theirs = (tree["branch"]["deepest"] - tree["others"]["deepest"] for tree in (even, depth))
    verdict = "as the thesis says" if mine > theirs else "which the thesis does not expect"
    return [
        f"Below {san} the tree of even probabilities ends {number(mine)} plies deeper than elsewhere, that of equal "
        f"depth {number(theirs)}: {verdict}."
    ]


def _matches(data: Data) -> Iterator[Part]:
    yield from matched(
        "Shapes",
        f"Searches with the brain {data['brain'].rpartition('/')[2]}. Naive ones have no heuristics at all.",
        data["rows"],
        {"naive_even_nodes": NAIVE_PROBABILITY},
    )
