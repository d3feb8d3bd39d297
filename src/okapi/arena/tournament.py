"""Several players: round robin, gauntlet, Swiss; and matchups of two with a store each."""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import chain, count, permutations
from pathlib import Path
from typing import Final, Unpack

from okapi.arena.games import Pairing, PlayedGame, open_store
from okapi.arena.in_process import can_play_in_process
from okapi.arena.match import Keeping, Match, WorkerFactory, check_players, local_workers, pairings, play_stored
from okapi.arena.settings import MatchSettings, player_names
from okapi.arena.standings import Standings
from okapi.arena.workers import play_all
from okapi.errors import UsageError
from okapi.files import digest

Pair = tuple[int, int]
"""Two players by index; they play two games, with colours reversed."""

TRIES: Final = 10_000
"""Most pairs tried for a Swiss round without rematches; in late rounds there may be none."""


@dataclass(frozen=True, slots=True)
class TournamentFormat:
    pairs: Callable[[Standings, int], list[Pair]]
    """The pairs of a round, from the standings and the round's number; the number of pairs is constant."""
    by_round: bool = False
    """Does a round depend on the results of earlier rounds?"""
    bye: int = 0
    by_points: bool = False
    """Rank by points? Then all players have the same number of games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament(MatchSettings):
    """Everything that decides how the games of a tournament go, except the number of rounds."""

    players: tuple[str, ...]
    format: str = "round-robin"
    """One of FORMATS, or the name of a format given as `rules`."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise UsageError("a tournament needs at least two players", hint="okapi tournament material vazquez-five …")

    @property
    def kind(self) -> str:
        """`tournament`, or the name of its own format."""
        return "tournament" if self.format in FORMATS else self.format

    @property
    def specs(self) -> tuple[str, ...]:
        return self.players

    def summary(self, names: Sequence[str]) -> dict[str, str]:
        return {**MatchSettings.summary(self, names), "format": self.format}


def play_tournament(
    tournament: Tournament,
    rounds: int,
    *,
    rules: TournamentFormat | None = None,
    names: Sequence[str] | None = None,
    anchors: Mapping[str, float] | None = None,
    on_begin: Callable[[Standings, Path, int], object] = lambda standings, store, games: None,
    on_game: Callable[[Standings, PlayedGame], object] = lambda standings, played: None,
    **keeping: Unpack[Keeping],
) -> Standings:
    """Play `rounds` rounds. Games in the store are not played again.

    `rules` are those of a format that FORMATS does not have. `on_begin` gets the standings, the store and the games.
    """
    names = list(names or player_names(tournament.players))
    rules = rules or FORMATS[tournament.format]
    standings = Standings(names, anchors or {}, by_rating=not rules.by_points)
    schedule = _Schedule(tournament, rules, rounds, standings)
    return play_stored(
        tournament,
        standings,
        schedule.games,
        schedule.batches(),
        on_begin=lambda store: on_begin(standings, store.path, schedule.games),
        on_game=on_game,
        **keeping,
    )


class _Schedule:
    def __init__(self, tournament: Tournament, rules: TournamentFormat, rounds: int, standings: Standings) -> None:
        self._tournament, self._rules, self._rounds, self._standings = tournament, rules, rounds, standings
        self._games_a_round = 2 * len(rules.pairs(Standings(standings.names), 0))
        self.games = rounds * self._games_a_round
        self._starts = tournament.starts(self.games // 2)

    def batches(self) -> Iterator[list[Pairing]]:
        """The games: all at once or, where rounds depend on results, round by round."""
        rounds = map(self._round, range(self._rounds))
        yield from rounds if self._rules.by_round else [list(chain.from_iterable(rounds))]

    def _round(self, number: int) -> list[Pairing]:
        """The games of a round, which depend on the results of earlier rounds alone."""
        begin, before = number * self._games_a_round, self._standings
        if self._rules.by_round:
            before = Standings(before.names, byes=before.byes.copy())
            for game in range(begin):
                before.add(self._standings.played[game])
        pairs = self._rules.pairs(before, number)
        if self._rules.bye:
            with_bye = set(range(len(self._tournament.players))) - {player for pair in pairs for player in pair}
            self._standings.byes.update(dict.fromkeys(with_bye, self._rules.bye))
        sides = chain.from_iterable(((first, second), (second, first)) for first, second in pairs)
        starts, chess960 = self._starts, self._tournament.chess960
        fens = (starts[game // 2 % len(starts)].fen(shredder=chess960) for game in count(begin))
        return [Pairing(game, *players, next(fens)) for game, players in enumerate(sides, start=begin)]


def round_robin(standings: Standings, number: int) -> list[Pair]:
    """All against all, by the circle method."""
    circle: list[int | None] = [*range(len(standings.names))]
    if len(circle) % 2:
        circle.append(None)
    half, pairs = len(circle) // 2, []
    for _ in range(len(circle) - 1):
        facing = zip(circle[:half], reversed(circle[half:]), strict=True)
        pairs += [(left, right) for left, right in facing if left is not None and right is not None]
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return pairs


def gauntlet(standings: Standings, number: int) -> list[Pair]:
    return [(0, opponent) for opponent in range(1, len(standings.names))]


def swiss(standings: Standings, number: int) -> list[Pair]:
    """Players of equal points: from the top down, each plays the next one that it has not played (Monrad).

    With an odd number of players, the lowest one without a bye has a bye. When all have played all, rematches follow.
    """
    players = range(len(standings.names))
    order = sorted(players, key=lambda player: (-standings.points(player), player))
    if len(order) % 2:
        order.remove(min(reversed(order), key=lambda player: standings.byes[player]))
    most = max(standings.head_to_head(a, b).games for a in players for b in players)
    for often in range(most):
        met = {pair for pair in permutations(players, 2) if standings.head_to_head(*pair).games > often}
        pairs = _matched(order, met, iter(range(TRIES)))
        if pairs is not None:
            return pairs
    return list(zip(order[::2], order[1::2], strict=True))


def _matched(order: list[int], barred: Set[Pair], tries: Iterator[int]) -> list[Pair] | None:
    """The first complete pairing, from the top down; None when the tries are used up."""
    if not order:
        return []
    first, *rest = order
    for opponent in rest:
        if (first, opponent) not in barred and next(tries, None) is not None:
            others = _matched([player for player in rest if player != opponent], barred, tries)
            if others is not None:
                return [(first, opponent), *others]
    return None


FORMATS: Final = {
    "round-robin": TournamentFormat(round_robin, by_points=True),
    "gauntlet": TournamentFormat(gauntlet),
    "swiss": TournamentFormat(swiss, by_round=True, bye=2, by_points=True),
}


@dataclass(frozen=True, slots=True)
class Matchup:
    first: str
    second: str
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchupSettings(MatchSettings):
    players: Mapping[str, str]

    def match(self, matchup: Matchup) -> Match:
        """A matchup as a match. Each has its own openings, so that all together see many."""
        seed = self.seed + zlib.crc32(f"{matchup.first} {matchup.second}".encode())
        return Match.between(self.players[matchup.first], self.players[matchup.second], self, seed=seed)

    @property
    def specs(self) -> tuple[str, ...]:
        return tuple(self.players.values())


def play_matchups(
    settings: MatchupSettings,
    matchups: Sequence[Matchup],
    folder: Path,
    *,
    make_workers: WorkerFactory | None = None,
    together: bool = False,
    on_game: Callable[[int, int], object] = lambda played, missing: None,
) -> Standings:
    """Play the games of the matchups that are missing, each stored in `folder`, and return the standings.

    `together` leaves all games to one set of workers, which on a cluster take long to start. After each game, `on_game`
    gets the number of those that were played, and of those that were missing.
    """
    standings = Standings(list(settings.players), by_rating=True)
    with ExitStack() as stack:
        runs: list[_MatchupRun] = []
        games = 0
        for matchup in matchups:
            runs.append(stack.enter_context(closing(_MatchupRun(settings, matchup, folder, games))))
            games += matchup.games + matchup.games % 2  # the two games of a pair have numbers 2n and 2n + 1
            for played in runs[-1].kept:
                standings.add(played)
        left = [run for run in runs if run.missing]
        missing = sum(len(run.missing) for run in left)
        for number, played in enumerate(_play(left, settings, make_workers or local_workers, together=together), 1):
            standings.add(played)
            on_game(number, missing)
    return standings


def _play(
    runs: Sequence["_MatchupRun"], settings: MatchupSettings, make_workers: WorkerFactory, *, together: bool
) -> Iterator[PlayedGame]:
    """Play the missing games: first, by matchup, those that the core can play in process; then the rest together."""
    inside = [run for run in runs if not together and can_play_in_process(run.match.game_settings())]
    for run in inside:
        with closing(make_workers(run.match.game_settings())) as workers:
            for played in play_all(run.missing, workers):
                yield run.keep(played)
    others = {run.place(pairing).number: (run, pairing) for run in runs if run not in inside for pairing in run.missing}
    if others:
        check_players(settings.game_settings())
        with closing(make_workers(settings.game_settings())) as workers:
            for played in play_all((run.place(pairing) for run, pairing in others.values()), workers):
                run, pairing = others[played.number]
                yield run.keep(replace(played, pairing=pairing))


class _MatchupRun:
    def __init__(self, settings: MatchupSettings, matchup: Matchup, folder: Path, begin: int) -> None:
        """`begin` is the number of its first game among those of all matchups."""
        self.match, names = settings.match(matchup), list(settings.players)
        self._begin, self._places = begin, (names.index(matchup.first), names.index(matchup.second))
        about = self.match.describe()
        store = folder / f"{digest(about)}.sqlite"
        self._store = open_store(self.match.kind, about, (matchup.first, matchup.second), store)
        kept = list(self._store.games(matchup.games))
        self.kept = [replace(played, pairing=self.place(played.pairing)) for played in kept]
        done = {played.number for played in kept}
        planned = pairings(self.match.starts((matchup.games + 1) // 2), matchup.games, settings.chess960)
        self.missing = [pairing for pairing in planned if pairing.number not in done]

    def place(self, pairing: Pairing) -> Pairing:
        """A game of this matchup, numbered among those of all."""
        white, black = self._places[pairing.white], self._places[pairing.black]
        return Pairing(self._begin + pairing.number, white, black, pairing.fen)

    def keep(self, played: PlayedGame) -> PlayedGame:
        """Store a game; returns it numbered among those of all."""
        self._store.add(played)
        return replace(played, pairing=self.place(played.pairing))

    def close(self) -> None:
        self._store.close()
