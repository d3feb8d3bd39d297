"""A real Ray cluster on this machine raises the same brain as threads do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from okapi.optimize.crew import Cluster, Threads
from okapi.recipes.order import Order
from okapi.recipes.raising import BRAIN, CHAMPIONS, raise_brain
from okapi.recipes.recipe import find_recipe

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
    crew = Cluster(cluster.address)
    try:
        raise_brain(find_recipe("vazquez-28-results")(Order("tiny", crew=crew)), tmp_path / "there")
        raise_brain(find_recipe("vazquez-28")(Order("tiny", crew=crew)), tmp_path / "there-28")
    finally:
        crew.close()
    raise_brain(find_recipe("vazquez-28-results")(Order("tiny", crew=Threads(1))), tmp_path / "here")
    raise_brain(find_recipe("vazquez-28")(Order("tiny", crew=Threads(3))), tmp_path / "here-28")

    for run in ("", "-28"):
        for file in (BRAIN, f"{CHAMPIONS}/0003.safetensors"):
            assert (tmp_path / f"here{run}" / file).read_bytes() == (tmp_path / f"there{run}" / file).read_bytes()
