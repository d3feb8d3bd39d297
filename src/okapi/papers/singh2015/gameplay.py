"""Table 3.7: matches against Sunfish, held back as in the thesis, and as it is."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from okapi.arena.elo import expected_score
from okapi.arena.match import Match, MatchReport, local_workers, play_match
from okapi.arena.time_control import TimeControl
from okapi.errors import NotFound
from okapi.formats.numbers import counted
from okapi.optimize.executor import ThreadExecutor
from okapi.papers.experiment import ExperimentContext
from okapi.papers.singh2015.jobs import GAMMAS
from okapi.papers.singh2015.training import TrainedNetworks, trained_networks
from okapi.players.process import find_program

NODES: Final = "10-1000"
"""That Sunfish gets for a move, drawn on a log scale."""

LINES: Final = (
    "top_prob",
    "top_prob_on",
    "topprob_negamax",
    "negamax",
    "quick_negamax",
    "ours_limited",
    "ours_unlimited",
    "taught_limited",
    "taught_unlimited",
)
"""Some take hours where others take minutes: how many games each has can be set by its name."""

LIKELY_DEPTH: Final = 3
"""Of TopProb-Negamax."""
NO_CLOCK: Final = TimeControl(nodes=1000, stall_s=600)
"""Players have their own limits; a move that takes ten minutes is a fault."""


@dataclass(frozen=True, slots=True)
class SunfishMatch:
    key: str
    name: str
    player: str
    opponent: str
    control: TimeControl = NO_CLOCK
    line: int | None = None
    """Of the thesis' Table 3.7, where it has such a player."""


def gameplay(context: ExperimentContext) -> dict[str, Any]:
    """Every line; games are kept one by one in the context's folder, and not played again."""
    chosen = context.read_settings("singh2015", "gameplay")
    if find_program(shlex.split(chosen["sunfish"])[0]) is None:
        return {"skipped": "Sunfish is not installed: pip install --no-deps sunfish"}
    games = chosen.pop("games")
    counts = {key: chosen.pop(key) or games for key in LINES}
    return played(context, pairings(trained_networks(context), **chosen), counts)


def pairings(
    trained: TrainedNetworks,
    *,
    depth: int,
    quiescence: bool,
    k: int,
    movetime_ms: int,
    gamma: float,
    sunfish: str,
    only: str = "",
) -> list[SunfishMatch]:
    """Players against Sunfish, as far as their networks are trained.

    `gamma` chooses V; 0 is the smallest, which is the thesis'. `only` names some, with commas between.
    """
    if gamma and gamma not in trained.outcome:
        raise NotFound(f"no V was trained with a discount of {gamma}", hint=f"there are {sorted(trained.outcome)}")
    discount = gamma or min(trained.outcome, default=0.0)
    v, one, stronger, quick = trained.outcome.get(discount), trained.ours, trained.teacher, trained.quick_value
    value_name, calm = f"V ({discount:g})", "" if quiescence else ",quiescence=no"
    limited, free = f"limited:uci:{sunfish},nodes={NODES}", f"uci:{sunfish}"
    at_once = TimeControl(movetime_ms=movetime_ms, margin_ms=1000)
    lines = [
        trained.seven and SunfishMatch("top_prob", "Top-Prob, the seven", f"top-prob:{trained.seven}", limited, line=0),
        trained.seven
        and SunfishMatch(
            "top_prob_on", "Top-Prob, no repetition when ahead", f"top-prob:{trained.seven},repeat=no", limited
        ),
        trained.seven
        and v
        and SunfishMatch(
            "topprob_negamax",
            f"TopProb-Negamax, the {k} likeliest, {LIKELY_DEPTH} plies, {value_name}",
            f"topprob-negamax:{trained.seven},value={v},k={k},depth={LIKELY_DEPTH}",
            limited,
            line=1,
        ),
        v
        and SunfishMatch(
            "negamax",
            f"{value_name} with Negamax, {counted(depth, 'ply', 'plies')}{', and quiescence' if quiescence else ''}",
            f"negamax:{v},depth={depth}{calm}",
            limited,
            line=3,
        ),
        quick
        and SunfishMatch(
            "quick_negamax",
            f"V ({GAMMAS[-1]:g}) as a perceptron with Negamax, {counted(depth, 'ply', 'plies')}",
            f"negamax:{quick},depth={depth}{calm}",
            limited,
        ),
        one and SunfishMatch("ours_limited", "Ours without search", f"top-prob:{one}", limited),
        one and SunfishMatch("ours_unlimited", "Ours without search", f"top-prob:{one}", free, at_once),
        stronger and SunfishMatch("taught_limited", "Ours, on Stockfish's moves", f"top-prob:{stronger}", limited),
        stronger
        and SunfishMatch("taught_unlimited", "Ours, on Stockfish's moves", f"top-prob:{stronger}", free, at_once),
    ]
    wanted = [key for key in only.split(",") if key]
    return [line for line in lines if line and (not wanted or line.key in wanted)]


def played(context: ExperimentContext, lines: Sequence[SunfishMatch], games: Mapping[str, int]) -> dict[str, Any]:
    """For results: each line with its number of games."""
    folder = context.folder / "gameplay"
    folder.mkdir(parents=True, exist_ok=True)
    return {
        "rows": [_row(line, _play(context, line, games[line.key], folder / f"{line.key}.sqlite")) for line in lines]
    }


def _play(context: ExperimentContext, line: SunfishMatch, games: int, store: Path) -> MatchReport:
    return play_match(
        Match(first=line.player, second=line.opponent, control=line.control, seed=context.seed),
        games,
        names=(line.name, "Sunfish"),
        store=store,
        make_workers=partial(
            local_workers, count=context.executor.workers if isinstance(context.executor, ThreadExecutor) else None
        ),
        on_game=lambda now, _: context.tell(
            f"gameplay: {line.name}, game {now.games} of {games}: {now.wins}–{now.draws}–{now.losses}"
        ),
    )


def _row(line: SunfishMatch, report: MatchReport) -> dict[str, Any]:
    found, about = report.estimate, report.as_json()
    mine, theirs = report.search_stats
    return {
        "key": line.key,
        "name": line.name,
        "line": line.line,
        "limits": f"{NODES.replace('-', ' to ')} nodes"
        if line.control == NO_CLOCK
        else f"{(line.control.movetime_ms or 0) / 1000:g} s",
        **{name: about[name] for name in ("games", "wins", "draws", "losses", "score", "elo", "low", "high")},
        "score_low": round(expected_score(found.low), 4),
        "score_high": round(expected_score(found.high), 4),
        **{name: about["faults"][line.name][name] for name in ("time_losses", "crashes", "stalls", "illegal")},
        "their_faults": sum(about["faults"]["Sunfish"].values()),
        "seconds_a_move": round(mine.seconds / max(mine.moves, 1), 3),
        "their_seconds": round(theirs.seconds / max(theirs.moves, 1), 3),
        "their_nodes": round(theirs.nodes / max(theirs.moves, 1)),
        "moves": mine.moves,
    }
