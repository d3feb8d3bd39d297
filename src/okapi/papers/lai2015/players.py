"""Which brains play in the experiments, and matches between two of their searches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from okapi.arena.sprt import Sprt
from okapi.arena.time_control import TimeControl
from okapi.brains import find
from okapi.core import heuristics
from okapi.errors import NotFound
from okapi.papers import rating
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped
from okapi.papers.rating import PlannedMatch

PLAYER_SETTINGS: Final[dict[str, Any]] = {"brain": "", "moves": "", "shape": "", "openings": ""}
"""Settings of every experiment with games: brains by name or path, Giraffe's search budget, a file of openings.

Budgets: `reduced` is depth-limited, with late moves reduced by their probability, the default if there is a move
network; `ordered` is the same, and moves are tried in the order that the move network gives them."""

BY_NETWORK: Final = "learned_ordering"  # the heuristic that lets the move network order moves

ASK: Final = "depth+ask=4"
"""The search budget in which the move network reduces or orders moves: it is used where four plies are left."""

THESIS: Final = frozenset(
    ("table", "pvs", "quiescence", "ordering", "see_pruning", "null_move", "killers", "history", "mate_distance")
)
"""The heuristics of the thesis' program: those of the player `giraffe-2015`."""


def by_steps(budget: str, steps: float, ask: float | None = None) -> str:
    """A search budget of so many iterations a ply, where its moves cost parts of a ply.

    The move network is asked where at least `ask` plies are left, 0: everywhere. None leaves that to the search: 2.66
    plies are some hundred nodes, below which the thesis found its network too slow.
    """
    if budget not in ("even", "learned"):
        return budget
    return f"{budget}+steps={steps:g}" + ("" if ask is None else f"+ask={ask:g}")


def switched_off(told: str) -> str:
    """Heuristics to switch off: those that are named, or for `thesis` all that the thesis does not name."""
    return "+".join(name for name in heuristics() if name not in THESIS) if told == "thesis" else told


@dataclass(frozen=True, slots=True)
class Players:
    """A brain that evaluates, and a move network, if there is one."""

    brain: str
    moves: str | None
    usual: str = ""
    """The default search budget; empty: depth, reduced by the move network if there is one."""

    def player(self, shape: str = "", without: str = "", *, ordered: bool = False) -> str:
        """The specification of a player with this search budget, or the default; `ordered` by the move network, too."""
        chosen = shape or self.usual or ("depth" if self.moves is None else "reduced")
        ordered = ordered or chosen == "ordered"
        told = {
            "budget": {"reduced": ASK, "ordered": ASK, "depth": ""}.get(chosen, chosen),
            "moves": self.moves if ordered or chosen.partition("+")[0] in ("reduced", "learned") else "",
            "with": BY_NETWORK if ordered else "",
            "without": "+".join(name for name in without.split("+") if name != BY_NETWORK or not ordered),
        }
        return f"alphabeta:{self.brain}" + "".join(f",{name}={value}" for name, value in told.items() if value)


def asked_players(context: ExperimentContext, experiment: str) -> tuple[dict[str, Any], Players]:
    """The settings of an experiment, and the players that they name: ExperimentSkipped where there are none."""
    chosen = context.read_settings("lai2015", experiment, **PLAYER_SETTINGS)
    brain = _first(chosen["brain"], "giraffe", made(context, "tdleaf"))
    if brain is None:
        why = "no brain `giraffe` ships, and none was trained here: --only tdleaf, or name one by its `brain`"
        raise ExperimentSkipped(why)
    moves = _first(chosen["moves"], "giraffe-moves", made(context, "move_network"))
    return chosen, Players(brain, moves, chosen["shape"])


def _first(named: str, shipped: str, made: Path | None) -> str | None:
    if named:
        return str(find(named)) if Path(named).suffix else named
    try:
        find(shipped)
    except NotFound:
        return None if made is None else str(made)
    return shipped


def made(context: ExperimentContext, experiment: str, what: str = "brain") -> Path | None:
    """A brain that an experiment wrote or was given."""
    try:
        told = context.result(experiment).get(what)
    except NotFound:
        return None
    return context.folder / told if told else None


def planned(
    chosen: Mapping[str, Any], key: str, name: str, first: str, second: str, limit: str, sprt: Sprt | None = None
) -> PlannedMatch:
    """A match of as many games as an experiment's settings say, with equal `nodes` or equal `time`."""
    timed = limit == "time"
    control = TimeControl.from_text(chosen["tc"]) if timed else TimeControl(nodes=chosen["nodes"])
    games, openings = (timed and chosen.get("timed_games")) or chosen["games"], chosen["openings"] or None
    match: dict[str, Any] = {"control": control, "games": games, "openings": openings, "sprt": sprt}
    return PlannedMatch(key=key, name=name, first=first, second=second, **match)


PART: Final = 100  # games between two writings of what was played


def play_in_parts(
    context: ExperimentContext, experiment: str, pairings: Sequence[PlannedMatch], about: Mapping[str, Any]
) -> dict[str, Any]:
    """Data with the rows of long matches, a part of each in turn. What an interruption leaves is kept."""
    rows: dict[str, dict[str, Any]] = {}
    data = dict(about)
    most = max((each.games for each in pairings), default=0)
    for begun in range(0, most, PART):
        for pairing in pairings:
            rows[pairing.key] = play(context, experiment, replace(pairing, games=min(begun + PART, pairing.games)))
            data["rows"] = list(rows.values())
            played = sum(row["games"] for row in rows.values())
            context.keep(data, played, sum(each.games for each in pairings), "games")
    return data


def play(context: ExperimentContext, experiment: str, pairing: PlannedMatch) -> dict[str, Any]:
    """The result of the first player. Games are kept in the context's folder, and not played again."""
    report = rating.play(context, experiment, pairing, names=("first", "second"))
    about, digits = report.as_json(), {"nodes": None, "seconds": 4, "depth": 1}
    return {
        **{key: getattr(pairing, key) for key in ("key", "name", "first", "second")},
        "control": str(pairing.control),
        **{key: about[key] for key in ("games", "wins", "draws", "losses", "score", "elo", "low", "high")},
        "verdict": about.get("sprt", {}).get("verdict"),
        "faults": sum(sum(each.values()) for each in about["faults"].values()),
        "efforts": [
            {key: round(getattr(effort, key) / max(effort.moves, 1), digits[key]) for key in digits}
            for effort in report.search_stats
        ],
    }
