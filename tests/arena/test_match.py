"""Matches: schedule, storing, going on, stopping, reporting, and who plays the games."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import chess.pgn
import pytest

from okapi.arena.games import Fault, MatchStore, MoveInfo, MoveWarning, Pairing, PlayedGame, read_games
from okapi.arena.in_process import InProcessWorkers, can_play_in_process
from okapi.arena.match import Match, MatchReport, local_workers, pairings, play_match
from okapi.arena.settings import AdjudicationRules, GameSettings, fingerprint, player_names
from okapi.arena.sprt import Sprt, Verdict
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import LocalWorkers, LostGame, SerialWorkers, play_all
from okapi.cli import main
from okapi.core import Evaluator, Position
from okapi.errors import InvalidText, NotFound, PlayerCrashed, UsageError
from okapi.players import PythonPlayer
from okapi.uci import okapi_uci

FEW_NODES = TimeControl(nodes=200)
SMALL = "alphabeta:material,hash=1"
RANDOM = "random"


def match(first: str = SMALL, second: str = RANDOM, **rest: object) -> Match:
    return Match(**{"first": first, "second": second, "control": FEW_NODES, **rest})


def moves(path: Path) -> list[tuple[str, ...]]:
    return [played.moves for played in read_games(path)[1]]


def a_game(number: int, result: str = "1-0", fault: Fault | None = None) -> PlayedGame:
    pairing = Pairing(number, number % 2, 1 - number % 2, Position.start().fen())
    infos = (MoveInfo(30, None, 5, 100, 0.01), MoveInfo(None, -2, 3, 50, 0.02))
    return PlayedGame(
        pairing, result, "checkmate", fault, ("e2e4", "e7e5"), infos, (MoveWarning(1, "no score"),), 1.0, 2.0
    )


def engines_of(worker: int) -> list[int]:
    """The processes that a worker process has started."""
    return [int(pid) for pid in Path(f"/proc/{worker}/task/{worker}/children").read_text().split()]


class TestSchedule:
    def test_two_games_from_each_opening_with_colours_changed(self) -> None:
        starts = [Position.start(), Position.from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")]
        games = list(pairings(starts, 6))

        assert [0, 1, 0, 1, 0, 1] == [game.white for game in games]
        assert [starts[i].fen() for i in (0, 0, 1, 1, 0, 0)] == [game.fen for game in games]

    def test_the_seed_shuffles_the_openings(self) -> None:
        one, again, other = (match(seed=seed).starts()[:20] for seed in (1, 1, 2))

        assert one == again
        assert one != other

    def test_chess960_is_not_played_by_accident(self, tmp_path: Path) -> None:
        file = tmp_path / "shuffled.epd"
        file.write_text("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1\n")

        with pytest.raises(UsageError, match="Chess960"):
            match(openings=str(file)).starts()


class TestStore:
    def test_what_is_kept_comes_back(self, tmp_path: Path) -> None:
        games = [a_game(0), a_game(1, "1/2-1/2"), a_game(2, "0-1", Fault.CRASH)]
        with MatchStore(tmp_path / "games.sqlite", {"a": 1}) as store:
            for game in games:
                store.add(game)

        assert ({"a": 1}, games) == read_games(tmp_path / "games.sqlite")[:2]

    def test_no_game_is_kept_twice(self, tmp_path: Path) -> None:
        with MatchStore(tmp_path / "games.sqlite", {}) as store:
            store.add(a_game(0, "1-0"))
            store.add(a_game(0, "0-1"))

            assert ["1-0"] == [played.result for played in store.games()]

    def test_another_match_is_refused(self, tmp_path: Path) -> None:
        MatchStore(tmp_path / "games.sqlite", {"seed": 1}).close()
        with pytest.raises(UsageError, match="seed differ"):
            MatchStore(tmp_path / "games.sqlite", {"seed": 2})

    def test_two_at_a_time_are_refused(self, tmp_path: Path) -> None:
        with MatchStore(tmp_path / "games.sqlite", {}), pytest.raises(UsageError, match="locked"):
            MatchStore(tmp_path / "games.sqlite", {})

    def test_a_file_that_is_no_store(self, tmp_path: Path) -> None:
        (tmp_path / "games.pgn").write_text("1. e4 e5 2. Nf3 *\n" * 100)
        with pytest.raises(InvalidText, match="no store"):
            MatchStore(tmp_path / "games.pgn", {})


class TestPlayers:
    def test_a_rebuilt_program_is_another_player(self, tmp_path: Path) -> None:
        engine = tmp_path / "engine"
        prints = []
        for version in ("1", "2"):
            engine.write_text(f"#!/bin/sh\n# {version}\n")
            engine.chmod(0o755)
            prints.append(fingerprint(f"uci:{engine}"))

        assert prints[0] != prints[1]

    def test_a_program_that_is_not_there(self) -> None:
        with pytest.raises(NotFound, match="no-such-engine"):
            fingerprint("uci:no-such-engine --fast")

    def test_options_that_a_program_does_not_have(self, tmp_path: Path) -> None:
        engine = f"uci:{okapi_uci()}{{Hsah=1}}"
        with pytest.raises(UsageError, match="Hsah") as caught:
            play_match(match(second=engine), 2, store=tmp_path / "games.sqlite", make_workers=SerialWorkers)

        assert "did you mean `Hash`?" == caught.value.hint

    def test_xboard_knows_no_nodes(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="no limit of nodes"):
            play_match(match(second="xboard:cat"), 2, store=tmp_path / "games.sqlite", make_workers=SerialWorkers)

    def test_names(self) -> None:
        assert ["sf", "sf{Hash=2}"] == player_names(["uci:/a/sf", "uci:/b/sf{Hash=2}"])
        assert ["/a/sf", "/b/sf"] == player_names(["uci:/a/sf", "uci:/b/sf"])
        assert ["random (1)", "random (2)"] == player_names(["random", "random"])


class TestPlaying:
    def test_the_same_command_plays_no_game_again_and_more_games_are_added(self, tmp_path: Path) -> None:
        play = partial(play_match, match(), store=tmp_path / "games.sqlite", make_workers=SerialWorkers)
        told: list[int] = []
        for games, new in ((4, [0, 1, 2, 3]), (4, []), (6, [4, 5])):
            report = play(games, on_game=lambda _, played: told.append(played.number))
            assert (games, new) == (report.games, told)
            told.clear()
        play(2, fresh=True, on_game=lambda _, played: told.append(played.number))
        assert [0, 1] == told

    def test_processes_play_what_one_process_plays(self, tmp_path: Path) -> None:
        """Also where players are random: the seed belongs to the game, not to who plays it."""
        planned = match(f"uci:{okapi_uci()}{{Hash=1}}", "alphabeta:material,elo=1200,hash=1")
        play_match(planned, 6, store=tmp_path / "one.sqlite", make_workers=SerialWorkers)
        play_match(planned, 6, store=tmp_path / "two.sqlite", make_workers=partial(LocalWorkers, count=2))

        assert moves(tmp_path / "one.sqlite") == moves(tmp_path / "two.sqlite")

    @pytest.mark.parametrize(
        "rest",
        [
            {"control": TimeControl(depth=3)},
            {
                "control": TimeControl(nodes=500),
                "adjudication": AdjudicationRules(resign_score=300, draw_score=20, draw_after=20),
            },
            {"control": TimeControl(nodes=300), "chess960": True},
        ],
        ids=["depth", "adjudicated", "chess960"],
    )
    def test_the_core_alone_plays_what_the_referee_plays(self, tmp_path: Path, rest: dict[str, object]) -> None:
        planned = match(SMALL, "alphabeta:vazquez-five,hash=1,without=null_move", **rest)
        play_match(planned, 12, store=tmp_path / "slow.sqlite", make_workers=SerialWorkers)
        play_match(planned, 12, store=tmp_path / "fast.sqlite", make_workers=partial(InProcessWorkers, threads=2))

        slow, fast = (read_games(tmp_path / name)[1] for name in ("slow.sqlite", "fast.sqlite"))
        for one, other in zip(slow, fast, strict=True):
            assert (one.pairing, one.moves, one.result, one.ending) == (
                other.pairing,
                other.moves,
                other.result,
                other.ending,
            )
            assert [info[:4] for info in one.infos] == [info[:4] for info in other.infos]

    @pytest.mark.parametrize(
        ("players", "control", "inside"),
        [
            ((SMALL, "alphabeta"), FEW_NODES, True),
            ((SMALL, "random"), FEW_NODES, False),
            ((SMALL, "alphabeta:material,elo=1500"), FEW_NODES, False),
            ((SMALL, "alphabeta"), TimeControl.from_text("1+0.01"), False),
        ],
    )
    def test_who_can_play_inside(self, players: tuple[str, str], control: TimeControl, inside: bool) -> None:
        assert inside == can_play_in_process(GameSettings(players=players, control=control))

    def test_a_worker_that_is_killed_loses_no_game_and_leaves_no_engine(self, tmp_path: Path) -> None:
        planned = match(f"uci:{okapi_uci()}{{Hash=1}}", SMALL, control=TimeControl(nodes=2000))
        workers = LocalWorkers(planned.game_settings(), 2)
        numbers: list[int] = []
        try:
            for played in play_all(pairings(planned.starts(), 8), workers):
                numbers.append(played.number)
                if len(numbers) == 2:  # whoever played them has engines, others may be starting still
                    pids = (worker.process.pid for worker in workers._processes)
                    victim, children = next((pid, found) for pid in pids if (found := engines_of(pid)))
                    os.kill(victim, signal.SIGKILL)
        finally:
            workers.close()

        assert list(range(8)) == sorted(numbers)
        assert not any(Path(f"/proc/{pid}/exe").exists() for pid in children)

    def test_a_game_that_kills_its_workers_is_given_up(self) -> None:
        class Doomed(SerialWorkers):
            def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
                lost, self._next = LostGame(self._next, "exit code -11"), None
                return [lost]

        settings = GameSettings(players=(SMALL, RANDOM), control=FEW_NODES)
        with pytest.raises(PlayerCrashed, match=r"game 1 was started 3 times.*exit code -11"):
            list(play_all(pairings([Position.start()], 2), Doomed(settings)))

    def test_the_test_stops_as_soon_as_it_is_decided(self, tmp_path: Path) -> None:
        report = play_match(
            match(),
            2000,
            sprt=Sprt(0, 100),
            store=tmp_path / "games.sqlite",
            make_workers=partial(LocalWorkers, count=2),
        )

        assert report.sprt_status.verdict is Verdict.H1
        assert 4 <= report.games < 200

    def test_chess960(self, tmp_path: Path) -> None:
        planned = match(f"uci:{okapi_uci()}{{Hash=1}}", SMALL, chess960=True)
        report = play_match(planned, 4, store=tmp_path / "g.sqlite", pgn=tmp_path / "g.pgn", make_workers=SerialWorkers)

        assert not report.faults
        with (tmp_path / "g.pgn").open() as file:
            games = [chess.pgn.read_game(file) for _ in range(4)]
        assert not any(game.errors for game in games)
        assert "Chess960" == games[0].headers["Variant"]


class TestPgn:
    def test_games_are_in_order_with_values_and_reasons(self, tmp_path: Path) -> None:
        path = tmp_path / "games.pgn"
        play_match(
            match(adjudication=AdjudicationRules(resign_score=600, resign_moves=1)),
            6,
            names=("New", 'Old "1.0"'),
            store=tmp_path / "games.sqlite",
            pgn=path,
            make_workers=partial(LocalWorkers, count=2),
        )
        games = []
        with path.open() as file:
            while (game := chess.pgn.read_game(file)) is not None:
                games.append(game)

        assert ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"] == [game.headers["Round"] for game in games]
        assert "New" == games[0].headers["White"] == games[1].headers["Black"]
        assert not any(game.errors for game in games)
        assert "nodes=200" == games[0].headers["TimeControl"]
        assert {"normal", "adjudication"} >= {game.headers["Termination"] for game in games}
        ours = next(node for node in games[0].mainline() if not node.turn())
        value, _, rest = ours.comment.partition("/")
        assert value[0] in "+-#"
        assert rest.endswith("s")


class TestReport:
    def test_counts(self) -> None:
        report = MatchReport(("New", "Old"))
        for game in (a_game(0), a_game(1, "1/2-1/2"), a_game(2, "0-1", Fault.TIME), a_game(2, "1-0")):
            report.add(game)

        told = report.as_json()
        assert (1, 1, 1, [0, 0, 0, 1, 0]) == tuple(told[key] for key in ("wins", "draws", "losses", "pairs"))
        assert (1, 0, 0, 0) == tuple(told[key] for key in ("time_losses", "crashes", "stalls", "illegal"))
        assert {"New": 1, "Old": 0} == {name: faults["time_losses"] for name, faults in told["faults"].items()}
        assert {"no score": 3} == told["warnings"]["Old"]
        assert told["low"] < told["elo"] < told["high"]
        assert json.loads(json.dumps(told, allow_nan=False)) == told

    def test_a_clean_sweep_is_valid_json(self) -> None:
        report = MatchReport(("New", "Old"), Sprt(0, 5))
        report.add(a_game(0))
        report.add(a_game(1, "0-1"))

        assert json.loads(json.dumps(report.as_json(), allow_nan=False))["high"] is None


class TestCommand:
    def test_json(self, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert 0 == main(
            ["match", "material", "random", "--depth", "1", "--games", "4", "--concurrency", "1", "--json"]
        )
        told = json.loads(capsys.readouterr().out)
        assert {"wins", "draws", "losses", "pairs", "elo", "low", "high", "los", "draw_rate", "nps"} <= set(told)
        assert {"time_losses", "crashes", "stalls", "illegal"} <= set(told)
        assert 4 == told["wins"] + told["draws"] + told["losses"]
        assert list(runs.glob("match-*.sqlite"))

    def test_text(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        options = ["--depth", "1", "--games", "2", "--concurrency", "1", "--store", str(tmp_path / "g.sqlite")]

        assert 0 == main(["match", "material", "random", "--sprt", "-5", "5", *options])
        said = capsys.readouterr().out
        assert "material against random" in said
        assert "SPRT -5 5 (logistic)" in said

    @pytest.mark.parametrize(
        ("arguments", "code", "message"),
        [
            (["material", "nobody"], 3, "there is no player `nobody`"),
            (["material", "uci:no-such-engine"], 3, "no program `no-such-engine`"),
            (["material", "random", "--tc", "soon"], 2, "no time control"),
            (["material", "random", "--tc", "1+1", "--movetime", "5"], 2, "exclude each other"),
            (["material", "random", "--sprt", "5", "0"], 2, "smaller"),
            (["material", "random", "--games", "0"], 2, "games"),
            (["material", "random", "--openings", "nowhere.epd"], 3, "nowhere.epd"),
            (["material", "random", "--names", "A", "A"], 2, "one name"),
            (["material"], 2, "second"),
        ],
    )
    def test_mistakes(
        self,
        arguments: list[str],
        code: int,
        message: str,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.chdir(tmp_path)

        assert code == main(["match", *arguments])
        assert message.lower() in capsys.readouterr().err.lower()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_is_told_what_to_do(tmp_path: Path) -> None:
    import subprocess

    store = tmp_path / "g.sqlite"
    options = ["--nodes", "20000", "--games", "500", "--store", str(store)]
    process = subprocess.Popen(
        [sys.executable, "-m", "okapi", "match", "material", "vazquez-five", *options],
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not store.exists():
        time.sleep(0.1)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)

    assert 4 == process.returncode
    assert "the same command goes on" in said


PYTHON_PLAYERS = """
def first(position):
    return position.legal_moves()[0]

class Crashes:
    def choose(self, position, limits):
        if position.plies > 5:
            raise RuntimeError("out of ideas")
        return position.legal_moves()[0]

def cheats(position):
    return "a1a1"
"""


@pytest.fixture
def python_file(tmp_path: Path) -> Path:
    path = tmp_path / "wooden.py"
    path.write_text(PYTHON_PLAYERS)
    return path


class TestPythonPlayers:
    def test_an_exception_loses_the_game_with_its_traceback_stored(self, python_file: Path, tmp_path: Path) -> None:
        store = tmp_path / "games.sqlite"
        planned = match(f"python:{python_file}:Crashes", "random")
        reports = [play_match(planned, 2, store=store) for _ in range(2)]  # the second one reads the store

        for report in reports:
            assert ("Crashes", 2, 2) == (report.names[0], report.losses, report.fault(Fault.CRASH, 0))
            assert 2 == len(report.errors)
            assert "RuntimeError: out of ideas" in report.errors[0] and 'raise RuntimeError("out' in report.errors[0]
            assert report.errors == report.as_json()["errors"]

    def test_an_illegal_move_loses_the_game(self, python_file: Path, tmp_path: Path) -> None:
        report = play_match(match(f"python:{python_file}:cheats", "random"), 2, store=tmp_path / "games.sqlite")

        assert (2, 2) == (report.losses, report.fault(Fault.ILLEGAL, 0))
        assert "a1a1" in report.errors[0]

    def test_another_file_is_another_match(self, python_file: Path) -> None:
        before = match(f"python:{python_file}:first").describe()
        python_file.write_text(PYTHON_PLAYERS + "# changed\n")

        assert before != match(f"python:{python_file}:first").describe()

    def test_objects_play_in_this_process(self) -> None:
        settings = GameSettings(
            players=(PythonPlayer(lambda position: position.legal_moves()[0]), "random"), control=FEW_NODES
        )
        with closing(local_workers(settings)) as workers:
            assert isinstance(workers, SerialWorkers)
            played = list(play_all(pairings([Position.start()], 2), workers))

        assert 2 == len(played) and all(game.fault is None for game in played)

    def test_an_evaluator_is_searched_with_in_the_core(self) -> None:
        half = Evaluator.from_function(lambda positions: [0.5] * len(positions))
        settings = GameSettings(players=(half, SMALL), control=FEW_NODES)
        with closing(local_workers(settings, 2)) as workers:
            assert isinstance(workers, InProcessWorkers)
            played = list(play_all(pairings([Position.start()], 2), workers))

        assert [0.0, 0.0] == [game.points(0) for game in played]


def test_a_store_whose_process_was_killed_inside_a_transaction_is_read(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with MatchStore(path, {"a": 1}) as store:
        store.add(a_game(0))
    killed = f"""
import os, signal, sqlite3
database = sqlite3.connect({str(path)!r}, isolation_level=None)
database.execute("PRAGMA journal_mode = DELETE")
database.execute("PRAGMA cache_size = 1")
database.execute("BEGIN")
database.executemany("INSERT INTO players VALUES (?, ?)", [(9 + number, "x" * 5000) for number in range(50)])
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert -signal.SIGKILL == subprocess.run([sys.executable, "-c", killed], check=False).returncode
    assert path.with_name("games.sqlite-journal").exists()

    assert ({"a": 1}, [a_game(0)]) == read_games(path)[:2]


def test_a_store_whose_process_was_killed_before_its_first_table_has_no_games(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    path.touch()

    assert ({}, [], []) == read_games(path)


def test_a_store_of_0_1_without_tracebacks_is_read_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with MatchStore(path, {}) as store:
        store.add(a_game(0))
    database = sqlite3.connect(path)
    database.execute("ALTER TABLE games DROP COLUMN traceback")
    database.commit()
    database.close()

    assert [a_game(0)] == read_games(path)[1]
    with MatchStore(path, {}) as store:
        store.add(replace(a_game(1), traceback="Traceback: …"))
    assert ["", "Traceback: …"] == [game.traceback for game in read_games(path)[1]]
