"""What a match has shown so far."""

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from okapi.arena.elo import Estimate, Tally, estimate
from okapi.arena.played import Fault, Played
from okapi.arena.sprt import Sprt, Standing
from okapi.core import Color

__all__ = ["FAULTS", "Effort", "Report"]

FAULTS: Final = {
    Fault.TIME: "time_losses",
    Fault.CRASH: "crashes",
    Fault.STALL: "stalls",
    Fault.ILLEGAL: "illegal",
}
"""The names of the faults in the report."""


@dataclass
class Effort:
    """What one player put into its moves."""

    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0
    thinking: float = 0.0
    """Seconds of the moves for which it told the nodes."""
    depth: int = 0
    """Summed up."""

    @property
    def nps(self) -> int:
        """Nodes a second."""
        return round(self.nodes / self.thinking) if self.thinking > 0 else 0


@dataclass
class Report:
    """Everything about a match, seen from its first player; grows game by game."""

    names: tuple[str, str]
    sprt: Sprt | None = None
    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    """Pairs of games that brought 0, ½, 1, 1½ and 2 points."""
    faults: Counter[tuple[int, Fault]] = field(default_factory=Counter)
    warnings: Counter[tuple[int, str]] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    efforts: tuple[Effort, Effort] = field(default_factory=lambda: (Effort(), Effort()))
    _points: dict[int, float] = field(default_factory=dict)

    def add(self, played: Played) -> None:
        """Count a game. One that was counted already is not counted again."""
        if played.number in self._points:
            return
        points = self._points[played.number] = played.points(0)
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        partner = self._points.get(played.number ^ 1)
        if partner is not None:
            self.pairs[round(2 * (points + partner))] += 1
        if played.fault is not None and played.culprit is not None:
            self.faults[played.culprit, played.fault] += 1
        self.endings[_kind_of_ending(played)] += 1
        self.warnings.update((warned.player, warned.what) for warned in played.warnings)
        self._add_effort(played)

    @property
    def games(self) -> int:
        """Games that were finished."""
        return len(self._points)

    @property
    def tally(self) -> Tally:
        """What statistics are made of."""
        zero, half, one, more, two = self.pairs
        return Tally(self.wins, self.draws, self.losses, (zero, half, one, more, two))

    @property
    def estimate(self) -> Estimate:
        """How much stronger the first player is."""
        return estimate(self.tally)

    @property
    def standing(self) -> Standing | None:
        """Where the test stands, if there is one."""
        return None if self.sprt is None else self.sprt.judge(self.tally)

    def fault(self, fault: Fault, player: int | None = None) -> int:
        """How often a player, or either of them, lost by a fault."""
        return sum(count for (who, what), count in self.faults.items() if what is fault and player in (None, who))

    def as_json(self) -> dict[str, Any]:
        """For programs; an interval without a bound has null there."""
        found, standing, tally = self.estimate, self.standing, self.tally
        named = dict(enumerate(self.names))
        about: dict[str, Any] = {
            "first": self.names[0],
            "second": self.names[1],
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "pairs": self.pairs,
            "score": round(tally.score, 4),
            "elo": round(found.elo, 2),
            "low": _finite(found.low),
            "high": _finite(found.high),
            "normalised_elo": round(found.normalised, 2),
            "los": round(found.los, 4),
            "draw_rate": round(found.draw_rate, 4),
            **{name: self.fault(fault) for fault, name in FAULTS.items()},
            "faults": {
                named[player]: {name: self.fault(fault, player) for fault, name in FAULTS.items()} for player in named
            },
            "warnings": {
                named[player]: {what: n for (who, what), n in self.warnings.items() if who == player}
                for player in named
            },
            "endings": dict(self.endings.most_common()),
            "nps": {named[player]: self.efforts[player].nps for player in named},
        }
        if standing is not None and self.sprt is not None:
            about["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "scale": self.sprt.scale,
                "llr": round(standing.llr, 3),
                "lower": round(standing.lower, 3),
                "upper": round(standing.upper, 3),
                "verdict": standing.verdict.value,
            }
        return about

    def _add_effort(self, played: Played) -> None:
        white_first = played.pairing.fen.split()[1] == "w"
        for ply, thought in enumerate(played.thoughts):
            side = Color.WHITE if (ply % 2 == 0) == white_first else Color.BLACK
            effort = self.efforts[played.player(side)]
            effort.moves += 1
            effort.seconds += thought.seconds
            effort.depth += thought.depth
            if thought.nodes:
                effort.nodes += thought.nodes
                effort.thinking += thought.seconds


def _kind_of_ending(played: Played) -> str:
    """How it ended, without the details."""
    if played.fault is not None:
        return str(played.fault)
    return "resignation" if played.ending.endswith("resigned") else played.ending


def _finite(number: float) -> float | None:
    return round(number, 2) if math.isfinite(number) else None
