"""The report of a game: win probabilities, mistakes with their reasons, accuracy, the opening. No web, no terminal."""

from okapi.analysis.report.game import GameAnalysis, GameReport, closer, quicker
from okapi.analysis.report.moves import NAGS, JudgedMove, MoveNote, summarise

__all__ = ["NAGS", "GameAnalysis", "GameReport", "JudgedMove", "MoveNote", "closer", "quicker", "summarise"]
