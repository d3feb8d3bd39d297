"""The report of a game: win probabilities, mistakes with their reasons, accuracy, the opening. No web, no terminal."""

from okapi.analysis.report.judged import MARKS, NAGS, Judged, Note, Summary, summarise
from okapi.analysis.report.study import Report, Study, Valued, closer, quicker
from okapi.analysis.report.wdl import Wdl

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
