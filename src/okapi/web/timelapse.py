"""Time-lapse: a brain at each of its checkpoints, what pieces are worth to it on each square, and what it plays."""

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from okapi.analysis.attribution import AttributionMap
from okapi.analysis.positions import self_play_positions
from okapi.brains import ModelCard, evaluator, is_native
from okapi.brains.library import EarlierBrain, checkpoints
from okapi.core import Limits, Position
from okapi.core.samples import Rows
from okapi.data.runs import LOG_FILE, JsonLinesReader, finite
from okapi.players import parse_player
from okapi.web.views import value_view

RECORDED: Final = Path(__file__).parent / "recorded"  # runs that ship, to be seen before anything was trained
MOST_AGES: Final = 40
NODES: Final = 1000  # of the search for a move: enough to see a capture, and a hundred of them take a second
SEEN: Final = 500
SEEN_SLOWLY: Final = 16  # positions whose pieces are removed, for brains of the core and for convolutional networks
FEWEST: Final = 1  # pieces that must have been seen on a square before it has a value
ELO: Final = re.compile(r"elo_(material|previous)(_low|_high)?|games|train_loss|validation_loss")  # of an age, logged
POSITIONS: Final = (
    ("The start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("A queen can be taken", "r1b1kbnr/pppp1ppp/2n5/4p1q1/4P3/3P1N2/PPP2PPP/RNBQKB1R w KQkq - 1 5"),
    ("Bishop or rook", "4k3/ppp2ppp/8/2r1b3/3P4/8/PP3PPP/4K1NR w K - 0 1"),
    ("A queen for two rooks", "3r2k1/pp3ppp/8/3r4/8/3Q4/PP3PPP/6K1 w - - 0 1"),
    ("A bait", "rn1qkbnr/ppp2p1p/3p2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R b KQkq - 0 5"),
    ("A quiet middle game", "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 8"),
    ("A pawn ending", "8/8/3k4/8/3PK3/8/8/8 w - - 0 1"),
)
"""Positions to choose from. Black, who takes the bait, a queen, is mated in two moves."""


def recorded_runs() -> dict[str, Path]:
    return {path.name: path for path in sorted(RECORDED.glob("*")) if (path / "run.json").is_file()}


def recorded_brain(name: str) -> Path | None:
    """The file of a run that ships, or of one of its checkpoints: `first`, `first@12`; None for any other name."""
    run, _, step = name.partition("@")
    folder = recorded_runs().get(run)
    if folder is None:
        return None
    kept = [(str(checkpoint.step), checkpoint.path) for checkpoint in checkpoints(folder)]
    return dict(kept).get(step) if step else kept[-1][1] if kept else None


def ages_of(folder: Path) -> list[tuple[EarlierBrain, dict[str, float]]]:
    """The checkpoints of a run, at most MOST_AGES of them, each with what the log says of it."""
    logged = _logged(folder)
    measured = {step for step, numbers in logged.items() if "elo_material" in numbers}
    return [(checkpoint, logged.get(checkpoint.step, {})) for checkpoint in thinned(checkpoints(folder), measured)]


def thinned(kept: Sequence[EarlierBrain], measured: Iterable[int]) -> list[EarlierBrain]:
    """The first and the last checkpoint, those whose strength was measured, and others between them, evenly."""
    if len(kept) <= MOST_AGES:
        return list(kept)
    wanted = {kept[0].step, kept[-1].step, *measured}
    room = max(0, MOST_AGES - len(wanted))
    others = [checkpoint.step for checkpoint in kept if checkpoint.step not in wanted]
    wanted.update(others[len(others) * place // room] for place in range(room) if others)
    return [checkpoint for checkpoint in kept if checkpoint.step in wanted]


def _logged(folder: Path) -> dict[int, dict[str, float]]:
    """Numbers of the log by step; a later line replaces an earlier one."""
    lines = JsonLinesReader(folder / LOG_FILE)
    found: dict[int, dict[str, float]] = {}
    while some := list(lines.new()):
        for line in some:
            numbers = {name: finite(value) for name, value in line.items() if ELO.fullmatch(name)}
            step = finite(line.get("step"))
            if step is not None and step == int(step):
                found.setdefault(int(step), {}).update((name, n) for name, n in numbers.items() if n is not None)
    return found


def piece_values_at(path: Path) -> dict[str, Any] | None:
    """Mean contributions in centipawns by kind of piece, pawn to queen, in all and on squares a1 to h8 of its owner.

    None for a brain that predicts moves. A file that was read is remembered until it changes.
    """
    return _piece_values(path, path.stat().st_mtime_ns)


@lru_cache(512)
def _piece_values(path: Path, written: int) -> dict[str, Any] | None:
    if ModelCard.read(path).predicts_moves:
        return None
    rows = _rows()
    some = rows["position"][:: len(rows) // (SEEN if is_native(str(path)) else SEEN_SLOWLY)]
    found = AttributionMap.of(evaluator(str(path)), some)
    squares = [[None if math.isnan(value) else round(value) for value in kind] for kind in found.mean(FEWEST).tolist()]
    return {"kinds": [round(value) for value in found.kinds().values()], "squares": squares}


@lru_cache(1)
def _rows() -> Rows:
    return self_play_positions(SEEN)


def move_at(path: Path, fen: str) -> dict[str, Any] | None:
    """What a brain plays by a small search, and the value for White; None if the game is over. InvalidFen."""
    return _move(path, path.stat().st_mtime_ns, fen)


@lru_cache(4096)
def _move(path: Path, written: int, fen: str) -> dict[str, Any] | None:
    position = Position.from_fen(fen)
    if position.ending() is not None:
        return None
    predicts = ModelCard.read(path).predicts_moves
    kind, options = ("top-prob", {}) if predicts else ("alphabeta", {"table_mb": 1})
    decision = parse_player(kind, brain=str(path), **options).choose(position, Limits(nodes=NODES))
    uci = f"{decision.move.from_square}{decision.move.to_square}"
    value = None if predicts else value_view(decision.value)
    return {"uci": uci, "san": position.san(decision.move), "value": value}
