"""Moves of a store as samples: the slow way, game by game, says the same."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from labels import consecutive, write_labels  # noqa: E402
from played_games import made_game, stored, written  # noqa: E402

from okapi.core import Color  # noqa: E402
from okapi.core.packed import fens, pack, unpack  # noqa: E402
from okapi.data.store import Store  # noqa: E402
from okapi.encodings.layers import UNKNOWN_ELO  # noqa: E402
from okapi.errors import InvalidText  # noqa: E402
from okapi.recipes.arrays import TEST, TRAIN, VALIDATION  # noqa: E402
from okapi.recipes.config import RecipeConfig  # noqa: E402
from okapi.recipes.moves import GameTraining, PlayedMoves, moves  # noqa: E402

CASTLES = "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"
PROMOTES = "a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=N e6 h4 Ke7"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    tags = {"White": "A", "Black": "B", "WhiteElo": "2100", "BlackElo": "1900"}
    games = [*map(made_game, range(30)), written(CASTLES, **tags), written(PROMOTES, **tags)]
    return stored(tmp_path_factory.mktemp("store") / "games.okapi", games)


def test_it_is_what_was_played(store: Store) -> None:
    watched = PlayedMoves.played(store, np.arange(len(store)))

    expected = []
    for number in range(len(store)):
        record = store.record(number)
        position = record.start.copy()
        for ply, move in enumerate(record.moves):
            if move.bits:
                fen = fens(pack([position]))[0]
                expected.append((number, ply, fen, move.bits))
                position.play(move)
            else:
                position.pass_turn()
    columns = (watched.games.tolist(), watched.plies.tolist(), fens(watched.positions), watched.moves.tolist())
    assert expected == list(zip(*columns, strict=True))


def test_one_side_alone(store: Store) -> None:
    both, white, black = (PlayedMoves.played(store, [30, 31], side) for side in (None, Color.WHITE, Color.BLACK))

    assert len(white) + len(black) == len(both)
    assert {2100} == set(white.elos.tolist()) and {1900} == set(black.elos.tolist())
    assert {0} == set(white.positions["turn"].tolist()) and {1} == set(black.positions["turn"].tolist())
    assert UNKNOWN_ELO in PlayedMoves.played(store, np.arange(30)).elos


def test_lessons_are_squares_as_the_mover_counts(store: Store) -> None:
    castles = PlayedMoves.played(store, 30 * np.ones(1, np.int64)).dataset()

    e1g1 = 64 * 4 + 6
    assert [e1g1, e1g1] == castles.targets[-2:].tolist()
    assert castles.positions.shape == (8, 36)
    assert [2100, 1900] == castles.positions[-2:, 32:34].copy().view("<u2")[:, 0].tolist()
    assert [4, 60] == castles.positions[-2:, 34].tolist()
    assert [1, 1] == castles.positions[-2:, 35].tolist()


def test_what_pawns_became(store: Store) -> None:
    assert [0.0, 0.0, 0.0, 1.0] == PlayedMoves.played(store, [31]).promotions()
    assert [1.0, 0.0, 0.0, 0.0] == PlayedMoves.played(store, [30]).promotions()


def test_joined_they_are_as_many(store: Store) -> None:
    several = [PlayedMoves.played(store, [game]) for game in (1, 30, 31)]

    assert sum(map(len, several)) == len(PlayedMoves.joined(several))


def test_a_teachers_best_moves_are_learned_like_those_of_games(tmp_path: Path) -> None:
    samples = consecutive()
    with pytest.raises(InvalidText, match="no best moves"):
        moves(RecipeConfig("tiny", labels=write_labels(tmp_path / "bare.samples", samples)))
    samples["move"] = [unpack(row).legal_moves()[-1].bits for row in samples["position"]]
    made = moves(RecipeConfig("tiny", labels=write_labels(tmp_path / "labels.samples", samples)))

    assert isinstance(made, GameTraining)
    assert {TRAIN, VALIDATION, TEST} <= set(made.parts.tolist()), "split by game"
    assert samples["move"].tolist() == made.watched.moves.tolist() and {UNKNOWN_ELO} == set(made.watched.elos.tolist())
    assert len(made.dataset(TRAIN)) == (made.parts == TRAIN).sum()
