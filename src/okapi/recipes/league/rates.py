"""How long a brain thinks about a position: processor time, so that other work on the machine matters little."""

import time
from collections.abc import Sequence
from typing import Final

from okapi.core import Limits, Position
from okapi.players import Player, parse_player
from okapi.recipes.league.entrants import Entrant

__all__ = ["seconds_of"]

POSITIONS: Final = (
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "2r2rk1/1b2bppp/pp1qpn2/8/3P4/P1NB4/1P2QPPP/3RR1K1 w - - 0 18",
    "8/5pk1/R5p1/1r2p2p/4P2P/5PP1/6K1/8 w - - 0 41",
)
"""An opening, a middlegame, an endgame."""

LEAST_S: Final = 0.05
"""A search that is shorter says little."""

TRIES: Final = 3
"""The quickest counts: what else a machine does can only slow it down."""

BRIEFEST_S: Final = 1e-9


def seconds_of(entrant: Entrant) -> float:
    """Seconds of one processor for a node; for a move, of one that does not search."""
    player = parse_player(entrant.player)
    positions = [Position.from_fen(fen) for fen in POSITIONS]
    player.choose(positions[0], Limits(nodes=1))  # tables and buffers are made by the first question
    nodes = 64
    while _spent(player, positions, nodes)[0] < LEAST_S and entrant.searches:
        nodes *= 4
    return min(spent / looked for spent, looked in (_spent(player, positions, nodes) for _ in range(TRIES)))


def _spent(player: Player, positions: Sequence[Position], nodes: int) -> tuple[float, int]:
    """Processor time, and the nodes that were looked at in it; a move for one that looks at none."""
    begun = time.process_time()
    looked = sum(max(1, player.choose(position, Limits(nodes=nodes)).nodes) for position in positions)
    return max(time.process_time() - begun, BRIEFEST_S), looked
