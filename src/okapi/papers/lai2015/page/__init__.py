"""The page of lai2015: its tables and figures, theirs beside ours, and what goes beyond them."""

from okapi.formats.html import Prose, Section, document
from okapi.papers.headlines import headline_table
from okapi.papers.lai2015.figures import headlines
from okapi.papers.lai2015.page.engine import engine
from okapi.papers.lai2015.page.future import future
from okapi.papers.lai2015.page.learning import learning
from okapi.papers.lai2015.page.move_network import move_network
from okapi.papers.lai2015.page.representation import representation
from okapi.papers.lai2015.page.search import search
from okapi.papers.repeat import about, repeat
from okapi.recipes.lab import Results

__all__ = ["page"]

TITLE = "lai2015: Giraffe, learning by playing oneself"
SUBTITLE = (
    "M. Lai, Giraffe: Using Deep Reinforcement Learning to Play Chess, Imperial College London, 2015. Done again by "
    "Okapi: each table and figure, theirs beside ours."
)

SILENT = (
    "The pictures of the thesis are lost in the text that we have, and so are the numbers of its Table 3. What it does "
    "not say, what its program says instead, and what was chosen here, with reasons, is listed in docs/lai2015.md of "
    "Okapi's source."
)


def page(results: Results) -> str:
    """All of it."""
    found = headline_table(headlines(results), "What the thesis is remembered for, and what goes beyond it.", "thesis")
    sections = [
        Section("In short", [*about(results), found]),
        representation(results),
        learning(results),
        engine(results),
        search(results),
        move_network(results),
        future(results),
        Section("Where the thesis is silent", [Prose(SILENT)]),
        repeat("lai2015", results),
    ]
    return document(TITLE, SUBTITLE, sections)
