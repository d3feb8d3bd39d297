"""Every line that a search says is true: legal moves, whole blocks, no gaps, the answer in front."""

import random

import chess
import pytest
from uci_driver import MIDDLEGAME, START, Engine, check_search

POSITIONS = [
    START,
    MIDDLEGAME,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2k5/8/2K5/2P5/8/8/8 w - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1",
    "8/8/8/8/8/2k5/7q/K7 w - - 0 1",
    "7k/8/8/8/8/8/q7/2K5 w - - 0 1",
    "8/5k2/8/8/8/8/3QK3/8 w - - 95 120",
    "6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3",
]
CHESS960 = [
    "qnrbkrbn/ppp3pp/3p1p2/4p3/4PP2/3P4/PPP3PP/QNRBKRBN w FCfc - 0 4",
    "rk6/8/8/8/8/8/8/RK5R w HAa - 0 1",
    "1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w HBhb - 0 1",
]


def random_game(seed: int, plies: int, board: chess.Board) -> chess.Board:
    """Plays at random, and stops where nothing is left to play."""
    chance = random.Random(seed)
    for _ in range(plies):
        board.push(chance.choice(list(board.legal_moves)))
        if not any(board.legal_moves):
            board.pop()
            break
    return board


def command(board: chess.Board) -> str:
    root = board.root().fen()
    moves = [board.uci(move) for move in board.move_stack]
    return f"position fen {root}" + (" moves " + " ".join(moves) if moves else "")


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("lines", [1, 3, 500])
def test_known_positions(engine: Engine, fen: str, lines: int) -> None:
    board = chess.Board(fen)
    engine.send(f"setoption name MultiPV value {min(lines, 256)}", "setoption name UCI_ShowWDL value true")
    for go in ("go depth 6", "go nodes 1", "go movetime 30", "go nodes 3000"):
        check_search(engine.go(f"position fen {fen}", go), board, lines)


def test_positions_of_games(engine: Engine) -> None:
    """With their history: lines end at the third repetition and at the fifty-move rule."""
    for seed in range(40):
        board = random_game(seed, 10 + 4 * seed, chess.Board())
        lines = 1 + seed % 3
        engine.send(f"setoption name MultiPV value {lines}")
        check_search(engine.go(command(board), "go nodes 2000"), board, lines)


def test_shuffling_kings_repeat(engine: Engine) -> None:
    board = chess.Board("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1")
    for move in ("e3d3", "e6d6", "d3e3", "d6e6", "e3d3", "e6d6", "d3e3"):
        board.push_uci(move)
    check_search(engine.go(command(board), "go depth 10"), board)


@pytest.mark.parametrize("fen", CHESS960)
def test_chess960(engine: Engine, fen: str) -> None:
    engine.send("setoption name UCI_Chess960 value true")
    for seed in range(6):
        board = random_game(seed, 2 * seed, chess.Board(fen, chess960=True))
        check_search(engine.go(command(board), "go nodes 2000"), board)


@pytest.mark.parametrize(("chess960", "castling"), [("false", "e1g1"), ("true", "e1h1")])
def test_castling_is_written_as_the_option_says(engine: Engine, chess960: str, castling: str) -> None:
    engine.send(f"setoption name UCI_Chess960 value {chess960}", "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    for text in ("e1g1", "e1h1"):
        assert engine.go(f"go depth 1 searchmoves {text}").move == castling


def test_castling_is_read_either_way(engine: Engine) -> None:
    for text in ("e1g1", "e1h1"):
        said = engine.ask(f"position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves {text}", "d")
        assert any("Fen: 4k3/8/8/8/8/8/8/5RK1 b" in line for line in said)


def test_ponder_searches(engine: Engine) -> None:
    board = chess.Board()
    engine.send("position startpos", "go ponder depth 5")
    check_search(engine.go("ponderhit"), board)


def test_searchmoves(engine: Engine) -> None:
    board = chess.Board(MIDDLEGAME)
    only = [board.parse_uci("a2a3"), board.parse_uci("h2h3"), board.parse_uci("c4d5")]
    engine.send("setoption name MultiPV value 2")
    text = " ".join(move.uci() for move in only)
    check_search(engine.go(f"position fen {MIDDLEGAME}", f"go searchmoves {text} depth 5"), board, 2, only)


def test_stopped_searches(engine: Engine) -> None:
    """A search may be stopped in the middle of a depth: the last line still belongs to the answer."""
    board = chess.Board(MIDDLEGAME)
    for nodes in (10, 100, 500, 1_000, 5_000, 20_000, 50_000):
        check_search(engine.go("ucinewgame", f"position fen {MIDDLEGAME}", f"go nodes {nodes}"), board)


def test_mate_is_counted_in_moves(engine: Engine) -> None:
    won = engine.go("position fen 6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1", "go depth 6").last
    assert (won.kind, won.score, len(won.pv)) == ("mate", 2, 3)
    lost = engine.go("position fen R5k1/5ppp/8/8/8/8/1r3PPP/6K1 b - - 0 1", "go depth 6").last
    assert (lost.kind, lost.score, len(lost.pv)) == ("mate", -1, 2)


def test_bounds_come_late_and_never_with_several_lines(engine: Engine) -> None:
    search = engine.go(f"position fen {MIDDLEGAME}", "go movetime 1500")
    assert all(info.time >= 1000 for info in search.infos if info.bound)
    assert not any("currmove" in line for line in search.lines), "currmove waits for three seconds"
    engine.send("setoption name MultiPV value 2")
    assert not any(info.bound for info in engine.go("go movetime 1200").infos)


def test_wdl_keeps_the_expected_score(engine: Engine) -> None:
    engine.send("setoption name UCI_ShowWDL value true")
    won = engine.go("position fen 4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1", "go depth 5").last
    assert won.wdl
    assert won.wdl[0] > 990
    even = engine.go("position fen 4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", "go depth 1").last
    assert even.wdl
    expected = 1 / (1 + 10 ** (-even.score / 400))
    assert abs(even.wdl[0] / 1000 + even.wdl[1] / 2000 - expected) < 0.002
