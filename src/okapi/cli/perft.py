"""`okapi perft`: count the tree of legal moves."""

import time
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from okapi.cli.console import Json, emit, out
from okapi.core import Position

__all__ = ["perft"]


def perft(
    depth: Annotated[int, Parameter(validator=Number(gte=0, lte=20))],
    /,
    *,
    fen: str | None = None,
    chess960: bool = False,
    divide: bool = False,
    json: Json = False,
) -> None:
    """Count the leaves of the tree of legal moves: the proof that the rules are right.

    For example:
      okapi perft 6
      okapi perft 5 --fen "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
      okapi perft 3 --divide --json

    Parameters
    ----------
    depth
        Plies to look ahead.
    fen
        Where to begin; the start of the game if not given.
    chess960
        Write castling as the king taking its rook.
    divide
        Count each first move by itself.
    """
    position = Position.start() if fen is None else Position.from_fen(fen)
    begun = time.perf_counter()
    counts = position.perft_divide(depth) if divide and depth > 0 else []
    nodes = sum(leaves for _, leaves in counts) if counts else position.perft(depth)
    seconds = time.perf_counter() - begun
    listed = {position.uci(move, chess960=chess960 or None): leaves for move, leaves in counts}
    if json:
        data = {"nodes": nodes, "seconds": round(seconds, 6), "depth": depth, "fen": position.fen()}
        emit(data | ({"divide": listed} if divide else {}))
        return
    console = out()
    for move in sorted(listed):
        console.print(f"{move}: {listed[move]}")
    rate = f", {nodes / seconds / 1e6:,.0f} million a second" if seconds > 0.001 else ""
    console.print(f"{nodes:,} nodes in {seconds:.3f} s{rate}")
