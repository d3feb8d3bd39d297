"""Section 4.4: the Kaufman test (Table 4), and the networks in games."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from threading import Lock
from typing import Any, Final

from okapi.arena.suite import BALANCED_CP, ReferenceEngine, SuiteAnswer, SuiteTask, read_suite, run_suite
from okapi.arena.time_control import TimeControl
from okapi.brains import find
from okapi.core import Limits, Move, Position, Value
from okapi.errors import NotFound, UsageError
from okapi.papers import rating as rated
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped, is_wanted, listed, write_file
from okapi.papers.rating import PlannedMatch, file_stem, play_for_elo, suite_file
from okapi.papers.sabatelli2018.headlines import PUBLISHED
from okapi.players.engine import Engine
from okapi.players.spec import parse_player


def named_brains(context: ExperimentContext, experiment: str, named: str) -> dict[str, str]:
    """Names and paths of brains, at least one: those trained by `tables`, and `named` ones, NAME=PATH with commas."""
    try:
        found = {name: str(context.folder / path) for name, path in context.result("tables")["brains"].items()}
    except NotFound:
        found = {}
    for text in listed(named):
        name, equals, path = text.partition("=")
        if not equals:
            raise UsageError(f"`{text}` names no brain", hint="write it as NAME=PATH, such as ours=brain.safetensors")
        found[name] = str(Path(find(path)).absolute())
    if not found:
        why = f"no network was trained yet, and none was named: --change {experiment}.brains=NAME=PATH"
        raise ExperimentSkipped(why)
    return found


MODES: Final = {
    "depth 1": "greedy:{brain}",
    "with quiescence": "alphabeta:{brain},depth=1,without=shortcuts",
    "with search": "alphabeta:{brain}",
}
"""Ways to play with a network, that of the paper first: specifications with {brain} where the brain belongs."""


def kaufman(context: ExperimentContext) -> dict[str, Any]:
    """Table 4: every network in every mode."""
    chosen = context.read_settings("sabatelli2018", "kaufman")
    if not chosen["suite"]:
        raise ExperimentSkipped("the suite is not ours to ship: --change kaufman.suite=ccr_one_hour.epd")
    players = named_brains(context, "kaufman", chosen["brains"])
    own = {task.number: task for task in read_suite(suite_file("kaufman", chosen["suite"]))}
    tasks = [wanted(task) for task in own.values()]
    judges = rated.is_installed()
    cache = _VerdictCache(context.folder / "kaufman.json", chosen["judge_seconds"])
    rows, limits = [], Limits(nodes=chosen["search_nodes"])
    judge = partial(_CachedJudge, cache) if judges else None
    how: dict[str, Any] = {"make_reference": judge, "concurrency": context.executor.workers}
    for (name, brain), (way, player) in product(players.items(), MODES.items()):
        context.tell(f"kaufman: {name}, {way}")
        answers = run_suite(tasks, partial(parse_player, player.format(brain=brain)), limits, **how)
        answered = sorted(answers, key=lambda answer: answer.task.number)
        rows.append({"name": name, "way": way, **_counted(answered, own)})
    judged = f"Stockfish, {chosen['judge_seconds']:g} s a move" if judges else ""
    return {"rows": rows, "judge": judged, "search_nodes": chosen["search_nodes"], "positions": len(tasks)}


def wanted(task: SuiteTask) -> SuiteTask:
    """The same position with the best move of Table 4, if it has a row there."""
    choice = next((choice for choice in PUBLISHED.table_4 if choice.place == task.number), None)
    best = () if choice is None else _moves(task.position, choice.best)
    return replace(task, best=best, avoid=()) if best else task


def losing(delta: float, value: float) -> bool:
    """Whether a move loses, as the paper counts: its loss is above 1.5 pawns, and its side is then further behind."""
    return delta > BALANCED_CP and value < -BALANCED_CP


def _moves(position: Position, san: str) -> tuple[Move, ...]:
    """All moves that a short name may mean: the paper does not state which rook goes to e8."""
    plain, named = san.rstrip("+#"), {position.san(move).rstrip("+#"): move for move in position.legal_moves()}
    if plain in named:
        return (named[plain],)
    same = (plain[0], plain[-2:])
    return tuple(move for short, move in named.items() if plain[0].isupper() and (short[0], short[-2:]) == same)


def _counted(answers: Sequence[SuiteAnswer], own: Mapping[int, SuiteTask]) -> dict[str, Any]:
    figures = [_answer_figures(answer, own[answer.task.number]) for answer in answers]
    judged = [row for row in figures if row["delta"] is not None]
    found = {
        "losing": sum(losing(row["delta"], row["value"]) for row in judged),
        "balanced": sum(row["delta"] <= BALANCED_CP for row in judged),
        "mean_delta": round(sum(row["delta"] for row in judged) / max(len(judged), 1), 1),
    }
    solved = {key: sum(row[key] for row in figures) for key in ("solved", "solved_own")}
    return {**solved, **(found if judged else dict.fromkeys(found)), "answers": figures}


def _answer_figures(answer: SuiteAnswer, own: SuiteTask) -> dict[str, Any]:
    judgement = answer.comparison
    return {
        "number": answer.task.number,
        "best": answer.task.wanted(),
        "played": answer.played,
        "solved": answer.solved,
        "solved_own": answer.decision is not None and own.solved_by(answer.decision),
        "delta": None if judgement is None else judgement.delta,
        "value": None if judgement is None else judgement.played.centipawns,
    }


class _VerdictCache:
    """Verdicts of the judge, kept in a file: each move is searched once."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds, self.writing = path, seconds, Lock()
        kept = json.loads(path.read_text()) if path.exists() else {}
        self.verdicts: dict[str, Any] = kept.get("said", {}) if kept.get("seconds") == seconds else {}


class _CachedJudge(ReferenceEngine):
    """A judge that looks in the cache first."""

    def __init__(self, cache: _VerdictCache) -> None:
        super().__init__(Engine("stockfish"), Limits(movetime_ms=round(1000 * cache.seconds)))
        self._cache = cache

    def value(self, position: Position, move: Move) -> Value:
        cache, key = self._cache, f"{position.fen()} {position.uci(move)}"
        if short := cache.verdicts.get(key):
            return Value(short["expected"], position.turn, short["mate"])
        found = super().value(position, move)
        with cache.writing:
            cache.verdicts[key] = {"expected": found.expected, "mate": found.mate}
            write_file(cache.path, json.dumps({"seconds": cache.seconds, "said": cache.verdicts}, indent=1))
        return found


def strength(context: ExperimentContext) -> dict[str, Any]:
    """A rating on the ladder for each network in each mode. `ways` and `only` choose some of them."""
    chosen = context.read_settings("sabatelli2018", "strength")
    rated.need_stockfish()
    players, ways, wanted = named_brains(context, "strength", chosen["brains"]), {}, {}
    for (name, brain), (way, player) in product(players.items(), MODES.items()):
        if is_wanted(name, chosen["only"]) and is_wanted(way, chosen["ways"]):
            ways[f"{name}, {way}"] = {"name": name, "way": way}
            wanted[f"{name}, {way}"] = player.format(brain=brain)
    found = rated.rate_on_ladder(context, chosen, wanted)
    rows = [{**row, **ways[row["name"]]} for row in found["rows"]]
    return {"rows": rows, "conditions": found["conditions"], "rungs": len(found["rungs"])}


PEOPLE: Final = {
    "people rated 2000, no search": "top-prob:okapi-human,elo=2000",
    "material, one ply": "alphabeta:material,depth=1",
    "random moves": "random:1",
}
"""Opponents that need no clock, fixed beforehand."""


def weaker(context: ExperimentContext) -> dict[str, Any]:
    """The claim of 2000 at depth 1: games against players that do not search either."""
    chosen = context.read_settings("sabatelli2018", "weaker")
    players = named_brains(context, "weaker", chosen["brains"])
    rows, terms = [], {"control": TimeControl(nodes=1000), "games": chosen["games"]}
    for name, way, opponent in product(players, list(MODES)[:2], PEOPLE):
        if is_wanted(name, chosen["only"]):
            key, said = file_stem(f"{name} {way} {opponent}"), f"{name}, {way}, {opponent}"
            first, second = MODES[way].format(brain=players[name]), PEOPLE[opponent]
            match = PlannedMatch(key=key, name=said, first=first, second=second, **terms)
            rows.append({"name": name, "way": way, "opponent": opponent, **play_for_elo(context, "weaker", match)})
    return {"rows": rows, "conditions": f"{chosen['games']} games each, each opening with both colours"}
