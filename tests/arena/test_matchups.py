"""Meetings: everybody plays everybody, and only what is missing or has changed is played again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from okapi.arena.games import Fault, Pairing, PlayedGame
from okapi.arena.match import play_match
from okapi.arena.settings import GameSettings
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.arena.tournament import Matchup, MatchupSettings, all_matchups, play_matchups
from okapi.arena.workers import LostGame, SerialWorkers, Workers
from okapi.brains import find

NAMES = ("pieces", "moves", "greedy")


def company(pieces: str = "material") -> MatchupSettings:
    players = {"pieces": f"alphabeta:{pieces}", "moves": "alphabeta:vazquez-five", "greedy": "greedy:material"}
    return MatchupSettings(players=players, control=TimeControl(nodes=100))


def meetings(games: int = 2) -> list[Matchup]:
    return all_matchups(NAMES, lambda first, second: games)


def nobody(settings: GameSettings) -> Workers:
    raise AssertionError(f"{settings.players} would play")


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
    played: list[PlayedGame] = []
    play_matchups(company(), meetings(2), folder, make_workers=SerialWorkers)
    more = play_matchups(
        company(), meetings(4), folder, make_workers=SerialWorkers, on_game=lambda _, game: played.append(game)
    )

    assert (6, 12) == (len(played), more.games)


def test_only_a_changed_brain_plays_again(folder: Path, tmp_path: Path) -> None:
    brain = tmp_path / "mine.safetensors"
    brain.write_bytes(find("material").read_bytes())
    play_matchups(company(str(brain)), meetings(), folder, make_workers=SerialWorkers)
    brain.write_bytes(find("vazquez-five").read_bytes())
    played: list[PlayedGame] = []
    play_matchups(
        company(str(brain)), meetings(), folder, make_workers=SerialWorkers, on_game=lambda _, game: played.append(game)
    )

    assert 4 == len(played)
    assert all(0 in (game.pairing.white, game.pairing.black) for game in played)


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
    kept: list[int] = []
    resumed = play_matchups(
        company(),
        meetings(),
        folder,
        make_workers=SerialWorkers,
        on_begin=lambda standings, _, __: kept.append(standings.games),
    )

    assert [3] == kept
    assert table(whole) == table(resumed)


def test_an_engine_that_failed_was_not_beaten(folder: Path) -> None:
    """Whoever is excused loses nothing by its own fault, and its opponent gains nothing."""
    failing = Failing()
    standings = play_matchups(company(), meetings(), folder, excused=["greedy"], make_workers=lambda settings: failing)
    again = play_matchups(company(), meetings(), folder, excused=["greedy"], make_workers=nobody)

    assert 2 == standings.games == again.games
    assert 0 == standings.head_to_head(0, 2).games


class Failing:
    """Workers in whose games Black always crashes, if it is greedy; else White wins."""

    def __init__(self) -> None:
        self._begun: list[Pairing] = []

    @property
    def free(self) -> int:
        return 1 - len(self._begun)

    def start(self, pairing: Pairing) -> None:
        self._begun.append(pairing)

    def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
        return list(self._ended())

    def close(self) -> None:
        self._begun.clear()

    def _ended(self) -> Iterator[PlayedGame]:
        while self._begun:
            pairing = self._begun.pop()
            greedy = 2 in (pairing.white, pairing.black)
            result = "0-1" if pairing.white == 2 else "1-0"
            yield PlayedGame(pairing, result, "", Fault.CRASH if greedy else None, (), ())
