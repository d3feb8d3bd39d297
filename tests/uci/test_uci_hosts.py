"""As python-chess drives it, and so lichess-bot: options before play, clocks, pondering, analysis."""

import logging
from collections.abc import Iterator

import chess
import chess.engine
import pytest

LICHESS_BOT = {"Move Overhead": 100, "Threads": 2, "Hash": 32, "SyzygyPath": None, "UCI_ShowWDL": True}
"""The options in the default configuration of lichess-bot."""


@pytest.fixture
def host(uci_path: str, caplog: pytest.LogCaptureFixture) -> Iterator[chess.engine.SimpleEngine]:
    """An engine whose every line python-chess understands."""
    with (
        caplog.at_level(logging.WARNING, logger="chess.engine"),
        chess.engine.SimpleEngine.popen_uci(uci_path) as engine,
    ):
        yield engine
    assert caplog.records == []


def test_a_game_of_lichess_bot(host: chess.engine.SimpleEngine) -> None:
    host.configure(LICHESS_BOT)
    board = chess.Board()
    limit = chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.05, black_inc=0.05)
    for _ in range(20):
        played = host.play(board, limit, ponder=True, info=chess.engine.INFO_ALL)
        assert played.move in board.legal_moves
        assert "score" in played.info
        assert "wdl" in played.info
        board.push(played.move)


def test_analysis_with_several_lines(host: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    lines = host.analyse(board, chess.engine.Limit(depth=6), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert len({line["pv"][0] for line in lines}) == 3


def test_endless_analysis(host: chess.engine.SimpleEngine) -> None:
    with host.analysis(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 8:
                break


def test_an_empty_list_of_root_moves(host: chess.engine.SimpleEngine) -> None:
    """Python-chess sends `searchmoves 0000`: better any move than none."""
    board = chess.Board()
    assert host.play(board, chess.engine.Limit(depth=2), root_moves=[]).move in board.legal_moves


def test_chess960_by_its_own_rules(host: chess.engine.SimpleEngine) -> None:
    board = chess.Board.from_chess960_pos(301)
    for _ in range(12):
        move = host.play(board, chess.engine.Limit(nodes=500)).move
        assert move in board.legal_moves
        board.push(move)
