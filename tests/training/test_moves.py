"""A move network learns which move is best, goes on where it was stopped, and is judged by ranks."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from okapi.core.packed import (  # noqa: E402
    legal_moves,
    pack_fens,
    random_positions,
    rows,
)
from okapi.encodings import move_features  # noqa: E402
from okapi.errors import Unfinished, UsageError  # noqa: E402
from okapi.models.move_features import (  # noqa: E402
    COLUMNS,
    QUESTIONS,
    boards,
    columns,
    plain_features,
)
from okapi.models.move_features import legal_moves as torch_moves  # noqa: E402
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
def lessons() -> MoveDataset:
    torch.set_num_threads(1)
    positions = random_positions(400, seed=1)
    positions = positions[np.diff(legal_moves(positions).starts) > 0]
    quiet = np.arange(len(positions)) % 2
    return MoveDataset.from_positions(rows(positions).copy(), highest(positions), quiet, Design(**SMALL), CPU)


def plan(**changes: object) -> MoveConfig:
    usual = {"design": Design(**SMALL), "batch": 64, "epochs": 6, "schedule": {"name": "constant"}}
    return MoveConfig(**{**usual, "optimiser": {"name": "adam", "lr": 0.01}, **changes})


def test_the_best_move_is_learned(lessons: MoveDataset, tmp_path: Path) -> None:
    report = train_moves(plan(), lessons, lessons, lessons, tmp_path)

    assert report.curve[0]["validation_loss"] > report.test["loss"]
    assert report.test["accuracy"] > 0.3  # by chance it would be a twentieth
    assert sum(report.test["ranks"]) == len(lessons) == 2 * report.test["quiet_count"]
    assert evaluate_moves(read_move_network(tmp_path), lessons) == report.test


def test_training_goes_on_where_it_was_stopped(lessons: MoveDataset, tmp_path: Path) -> None:
    stops = iter([False, True, False, True])
    for _ in range(2):
        with pytest.raises(Unfinished):
            train_moves(plan(), lessons, lessons, lessons, tmp_path / "a", stop=lambda: next(stops))
    seen: list[TrainingProgress] = []
    stopped = train_moves(plan(), lessons, lessons, lessons, tmp_path / "a", watch=seen.append)
    whole = train_moves(plan(), lessons, lessons, lessons, tmp_path / "b")

    assert stopped.test == whole.test
    assert len(whole.curve) == 6
    assert seen
    assert (tmp_path / "a" / "learned.npz").read_bytes() == (tmp_path / "b" / "learned.npz").read_bytes()
    with pytest.raises(UsageError, match="other settings"):
        train_moves(plan(epochs=7), lessons, lessons, lessons, tmp_path / "b")
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


def test_columns_answer_every_question_once() -> None:
    on = boards(torch.from_numpy(rows(random_positions(300, seed=3)).copy()))
    found = columns(on, torch_moves(on)).long()

    sizes = [int(np.prod(answers)) for answers in QUESTIONS.values()]
    ends = np.cumsum(sizes)
    assert COLUMNS == ends[-1]
    assert bool((found >= torch.from_numpy(ends - sizes)).all())
    assert bool((found < torch.from_numpy(ends)).all())


def answer(fen: str, uci: str, question: str) -> tuple[int, ...]:
    """What is answered of one move."""
    on = boards(torch.from_numpy(rows(pack_fens([fen])).copy()))
    moves = torch_moves(on)
    names = ["abcdefgh"[s & 7] + str(1 + (s >> 3)) for s in range(64)]
    turned = 56 if " b " in fen else 0
    pairs = zip(moves.origin.tolist(), moves.target.tolist(), strict=True)
    row = [names[a ^ turned] + names[b ^ turned] for a, b in pairs].index(uci)
    place = [*QUESTIONS].index(question)
    first = sum(int(np.prod(answers)) for answers in [*QUESTIONS.values()][:place])
    return tuple(int(n) for n in np.unravel_index(int(columns(on, moves)[row, place]) - first, QUESTIONS[question]))


FORK = "4k3/2q5/8/1p6/8/2N5/1P3r2/4K3 w - - 0 1"  # a knight may go to d5, and looks at c7 from there


@pytest.mark.parametrize(
    ("fen", "uci", "question", "expected"),
    [
        (FORK, "c3b5", "takes", (1, 0)),
        (FORK, "c3d5", "takes", (1, 6)),
        (FORK, "c3d5", "attacks", (1, 5)),
        (FORK, "c3d5", "threatens", (1, 5)),
        (FORK, "c3d5", "check", (1, 0, 0)),
        (FORK, "c3b5", "target", (1, 6, 0)),
        (FORK, "c3d5", "origin", (1, 4, 1)),
        (FORK, "c3d5", "danger", (1, 0, 0)),  # the pawn on b2
        (FORK, "c3d5", "mobility", (1, 4)),
        (FORK, "e1f2", "takes", (5, 3)),
        (FORK, "e1f2", "king", (5, 6)),
        ("4k3/8/8/3r4/3R4/2P5/8/4K3 w - - 0 1", "c3c4", "leaves", (0, 4)),
        ("4k3/8/8/8/8/2P5/8/4K3 w - - 0 1", "c3c4", "pawn", (11,)),
        ("4k3/1p6/8/8/8/2P5/8/4K3 b - - 0 1", "b7b5", "pawn", (3,)),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "to", (5, 6)),
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "to", (5, 2)),
    ],
)
def test_questions_by_hand(fen: str, uci: str, question: str, expected: tuple[int, ...]) -> None:
    assert expected == answer(fen, uci, question)


def test_plain_features_are_those_of_the_encoding() -> None:
    positions = random_positions(200, seed=4)
    on = boards(torch.from_numpy(rows(positions).copy()))
    moves = torch_moves(on)
    bits = moves.bits(on.black).numpy()

    expected = move_features(positions[moves.rows.numpy()], bits)[:, :14]
    np.testing.assert_allclose(plain_features(moves, on.black).numpy(), expected, atol=1e-6)


def test_ranks_and_chances_are_within_positions() -> None:
    scores, where = torch.tensor([1.0, 3.0, 2.0, 5.0, 7.0]), torch.tensor([0, 0, 0, 1, 1])

    assert [2, 0, 1, 1, 0] == ranks(scores, where, torch.tensor([3, 2])).tolist()
    likely = chances(scores, where, 2).exp()
    assert torch.allclose(torch.zeros(2).index_add(0, where, likely), torch.ones(2))


def test_a_network_has_one_number_for_each_move(lessons: MoveDataset) -> None:
    batch = lessons.take(torch.tensor([3, 5]))
    network = MoveNetworkModule(Design(**SMALL))

    together = network(batch.features, batch.moves, batch.rows)
    alone = network(
        batch.features[1:], batch.moves[batch.counts[0] :], torch.zeros(int(batch.counts[1]), dtype=torch.int64)
    )
    assert torch.allclose(together[batch.counts[0] :], alone, atol=1e-6)
