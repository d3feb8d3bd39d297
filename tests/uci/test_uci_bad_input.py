"""Whatever it is told, the program goes on from the last legal position and answers each go once."""

import random

import chess
import pytest
from uci_driver import MIDDLEGAME, START, Engine


def fen(engine: Engine) -> str:
    return next(line for line in engine.ask("d") if line.startswith("Fen: ")).removeprefix("Fen: ")


@pytest.mark.parametrize(
    "line", ["", " ", "\t", "\r", "xyzzy", "\x00", "\xff\xfe", "GO", "position", "\x1b[A", "go\x00"]
)
def test_lines_without_meaning_are_ignored(engine: Engine, line: str) -> None:
    assert all(said.startswith("info string ERROR") for said in engine.ask(line))
    assert fen(engine) == START
    engine.go("go depth 1")


def test_unknown_words_are_skipped_and_the_rest_is_read(engine: Engine) -> None:
    assert engine.ask("qwerty") == []
    engine.send("joho debug on")
    assert "qwerty" in engine.ask("qwerty")[0], "debug is on"
    engine.go("please position startpos", "hello go quickly depth 2 thanks")


def test_any_white_space_parts_words(engine: Engine) -> None:
    engine.send_bytes(b"  position\t startpos   moves\te2e4  \r\n\tgo \t depth   1\r\n")
    engine.read_until("bestmove")
    assert fen(engine).startswith("rnbqkbnr/pppppppp/8/8/4P3/")


@pytest.mark.parametrize(
    "command",
    [
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - -",
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - moves",
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves",
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves ",
        "position nonsense fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    ],
)
def test_short_fens_and_empty_move_lists_are_read(engine: Engine, command: str) -> None:
    """Shredder sends four fields, and moves without moves."""
    assert engine.ask(command) == []
    assert fen(engine) == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/PPPPPPPPP/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/PPPPPPPP/P7/8/8/8/8/4K3 w - - 0 1",
        "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
        "KKKKKKKK/8/8/8/8/8/8/kkkkkkkk w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "x" * 10_000,
    ],
)
def test_a_bad_fen_keeps_the_former_position(engine: Engine, bad: str) -> None:
    engine.send(f"position fen {MIDDLEGAME}")
    said = engine.ask(f"position fen {bad} moves e2e4")
    assert len(said) == 1
    assert said[0].startswith("info string ERROR")
    assert len(said[0]) < 500
    assert fen(engine) == MIDDLEGAME
    chess.Board(MIDDLEGAME).parse_uci(engine.go("go depth 2").move)


@pytest.mark.parametrize("bad", ["e7e5", "e2e5", "0000", "e2e9", "xyz", "e1g1", "e7e8q"])
def test_an_illegal_move_ends_the_list(engine: Engine, bad: str) -> None:
    said = engine.ask(f"position startpos moves e2e4 e7e5 {bad} g1f3")
    assert len(said) == 1
    assert f"illegal move {bad}" in said[0]
    board = chess.Board()
    board.push_uci("e2e4")
    board.push_uci("e7e5")
    assert fen(engine) == board.fen()
    board.parse_uci(engine.go("go depth 2").move)


def test_a_list_of_twenty_thousand_moves(engine: Engine) -> None:
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 5_000
    moves = " ".join(shuffle)
    assert len(moves) > 99_000
    assert engine.ask(f"position startpos moves {moves}") == []
    search = engine.go("go depth 4")
    assert chess.Move.from_uci(search.move) in chess.Board().legal_moves


@pytest.mark.parametrize(
    "go",
    [
        "go wtime -1000 btime -1000",
        "go wtime 0 btime 0",
        "go wtime 0",
        "go btime 50",
        "go wtime 1 btime 1 winc -5 binc -5 movestogo -3",
        "go wtime 50 btime 50 movestogo 0",
        "go wtime 50 btime 50 movestogo 99999999999",
        "go wtime 99999999999999999999999 btime 1 movetime 20",
        "go movetime 0",
        "go movetime -7",
        "go depth 0",
        "go depth -3",
        "go nodes 0",
        "go nodes 1",
        "go nodes -99999999999999999999",
        "go depth abc",
        "go depth",
        "go movetime 1e3",
        "go wtime",
        "go wtime 10.5 btime 10.5",
        "go winc 5 nodes 100",
        "go depth 2 depth 3 depth 1",
        "go mate 1",
        "go mate 0 depth 3",
        "go searchmoves e2e4 e2e5 depth 2",
        "go searchmoves 0000 depth 2",
        "go searchmoves depth 2",
        "go searchmoves xyzzy nodes 10",
    ],
)
def test_odd_limits_still_get_an_answer(engine: Engine, go: str) -> None:
    search = engine.go(
        "position fen k7/8/8/8/8/8/1R6/K6R w - - 0 1" if "mate 1" in go else "position startpos", go, timeout=5
    )
    assert search.last.depth >= 1
    assert search.move != "(none)"
    assert engine.ask() == []


def test_searchmoves_keeps_to_the_legal_ones(engine: Engine) -> None:
    search = engine.go("go depth 4 searchmoves a2a3 e2e5 h2h3")
    assert {info.pv[0] for info in search.infos} <= {"a2a3", "h2h3"}
    assert any("e2e5" in line and "ERROR" in line for line in search.lines)


def test_more_lines_than_moves(engine: Engine) -> None:
    engine.send("setoption name MultiPV value 256", "position fen 7k/8/8/8/8/8/R7/K7 b - - 0 1")
    assert {info.multipv for info in engine.go("go depth 3").infos} == {1, 2, 3}


def test_a_new_game_may_come_first(engine: Engine) -> None:
    engine.send("ucinewgame", "isready")
    engine.read_until("readyok")
    engine.go("go nodes 1")


def test_noise(engine: Engine) -> None:
    """Bytes that are no text at all."""
    noise = random.Random(1).randbytes(200_000).replace(b"quit", b"")
    engine.send_bytes(noise + b"\nstop\n")
    engine.send("position startpos")
    engine.ask()
    engine.go("go depth 1")
