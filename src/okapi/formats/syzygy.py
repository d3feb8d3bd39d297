"""Syzygy tables read by python-chess: slow, for the root position where the core has no Fathom."""

import os
from pathlib import Path

import chess.syzygy

from okapi.core import Move, Position
from okapi.core.interop import to_chess_move
from okapi.errors import NotFound


class Tables:
    """The Syzygy tables in one or several folders (as in PATH)."""

    def __init__(self, path: str) -> None:
        self._tables = chess.syzygy.Tablebase()
        folders = [Path(folder) for folder in path.split(os.pathsep) if folder]
        files = sum(self._tables.add_directory(str(folder)) for folder in folders if folder.is_dir())
        if files == 0:
            raise NotFound(f"no endgame tables in `{path}`", hint="the folder holds files such as KQvK.rtbw")
        self.pieces = max(len(name.replace("v", "")) for name in self._tables.wdl)

    def best_moves(self, position: Position) -> tuple[Move, ...]:
        """The moves that keep the best result and, winning, come nearest to it. Empty where the tables do not reach."""
        if len(position.pieces()) > self.pieces:
            return ()
        board = position.to_chess()
        ranked: list[tuple[tuple[int, int], Move]] = []
        try:
            for move in position.legal_moves():
                board.push(to_chess_move(move))
                ranked.append((self._rank(board), move))
                board.pop()
        except (KeyError, chess.syzygy.MissingTableError):
            return ()
        best = max((rank for rank, _ in ranked), default=(0, 0))
        return tuple(move for rank, move in ranked if rank == best)

    def verdict(self, position: Position) -> int | None:
        """For the side to move: 2 won, 0 drawn, -2 lost, ±1 drawn by the fifty-move rule; None if unknown."""
        if len(position.pieces()) > self.pieces:
            return None
        return self._tables.get_wdl(position.to_chess())

    def _rank(self, after: chess.Board) -> tuple[int, int]:
        """How good the move that led here was for the one who played it: result first, then speed."""
        if after.is_checkmate():
            return 2, 1
        result = -self._tables.probe_wdl(after)
        distance = -self._tables.probe_dtz(after)
        return result, (-distance if result > 0 else abs(distance) if result < 0 else 0)
