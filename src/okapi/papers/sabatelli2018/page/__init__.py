"""The page of sabatelli2018: Tables 1 to 4 and figures 1 to 3, theirs beside ours, and its future work."""

from okapi.formats.html import Prose, Section, document
from okapi.papers.headlines import headline_table
from okapi.papers.repeat import about, repeat
from okapi.papers.sabatelli2018.figures import headlines
from okapi.papers.sabatelli2018.page.classes import classes
from okapi.papers.sabatelli2018.page.play import kaufman, strength
from okapi.papers.sabatelli2018.page.regression import regression
from okapi.recipes.lab import Results

__all__ = ["page"]

TITLE = "sabatelli2018: a teacher's eye"
SUBTITLE = (
    "M. Sabatelli, F. Bidoia, V. Codreanu, M. Wiering, Learning to Evaluate Chess Positions with Deep Neural Networks "
    "and Limited Lookahead, 2018. Done again by Okapi: each table and figure, theirs beside ours."
)


def page(results: Results) -> str:
    """All of it."""
    sections = [
        Section(
            "In short",
            [
                *about(results),
                headline_table(headlines(results), "What the paper is remembered for, and what it left open."),
            ],
        ),
        classes(results),
        regression(results),
        kaufman(results),
        strength(results),
        Section(
            "Where the paper is silent",
            [
                Prose(
                    "What the paper does not say, what it says in two ways, and what was chosen here, with reasons, is "
                    "listed in docs/sabatelli2018.md of Okapi's source."
                )
            ],
        ),
        repeat("sabatelli2018", results),
    ]
    return document(TITLE, SUBTITLE, sections)
