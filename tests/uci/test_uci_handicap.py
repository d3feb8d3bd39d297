"""UCI_LimitStrength: weaker as the number falls, but never silly."""

import json
from itertools import pairwise
from pathlib import Path

import chess
import pytest
from uci_driver import MIDDLEGAME, Engine, check_search

from okapi.core.search import HIGHEST_ELO, LOWEST_ELO, Handicap

DOCS = Path(__file__).parents[2] / "docs" / "reference"
LEVELS = json.loads((DOCS / "uci_elo.json").read_bytes())["levels"]
WITHIN = 60
"""Elo, of what a level is called, and of the 200 of a step."""
SETTINGS = ("nodes", "lines", "temperature", "visible_loss", "visible_mate")

FREE_QUEEN = "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 3"
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


def limit(engine: Engine, elo: int) -> None:
    engine.send("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {elo}")


@pytest.mark.parametrize("elo", [800, 1500, 3200])
def test_lines_stay_true(engine: Engine, elo: int) -> None:
    limit(engine, elo)
    for fen in (chess.STARTING_FEN, MIDDLEGAME):
        check_search(engine.go(f"position fen {fen}", "go movetime 100"), chess.Board(fen))
    engine.send("setoption name MultiPV value 3")
    assert engine.go("go movetime 100").last.pv


def test_the_weak_play_many_moves_and_the_strong_few(engine: Engine) -> None:
    def variety(elo: int) -> int:
        limit(engine, elo)
        return len({engine.go("ucinewgame", f"position fen {MIDDLEGAME}", "go nodes 2000").move for _ in range(30)})

    assert variety(800) > 2
    assert variety(800) >= variety(3200)


@pytest.mark.parametrize("elo", [800, 1200, 2000])
def test_a_free_queen_is_taken(engine: Engine, elo: int) -> None:
    limit(engine, elo)
    moves = {engine.go("ucinewgame", f"position fen {FREE_QUEEN}", "go movetime 500").move for _ in range(20)}
    assert moves == {"c1g5"}


def test_mate_in_one_is_seen_at_every_level(engine: Engine) -> None:
    limit(engine, LOWEST_ELO)
    moves = {engine.go("ucinewgame", f"position fen {MATE_IN_ONE}", "go movetime 500").move for _ in range(20)}
    assert moves == {"a1a8"}


def test_no_piece_is_left_to_be_taken(engine: Engine) -> None:
    """At 1600 a piece is never put where a pawn takes it."""
    limit(engine, 1600)
    for _ in range(30):
        board = chess.Board(MIDDLEGAME)
        move = board.parse_uci(engine.go("ucinewgame", f"position fen {MIDDLEGAME}", "go movetime 500").move)
        piece = board.piece_at(move.from_square)
        assert piece
        captured = board.piece_type_at(move.to_square) or 0
        board.push(move)
        pawns = board.attackers(chess.BLACK, move.to_square) & board.pieces(chess.PAWN, chess.BLACK)
        assert piece.piece_type == chess.PAWN or captured >= chess.KNIGHT or not pawns


def test_analysis_is_not_limited(engine: Engine) -> None:
    limit(engine, 800)
    engine.send("setoption name UCI_AnalyseMode value true")
    assert engine.go(f"position fen {MIDDLEGAME}", "go nodes 20000").last.nodes > 5000


def test_the_measured_levels_are_those_of_the_core_and_of_the_docs() -> None:
    for elo, measured in LEVELS.items():
        assert {name: getattr(Handicap(int(elo)), name) for name in SETTINGS} == {n: measured[n] for n in SETTINGS}
    rows = [line.strip("| ").split(" | ") for line in (DOCS / "uci.md").read_text("utf-8").splitlines()]

    assert ["measured", *(str(level["rating"]) for level in LEVELS.values())] in rows
    assert all(abs(level["rating"] - int(elo)) <= WITHIN for elo, level in LEVELS.items())
    steps = [(int(high) - int(low), LEVELS[high]["rating"] - LEVELS[low]["rating"]) for low, high in pairwise(LEVELS)]
    assert all(abs(measured - step) <= WITHIN for step, measured in steps)
    assert {LOWEST_ELO, HIGHEST_ELO} <= set(map(int, LEVELS))


def test_a_higher_level_is_stronger_and_searches_no_less() -> None:
    levels = [Handicap(elo) for elo in range(LOWEST_ELO, HIGHEST_ELO + 1, 50)]

    assert all(lower["rating"] < higher["rating"] for lower, higher in pairwise(LEVELS.values()))
    for lower, higher in pairwise(levels):
        assert lower.nodes <= higher.nodes and lower.temperature > higher.temperature and lower.lines >= higher.lines
        assert lower.visible_loss >= higher.visible_loss and lower.visible_mate <= higher.visible_mate
