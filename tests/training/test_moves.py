"""A move network learns which move is best, goes on where it was stopped, and is judged by ranks."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from okapi.core.packed import legal_moves, random_positions, rows  # noqa: E402
from okapi.errors import Unfinished, UsageError  # noqa: E402
from okapi.models.move_network import LETTER, Design, MoveNetworkModule, chances, ranks  # noqa: E402
from okapi.training.moves import (  # noqa: E402
    MoveConfig,
    MoveDataset,
    evaluate_moves,
    read_move_network,
    train_moves,
)
from okapi.training.report import TrainingReport  # noqa: E402
from okapi.training.trainer import TrainingProgress  # noqa: E402

SMALL = {"position": 4, "pieces": 4, "squares": 4, "move": 8, "joined": 8, "hidden": 4}
CPU = torch.device("cpu")


def highest(positions: np.ndarray) -> np.ndarray:
    """Move.bits of the move that ends on the last square: something to be learned."""
    legal = legal_moves(positions)
    best = np.zeros(len(positions), np.uint16)
    order = np.lexsort((legal.bits >> 6 & 63, legal.rows))
    best[legal.rows[order]] = legal.bits[order]  # the last of each position stays
    return best


@pytest.fixture(scope="module")
def samples() -> MoveDataset:
    torch.set_num_threads(1)
    positions = random_positions(400, seed=1)
    positions = positions[np.diff(legal_moves(positions).starts) > 0]
    quiet = np.arange(len(positions)) % 2
    return MoveDataset.from_positions(rows(positions).copy(), highest(positions), quiet, Design(**SMALL), CPU)


def plan(**changes: object) -> MoveConfig:
    usual = {"design": Design(**SMALL), "batch": 64, "epochs": 6, "schedule": {"name": "constant"}}
    return MoveConfig(**{**usual, "optimiser": {"name": "adam", "lr": 0.01}, **changes})


def test_the_best_move_is_learned(samples: MoveDataset, tmp_path: Path) -> None:
    report = train_moves(plan(), samples, samples, samples, tmp_path)

    assert report.curve[0]["validation_loss"] > report.test["loss"]
    assert report.test["accuracy"] > 0.3  # by chance it would be a twentieth
    assert sum(report.test["ranks"]) == len(samples) == 2 * report.test["quiet_count"]
    assert evaluate_moves(read_move_network(tmp_path), samples) == report.test


def test_training_goes_on_where_it_was_stopped(samples: MoveDataset, tmp_path: Path) -> None:
    stops = iter([False, True, False, True])
    for _ in range(2):
        with pytest.raises(Unfinished):
            train_moves(plan(), samples, samples, samples, tmp_path / "a", stop=lambda: next(stops))
    seen: list[TrainingProgress] = []
    stopped = train_moves(plan(), samples, samples, samples, tmp_path / "a", watch=seen.append)
    whole = train_moves(plan(), samples, samples, samples, tmp_path / "b")

    assert stopped.test == whole.test
    assert len(whole.curve) == 6
    assert seen
    assert (tmp_path / "a" / "learned.npz").read_bytes() == (tmp_path / "b" / "learned.npz").read_bytes()
    with pytest.raises(UsageError, match="other settings"):
        train_moves(plan(epochs=7), samples, samples, samples, tmp_path / "b")
    assert TrainingReport.read(tmp_path / "b") == whole


def test_the_thesis_way_judges_each_move_alone_in_two_passes(tmp_path: Path) -> None:
    positions = random_positions(100, seed=2)
    positions = positions[np.diff(legal_moves(positions).starts) > 0]
    design = Design(**{**SMALL, "moves": LETTER, "hidden": 0})
    taught = MoveDataset.from_positions(
        rows(positions).copy(), highest(positions), np.ones(len(positions)), design, CPU
    )

    report = train_moves(plan(design=design, epochs=2), taught, taught, taught, tmp_path)

    assert report.curve[1]["train_loss"] < report.curve[0]["train_loss"]


def test_ranks_and_chances_are_within_positions() -> None:
    scores, where = torch.tensor([1.0, 3.0, 2.0, 5.0, 7.0]), torch.tensor([0, 0, 0, 1, 1])

    assert [2, 0, 1, 1, 0] == ranks(scores, where, torch.tensor([3, 2])).tolist()
    likely = chances(scores, where, 2).exp()
    assert torch.allclose(torch.zeros(2).index_add(0, where, likely), torch.ones(2))


def test_a_network_has_one_number_for_each_move(samples: MoveDataset) -> None:
    batch = samples.take(torch.tensor([3, 5]))
    network = MoveNetworkModule(Design(**SMALL))

    together = network(batch.features, batch.moves, batch.rows)
    alone = network(
        batch.features[1:], batch.moves[batch.counts[0] :], torch.zeros(int(batch.counts[1]), dtype=torch.int64)
    )
    assert torch.allclose(together[batch.counts[0] :], alone, atol=1e-6)
