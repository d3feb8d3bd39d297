"""Several players: round robin, gauntlet, Swiss; and matchups of two with a store each."""

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from okapi.arena.games import MatchStore, Pairing, PgnFile, PlayedGame, RunLogger, open_store, start_run
from okapi.arena.in_process import can_play_in_process
from okapi.arena.match import Match, WorkerFactory, check_players, local_workers, pairings, short_name
from okapi.arena.settings import GameSettings, MatchSettings
from okapi.arena.standings import Standings
from okapi.arena.workers import Workers, play_all
from okapi.errors import UsageError
from okapi.files import digest

__all__ = [
    "FORMATS",
    "Matchup",
    "MatchupSettings",
    "Tournament",
    "TournamentFormat",
    "all_matchups",
    "names_of",
    "play_matchups",
    "play_tournament",
]

Pair = tuple[int, int]
"""Two players who meet, by their places in the list; they play two games, with colours changed."""

TRIES: Final = 10_000
"""A Swiss pairing without rematches is looked for so long; in late rounds there may be none."""


@dataclass(frozen=True, slots=True)
class TournamentFormat:
    """Who meets whom, round by round."""

    pairs: Callable[[Standings, int], list[Pair]]
    """The pairs of one round, given how things stand and the round's number; always equally many."""
    waits: bool = False
    """Does a round depend on the results of those before?"""
    rest: int = 0
    """The points of a round for somebody who found no opponent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament(MatchSettings):
    """What a tournament is: everything that decides how its games go, except how many rounds there are."""

    players: tuple[str, ...]
    format: str = "round-robin"
    """One of FORMATS, or the name of another that comes with it."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise UsageError("a tournament needs two players or more", hint="okapi tournament material vazquez-five …")

    @property
    def kind(self) -> str:
        """What it is called: a tournament, or by its own format."""
        return "tournament" if self.format in FORMATS else self.format

    def game_settings(self) -> GameSettings:
        """The same for those who play."""
        return self._game_settings(self.players)

    def describe(self) -> dict[str, Any]:
        """What the games are stored under: settings, and the bytes that players and openings are made of."""
        return self._described(self.players)


def play_tournament(
    tournament: Tournament,
    rounds: int,
    *,
    rules: TournamentFormat | None = None,
    names: Sequence[str] | None = None,
    anchors: Mapping[str, float] | None = None,
    store: Path | None = None,
    fresh: bool = False,
    pgn: Path | None = None,
    make_workers: WorkerFactory | None = None,
    on_game: Callable[[Standings, PlayedGame], object] | None = None,
    on_begin: Callable[[Standings, Path, int], object] | None = None,
) -> Standings:
    """Play `rounds` rounds. Games in the store are not played again.

    `rules` give the pairings, if the tournament's format is none of FORMATS. `make_workers` gives the workers that
    play; the default is local_workers. `on_begin` gets the standings so far, the store's path and the number of games,
    `on_game` each new game.
    """
    standings = Standings(
        list(names or names_of(tournament.players)), anchors or {}, by_rating=tournament.format not in BY_POINTS
    )
    schedule = _Schedule(tournament, rules or FORMATS[tournament.format], rounds, standings)
    with ExitStack() as stack:
        kept = stack.enter_context(open_store(tournament.kind, tournament.describe(), store, fresh=fresh))
        for played in kept.games():
            if played.number < schedule.games:
                schedule.add(played)
        if pgn is not None:
            sheets = PgnFile(pgn, standings.names, f"okapi {tournament.kind}", tournament.control)
            sheets.write(game for game in kept.games() if game.number < schedule.games)
        if on_begin is not None:
            on_begin(standings, kept.path, schedule.games)
        workers: Workers | None = None
        for batch in filter(None, schedule.batches()):
            if workers is None:
                settings = {**tournament.summary(standings.names), "format": tournament.format}
                run = stack.enter_context(start_run(kept.path, tournament.kind, schedule.games, settings))
                logger = RunLogger(run, standings.metrics)
                workers = stack.enter_context(closing(_start_workers(tournament, make_workers or local_workers)))
            for played in play_all(batch, workers):
                kept.add(played)
                schedule.add(played)
                logger.log(standings.games)
                if pgn is not None:
                    sheets.add(played)
                if on_game is not None:
                    on_game(standings, played)
        if workers is not None:
            logger.log(standings.games, last=True)
        if pgn is not None:
            sheets.write(game for game in kept.games() if game.number < schedule.games)
    return standings


def _start_workers(tournament: Tournament, make_workers: WorkerFactory) -> Workers:
    """Those who play, once everybody has been seen to start."""
    settings = tournament.game_settings()
    check_players(settings)
    return make_workers(settings)


class _Schedule:
    """The games of a tournament, and which of them are still to be played."""

    def __init__(self, tournament: Tournament, rules: TournamentFormat, rounds: int, standings: Standings) -> None:
        self._tournament = tournament
        self._rounds = rounds
        self._standings = standings
        self._format = rules
        self._done: dict[int, PlayedGame] = {}
        self._games_a_round = 2 * len(self._format.pairs(Standings(standings.names), 0))
        self._starts = tournament.starts(self.games // 2)

    @property
    def games(self) -> int:
        """How many there will be."""
        return self._rounds * self._games_a_round

    def add(self, played: PlayedGame) -> None:
        """This one is done; only its result is remembered."""
        self._done[played.number] = replace(played, moves=(), thoughts=(), warnings=())
        self._standings.add(played)

    def batches(self) -> Iterator[list[Pairing]]:
        """What is to be played: all at once or, where rounds depend on results, round by round."""
        rounds = map(self._round, range(self._rounds))
        for batch in rounds if self._format.waits else [list(chain.from_iterable(rounds))]:
            yield [pairing for pairing in batch if pairing.number not in self._done]

    def _round(self, number: int) -> list[Pairing]:
        """The games of a round, planned from the results of the rounds before and no others."""
        begin = number * self._games_a_round
        before = self._standings
        if self._format.waits:
            before = Standings(self._standings.names, extra=self._standings.extra.copy())
            for game in range(begin):
                before.add(self._done[game])
        pairs = self._format.pairs(before, number)
        if self._format.rest:
            resting = set(range(len(self._tournament.players))) - {player for pair in pairs for player in pair}
            self._standings.extra.update(dict.fromkeys(resting, self._format.rest))
        games: list[Pairing] = []
        for first, second in pairs:
            for white, black in ((first, second), (second, first)):
                game = begin + len(games)
                games.append(Pairing(game, white, black, self._start(game)))
        return games

    def _start(self, game: int) -> str:
        return self._starts[game // 2 % len(self._starts)].fen(shredder=self._tournament.chess960)


def names_of(players: Sequence[str]) -> list[str]:
    """What to call the players: as short as can be, and never the same.

    >>> names_of(["uci:/usr/games/stockfish", "material", "alphabeta:material"])
    ['stockfish', 'material (1)', 'material (2)']
    """
    short = [short_name(player) for player in players]
    seen: Counter[str] = Counter()
    names = []
    for name in short:
        seen[name] += 1
        names.append(name if short.count(name) == 1 else f"{name} ({seen[name]})")
    return names


# --- Formats --------------------------------------------------------------------------------------------------------


def round_robin(standings: Standings, number: int) -> list[Pair]:
    """Everybody against everybody, by the circle method: whoever played last waits a little.

    >>> round_robin(Standings(["A", "B", "C", "D"]), 0)
    [(0, 3), (1, 2), (0, 2), (3, 1), (0, 1), (2, 3)]
    """
    circle: list[int | None] = [*range(len(standings.names))]
    if len(circle) % 2:
        circle.append(None)
    half, pairs = len(circle) // 2, []
    for _ in range(len(circle) - 1):
        for left, right in zip(circle[:half], reversed(circle[half:]), strict=True):
            if left is not None and right is not None:
                pairs.append((left, right))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return pairs


def gauntlet(standings: Standings, number: int) -> list[Pair]:
    """The first against each of the others."""
    return [(0, opponent) for opponent in range(1, len(standings.names))]


def swiss(standings: Standings, number: int) -> list[Pair]:
    """Equal against equal: from the top down, each meets the next one that it has not met (Monrad).

    Of an odd number, the last one who has not rested yet rests. When everybody has met, they meet again.
    """
    players = range(len(standings.names))
    order = sorted(players, key=lambda player: (-standings.points(player), player))
    if len(order) % 2:
        order.remove(min(reversed(order), key=lambda player: standings.extra[player]))
    most = max(standings.head_to_head(a, b).games for a in players for b in players)
    for often in range(most):
        pairs = _matched(order, partial(_has_met, standings, often), iter(range(TRIES)))
        if pairs is not None:
            return pairs
    return list(zip(order[::2], order[1::2], strict=True))


def _has_met(standings: Standings, often: int, player: int, opponent: int) -> bool:
    return standings.head_to_head(player, opponent).games > often


def _matched(order: list[int], barred: Callable[[int, int], bool], tries: Iterator[int]) -> list[Pair] | None:
    """The first way, from the top down, in which everybody finds an opponent; nothing, when the tries are used up."""
    if not order:
        return []
    first, *rest = order
    for opponent in rest:
        if not barred(first, opponent) and next(tries, None) is not None:
            others = _matched([player for player in rest if player != opponent], barred, tries)
            if others is not None:
                return [(first, opponent), *others]
    return None


FORMATS: Final = {
    "round-robin": TournamentFormat(round_robin),
    "gauntlet": TournamentFormat(gauntlet),
    "swiss": TournamentFormat(swiss, waits=True, rest=2),
}

BY_POINTS: Final = {"round-robin", "swiss"}
"""Where points decide: everybody has as many games."""


# --- Matchups with a store each ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Matchup:
    """Two players, by name, and how many games they play."""

    first: str
    second: str
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchupSettings(MatchSettings):
    """Those who meet, and under which conditions."""

    players: Mapping[str, str]
    """Specifications by name."""

    def match(self, meeting: Matchup) -> Match:
        """A meeting as a match. Each has openings of its own, whoever else plays: so all together see many."""
        same = {field.name: getattr(self, field.name) for field in fields(MatchSettings)}
        names = f"{meeting.first} {meeting.second}"
        return Match(
            **{**same, "seed": self.seed + zlib.crc32(names.encode())},
            first=self.players[meeting.first],
            second=self.players[meeting.second],
        )

    def game_settings(self) -> GameSettings:
        """The same for those who play whatever comes."""
        return self._game_settings(tuple(self.players.values()))


def all_matchups(names: Sequence[str], games: Callable[[str, str], int]) -> list[Matchup]:
    """Everybody meets everybody, for as many games as `games` says; nobody who would play none.

    >>> all_matchups(["a", "b", "c"], lambda first, second: 0 if second == "c" else 4)
    [Matchup(first='a', second='b', games=4)]
    """
    met = [
        Matchup(first, second, games(first, second))
        for place, first in enumerate(names)
        for second in names[place + 1 :]
    ]
    return [meeting for meeting in met if meeting.games > 0]


def play_matchups(
    company: MatchupSettings,
    meetings: Sequence[Matchup],
    folder: Path,
    *,
    anchors: Mapping[str, float] | None = None,
    excused: Sequence[str] = (),
    make_workers: WorkerFactory | None = None,
    on_begin: Callable[[Standings, Path, int], object] | None = None,
    on_game: Callable[[Standings, PlayedGame], object] | None = None,
) -> Standings:
    """Play the games of the matchups that are missing, and return the standings.

    A matchup's games are stored in `folder` under a hash of everything that decides how they go. They are used again
    as long as nothing of that changes. Games that a player in `excused` lost by a fault do not count. `make_workers`
    gives the workers that play; the default is local_workers. `on_begin` gets the standings so far, the folder and the
    number of games, `on_game` each new game.
    """
    standings = Standings(list(company.players), anchors or {}, by_rating=True)
    spared = {standings.names.index(name) for name in excused}
    with ExitStack() as stack:
        desks: list[_MatchupRun] = []
        games = 0
        for meeting in meetings:
            desks.append(stack.enter_context(closing(_MatchupRun(company, meeting, folder, games))))
            games += meeting.games + meeting.games % 2  # both games of a pair have numbers that belong together
            for played in desks[-1].kept:
                if played.culprit not in spared:
                    standings.add(played)
        if on_begin is not None:
            on_begin(standings, folder, sum(meeting.games for meeting in meetings))
        for played in _play([desk for desk in desks if desk.missing], company, make_workers or local_workers):
            if played.culprit not in spared:
                standings.add(played)
            if on_game is not None:
                on_game(standings, played)
    return standings


def _play(
    desks: Sequence["_MatchupRun"], company: MatchupSettings, make_workers: WorkerFactory
) -> Iterator[PlayedGame]:
    """What is missing: first, meeting by meeting, what the core can play by itself; then the rest together."""
    inside = [desk for desk in desks if can_play_in_process(desk.match.game_settings())]
    for desk in inside:
        with closing(make_workers(desk.match.game_settings())) as workers:
            for played in play_all(desk.missing, workers):
                yield desk.keep(played)
    others = {
        desk.place(pairing).number: (desk, pairing) for desk in desks if desk not in inside for pairing in desk.missing
    }
    if not others:
        return
    settings = company.game_settings()
    check_players(settings)
    with closing(make_workers(settings)) as workers:
        for played in play_all((desk.place(pairing) for desk, pairing in others.values()), workers):
            desk, pairing = others[played.number]
            yield desk.keep(replace(played, pairing=pairing))


class _MatchupRun:
    """One meeting: its store, what is in it, and what is missing."""

    def __init__(self, company: MatchupSettings, meeting: Matchup, folder: Path, begin: int) -> None:
        """`begin` is the number of its first game among those of all meetings."""
        self.match = company.match(meeting)
        names = list(company.players)
        self._places = names.index(meeting.first), names.index(meeting.second)
        self._begin = begin
        description = self.match.describe()
        self._store = MatchStore(folder / f"{digest(description)}.sqlite", description)
        kept = [played for played in self._store.games() if played.number < meeting.games]
        self.kept = [replace(played, pairing=self.place(played.pairing)) for played in kept]
        done = {played.number for played in kept}
        starts = self.match.starts((meeting.games + 1) // 2)
        planned = pairings(starts, meeting.games, company.chess960)
        self.missing = [pairing for pairing in planned if pairing.number not in done]

    def place(self, pairing: Pairing) -> Pairing:
        """A game of this meeting, as it is known among those of all."""
        white, black = self._places[pairing.white], self._places[pairing.black]
        return Pairing(self._begin + pairing.number, white, black, pairing.fen)

    def keep(self, played: PlayedGame) -> PlayedGame:
        """Write a game down; the same, as it is known among those of all."""
        self._store.add(played)
        return replace(played, pairing=self.place(played.pairing))

    def close(self) -> None:
        """Let others have the store."""
        self._store.close()
