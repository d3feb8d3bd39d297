"""The page of singh2015: its tables and figures, theirs beside ours, and what goes beyond them."""

from okapi.papers.headlines import headline_table
from okapi.papers.lab import Results
from okapi.papers.page import Section, document
from okapi.papers.repeat import about, repeat
from okapi.papers.singh2015.figures import headlines
from okapi.papers.singh2015.page.learning import learning

__all__ = ["page"]

TITLE = "singh2015: networks that learn to play by watching"
SUBTITLE = (
    "A. Singh, Convolutional Neural Networks learn to play Chess, IIT Kanpur, 2015. Done again by Okapi: each table "
    "and figure, theirs beside ours."
)


def page(results: Results) -> str:
    """All of it."""
    found = headline_table(headlines(results), "What the thesis is remembered for, and what goes beyond it.", "thesis")
    sections = [
        Section("In short", [*about(results), found]),
        learning(results),
        repeat("singh2015", results),
    ]
    return document(TITLE, SUBTITLE, sections)
