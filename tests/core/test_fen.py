"""FEN in and out, and what is said about FENs that are wrong."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okapi import Position
from okapi.errors import InvalidFen, OkapiError

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
PIECES = START.split()[0]

WRONG = [
    ("", "the piece placement", "", "eight ranks"),
    ("hello", "the piece placement", "h", "a piece"),
    ("8/8/8/8/8/8/8/8 w - - 0 1", "the piece placement", "8/8/8/8/8/8/8/8", "one white king"),
    ("8/8/8/8/8/8/8/4K3 w - - 0 1", "the piece placement", "8/8/8/8/8/8/8/4K3", "one black king"),
    ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "the piece placement", "4k3/8/8/8/8/8/8/3KK3", "one white king"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1", "the piece placement", None, "eight ranks"),
    ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "the piece placement", "9", "a digit 1-8"),
    ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "the piece placement", "p", "eight squares"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1", "the piece placement", "X", "a piece"),
    ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "the piece placement", None, "no pawn on the first"),
    ("rnbqkbnr/pppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "the piece placement", None, "16 black pieces"),
    (PIECES, "the side to move", "", "w or b"),
    (f"{PIECES} white KQkq - 0 1", "the side to move", "white", "w or b"),
    ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "the side to move", "w", "could take the king"),
    (f"{PIECES} w KQkqX - 0 1", "the castling rights", "X", "KQkq"),
    (f"{PIECES} w KK - 0 1", "the castling rights", "K", "only once"),
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1", "the castling rights", "K", "a rook to castle with"),
    (f"{PIECES} w KQkq e9 0 1", "the en passant square", "e9", "a square"),
    (f"{PIECES} w KQkq é6 0 1", "the en passant square", "é6", "a square"),
    (f"{PIECES} w KQkq - x 1", "the halfmove clock", "x", "a number"),
    (f"{PIECES} w KQkq - -1 1", "the halfmove clock", "-1", "a number"),
    (f"{PIECES} w KQkq - 99999999999999999999 1", "the halfmove clock", "99999999999999999999", "a number"),
    (f"{START} extra", "the end", "extra", "at most six fields"),
]


@pytest.mark.parametrize(("fen", "field", "part", "expected"), WRONG)
def test_a_wrong_fen_is_refused_and_the_error_points_at_it(
    fen: str, field: str, part: str | None, expected: str
) -> None:
    with pytest.raises(InvalidFen) as caught:
        Position.from_fen(fen)

    error = caught.value
    assert field == error.field
    assert part is None or part == error.fen[error.start : error.end]
    assert expected in error.hint
    assert "^" in str(error)


def test_the_caret_stands_under_the_mistake() -> None:
    with pytest.raises(InvalidFen) as caught:
        Position.from_fen(f"{PIECES} x KQkq - 0 1")

    _, line, caret = str(caught.value).splitlines()
    assert "x" == line[caret.index("^")]


def test_the_error_survives_pickling() -> None:
    """Workers hand their errors to the process that started them."""
    with pytest.raises(InvalidFen) as caught:
        Position.from_fen("x")

    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    ("fen", "written"),
    [
        (START, START),
        (f"{PIECES} w KQkq -", START),
        (f"  {START}  ", START),
        (f"{PIECES} w HAha - 0 1", START),
        (f"{PIECES} w KQkq - 0 0", START),
        (f"{PIECES} b KQkq e3 0 1", f"{PIECES} b KQkq - 0 1"),
        ("rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 2",) * 2,
        # Taking en passant would lay the king open, so there is no en passant.
        ("8/8/8/K1pP3r/8/8/8/7k w - c6 0 1", "8/8/8/K1pP3r/8/8/8/7k w - - 0 1"),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", None),
    ],
)
def test_what_is_read_is_written(fen: str, written: str | None) -> None:
    position = Position.from_fen(fen)

    assert (written or fen.replace("HFhf", "KQkq")) == position.fen()
    assert position == Position.from_fen(position.fen(shredder=True))


def test_shredder_fen_names_the_files() -> None:
    assert "w HAha -" in Position.start().fen(shredder=True)


def test_an_inner_rook_needs_its_file_in_x_fen() -> None:
    """Two rooks on one side of the king: K means the outermost one."""
    fen = "4k3/8/8/8/8/8/8/4KR1R w F - 0 1"

    assert fen == Position.from_fen(fen).fen()


@given(st.text() | st.text(alphabet="pnbrqkPNBRQK12345678/ w-KQkqabcdefgh", max_size=90))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Never a crash, and what was read can be written and read again."""
    try:
        position = Position.from_fen(text)
    except InvalidFen:
        return
    assert position == Position.from_fen(position.fen())


@given(st.data())
def test_a_fen_with_one_wrong_letter_is_read_or_refused(data: st.DataObject) -> None:
    fen = list(data.draw(st.sampled_from([START, WRONG[13][0], "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"])))
    fen[data.draw(st.integers(0, len(fen) - 1))] = data.draw(st.characters(codec="utf-8"))
    try:
        position = Position.from_fen("".join(fen))
    except InvalidFen:
        return
    assert position.legal_moves() == Position.from_fen(position.fen()).legal_moves()


@given(st.text() | st.text(alphabet="pnbrqkPNBRQKO0-x=+#!?abcdefgh12345678", max_size=8))
def test_any_text_is_a_move_or_refused(text: str) -> None:
    position = Position.start()
    try:
        move = position.move(text)
    except OkapiError:
        return
    assert move in position.legal_moves()
