"""The report of a game: win probabilities, mistakes with their reasons, accuracy, the opening. No web, no terminal."""

from okapi.analysis.report.game import GameAnalysis, GameReport, PositionValue, closer, quicker
from okapi.analysis.report.moves import MARKS, NAGS, JudgedMove, MoveNote, SideSummary, summarise

__all__ = [
    "MARKS",
    "NAGS",
    "GameAnalysis",
    "GameReport",
    "JudgedMove",
    "MoveNote",
    "PositionValue",
    "SideSummary",
    "closer",
    "quicker",
    "summarise",
]
