"""The page of vazquez2012: chapters 4 to 6, theirs beside ours, and what goes beyond them."""

from okapi.formats.html import Prose, Section, document
from okapi.papers.headlines import headline_table
from okapi.papers.repeat import about, repeat
from okapi.papers.vazquez2012.figures import headlines
from okapi.papers.vazquez2012.page.beyond import beyond
from okapi.papers.vazquez2012.page.chapter4 import chapter_4
from okapi.papers.vazquez2012.page.chapter5 import chapter_5
from okapi.papers.vazquez2012.page.chapter6 import chapter_6
from okapi.recipes.lab import Results

__all__ = ["page"]

TITLE = "vazquez2012: chess opinions that are bred"
SUBTITLE = (
    "E. Vázquez-Fernández, An Evolutionary Approach for Tuning a Chess Evaluation Function, thesis, CINVESTAV, 2012. "
    "Done again by Okapi: each table and figure of chapters 4 to 6, theirs beside ours."
)


def page(results: Results) -> str:
    """All of it."""
    sections = [
        _summary(results),
        chapter_4(results),
        chapter_5(results),
        chapter_6(results),
        beyond(results),
        Section(
            "Where the thesis is silent",
            [
                Prose(
                    "A method section of a hundred pages still leaves questions open, and sometimes answers one twice. "
                    "What the thesis does not say, what it says in two ways, and what was chosen here, with reasons, "
                    "is listed in docs/vazquez2012.md of Okapi's source."
                )
            ],
        ),
        repeat("vazquez2012", results),
    ]
    return document(TITLE, SUBTITLE, sections)


def _summary(results: Results) -> Section:
    table = headline_table(headlines(results), "What the thesis is remembered for.", "thesis")
    return Section("In short", [*about(results), table])
