"""Section 4.4: the Kaufman test (Table 4), and the networks in games."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Final

from okapi.arena.ladder import usable
from okapi.arena.suite import BALANCED_CP, ReferenceEngine, SuiteAnswer, SuiteTask, read_suite, run_suite
from okapi.arena.time_control import TimeControl
from okapi.brains import find
from okapi.core import Limits, Move, Position, Value
from okapi.errors import NotFound, UsageError
from okapi.papers import rating as rated
from okapi.papers.experiment import ExperimentContext, write_text
from okapi.papers.rating import place_on_ladder, play_two
from okapi.papers.sabatelli2018.headlines import PUBLISHED
from okapi.players import Player
from okapi.players.engine import Engine
from okapi.players.spec import parse_player


def named_brains(context: ExperimentContext, named: str) -> dict[str, str]:
    """Names and paths of brains: those trained by `tables`, and `named` ones: NAME=PATH, separated by commas."""
    try:
        found = {name: str(context.folder / path) for name, path in context.result("tables")["brains"].items()}
    except NotFound:
        found = {}
    for text in filter(None, named.split(",")):
        name, equals, path = text.partition("=")
        if not equals:
            raise UsageError(f"`{text}` names no brain", hint="write it as NAME=PATH, such as ours=brain.safetensors")
        found[name] = str(Path(find(path)).absolute())
    return found


JUDGE: Final = "stockfish"


@dataclass(frozen=True, slots=True)
class Mode:
    """A way to play with a network."""

    name: str
    player: str
    """A specification, with {brain} where the brain belongs."""


MODES: Final = (
    Mode("depth 1", "greedy:{brain}"),
    Mode("with quiescence", "alphabeta:{brain},depth=1,without=shortcuts"),
    Mode("with search", "alphabeta:{brain}"),
)
"""That of the paper, then its future work."""


def kaufman(context: ExperimentContext) -> dict[str, Any]:
    """Table 4: every network in every mode."""
    chosen = context.read_settings("sabatelli2018", "kaufman")
    if not chosen["suite"]:
        return {"skipped": "the suite is not ours to ship: --change kaufman.suite=ccr_one_hour.epd"}
    if not (players := named_brains(context, chosen["brains"])):
        return {"skipped": "no network was trained yet, and none was named: --change kaufman.brains=NAME=PATH"}
    own = {task.number: task for task in read_suite(_file(chosen["suite"]))}
    tasks = [wanted(task) for task in own.values()]
    judges = rated.is_installed()
    cache = _VerdictCache(context.folder / "kaufman.json", chosen["judge_seconds"])
    rows = []
    for name, brain in players.items():
        for way in MODES:
            context.tell(f"kaufman: {name}, {way.name}")
            answers = run_suite(
                tasks,
                partial(parse_player, way.player.format(brain=brain)),
                Limits(nodes=chosen["search_nodes"]),
                make_reference=cache.judge if judges else None,
                concurrency=context.executor.workers,
            )
            answered = sorted(answers, key=lambda answer: answer.task.number)
            rows.append({"name": name, "way": way.name, **_counted(answered, own)})
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
    plain = san.rstrip("+#")
    kind, target = plain[0], plain[-2:]
    matching = {}
    for move in position.legal_moves():
        short = position.san(move).rstrip("+#")
        if short == plain:
            return (move,)
        if kind.isupper() and short[0] == kind and short[-2:] == target:
            matching[short] = move
    return tuple(matching.values())


def _counted(answers: Sequence[SuiteAnswer], own: Mapping[int, SuiteTask]) -> dict[str, Any]:
    figures = [_answer_figures(answer, own[answer.task.number]) for answer in answers]
    judged = [row for row in figures if row["delta"] is not None]
    return {
        "solved": sum(row["solved"] for row in figures),
        "solved_own": sum(row["solved_own"] for row in figures),
        "losing": sum(losing(row["delta"], row["value"]) for row in judged) if judged else None,
        "balanced": sum(row["delta"] <= BALANCED_CP for row in judged) if judged else None,
        "mean_delta": round(sum(row["delta"] for row in judged) / len(judged), 1) if judged else None,
        "answers": figures,
    }


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
        self._path = path
        self._limits = Limits(movetime_ms=round(1000 * seconds))
        self._seconds = seconds
        self._writing = Lock()
        kept = json.loads(path.read_text()) if path.exists() else {}
        self._verdicts: dict[str, Any] = kept.get("said", {}) if kept.get("seconds") == seconds else {}

    def judge(self) -> ReferenceEngine:
        return _CachedJudge(self, Engine(JUDGE), self._limits)

    def find(self, position: Position, move: Move) -> Value | None:
        short = self._verdicts.get(_key(position, move))
        return None if short is None else Value(short["expected"], position.turn, short["mate"])

    def keep(self, position: Position, move: Move, value: Value) -> None:
        with self._writing:
            self._verdicts[_key(position, move)] = {"expected": value.expected, "mate": value.mate}
            write_text(self._path, json.dumps({"seconds": self._seconds, "said": self._verdicts}, indent=1))


class _CachedJudge(ReferenceEngine):
    """A judge that looks in the cache first."""

    def __init__(self, cache: _VerdictCache, player: Player, limits: Limits) -> None:
        super().__init__(player, limits)
        self._cache = cache

    def value(self, position: Position, move: Move) -> Value:
        known = self._cache.find(position, move)
        if known is None:
            known = super().value(position, move)
            self._cache.keep(position, move, known)
        return known


def _key(position: Position, move: Move) -> str:
    return f"{position.fen()} {position.uci(move)}"


def _file(name: str) -> Path:
    path = Path(name).expanduser()
    if not path.is_file():
        raise NotFound(f"no suite at `{name}`", hint="--change kaufman.suite=FILE names an EPD file")
    return path


def strength(context: ExperimentContext) -> dict[str, Any]:
    """A rating on the ladder for each network in each mode. `ways` and `only` choose some of them."""
    chosen = context.read_settings("sabatelli2018", "strength")
    if not rated.is_installed():
        return {"skipped": "stockfish is not installed"}
    if not (players := named_brains(context, chosen["brains"])):
        return {"skipped": "no network was trained yet, and none was named: --change strength.brains=NAME=PATH"}
    control = TimeControl.from_text(chosen["tc"])
    rungs, _ = usable()
    rows = [
        {
            "name": name,
            "way": way.name,
            **place_on_ladder(
                context,
                "strength",
                f"{name}, {way.name}",
                way.player.format(brain=brain),
                games=chosen["games"],
                control=control,
                rungs=rungs,
            ),
        }
        for name, brain in players.items()
        for way in MODES
        if _wanted(chosen["only"], name) and _wanted(chosen["ways"], way.name)
    ]
    return {
        "rows": rows,
        "conditions": f"{control}, at most {context.executor.workers} games at a time",
        "rungs": len(rungs),
    }


def _wanted(chosen: str, name: str) -> bool:
    """Whether a name is among those chosen, which commas separate; nothing chosen means all.

    >>> _wanted("", "depth 1"), _wanted("with search,depth 1", "depth 1"), _wanted("with search", "depth 1")
    (True, True, False)
    """
    return not chosen or name in chosen.split(",")


PEOPLE: Final = {
    "people rated 2000, no search": "top-prob:okapi-human,elo=2000",
    "material, one ply": "alphabeta:material,depth=1",
    "random moves": "random:1",
}
"""Opponents that need no clock, fixed beforehand."""


def weaker(context: ExperimentContext) -> dict[str, Any]:
    """The claim of 2000 at depth 1: games against players that do not search either."""
    chosen = context.read_settings("sabatelli2018", "weaker")
    if not (players := named_brains(context, chosen["brains"])):
        return {"skipped": "no network was trained yet, and none was named: --change weaker.brains=NAME=PATH"}
    rows = []
    for name, brain in players.items():
        for way in MODES[:2]:
            if not _wanted(chosen["only"], name):
                continue
            for opponent, player in PEOPLE.items():
                stem = "".join(letter if letter.isalnum() else "-" for letter in f"{name} {way.name} {opponent}")
                context.tell(f"weaker: {name}, {way.name}, {opponent}")
                met = play_two(
                    context,
                    way.player.format(brain=brain),
                    player,
                    games=chosen["games"],
                    control=TimeControl(nodes=1000),
                    store=context.folder / "weaker" / f"{stem}.sqlite",
                )
                rows.append({"name": name, "way": way.name, "opponent": opponent, **met})
    return {"rows": rows, "conditions": f"{chosen['games']} games each, each opening with both colours"}
