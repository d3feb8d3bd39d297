"""Table 3.7: matches against Sunfish, held back as in the thesis, and as it is."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final

from okapi.arena.elo import expected_score
from okapi.arena.match import MatchReport
from okapi.arena.time_control import TimeControl
from okapi.errors import NotFound
from okapi.formats.numbers import counted
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped, is_wanted
from okapi.papers.rating import PlannedMatch, play
from okapi.papers.singh2015.jobs import GAMMAS
from okapi.papers.singh2015.training import TrainedNetworks, trained_networks
from okapi.players.process import find_program

NODES: Final = "10-1000"  # that Sunfish gets for a move, drawn on a log scale

LINES: Final = (
    *("top_prob", "top_prob_on", "topprob_negamax", "negamax", "quick_negamax"),
    *("ours_limited", "ours_unlimited", "taught_limited", "taught_unlimited"),
)
"""Some take hours where others take minutes: how many games each has can be set by its name."""

LIKELY_DEPTH: Final = 3  # of TopProb-Negamax
NO_CLOCK: Final = TimeControl(nodes=1000, stall_s=600)
"""Players have their own limits; a move that takes ten minutes is a fault."""

TABLE_3_7: Final = {"top_prob": 0, "topprob_negamax": 1, "negamax": 3}
"""Where the thesis' Table 3.7 has such a player."""


def gameplay(context: ExperimentContext) -> dict[str, Any]:
    """Every line; games are kept one by one in the context's folder, and not played again."""
    chosen = context.read_settings("singh2015", "gameplay")
    if find_program(shlex.split(chosen["sunfish"])[0]) is None:
        raise ExperimentSkipped("Sunfish is not installed: pip install --no-deps sunfish")
    games = chosen.pop("games")
    counts = {key: chosen.pop(key) or games for key in LINES}
    return played(context, pairings(trained_networks(context), counts, **chosen))


def pairings(
    trained: TrainedNetworks,
    games: Mapping[str, int],
    *,
    depth: int,
    quiescence: bool,
    k: int,
    movetime_ms: int,
    gamma: float,
    sunfish: str,
    only: str = "",
) -> list[PlannedMatch]:
    """Players against Sunfish, as far as their networks are trained, or `only` some; `gamma` 0: that of the thesis."""
    if gamma and gamma not in trained.outcome:
        raise NotFound(f"no V was trained with a discount of {gamma}", hint=f"there are {sorted(trained.outcome)}")
    discount = gamma or min(trained.outcome, default=0.0)
    seven, one, taught, quick = trained.seven, trained.ours, trained.teacher, trained.quick_value
    v, value_name, plies = trained.outcome.get(discount), f"V ({discount:g})", counted(depth, "ply", "plies")
    calm, calmed = ("", ", and quiescence") if quiescence else (",quiescence=no", "")
    likely = f"TopProb-Negamax, the {k} likeliest, {LIKELY_DEPTH} plies, {value_name}"
    quickly = f"V ({GAMMAS[-1]:g}) as a perceptron with Negamax, {plies}"
    lines = (
        ("top_prob", seven, "Top-Prob, the seven", f"top-prob:{seven}"),
        ("top_prob_on", seven, "Top-Prob, no repetition when ahead", f"top-prob:{seven},repeat=no"),
        ("topprob_negamax", seven and v, likely, f"topprob-negamax:{seven},value={v},k={k},depth={LIKELY_DEPTH}"),
        ("negamax", v, f"{value_name} with Negamax, {plies}{calmed}", f"negamax:{v},depth={depth}{calm}"),
        ("quick_negamax", quick, quickly, f"negamax:{quick},depth={depth}{calm}"),
        ("ours_limited", one, "Ours without search", f"top-prob:{one}"),
        ("ours_unlimited", one, "Ours without search", f"top-prob:{one}"),
        ("taught_limited", taught, "Ours, on Stockfish's moves", f"top-prob:{taught}"),
        ("taught_unlimited", taught, "Ours, on Stockfish's moves", f"top-prob:{taught}"),
    )
    limited = f"limited:uci:{sunfish},nodes={NODES}", NO_CLOCK
    free = f"uci:{sunfish}", TimeControl(movetime_ms=movetime_ms, margin_ms=1000)
    found = []
    for key, network, name, player in lines:
        if network and is_wanted(key, only):
            rival, control = free if key.endswith("_unlimited") else limited
            match = PlannedMatch(key=key, name=name, first=player, second=rival, control=control, games=games[key])
            found.append(match)
    return found


def played(context: ExperimentContext, lines: Sequence[PlannedMatch]) -> dict[str, Any]:
    """For results: each line."""
    return {"rows": [_row(line, play(context, "gameplay", line, names=(line.name, "Sunfish"))) for line in lines]}


def _row(line: PlannedMatch, report: MatchReport) -> dict[str, Any]:
    found, about = report.estimate, report.as_json()
    (mine, theirs), free = report.search_stats, f"{(line.control.movetime_ms or 0) / 1000:g} s"
    limits = f"{NODES.replace('-', ' to ')} nodes" if line.control == NO_CLOCK else free
    scores = {"score_low": round(expected_score(found.low), 4), "score_high": round(expected_score(found.high), 4)}
    return {
        "key": line.key,
        "name": line.name,
        "line": TABLE_3_7.get(line.key),
        "limits": limits,
        **{name: about[name] for name in ("games", "wins", "draws", "losses", "score", "elo", "low", "high")},
        **scores,
        **{name: about["faults"][line.name][name] for name in ("time_losses", "crashes", "stalls", "illegal")},
        "their_faults": sum(about["faults"]["Sunfish"].values()),
        "seconds_a_move": round(mine.seconds / max(mine.moves, 1), 3),
        "their_seconds": round(theirs.seconds / max(theirs.moves, 1), 3),
        "their_nodes": round(theirs.nodes / max(theirs.moves, 1)),
        "moves": mine.moves,
    }
