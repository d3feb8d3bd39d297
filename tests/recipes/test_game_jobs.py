"""Training jobs on games: their positions, moves and targets."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")


from okapi.core import Position  # noqa: E402
from okapi.core.game import Game  # noqa: E402
from okapi.core.packed import pack, rows  # noqa: E402
from okapi.data.store import Store, StoreWriter  # noqa: E402
from okapi.encodings.singh2015 import move_labels  # noqa: E402
from okapi.errors import InvalidText, UsageError  # noqa: E402
from okapi.models.torch_boards import may_mirror  # noqa: E402
from okapi.models.torch_encodings import encode  # noqa: E402
from okapi.recipes.game_jobs import KINDS, GameJob, GameJobs, GamePositions, GameTarget  # noqa: E402
from okapi.recipes.jobs import open_jobs  # noqa: E402
from okapi.training.supervised import SupervisedConfig, train_supervised  # noqa: E402

LINES = (
    "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6 Re1 d6 c3 Bg4 h3 Bh5 d4 exd4 cxd4 Be7 Nc3 O-O",
    "d4 d5 c4 c5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O",
    "e4 a6 e5 d5 exd6 h5 dxc7 Nf6 cxb8=N Rxb8 a4 b5 axb5 h4 g4 hxg3 bxa6 gxh2 a7 hxg1=Q axb8=R Qxh1",
    "f3 e5 g4 Qh4#",
)


def stored(folder: Path, seed: int = 1) -> Store:
    """Known lines, and games by dice."""
    games = [_game(line.split()) for line in LINES]
    rng = np.random.default_rng(seed)
    for _ in range(20):
        position, sans = Position.start(), []
        while position.ending() is None and len(sans) < 150:
            moves = position.legal_moves()
            move = moves[int(rng.integers(len(moves)))]
            sans.append(position.san(move))
            position.play(move)
        games.append(_game(sans))
    with StoreWriter.open(folder / "games.okapi") as writer:
        for game in games:
            writer.add(game)
    return Store.open(folder / "games.okapi")


def _game(sans: list[str]) -> Game:
    position, moves = Position.start(), []
    for san in sans:
        moves.append(position.move(san))
        position.play(moves[-1])
    tags = {"White": "A", "Black": "B", "WhiteElo": "2345", "BlackElo": "2001", "Event": "E"}
    return Game(start=Position.start(), moves=tuple(moves), result="1-0", tags=tags)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return stored(tmp_path_factory.mktemp("games"))


@pytest.fixture(scope="module")
def games(store: Store) -> GamePositions:
    return GamePositions.of(store, np.arange(len(store)))


def test_every_position_is_the_core_s(store: Store, games: GamePositions) -> None:
    lengths = store.plies().astype(np.int64) + 1
    numbers = np.repeat(np.arange(len(store)), lengths)
    plies = np.arange(len(numbers)) - np.repeat(lengths.cumsum() - lengths, lengths)

    np.testing.assert_array_equal(rows(store.positions(numbers, plies)), games.rows[:, :32])


def test_what_was_played_is_what_the_labels_say(store: Store, games: GamePositions) -> None:
    played = games.kinds >= 0
    samples = store.samples(
        np.repeat(np.arange(len(store)), store.plies()), np.concatenate([np.arange(n) for n in store.plies()])
    )

    labels = move_labels(samples["position"], samples["move"])

    np.testing.assert_array_equal(games.origins[played], labels.from_square)
    np.testing.assert_array_equal(games.targets[played], labels.to_square)
    assert KINDS[int(games.kinds[0])] == "pawn"
    assert games.left[-1] == 0
    assert set(games.outcomes.tolist()) == {1.0, -1.0}


def test_rows_know_the_mover(games: GamePositions) -> None:
    row = games.rows[1]

    assert int(row[32]) + 256 * int(row[33]) == 2001  # Black's
    assert row[34] == 52  # e7
    assert row[35] == 0  # Black lost


def test_tasks_ask_for_their_own_rows(store: Store, games: GamePositions) -> None:
    rook = GameTarget(task="rook").dataset(games)
    outcome = GameTarget(task="outcome", gamma=0.5).dataset(games)

    assert len(rook) == int((games.kinds == KINDS.index("rook")).sum())
    assert len(outcome) == len(games.rows)
    assert np.abs(outcome.targets).max() == 1
    assert len(GameTarget(task="move").dataset(games)) == int(store.plies().sum())


def test_both_views_of_a_position_have_opposite_outcomes(games: GamePositions) -> None:
    one = GameTarget(task="outcome", gamma=0.5).dataset(games)
    both = GameTarget(task="outcome", gamma=0.5, both_views=True).dataset(games)
    mover, other = np.split(both.positions, 2)

    np.testing.assert_array_equal(both.targets, np.concatenate([one.targets, -one.targets]))
    np.testing.assert_array_equal(mover, one.positions)
    assert (mover != other).sum() == len(mover), "the side to move alone"
    planes = [encode(torch.from_numpy(rows.copy()), "planes-6") for rows in (mover, other)]
    np.testing.assert_array_equal(planes[1], -planes[0].flip(2))
    with pytest.raises(UsageError, match="both_views"):
        GameTarget(task="piece", both_views=True)


def test_squares_are_mirrored_with_their_positions(games: GamePositions, tmp_path: Path) -> None:
    """The square that is asked for is one of the inputs: this is learned if both are mirrored, and not if one is."""
    data = GameTarget(task="piece").dataset(games)
    plan = SupervisedConfig(
        model="okapi.models.singh2015:as_coded",
        arguments={"planes": 13, "channels": [8, 8, 16]},
        encoding="planes-12+piece",
        loss="choice",
        optimiser={"name": "adam", "lr": 0.005},
        batch=64,
        epochs=6,
        mirror=True,
    )
    assert may_mirror(torch.from_numpy(data.positions)).float().mean() > 0.3

    report = train_supervised(plan, data, data, data, tmp_path, device="cpu")

    assert report.test["accuracy"] > 0.95 and report.curve[-1]["train_loss"] < 0.3


def test_mixed_rows_are_the_same_rows(games: GamePositions) -> None:
    moves = GameTarget(task="move").dataset(games)

    expected = (64 * games.origins + games.targets)[games.kinds >= 0]
    np.testing.assert_array_equal(np.sort(moves.targets), np.sort(expected))
    assert pack([Position.start()]).tobytes()[:24] in {row[:24].tobytes() for row in moves.positions}


def test_a_folder_of_jobs_has_its_own_games(store: Store, tmp_path: Path) -> None:
    parts = np.arange(len(store)) % 3
    plan = SupervisedConfig(
        model="okapi.models.singh2015:piece",
        arguments={},
        encoding="planes-12",
        loss="squared",
        optimiser={"name": "adam", "lr": 0.005},
        batch=8,
        epochs=1,
    )
    jobs = {"rook": GameJob(plan, GameTarget(task="rook"))}

    written = GameJobs.write(tmp_path, store, parts, jobs)
    again = GameJobs.read(tmp_path)

    assert dict(written.jobs) == dict(again.jobs) == jobs
    expected = GameTarget(task="rook").dataset(GamePositions.of(store, np.flatnonzero(parts == 1)))
    np.testing.assert_array_equal(expected.positions, again.dataset("rook", 1).positions)
    assert GameJob.from_json({"plan": plan.as_json(), "watch": {"task": "rook"}}) == jobs["rook"], "until 0.9"


def test_a_folder_with_transcripts_is_refused(tmp_path: Path) -> None:
    (tmp_path / "transcripts-1.npz.xz").touch()

    with pytest.raises(InvalidText, match="transcripts"):
        open_jobs(tmp_path)
