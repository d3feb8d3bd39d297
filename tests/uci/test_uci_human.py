"""Brains that predict the moves of people play in okapi-uci as they do in Python."""

import re
from pathlib import Path

import chess
import pytest
from uci_driver import MIDDLEGAME, Engine, check_search

from okapi.brains import find, predictor
from okapi.core import Position
from okapi.core.packed import pack

CASTLING = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"
PROMOTION = "8/P6k/8/8/8/8/p6K/8 w - - 0 1"
CHESS960 = "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w DFdf - 0 1"


@pytest.fixture
def human(engine: Engine) -> Engine:
    assert engine.ask("setoption name EvalFile value okapi-human") == ["info string brain okapi-human (convolutional)"]
    return engine


def likely(human: Engine, fen: str, *options: str) -> list[tuple[str, float]]:
    human.send(*options, f"position fen {fen}", "go depth 1")
    (line,) = (line for line in human.read_until("bestmove") if line.startswith("info string likely"))
    return [(move, float(share)) for move, share in re.findall(r"(\w+) ([\d.]+)%", line)]


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, MIDDLEGAME, CASTLING, PROMOTION, CHESS960])
@pytest.mark.parametrize("elo", [None, 2050, 2800])
def test_the_moves_are_those_of_python(human: Engine, fen: str, elo: int | None) -> None:
    position = Position.from_fen(fen)
    (expected,) = predictor("okapi-human", values=False).moves(pack([position]), elo=elo)
    found = likely(human, fen, f"setoption name HumanElo value {elo or 0}")

    assert len(found) == 5
    assert [100 * share for _, share in expected[:5]] == pytest.approx([share for _, share in found], abs=0.11)
    assert position.uci(expected[0][0]) == found[0][0]


def test_the_rating_of_the_front_end_counts(human: Engine) -> None:
    limited = ["setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 2100"]

    assert likely(human, MIDDLEGAME, *limited) == likely(
        human, MIDDLEGAME, "setoption name UCI_LimitStrength value false", "setoption name HumanElo value 2100"
    )


def test_the_likeliest_move_is_played_with_a_value(human: Engine) -> None:
    board = chess.Board(MIDDLEGAME)
    first = likely(human, MIDDLEGAME)[0][0]
    for go in ("go depth 4", "go movetime 50", "go wtime 1000 btime 1000", "go nodes 100"):
        found = human.go(f"position fen {MIDDLEGAME}", go)
        check_search(found, board)
        assert first == found.move


def test_only_the_given_moves_are_chosen_among(human: Engine) -> None:
    assert human.go("position startpos", "go depth 1 searchmoves a2a3 h2h4").move in ("a2a3", "h2h4")


def test_an_endless_search_waits_for_stop(human: Engine) -> None:
    human.send("position startpos", "go infinite", "isready")
    assert not [line for line in human.read_until("readyok") if line.startswith("bestmove")]
    human.send("stop")
    assert human.read_until("bestmove")


def test_another_brain_searches_again(human: Engine) -> None:
    human.send("setoption name EvalFile value material")
    human.send(f"position fen {MIDDLEGAME}", "go depth 3")

    assert not [line for line in human.read_until("bestmove") if "likely" in line]


def test_a_damaged_one_is_refused_and_the_former_brain_stays(human: Engine, tmp_path: Path) -> None:
    content = find("okapi-human").read_bytes()
    (tmp_path / "bad.safetensors").write_bytes(content.replace(b'\\"from-to\\"', b'\\"fro--to\\"'))
    (said,) = human.ask(f"setoption name EvalFile value {tmp_path / 'bad.safetensors'}")

    assert said.startswith("info string ERROR EvalFile stays as it was") and "fro--to" in said
    assert likely(human, MIDDLEGAME)
