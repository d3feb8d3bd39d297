"""Brains that predict moves: what they say about squares, and what becomes of it when the rules are laid over it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import images
import numpy as np
import pytest
from networks import SHARES, write_mover, write_seven
from numpy.typing import NDArray

from okapi.brains import evaluations, evaluator, is_native, predictor, predicts_moves
from okapi.brains.card import ModelCard
from okapi.brains.files import read_tensors, write_brain
from okapi.brains.move_prediction import AT_ONCE, NAMES, likeliest_pairs
from okapi.core import Color, Kind, Move, Position, Square
from okapi.core.packed import pack_fens, random_positions, unpack
from okapi.encodings import find_encoding
from okapi.errors import InvalidBrain, WrongBrain

POSITIONS = random_positions(400, seed=3)[::8]
PROMOTED = (Kind.QUEEN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT)
STEP_OR_CASTLE = "5k2/8/8/8/8/8/8/5K1R w H - 0 1"
STAY_AND_CASTLE = "6k1/8/8/8/8/8/8/6KR w H - 0 1"
"""Chess960: the king may step to g1, or castle there; it stands there already when it castles."""


@pytest.fixture(scope="module", params=["mover", "seven", "plain"])
def brain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("brains")
    if request.param == "mover":
        return str(write_mover(folder, encoding="planes-12+elo+outcome"))
    return str(write_seven(folder, piece_layer=request.param == "seven", name=request.param))


class TestTheDoor:
    def test_it_tells_who_predicts_and_who_judges(self, brain: str, tmp_path: Path) -> None:
        judge = str(images.write(tmp_path))

        assert (True, False) == (predicts_moves(brain), predicts_moves(judge))
        assert not is_native(brain)
        for ask in (evaluator, lambda name: evaluations(name, POSITIONS)):
            with pytest.raises(WrongBrain, match="does not evaluate positions") as wrong:
                ask(brain)
            assert "okapi moves" in wrong.value.hint
        with pytest.raises(WrongBrain, match="does not predict moves"):
            predictor(judge)


class TestSquares:
    def test_one_network_says_what_plain_arithmetic_says(self, tmp_path: Path) -> None:
        path = write_mover(tmp_path, encoding="planes-12")
        said = predictor(str(path)).squares(POSITIONS)
        layers = ModelCard.read(path).details()["layers"]
        seen = find_encoding("planes-12").in_numpy(POSITIONS)
        for row, logits in enumerate(images.answers(layers, read_tensors(path), seen)):
            pairs = (np.exp(logits) / np.exp(logits).sum()).reshape(64, 64)
            turn = 56 if POSITIONS[row]["turn"] == Color.BLACK.value else 0
            for square in range(64):
                np.testing.assert_allclose(said.origin[row, square], pairs[square ^ turn].sum(), rtol=1e-4)
                wanted = pairs[square ^ turn][np.arange(64) ^ turn] / pairs[square ^ turn].sum()
                np.testing.assert_allclose(said.target[row, square], wanted, rtol=1e-4, atol=1e-7)

    def test_targets_of_one_origin_are_those_of_all(self, brain: str) -> None:
        asked = predictor(brain)
        origins = np.array([Square(str(unpack(packed).legal_moves()[0])[:2]).index for packed in POSITIONS])
        targets = asked.squares(POSITIONS, elo=2300).target[np.arange(len(POSITIONS)), origins]
        np.testing.assert_allclose(asked.targets(POSITIONS, origins, elo=2300), targets, rtol=1e-4, atol=1e-7)

    @pytest.mark.parametrize("piece_layer", [True, False])
    def test_seven_networks_say_what_plain_arithmetic_says(self, tmp_path: Path, piece_layer: bool) -> None:
        path = write_seven(tmp_path, encoding="planes-6", piece_layer=piece_layer)
        some = POSITIONS[:6]
        said = predictor(str(path)).squares(some)
        for row, packed in enumerate(some):
            position = unpack(packed)
            np.testing.assert_allclose(said.origin[row], _chosen(path, "piece", packed), rtol=1e-4)
            for square in range(64):
                piece = position.at(Square.at(square))
                own = piece is not None and piece.color is position.turn
                wanted = _chosen(path, str(piece.kind.name).lower(), packed, square) if own and piece else np.zeros(64)
                np.testing.assert_allclose(said.target[row, square], wanted, rtol=1e-4)

    def test_each_origin_and_each_target_is_a_distribution(self, brain: str) -> None:
        said = predictor(brain).squares(POSITIONS)

        np.testing.assert_allclose(said.origin.sum(axis=1), 1, atol=1e-5)
        for row, packed in enumerate(POSITIONS):
            position = unpack(packed)
            own = [square.index for square, piece in position.pieces() if piece.color is position.turn]
            np.testing.assert_allclose(said.target[row, own].sum(axis=1), 1, atol=1e-5)

    def test_the_rating_is_a_dial(self, brain: str) -> None:
        asked = predictor(brain)
        low, high, each = (
            asked.squares(POSITIONS, elo=elo).origin for elo in (2000, 2800, [2000, 2800] * (len(POSITIONS) // 2))
        )

        assert "elo" in asked.inputs
        assert np.abs(low - high).max() > 1e-4
        np.testing.assert_allclose(each[::2], low[::2], atol=1e-6)
        np.testing.assert_allclose(each[1::2], high[1::2], atol=1e-6)

    def test_who_plays_is_told_that_he_wins(self, tmp_path: Path) -> None:
        asked = predictor(str(write_mover(tmp_path, encoding="planes-12+outcome")))
        plays, wins, loses = (asked.squares(POSITIONS, outcome=outcome).origin for outcome in (None, 1, 0))

        assert {"outcome"} == asked.inputs
        np.testing.assert_array_equal(plays, wins)
        assert np.abs(wins - loses).max() > 1e-4


class TestMoves:
    def test_they_are_the_legal_ones_by_the_product_of_the_squares(self, brain: str) -> None:
        """Position by position, as section 3.3 tells it."""
        asked = predictor(brain)
        said, found = asked.squares(POSITIONS), asked.moves(POSITIONS)
        for row, packed in enumerate(POSITIONS):
            wanted = _masked(unpack(packed), said.origin[row], said.target[row])
            assert wanted.keys() == {move.bits for move, _ in found[row]}
            got = [probability for _, probability in found[row]]
            np.testing.assert_allclose([wanted[move.bits] for move, _ in found[row]], got, atol=1e-5)
            assert sorted(got, reverse=True) == got

    def test_batches_make_no_difference(self, brain: str) -> None:
        asked = predictor(brain)
        many = np.tile(POSITIONS, 1 + AT_ONCE // len(POSITIONS))
        elos = np.linspace(2000, 2800, len(many))
        together = asked.probabilities(many, elo=elos)
        for row in (0, AT_ONCE - 1, AT_ONCE, len(many) - 1):
            moves, shares = asked.probabilities(many[row : row + 1], elo=elos[row]).of(0)
            np.testing.assert_array_equal(together.of(row)[0], moves)
            np.testing.assert_allclose(together.of(row)[1], shares, rtol=1e-4)

    def test_nothing_and_games_that_are_over(self, brain: str) -> None:
        over = pack_fens(["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Position.start().fen(), "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"])
        asked = predictor(brain)

        assert [0, 20, 0] == [len(moves) for moves in asked.moves(over)]
        assert [0, 20, 0] == np.diff(asked.probabilities(over).starts).tolist()
        assert [] == asked.moves(over[:0])
        assert (0, 64) == asked.squares(over[:0]).origin.shape

    def test_pawns_become_what_the_card_says(self, brain: str) -> None:
        ((*found,),) = predictor(brain).moves(pack_fens(["8/P5k1/8/8/8/8/8/4K3 w - - 0 1"]))
        shares = {move.promotion: share for move, share in found if move.promotion is not None}

        assert [shares[kind] / shares[Kind.QUEEN] for kind in PROMOTED] == pytest.approx(
            [share / SHARES[0] for share in SHARES], rel=1e-4
        )

    @pytest.mark.parametrize("fen", [STEP_OR_CASTLE, STAY_AND_CASTLE])
    def test_castling_in_chess960(self, brain: str, fen: str) -> None:
        position = Position.from_fen(fen)
        ((*found,),) = predictor(brain).moves(pack_fens([fen]))
        shares = dict(found)

        assert set(position.legal_moves()) == set(shares)
        assert 1 == pytest.approx(sum(shares.values()), abs=1e-5)
        if fen == STEP_OR_CASTLE:
            assert shares[position.move("Kg1")] == pytest.approx(shares[position.move("O-O")])

    def test_a_move_that_is_hardly_possible_keeps_its_place(self, tmp_path: Path) -> None:
        """Its probability is too small for a float: only logarithms tell that one is likelier than the other."""
        path = write_mover(tmp_path, encoding="planes-12")
        weights = {name: 60 * tensor for name, tensor in read_tensors(path).items()}
        write_brain(path, dict(ModelCard.read(path).metadata), weights)
        asked = predictor(str(path))
        found = asked.probabilities(POSITIONS)

        assert np.isfinite(found.probabilities).all()
        np.testing.assert_allclose(np.add.reduceat(found.probabilities, found.starts[:-1]), 1, atol=1e-4)


class TestUnmasked:
    def test_what_is_illegal_is_told(self, brain: str) -> None:
        said = predictor(brain).squares(POSITIONS)
        found = likeliest_pairs(POSITIONS, said, 40)
        for row, packed in enumerate(POSITIONS):
            legal = {_pair(move) for move in unpack(packed).legal_moves()}
            products = (said.origin[row][:, np.newaxis] * said.target[row]).reshape(-1)
            assert [pair in legal for pair in found.pairs[row].tolist()] == found.legal[row].tolist()
            np.testing.assert_allclose(np.sort(products)[::-1][:40], found.probabilities[row], rtol=1e-5)
            assert 1 - products[sorted(legal)].sum() == pytest.approx(found.illegal_share[row], abs=1e-5)


class TestHostileCards:
    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"layers": "[]"}, "no layers"),
            ({"layers": "nonsense"}, "no layers"),
            ({"layers": '[{"do": "flatten"}]'}, "4096"),
            ({"layers": '[{"do": "from-to", "names": ["6"]}]'}, "names"),
            ({"encoding": "planes-12+piece+elo"}, "no encoding named"),
            ({"encoding": "vector-64+elo"}, "no encoding named"),
            ({"output": '{"form": "moves", "promotions": [1, 2]}'}, "promotions"),
            ({"output": '{"form": "moves", "promotions": [1, 1, -1, 0]}'}, "promotions"),
            ({"output": '{"form": "moves", "promotions": "queens"}'}, "promotions"),
        ],
    )
    def test_one_network(self, tmp_path: Path, changes: Mapping[str, str], message: str) -> None:
        _refused(write_mover(tmp_path), changes, message)

    @pytest.mark.parametrize(
        ("networks", "message"),
        [
            ("nonsense", "seven networks"),
            ({"piece": {}}, "seven networks"),
            ({name: {} for name in NAMES}, "network `piece`"),
        ],
    )
    def test_seven_networks(self, tmp_path: Path, networks: Any, message: str) -> None:
        _refused(write_seven(tmp_path), {"networks": json.dumps(networks)}, message)


def _refused(path: Path, changes: Mapping[str, str], message: str) -> None:
    write_brain(path, {**ModelCard.read(path).metadata, **changes}, read_tensors(path))

    with pytest.raises(InvalidBrain, match="cannot be used") as wrong:
        predictor(str(path))
    assert message in str(wrong.value)


def _chosen(path: Path, name: str, packed: np.void, square: int | None = None) -> NDArray[np.float64]:
    """What one of the seven says about the board's squares, by plain arithmetic."""
    network = ModelCard.read(path).details()["networks"][name]
    tensors = {key.removeprefix(f"{name}/"): t for key, t in read_tensors(path).items() if key.startswith(f"{name}/")}
    turn = 56 if packed["turn"] == Color.BLACK.value else 0
    seen = find_encoding("planes-6").in_numpy(np.array([packed]))
    if "piece" in network["encoding"]:
        marked = np.zeros((1, 1, 64))
        marked[0, 0, (square or 0) ^ turn] = 1
        seen = np.concatenate([seen, marked.reshape(1, 1, 8, 8)], axis=1)
    (logits,) = images.answers(network["layers"], tensors, seen)
    return np.exp(logits[np.arange(64) ^ turn]) / np.exp(logits).sum()


def _masked(position: Position, origin: NDArray[np.float32], target: NDArray[np.float32]) -> dict[int, float]:
    said = {}
    shares = dict(zip(PROMOTED, SHARES, strict=True))
    for move in position.legal_moves():
        share = 1.0 if move.promotion is None else shares[move.promotion]
        start, end = divmod(_pair(move), 64)
        said[move.bits] = share * float(origin[start]) * float(target[start, end])
    return {bits: probability / sum(said.values()) for bits, probability in said.items()}


def _pair(move: Move) -> int:
    """64 * from + to; castling is the king's move."""
    start, end = move.from_square.index, move.to_square.index
    if move.castles:
        end = (end & 56) + (6 if end > start else 2)
    return 64 * start + end
