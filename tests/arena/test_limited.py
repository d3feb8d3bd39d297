"""Players that are held back, and brains that predict moves, at the arena's tables."""

from pathlib import Path

import pytest
from networks import write_mover

from okapi.arena.games import read_games
from okapi.arena.match import Match, check_players, play_match
from okapi.arena.referee import LimitedSlot, make_slot
from okapi.arena.settings import fingerprint, player_names
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import LocalWorkers, SerialWorkers
from okapi.core import Limits, Position
from okapi.errors import UsageError
from okapi.players.player import NodeSampler
from okapi.players.process import find_program
from okapi.uci import okapi_uci

ANY = TimeControl(nodes=1)
"""For players that ask for no limits."""


@pytest.fixture(scope="module")
def mover(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network of random weights that predicts moves."""
    pytest.importorskip("onnxruntime", reason="needs ONNX Runtime: make test installs it")
    return write_mover(tmp_path_factory.mktemp("brains"))


def test_nodes_are_drawn_evenly_on_a_log_scale() -> None:
    draw = NodeSampler(10, 1000, seed=1)
    drawn = [draw.next() for _ in range(2000)]

    assert 10 <= min(drawn) < 12 and 980 < max(drawn) <= 1000
    assert 900 < sum(nodes < 100 for nodes in drawn) < 1100


def test_the_drawn_nodes_belong_to_the_game() -> None:
    """The same seed gives the same numbers, whatever was played before; what the match allows does not count."""
    told = []

    class Notes:
        def new_game(self, chess960: bool, seed: int) -> None: ...

        def choose(self, position: Position, limits: Limits, timeout: float) -> None:
            told.append(limits.nodes)

        def end_game(self, result: str, reason: str, failed: bool) -> None: ...

        def close(self) -> None: ...

    slot = make_slot("limited:random,nodes=10-1000")
    assert isinstance(slot, LimitedSlot)
    slot._slot = Notes()  # type: ignore[assignment]
    for _ in range(2):
        slot.new_game(False, 7)
        for _ in range(3):
            slot.choose(Position.start(), Limits(movetime_ms=5), 1.0)

    assert told[:3] == told[3:]
    assert len(set(told)) == 3


def test_a_program_can_be_held_back(tmp_path: Path) -> None:
    spec = f"limited:uci:{okapi_uci()},nodes=10-100"
    match = Match(first=spec, second="random", control=ANY)

    report = play_match(match, games=2, store=tmp_path / "games.sqlite", make_workers=SerialWorkers)

    assert (2, 0) == (report.games, sum(report.faults.values()))
    assert {str(okapi_uci())} == set(fingerprint(spec))


def test_what_cannot_be_held_back() -> None:
    with pytest.raises(UsageError, match="no limit of nodes"):
        check_players(Match(first="limited:xboard:cat,nodes=10-100", second="random", control=ANY).game_settings())


def test_names() -> None:
    assert ["sunfish-uci (10-1000 nodes)", "random"] == player_names(
        ["limited:uci:sunfish-uci,nodes=10-1000", "random"]
    )


def test_processes_play_the_same_games_with_a_brain_that_predicts_as_one_thread(mover: Path, tmp_path: Path) -> None:
    match = Match(first=f"top-prob:{mover},temperature=1", second="random", control=ANY)
    games = []
    for name, make_workers in (("one", SerialWorkers), ("two", lambda settings: LocalWorkers(settings, 2))):
        play_match(match, games=2, store=tmp_path / f"{name}.sqlite", make_workers=make_workers)
        games.append({game.number: game.moves for game in read_games(tmp_path / f"{name}.sqlite")[1]})

    assert games[0] == games[1]
    assert {str(mover), "okapi"} == set(fingerprint(match.first))


def test_who_knows_no_rules_loses_by_an_illegal_move(mover: Path, tmp_path: Path) -> None:
    match = Match(first=f"top-prob:{mover},masked=no", second="random", control=ANY)

    report = play_match(match, games=2, store=tmp_path / "games.sqlite", make_workers=SerialWorkers)

    assert (2, 2) == (report.losses, report.as_json()["illegal"])


@pytest.mark.skipif(find_program("sunfish-uci") is None, reason="sunfish is not installed")
def test_sunfish(tmp_path: Path) -> None:
    match = Match(first="limited:uci:sunfish-uci,nodes=10-30", second="random", control=ANY)

    report = play_match(match, games=2, store=tmp_path / "games.sqlite", make_workers=SerialWorkers)

    assert (2, 0, 0) == (report.games, report.losses, sum(report.faults.values()))
