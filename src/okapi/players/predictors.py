"""Players of singh2015, made from what people type. Imported when one is wanted: they need numpy."""

from typing import Final

from okapi.brains import evaluator, predictor
from okapi.brains.prediction import Predictor
from okapi.core.exercises import judge
from okapi.encodings.layers import ELO_RANGE
from okapi.errors import UsageError
from okapi.players.alphabeta import AlphaBeta
from okapi.players.negamax import Judge, Negamax
from okapi.players.player import Player
from okapi.players.top_move import TopMove
from okapi.players.top_prob import TopProb
from okapi.players.topprob_negamax import TopProbNegamax

__all__ = ["negamax", "top_move", "top_prob", "topprob_negamax"]

EXTRAS: Final = ("shortcuts", "check_extensions", "known_endings", "fading", "correction_history", "tablebases")
"""What the core's search would add to full width, one depth and quiescence."""


def top_move(brain: str | None = None, *, elo: int | None = None, masked: bool = True, threads: int = 1) -> Player:
    """See TopMove."""
    return TopMove(_predictor("top-move", brain, elo, threads), elo=elo, masked=masked)


def top_prob(
    brain: str | None = None,
    *,
    elo: int | None = None,
    masked: bool = True,
    temperature: float = 0.0,
    seed: int | None = None,
    threads: int = 1,
) -> Player:
    """See TopProb."""
    predicts = _predictor("top-prob", brain, elo, threads)
    return TopProb(predicts, elo=elo, masked=masked, temperature=temperature, seed=seed)


def topprob_negamax(
    brain: str | None = None,
    *,
    value: str | None = None,
    k: int = 5,
    depth: int = 3,
    elo: int | None = None,
    threads: int = 1,
) -> Player:
    """See TopProbNegamax. Without `value`, the default brain judges."""
    predicts = _predictor("topprob-negamax", brain, elo, threads)
    return TopProbNegamax(predicts, _judge(value, threads), k=k, depth=depth, elo=elo)


def negamax(brain: str | None = None, *, depth: int = 4, quiescence: bool = True, threads: int = 1) -> Player:
    """See Negamax; with quiescence the core searches, as wide and as deep."""
    if quiescence:
        return AlphaBeta(brain, depth=depth, without=EXTRAS, threads=threads)
    return Negamax(_judge(brain, threads), depth=depth)


def _predictor(player: str, brain: str | None, elo: int | None, threads: int) -> Predictor:
    if brain is None:
        raise UsageError(f"{player} needs a brain that predicts moves", hint=f"write {player}:BRAIN")
    predicts = predictor(brain, threads=threads)
    if elo is not None and "elo" not in predicts.dials:
        raise UsageError(f"brain `{predicts.card.name}` cannot be told a rating", hint="leave elo out")
    lowest, highest = ELO_RANGE
    if elo is not None and not lowest <= elo <= highest:
        raise UsageError(f"a rating of {elo} cannot be played", hint=f"{lowest} to {highest} can")
    return predicts


def _judge(brain: str | None, threads: int) -> Judge:
    judges = evaluator(brain)
    return lambda positions: judge([judges], positions, threads=threads)[0]
