"""From samples to a brain: packed, trained, broken off and resumed, exported; and what is refused on the way."""

import gc
import time
from dataclasses import replace
from pathlib import Path

import nnue_twin
import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")

from okapi import brains  # noqa: E402
from okapi.brains.nnue import QuantisedLayeredNnue, QuantisedNnue  # noqa: E402
from okapi.core.evaluation import evaluate  # noqa: E402
from okapi.core.packed import SAMPLE, random_positions  # noqa: E402
from okapi.core.samples import quiet  # noqa: E402
from okapi.data.samples import SampleWriter  # noqa: E402
from okapi.errors import InvalidBrain, InvalidSamples, NotFound, Unfinished, UsageError  # noqa: E402
from okapi.models.nnue import Nnue, whole_values  # noqa: E402
from okapi.training.__main__ import main  # noqa: E402
from okapi.training.nnue import (  # noqa: E402
    MAX_SUM,
    WEIGHTS_FILE,
    NnueConfig,
    NnueDataset,
    clip_weights,
    read_weights,
    starting_weights,
    target_scores,
    train_nnue,
)
from okapi.training.nnue_export import export_brain, quantised  # noqa: E402
from okapi.training.report import TrainingReport  # noqa: E402
from okapi.training.shards import NO_RESULT, PackingConfig, Shard, boards_of, find_shards, load_shards, pack_samples  # noqa: E402

TINY = NnueConfig(neurons=32, batch=128, epochs=3, rate=0.01, dropout=0.1, result=0, last_result=0)
CPU = torch.device("cpu")


def made_up(count: int) -> Shard:
    return Shard(
        boards=np.zeros((count, 32), np.uint8),
        black=np.zeros(count, np.uint8),
        values=np.zeros(count, np.int16),
        results=np.full(count, NO_RESULT, np.int8),
        validation=0,
        about={},
    )


def yield_to_others(*_: object) -> None:
    time.sleep(0)


@pytest.fixture(scope="module")
def samples() -> NDArray[np.void]:
    """Random games, with the material count as the teacher."""
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    rows = np.zeros(6000, SAMPLE)
    rows["position"] = random_positions(len(rows), seed=2)
    rows["value"] = evaluate([brains.evaluator("material")], rows["position"], threads=1)[0]
    rows["result"] = rng.integers(-1, 2, len(rows), endpoint=True)
    rows["flags"] = rng.integers(0, 1, len(rows), endpoint=True)
    rows["ply"] = rows["position"]["fullmove_number"] * 2
    rows["game"] = np.cumsum(rows["position"]["fullmove_number"] == 1) // 2
    return rows


@pytest.fixture(scope="module")
def file(samples: NDArray[np.void], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("samples") / "made.samples"
    with SampleWriter.open(path) as writer:
        writer.append(samples)
    return path


@pytest.fixture(scope="module")
def data(file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    pack_samples([file], folder, PackingConfig(validation=0.2), rows_per_shard=2500)
    return folder


@pytest.fixture(scope="module")
def run(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    train_nnue(TINY, [data], folder, device="cpu")
    return folder


def test_parts_hold_what_can_be_learned(samples: NDArray[np.void], data: Path) -> None:
    kept = samples[quiet(samples) & (samples["ply"] >= 8)]
    parts = [Shard.read(path) for path in find_shards([data])]

    assert 3 == len(parts)
    assert len(kept) == sum(map(len, parts))
    boards = np.concatenate([part.boards for part in parts])
    assert sorted(map(bytes, boards)) == sorted(map(bytes, boards_of(kept["position"])))
    told = np.concatenate([part.results for part in parts])
    assert (kept["result"][kept["flags"] == 0] >= 0).sum() == (told != NO_RESULT).sum()


def test_where_nobody_wrote_plies_down_none_is_too_early(samples: NDArray[np.void]) -> None:
    rows = samples[quiet(samples)]
    early = PackingConfig().filters(rows).keep(rows)
    rows["ply"] = rows["position"]["turn"]  # as FENs without numbers have it

    assert early.sum() < len(rows) == PackingConfig().filters(rows).keep(rows).sum()


def test_a_file_without_anything_to_learn_is_refused(samples: NDArray[np.void], tmp_path: Path) -> None:
    with SampleWriter.open(tmp_path / "noise.samples") as writer:
        writer.append(samples[~quiet(samples)])

    with pytest.raises(InvalidSamples, match=r"nothing to learn in `.*noise\.samples`"):
        pack_samples([tmp_path / "noise.samples"], tmp_path / "data")


def test_no_game_is_on_both_sides(samples: NDArray[np.void], data: Path) -> None:
    taught, asked = load_shards(find_shards([data]))
    games = {bytes(board): game for board, game in zip(boards_of(samples["position"]), samples["game"], strict=True)}

    apart = [{games[bytes(board)] for board in part.boards} for part in (taught, asked)]
    assert not apart[0] & apart[1]
    assert len(asked) > 100


def test_what_is_packed_already_stays(file: Path, data: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in find_shards([data])}
    last = max(before)
    last.unlink()
    again = pack_samples([file], data, PackingConfig(validation=0.2), rows_per_shard=2500)

    assert again.shards == sorted(before)
    assert [path for path in before if path.stat().st_mtime_ns != before[path]] == [last]


def test_validation_boards_are_never_taught(data: Path) -> None:
    taught, asked = (NnueDataset.from_shard(part, CPU) for part in load_shards(find_shards([data])))
    both = NnueDataset(*(torch.cat([getattr(part, name) for part in (taught, asked)]) for name in taught.__slots__))

    left = both.without(asked)
    shown = {bytes(board) for board in asked.codes.numpy()}
    assert 0 < len(left) <= len(taught)
    assert not shown & {bytes(board) for board in left.codes.numpy()}


def test_targets_blend_results_where_there_are_some() -> None:
    some = torch.zeros(3, 64, dtype=torch.uint8)
    values, results = torch.tensor([0, 0, 400], dtype=torch.int16), torch.tensor([2, -1, 0], dtype=torch.int8)
    samples = NnueDataset(some, torch.zeros(3, dtype=torch.bool), values, results)

    assert np.allclose([0.5 + 0.25 * 0.5, 0.5, 0.75 * 10 / 11], target_scores(samples, torch.tensor(0.25)))


def test_it_learns(data: Path, run: Path) -> None:
    report = train_nnue(TINY, [data], run, device="cpu")  # finished before, and only read

    assert 3 == report.epochs
    assert report.curve[-1]["train_loss"] < 0.3 * report.curve[0]["train_loss"]
    assert report.train["loss"] < report.validation["loss"]  # twenty games are soon known by heart


def test_a_broken_off_training_ends_with_the_same_weights(data: Path, run: Path, tmp_path: Path) -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked % 3 == 0

    for _ in range(50):
        try:
            train_nnue(TINY, [data], tmp_path, device="cpu", stop=stop)
            break
        except Unfinished:
            pass

    assert asked > 3
    assert (run / WEIGHTS_FILE).read_bytes() == (tmp_path / WEIGHTS_FILE).read_bytes()


def test_a_folder_is_for_one_plan(data: Path, run: Path) -> None:
    with pytest.raises(UsageError, match="other settings: epochs 3, not 4"):
        train_nnue(replace(TINY, epochs=4), [data], run, device="cpu")


def test_a_brain_says_what_was_learned(data: Path, run: Path, tmp_path: Path) -> None:
    taught, asked = load_shards(find_shards([data]))
    told = export_brain(run, tmp_path / "made.safetensors", name="made", sample=asked)
    card = brains.card(str(told.brain)).details()

    assert told.positions == len(asked) and told.most_centipawns < 20
    assert 32 == card["settings"]["neurons"]
    assert len(taught) >= card["data"]["positions"] > 1000
    positions = random_positions(200, seed=9)
    whole = nnue_twin.values(QuantisedNnue.open(told.brain), positions)
    np.testing.assert_array_equal(whole, evaluate([brains.evaluator(str(told.brain))], positions, threads=1)[0])


def test_king_buckets_start_from_a_brain_without(data: Path, run: Path, tmp_path: Path) -> None:
    """Values before the first step are the brain's; after some, buckets differ, and the core agrees."""
    _, held = load_shards(find_shards([data]))
    brain = export_brain(run, tmp_path / "one.safetensors", name="one").brain
    more = replace(TINY, king_buckets=4, epochs=1)
    dataset = NnueDataset.from_shard(held, torch.device("cpu"))
    network = Nnue(TINY.neurons, TINY.buckets, king_buckets=4)
    network.load_state_dict(starting_weights(brain, more))
    outputs = network(dataset.codes, dataset.turned, sparse=True).detach() * TINY.scale
    one = QuantisedNnue.open(brain)
    whole = whole_values(one.tensors(), one.scale, dataset.codes, dataset.turned)
    assert (outputs - whole).abs().max() < 2

    train_nnue(more, [data], tmp_path / "four", warm_start=brain, device="cpu")
    exported = export_brain(tmp_path / "four", tmp_path / "four.safetensors", name="four", sample=held, fit=held)
    four = QuantisedNnue.open(exported.brain)
    parts = four.weight.reshape(4, 768, -1)
    assert (parts[0] != parts[3]).any()
    positions = random_positions(200, seed=9)
    core = evaluate([brains.evaluator(str(exported.brain))], positions, threads=1)[0]
    np.testing.assert_array_equal(nnue_twin.values(four, positions), core)


@pytest.mark.parametrize("king_buckets", [1, 4])
def test_layers_are_trained_and_exported_as_they_are_rounded(data: Path, king_buckets: int, tmp_path: Path) -> None:
    _, held = load_shards(find_shards([data]))
    config = replace(TINY, neurons=64, epochs=6, rate=0.003, dropout=0, layers=True, king_buckets=king_buckets)
    report = train_nnue(config, [data], tmp_path / "run", device="cpu")
    exported = export_brain(tmp_path / "run", tmp_path / "made.safetensors", name="made", sample=held, fit=held)

    assert report.curve[-1]["train_loss"] < 0.5 * report.curve[0]["train_loss"]
    assert exported.mean_centipawns < 3
    positions = random_positions(200, seed=9)
    core = evaluate([brains.evaluator(str(exported.brain))], positions, threads=1)[0]
    whole = QuantisedLayeredNnue.open(exported.brain)
    np.testing.assert_array_equal(nnue_twin.layered_values(whole, positions), core)
    again = replace(config, epochs=1, rate=1e-5)
    train_nnue(again, [data], tmp_path / "again", warm_start=exported.brain, device="cpu")
    assert report.train["loss"] == pytest.approx(TrainingReport.read(tmp_path / "again").train["loss"], rel=0.05)


def test_weights_stay_where_whole_numbers_can_follow() -> None:
    network = Nnue(512, 2)
    with torch.no_grad():
        network.output.weight.fill_(3)
        network.accumulator.weight.fill_(-3)
    clip_weights(network, 1.98)

    assert network.output.weight.sum(dim=1).max() < MAX_SUM
    assert -505 == quantised(network.state_dict(), 174).weight.min()


def test_output_weights_use_their_bits() -> None:
    torch.manual_seed(1)
    weights = Nnue(64, 4).state_dict()
    whole = quantised(weights, 1000)

    assert 120 < np.abs(whole.output_weight).max() <= 127
    np.testing.assert_allclose(
        weights["output.weight"] * 1000, whole.output_weight / 64 * whole.scale, atol=whole.scale / 64
    )


def test_weights_that_do_not_fit_are_refused(run: Path) -> None:
    weights = read_weights(run / WEIGHTS_FILE)
    weights["output.weight"][0, 0] = 2.5

    with pytest.raises(InvalidBrain, match=r"output.weight.* to 160, and has to fit -128 to 127"):
        quantised(weights, 174)


def test_many_parts_at_a_time(tmp_path: Path) -> None:
    """With as many changes of threads in the midst of reading as can be had."""
    for number in range(150):
        made_up(2).write(tmp_path / f"{number:03d}.part.npz")
    threshold = gc.get_threshold()
    gc.callbacks.append(yield_to_others)
    gc.set_threshold(20)
    try:
        taught, _ = load_shards(find_shards([tmp_path]), threads=8)
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(yield_to_others)

    assert len(taught) == 300


def test_damaged_parts_and_none(data: Path, tmp_path: Path) -> None:
    whole = find_shards([data])[0].read_bytes()
    damaged = tmp_path / "a.part.npz"
    damaged.write_bytes(whole[:1000] + bytes([whole[1000] ^ 1]) + whole[1001:])

    with pytest.raises(InvalidSamples, match="not a shard of packed positions"):
        Shard.read(damaged)
    with pytest.raises(NotFound, match="no packed positions"):
        find_shards([tmp_path.parent])


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("neurons=100", "multiple of 32"),
        ("neuron=64", "did you mean"),
        ("rate=much", "`rate` is 'much'"),
        ("layer=deep", "auto"),
    ],
)
def test_plans_that_cannot_be(change: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["train", "nowhere", "--out", "nowhere", "--change", change])
    assert says in capsys.readouterr().err.lower()


def test_three_commands(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, run, brain = (str(tmp_path / name) for name in ("data", "run", "brain.safetensors"))
    changes = ("--change", "neurons=32", "--change", "epochs=1", "--change", "batch=512")

    assert 0 == main(["pack", str(file), "--to", data, "--validation", "0.1"])
    assert 4 == main(["train", data, "--out", run, "--device", "cpu", "--seconds", "0", *changes])
    assert 0 == main(["train", data, "--out", run, "--device", "cpu", *changes])
    assert 0 == main(["export", run, "--to", brain, "--data", data, "--passport", "parent=a = b", "--json"])
    assert '"positions": ' in capsys.readouterr().out
    assert brains.card(brain).metadata["parent"] == "a = b"
    assert 2 == main(["export", run, "--to", brain, "--card", "parent"])
    assert 3 == main(["export", data, "--to", brain])
