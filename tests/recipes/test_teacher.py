"""Few labels made many: what a ResNet is asked about, what it learns, and what it says, against slower ways."""

import itertools
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np
import pytest

torch = pytest.importorskip("torch")


from okapi import brains  # noqa: E402
from okapi.cli import main as okapi  # noqa: E402
from okapi.core.evaluation import evaluate  # noqa: E402
from okapi.core.packed import pack_fens, random_positions  # noqa: E402
from okapi.data.store import Store  # noqa: E402
from okapi.errors import NotFound, UsageError  # noqa: E402
from okapi.models.express import express  # noqa: E402
from okapi.models.nnue import one_hot  # noqa: E402
from okapi.models.torch_boards import GIRAFFE_VALUES, plain_codes, raw_codes_of_mover  # noqa: E402
from okapi.recipes.config import RecipeConfig  # noqa: E402
from okapi.recipes.run import RecipeRun  # noqa: E402
from okapi.recipes.teacher import PositionFilter, game_positions, hanging, label_games  # noqa: E402
from okapi.training.__main__ import main as nnue  # noqa: E402
from okapi.training.nnue import (  # noqa: E402
    LOGIT_CENTIPAWNS,
    NnueDataset,
)
from okapi.training.resnet import (  # noqa: E402
    ResNetConfig,
    ResNetLabeller,
    input_planes,
    label_positions,
    make_resnet,
    train_resnet,
)
from okapi.training.shards import NO_RESULT, PackingConfig, Shard, boards_of, find_shards, load_shards, validation_mask  # noqa: E402
from okapi.training.trainer import TrainingProgress  # noqa: E402

from .test_game_jobs import stored  # noqa: E402

CPU = torch.device("cpu")
SMALL = ResNetConfig(blocks=1, channels=8, squeeze=4, head=4, hidden=8, batch=64, seconds=2.0, looks=2, warmup=5)
WORTHS = dict(zip(range(1, 7), GIRAFFE_VALUES, strict=True))
"""By python-chess's numbers of kinds."""


def part_of(positions: "np.ndarray[tuple[int], np.dtype[np.void]]", validation: int = 0) -> Shard:
    """With the material count as the teacher."""
    return Shard(
        boards=boards_of(positions),
        black=positions["turn"],
        values=evaluate([brains.evaluator("material")], positions, threads=1)[0].astype(np.int16),
        results=np.full(len(positions), NO_RESULT, np.int8),
        validation=validation,
        about={"source": "made up"},
    )


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return stored(tmp_path_factory.mktemp("games"), seed=5)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("labelled")
    part_of(random_positions(8000, seed=3), validation=200).write(folder / "made.part.npz")
    return folder


@pytest.fixture(scope="module")
def resnet(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("resnet")
    train_resnet(SMALL, [data], folder, device="cpu", clock=ticking())
    return folder


def ticking() -> Callable[[], float]:
    """A clock that goes on by two milliseconds when it is looked at: as many steps on every machine."""
    looks = itertools.count()
    return lambda: next(looks) / 500


def boards(samples: NnueDataset) -> set[bytes]:
    return {bytes(codes) for codes in samples.codes.numpy()}


def seen(fens: list[str]) -> set[bytes]:
    return boards(NnueDataset.from_shard(part_of(pack_fens(fens)), CPU))


def hangs(board: chess.Board) -> bool:
    """The same question, asked slowly."""
    for square in chess.SquareSet(board.occupied_co[not board.turn]):
        takers = [WORTHS[board.piece_type_at(taker) or 0] for taker in board.attackers(board.turn, square)]
        guards = board.attackers(not board.turn, square)
        if takers and (not guards or min(takers) < WORTHS[board.piece_type_at(square) or 0]):
            return True
    return False


def test_quiet_positions_of_games_are_asked_about(store: Store) -> None:
    expected: dict[str, int] = {}
    for game in store:
        board, position = chess.Board(), game.start
        for ply, played in enumerate(game.moves):
            move = board.parse_san(position.san(played))
            position.play(played)
            if ply >= 10 and not board.is_check() and not board.is_capture(move) and not move.promotion:
                expected[board.fen()] = 2 if board.turn else 0  # White won every one of them
            board.push(move)

    found = NnueDataset.concatenate(
        list(game_positions(store, np.arange(len(store)), PositionFilter(first_ply=10, random=0), CPU))
    )

    assert len(expected) > 100
    assert boards(found) == seen(list(expected))
    by_board = dict(zip(map(bytes, found.codes.numpy()), found.results.tolist(), strict=True))
    for fen, result in list(expected.items())[::10]:
        assert by_board[next(iter(seen([fen])))] == result


def test_random_moves_are_legal_and_leave_nothing_hanging(store: Store) -> None:
    few = np.arange(4, 6)
    played = NnueDataset.concatenate(list(game_positions(store, few, PositionFilter(random=0), CPU)))
    both = NnueDataset.concatenate(list(game_positions(store, few, PositionFilter(random=1), CPU)))

    by_dice = both.take(both.results == NO_RESULT)
    assert 10 < len(by_dice) <= len(played)
    assert len(both) == len(played) + len(by_dice)
    behind: list[str] = []
    for board in map(_board, played.codes.numpy()):
        for move in board.legal_moves:
            board.push(move)
            if not board.is_check():
                behind.append(board.fen())
            board.pop()
    # Boards know nothing of castling and of pawns that may be taken in passing: those moves are not found here.
    assert len(boards(by_dice) - seen(behind)) <= 0.05 * len(by_dice)
    assert not any(map(hangs, map(_board, by_dice.codes.numpy())))


def _board(codes: "np.ndarray[tuple[int], np.dtype[np.uint8]]") -> chess.Board:
    board = chess.Board(None)
    for square, code in enumerate(codes.tolist()):
        if code < 12:
            board.set_piece_at(square, chess.Piece(code % 6 + 1, code < 6))
    return board


def test_what_hangs() -> None:
    positions = random_positions(300, seed=7)
    rows = torch.from_numpy(np.ascontiguousarray(positions).view(np.uint8).reshape(len(positions), -1).copy())
    codes = plain_codes(raw_codes_of_mover(rows))

    found = hanging(codes).tolist()

    expected = [hangs(_board(np.where(c == 12, 12, (c >> 1) + 6 * (c & 1)))) for c in codes.numpy()]
    assert found == expected
    assert 0 < sum(found) < len(found)


def test_a_resnet_sees_what_the_nnue_sees() -> None:
    samples = NnueDataset.from_shard(part_of(random_positions(50, seed=4)), CPU)

    assert torch.equal(input_planes(samples.codes).flatten(1), one_hot(samples.codes))
    assert input_planes(samples.codes).is_contiguous(memory_format=torch.channels_last)


def test_at_rest_it_says_what_it_learned_to_say() -> None:
    samples = NnueDataset.from_shard(part_of(random_positions(100, seed=4)), CPU)
    network = make_resnet(SMALL)
    for _ in range(3):
        network(input_planes(samples.codes))  # batch normalisation gets to know positions
    network.eval()
    with torch.no_grad():
        network[-1].weight.mul_(100)
        expected = (network(input_planes(samples.codes)).squeeze(1) * LOGIT_CENTIPAWNS).round().long()

    ask = ResNetLabeller(express(network), CPU, batch=32)
    known = label_positions(ask, samples, at_once=64)

    assert (known.values.long() - expected).abs().max() <= 1
    assert len(set(expected.tolist())) > 10
    assert len(label_positions(ask, samples, at_once=64, until=0.0)) == 1, "no time, next to nothing"


def test_it_learns_for_a_time_and_is_there_the_next_time(resnet: Path, data: Path) -> None:
    report = train_resnet(SMALL, [data], resnet, device="cpu")

    assert report.seconds >= SMALL.seconds
    assert report.curve[-1]["validation_loss"] < 0.55, "a ResNet that knows nothing has 0.69"
    assert report.validation["count"] == 200
    with pytest.raises(UsageError, match="other settings"):
        train_resnet(SMALL.changed(["channels=16"]), [data], resnet, device="cpu")


def test_a_killed_one_goes_on(data: Path, tmp_path: Path) -> None:
    plan = SMALL.changed(["seconds=1.5"])
    steps: list[float] = []

    def die(now: TrainingProgress) -> None:
        steps.append(now.seconds)
        if now.seconds > 0.5 and len(steps) > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_resnet(plan, [data], tmp_path, device="cpu", watch=die, checkpoint_every_s=0.0, clock=ticking())
    moments: list[TrainingProgress] = []
    report = train_resnet(plan, [data], tmp_path, device="cpu", watch=moments.append, clock=ticking())

    assert moments[0].seconds > 0.4
    assert report.train["eaten"] > len(steps) * plan.batch
    assert not (tmp_path / "checkpoint.pt").exists()


def test_plain_parts_and_folders_named_twice(data: Path, tmp_path: Path) -> None:
    part = Shard.read(find_shards([data])[0])
    part.write(tmp_path / "plain.part.npz", plain=True)
    again = Shard.read(tmp_path / "plain.part.npz")

    assert again.fingerprint() == part.fingerprint()
    assert dict(again.about) == dict(part.about)
    taught, asked = load_shards(find_shards([data, tmp_path, data]))
    assert len(taught) == 3 * (len(part) - part.validation)
    assert len(asked) == 2 * part.validation


def test_packed_again_they_are_the_same_positions() -> None:
    samples = NnueDataset.from_shard(part_of(random_positions(200, seed=9)), CPU)

    again = NnueDataset.from_shard(samples.to_shard({}), CPU)

    for name in ("codes", "turned", "values", "results"):
        assert torch.equal(getattr(again, name), getattr(samples, name)), name
    twice = NnueDataset.concatenate([samples, samples]).distinct()
    assert boards(twice) == boards(samples)
    assert len(twice) == len(boards(samples))


def test_from_games_to_a_network(
    store: Store, resnet: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(resnet, tmp_path / "resnet")
    order = RecipeRun(name="teacher", config=RecipeConfig(), folder=tmp_path, device="cpu")
    settings = {"label_batch": 100, "label_seconds": 0.0, "compile": False, "most": 0}
    labelled = label_games(order, settings, store, PositionFilter(random=0.2))
    out = tmp_path / "judged"

    held = validation_mask(np.arange(len(store)), PackingConfig()).sum()
    assert labelled.games == len(store) - held
    shard = Shard.read(find_shards([out])[0])
    assert len(shard) == labelled.positions == labelled.distinct <= labelled.found
    assert shard.validation == 0
    assert 0 < shard.about["with_result"] < len(shard)

    small = ["--change", "neurons=32", "--change", "epochs=1", "--change", "batch=256", "--device", "cpu"]
    run = ["train", str(out), str(data), str(data), "--out", str(tmp_path / "run"), *small]
    assert nnue([*run, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["train"]["count"] > len(shard)


def test_the_recipe(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "labelled"
    data.mkdir()
    part_of(random_positions(2000, seed=3), validation=100).write(data / "made.part.npz")
    command = ["train", "teacher", "--labels", str(data), "--games", str(store.path), "--size", "tiny", "--json"]
    command += ["--change", "seconds=0.5", "--change", "compile=no", "--device", "cpu", "--threads", "1"]
    command += ["--out", str(tmp_path / "run")]

    assert okapi(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["positions"] == len(Shard.read(find_shards([tmp_path / "run" / "judged"])[0])) > 100
    assert okapi(command) == 0
    assert found == json.loads(capsys.readouterr().out), "a finished run is only read"


def test_missing_and_wrong_input(tmp_path: Path, store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    assert okapi(["train", "teacher", "--games", str(store.path)]) == 2
    assert "--labels" in capsys.readouterr().err
    assert (
        okapi(["train", "teacher", "--labels", str(tmp_path), "--games", str(store.path), "--change", "blocks=a"]) == 2
    )
    with pytest.raises(NotFound):
        train_resnet(SMALL, [tmp_path], tmp_path / "out")
    with pytest.raises(UsageError, match="random"):
        PositionFilter(random=2)
