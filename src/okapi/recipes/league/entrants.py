"""The entrants of the league: each method of learning, its data, and its cost.

Data are the positions that a learner was shown, each counted once. Compute is the multiplications of learning, about:
a network's weights for each position that it judges, three times as many for one that it learns from (forwards, and
twice backwards). A convolution's weights count for each of 64 squares. What a teacher spent on its judgements is not
counted: `learned_from` names the teacher.
"""

import math
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from okapi.brains import card
from okapi.core import Limits, Position
from okapi.errors import NotFound, did_you_mean
from okapi.players import Player, parse_player

TABLE: Final = Path(__file__).with_name("entrants.toml")

LEARN: Final = 3
"""Multiplications of learning for one of judging: forwards, and twice backwards."""

NNUE: Final = "nnue"
PIECES: Final = 20
"""About so many are on a board; each adds one row of an NNUE."""

YARDSTICK: Final = "okapi-28"
"""Its rating is 0, and it is the opponent of all others where thinking times are compared: fast, of middle strength."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueEntrant:
    """One way of learning, by the brain that it made."""

    name: str
    player: str
    """As `okapi match` takes it."""
    way: str
    learned_from: str
    samples: float | None
    """Positions that were learned from; None if unknown."""
    operations: float | None
    """Multiplications of learning, about."""
    pace: float = 1.0
    """The share of the games that it plays: slow brains play fewer, and have wider intervals."""
    most_nodes: int | None = None
    """With more nodes a game takes minutes; it is left out there."""
    least_clock_s: float = 0.0
    """With less time for a game it loses on time; it is left out there."""
    searches: bool = True
    """Does it play under the search that all share?"""

    def at(self, nodes: int) -> str:
        return f"{self.player},nodes={nodes}" if self.searches else self.player

    def plays_at(self, nodes: int) -> bool:
        return self.most_nodes is None or nodes <= self.most_nodes


def _read_entrants() -> tuple[LeagueEntrant, ...]:
    """Each with its multiplications: a sum of products in the file."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))["entrants"]
    return tuple(
        LeagueEntrant(
            **{
                "player": f"alphabeta:{row['name']}",
                **row,
                "samples": sum(row["samples"]),
                "operations": sum(math.prod(factors) for factors in row["operations"]),
            }
        )
        for row in rows
    )


ENTRANTS: Final = _read_entrants()
"""In the order in which the ways were found; docs/reference/figures.md has where the numbers come from."""


def available_entrants(brains: dict[str, Path]) -> list[LeagueEntrant]:
    """Those whose brains are available: shipped, or at a given path."""
    found = []
    for entrant in ENTRANTS:
        player = entrant.player
        if entrant.name in brains:
            player = player.replace(f":{entrant.name}", f":{brains[entrant.name]}")
        try:
            card(player.partition(":")[2])
        except NotFound:
            continue
        if player != entrant.player:  # another brain of the same name: its cost is in its card, if anywhere
            entrant = replace(entrant, learned_from="what its card says", samples=None, operations=None)
        found.append(_with_costs_of_card(replace(entrant, player=player)))
    return found


def select_entrants(entrants: Sequence[LeagueEntrant], names: Sequence[str]) -> list[LeagueEntrant]:
    """Some of them, in their order: NotFound for an unknown name."""
    known = [entrant.name for entrant in entrants]
    for name in names:
        if name not in known:
            raise NotFound(f"`{name}` is no entrant of the league", hint=did_you_mean(name, known))
    return [entrant for entrant in entrants if entrant.name in names]


def _with_costs_of_card(entrant: LeagueEntrant) -> LeagueEntrant:
    """With the cost that its card states, where the table has none."""
    if entrant.samples is not None:
        return entrant
    brain = card(entrant.player.partition(":")[2])
    details = brain.details()
    data, eaten = details.get("data"), details.get("samples_eaten")
    if brain.kind != NNUE or not isinstance(data, dict) or eaten is None:
        return entrant
    rows, outputs = brain.tensors["accumulator.weight"], brain.tensors["output.weight"]
    used = 2 * PIECES * rows[1] + outputs[1]  # as both sides see the board, and one of the outputs
    return replace(entrant, samples=float(data["positions"]), operations=LEARN * float(eaten) * used)


# --- Speed ------------------------------------------------------------------------------------------------------------

POSITIONS: Final = (
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "2r2rk1/1b2bppp/pp1qpn2/8/3P4/P1NB4/1P2QPPP/3RR1K1 w - - 0 18",
    "8/5pk1/R5p1/1r2p2p/4P2P/5PP1/6K1/8 w - - 0 41",
)
"""An opening, a middlegame, an endgame."""

LEAST_S: Final = 0.05
"""A shorter search is not measured well."""

TRIES: Final = 3
"""The fastest counts: other load only slows it down."""

BRIEFEST_S: Final = 1e-9


def seconds_of(entrant: LeagueEntrant) -> float:
    """Processor seconds for a node; for a move, where it does not search."""
    player = parse_player(entrant.player)
    positions = [Position.from_fen(fen) for fen in POSITIONS]
    player.choose(positions[0], Limits(nodes=1))  # the first call allocates tables and buffers
    nodes = 64
    while _spent(player, positions, nodes)[0] < LEAST_S and entrant.searches:
        nodes *= 4
    return min(spent / looked for spent, looked in (_spent(player, positions, nodes) for _ in range(TRIES)))


def _spent(player: Player, positions: Sequence[Position], nodes: int) -> tuple[float, int]:
    """Processor time and nodes; moves, where there is no search."""
    begun = time.process_time()
    looked = sum(max(1, player.choose(position, Limits(nodes=nodes)).nodes) for position in positions)
    return max(time.process_time() - begun, BRIEFEST_S), looked
