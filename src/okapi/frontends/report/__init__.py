"""The report of a game: win probabilities, mistakes with their reasons, accuracy, the opening. No web, no terminal."""

from okapi.frontends.report.judged import MARKS, NAGS, Judged, Note, Summary, summarise
from okapi.frontends.report.study import Report, Study, Valued, closer, quicker
from okapi.frontends.report.wdl import Wdl

__all__ = [
    "MARKS",
    "NAGS",
    "Judged",
    "Note",
    "Report",
    "Study",
    "Summary",
    "Valued",
    "Wdl",
    "closer",
    "quicker",
    "summarise",
]
