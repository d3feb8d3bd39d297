"""Tournaments: who meets whom, how it stands, and going on where it was left."""

import json
import os
import signal
import sys
import threading
from collections import Counter
from pathlib import Path

import chess.pgn
import pytest

from okapi.arena.games import Fault, Pairing, PlayedGame, read_games
from okapi.arena.match import WorkerFactory
from okapi.arena.settings import GameSettings, player_names
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.arena.tournament import Tournament, gauntlet, play_tournament, round_robin, swiss
from okapi.arena.workers import SerialWorkers, Workers
from okapi.cli import main
from okapi.cli.console import Exit
from okapi.errors import UsageError

SMALL = "alphabeta:material,hash=1"
PLAYERS = (SMALL, "greedy:vazquez-five", "random", "greedy:material")


def here(settings: GameSettings) -> Workers:
    return SerialWorkers(settings)


def tournament(kind: str = "round-robin", players: tuple[str, ...] = PLAYERS) -> Tournament:
    return Tournament(players=players, format=kind, control=TimeControl(depth=1))


def stopping_after(games: int) -> WorkerFactory:
    """Workers that are interrupted after so many games."""

    class Tired(SerialWorkers):
        played = 0

        def start(self, pairing: Pairing) -> None:
            if Tired.played == games:
                raise KeyboardInterrupt
            Tired.played += 1
            super().start(pairing)

    return Tired


def result(number: int, white: int, black: int, result: str, fault: Fault | None = None) -> PlayedGame:
    return PlayedGame(Pairing(number, white, black, "…"), result, "", fault, (), ())


# --- Who meets whom -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 5, 8])
def test_in_a_round_robin_everybody_meets_everybody_once(players: int) -> None:
    pairs = round_robin(Standings([str(player) for player in range(players)]), 0)

    assert {frozenset(pair) for pair in pairs} == {frozenset((a, b)) for a in range(players) for b in range(a)}
    assert len(pairs) == players * (players - 1) // 2


def test_in_a_gauntlet_only_the_first_meets_everybody() -> None:
    assert [(0, 1), (0, 2), (0, 3)] == gauntlet(Standings(list("abcd")), 0)


@pytest.mark.parametrize("players", [4, 5, 8, 9])
def test_a_swiss_never_pairs_two_again_while_it_can_be_avoided(players: int) -> None:
    standings = Standings([str(player) for player in range(players)])
    number, met, rests = 0, Counter[frozenset[int]](), Counter[int]()
    for round_number in range(3 if players < 8 else 5):
        pairs = swiss(standings, round_number)
        met.update(frozenset(pair) for pair in pairs)
        resting = set(range(players)) - {player for pair in pairs for player in pair}
        rests.update(resting)
        standings.byes.update(dict.fromkeys(resting, 2))
        for white, black in pairs:  # the stronger, who has the smaller number, wins both
            standings.add(result(number, white, black, "1-0" if white < black else "0-1"))
            standings.add(result(number + 1, black, white, "0-1" if white < black else "1-0"))
            number += 2

    assert 1 == max(met.values())
    assert max(rests.values(), default=1) == 1
    assert 0 == max(range(players), key=standings.points)


def test_when_all_have_met_a_swiss_goes_on(tmp_path: Path) -> None:
    standings = play_tournament(
        tournament("swiss", ("random", "greedy:material", SMALL)), 5, store=tmp_path / "s.sqlite", make_workers=here
    )

    assert 10 == standings.games
    assert 5 * 2 == sum(standings.byes.values())


def test_players_of_one_name_are_told_apart() -> None:
    assert ["material (1)", "stockfish", "material (2)"] == player_names(
        ["material", "uci:stockfish", "alphabeta:material"]
    )


# --- How it stands --------------------------------------------------------------------------------------------------


def test_points_tiebreak_and_ratings_order_the_table() -> None:
    standings = Standings(["a", "b", "c"])
    for game in (result(0, 0, 1, "1-0"), result(1, 1, 0, "1/2-1/2"), result(2, 0, 2, "0-1"), result(3, 2, 1, "0-1")):
        standings.add(game)
        standings.add(game)  # the same game twice counts once

    lines = {line.name: line for line in standings.rows()}

    assert 4 == standings.games
    assert {"a": 1.5, "b": 1.5, "c": 1.0} == {name: line.points for name, line in lines.items()}
    assert (1, 1, 1) == (lines["a"].wins, lines["a"].draws, lines["a"].losses)
    assert 0.5 * 1.5 + 1 * 1.0 == lines["b"].tiebreak
    assert all(line.low < line.elo < line.high for line in lines.values())


def test_there_are_no_ratings_before_everybody_is_linked() -> None:
    standings = Standings(["a", "b", "c", "d"])
    standings.add(result(0, 0, 1, "1-0"))
    standings.add(result(1, 2, 3, "1-0"))

    assert [None] * 4 == [line.elo for line in standings.rows()]


def test_an_anchor_has_its_rating() -> None:
    standings = Standings(["a", "b"], {"b": 2000.0})
    for number in range(8):
        standings.add(result(number, number % 2, 1 - number % 2, "1/2-1/2" if number < 6 else "1-0"))

    assert 2000 == pytest.approx({line.name: line.elo for line in standings.rows()}["b"])
    with pytest.raises(UsageError):
        Standings(["a", "b"], {"c": 2000.0})


def test_pairs_in_which_the_opponent_failed_are_no_evidence() -> None:
    standings = Standings(["a", "b", "c"])
    standings.add(result(0, 0, 1, "1-0"))
    standings.add(result(1, 1, 0, "1/2-1/2"))
    standings.add(result(2, 0, 2, "1-0", Fault.TIME))
    standings.add(result(3, 2, 0, "0-1"))
    standings.add(result(4, 0, 1, "1-0"))  # its partner is still being played

    assert {1: [1.5]} == standings.pairs(0)
    assert {"time_losses": 1, "crashes": 0, "stalls": 0, "illegal": 0} == standings.rows()[-1].faults


# --- Playing --------------------------------------------------------------------------------------------------------


def test_a_round_robin_is_played_and_written_down(tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    standings = play_tournament(tournament(), 1, store=tmp_path / "t.sqlite", pgn=pgn, make_workers=here)

    assert 12 == standings.games
    assert {6} == {line.games for line in standings.rows()}
    assert all(2 == standings.head_to_head(a, b).games for a in range(4) for b in range(4) if a != b)
    with pgn.open() as file:
        headers = [game.headers for game in iter(lambda: chess.pgn.read_game(file), None)]
    assert 12 == len(headers)
    assert 3 == sum("random" == header["White"] for header in headers)


def test_more_rounds_play_only_what_is_missing(tmp_path: Path) -> None:
    store, new = tmp_path / "t.sqlite", []
    play_tournament(tournament(), 1, store=store, make_workers=here)
    before = [played.moves for played in read_games(store)[1]]

    play_tournament(
        tournament(), 2, store=store, make_workers=here, on_game=lambda standings, played: new.append(played)
    )

    assert list(range(12, 24)) == sorted(played.number for played in new)
    assert before == [played.moves for played in read_games(store)[1]][:12]


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet", "swiss"])
@pytest.mark.parametrize("interrupted_after", [1, 5])
def test_an_interrupted_tournament_ends_as_if_nothing_had_happened(
    tmp_path: Path, kind: str, interrupted_after: int
) -> None:
    whole = play_tournament(tournament(kind), 2, store=tmp_path / "whole.sqlite", make_workers=here)
    store = tmp_path / "parts.sqlite"
    with pytest.raises(KeyboardInterrupt):
        play_tournament(tournament(kind), 2, store=store, make_workers=stopping_after(interrupted_after))

    parts = play_tournament(tournament(kind), 2, store=store, make_workers=here)

    assert whole.as_json() == parts.as_json()
    again = play_tournament(tournament(kind), 2, store=store, make_workers=stopping_after(0))
    assert whole.as_json() == again.as_json()


def test_a_store_of_another_tournament_is_refused(tmp_path: Path) -> None:
    play_tournament(tournament(), 1, store=tmp_path / "t.sqlite", make_workers=here)

    with pytest.raises(UsageError, match="format"):
        play_tournament(tournament("gauntlet"), 1, store=tmp_path / "t.sqlite", make_workers=here)


# --- The command ----------------------------------------------------------------------------------------------------


def test_the_command_plays_with_processes_and_prints_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    command = (
        "tournament random greedy:material material --depth 1 --rounds 1 --names dice greed search --anchor dice=500"
    )

    assert 0 == main([*command.split(), "--json"])

    said = json.loads(capsys.readouterr().out)
    assert ["search", "greed", "dice"] == [player["name"] for player in said["players"]]
    assert 6 == said["games"] and 4 == said["players"][0]["games"]
    assert 500 == said["players"][-1]["elo"]
    assert [2, 0, 0] == said["crosstable"]["search"]["dice"]
    assert {"elo", "low", "high", "score", "points", "time_losses", "crashes"} <= set(said["players"][0])
    assert (tmp_path / said["store"]).exists()


def test_the_command_prints_a_table_and_who_beat_whom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    command = "tournament random:1 random:2 random:3 --format swiss --depth 1 --rounds 2 --concurrency 1"

    assert 0 == main(command.split())

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["player", "points", "games", "score", "elo", "±", "won", "drawn", "lost"]
    assert any("·" in line for line in lines)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_keeps_the_games_and_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    threading.Timer(2.0, os.kill, [os.getpid(), signal.SIGINT]).start()

    command = "tournament material vazquez-five random --depth 1 --rounds 5000 --concurrency 1"

    assert 4 == main(command.split())
    assert "the same command" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ("tournament material --depth 1", Exit.USAGE, "at least two players"),
        ("tournament material random --depth 1 --names a", Exit.USAGE, "different names"),
        ("tournament material nobody --depth 1", Exit.INPUT, "nobody"),
        ("tournament material random --depth 1 --anchor nobody=5", Exit.USAGE, "nobody"),
        ("tournament material random --depth 1 --format knockout", Exit.USAGE, "knockout"),
    ],
)
def test_a_wrong_command_is_explained(command: str, code: Exit, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert code == main(command.split())
    assert says in capsys.readouterr().err
