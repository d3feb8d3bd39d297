"""The page of singh2015: its tables and figures, theirs beside ours, and what goes beyond them."""

from okapi.formats.html import Prose, Section, document
from okapi.papers.experiment import Results
from okapi.papers.headlines import headline_table
from okapi.papers.repeat import about, repeat
from okapi.papers.singh2015.figures import headlines
from okapi.papers.singh2015.page.bands import bands
from okapi.papers.singh2015.page.cases import cases
from okapi.papers.singh2015.page.evaluation import evaluation
from okapi.papers.singh2015.page.gameplay import gameplay
from okapi.papers.singh2015.page.learning import learning
from okapi.papers.singh2015.page.rules import rules
from okapi.papers.singh2015.page.whole_moves import whole_moves

__all__ = ["page"]

TITLE = "singh2015: networks that learn to play by watching"
SUBTITLE = (
    "A. Singh, Convolutional Neural Networks learn to play Chess, IIT Kanpur, 2015. Done again by Okapi: each table "
    "and figure, theirs beside ours."
)

SILENT = (
    "Where the thesis and its own program disagree, what neither says, and what was chosen here, with reasons, is "
    "listed in docs/singh2015.md of Okapi's source."
)


def page(results: Results) -> str:
    """All of it."""
    found = headline_table(headlines(results), "What the thesis is remembered for, and what goes beyond it.", "thesis")
    sections = [
        Section("In short", [*about(results), found]),
        learning(results),
        rules(results),
        whole_moves(results),
        cases(results),
        evaluation(results),
        gameplay(results),
        bands(results),
        Section("Where the thesis is silent", [Prose(SILENT)]),
        repeat("singh2015", results),
    ]
    return document(TITLE, SUBTITLE, sections)
