"""For people at a terminal and for test farms: d, eval, flip, perft, bench, genfens."""

import re
import subprocess
import time
from pathlib import Path

import chess
import pytest
from uci_driver import Engine

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def run(path: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([path, *arguments], capture_output=True, text=True, timeout=60, check=False)


def test_d_shows_the_position(engine: Engine) -> None:
    text = "\n".join(engine.ask("position startpos moves e2e4", "d"))
    assert "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" in text
    assert "823C9B50FD114196" in text, "the key that Polyglot's page gives for 1. e4"
    assert "Legal moves: 20" in text


def test_eval_is_for_the_side_to_move(engine: Engine) -> None:
    pattern = (
        r"info string eval: (-?\d+) centipawns and ([\d.]+) expected score for the side to move; White ([+-][\d.]+)"
    )
    (white,) = engine.ask("position fen 4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "eval")
    (black,) = engine.ask("position fen 4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", "eval")
    for line, sign in ((white, 1), (black, -1)):
        found = re.fullmatch(pattern, line)
        assert found
        assert sign * int(found[1]) > 100
        assert float(found[3]) > 1
        assert (float(found[2]) > 0.5) == (sign > 0)


@pytest.mark.parametrize(
    ("fen", "flipped"),
    [
        (KIWIPETE, chess.Board(KIWIPETE).mirror().fen()),
        ("qnrbkrbn/8/8/8/8/8/8/QNRBKRBN w FCfc - 0 4", "qnrbkrbn/8/8/8/8/8/8/QNRBKRBN b KQkq - 0 4"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1"),
    ],
)
def test_flip_exchanges_the_sides(engine: Engine, fen: str, flipped: str) -> None:
    assert f"Fen: {flipped}" in engine.ask(f"position fen {fen}", "flip", "d")


def test_perft(engine: Engine) -> None:
    engine.send(f"position fen {KIWIPETE}", "go perft 3")
    lines = engine.read_until("Nodes searched")
    assert lines[-1] == "Nodes searched: 97862"
    board = chess.Board(KIWIPETE)
    counted = dict(line.split(": ") for line in lines[:-2])
    assert set(counted) == {move.uci() for move in board.legal_moves}
    assert sum(map(int, counted.values())) == 97862


def test_a_long_perft_can_be_stopped(engine: Engine) -> None:
    engine.send("go perft 12")
    time.sleep(0.05)
    engine.send("stop")
    engine.read_until("info string perft was stopped", timeout=2)
    assert engine.go("go depth 1").move


def test_bench_is_deterministic(uci_path: str) -> None:
    first, second = run(uci_path, "bench", "6"), run(uci_path, "bench", "6")
    assert first.returncode == 0
    pattern = r"(\d+) nodes (\d+) nps"
    counts = [re.fullmatch(pattern, text.stdout.splitlines()[-1]) for text in (first, second)]
    assert counts[0]
    assert counts[1]
    assert counts[0][1] == counts[1][1]


def test_bench_as_a_command(engine: Engine) -> None:
    engine.send("bench 2")
    while not re.fullmatch(r"\d+ nodes \d+ nps", engine.read_until("")[-1]):
        pass
    engine.go("go depth 1")


def test_genfens(uci_path: str) -> None:
    """OpenBench sends the command as one argument, and `quit` after it."""
    texts = [run(uci_path, f"genfens 5 seed {seed} book None", "quit").stdout for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
    fens = [line.removeprefix("info string genfens ") for line in texts[0].splitlines()]
    assert len(set(fens)) == 5
    for fen in fens:
        board = chess.Board(fen)
        assert board.is_valid()
        assert not board.is_game_over()
        assert board.ply() in (8, 9)


def test_genfens_from_a_book(uci_path: str, tmp_path: Path) -> None:
    path = tmp_path / "book.epd"
    path.write_text("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - hmvc 0;\n")
    lines = run(uci_path, f"genfens 3 seed 1 book {path}").stdout.splitlines()
    assert len(lines) == 3
    assert all("R" not in line.split()[3] for line in lines)
    assert run(uci_path, "genfens 3 seed 1 book /nowhere").returncode == 3


def test_arguments(uci_path: str) -> None:
    assert re.fullmatch(r"Okapi \S+\n", run(uci_path, "--version").stdout)
    assert "genfens" in run(uci_path, "--help").stdout
    wrong = run(uci_path, "frobnicate")
    assert wrong.returncode == 2
    assert "frobnicate" in wrong.stderr
    assert run(uci_path, "bench", "many").returncode == 2


def test_help_and_compiler_speak_uci(engine: Engine) -> None:
    said = engine.ask("help", "compiler")
    assert len(said) > 5
    assert all(line.startswith("info string ") for line in said)
