"""Meetings: everybody plays everybody, and only what is missing or has changed is played again."""

from itertools import combinations
from pathlib import Path

import pytest

from okapi.arena.games import Pairing
from okapi.arena.match import play_match
from okapi.arena.settings import GameSettings
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.arena.tournament import Matchup, MatchupSettings, play_matchups
from okapi.arena.workers import SerialWorkers, Workers
from okapi.brains import find

NAMES = ("pieces", "moves", "greedy")


def company(pieces: str = "material") -> MatchupSettings:
    players = {"pieces": f"alphabeta:{pieces}", "moves": "alphabeta:vazquez-five", "greedy": "greedy:material"}
    return MatchupSettings(players=players, control=TimeControl(nodes=100))


def meetings(games: int = 2) -> list[Matchup]:
    return [Matchup(first, second, games) for first, second in combinations(NAMES, 2)]


def nobody(settings: GameSettings) -> Workers:
    raise AssertionError(f"{settings.players} would play")


class Noting(SerialWorkers):
    """Notes the games that it plays."""

    played: list[Pairing]

    def start(self, pairing: Pairing) -> None:
        self.played.append(pairing)
        super().start(pairing)


@pytest.fixture(autouse=True)
def nothing_noted() -> None:
    Noting.played = []


def table(standings: Standings) -> object:
    return standings.as_json()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "games"


def test_everybody_plays_everybody_as_often_as_was_said(folder: Path) -> None:
    standings = play_matchups(company(), meetings(4), folder, make_workers=SerialWorkers)

    assert 12 == standings.games
    assert {4} == {
        standings.head_to_head(first, second).games for first in range(3) for second in range(3) if first != second
    }


def test_a_meeting_is_the_match_of_its_two(folder: Path) -> None:
    """The games are those that a match would have, wherever they are played: here in the core, there one by one."""
    planned = company()
    standings = play_matchups(planned, [Matchup("moves", "pieces", 6)], folder)
    match = planned.match(Matchup("moves", "pieces", 6))
    report = play_match(match, 6, store=folder / "again.sqlite", make_workers=SerialWorkers)
    met = standings.head_to_head(1, 0)

    assert (report.wins, report.draws, report.losses) == (met.wins, met.draws, met.losses)


def test_what_was_played_is_not_played_again(folder: Path) -> None:
    first = play_matchups(company(), meetings(), folder, make_workers=SerialWorkers)
    again = play_matchups(company(), meetings(), folder, make_workers=nobody)

    assert table(first) == table(again)


def test_more_games_are_added_to_those_that_are_there(folder: Path) -> None:
    play_matchups(company(), meetings(2), folder, make_workers=SerialWorkers)
    more = play_matchups(company(), meetings(4), folder, make_workers=Noting)

    assert (6, 12) == (len(Noting.played), more.games)


def test_only_a_changed_brain_plays_again(folder: Path, tmp_path: Path) -> None:
    brain = tmp_path / "mine.safetensors"
    brain.write_bytes(find("material").read_bytes())
    play_matchups(company(str(brain)), meetings(), folder, make_workers=SerialWorkers)
    brain.write_bytes(find("vazquez-five").read_bytes())
    play_matchups(company(str(brain)), meetings(), folder, make_workers=Noting)

    assert 4 == len(Noting.played)
    assert all(0 in (pairing.white, pairing.black) for pairing in Noting.played)


def test_interrupted_it_goes_on_and_ends_as_if_nothing_had_happened(folder: Path, tmp_path: Path) -> None:
    whole = play_matchups(company(), meetings(), tmp_path / "whole", make_workers=SerialWorkers)

    class Tired(SerialWorkers):
        played = 0

        def start(self, pairing: Pairing) -> None:
            Tired.played += 1
            if Tired.played == 4:
                raise KeyboardInterrupt
            super().start(pairing)

    with pytest.raises(KeyboardInterrupt):
        play_matchups(company(), meetings(), folder, make_workers=Tired)
    resumed = play_matchups(company(), meetings(), folder, make_workers=Noting)

    assert 3 == len(Noting.played)
    assert table(whole) == table(resumed)
