"""Several players, everybody or some of them against each other: round robin, gauntlet, Swiss."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from okapi.arena.chronicle import Teller, chronicle, of_tournament
from okapi.arena.conditions import Conditions
from okapi.arena.match import Hire, check_players, hire_here, short_name
from okapi.arena.played import Pairing, Played
from okapi.arena.scoresheet import Scoresheets
from okapi.arena.standings import Standings
from okapi.arena.store import open_store
from okapi.arena.worker import Orders
from okapi.arena.workers import Workers, play_all
from okapi.errors import UsageError

__all__ = ["FORMATS", "Format", "Tournament", "names_of", "play_tournament"]

Pair = tuple[int, int]
"""Two players who meet, by their places in the list; they play two games, with colours changed."""

TRIES: Final = 10_000
"""A Swiss pairing without rematches is looked for so long; in late rounds there may be none."""


@dataclass(frozen=True, slots=True)
class Format:
    """Who meets whom, round by round."""

    pairs: Callable[[Standings, int], list[Pair]]
    """The pairs of one round, given how things stand and the round's number; always equally many."""
    waits: bool = False
    """Does a round depend on the results of those before?"""
    rest: int = 0
    """The points of a round for somebody who found no opponent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament(Conditions):
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

    def orders(self) -> Orders:
        """The same for those who play."""
        return self._orders_to(self.players)

    def describe(self) -> dict[str, Any]:
        """What the games are stored under: settings, and the bytes that players and openings are made of."""
        return self._described(self.players)


def play_tournament(
    tournament: Tournament,
    rounds: int,
    *,
    rules: Format | None = None,
    names: Sequence[str] | None = None,
    anchors: Mapping[str, float] | None = None,
    store: Path | None = None,
    fresh: bool = False,
    pgn: Path | None = None,
    hire: Hire | None = None,
    on_game: Callable[[Standings, Played], object] | None = None,
    on_begin: Callable[[Standings, Path, int], object] | None = None,
) -> Standings:
    """Play so many rounds. Games that the store has are not played again.

    `rules` say who meets whom, if the tournament's format is none of FORMATS. `hire` says who plays; if not given,
    whoever does it best here. `on_begin` is told what was there before and how many games there will be, `on_game` of
    each new game.
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
            sheets = Scoresheets(pgn, standings.names, f"okapi {tournament.kind}", tournament.control)
            sheets.write(game for game in kept.games() if game.number < schedule.games)
        if on_begin is not None:
            on_begin(standings, kept.path, schedule.games)
        workers: Workers | None = None
        for batch in filter(None, schedule.batches()):
            if workers is None:
                settings = {**tournament.settings(standings.names), "format": tournament.format}
                run = stack.enter_context(chronicle(kept.path, tournament.kind, schedule.games, settings))
                teller = Teller(run, lambda: of_tournament(standings))
                workers = stack.enter_context(closing(_hired(tournament, hire or hire_here)))
            for played in play_all(batch, workers):
                kept.add(played)
                schedule.add(played)
                teller.tell(standings.games)
                if pgn is not None:
                    sheets.add(played)
                if on_game is not None:
                    on_game(standings, played)
        if workers is not None:
            teller.tell(standings.games, last=True)
        if pgn is not None:
            sheets.write(game for game in kept.games() if game.number < schedule.games)
    return standings


def _hired(tournament: Tournament, hire: Hire) -> Workers:
    """Those who play, once everybody has been seen to start."""
    orders = tournament.orders()
    check_players(orders)
    return hire(orders)


class _Schedule:
    """The games of a tournament, and which of them are still to be played."""

    def __init__(self, tournament: Tournament, rules: Format, rounds: int, standings: Standings) -> None:
        self._tournament = tournament
        self._rounds = rounds
        self._standings = standings
        self._format = rules
        self._done: dict[int, Played] = {}
        self._games_a_round = 2 * len(self._format.pairs(Standings(standings.names), 0))
        self._starts = tournament.starts(self.games // 2)

    @property
    def games(self) -> int:
        """How many there will be."""
        return self._rounds * self._games_a_round

    def add(self, played: Played) -> None:
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
    most = max(standings.met(a, b).games for a in players for b in players)
    for often in range(most):
        pairs = _matched(order, partial(_has_met, standings, often), iter(range(TRIES)))
        if pairs is not None:
            return pairs
    return list(zip(order[::2], order[1::2], strict=True))


def _has_met(standings: Standings, often: int, player: int, opponent: int) -> bool:
    return standings.met(player, opponent).games > often


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
    "round-robin": Format(round_robin),
    "gauntlet": Format(gauntlet),
    "swiss": Format(swiss, waits=True, rest=2),
}

BY_POINTS: Final = {"round-robin", "swiss"}
"""Where points decide: everybody has as many games."""
