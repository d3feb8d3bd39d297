"""Giraffe's features, against the thesis and against python-chess."""

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from okapi import Position
from okapi.core.packed import fens
from okapi.encodings import ENCODINGS, encode_moves, inspect
from okapi.encodings.lai2015 import MODALITIES, MOVE_FEATURES, WORTH

GIRAFFE = ENCODINGS["giraffe-363"]

TABLE_1 = """
Side to Move White | White Long Castle No | White Short Castle No | Black Long Castle No | Black Short Castle No
White Queens 1 | White Rooks 2 | White Bishops 1 | White Knights 2 | White Pawns 7
Black Queens 1 | Black Rooks 2 | Black Bishops 1 | Black Knights 2 | Black Pawns 7
White Queen 1 Exists Yes | White Queen 1 Position b7 | White Rook 1 Exists Yes | White Rook 1 Position b1
White Rook 2 Exists Yes | White Rook 2 Position f1 | White Bishop 1 Exists Yes | White Bishop 1 Position c1
White Bishop 2 Exists No | White Bishop 2 Position N/A
"""


def features(fen: str) -> dict[str, float]:
    return dict(zip(GIRAFFE.parts, GIRAFFE.encode(Position.from_fen(fen)).tolist(), strict=True))


def test_the_thesis_table_1() -> None:
    """The figure with the position is not in the text; any with these pieces must give these lines in this order."""
    table = inspect(Position.from_fen("r3r1k1/pQ3ppp/1q1pbn2/1np1p3/4P3/P1N2N2/1PP2PPP/1RB2RK1 w - - 0 1"))
    lines = [f"{name} {value}" for name, value in table.items() if "King" not in name]
    expected = [line.strip() for line in TABLE_1.strip().replace("\n", "|").split("|")]

    assert expected == lines[: len(expected)]


def test_modalities_cover_all_features() -> None:
    parts = np.array(GIRAFFE.parts)

    assert 363 == sum(len(parts[part]) for part in MODALITIES.values())
    assert "Black Long Castle" == parts[MODALITIES["position"]][-1]
    assert "White Pawn 1 Exists" == parts[MODALITIES["pieces"]][0]
    assert ["a1 White Control", "h8 Black Control"] == parts[MODALITIES["squares"]][[0, -1]].tolist()


@pytest.mark.parametrize(
    ("pawns", "slots"),
    [
        ("PP4PP", "a2 b2 – – – – g2 h2"),  # the thesis' example
        ("3P4/3P4/3P4", "– – d3 d2 d4 – – –"),
        ("P7/P7/P7", "a2 a3 a4 – – – – –"),
        ("7P/7P/7P", "– – – – – h4 h3 h2"),
    ],
)
def test_pawns_take_the_slot_of_their_file_or_the_nearest(pawns: str, slots: str) -> None:
    ranks = pawns.split("/")
    fen = "/".join(["4k3", *["8"] * (6 - len(ranks)), *ranks, "4K3"]) + " w - - 0 1"
    table = inspect(Position.from_fen(fen))

    assert slots.replace("–", "N/A").split() == [table[f"White Pawn {n} Position"] for n in range(1, 9)]


@pytest.mark.parametrize(
    ("rooks", "slots"),
    [
        ("R3K3", ("a1", "N/A")),
        ("4K2R", ("N/A", "h1")),
        ("R3K2R", ("a1", "h1")),
        ("RR2K2R", ("a1", "b1")),  # a third has no slot
    ],
)
def test_pairs_take_slots_by_side(rooks: str, slots: tuple[str, str]) -> None:
    table = inspect(Position.from_fen(f"4k3/8/8/8/8/8/8/{rooks} w - - 0 1"))

    assert slots == (table["White Rook 1 Position"], table["White Rook 2 Position"])


def test_reach_ends_at_the_edge_or_with_the_first_piece() -> None:
    found = features("4k3/8/8/3p4/8/1P1Q4/8/4K3 w - - 0 1")

    assert [4, 2, 2, 2, 4, 3, 2, 2] == [
        round(7 * found[f"White Queen 1 {way}"])
        for way in ("East", "West", "North", "South", "North-East", "North-West", "South-East", "South-West")
    ]


def test_safe_moves() -> None:
    """The knight on b1 can go to a3, c3 and d2; the pawn on b4 takes away two of them."""
    assert 3 == 16 * features("4k3/8/8/8/8/8/8/1N2K3 w - - 0 1")["White Knight 1 Safe Moves"]
    assert 1 == 16 * features("4k3/8/8/8/1p6/8/8/1N2K3 w - - 0 1")["White Knight 1 Safe Moves"]
    # A rook that attacks d2 takes it away, unless somebody else looks on: the king does.
    assert 3 == 16 * features("3rk3/8/8/8/8/8/8/1N2K3 w - - 0 1")["White Knight 1 Safe Moves"]
    assert 2 == 16 * features("3rk3/8/8/8/8/8/8/1N5K w - - 0 1")["White Knight 1 Safe Moves"]


def test_castling_stands_with_the_position_and_with_the_rooks() -> None:
    found = features("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")
    rights = {name: value for name, value in found.items() if "Castle" in name}

    assert 8 == len(rights)
    for prefix in ("", "Rooks: "):
        assert [1, 0, 0, 1] == [
            rights[f"{prefix}{side} {castle}"]
            for side in ("White", "Black")
            for castle in ("Short Castle", "Long Castle")
        ]


def test_control_as_python_chess_sees_it(positions: NDArray[np.void]) -> None:
    worth = {kind.value + 1: value for kind, value in WORTH.items()}
    sample = positions[::500]
    for fen, values in zip(fens(sample), GIRAFFE.encode_many(sample), strict=True):
        board = chess.Board(fen, chess960=True)
        squares = values[MODALITIES["squares"]].reshape(64, 2)
        for square in chess.SQUARES:
            for column, color in enumerate((chess.WHITE, chess.BLACK)):
                least = min((worth[board.piece_type_at(s) or 0] for s in board.attackers(color, square)), default=None)

                assert squares[square, column] == pytest.approx(0 if least is None else (2250 - least) / 3000)


def test_what_the_move_network_reads() -> None:
    position = Position.from_fen("1n2k3/P7/8/8/8/8/8/R3K3 w Q - 0 1")
    moves = [position.move(text) for text in ("axb8=R", "O-O-O", "Ra2")]

    numbers = encode_moves(position, moves, rank=[0, 1 / 3, 2 / 3])
    promotion, castling, quiet = (dict(zip(MOVE_FEATURES, row[363:].tolist(), strict=True)) for row in numbers)

    assert (3, 378) == numbers.shape
    assert (numbers[:, :363] == GIRAFFE.encode(position)).all()
    assert {"Piece Type Pawn", "From Y", "To X", "To Y", "Promotion Type Rook"} == {
        k for k, v in promotion.items() if v
    }
    assert (1, 4, 2) == (castling["Piece Type King"], round(7 * castling["From X"]), round(7 * castling["To X"]))
    assert (1, 1, 0) == (quiet["Piece Type Rook"], round(7 * quiet["To Y"]), quiet["Promotion Type Queen"])
    assert 2 / 3 == pytest.approx(quiet["Rank"])
