"""Commands with --cluster on a real Ray cluster of two nodes on this machine, one of which is killed on the way.

What they write is, to the byte, what they write without a cluster. All tests of Ray are here: its start takes seconds.
"""

import json
import math
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from okapi.arena import openings
from okapi.arena.games import PlayedGame, read_games
from okapi.arena.workers import ClusterWorkers, LostGame
from okapi.brains.files import read_tensors
from okapi.brains.library import BRAIN
from okapi.cli import main
from okapi.cli.progress import Progress
from okapi.cluster import join
from okapi.core.packed import SAMPLE, random_positions, unpack
from okapi.data.sources import write_samples
from okapi.optimize.executor import RayExecutor, ThreadExecutor
from okapi.recipes import find_recipe
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import CHAMPIONS, run_evolution
from okapi.recipes.league.experiment import Pool
from okapi.recipes.league.result import BRAINS, RESULT, LeagueResult
from okapi.uci import okapi_uci

ray = pytest.importorskip("ray", reason="pip install 'okapi-chess[cluster]'")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

OPENINGS = Path(openings.__file__).with_suffix(".epd")
SMALL = {"num_cpus": 1, "object_store_memory": 100_000_000}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    head = {**SMALL, "include_dashboard": False}
    running = Cluster(initialize_head=True, head_node_args=head)
    join(running.address)  # while there is one node: this process must not belong to the one that is killed
    yield running
    ray.shutdown()
    running.shutdown()


@pytest.fixture
def okapi(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """A function that runs a command on the cluster, and kills a node when it reports progress for the n-th time."""

    def run(line: str, reports: int) -> None:
        doomed = cluster.add_node(**SMALL)
        cluster.wait_for_nodes()
        left = [reports]
        update = Progress.update

        def update_or_kill(self: Progress, *values: Any, **more: Any) -> None:
            update(self, *values, **more)
            left[0] -= 1
            if left[0] == 0:
                cluster.remove_node(doomed, allow_graceful=False)

        with monkeypatch.context() as patched:
            patched.setattr(Progress, "update", update_or_kill)
            assert 0 == main(shlex.split(f"{line} --cluster {cluster.address}"))
        assert left[0] <= 0, "no node was killed"

    return run


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the games that were lost with their node."""
    numbers: list[int] = []
    finished = ClusterWorkers.finished

    def noted(self: ClusterWorkers, timeout: float) -> list[PlayedGame | LostGame]:
        outcomes = finished(self, timeout)
        numbers.extend(outcome.pairing.number for outcome in outcomes if isinstance(outcome, LostGame))
        return outcomes

    monkeypatch.setattr(ClusterWorkers, "finished", noted)
    return numbers


def test_an_executor_answers_like_threads(cluster: Any) -> None:
    executor = RayExecutor(cluster.address)
    try:
        assert 1 == executor.workers
        told: list[float] = []
        assert [20.0 - number for number in range(20)] == executor.map(math.fabs, range(-20, 0), told.append)
        assert [1.0 + number for number in range(20)] == sorted(told)
        with pytest.raises(ValueError, match="math domain"):
            executor.map(math.sqrt, [1.0, -1.0])
    finally:
        executor.close()


def test_match(
    okapi: Callable[[str, int], None], lost: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = f"match 'uci:{okapi_uci()}{{Hash=1}}' alphabeta:material,hash=1 --games 12 --nodes 1000 --json"
    okapi(f"{line} --store {tmp_path / 'there.sqlite'} --concurrency 2", 4)
    report = json.loads(capsys.readouterr().out)

    assert 12 == report["games"] == sum(report["pairs"]) * 2
    assert [] == report["errors"] and 1 == len(lost)
    assert 0 == main(shlex.split(f"{line} --store {tmp_path / 'here.sqlite'} --concurrency 1"))
    here, there = (read_games(tmp_path / f"{name}.sqlite")[1] for name in ("here", "there"))
    assert list(range(12)) == sorted(game.number for game in there)
    assert [game.moves for game in here] == [game.moves for game in there]


def test_selfplay(okapi: Callable[[str, int], None], tmp_path: Path) -> None:
    line = "selfplay alphabeta:material,hash=1 --games 12 --depth 2 --max-plies 40"
    okapi(f"{line} --out {tmp_path / 'there.okapi'} --concurrency 2", 3)

    assert 0 == main(shlex.split(f"{line} --out {tmp_path / 'here.okapi'}"))
    assert (tmp_path / "here.okapi").read_bytes() == (tmp_path / "there.okapi").read_bytes()


def test_label(okapi: Callable[[str, int], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = f"label {OPENINGS} --engine {okapi_uci()} --option Hash=1 --nodes 2000 --max 500 --json"
    okapi(f"{line} --out {tmp_path / 'there.samples'}", 2)
    assert 500 == json.loads(capsys.readouterr().out)["positions"]

    assert 0 == main(shlex.split(f"{line} --out {tmp_path / 'here.samples'}"))
    assert (tmp_path / "here.samples").read_bytes() == (tmp_path / "there.samples").read_bytes()


def test_evolve(okapi: Callable[[str, int], None], tmp_path: Path) -> None:
    line = "evolve vazquez-28 --size tiny"
    okapi(f"{line} --out {tmp_path / 'there'}", 2)

    assert 0 == main(shlex.split(f"{line} --threads 1 --out {tmp_path / 'here'}"))
    assert_same_run(tmp_path)


def test_an_evolution_by_results_of_games(cluster: Any, tmp_path: Path) -> None:
    make = find_recipe("vazquez-28-results").make
    there = RayExecutor(cluster.address)
    try:
        run_evolution(make(RecipeConfig("tiny", executor=there)), tmp_path / "there")
    finally:
        there.close()
    run_evolution(make(RecipeConfig("tiny", executor=ThreadExecutor(3))), tmp_path / "here")

    assert_same_run(tmp_path)


def assert_same_run(folder: Path) -> None:
    for file in (BRAIN, f"{CHAMPIONS}/0003.safetensors"):
        assert (folder / "here" / file).read_bytes() == (folder / "there" / file).read_bytes()


def test_a_league_trains_and_plays_there(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All machines see its folder. A node is killed after the first round of games."""
    samples = np.zeros(1500, SAMPLE)
    samples["position"] = random_positions(len(samples), seed=1)
    samples["move"] = [unpack(one).legal_moves()[0].bits for one in samples["position"]]
    samples["value"], samples["game"], samples["result"] = np.arange(1500) % 300, np.arange(1500) // 10, -1
    write_samples(tmp_path / "labels.samples", [samples])
    line = f"league --size tiny --ways five 28-hooke --budgets 400 --labels {tmp_path / 'labels.samples'}"
    assert 0 == main(shlex.split(f"{line} --out {tmp_path / 'here'} --concurrency 1"))
    doomed = [cluster.add_node(**SMALL)]
    cluster.wait_for_nodes()
    following = Pool._next
    seen: list[str] = []

    def following_or_kill(self: Pool, *ratings: Any) -> dict[tuple[str, str], int]:
        seen.append(self.name)
        if doomed:
            cluster.remove_node(doomed.pop(), allow_graceful=False)
        return following(self, *ratings)

    monkeypatch.setattr(Pool, "_next", following_or_kill)
    assert 0 == main(shlex.split(f"{line} --out {tmp_path / 'there'} --cluster {cluster.address}"))
    here, there = (LeagueResult.read(tmp_path / name / RESULT) for name in ("here", "there"))

    assert len(seen) > 2 and not doomed
    assert here.pools == there.pools and 3 == len(there.brains)
    for brain in there.brains:
        first, second = (read_tensors(tmp_path / where / BRAINS / brain.name / BRAIN) for where in ("here", "there"))
        assert first.keys() == second.keys() and all(np.array_equal(first[name], second[name]) for name in first)


def test_an_error_of_an_engine_there_is_an_error_here(
    cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = f"label {OPENINGS} --engine {okapi_uci()} --option Hush=1 --nodes 100 --cluster {cluster.address}"

    assert 2 == main(shlex.split(f"{line} --out {tmp_path / 'x.samples'}"))
    assert "Hush" in capsys.readouterr().err
