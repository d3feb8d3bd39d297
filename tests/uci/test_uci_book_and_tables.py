"""Opening books and endgame tables, as the options OwnBook, BookFile and SyzygyPath."""

import random
import struct
from pathlib import Path

import chess
import chess.polyglot
import chess.syzygy
import pytest
from uci_driver import Engine, check_search

SHARED = Path(__file__).parents[3] / "shared" / "data"
TABLES = SHARED / "syzygy34"
BOOKS = SHARED / "books"


def write_book(path: Path, moves: dict[str, int], board: chess.Board | None = None) -> None:
    """A Polyglot book with entries for one position, among others that sort before and after."""
    key = chess.polyglot.zobrist_hash(board or chess.Board())
    entries = [(key - 1, 0, 1), (key + 1, 0, 1)]
    for text, weight in moves.items():
        move = chess.Move.from_uci(text)
        promotion = (move.promotion or 1) - 1
        entries.append((key, move.to_square | move.from_square << 6 | promotion << 12, weight))
    path.write_bytes(b"".join(struct.pack(">QHHI", *entry, 0) for entry in sorted(entries)))


def use(engine: Engine, path: Path) -> list[str]:
    return engine.ask("setoption name OwnBook value true", f"setoption name BookFile value {path}")


def test_moves_are_drawn_by_weight(engine: Engine, tmp_path: Path) -> None:
    write_book(tmp_path / "book.bin", {"a2a3": 3, "h2h3": 1, "b2b3": 0, "e2e5": 9})
    assert use(engine, tmp_path / "book.bin") == []
    moves = [engine.go("go movetime 1000").move for _ in range(60)]
    assert set(moves) == {"a2a3", "h2h3"}
    assert moves.count("a2a3") > 30


def test_a_book_move_comes_with_true_lines(engine: Engine, tmp_path: Path) -> None:
    write_book(tmp_path / "book.bin", {"a2a3": 1})
    use(engine, tmp_path / "book.bin")
    board = chess.Board()
    check_search(engine.go("go wtime 1000 btime 1000"), board, only=[board.parse_uci("a2a3")])


def test_castling_and_promotion_in_books(engine: Engine, tmp_path: Path) -> None:
    board = chess.Board("4k3/P7/8/8/8/8/8/4K2R w K - 0 1")
    for text, played in (("e1h1", "e1g1"), ("a7a8n", "a7a8n")):
        write_book(tmp_path / "book.bin", {text: 1}, board)
        use(engine, tmp_path / "book.bin")
        assert engine.go(f"position fen {board.fen()}", "go depth 3").move == played


@pytest.mark.parametrize(
    "line", ["go infinite", "setoption name UCI_AnalyseMode value true", "setoption name OwnBook value false"]
)
def test_where_the_book_is_not_used(engine: Engine, tmp_path: Path, line: str) -> None:
    write_book(tmp_path / "book.bin", {"a2a4": 1})
    use(engine, tmp_path / "book.bin")
    engine.send(line, "stop", "go depth 3 searchmoves e2e4" if "infinite" in line else "go depth 3")
    if "infinite" in line:
        engine.read_until("bestmove")
    lines = engine.read_until("bestmove")
    assert not lines[-1].startswith("bestmove a2a4")


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 17, bytes(range(255, -1, -1)) * 16])
def test_a_broken_book_is_refused(engine: Engine, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "book.bin").write_bytes(content)
    said = use(engine, tmp_path / "book.bin")
    assert len(said) == 1
    assert "ERROR BookFile stays as it was" in said[0]
    engine.go("go depth 1")


def test_noise_that_looks_like_a_book(engine: Engine, tmp_path: Path) -> None:
    chance = random.Random(1)
    entries = sorted(chance.randbytes(16) for _ in range(1000))
    (tmp_path / "book.bin").write_bytes(b"".join(entries))
    assert use(engine, tmp_path / "book.bin") == []
    engine.go("go depth 2")


def test_a_book_that_shrinks_while_in_use(engine: Engine, tmp_path: Path) -> None:
    write_book(tmp_path / "book.bin", {"a2a3": 1})
    use(engine, tmp_path / "book.bin")
    (tmp_path / "book.bin").write_bytes(b"")
    assert engine.go("go depth 2").move != "(none)"
    assert engine.ask() == []


@pytest.mark.skipif(not BOOKS.exists(), reason="no books here: ../shared/data/books")
@pytest.mark.parametrize("name", ["gnuchess_book.bin", "pychess_book.bin"])
def test_real_books_agree_with_python_chess(engine: Engine, name: str) -> None:
    assert use(engine, BOOKS / name) == []
    chance = random.Random(1)
    with chess.polyglot.open_reader(BOOKS / name) as reader:
        for _ in range(10):
            board = chess.Board()
            while entries := [entry for entry in reader.find_all(board) if entry.weight]:
                moves = " ".join(move.uci() for move in board.move_stack)
                played = engine.go(f"position startpos moves {moves}", "go depth 1").move
                assert played in {entry.move.uci() for entry in entries}
                board.push(chance.choice(entries).move)


needs_tables = pytest.mark.skipif(not TABLES.exists(), reason="no endgame tables here: ../shared/data/syzygy34")


def load(engine: Engine) -> None:
    said = engine.ask(f"setoption name SyzygyPath value {TABLES}")
    if any("no support" in line for line in said):
        pytest.skip("this build has no Fathom")
    assert said == ["info string tablebases for up to 4 pieces"]


def random_endgame(chance: random.Random, pieces: str) -> chess.Board:
    while True:
        board = chess.Board(None)
        for symbol, square in zip(pieces, chance.sample(range(64), len(pieces)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        board.turn = chance.choice([True, False])
        if board.is_valid() and any(board.legal_moves):
            return board


@needs_tables
@pytest.mark.parametrize(
    "pieces", ["KQkr", "KRkb", "KRkn", "KBNk", "KPk", "KPkp", "KQkp", "KRkp", "KBBk", "KRk", "KNNk"]
)
def test_the_tables_are_obeyed(engine: Engine, pieces: str) -> None:
    """Every answer keeps the result."""
    load(engine)
    chance = random.Random(pieces)
    with chess.syzygy.open_tablebase(str(TABLES)) as tables:
        for _ in range(12):
            board = random_endgame(chance, pieces)
            before = tables.probe_wdl(board)
            search = engine.go(f"position fen {board.fen()}", "go depth 2")
            board.push_uci(search.move)
            after = -tables.probe_wdl(board) if any(board.legal_moves) else (2 if board.is_check() else 0)
            assert after == before


@needs_tables
def test_a_won_endgame_is_won(engine: Engine) -> None:
    load(engine)
    board = chess.Board("8/8/8/3k4/8/8/8/KBN5 w - - 0 1")
    while not board.is_game_over():
        moves = " ".join(move.uci() for move in board.move_stack)
        board.push_uci(engine.go(f"position fen {board.root().fen()} moves {moves}", "go depth 1").move)
    assert board.is_checkmate()


@needs_tables
def test_the_tables_can_be_forgotten(engine: Engine) -> None:
    load(engine)
    position = "position fen 8/8/8/3k4/8/8/8/KBN5 w - - 0 1"
    assert engine.go(position, "go depth 4").lines
    assert engine.ask("setoption name SyzygyPath value") == []
    assert engine.go(position, "go depth 4").lines[-2].count("tbhits 0") == 1
    load(engine)
    said = engine.ask("setoption name SyzygyPath value /nowhere")
    assert "stays as it was" in said[0]
