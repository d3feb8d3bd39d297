"""Section 7: how many positions a second, with a network that judges each of them; beside Stockfish, in one run."""

import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import Any, Final

from okapi.arena.openings import load_openings
from okapi.brains import evaluator
from okapi.core import Limits, Position
from okapi.core.packed import pack
from okapi.core.tdleaf import play
from okapi.papers.lai2015.cast import CAST, Cast, cast
from okapi.papers.lai2015.sts import ENGINES
from okapi.players import Player
from okapi.players.spec import parse_player
from okapi.recipes import rated
from okapi.recipes.lab import Lab
from okapi.recipes.order import Size

__all__ = ["speed"]

POSITIONS: Final[dict[Size, int]] = {"tiny": 2, "quick": 8, "full": 24}
MOVETIME_MS: Final[dict[Size, int]] = {"tiny": 20, "quick": 300, "full": 1_000}
STARTS: Final[dict[Size, int]] = {"tiny": 4, "quick": 64, "full": 512}
"""Games of self-play by which its speed is measured."""

PLIES, NODES = 12, 256
"""As section 4.5 plays them; the nodes are those of Giraffe's source."""


def speed(lab: Lab) -> dict[str, Any]:
    """Nodes a second of one thread; and positions a second of self-play, on one core."""
    usual = {
        **CAST,
        "positions": POSITIONS[lab.size],
        "movetime_ms": MOVETIME_MS[lab.size],
        "starts": STARTS[lab.size],
    }
    chosen = lab.chosen("speed", usual)
    who = cast(lab, chosen)
    if isinstance(who, str):
        return {"skipped": who}
    positions = load_openings(count=max(chosen["positions"], chosen["starts"]), seed=lab.seed)
    asked = positions[: chosen["positions"]]
    rates = _rates(lab, _players(who), asked, Limits(movetime_ms=chosen["movetime_ms"], overhead_ms=0))
    begun = time.process_time()
    played = play(
        evaluator(who.brain), pack(positions[: chosen["starts"]]), plies=PLIES, nodes=NODES, seed=lab.seed, threads=1
    )
    took = time.process_time() - begun
    return {
        "rows": [{"name": name, "nps": round(rate)} for name, rate in rates.items()],
        "movetime_ms": chosen["movetime_ms"],
        "positions": len(asked),
        "self_play": {"rate": round(int((played.kinds != 0).sum()) / max(took, 1e-6), 1), "nodes": NODES},
    }


def _players(who: Cast) -> dict[str, str]:
    found = {"giraffe by depth": who.player("depth"), "material": "alphabeta:material"}
    if who.moves is not None:
        found["giraffe"] = who.player()
    return {**found, "Stockfish": ENGINES["Stockfish"]} if rated.is_installed() else found


def _rates(lab: Lab, players: Mapping[str, str], asked: list[Position], limits: Limits) -> dict[str, float]:
    """Medians over positions. Everybody takes turns at each, so that a machine that others use is unfair to nobody."""
    at_the_board: dict[str, Player] = {name: parse_player(spec) for name, spec in players.items()}
    rates: dict[str, list[float]] = {name: [] for name in players}
    try:
        for number, position in enumerate(asked, start=1):
            lab.tell(f"speed: position {number} of {len(asked)}")
            for name, player in at_the_board.items():
                begun = time.perf_counter()
                nodes = player.choose(position.copy(), limits).nodes
                rates[name].append(nodes / (time.perf_counter() - begun))
    finally:
        for player in at_the_board.values():
            close: Callable[[], object] | None = getattr(player, "close", None)
            if close is not None:
                close()
    return {name: median(found) for name, found in rates.items()}
