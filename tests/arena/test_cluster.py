"""A real Ray cluster of two nodes on this machine, one of which dies during the match."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from okapi.arena.games import PlayedGame, read_games
from okapi.arena.match import Match, MatchReport, play_match
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import LostGame, SerialWorkers
from okapi.cli import main
from okapi.uci import okapi_uci

ray = pytest.importorskip("ray", reason="pip install 'okapi-chess[cluster]'")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

GAMES = 20


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    small = {"num_cpus": 1, "object_store_memory": 100_000_000, "include_dashboard": False}
    running = Cluster(initialize_head=True, head_node_args=small)
    yield running
    ray.shutdown()
    running.shutdown()


def test_no_game_is_lost_or_counted_twice_when_a_node_dies(cluster: Any, tmp_path: Path) -> None:
    from okapi.arena.workers import ClusterWorkers

    class Counting(ClusterWorkers):
        def finished(self, timeout: float) -> list[PlayedGame | LostGame]:
            outcomes = super().finished(timeout)
            lost.extend(outcome.pairing.number for outcome in outcomes if isinstance(outcome, LostGame))
            return outcomes

    lost: list[int] = []
    doomed = cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    cluster.wait_for_nodes()
    planned = Match(
        first=f"uci:{okapi_uci()}{{Hash=1}}", second="alphabeta:material,hash=1", control=TimeControl(nodes=4000)
    )
    numbers: list[int] = []

    def on_game(report: MatchReport, played: PlayedGame) -> None:
        numbers.append(played.number)
        if len(numbers) == 4:
            cluster.remove_node(doomed, allow_graceful=False)

    make_workers = partial(Counting, address=cluster.address, count=2)
    report = play_match(planned, GAMES, store=tmp_path / "cluster.sqlite", make_workers=make_workers, on_game=on_game)
    play_match(planned, GAMES, store=tmp_path / "here.sqlite", make_workers=SerialWorkers)

    assert GAMES == report.games == sum(report.result.pairs) * 2
    assert list(range(GAMES)) == sorted(numbers)
    assert 1 == len(lost)
    assert not report.faults
    there, here = (read_games(tmp_path / name)[1] for name in ("cluster.sqlite", "here.sqlite"))
    assert [played.moves for played in here] == [played.moves for played in there]


def test_the_command(cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limits = ["--nodes", "300", "--games", "4", "--cluster", cluster.address, "--concurrency", "1"]

    assert 0 == main(["match", "material", "random", *limits, "--json", "--store", str(tmp_path / "games.sqlite")])
    assert 4 == json.loads(capsys.readouterr().out)["games"]


def test_self_play_makes_the_same_store_as_here(cluster: Any, tmp_path: Path) -> None:
    line = ["selfplay", "alphabeta:material,hash=1", "--games", "6", "--depth", "2", "--max-plies", "20"]

    assert 0 == main([*line, "--to", str(tmp_path / "there.okapi"), "--cluster", cluster.address])
    assert 0 == main([*line, "--to", str(tmp_path / "here.okapi")])
    assert (tmp_path / "here.okapi").read_bytes() == (tmp_path / "there.okapi").read_bytes()
