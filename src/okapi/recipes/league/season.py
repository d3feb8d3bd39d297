"""A season of the league: which games are played, and the tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal

from okapi.arena.games import PlayedGame
from okapi.arena.ladder import Rung
from okapi.arena.match import WorkerFactory
from okapi.arena.settings import AdjudicationRules
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.arena.tournament import Matchup, MatchupSettings, all_matchups, play_matchups
from okapi.brains import card
from okapi.recipes.league.entrants import ENTRANTS, YARDSTICK, LeagueEntrant, seconds_of
from okapi.recipes.league.result import EntrantInfo, LeagueResult, LeagueTable, LevelRating, TableRow

Part = Literal["nodes", "clock", "thinking"]
OnBegin = Callable[[Standings, Path, int], object]
OnGame = Callable[[Standings, PlayedGame], object]
Meet = Callable[..., Standings]
"""play_matchups with folder, workers and callbacks bound."""
TABLES: Final[tuple[Part, ...]] = ("nodes", "clock", "thinking")

ANCHORS: Final = ("stockfish-2100", "gnuchess", "glaurung", "ethereal")
"""Rungs of the ladder that play with a clock, where they are installed; all are UCI engines."""

ENDS: Final = AdjudicationRules(resign_score=1000, resign_moves=4, draw_score=10, draw_moves=8, draw_after=40)
"""Games on whose result both sides agree are ended; most of the time is spent there otherwise."""

NEIGHBOURS: Final = 1
"""An entrant at one level meets the yardstick at that level, and at so many above and below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonConfig:
    nodes: int = 1_000
    """For a move, in the table of equal nodes."""
    games: int = 20
    """Of each two entrants, there."""
    tc: str = "1+0.01"
    """The clock of the table of equal time."""
    clock_games: int = 2
    """Of each two entrants, there."""
    levels: tuple[int, ...] = (100, 1_000, 10_000)
    """Nodes at which each entrant meets the yardstick."""
    level_games: int = 10
    """Of each such meeting."""
    seed: int = 1
    entrants: tuple[str, ...] = ()
    """The entrants that play; all that are available, if empty."""

    def command(self, part: Part) -> str:
        counted = {
            "nodes": f"--nodes {self.nodes} --games {self.games}",
            "clock": f"--tc {self.tc} --clock-games {self.clock_games}",
            "thinking": f"--levels {' '.join(map(str, self.levels))} --level-games {self.level_games}",
        }
        who = f" --entrants {' '.join(self.entrants)}" if self.entrants else ""
        return f"okapi league --only {part} {counted[part]} --seed {self.seed}{who}"


class Season:
    """Plays the parts of a season, and stores every game. Stored games are not played again."""

    def __init__(
        self,
        entrants: Sequence[LeagueEntrant],
        anchors: Sequence[Rung],
        terms: SeasonConfig,
        folder: Path,
        *,
        make_workers: WorkerFactory | None = None,
    ) -> None:
        """`anchors` are engines that play with a clock; games go into `folder`; `make_workers` says who plays them."""
        self._entrants = {entrant.name: entrant for entrant in entrants}
        self._anchors = anchors
        self._terms = terms
        self._folder = folder
        self._make_workers = make_workers
        self._seconds: dict[str, float] = {}
        self._left_out: dict[str, str] = {}

    def play(
        self, part: Part, before: LeagueResult, *, on_begin: OnBegin | None = None, on_game: OnGame | None = None
    ) -> LeagueResult:
        """Play one part; what was there before, with this part in the place of its own."""
        self._left_out = {}
        meet = partial(
            play_matchups, folder=self._folder, make_workers=self._make_workers, on_begin=on_begin, on_game=on_game
        )
        if part == "thinking":
            result = replace(before, levels=self._thinking(meet))
        else:
            result = _with_table(before, self._nodes(meet) if part == "nodes" else self._clock(meet))
        return replace(
            result,
            entries=self._entries(before),
            left_out={**_of_others(before.left_out, part), **self._left_out},
            commands={**before.commands, part: self._terms.command(part)},
        )

    def _nodes(self, meet: Meet) -> LeagueTable:
        nodes = self._terms.nodes
        here = [entrant for entrant in self._entrants.values() if entrant.plays_at(nodes)]
        for entrant in self._entrants.values():
            if entrant not in here:
                self._left_out[f"nodes: {entrant.name}"] = f"{nodes:,} nodes a move would take minutes for a game"
        company = self._company({entrant.name: entrant.player for entrant in here}, TimeControl(nodes=nodes))
        meetings = all_matchups(list(company.players), self._paced(self._terms.games))
        standings = meet(company, meetings, anchors={YARDSTICK: 0.0})
        return _table("nodes", str(company.control), standings, list(self._entrants))

    def _clock(self, meet: Meet) -> LeagueTable:
        rungs = {rung.name: rung for rung in self._anchors}
        control = TimeControl.from_text(self._terms.tc)
        players = {}
        for entrant in self._entrants.values():
            if 1000 * entrant.least_clock_s > (control.time_ms or 0):
                self._left_out[f"clock: {entrant.name}"] = f"it is too slow for {control}, and would lose on time"
            else:
                players[entrant.name] = entrant.player
        company = self._company({**players, **{name: rung.player for name, rung in rungs.items()}}, control)
        games = self._terms.clock_games
        meetings = all_matchups(
            list(company.players), lambda first, second: 0 if first in rungs and second in rungs else games
        )
        known = {name: float(rung.elo) for name, rung in rungs.items()} or {YARDSTICK: 0.0}
        standings = meet(company, meetings, anchors=known, excused=list(rungs))
        return _table("clock", str(company.control), standings, list(self._entrants))

    def _thinking(self, meet: Meet) -> tuple[LevelRating, ...]:
        levels = sorted(set(self._terms.levels))
        stick = self._entrants[YARDSTICK]
        who = {_at(stick, level): (stick, level) for level in levels}
        meetings = [
            Matchup(_at(stick, low), _at(stick, high), self._terms.level_games) for low, high in pairwise(levels)
        ]
        for entrant in self._entrants.values():
            if entrant is stick:
                continue
            games = self._paced(self._terms.level_games)(entrant.name, YARDSTICK)
            for level in levels if entrant.searches else levels[:1]:
                if not entrant.plays_at(level):
                    self._left_out[f"thinking: {entrant.name} at {level:,} nodes"] = "it would take minutes for a game"
                    continue
                name = _at(entrant, level)
                who[name] = (entrant, level)
                near = _near(levels, level)
                meetings += [Matchup(name, _at(stick, other), games) for other in near]
        players = {name: entrant.at(level) for name, (entrant, level) in who.items()}
        company = self._company(players, TimeControl(nodes=levels[0]))
        standings = meet(company, meetings, anchors={_at(stick, self._reference(levels)): 0.0})
        return tuple(
            self._level(*who[line.name], line.elo, line.low, line.high, line.games)
            for line in standings.rows()
            if line.elo is not None and line.low is not None and line.high is not None
        )

    def _reference(self, levels: Sequence[int]) -> int:
        """The yardstick is 0 at the level of the first table or, if that is none, at the nearest."""
        return min(levels, key=lambda level: abs(level - self._terms.nodes))

    def _paced(self, games: int) -> Callable[[str, str], int]:
        """So many games, or fewer where somebody slow plays; always whole pairs, and one at least."""

        def paced(first: str, second: str) -> int:
            pace = min(self._entrants[first].pace, self._entrants[second].pace)
            return max(2, 2 * round(games * pace / 2))

        return paced

    def _company(self, players: Mapping[str, str], control: TimeControl) -> MatchupSettings:
        return MatchupSettings(players=players, control=control, adjudication=ENDS, seed=self._terms.seed)

    def _level(
        self, entrant: LeagueEntrant, level: int, elo: float, low: float, high: float, games: int
    ) -> LevelRating:
        nodes = level if entrant.searches else None
        seconds = self._rate(entrant) * (nodes or 1)
        return LevelRating(name=entrant.name, nodes=nodes, seconds=seconds, elo=elo, low=low, high=high, games=games)

    def _rate(self, entrant: LeagueEntrant) -> float:
        if entrant.name not in self._seconds:
            self._seconds[entrant.name] = seconds_of(entrant)
        return self._seconds[entrant.name]

    def _entries(self, before: LeagueResult) -> tuple[EntrantInfo, ...]:
        """All that play or played, in the order of the league."""
        known = {entry.name: entry for entry in before.entries}
        known |= {name: self._entry(entrant) for name, entrant in self._entrants.items()}
        return tuple(known[entrant.name] for entrant in ENTRANTS if entrant.name in known)

    def _entry(self, entrant: LeagueEntrant) -> EntrantInfo:
        return EntrantInfo(
            name=entrant.name,
            way=entrant.way,
            learned_from=entrant.learned_from,
            samples=entrant.samples,
            operations=entrant.operations,
            weights=card(entrant.player.partition(":")[2]).weights,
            seconds=self._rate(entrant),
            searches=entrant.searches,
        )


def _of_others(left_out: Mapping[str, str], part: Part) -> dict[str, str]:
    return {who: why for who, why in left_out.items() if not who.startswith(f"{part}: ")}


def _at(entrant: LeagueEntrant, level: int) -> str:
    return f"{entrant.name} @ {level}" if entrant.searches else entrant.name


def _near(levels: Sequence[int], level: int) -> Sequence[int]:
    place = levels.index(level)
    return levels[max(0, place - NEIGHBOURS) : place + NEIGHBOURS + 1]


def _table(name: str, limits: str, standings: Standings, entrants: Sequence[str]) -> LeagueTable:
    rows = [
        TableRow(
            name=line.name,
            elo=line.elo,
            low=line.low,
            high=line.high,
            games=line.games,
            score=line.score,
            faults={kind: count for kind, count in line.faults.items() if count},
            entrant=line.name in entrants,
        )
        for line in standings.rows()
    ]
    met = standings.as_json()["crosstable"]
    return LeagueTable(name=name, limits=limits, games=standings.games, rows=tuple(rows), met=met)


def _with_table(result: LeagueResult, table: LeagueTable) -> LeagueResult:
    others = [other for other in result.tables if other.name != table.name]
    ordered = sorted([*others, table], key=lambda one: TABLES.index(one.name))
    return replace(result, tables=tuple(ordered))
