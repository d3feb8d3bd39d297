"""From games to a move network: inner nodes that are labelled once, jobs that travel, a brain, and its tables."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from played_games import played, stored  # noqa: E402

from okapi.brains import card, predictor  # noqa: E402
from okapi.cli import main as okapi  # noqa: E402
from okapi.core.keys import position_keys  # noqa: E402
from okapi.core.packed import pack_fens  # noqa: E402
from okapi.data.samples import Samples  # noqa: E402
from okapi.errors import InvalidSamples, UsageError  # noqa: E402
from okapi.recipes.arrays import TEST, TRAIN, VALIDATION  # noqa: E402
from okapi.recipes.inner_nodes import (  # noqa: E402
    InnerNodes,
    InnerNodesConfig,
    MoveNetworkJobs,
    inner_nodes,
    is_quiet,
    label_inner_nodes,
    parts_of_games,
    rank_best_moves,
    rank_tables,
    write_move_brain,
)
from okapi.recipes.jobs import open_jobs  # noqa: E402
from okapi.training.moves import MOVE_CONFIGS  # noqa: E402


@pytest.fixture(scope="module")
def gathering(tmp_path_factory: pytest.TempPathFactory) -> InnerNodesConfig:
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("games")
    stored(folder / "games.okapi", [played(seed) for seed in range(60)])
    return InnerNodesConfig(
        store=folder / "games.okapi", brain="material", root_nodes=60, each=2, nodes=20, positions=600
    )


@pytest.fixture(scope="module")
def labelled(gathering: InnerNodesConfig, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("inner") / "inner.samples"
    label_inner_nodes(gathering, path)
    return path


def test_labelling_goes_on_and_comes_to_the_same_bytes(
    gathering: InnerNodesConfig, labelled: Path, tmp_path: Path
) -> None:
    path, seen = tmp_path / "inner.samples", list[tuple[int, int]]()
    label_inner_nodes(replace(gathering, positions=100), path)
    count = label_inner_nodes(gathering, path, threads=2, watch=lambda *now: seen.append(now))

    assert path.read_bytes() == labelled.read_bytes()
    assert count == len(Samples.open(path)) >= 600
    assert 100 < seen[0][0] <= seen[-1][0] == count and seen[0][1] == 600
    with pytest.raises(InvalidSamples, match="other settings"):
        label_inner_nodes(replace(gathering, nodes=21), path)
    with pytest.raises(InvalidSamples, match="inner nodes, not more"):
        label_inner_nodes(replace(gathering, positions=10**6), tmp_path / "more.samples")


def test_nothing_that_is_kept_out_is_trained_on(labelled: Path) -> None:
    nodes = inner_nodes(Samples.open(labelled))
    parts = {number: nodes.part(number) for number in (TRAIN, VALIDATION, TEST)}
    keys = position_keys(np.ascontiguousarray(nodes.positions).view(Samples.open(labelled)[:1]["position"].dtype)[:, 0])

    assert len(np.unique(keys)) == len(keys) == sum(len(part.moves) for part in parts.values())
    assert len(parts[TRAIN].moves) > 10 * len(parts[TEST].moves) > 0
    shares = np.bincount(parts_of_games(np.arange(100_000)), minlength=3) / 100_000
    np.testing.assert_allclose(shares, [0.96, 0.01, 0.03], atol=0.003)


def test_a_winning_capture_is_not_quiet() -> None:
    positions = pack_fens(["4k3/8/8/3p4/8/8/3R4/4K3 w - - 0 1", "4k3/8/4p3/3p4/8/8/3R4/4K3 w - - 0 1"])
    takes, steps = 11 | 35 << 6, 11 | 19 << 6  # d2d5, d2d3

    assert [is_quiet(positions[0], takes), is_quiet(positions[1], takes)] == [False, True]
    assert is_quiet(positions[0], steps)


def test_the_whole_way(labelled: Path, tmp_path: Path) -> None:
    folder, brain = tmp_path / "jobs", tmp_path / "mine.safetensors"
    samples = Samples.open(labelled)
    config = replace(MOVE_CONFIGS["ours"], epochs=1, batch=128)
    written = MoveNetworkJobs.write(folder, inner_nodes(samples), {"ours": config})

    assert sum(written.counts().values()) == len(inner_nodes(samples).moves)
    jobs = open_jobs(folder)
    assert isinstance(jobs, MoveNetworkJobs)
    jobs.train("ours", "cpu", lambda now: None, lambda: False)
    report = jobs.report("ours")
    assert report is not None
    write_move_brain(folder / "ours", brain, "mine")
    found = samples[:]
    tables = rank_tables(found, str(brain))
    assert tables["table_4"][-1][1] == tables["table_5"][-1][1] == 100.0

    kept_out = found[parts_of_games(found["game"]) == TEST]
    once = np.unique(position_keys(kept_out["position"].copy()), return_index=True)[1]
    assert rank_best_moves(predictor(str(brain)), kept_out[np.sort(once)]).all == report.test["ranks"]


def test_the_recipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored(tmp_path / "games.okapi", [played(seed) for seed in range(60)])
    command = ["train", "giraffe-moves", "--games", str(tmp_path / "games.okapi"), "--size", "tiny", "--json"]
    command += ["--brain", "material", "--threads", "1", "--device", "cpu", "--out", str(tmp_path / "run")]

    assert okapi(command) == 0
    figures = json.loads(capsys.readouterr().out)
    assert card(figures["brain"]).predicts_moves and figures["train"] > 100
    assert okapi(command) == 0
    assert figures == json.loads(capsys.readouterr().out), "a finished run is only read"


def test_a_course_keeps_its_positions(labelled: Path, tmp_path: Path) -> None:
    nodes = inner_nodes(Samples.open(labelled), most=50)
    with pytest.raises(UsageError, match="no inner nodes"):
        MoveNetworkJobs.write(tmp_path, None, {})
    nodes.write(tmp_path)

    read = InnerNodes.read(tmp_path)
    assert read.fingerprint() == InnerNodes.read(tmp_path).fingerprint()
    np.testing.assert_array_equal(nodes.moves, read.moves)
    assert not read.positions[:, 26:].any()
    np.testing.assert_array_equal(nodes.positions[:, :26], read.positions[:, :26])
