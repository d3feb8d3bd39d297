"""A ladder of common engines, to estimate the strength of a player: a rating at this speed on this machine.

The ratings of the rungs are nominal: most come from rating lists made elsewhere, some are guesses (see `source`).
"""

import math
import shlex
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from okapi.arena.elo import elo_difference, expected_score
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.arena.tournament import Pair, Tournament, TournamentFormat, play_tournament
from okapi.errors import NotFound, PlayerFailed
from okapi.players.process import find_program
from okapi.players.spec import engine_options, kind_of, start_engine


@dataclass(frozen=True, slots=True)
class Rung:
    """An engine with a nominal rating."""

    name: str
    player: str
    elo: int
    source: str


TABLE: Final = tomllib.loads(Path(__file__).with_name("ladder.toml").read_text(encoding="utf-8"))
LADDER: Final = tuple(Rung(name, **fields) for name, fields in TABLE.items())

AT_A_TIME: Final = 4
"""Opponents in a round; the estimate after it decides the next ones."""
NEAR: Final = 6
"""The nearest rungs that take turns: the rating of one may be wrong, not of all."""
START: Final = 2000.0
"""The first estimate; a virtual draw against this rating keeps early estimates finite."""


def usable(ladder: Sequence[Rung] = LADDER) -> tuple[list[Rung], dict[str, str]]:
    """The rungs that are installed and start, and why others cannot be used."""
    good, missing = [], {}
    for rung in ladder:
        command, _ = engine_options(kind_of(rung.player)[1])
        if find_program(shlex.split(command)[0]) is None:
            missing[rung.name] = "not installed"
            continue
        try:
            start_engine(rung.player).close()
            good.append(rung)
        except PlayerFailed as error:
            missing[rung.name] = str(error).splitlines()[0]
    return good, missing


def climb(
    player: str,
    games: int,
    control: TimeControl,
    *,
    name: str = "",
    rungs: Sequence[Rung],
    openings: str | None = None,
    seed: int = 1,
    **playing: Any,
) -> "LadderRating":
    """Rate a player by at least `games` games against the nearest rungs; `playing` is what play_tournament() takes."""
    if not rungs:
        raise NotFound("no engine of the ladder is installed", hint="on Debian: apt install stockfish phalanx glaurung")
    players = (player, *(rung.player for rung in rungs))
    standings = play_tournament(
        Tournament(players=players, format="ladder", control=control, openings=openings, seed=seed),
        math.ceil(games / (2 * min(AT_A_TIME, len(rungs)))),
        rules=TournamentFormat(partial(nearest, rungs), by_round=True),
        names=[name or player, *(rung.name for rung in rungs)],
        anchors={rung.name: rung.elo for rung in rungs},
        **playing,
    )
    return rate_on_ladder({rungs[opponent - 1]: pairs for opponent, pairs in standings.pairs(0).items()})


def nearest(rungs: Sequence[Rung], standings: Standings, number: int) -> list[Pair]:
    """The pairs of the next round: the rungs near the estimate with the fewest games."""
    met = [(rung.elo, standings.head_to_head(0, index + 1)) for index, rung in enumerate(rungs)]
    estimate = _level([(START, 1, 0.5), *((elo, against.games, against.points) for elo, against in met)])
    order = sorted(range(len(rungs)), key=lambda rung: abs(rungs[rung].elo - estimate))[:NEAR]
    chosen = sorted(order, key=lambda rung: met[rung][1].games)[: min(AT_A_TIME, len(rungs))]
    return [(0, rung + 1) for rung in chosen]


@dataclass(frozen=True, slots=True)
class RungScore:
    rung: Rung
    pairs: Sequence[float]

    @property
    def games(self) -> int:
        return 2 * len(self.pairs)

    @property
    def score(self) -> float:
        return sum(self.pairs) / self.games

    @property
    def implied(self) -> float:
        """The rating that this score alone implies; infinite for no points and for all points."""
        return self.rung.elo + elo_difference(self.score)

    def spread(self, elo: float) -> float:
        """The sum of the variances of the pairs, were no game drawn, for a player of that rating."""
        chance = expected_score(elo - self.rung.elo)
        return self.games * chance * (1 - chance)

    def excess(self, elo: float) -> float:
        return sum(self.pairs) - self.games * expected_score(elo - self.rung.elo)


@dataclass(frozen=True, slots=True)
class LadderRating:
    elo: float
    low: float
    high: float
    games: int
    steps: tuple[RungScore, ...]
    """Weakest rung first."""
    disagreement: float
    """How much the results against different rungs differ, compared with chance: 1 is as expected."""

    @property
    def score(self) -> float:
        return sum(step.games * step.score for step in self.steps) / self.games if self.games else 0.5

    @property
    def bounded(self) -> bool:
        """Is there an estimate? There is none for a player that won or lost every game."""
        return math.isfinite(self.elo)

    def sentence(self, name: str) -> str:
        """The rating as a sentence."""
        if not self.games:
            return f"{name}: no pair of games was finished"
        if not self.bounded:
            where, what = (f"above {self.low:.0f}", "won") if self.elo > 0 else (f"below {self.high:.0f}", "lost")
            return f"{name}: {where} on this ladder; it {what} every game"
        return f"{name}: about {self.elo:.0f} ± {(self.high - self.low) / 2:.0f} on this ladder"

    def caveats(self, control: str) -> list[str]:
        """What limits the meaning of the rating."""
        nominal = "The rungs' ratings are nominal: from lists of other machines at other speeds, or guesses."
        holds = f"It holds for {control} on this machine, and for one thread each. People's ratings are another scale."
        caveats = [nominal, holds]
        if self.disagreement > 1.5:
            measured = f"({self.disagreement:.1f} times the variance); the interval is wider for it."
            caveats.append(f"The rungs contradict each other more than chance explains {measured}")
        met = [step.rung.elo for step in self.steps]
        if met and self.bounded and not min(met) <= self.elo <= max(met):
            caveats.append("Its rating is outside the range of its opponents: this is extrapolated.")
        return caveats


def rate_on_ladder(results: Mapping[Rung, Sequence[float]]) -> LadderRating:
    """Rate a player by the points of its pairs of games (0 to 2) against each rung, whose ratings are taken as given.

    The most likely rating expects as many points as there were. Rungs that disagree widen the interval.
    """
    ascending = sorted(results.items(), key=lambda item: item[0].elo)
    steps = tuple(RungScore(rung, pairs) for rung, pairs in ascending if pairs)
    games, points = sum(step.games for step in steps), sum(sum(step.pairs) for step in steps)
    if not games:
        return LadderRating(math.nan, -math.inf, math.inf, 0, (), 1.0)
    if points == games:
        return LadderRating(math.inf, _edge(steps, won=True), math.inf, games, steps, 1.0)
    if points == 0:
        return LadderRating(-math.inf, -math.inf, _edge(steps, won=False), games, steps, 1.0)
    elo = _level([(step.rung.elo, step.games, sum(step.pairs)) for step in steps])
    noise, spread = _noise(elo, steps), sum(step.spread(elo) for step in steps)
    misfit = sum(step.excess(elo) ** 2 / (noise * step.spread(elo)) for step in steps)
    disagreement = misfit / (len(steps) - 1) if len(steps) > 1 else 1.0
    width = 1.96 * math.sqrt(noise * spread * max(1.0, disagreement)) / (math.log(10) / 400 * spread)
    return LadderRating(elo, elo - width, elo + width, games, steps, disagreement)


def _level(counted: Sequence[tuple[float, float, float]]) -> float:
    """The rating that expects as many points as there were; opponents are given as rating, games and points."""
    points = sum(of for _, _, of in counted)
    return _rising(lambda level: sum(games * expected_score(level - elo) for elo, games, _ in counted), points)


def _edge(steps: Sequence[RungScore], *, won: bool) -> float:
    """The rating at which winning, or losing, every game has a probability of 1/20."""
    sign = 1 if won else -1

    def likelihood(level: float) -> float:
        chances = ((step.games, expected_score(sign * (level - step.rung.elo))) for step in steps)
        return sign * sum(games * math.log(chance) for games, chance in chances)

    return _rising(likelihood, sign * math.log(0.05))


def _rising(function: Callable[[float], float], value: float) -> float:
    """The rating at which a rising function reaches a value, by bisection."""
    low, high = -2000.0, 6000.0
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < value else (low, middle)
    return (low + high) / 2


def _noise(elo: float, steps: Sequence[RungScore]) -> float:
    """The variance of pairs, compared with that of games without draws; near the prior while there are few pairs."""
    prior, weight = 0.7, 2.0
    seen = sum((points - fmean(step.pairs)) ** 2 for step in steps for points in step.pairs)
    freedom = sum(step.spread(elo) * (1 - 1 / len(step.pairs)) for step in steps)
    return max(0.1, (seen + prior * weight) / (freedom + weight))
