"""Table 3 (the Strategic Test Suite), the engine's speed, and its rating on the ladder."""

import json
import math
import os
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np

from okapi.arena.openings import load_openings
from okapi.arena.suite import SuiteAnswer, SuiteTask, by_theme, read_suite, run_suite
from okapi.brains import evaluator
from okapi.core import Limits, Position
from okapi.core.packed import pack
from okapi.core.selfplay import play_tdleaf
from okapi.errors import PlayerFailed, UsageError
from okapi.papers import rating as rated
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped, is_wanted, listed, write_file
from okapi.papers.lai2015.headlines import PUBLISHED
from okapi.papers.lai2015.players import Players, asked_players, made
from okapi.papers.published import read_toml
from okapi.papers.rating import suite_file
from okapi.players import Player
from okapi.players.engine import PROTOCOLS, Engine
from okapi.players.process import find_program
from okapi.players.spec import engine_options, kind_of, parse_player
from okapi.recipes.proportions import Z

ENGINES: Final[dict[str, str]] = read_toml("lai2015", "paper")["engines"]
"""Debian's engines and Sunfish from PyPI, one thread each, without books."""


@dataclass(frozen=True, slots=True)
class SuitePlayer:
    """A player and its time for a position, or its nodes, which no load of the machine changes."""

    name: str
    player: str
    limits: Limits

    @property
    def said(self) -> str:
        """Its limit in words."""
        nodes, time_ms = self.limits.nodes, self.limits.movetime_ms or 0
        return f"{time_ms / 1000:g} s" if nodes is None else f"{nodes:,} nodes"


def sts(context: ExperimentContext) -> dict[str, Any]:
    """Players of the suite, one after the other. `only` names some, with commas: `Giraffe` is that with each limit.

    `others` are added: NAME=PLAYER, with semicolons between.
    """
    chosen, who = asked_players(context, "sts")
    if not chosen["suite"]:
        raise ExperimentSkipped("the suite is not ours to ship: --change sts.suite=FILE")
    suite = suite_file("sts", chosen["suite"])
    tasks, count = read_suite(suite), chosen["count"]
    if 0 < count < len(tasks):
        tasks = [tasks[index * len(tasks) // count] for index in range(count)]
    limits = [Limits(movetime_ms=int(text), overhead_ms=0) for text in listed(chosen["times"])]
    limits += [Limits(nodes=int(text), overhead_ms=0) for text in listed(chosen["nodes"])]
    every, only = _suite_players(who, made(context, "tdleaf", "bootstrap"), limits, chosen["others"]), chosen["only"]
    players = [each for each in every if any(is_wanted(name, only) for name in (each.name, each.name.split(" (")[0]))]
    absent = {each.name: why for each in players if (why := _missing(each))}
    rows = [_answered(context, each, tasks, suite) for each in players if each.name not in absent]
    rows.sort(key=lambda row: -float(row["points"]))
    return {"suite": suite.name, "positions": len(tasks), "rows": rows, "absent": absent}


def marked(answers: Sequence[SuiteAnswer]) -> dict[str, Any]:
    """Points of 15,000 with their interval over positions, positions solved, and nodes where they are known."""
    shares = np.array([answer.points / answer.task.most for answer in answers])
    total, themes = by_theme(answers)
    mean = float(shares.mean())
    spread = Z * float(shares.std(ddof=1)) / math.sqrt(len(shares)) if len(shares) > 1 else 1.0
    ends = {"points": mean, "low": max(0.0, mean - spread), "high": min(1.0, mean + spread)}
    nodes = [answer.decision.nodes for answer in answers if answer.decision is not None and answer.decision.nodes]
    return {
        **{name: round(PUBLISHED.most_points * share) for name, share in ends.items()},
        "solved": total.solved,
        "count": len(answers),
        "nodes": round(sum(nodes) / len(nodes)) if nodes else None,
        "seconds": round(sum(answer.seconds for answer in answers) / len(answers), 4),
        "failed": sum(answer.decision is None for answer in answers),
        "themes": {name: round(score.points / score.max_points, 4) for name, score in themes.items()},
    }


def _suite_players(who: Players, bootstrap: Path | None, limits: Sequence[Limits], others: str) -> list[SuitePlayer]:
    """Giraffe with all limits, the others with the first."""
    giraffe = [SuitePlayer("", who.player(), each) for each in limits]
    rest = {} if who.moves is None else {"Giraffe by depth": who.player("depth")}
    rest |= {} if bootstrap is None else {"bootstrap": f"alphabeta:{bootstrap}"}
    rest["material"] = "alphabeta:material"
    rest |= dict(text.split("=", 1) for text in others.split(";") if text)
    return [
        *(replace(each, name=f"Giraffe ({each.said})") for each in giraffe),
        *(SuitePlayer(name, player, limits[0]) for name, player in {**rest, **ENGINES}.items()),
    ]


def _answered(
    context: ExperimentContext, entry: SuitePlayer, tasks: Sequence[SuiteTask], suite: Path
) -> dict[str, Any]:
    """A row of the table, kept in a file."""
    about = {"player": entry.player, "limits": entry.said, "suite": suite.name, "count": len(tasks)}
    path = context.folder / "sts" / f"{rated.file_stem(entry.name.lower())}.json"
    if path.exists() and (kept := json.loads(path.read_text()))["about"] == about:
        return dict(kept["row"])
    answers: list[SuiteAnswer] = []
    for answer in run_suite(tasks, partial(parse_player, entry.player), entry.limits):
        answers.append(answer)
        context.tell(f"sts: {entry.name}, position {len(answers)} of {len(tasks)}")
    row = {"name": entry.name, "player": entry.player, "limits": entry.said, **marked(answers)}
    write_file(path, json.dumps({"about": about, "row": row}, indent=1))
    return row


def _missing(entry: SuitePlayer) -> str:
    kind, rest = kind_of(entry.player)
    if kind not in PROTOCOLS:
        return ""
    if kind == "xboard" and entry.limits.nodes is not None:
        return "its protocol has no limit of nodes"
    command, options = engine_options(rest)
    if find_program(shlex.split(command)[0]) is None:
        return "not installed"
    try:
        Engine(command, options=options, protocol=kind).close()
    except (PlayerFailed, UsageError) as error:
        return str(error).splitlines()[0]
    return ""


PLIES, NODES = 12, 256  # as section 4.5 plays them; the nodes are those of Giraffe's source


def speed(context: ExperimentContext) -> dict[str, Any]:
    """Nodes a second of one thread, and positions a second of self-play on one core; by the time of the processor."""
    chosen, who = asked_players(context, "speed")
    positions = load_openings(count=max(chosen["positions"], chosen["starts"]), seed=context.seed)
    asked, starts = positions[: chosen["positions"]], pack(positions[: chosen["starts"]])
    players = {"giraffe by depth": who.player("depth"), "material": "alphabeta:material"}
    players |= {} if who.moves is None else {"giraffe": who.player()}
    players |= {"Stockfish": ENGINES["Stockfish"]} if rated.is_installed() else {}
    found = searches(context, players, asked, Limits(nodes=chosen["nodes"]))
    rates = {name: median(nodes / max(seconds, TICK) for nodes, seconds in each) for name, each in found.items()}
    begun = time.process_time()
    played = play_tdleaf(evaluator(who.brain), starts, plies=PLIES, nodes=NODES, seed=context.seed, threads=1)
    rate = int((played.kinds != 0).sum()) / max(time.process_time() - begun, 1e-6)
    return {
        "rows": [{"name": name, "nps": round(rate)} for name, rate in rates.items()],
        "nodes": chosen["nodes"],
        "positions": len(asked),
        "self_play": {"rate": round(rate, 1), "nodes": NODES},
    }


def searches(
    context: ExperimentContext, specs: Mapping[str, str], asked: Sequence[Position], limits: Limits
) -> dict[str, list[tuple[int, float]]]:
    """Nodes and seconds of each search. Players take turns, so that other load on the machine affects all alike."""
    players: dict[str, Player] = {name: parse_player(spec) for name, spec in specs.items()}
    found: dict[str, list[tuple[int, float]]] = {name: [] for name in specs}
    try:
        for number, position in enumerate(asked, start=1):
            context.tell(f"speed: position {number} of {len(asked)}")
            for name, player in players.items():
                begun = processor_seconds(player)
                nodes = player.choose(position.copy(), limits).nodes
                found[name].append((nodes, processor_seconds(player) - begun))
    finally:
        for player in players.values():
            getattr(player, "close", lambda: None)()
    return found


TICK: Final = 0.01  # seconds: the system counts those of another process so exactly


def processor_seconds(player: Player) -> float:
    """That a player has used: of its own process if it is an engine, else of this one; by the clock if nobody says."""
    if not isinstance(player, Engine):
        return time.process_time()
    told = Path(f"/proc/{player.pid}/stat")
    if not told.exists():
        return time.perf_counter()
    fields = told.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def strength(context: ExperimentContext) -> dict[str, Any]:
    """A rating on the ladder for each player; `only` names some, separated by commas."""
    chosen, who = asked_players(context, "strength")
    rated.need_stockfish()
    players = {"giraffe": who.player()}
    players |= {} if who.moves is None else {"giraffe by depth": who.player("depth")}
    players["material"] = "alphabeta:material"  # from which the bootstrap learns
    wanted = {name: player for name, player in players.items() if is_wanted(name, chosen["only"])}
    found = rated.rate_on_ladder(context, chosen, wanted)
    return {**found, "rows": [{**row, "player": wanted[row["name"]]} for row in found["rows"]]}
