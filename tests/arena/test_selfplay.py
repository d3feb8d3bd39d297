"""Self-play: the same games whoever plays them and however often they are interrupted, with what was thought."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from okapi.arena.openings import BookStarts, RandomStarts, StoredStarts, read_starts
from okapi.arena.selfplay import SPAN, SelfPlay, SelfPlayReport, play_selfplay
from okapi.arena.settings import AdjudicationRules
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import LocalWorkers, SerialWorkers
from okapi.core import Game, Position, random_openings
from okapi.data.runs import LOG_FILE, RunInfo
from okapi.data.store import Store, StoreWriter
from okapi.errors import InvalidText, PlayerFailed, UsageError
from okapi.uci import okapi_uci

HOSTILE = Path(__file__).with_name("hostile.py")
ONE = SelfPlay(
    players=("alphabeta:material,hash=1",),
    control=TimeControl(depth=2),
    starts=RandomStarts(8, seed=1),
    starts_name="random:8",
    max_plies=60,
)
TWO = replace(ONE, players=("alphabeta:material,hash=1", "alphabeta:okapi-28,hash=1"))
THREE = replace(ONE, players=(*TWO.players, "alphabeta:vazquez-five,hash=1"))


class TestPairings:
    def test_one_against_itself_never_begins_twice_from_the_same(self) -> None:
        assert (0, 1) == ONE.pairing(3)[:2]
        assert ONE.starts[3] == ONE.pairing(3)[2]

    def test_two_begin_twice_from_each_start_with_colours_changed(self) -> None:
        assert [(0, 1), (1, 0)] == [TWO.pairing(number)[:2] for number in (6, 7)]
        assert TWO.starts[3] == TWO.pairing(6)[2] == TWO.pairing(7)[2]

    def test_everybody_meets_everybody_equally_often_from_the_same_starts(self) -> None:
        games = [THREE.pairing(number) for number in range(6 * SPAN)]

        for pair in ((0, 1), (0, 2), (1, 2)):
            theirs = [game for game in games if set(game[:2]) == set(pair)]
            assert 2 * SPAN == len(theirs)
            assert SPAN == sum(game[0] == pair[0] for game in theirs)
            assert [THREE.starts[place // 2] for place in range(2 * SPAN)] == [game[2] for game in theirs]


class TestStarts:
    def test_random_ones_go_so_far_and_are_not_over(self) -> None:
        starts = [RandomStarts(7, seed=2)[number] for number in range(200)]

        assert all(start.ending() is None and start.plies == 0 for start in starts)
        assert {(4, "BLACK")} == {(start.fullmove_number, start.turn.name) for start in starts}
        assert len({start.key for start in starts}) > 190
        assert starts != [RandomStarts(7, seed=3)[number] for number in range(200)]

    def test_a_book_begins_again_at_its_end(self) -> None:
        book = BookStarts(random_openings(3, seed=1))

        assert book[1] == book[4]
        assert 3 == book.different

    @pytest.mark.parametrize("kind", ["epd", "okapi"])
    def test_stored_ones_are_one_move_away(self, tmp_path: Path, kind: str) -> None:
        game = Game.of(["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"])
        before = [position.fen() for position, _ in game.positions()]
        path = tmp_path / f"stored.{kind}"
        if kind == "epd":
            path.write_text("".join(f"{fen}\n" for fen in before))
        else:
            with StoreWriter.open(path) as writer:
                writer.add(game)
        starts = StoredStarts([path], seed=1)
        reachable = {position.after(move).fen() for position, _ in game.positions() for move in position.legal_moves()}
        found = [starts[number].fen() for number in range(40)]

        assert set(found) <= reachable and len(set(found)) > 20
        assert found == [StoredStarts([path], seed=1)[number].fen() for number in range(40)]
        assert 10 == starts.different

    def test_positions_where_the_game_is_over_are_passed_over(self, tmp_path: Path) -> None:
        path = tmp_path / "stored.fen"
        path.write_text("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1\n" * 3)
        with pytest.raises(InvalidText, match="does not end the game"):
            StoredStarts([path], seed=1)[0]

    def test_words_that_mean_none(self) -> None:
        with pytest.raises(UsageError, match="random:many"):
            read_starts("random:many")


def stored(selfplay: SelfPlay, games: int, to: Path, **how: object) -> SelfPlayReport:
    return play_selfplay(selfplay, games, to, **how)  # type: ignore[arg-type]


class TestGames:
    def test_values_best_moves_and_lines_are_kept(self, tmp_path: Path) -> None:
        report = stored(ONE, 6, tmp_path / "games.okapi", concurrency=2)
        store = Store.open(tmp_path / "games.okapi")

        assert 6 == len(store) == report.games == sum(report.results.values())
        assert report.plies == sum(len(game.moves) for game in store)
        for number, game in enumerate(store):
            assert ONE.starts[number] == game.start
            assert str(number + 1) == game.tags["Round"]
            assert len(game.moves) == len(game.decisions)
            for (position, move), thought in zip(game.positions(), game.decisions, strict=True):
                assert thought is not None and move == thought.move == thought.line[0]
                ahead = position.copy()
                for step in thought.line:
                    ahead.play(step)  # the leaf can be reached

    def test_a_game_that_is_too_long_has_no_result(self, tmp_path: Path) -> None:
        stored(replace(ONE, max_plies=12), 5, tmp_path / "games.okapi")

        for game in Store.open(tmp_path / "games.okapi"):
            assert ("*", 12) == (game.result, len(game.moves)) or game.last.ending() is not None

    @pytest.mark.parametrize("selfplay", [ONE, TWO, THREE], ids=["one", "two", "three"])
    def test_threads_and_workers_make_the_same_store(self, selfplay: SelfPlay, tmp_path: Path) -> None:
        games = SPAN + 6 if selfplay is THREE else 12
        selfplay = replace(selfplay, max_plies=24, adjudication=AdjudicationRules(resign_score=300, resign_moves=2))
        stored(selfplay, games, tmp_path / "one.okapi", concurrency=1)
        stored(selfplay, games, tmp_path / "four.okapi", concurrency=4)
        stored(selfplay, games, tmp_path / "serial.okapi", make_workers=SerialWorkers)

        first = (tmp_path / "one.okapi").read_bytes()
        assert first == (tmp_path / "four.okapi").read_bytes() == (tmp_path / "serial.okapi").read_bytes()

    def test_another_program_may_play(self, tmp_path: Path) -> None:
        program = replace(ONE, players=(f"uci:{okapi_uci()}{{Hash=1}}",), control=TimeControl(nodes=300), max_plies=10)
        stored(program, 4, tmp_path / "processes.okapi", make_workers=partial(LocalWorkers, count=2))
        stored(program, 4, tmp_path / "serial.okapi", make_workers=SerialWorkers)

        assert (tmp_path / "processes.okapi").read_bytes() == (tmp_path / "serial.okapi").read_bytes()
        game = Store.open(tmp_path / "serial.okapi")[0]
        assert all(thought is not None and thought.line for thought in game.decisions)

    def test_one_that_always_crashes_is_given_up(self, tmp_path: Path) -> None:
        broken = replace(ONE, players=(f"uci:{sys.executable} {HOSTILE} crashes",), max_plies=8)
        with pytest.raises(PlayerFailed, match="10 games in a row"):
            stored(broken, 20, tmp_path / "games.okapi", make_workers=SerialWorkers)

    def test_a_clock_is_refused(self) -> None:
        with pytest.raises(UsageError, match="cannot be reproduced"):
            replace(ONE, control=TimeControl(time_ms=1000))


class TestResuming:
    @pytest.fixture(autouse=True)
    def small_blocks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("okapi.arena.selfplay.LARGEST_BLOCK", 8)

    def test_left_and_resumed_is_undisturbed(self, tmp_path: Path) -> None:
        stored(TWO, 40, tmp_path / "calm.okapi")
        for moment in (3, 9, 21):
            with pytest.raises(KeyboardInterrupt):
                stored(TWO, 40, tmp_path / "left.okapi", watch=leave_after(moment))
        report = stored(TWO, 40, tmp_path / "left.okapi")

        assert (tmp_path / "calm.okapi").read_bytes() == (tmp_path / "left.okapi").read_bytes()
        assert (40, 24) == (report.games, report.kept)
        assert report.plies == sum(len(game.moves) for game in Store.open(tmp_path / "calm.okapi"))

    def test_it_can_be_watched_as_a_run(self, tmp_path: Path) -> None:
        report = stored(TWO, 40, tmp_path / "games.okapi")
        about = RunInfo.read(tmp_path / "games.run")
        last = json.loads((tmp_path / "games.run" / LOG_FILE).read_text().splitlines()[-1])

        assert ("selfplay", "games", 40, "done") == (about.kind, about.unit, about.total, about.state)
        assert (40, report.plies / 40) == (last["step"], last["plies a game"])
        assert report.results["1-0"] / 40 == last["1-0 share"]

    def test_more_games_may_be_asked_for_later(self, tmp_path: Path) -> None:
        stored(ONE, 10, tmp_path / "games.okapi")
        stored(ONE, 20, tmp_path / "games.okapi")
        stored(ONE, 20, tmp_path / "whole.okapi")
        more, whole = (Store.open(tmp_path / f"{name}.okapi") for name in ("games", "whole"))

        assert [game.moves for game in whole] == [game.moves for game in more]

    def test_other_settings_are_refused(self, tmp_path: Path) -> None:
        stored(ONE, 2, tmp_path / "games.okapi")
        with pytest.raises(UsageError, match="seed differs"):
            stored(replace(ONE, seed=2), 4, tmp_path / "games.okapi")

    def test_games_of_others_are_left_alone(self, tmp_path: Path) -> None:
        with StoreWriter.open(tmp_path / "games.okapi") as writer:
            writer.add(Game.of(["e4"], Position.start()))
        with pytest.raises(UsageError, match="other settings"):
            stored(ONE, 4, tmp_path / "games.okapi")

    @pytest.mark.skipif(sys.platform == "win32", reason="signals")
    def test_killed_and_resumed_is_undisturbed(self, tmp_path: Path) -> None:
        """bench/kill.py selfplay does it more often."""
        for name, kills in (("calm", 0), ("killed", 2)):
            target = tmp_path / f"{name}.okapi"
            command = [
                *(sys.executable, "-m", "okapi", "selfplay", "alphabeta:material,hash=1", "--games", "24"),
                *("--nodes", "5000", "--max-plies", "6", "--to", str(target), "--json"),
            ]
            for _ in range(kills):
                process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                wait_for_a_block(target)
                process.send_signal(signal.SIGKILL)
                process.wait()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        assert (tmp_path / "calm.okapi").read_bytes() == (tmp_path / "killed.okapi").read_bytes()


def leave_after(games: int) -> object:
    """Ctrl-C after so many games of this run."""

    def watch(report: SelfPlayReport) -> None:
        if report.games - report.kept == games:
            raise KeyboardInterrupt

    return watch


def wait_for_a_block(target: Path) -> None:
    before = target.stat().st_size if target.exists() else 100
    until = time.monotonic() + 20
    while time.monotonic() < until and not (target.exists() and target.stat().st_size > before):
        time.sleep(0.01)
