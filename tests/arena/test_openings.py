"""Where games begin: every kind of file gives distinct positions that can be played, the same for the same seed."""

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import chess
import chess.polyglot
import pytest

from okapi import Position
from okapi.arena.openings import BUILT_IN, load_openings
from okapi.errors import InvalidEpd, InvalidPgn, InvalidText, NotFound, UsageError

EPD = """\
# three positions, one of them twice
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id "Spanish";
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2

rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 7 9
rnbqkb1r/pppppp1p/5np1/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3
"""

PGN = """\
[Event "one"]
[Result "1-0"]

1. e4 { best by test } e5 2. Nf3 (2. f4 exf4) Nc6 3. Bb5 a6 1-0

[Event "two"]
[Result "*"]

1. d4 d5 *

[Event "from a position"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[Result "*"]

1. e4 Kd7 2. Kd2 *
"""


def file_of(folder: Path, name: str, data: bytes) -> str:
    (folder / name).write_bytes(data)
    return str(folder / name)


def polyglot_book(lines: dict[str, int]) -> bytes:
    """A book of lines in UCI, each with a weight for its every move."""
    entries: dict[tuple[int, int], int] = {}
    for line, weight in lines.items():
        board = chess.Board()
        for word in line.split():
            move = board.parse_uci(word)
            raw = move.to_square | move.from_square << 6
            key = (chess.polyglot.zobrist_hash(board), raw)
            entries[key] = max(entries.get(key, 0), weight)
            board.push(move)
    packed = (key.to_bytes(8, "big") + raw.to_bytes(2, "big") + weight.to_bytes(2, "big") + bytes(4)
              for (key, raw), weight in sorted(entries.items()))  # fmt: skip
    return b"".join(packed)


def test_the_built_in_set_is_balanced_distinct_and_ready_to_play() -> None:
    openings = load_openings()

    assert 500 == len(openings) == len({opening.key for opening in openings})
    assert all(0 == opening.plies and opening.turn.name == "WHITE" and opening.legal_moves() for opening in openings)
    assert all(16 <= len([piece for _, piece in opening.pieces()]) for opening in openings)


def test_the_same_seed_gives_the_same_order_and_another_seed_another() -> None:
    assert load_openings(seed=3, count=20) == load_openings(seed=3)[:20]
    assert load_openings(seed=3, count=20) != load_openings(seed=4, count=20)


def test_without_a_seed_the_order_of_the_file_stays() -> None:
    first = BUILT_IN.read_text(encoding="utf-8").splitlines()[2]

    assert first.startswith(" ".join(load_openings(seed=None, count=1)[0].fen().split()[:4]))


def test_an_epd_line_counts_once_whatever_its_counters_say(tmp_path: Path) -> None:
    openings = load_openings(file_of(tmp_path, "some.epd", EPD.encode()), seed=None)

    assert ["w KQkq - 0 1", "w KQkq - 0 2", "w KQkq - 0 3"] == [o.fen().split(maxsplit=1)[1] for o in openings]


def test_a_pgn_gives_the_position_after_so_many_plies_or_at_the_end(tmp_path: Path) -> None:
    openings = load_openings(file_of(tmp_path, "some.pgn", PGN.encode()), plies=4, seed=None)

    assert [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
        "8/3k4/8/8/4P3/8/3K4/8 b - - 2 2",
    ] == [opening.fen() for opening in openings]


def test_a_book_is_walked_by_weight_and_never_along_a_move_of_weight_zero(tmp_path: Path) -> None:
    book = polyglot_book({"e2e4 e7e5 g1f3": 3, "d2d4 d7d5": 1, "a2a4 a7a5": 0})
    openings = load_openings(file_of(tmp_path, "some.bin", book), plies=2)

    assert {"e4 e5", "d4 d5"} == {known(opening) for opening in openings}
    assert openings == load_openings(str(tmp_path / "some.bin"), plies=2)


def known(position: Position) -> str:
    for line in ("e4 e5", "d4 d5", "a4 a5"):
        there = Position.start()
        for move in line.split():
            there.play(move)
        if there.key == position.key:
            return line
    return position.fen()


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)])
def test_packed_files_are_unpacked(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    packed = file_of(tmp_path, f"some.epd{suffix}", pack(EPD.encode()))

    assert load_openings(packed) == load_openings(file_of(tmp_path, "some.epd", EPD.encode()))


def test_in_a_zip_the_book_is_found_beside_its_licence(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as archive:
        archive.writestr("LICENSE.txt", "do what you like")
        archive.writestr("folder/book.pgn", PGN)

    assert 3 == len(load_openings(str(tmp_path / "some.zip"), plies=2))


def test_chess960_gives_all_starts_once() -> None:
    starts = load_openings(chess960=True)

    assert 960 == len({start.fen() for start in starts})
    assert "RNBQKBNR" in {start.fen().split("/")[-1].split()[0] for start in starts}
    assert [starts[0]] == load_openings(chess960=True, count=1)


def test_chess960_positions_of_a_file_keep_their_rights(tmp_path: Path) -> None:
    fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"

    (opening,) = load_openings(file_of(tmp_path, "frc.epd", fen.encode()), chess960=True)

    assert opening.is_chess960() and fen == opening.fen()


@pytest.mark.parametrize(
    ("name", "data", "error", "says"),
    [
        ("bad.epd", b"\n8/8/8/8/8/8/8/8 w - -\n", InvalidEpd, "bad.epd, line 2"),
        ("bad.pgn", b'[Event "x"]\n\n1. e4 Ke4 *\n', InvalidPgn, "game 1 of bad.pgn"),
        ("bad.zip", b"PK\x03\x04 no", InvalidText, "damaged"),
        ("bad.epd.gz", b"no", InvalidText, "damaged"),
        ("bad.epd.xz", b"no", InvalidText, "damaged"),
        ("over.epd", b"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n", InvalidText, "no opening in over.epd"),
        ("empty.epd", b"", InvalidText, "no opening"),
        ("book.bin", b"", InvalidText, "no opening"),
        ("book.cbh", b"", UsageError, "book.cbh"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, name: str, data: bytes, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        load_openings(file_of(tmp_path, name, data))


def test_a_file_that_is_not_there_has_a_neighbour(tmp_path: Path) -> None:
    (tmp_path / "openings.epd").touch()

    with pytest.raises(NotFound) as caught:
        load_openings(str(tmp_path / "opening.epd"))

    assert "openings.epd" in caught.value.hint


def test_no_plies_is_no_opening() -> None:
    with pytest.raises(UsageError):
        load_openings(plies=0)
