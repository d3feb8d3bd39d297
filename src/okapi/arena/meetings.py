"""Many meetings of two, each with a store of its own: whoever changes plays again, and nobody else does."""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, fields, replace
from pathlib import Path

from okapi.arena.conditions import Conditions
from okapi.arena.fingerprint import digest
from okapi.arena.inside import can_play_inside
from okapi.arena.match import Hire, Match, check_players, hire_here, pairings
from okapi.arena.played import Pairing, Played
from okapi.arena.standings import Standings
from okapi.arena.store import Store
from okapi.arena.worker import Orders
from okapi.arena.workers import play_all

__all__ = ["Company", "Meeting", "everybody", "play_meetings"]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two players, by name, and how many games they play."""

    first: str
    second: str
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Company(Conditions):
    """Those who meet, and under which conditions."""

    players: Mapping[str, str]
    """Specifications by name."""

    def match(self, meeting: Meeting) -> Match:
        """A meeting as a match. Each has openings of its own, whoever else plays: so all together see many."""
        same = {field.name: getattr(self, field.name) for field in fields(Conditions)}
        names = f"{meeting.first} {meeting.second}"
        return Match(
            **{**same, "seed": self.seed + zlib.crc32(names.encode())},
            first=self.players[meeting.first],
            second=self.players[meeting.second],
        )

    def orders(self) -> Orders:
        """The same for those who play whatever comes."""
        return self._orders_to(tuple(self.players.values()))


def everybody(names: Sequence[str], games: Callable[[str, str], int]) -> list[Meeting]:
    """Everybody meets everybody, for as many games as `games` says; nobody who would play none.

    >>> everybody(["a", "b", "c"], lambda first, second: 0 if second == "c" else 4)
    [Meeting(first='a', second='b', games=4)]
    """
    met = [
        Meeting(first, second, games(first, second))
        for place, first in enumerate(names)
        for second in names[place + 1 :]
    ]
    return [meeting for meeting in met if meeting.games > 0]


def play_meetings(
    company: Company,
    meetings: Sequence[Meeting],
    folder: Path,
    *,
    anchors: Mapping[str, float] | None = None,
    excused: Sequence[str] = (),
    hire: Hire | None = None,
    on_begin: Callable[[Standings, Path, int], object] | None = None,
    on_game: Callable[[Standings, Played], object] | None = None,
) -> Standings:
    """Play what is missing of the meetings, and say how everybody stands.

    A meeting's games are kept in `folder` under all that decides how they go, so that they are found again as long as
    nothing of that changes. Games that somebody `excused` lost by a fault do not count: nobody beat it. `hire` says who
    plays; if not given, whoever does it best here. `on_begin` is told what was there before and how many games there
    will be, `on_game` of each new game.
    """
    standings = Standings(list(company.players), anchors or {}, by_rating=True)
    spared = {standings.names.index(name) for name in excused}
    with ExitStack() as stack:
        desks: list[_Desk] = []
        games = 0
        for meeting in meetings:
            desks.append(stack.enter_context(closing(_Desk(company, meeting, folder, games))))
            games += meeting.games + meeting.games % 2  # both games of a pair have numbers that belong together
            for played in desks[-1].kept:
                if played.culprit not in spared:
                    standings.add(played)
        if on_begin is not None:
            on_begin(standings, folder, sum(meeting.games for meeting in meetings))
        for played in _play([desk for desk in desks if desk.missing], company, hire or hire_here):
            if played.culprit not in spared:
                standings.add(played)
            if on_game is not None:
                on_game(standings, played)
    return standings


def _play(desks: Sequence["_Desk"], company: Company, hire: Hire) -> Iterator[Played]:
    """What is missing: first, meeting by meeting, what the core can play by itself; then the rest together."""
    inside = [desk for desk in desks if can_play_inside(desk.match.orders())]
    for desk in inside:
        with closing(hire(desk.match.orders())) as workers:
            for played in play_all(desk.missing, workers):
                yield desk.keep(played)
    others = {
        desk.place(pairing).number: (desk, pairing) for desk in desks if desk not in inside for pairing in desk.missing
    }
    if not others:
        return
    orders = company.orders()
    check_players(orders)
    with closing(hire(orders)) as workers:
        for played in play_all((desk.place(pairing) for desk, pairing in others.values()), workers):
            desk, pairing = others[played.number]
            yield desk.keep(replace(played, pairing=pairing))


class _Desk:
    """One meeting: its store, what is in it, and what is missing."""

    def __init__(self, company: Company, meeting: Meeting, folder: Path, begin: int) -> None:
        """`begin` is the number of its first game among those of all meetings."""
        self.match = company.match(meeting)
        names = list(company.players)
        self._places = names.index(meeting.first), names.index(meeting.second)
        self._begin = begin
        description = self.match.describe()
        self._store = Store(folder / f"{digest(description)}.sqlite", description)
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

    def keep(self, played: Played) -> Played:
        """Write a game down; the same, as it is known among those of all."""
        self._store.add(played)
        return replace(played, pairing=self.place(played.pairing))

    def close(self) -> None:
        """Let others have the store."""
        self._store.close()
