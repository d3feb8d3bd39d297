"""What is wrong with the games of a store: one small function for each thing that can be."""

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from okapi.core._core import surname
from okapi.core.keys import position_keys
from okapi.core.traits import Trait, traits
from okapi.data.doctor.findings import Finding, Severity
from okapi.data.store import Store

__all__ = ["UNCHANGED", "Checkup", "check"]

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]

ELOS = (100, 4000)
FIRST_YEAR = 1400
SHORT, LONG = 10, 600
"""Plies."""

IN_COMMON = 0.8
"""Of the shorter game: two games of the same players on the same day that share so much are one game."""

NEIGHBOURS = 3
"""Of games of the same players on the same day, each is compared with so many that follow."""

AT_A_TIME = 1 << 16

UNCHANGED: Final = -2
"""In place of a result: leave it as it is."""


@dataclass
class Checkup:
    """A store, what several checks need of it, and what they would change."""

    store: Store
    bare: dict[int, set[str]] = field(default_factory=dict)
    """Tags to take away, by game."""

    def __post_init__(self) -> None:
        self.columns = self.store.columns()
        self.plies = self.columns.plies.astype(np.int64)
        self.white, self.black = self._players("White"), self._players("Black")
        self.drop: Flags = np.zeros(len(self.store), np.bool_)
        """Games to leave out."""
        self.results = np.full(len(self.store), UNCHANGED, np.int8)
        """Results to put right."""

    def _players(self, tag: str) -> Numbers:
        """A number for each player's surname, the same for the same one; -1 for nobody."""
        texts = self.store.texts(tag)
        names = [surname(value) for value in texts.values]
        numbers = {name: number for number, name in enumerate(sorted({*names} - {""}))}
        of_values = np.array([*(numbers.get(name, -1) for name in names), -1], np.int64)
        return of_values[texts.index]  # an index of -1 finds the last


def check(checkup: Checkup) -> list[Finding]:
    """Everything about the games."""
    return [finding for check in CHECKS for finding in check(checkup)]


def _games(count: int) -> str:
    """A count of games in words.

    >>> _games(1), _games(2000)
    ('1 game', '2,000 games')
    """
    return f"{count:,} game{'s' * (count != 1)}"


# --- The same game twice --------------------------------------------------------------------------------------------


def _duplicates(checkup: Checkup) -> Iterator[Finding]:
    played = checkup.plies > 0
    same_moves = _later(played, checkup.columns.hash)
    twice = _later(played, checkup.columns.hash, checkup.white, checkup.black)
    checkup.drop |= twice
    count = int(twice.sum())
    if count:
        text = f"{_games(count)} stand here a second time: the same start and moves, and the same two surnames."
        yield Finding("duplicates", Severity.FAULT, text, count, "keeps the first of each")
    else:
        yield Finding("duplicates", Severity.OK, "No game stands here twice.")
    count = int((same_moves & ~twice).sum())
    if count:
        text = f"{_games(count)} have the moves of another game, but other players: short draws, mostly."
        yield Finding("same-moves", Severity.NOTE, text, count)


def _later(among: Flags, *keys: NDArray[np.generic]) -> Flags:
    """Which games are like an earlier one in all of these columns."""
    games = np.flatnonzero(among)
    order = games[np.lexsort([games, *(key[games] for key in keys)])]
    same = np.ones(max(0, len(order) - 1), np.bool_)
    for key in keys:
        same &= key[order][1:] == key[order][:-1]
    later = np.zeros(len(among), np.bool_)
    later[order[1:][same]] = True
    return later


def _near_duplicates(checkup: Checkup) -> Iterator[Finding]:
    """The same players, the same day, and the same position when the shorter game is nearly over."""
    date, plies = checkup.columns.date.astype(np.int64), checkup.plies
    known = (date % 100 > 0) & (checkup.white >= 0) & (checkup.black >= 0) & (plies >= 2 * SHORT) & ~checkup.drop
    games = np.flatnonzero(known)
    order = games[np.lexsort([-games, plies[games], date[games], checkup.black[games], checkup.white[games]])]
    shorter: list[Numbers] = []
    for distance in range(1, NEIGHBOURS + 1):
        one, other = order[:-distance], order[distance:]
        same = date[one] == date[other]
        for players in (checkup.white, checkup.black):
            same &= players[one] == players[other]
        one, other = one[same], other[same]
        near_the_end = (IN_COMMON * plies[one]).astype(np.int64)  # one is the shorter, or else the later
        keys = [position_keys(checkup.store.positions(side, near_the_end)) for side in (one, other)]
        shorter.append(one[keys[0] == keys[1]])
    found = np.unique(np.concatenate(shorter))
    checkup.drop[found] = True
    if len(found):
        text = (
            f"{_games(len(found))} are nearly another game: the same surnames and date, and the same position after "
            "four fifths of the moves."
        )
        yield Finding("near-duplicates", Severity.WARNING, text, len(found), "keeps the longer one")


# --- Results --------------------------------------------------------------------------------------------------------


def _contradictions(checkup: Checkup) -> Iterator[Finding]:
    """The final position knows better than a result tag."""
    results = checkup.columns.result
    for start in range(0, len(results), AT_A_TIME):
        games = np.arange(start, min(start + AT_A_TIME, len(results)))
        final = checkup.store.positions(games, checkup.plies[games])
        found = traits(final)
        mated = (found & Trait.CHECKMATE) != 0
        drawn = (found & (Trait.STALEMATE | Trait.INSUFFICIENT)) != 0
        right = np.where(mated, 2 * final["turn"].astype(np.int8), np.where(drawn, 1, UNCHANGED)).astype(np.int8)
        wrong = (right != UNCHANGED) & (right != results[games])
        checkup.results[games[wrong]] = right[wrong]
    wrong = checkup.results != UNCHANGED
    told = int((wrong & (results >= 0)).sum())
    if told:
        text = f"{_games(told)} have a result that the board contradicts: checkmate, stalemate, or bare kings."
        yield Finding("contradicted-results", Severity.FAULT, text, told, "believes the board")
    else:
        yield Finding("contradicted-results", Severity.OK, "No result contradicts the final position.")
    silent = int((wrong & (results < 0)).sum())
    if silent:
        text = f"{_games(silent)} have no result although the final position decides it."
        yield Finding("decided-without-result", Severity.NOTE, text, silent, "believes the board")
    missing = int((results < 0).sum()) - silent
    if missing:
        yield Finding("without-result", Severity.NOTE, f"{_games(missing)} have no result.", missing)


# --- Tags and lengths -----------------------------------------------------------------------------------------------


def _elos(checkup: Checkup) -> Iterator[Finding]:
    count = 0
    for tag, elos in (("WhiteElo", checkup.columns.white_elo), ("BlackElo", checkup.columns.black_elo)):
        wrong = np.flatnonzero((elos > 0) & ((elos < ELOS[0]) | (elos > ELOS[1])))
        count += len(wrong)
        for game in wrong.tolist():
            checkup.bare.setdefault(game, set()).add(tag)
    if count:
        text = f"{count:,} ratings are outside {ELOS[0]} to {ELOS[1]:,}."
        yield Finding("impossible-elo", Severity.WARNING, text, count, "takes these tags away")


def _dates(checkup: Checkup) -> Iterator[Finding]:
    dates, texts = checkup.columns.date, checkup.store.texts("Date")
    wrong = [date for date in np.unique(dates[dates > 0]).tolist() if not _is_date(date)]
    says_something = np.array([*("?" not in text and text.strip(" .-") != "" for text in texts.values), False])
    unreadable = (dates < 0) & says_something[texts.index]  # an index of -1 finds the last
    games = np.flatnonzero(np.isin(dates, wrong) | unreadable).tolist()
    for game in games:
        checkup.bare.setdefault(game, set()).add("Date")
    if games:
        text = f"{_games(len(games))} have a date that no calendar has, or that is still to come."
        yield Finding("impossible-date", Severity.WARNING, text, len(games), "takes these tags away")


def _is_date(number: int) -> bool:
    """Can year * 10000 + month * 100 + day be one? 0 stands for what is not known.

    >>> _is_date(19990231), _is_date(19990000), _is_date(19990228)
    (False, True, True)
    """
    year, month, day = number // 10000, number // 100 % 100, number % 100
    try:
        date = datetime.date(year, month or 1, day or 1)
    except ValueError:
        return year == 0
    return date.year >= FIRST_YEAR and date <= datetime.date.today() + datetime.timedelta(days=1)


def _lengths(checkup: Checkup) -> Iterator[Finding]:
    for name, wrong, text in (
        ("too-short", checkup.plies < SHORT, f"shorter than {SHORT} plies"),
        ("too-long", checkup.plies > LONG, f"longer than {LONG} plies"),
    ):
        count = int(wrong.sum())
        if count:
            yield Finding(name, Severity.NOTE, f"{_games(count)} are {text}.", count)


def _players(checkup: Checkup) -> Iterator[Finding]:
    nameless = int(((checkup.white < 0) | (checkup.black < 0)).sum())
    if nameless:
        yield Finding("without-names", Severity.NOTE, f"{_games(nameless)} do not say who played.", nameless)


CHECKS: Final[tuple[Callable[[Checkup], Iterator[Finding]], ...]] = (
    _duplicates,
    _near_duplicates,
    _contradictions,
    _elos,
    _dates,
    _lengths,
    _players,
)
