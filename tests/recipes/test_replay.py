"""Games that are played through in torch are those that the core plays."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from okapi.core import Position  # noqa: E402
from okapi.core.game import Game  # noqa: E402
from okapi.core.packed import pack, rows  # noqa: E402
from okapi.data.store import Store, StoreWriter  # noqa: E402
from okapi.encodings.singh2015 import move_labels  # noqa: E402
from okapi.recipes.replay import KINDS, replay  # noqa: E402
from okapi.recipes.tournaments import transcribed  # noqa: E402
from okapi.recipes.transcripts import Transcripts  # noqa: E402
from okapi.recipes.watch import GameTarget  # noqa: E402

EN_PASSANT = 25
"""The byte that says where a pawn may be taken in passing."""

LINES = (
    "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6 Re1 d6 c3 Bg4 h3 Bh5 d4 exd4 cxd4 Be7 Nc3 O-O",
    "d4 d5 c4 c5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O",
    "e4 a6 e5 d5 exd6 h5 dxc7 Nf6 cxb8=N Rxb8 a4 b5 axb5 h4 g4 hxg3 bxa6 gxh2 a7 hxg1=Q axb8=R Qxh1",
    "f3 e5 g4 Qh4#",
)


def stored(folder: Path, seed: int = 1) -> Store:
    """Known lines, and games by dice."""
    games = [_game(line.split()) for line in LINES]
    dice = np.random.default_rng(seed)
    for _ in range(20):
        position, sans = Position.start(), []
        while position.ending() is None and len(sans) < 150:
            moves = position.legal_moves()
            move = moves[int(dice.integers(len(moves)))]
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
def transcripts(store: Store) -> Transcripts:
    return transcribed(store, np.arange(len(store)), np.zeros(len(store)))


def test_every_position_is_the_core_s(store: Store, transcripts: Transcripts) -> None:
    lengths = store.plies().astype(np.int64) + 1
    games = np.repeat(np.arange(len(store)), lengths)
    plies = np.arange(len(games)) - np.repeat(lengths.cumsum() - lengths, lengths)
    expected = rows(store.positions(games, plies))

    found = replay(transcripts).rows[:, :32].numpy()

    others = np.delete(found, EN_PASSANT, axis=1) != np.delete(expected, EN_PASSANT, axis=1)
    assert not others.any()
    passing = found[:, EN_PASSANT] != expected[:, EN_PASSANT]
    assert (expected[passing, EN_PASSANT] == 64).all(), (
        "a square may be named where a pinned pawn cannot take, no other"
    )
    assert passing.mean() < 0.01


def test_what_was_played_is_what_the_labels_say(store: Store, transcripts: Transcripts) -> None:
    replayed = replay(transcripts)
    played = replayed.kinds >= 0
    samples = store.samples(
        np.repeat(np.arange(len(store)), store.plies()), np.concatenate([np.arange(n) for n in store.plies()])
    )

    labels = move_labels(samples["position"], samples["move"])

    np.testing.assert_array_equal(replayed.origins[played], labels.from_square)
    np.testing.assert_array_equal(replayed.targets[played], labels.to_square)
    assert KINDS[int(replayed.kinds[0])] == "pawn"
    assert replayed.left[-1] == 0
    assert set(replayed.outcomes.tolist()) == {1.0, -1.0}


def test_rows_know_the_mover(transcripts: Transcripts) -> None:
    row = replay(transcripts).rows[1]

    assert int(row[32]) + 256 * int(row[33]) == 2001  # Black's
    assert row[34] == 52  # e7
    assert row[35] == 0  # Black lost


def test_they_travel(transcripts: Transcripts, tmp_path: Path) -> None:
    transcripts.write(tmp_path, files=3)

    again = Transcripts.read(tmp_path)

    np.testing.assert_array_equal(again.moves, transcripts.moves)
    np.testing.assert_array_equal(again.elos, transcripts.elos)


def test_tasks_ask_for_their_own_rows(transcripts: Transcripts) -> None:
    replayed = replay(transcripts)
    rook = GameTarget(task="rook").dataset(replayed)
    outcome = GameTarget(task="outcome", gamma=0.5).dataset(replayed)

    assert len(rook) == int((replayed.kinds == KINDS.index("rook")).sum())
    assert len(outcome) == len(replayed.rows)
    assert np.abs(outcome.targets).max() == 1
    assert len(GameTarget(task="move").dataset(replayed)) == len(transcripts.moves)


def test_mixed_rows_are_the_same_rows(transcripts: Transcripts) -> None:
    replayed = replay(transcripts)
    moves = GameTarget(task="move").dataset(replayed)

    played = replayed.kinds >= 0
    expected = (64 * replayed.origins + replayed.targets)[played]
    np.testing.assert_array_equal(np.sort(moves.targets), np.sort(expected.numpy()))
    assert pack([Position.start()]).tobytes()[:24] in {row[:24].tobytes() for row in moves.positions}
