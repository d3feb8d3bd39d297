"""The standings of a tournament: points, ratings with intervals, crosstable."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from okapi.arena.elo import MatchResult
from okapi.arena.games import FAULT_NAMES, Fault, PlayedGame
from okapi.arena.ratings import Rating, RatingPool, rate
from okapi.errors import NotRatable, UsageError, did_you_mean


@dataclass(frozen=True, slots=True)
class StandingsRow:
    name: str
    games: int
    points: float
    """With the points of byes."""
    wins: int
    draws: int
    losses: int
    tiebreak: float
    """Sonneborn-Berger: the points of beaten opponents, and half those of drawn ones, for each game."""
    elo: float | None
    """None as long as the games do not link the players."""
    low: float | None
    high: float | None
    faults: Mapping[str, int]

    @property
    def score(self) -> float:
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0


@dataclass
class Standings:
    """The standings of a tournament; games are added as they end."""

    names: Sequence[str]
    anchors: Mapping[str, float] = field(default_factory=dict)
    byes: Counter[int] = field(default_factory=Counter)
    _met: dict[tuple[int, int], MatchResult] = field(default_factory=lambda: defaultdict(MatchResult))
    by_rating: bool = False
    """Sort by rating, not by points: fair where players have different numbers of games."""
    played: dict[int, PlayedGame] = field(default_factory=dict)
    """The games by number, without their moves."""
    _faults: Counter[tuple[int, Fault]] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        for name in sorted(self.anchors.keys() - self.names):
            raise UsageError(f"the anchor `{name}` is not one of the players", hint=did_you_mean(name, self.names))

    def add(self, played: PlayedGame) -> None:
        """Count a game, once."""
        if played.number in self.played:
            return
        self.played[played.number] = replace(played, moves=(), infos=(), warnings=())
        white, black = played.pairing.white, played.pairing.black
        for player, opponent in ((white, black), (black, white)):
            self._met[player, opponent] += MatchResult.of([], [played.points(player)])
        if played.fault is not None and played.culprit is not None:
            self._faults[played.culprit, played.fault] += 1

    @property
    def games(self) -> int:
        return len(self.played)

    def head_to_head(self, player: int, opponent: int) -> MatchResult:
        return self._met.get((player, opponent), MatchResult())

    def points(self, player: int) -> float:
        return self.byes[player] + sum(met.points for (who, _), met in self._met.items() if who == player)

    def ratings(self) -> dict[str, Rating]:
        """The ratings by name; empty if some players are not linked by games."""
        try:
            pool = RatingPool.of(self.results())
            anchors = {name: elo for name, elo in self.anchors.items() if name in pool.names}
            return {rating.name: rating for rating in rate(pool, anchors=anchors).players}
        except NotRatable:
            return {}

    def results(self) -> list[tuple[str, str, float]]:
        """White, Black and White's points of each game."""
        sides = ((game, game.pairing.white, game.pairing.black) for game in self.played.values())
        return [(self.names[white], self.names[black], game.points(white)) for game, white, black in sides]

    def rows(self) -> list[StandingsRow]:
        ratings = self.ratings()
        rows = [self._row(player, ratings.get(name)) for player, name in enumerate(self.names)]
        if self.by_rating:
            return sorted(rows, key=lambda row: -(row.elo if row.elo is not None else float("-inf")))
        return sorted(rows, key=lambda row: (-row.points, -row.tiebreak))

    def pairs(self, player: int) -> dict[int, list[float]]:
        """The points of each pair of games by opponent, without pairs in which the opponent was at fault."""
        found = defaultdict[int, list[float]](list)
        for number, game in sorted(self.played.items()):
            partner, met = self.played.get(number + 1), {game.pairing.white, game.pairing.black}
            if number % 2 or partner is None or player not in met:
                continue
            (opponent,) = met - {player}
            if opponent not in (game.culprit, partner.culprit):
                found[opponent].append(game.points(player) + partner.points(player))
        return dict(found)

    def metrics(self) -> dict[str, float]:
        found: dict[str, float] = {}
        for row in self.rows():
            if row.elo is not None and row.low is not None and row.high is not None:
                found |= {row.name: row.elo, f"{row.name}_low": row.low, f"{row.name}_high": row.high}
        return found

    def as_json(self) -> dict[str, Any]:
        players, crosstable = [], {name: dict[str, list[int]]() for name in self.names}
        for row in self.rows():
            about = asdict(row)
            faults = about.pop("faults")
            for key in ("tiebreak", "elo", "low", "high"):
                about[key] = None if about[key] is None else round(about[key], 2)
            players.append({**about, "score": round(row.score, 4), **faults})
        for (player, opponent), met in sorted(self._met.items()):
            crosstable[self.names[player]][self.names[opponent]] = [met.wins, met.draws, met.losses]
        return {"players": players, "crosstable": crosstable, "games": self.games}

    def _row(self, player: int, rating: Rating | None) -> StandingsRow:
        against = {opponent: met for (who, opponent), met in self._met.items() if who == player}
        total = sum(against.values(), MatchResult())
        counts = total.games, self.points(player), total.wins, total.draws, total.losses
        tiebreak = sum(met.points * self.points(opponent) for opponent, met in against.items())
        faults = {name: self._faults[player, fault] for fault, name in FAULT_NAMES.items()}
        elo, low, high = (None, None, None) if rating is None else (rating.elo, rating.low, rating.high)
        return StandingsRow(self.names[player], *counts, tiebreak, elo, low, high, faults)
