"""The page of sheehan2016: its tables and figures, theirs beside ours, and what goes beyond them."""

from okapi.formats.html import Prose, Section, document
from okapi.papers.headlines import headline_table
from okapi.papers.repeat import about, repeat
from okapi.papers.sheehan2016.figures import headlines
from okapi.papers.sheehan2016.page.beyond import beyond
from okapi.papers.sheehan2016.page.boards import boards
from okapi.papers.sheehan2016.page.nets import nets
from okapi.recipes.lab import Results

__all__ = ["page"]

TITLE = "sheehan2016: a teacher's eye in ten buckets"
SUBTITLE = (
    "J. Sheehan, Neural Networks for Chess State Evaluation, Princeton, 2016. Done again by Okapi: each table and "
    "figure that can be, theirs beside ours."
)

SILENT = (
    "Figure 7, the layers of the nets, is lost, and the text names neither batch size, nor iterations, nor which net "
    "began in which way. What was chosen here, and why, is listed in docs/sheehan2016.md of Okapi's source."
)


def page(results: Results) -> str:
    """All of it."""
    sections = [
        Section("In short", [*about(results), headline_table(headlines(results), "What the paper is remembered for.")]),
        nets(results),
        boards(results),
        beyond(results),
        Section("Where the paper is silent", [Prose(SILENT)]),
        repeat("sheehan2016", results),
    ]
    return document(TITLE, SUBTITLE, sections)
