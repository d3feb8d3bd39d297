"""UCI around any player."""

import io
import re
import subprocess
import sys
import time

import chess
import chess.engine
import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from okapi import Decision, Limits, Position
from okapi.brains.move_prediction import Squares
from okapi.core.packed import unpack
from okapi.players import AlphaBeta, Random
from okapi.players.singh2015 import MoveProbabilities, TopProb
from okapi.uci import Uci


def said(*lines: str, player: object = None) -> list[str]:
    """What the loop answers to these lines."""
    out = io.StringIO()
    Uci(player or Random(1), "random", out=out).run(iter(lines))  # type: ignore[arg-type]
    return out.getvalue().splitlines()


def test_introduces_itself() -> None:
    lines = said("uci")

    assert lines[0].startswith("id name Okapi") and "uciok" == lines[-1]
    assert all(option in "\n".join(lines) for option in ("Threads", "Hash", "UCI_Chess960", "Move Overhead"))


def test_one_bestmove_for_each_go() -> None:
    lines = said("position startpos moves e2e4", "go movetime 10", "go depth 1", "go wtime 100 btime 100", "quit", "go")

    assert 3 == sum(line.startswith("bestmove ") for line in lines)
    assert 3 == sum(re.match(r"info depth \d+ multipv 1 nodes 0 time \d+ pv \w+$", line) is not None for line in lines)


def test_who_has_an_opinion_tells_it() -> None:
    lines = said("go depth 2", player=AlphaBeta("material", depth=2))

    assert re.match(r"info depth \d+ multipv 1 score cp -?\d+ nodes [1-9]", lines[-2])


def test_words_that_mean_nothing_are_skipped() -> None:
    assert ["readyok"] == said("", "   ", "joho isready", "nonsense", "\t\r\n")


@pytest.mark.parametrize(
    "line",
    [
        "position fen nonsense",
        "position",
        "position startpos moves e2e5",
        "setoption name Nonsense value 5",
        "setoption name Move Overhead value x",
    ],
)
def test_bad_input_is_told_and_survived(line: str) -> None:
    lines = said(line, "isready", "go depth 1")

    assert lines[0].startswith("info string ERROR") and "readyok" in lines
    assert lines[-1].startswith("bestmove ")


def test_when_the_game_is_over() -> None:
    assert ["info depth 0 score mate 0", "bestmove (none)"] == said(
        "position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "go depth 1"
    )
    assert ["info depth 0 score cp 0", "bestmove (none)"] == said(
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 1"
    )


def test_infinite_waits_for_stop() -> None:
    out = io.StringIO()
    uci = Uci(Random(1), "random", out=out)
    uci.read("go infinite")
    time.sleep(0.1)
    assert "bestmove" not in out.getvalue()
    uci.read("isready")
    uci.read("stop")
    uci.run(iter(()))

    assert "readyok" in out.getvalue() and "bestmove" in out.getvalue()


def test_a_player_that_can_stop_is_stopped() -> None:
    begun = time.perf_counter()

    lines = said("go infinite", "stop", player=AlphaBeta())

    assert lines[-1].startswith("bestmove ") and time.perf_counter() - begun < 5


def test_searchmoves() -> None:
    assert "bestmove a2a3" in said("go depth 1 searchmoves a2a3 nonsense")


def test_castling_in_chess960() -> None:
    fen = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"

    assert "bestmove e1h1" in said("setoption name UCI_Chess960 value true", fen, "go searchmoves e1h1 depth 1")
    assert "bestmove e1g1" in said(fen, "go searchmoves e1h1 depth 1")


def test_a_player_that_fails_still_moves() -> None:
    class Broken:
        def choose(self, position: Position, limits: Limits) -> Decision:
            raise RuntimeError("out of order")

    lines = said("go depth 1", player=Broken())

    assert "info string ERROR out of order" in lines and lines[-1].startswith("bestmove ")


def test_python_chess_can_play_it() -> None:
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "okapi", "uci", "random:5"]) as engine:
        board = chess.Board()
        for _ in range(6):
            move = engine.play(board, chess.engine.Limit(time=0.05)).move
            assert move is not None
            board.push(move)


@pytest.mark.parametrize("arguments", [(), ("--brain", "material")])
def test_the_native_program_knows_brains_by_name(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "okapi", "uci", *arguments],
        input="setoption name EvalFile value okapi-28\nquit\n",
        capture_output=True,
        text=True,
        check=True,
    )

    assert "info string brain okapi-28 (linear-28)" == done.stdout.splitlines()[-1]


class Likes:
    """Predicts that everybody plays the first legal move, and nothing else."""

    inputs = frozenset({"elo"})

    def __init__(self) -> None:
        self.elos: list[object] = []

    def moves(self, positions: NDArray[np.void], *, elo: ArrayLike | None = None) -> list[MoveProbabilities]:
        self.elos.append(elo)
        return [[(move, float(n == 0)) for n, move in enumerate(unpack(row).legal_moves())] for row in positions]

    def squares(self, positions: NDArray[np.void], *, elo: ArrayLike | None = None) -> Squares:
        raise NotImplementedError


class TestPredicting:
    def test_the_options_of_strength_turn_the_dial(self) -> None:
        brain = Likes()
        lines = said(
            *("uci", "go", "setoption name UCI_Elo value 2200", "go"),
            *("setoption name UCI_LimitStrength value true", "go", "setoption name UCI_Elo value 9999", "go"),
            *("setoption name UCI_LimitStrength value false", "go"),
            player=TopProb(brain, elo=2600),
        )

        assert "option name UCI_Elo type spin default 2600 min 2000 max 2900" in lines
        assert [2600, 2600, 2200, 2900, 2600] == brain.elos

    def test_tells_the_likeliest_moves_and_no_score_that_nobody_has(self) -> None:
        likely, info, best = said("position startpos", "go nodes 1", player=TopProb(Likes()))

        assert likely.startswith("info string likely a2a3 100.0%, ")
        assert " score " not in info
        assert "bestmove a2a3" == best

    def test_others_have_no_such_options(self) -> None:
        assert not [line for line in said("uci") if "UCI_Elo" in line]
