"""A real Ray cluster on this machine raises the same brain as threads do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from okapi.brains.library import BRAIN
from okapi.optimize.executor import RayExecutor, ThreadExecutor
from okapi.recipes import find_recipe
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import CHAMPIONS, run_evolution

ray = pytest.importorskip("ray", reason="pip install 'okapi-chess[cluster]'")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from ray.cluster_utils import Cluster as Machines

    small = {"num_cpus": 2, "object_store_memory": 100_000_000, "include_dashboard": False}
    running = Machines(initialize_head=True, head_node_args=small)
    yield running
    ray.shutdown()
    running.shutdown()


def test_the_same_brain_here_and_there(cluster: Any, tmp_path: Path) -> None:
    executor = RayExecutor(cluster.address)
    try:
        run_evolution(
            find_recipe("vazquez-28-results").make(RecipeConfig("tiny", executor=executor)), tmp_path / "there"
        )
        run_evolution(find_recipe("vazquez-28").make(RecipeConfig("tiny", executor=executor)), tmp_path / "there-28")
    finally:
        executor.close()
    run_evolution(
        find_recipe("vazquez-28-results").make(RecipeConfig("tiny", executor=ThreadExecutor(1))), tmp_path / "here"
    )
    run_evolution(
        find_recipe("vazquez-28").make(RecipeConfig("tiny", executor=ThreadExecutor(3))), tmp_path / "here-28"
    )

    for run in ("", "-28"):
        for file in (BRAIN, f"{CHAMPIONS}/0003.safetensors"):
            assert (tmp_path / f"here{run}" / file).read_bytes() == (tmp_path / f"there{run}" / file).read_bytes()
