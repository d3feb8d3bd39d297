"""Chapter 5: Figures 5 and 6, and matches between shapes of search."""

from collections.abc import Iterator
from typing import Final

from okapi.core import Position
from okapi.formats.html import Boards, Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import number, percent, signed
from okapi.formats.svg import Line, Lines, figure
from okapi.papers.lai2015.page.matched import matched
from okapi.papers.lai2015.page.tree import tree_picture
from okapi.papers.lai2015.published import NAIVE_PROBABILITY
from okapi.papers.lai2015.reading import Data
from okapi.papers.tables import made
from okapi.recipes.lab import Results

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
    yield Prose(
        f"The last iteration that searches of {number(data['nodes'])} nodes finish, quiescence left out: naive ones, "
        "which are alpha-beta and nothing else, and those with all heuristics. The boards of the thesis are lost; on "
        "these, too, one move leaves the opponent few answers, or both sides fewer moves."
    )
    for told in data["positions"]:
        yield from _tree(FIGURES[told["key"]], told)


def _tree(name: str, told: Data) -> Iterator[Part]:
    san, ways = told["san"], told["ways"]
    yield Boards(
        name=name, caption=f"The move that is looked at is {san}.", boards=[(Position.from_fen(told["fen"]), [san])]
    )
    yield Figure(
        name=f"{name}, trees",
        caption=f"Of searches with all heuristics, the nodes nearest to the root, one row a ply; those below {san} are "
        "coloured.",
        pictures=[tree_picture(SHAPES[shape], tree["drawn"], san) for shape, tree in ways["best"].items()],
    )
    yield Figure(
        name=f"{name}, nodes by ply",
        caption="How many nodes of the tree stand how far from the root.",
        pictures=[_by_ply(way, shapes) for way, shapes in ways.items()],
    )
    yield Table(
        name=f"{name}, in numbers",
        caption=f"Nodes below {san} and below all other moves, and how deep the tree is there.",
        heads=("limited by", f"nodes below {san}", "of all", "deepest", "nodes below others", "deepest"),
        rows=[_row(SHAPES[shape], tree) for shapes in ways.values() for shape, tree in shapes.items()],
        bands=[(way, len(shapes)) for way, shapes in ways.items()],
    )
    yield Notes([_sentence(way, san, shapes) for way, shapes in ways.items()])


def _by_ply(way: str, shapes: Data) -> str:
    lines = [Line(SHAPES[shape], list(enumerate(tree["by_ply"]))) for shape, tree in shapes.items()]
    described = "; ".join(f"{line.name} reaches ply {len(line.points) - 1}" for line in lines)
    return figure(Lines(f"nodes, {way}", lines, "ply"), f"{way}: {described}", width=460)


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


def _sentence(way: str, san: str, shapes: Data) -> str:
    even, depth = (
        shapes[shape]["branch"]["deepest"] - shapes[shape]["others"]["deepest"] for shape in ("even", "depth")
    )
    verdict = "as the thesis says" if even > depth else "which the thesis does not expect"
    return (
        f"{way.capitalize()}: below {san} the tree of even probabilities ends {signed(even)} plies from where it ends "
        f"elsewhere, that of equal depth {signed(depth)}; {verdict}."
    )


def _matches(data: Data) -> Iterator[Part]:
    yield from matched(
        "Shapes",
        f"Searches with the brain {data['brain'].rpartition('/')[2]}. Naive ones have no heuristics at all.",
        data["rows"],
        {"naive_even_nodes": NAIVE_PROBABILITY},
    )
