"""A queue of changes to a player, each tested against the player without it: gates, and a ledger of all results.

`okapi experiment --help` shows a queue. A gate is played if the gate before it accepted H1.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

from okapi.arena.games import PlayedGame
from okapi.arena.match import Match, MatchReport, MatchRun, WorkerFactory, play_match
from okapi.arena.settings import AdjudicationRules
from okapi.arena.sprt import Sprt, Verdict
from okapi.arena.time_control import TimeControl
from okapi.errors import UsageError, did_you_mean
from okapi.files import digest, file_errors, replace_file

ENDED_EARLY: Final = AdjudicationRules(resign_score=800, draw_score=10)
KEPT: Final = ("games", "wins", "draws", "losses", "pairs", "elo", "low", "high", "sprt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One test: SPRT at so many nodes a move, or with a clock."""

    sprt: tuple[float, float]
    games: int
    """At most. A test that is undecided after them was not passed."""
    nodes: int | None = None
    tc: str | None = None

    def __post_init__(self) -> None:
        if (self.nodes is None) == (self.tc is None):
            raise UsageError("a gate has either `nodes` or `tc`")
        if len(self.sprt) != 2 or not all(isinstance(bound, int | float) for bound in self.sprt):
            raise UsageError(f"a gate with sprt = {list(self.sprt)}", hint="two Elo, such as [0, 10]")
        if self.games < 1 or (self.nodes is not None and self.nodes < 1):
            raise UsageError("a gate has at least one game and one node")

    @property
    def control(self) -> TimeControl:
        return TimeControl.from_text(self.tc, nodes=self.nodes)

    def __str__(self) -> str:
        low, high = self.sprt
        return f"{self.control}, SPRT {low:g} {high:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    name: str
    about: str = ""
    commit: str = ""
    """Of a change to the program."""
    player: str
    """With the change."""
    against: str
    """Without it."""


@dataclass(frozen=True, slots=True)
class Queue:
    path: Path
    experiments: tuple[Experiment, ...]
    gates: tuple[Gate, ...]
    openings: str | None = None
    seed: int = 1

    @classmethod
    def read(cls, path: Path) -> "Queue":
        """NotFound or UsageError if the file is missing or says something unknown."""
        try:
            with file_errors(path, "read"):
                table = tomllib.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise UsageError(f"`{path}` is not TOML: {error}") from None
        rows = {name: row for name, row in table.items() if isinstance(row, dict)}
        head = {name: value for name, value in table.items() if name not in rows}
        _check(head, {"against": str, "gates": list, "openings": str, "seed": int}, {"against", "gates"}, path.name)
        gates = head["gates"]
        if not (rows and gates and all(isinstance(gate, dict) for gate in gates)):
            raise UsageError(f"`{path}` needs a list of gates and at least one experiment")
        for gate in gates:
            _check(gate, {"sprt": list, "games": int, "nodes": int, "tc": str}, {"sprt", "games"}, "a gate")
        for name, row in rows.items():
            _check(row, dict.fromkeys(("player", "against", "about", "commit"), str), {"player"}, f"`{name}`")
        book = head.get("openings")
        if book is not None and (path.parent / book).exists():
            book = str(path.parent / book)
        tested = (Experiment(**{"against": head["against"], **row, "name": name}) for name, row in rows.items())
        tests = (Gate(**{**gate, "sprt": tuple(gate["sprt"])}) for gate in gates)
        return cls(path, tuple(tested), tuple(tests), book, head.get("seed", 1))


def _check(found: Mapping[str, Any], known: Mapping[str, type], needed: set[str], where: str) -> None:
    for name, value in found.items():
        if name not in known:
            raise UsageError(f"{where} has an unknown key `{name}`", hint=did_you_mean(name, list(known)))
        if not isinstance(value, known[name]):
            raise UsageError(f"{where} has {name} = {value!r}", hint=f"expected: {known[name].__name__}")
    for name in sorted(needed - set(found)):
        raise UsageError(f"{where} has no `{name}`")


class Ledger:
    """The results of gates; a gate whose players, openings or settings changed is played anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.rows: list[dict[str, Any]] = json.loads(path.read_bytes()) if path.exists() else []
        except ValueError as error:
            raise UsageError(f"`{path}` is not JSON: {error}") from None
        if not (isinstance(self.rows, list) and all(isinstance(row, dict) and "key" in row for row in self.rows)):
            raise UsageError(f"`{path}` is no ledger", hint="move it away: results of its games are in their stores")

    def add(self, key: str, experiment: Experiment, gate: Gate, report: MatchReport) -> dict[str, Any]:
        result, about = report.as_json(), {"gate": str(gate), "date": date.today().isoformat()}
        row = {"key": key, **asdict(experiment), **about, **{name: result[name] for name in KEPT}}
        self.rows = [*self.rows, row]
        replace_file(self.path, (json.dumps(self.rows, indent=1) + "\n").encode())
        return row

    def page(self) -> str:
        """All results as a table in Markdown."""
        lines = ["| date | experiment | gate | games | Elo (95 %) | LLR | verdict |", "|---|---|---|---|---|---|---|"]
        for row in self.rows:
            cells = (row["date"], row["about"] or row["name"], row["gate"], row["games"], elo(row))
            lines.append("| {} | {} | {} | {} | {} | {:.2f} | {} |".format(*cells, row["sprt"]["llr"], verdict(row)))
        return "\n".join(lines) + "\n"


def elo(row: Mapping[str, Any]) -> str:
    """A row's Elo with its interval; `?` where the games do not bound it."""
    low, high = ("?" if row[end] is None else f"{row[end]:+.0f}" for end in ("low", "high"))
    return f"{row['elo']:+.0f} ({low} … {high})"


def verdict(row: Mapping[str, Any]) -> str:
    return str(row["sprt"]["verdict"])


def play_experiments(
    queue: Queue,
    ledger: Ledger,
    *,
    make_workers: WorkerFactory | None = None,
    on_begin: Callable[[Experiment, Gate, MatchRun], object] = lambda *_: None,
    on_game: Callable[[Experiment, Gate, MatchReport, PlayedGame], object] = lambda *_: None,
    on_result: Callable[[Mapping[str, Any]], object] = lambda row: None,
) -> None:
    """Play what the ledger does not have, and add it. Games are stored as they end: the same call resumes."""
    for experiment in queue.experiments:
        for gate in queue.gates:
            how: dict[str, Any] = {"openings": queue.openings, "adjudication": ENDED_EARLY, "seed": queue.seed}
            match = Match(first=experiment.player, second=experiment.against, control=gate.control, **how)
            key = digest({**match.describe(), "sprt": gate.sprt, "games": gate.games})
            row = next((row for row in ledger.rows if row["key"] == key), None)
            if row is None:
                names, test = (experiment.name, "without"), Sprt(*gate.sprt)
                begin, game = (partial(told, experiment, gate) for told in (on_begin, on_game))
                report = play_match(
                    match, gate.games, names=names, sprt=test, make_workers=make_workers, on_begin=begin, on_game=game
                )
                row = ledger.add(key, experiment, gate, report)
                on_result(row)
            if verdict(row) != Verdict.H1.value:
                break
