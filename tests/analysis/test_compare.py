"""Kinds of positions agree with python-chess, square by square; gaps with numbers worked out by hand."""

import json
from collections.abc import Callable
from pathlib import Path

import chess
import numpy as np
import pytest

from okapi.analysis.compare import DisagreementList, EvaluatorValues, compare, gap, largest_gaps, list_disagreements
from okapi.analysis.positions import KINDS, kinds_of, sample_positions, self_play_positions
from okapi.brains.output import expected_scores
from okapi.core import Color, Value
from okapi.core.packed import NO_GAME, SAMPLE, fens, pack_fens, random_positions
from okapi.core.samples import Rows
from okapi.data.sources import write_samples
from okapi.errors import InvalidText, NotFound
from okapi.formats.samples import SkippedSamples

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 100}
PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
Board = chess.Board

FENS = (
    "8/5k2/8/8/3K4/8/5P2/8 w - - 0 1",
    "8/2P5/5k2/8/3K4/8/5p2/8 b - - 0 1",
    "2b5/5k2/8/8/3KB3/8/5P2/8 w - - 0 1",
    "5b2/5k2/8/8/3KB3/8/5P2/8 w - - 0 1",
    "4r3/5k2/8/8/3K4/8/5P2/R7 w - - 0 1",
    "2kr3r/ppp2ppp/2n5/8/8/2N5/PPP2PPP/R4RK1 w - - 0 1",
    "6k1/5ppp/8/8/1q6/8/5PPP/R5K1 w - - 0 1",
    "8/3PkP2/8/2p1p3/8/8/8/4K3 b - - 0 1",
)


def lead(board: Board) -> int:
    return sum((1 if p.color == board.turn else -1) * WORTH[p.piece_type] for p in board.piece_map().values())


def pieces(board: Board) -> int:
    return sum(piece.piece_type in PIECES for piece in board.piece_map().values())


def hangs(board: Board, side: chess.Color) -> bool:
    for square, piece in board.piece_map().items():
        theirs, ours = board.attackers(not side, square), board.attackers(side, square)
        if piece.color == side and piece.piece_type != chess.KING and theirs:
            least = min(WORTH[kind] for other in theirs if (kind := board.piece_type_at(other)))
            if not ours or least < WORTH[piece.piece_type]:
                return True
    return False


def under_fire(board: Board, side: chess.Color) -> bool:
    king = board.king(side)
    assert king is not None
    around = [square for square in chess.SQUARES if chess.square_distance(king, square) == 1]
    return sum(bool(board.attackers(not side, square)) for square in around) >= 3


def opposite_wings(board: Board) -> bool:
    files = [chess.square_file(board.king(side) or 0) for side in chess.COLORS]
    return (min(files) <= 2) and (max(files) >= 5)


def opposite_bishops(board: Board) -> bool:
    squares = [list(board.pieces(chess.BISHOP, side)) for side in chess.COLORS]
    if any(len(found) != 1 for found in squares):
        return False
    one, other = (bool(chess.BB_LIGHT_SQUARES & chess.BB_SQUARES[found[0]]) for found in squares)
    return one != other


def far_passed(board: Board) -> bool:
    for side in chess.COLORS:
        for square in board.pieces(chess.PAWN, side):
            rank, file = chess.square_rank(square), chess.square_file(square)
            ahead = range(rank + 1, 8) if side else range(rank - 1, -1, -1)
            stops = [
                stop
                for stop in board.pieces(chess.PAWN, not side)
                if chess.square_rank(stop) in ahead and abs(chess.square_file(stop) - file) <= 1
            ]
            if len(ahead) <= 2 and not stops:
                return True
    return False


def only(board: Board, *kinds: int) -> bool:
    return all(piece.piece_type in (chess.KING, chess.PAWN, *kinds) for piece in board.piece_map().values())


SLOW: dict[str, Callable[[Board], bool]] = {
    "opening": lambda b: pieces(b) >= 11,
    "middlegame": lambda b: 6 < pieces(b) < 11,
    "endgame": lambda b: pieces(b) <= 6,
    "mover a piece or more behind": lambda b: lead(b) <= -3,
    "mover a pawn or two behind": lambda b: -3 < lead(b) < 0,
    "material level": lambda b: lead(b) == 0,
    "mover a pawn or two ahead": lambda b: 0 < lead(b) < 3,
    "mover a piece or more ahead": lambda b: lead(b) >= 3,
    "in check": Board.is_check,
    "something to take": lambda b: hangs(b, not b.turn),
    "something to save": lambda b: hangs(b, b.turn),
    "quiet": lambda b: not (b.is_check() or hangs(b, b.turn) or hangs(b, not b.turn)),
    "mover's king under fire": lambda b: under_fire(b, b.turn),
    "opponent's king under fire": lambda b: under_fire(b, not b.turn),
    "kings on opposite wings": opposite_wings,
    "queens off": lambda b: not b.queens,
    "opposite bishops": opposite_bishops,
    "pawn ending": only,
    "rook ending": lambda b: only(b, chess.ROOK) and bool(b.rooks),
    "far passed pawn": far_passed,
    "seven men or fewer": lambda b: len(b.piece_map()) <= 7,
}


def samples(positions: Rows, games: object = NO_GAME, values: object = 0) -> Rows:
    rows = np.zeros(len(positions), SAMPLE)
    rows["position"], rows["game"], rows["value"] = positions, games, values
    return rows


def test_every_kind_is_what_python_chess_says() -> None:
    positions = np.concatenate([pack_fens(FENS), random_positions(400, seed=3)])
    boards = [Board(fen) for fen in fens(positions)]
    found = kinds_of(positions)

    assert list(SLOW) == list(KINDS) == list(found)
    for name, slow in SLOW.items():
        assert [slow(board) for board in boards] == found[name].tolist(), name
        assert 0 < found[name].sum() < len(boards), f"{name} is not tested"


def test_a_teachers_centipawns_are_worth_what_the_core_says() -> None:
    values = np.array([-31990, -400, -35, 0, 1, 250, 2000, 31990])

    exact = [Value.from_centipawns(value, Color.WHITE).expected for value in values.tolist()]
    assert exact == pytest.approx(expected_scores(values).tolist(), abs=1e-9)


class TestAGap:
    def test_its_numbers(self) -> None:
        found = gap(np.array([0.5, 0.6, 0.9, 0.1]), np.array([0.5, 0.5, 0.5, 0.5]))

        assert (4, 0.225, 0.25) == (found.positions, pytest.approx(found.mean), pytest.approx(found.median))
        assert 0.025 == pytest.approx(found.lean)
        assert found.correlation is None, "who always says the same agrees with nobody"

    def test_order_is_not_shape(self) -> None:
        first = np.array([0.1, 0.5, 0.5, 0.9])
        found = gap(first, first**20)

        assert 1.0 == pytest.approx(found.order)
        assert found.correlation is not None and found.correlation < 0.9

    def test_positions_of_one_game_count_as_one(self) -> None:
        apart = np.repeat(np.random.default_rng(1).random(20), 10)
        alone, together = (gap(apart, np.zeros(200), games) for games in (None, np.arange(200) // 10))
        plain = gap(apart[::10], np.zeros(20))

        assert together.high - together.low == pytest.approx(plain.high - plain.low, rel=1e-6)
        assert together.high - together.low > 2.5 * (alone.high - alone.low)

    def test_the_interval_holds_the_truth_as_often_as_it_says(self) -> None:
        rng = np.random.default_rng(2)
        found = [gap(rng.random(400), np.zeros(400)) for _ in range(400)]

        assert 0.91 < np.mean([one.low <= 0.5 <= one.high for one in found]) < 0.99


def test_the_worst_are_told_once_each_and_one_of_a_game() -> None:
    positions = pack_fens([FENS[0], FENS[0], FENS[1], FENS[2], FENS[3]])
    rows = samples(positions, [NO_GAME, NO_GAME, 7, 7, NO_GAME])

    assert [1, 2, 4] == largest_gaps(rows, np.array([0.3, 0.9, 0.8, 0.7, 0.1]), 5).tolist()


def test_three_judges_make_three_pairs() -> None:
    rows = samples(random_positions(300, seed=5))
    rng = np.random.default_rng(1)
    evaluators = [EvaluatorValues(name, rng.random(300)) for name in ("one", "two", "teacher")]
    found = compare(rows, evaluators, worst=5)

    assert ["one – two", "one – teacher", "two – teacher"] == [str(pair) for pair in found.pairs]
    in_check = kinds_of(rows["position"])["in check"]
    exact = np.abs(evaluators[0].values - evaluators[2].values)[in_check].mean()
    assert exact == pytest.approx(found.pairs[1].kinds["in check"].mean)
    assert 5 == len(found.worst)
    assert {} == found.worst_of_kind


def test_the_worst_of_each_kind_are_the_worst_among_its_positions() -> None:
    rows = samples(random_positions(300, seed=8))
    values = np.random.default_rng(1).random(300)
    found = compare(rows, [EvaluatorValues("one", values), EvaluatorValues("other", np.zeros(300))], worst=0, each=3)

    for name, are in kinds_of(rows["position"]).items():
        if are.any():
            expected = [number for number in np.argsort(-values) if are[number]][:3]
            assert values[expected].tolist() == values[found.worst_of_kind[name]].tolist(), name


class TestWhichPositions:
    def test_okapis_own_games_are_always_the_same(self) -> None:
        first, second = self_play_positions(150), self_play_positions(150)

        assert 150 == len(first) and (first == second).all()
        assert len(np.unique(first["game"])) > 3

    @pytest.mark.parametrize("name", ["labels.samples", "labels.tsv", "labels.txt.gz"])
    def test_any_file_gives_as_many_as_are_wanted(self, tmp_path: Path, name: str) -> None:
        positions = random_positions(400, seed=9)
        write_samples(tmp_path / name, [samples(positions, values=np.arange(400))])
        rows = sample_positions(tmp_path / name, 50, SkippedSamples(), lambda _: None, valued=True)

        assert 50 == len(rows) == len(set(rows["value"].tolist()))
        assert fens(positions[rows["value"]]) == fens(rows["position"])

    def test_a_plain_list_of_fens_will_do(self, tmp_path: Path) -> None:
        (tmp_path / "some.epd").write_text("".join(f"{fen}\n" for fen in FENS))

        assert len(FENS) == len(sample_positions(tmp_path / "some.epd", 50, SkippedSamples(), lambda _: None))

    def test_where_no_teacher_spoke_it_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "some.epd").write_text(f"{FENS[0]}\n")
        with pytest.raises(InvalidText, match="no positions with a teacher's value"):
            sample_positions(tmp_path / "some.epd", 50, SkippedSamples(), lambda _: None, valued=True)
        with pytest.raises(NotFound):
            sample_positions(tmp_path / "none.samples", 50, SkippedSamples(), lambda _: None)


class TestAList:
    def test_it_comes_back(self, tmp_path: Path) -> None:
        rows = samples(pack_fens(FENS), values=np.arange(0, 800, 100))
        listed = list_disagreements("mine", "Stockfish", rows, np.full(8, 0.5), 3, each=0)
        listed.write(tmp_path)

        assert [700, 600, 500] == [position.teacher_cp for position in listed.positions]
        assert listed == DisagreementList.read(tmp_path / "disagreements.json")

    def test_it_has_the_worst_of_each_kind_and_says_which_they_are(self, tmp_path: Path) -> None:
        rows = samples(random_positions(400, seed=2), values=np.arange(400))
        listed = list_disagreements("mine", "Stockfish", rows, np.full(400, 0.5), 1, each=2)
        listed.write(tmp_path)

        assert listed == DisagreementList.read(tmp_path / "disagreements.json")
        for name, are in kinds_of(rows["position"]).items():
            worst = set(np.flatnonzero(are)[-2:].tolist())
            assert worst <= {told.teacher_cp for told in listed.positions if name in told.kinds}, name

    def test_lists_of_older_runs_know_no_kinds(self, tmp_path: Path) -> None:
        told = {"fen": FENS[0], "teacher_cp": 0, "teacher": 0.5, "value": 0.5}
        (tmp_path / "disagreements.json").write_text(json.dumps({"brain": "b", "teacher": "t", "positions": [told]}))

        assert () == DisagreementList.read(tmp_path / "disagreements.json").positions[0].kinds

    @pytest.mark.parametrize("wrong", ["", "[]", '{"brain": "b", "teacher": "t", "positions": [{"fen": "x"}]}'])
    def test_nonsense_is_refused(self, tmp_path: Path, wrong: str) -> None:
        (tmp_path / "disagreements.json").write_text(wrong)
        with pytest.raises(InvalidText):
            DisagreementList.read(tmp_path / "disagreements.json")

    def test_values_beyond_the_scale_are_nonsense(self, tmp_path: Path) -> None:
        told = {"fen": FENS[0], "teacher_cp": 5, "teacher": 0.5, "value": 1.5}
        (tmp_path / "disagreements.json").write_text(json.dumps({"brain": "b", "teacher": "t", "positions": [told]}))
        with pytest.raises(InvalidText):
            DisagreementList.read(tmp_path / "disagreements.json")
