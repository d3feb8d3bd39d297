"""Endgame tables, where there are some."""

from pathlib import Path

import pytest

from okapi import Limits, Position
from okapi.core.search import tablebase_load
from okapi.errors import NotFound
from okapi.formats.syzygy import Tables
from okapi.players import AlphaBeta

TABLES = Path(__file__).parents[3] / "shared" / "data" / "syzygy34"
needs_tables = pytest.mark.skipif(not TABLES.is_dir(), reason="no endgame tables here: ../shared/data/syzygy34")


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no endgame tables"):
        Tables(str(tmp_path))


@needs_tables
def test_finds_the_only_winning_move() -> None:
    """King and pawn: only taking the opposition wins."""
    position = Position.from_fen("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")

    moves = {position.san(move) for move in Tables(str(TABLES)).best_moves(position)}

    assert moves <= {"Kd6", "Kf6"} and moves


@needs_tables
def test_mates_where_it_can() -> None:
    position = Position.from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1")

    assert ["Ra8#"] == [position.san(move) for move in Tables(str(TABLES)).best_moves(position)]


@needs_tables
def test_too_many_pieces_are_no_error() -> None:
    assert () == Tables(str(TABLES)).best_moves(Position.start())


@needs_tables
def test_a_player_uses_them() -> None:
    position = Position.from_fen("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1")

    try:
        decision = AlphaBeta("material", syzygy=str(TABLES), without=["quiescence"]).choose(position, Limits(depth=1))
    finally:
        tablebase_load("")  # all searches of a process read them, those of later tests, too

    assert position.san(decision.move) in {"Kd6", "Kf6"}
