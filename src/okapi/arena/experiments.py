"""A queue of changes to a player, each tested against the player without it: gates, and a ledger of all results.

`okapi experiment --help` shows a queue. A gate is played if the gate before it accepted H1.
"""

import json
import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from types import UnionType
from typing import Any, Final, Self

from okapi.arena.games import LOG_INTERVAL_S, PlayedGame
from okapi.arena.match import Match, MatchReport, MatchRun, WorkerFactory, play_match
from okapi.arena.settings import AdjudicationRules
from okapi.arena.sprt import Sprt, Verdict
from okapi.arena.time_control import TimeControl
from okapi.brains.library import run_folder
from okapi.data.runs import Run
from okapi.errors import InvalidText, UsageError, did_you_mean
from okapi.files import digest, file_errors, replace_file

ENDED_EARLY: Final = AdjudicationRules(resign_score=800, draw_score=10)
KEPT: Final = ("games", "wins", "draws", "losses", "pairs", "elo", "low", "high", "sprt")
KIND: Final = "experiment"
STATUS: Final = "experiment.json"
"""In the run of a queue: where its ledger is, and the test that is being played. The board finds ledgers by it."""


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

    @property
    def title(self) -> str:
        """With its folder, because many queues have one name."""
        return "/".join(self.path.resolve().parts[-2:])

    def summary(self) -> dict[str, Any]:
        gates = "; ".join(map(str, self.gates))
        return {"experiments": len(self.experiments), "gates": gates, "openings": self.openings, "queue": self.path}

    def run_name(self) -> str:
        return f"{KIND}-{digest({'queue': str(self.path.resolve())})}"


def _check(found: Mapping[str, Any], known: Mapping[str, type | UnionType], needed: set[str], where: str) -> None:
    for name, value in found.items():
        if name not in known:
            raise UsageError(f"{where} has an unknown key `{name}`", hint=did_you_mean(name, list(known)))
        if not isinstance(value, known[name]):
            expected = getattr(known[name], "__name__", str(known[name]))
            raise UsageError(f"{where} has {name} = {value!r}"[:200], hint=f"expected: {expected}")
    for name in sorted(needed - set(found)):
        raise UsageError(f"{where} has no `{name}`")


LEFT_ALONE: Final = "correct it, or move it away: results of its games are in their stores"
NUMBER: Final = int | float
TEXTS: Final = ("key", "name", "about", "commit", "player", "against", "gate", "date")
COUNTS: Final = ("games", "wins", "draws", "losses")
ROW: Final[Mapping[str, type | UnionType]] = {
    **dict.fromkeys(TEXTS, str),
    **dict.fromkeys(COUNTS, int),
    **dict.fromkeys(("low", "high"), NUMBER | None),
    "elo": NUMBER,
    "los": NUMBER,
    "pairs": list,
    "sprt": dict,
    "kept": bool | None,
}
NEEDED: Final = {"key", "name", "gate", "date", *COUNTS, "elo", "low", "high", "sprt"}
TEST: Final[Mapping[str, type | UnionType]] = {
    **dict.fromkeys(("elo0", "elo1", "llr", "lower", "upper"), NUMBER),
    "verdict": str,
}


def _check_row(row: Any, needed: set[str], where: str) -> None:
    """UsageError for what is no result of a test. Keys of other versions are left alone."""
    if not isinstance(row, dict):
        raise UsageError(f"{where} is no result")
    _check({name: value for name, value in row.items() if name in ROW}, ROW, needed, where)
    _check({name: value for name, value in row["sprt"].items() if name in TEST}, TEST, set(TEST), where)


class Ledger:
    """The results of gates; a gate whose players, openings or settings changed is played anew."""

    def __init__(self, path: Path) -> None:
        """Without a file there are no results yet; UsageError for one that is no ledger, NotFound if unreadable."""
        self.path = path
        self.rows: list[dict[str, Any]] = []
        try:
            with file_errors(path, "read"):
                if path.exists():
                    self.rows = json.loads(path.read_bytes(), parse_constant=int)  # which refuses NaN
        except (ValueError, RecursionError) as error:
            raise UsageError(f"`{path.name}` is not JSON: {error}", hint=LEFT_ALONE) from None
        if not isinstance(self.rows, list):
            raise UsageError(f"`{path.name}` is no ledger", hint=LEFT_ALONE)
        for number, row in enumerate(self.rows, start=1):
            try:
                _check_row(row, NEEDED, f"row {number}")
            except UsageError as error:
                raise UsageError(f"`{path.name}` is no ledger: {error}", hint=LEFT_ALONE) from None

    def add(self, row: dict[str, Any]) -> None:
        self.rows = [*self.rows, row]
        replace_file(self.path, (json.dumps(self.rows, indent=1) + "\n").encode())

    def page(self) -> str:
        """All results as a table in Markdown."""
        heads = ("date", "experiment", "gate", "games", "Elo (95 %)", "LLR", "verdict", "kept")
        lines: list[tuple[Any, ...]] = []
        for row in self.rows:
            commit = f" ({row['commit']})" if row.get("commit") else ""
            cells = (row["date"], (row.get("about") or row["name"]) + commit, row["gate"], row["games"], elo(row))
            lines.append((*cells, f"{row['sprt']['llr']:.2f}", verdict(row), kept(row)))
        table = [f"| {' | '.join(map(str, cells))} |\n" for cells in (heads, *lines)]
        return "".join((table[0], f"{'|---' * len(heads)}|\n", *table[1:]))


def elo(row: Mapping[str, Any]) -> str:
    """A row's Elo with its interval; `?` where the games do not bound it."""
    low, high = ("?" if row[end] is None else f"{row[end]:+.0f}" for end in ("low", "high"))
    return f"{row['elo']:+.0f} ({low} … {high})"


def verdict(row: Mapping[str, Any]) -> str:
    return str(row["sprt"]["verdict"])


def kept(row: Mapping[str, Any]) -> str:
    """`yes` if it passed the last gate, else `no`; `passed` where another gate follows, or the ledger does not tell."""
    if row.get("kept") is None:
        return "passed" if verdict(row) == Verdict.H1.value else "no"
    return "yes" if row["kept"] else "no"


def result_row(key: str, experiment: Experiment, gate: Gate, report: MatchReport) -> dict[str, Any]:
    """A test as a ledger has it."""
    result, about = report.as_json(), {"gate": str(gate), "date": date.today().isoformat()}
    return {"key": key, **asdict(experiment), **about, **{name: result[name] for name in KEPT}}


@dataclass(frozen=True, slots=True)
class QueueStatus:
    """What the board knows of a queue besides its ledger."""

    queue: Path
    ledger: Path
    experiments: int
    number: int = 0
    """Of the experiment that is being played, from 1."""
    most: int = 0
    """Games of its gate."""
    playing: Mapping[str, Any] | None = None
    """Its result so far, as a row of a ledger, with `los`."""

    @classmethod
    def read(cls, folder: Path) -> Self:
        """NotFound, or InvalidText if it is damaged."""
        try:
            with file_errors(folder / STATUS, "read"):
                found = json.loads((folder / STATUS).read_bytes(), parse_constant=int)
            known = {"queue": str, "ledger": str, "experiments": int, "number": int, "most": int}
            _check(found, {**known, "playing": dict | None}, {*known, "playing"}, STATUS)
            if found["playing"] is not None:
                _check_row(found["playing"], NEEDED | {"los"}, STATUS)
            return cls(**{**found, "queue": Path(found["queue"]), "ledger": Path(found["ledger"])})
        except (ValueError, RecursionError, AttributeError, UsageError):
            hint = "give the same `okapi experiment` again: it is written anew, and results are in the ledger"
            raise InvalidText(f"`{folder.name}/{STATUS}` is damaged", hint=hint) from None

    def write(self, folder: Path) -> None:
        told = {**asdict(self), "queue": str(self.queue), "ledger": str(self.ledger)}
        replace_file(folder / STATUS, json.dumps(told).encode())


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
    folder = run_folder(None, queue.run_name())
    status = QueueStatus(queue.path.resolve(), ledger.path.resolve(), len(queue.experiments))

    def result(number: int, experiment: Experiment, gate: Gate) -> dict[str, Any]:
        how: dict[str, Any] = {"openings": queue.openings, "adjudication": ENDED_EARLY, "seed": queue.seed}
        match = Match(first=experiment.player, second=experiment.against, control=gate.control, **how)
        key = digest({**match.describe(), "sprt": gate.sprt, "games": gate.games})
        if (known := next((row for row in ledger.rows if row["key"] == key), None)) is not None:
            return known
        due = 0.0

        def show(report: MatchReport) -> None:
            nonlocal due
            if time.monotonic() >= due:
                playing = {**result_row(key, experiment, gate, report), "los": round(report.estimate.los, 4)}
                replace(status, number=number, most=gate.games, playing=playing).write(folder)
                due = time.monotonic() + LOG_INTERVAL_S

        def begin(run: MatchRun) -> None:
            show(run.report)
            on_begin(experiment, gate, run)

        def game(report: MatchReport, played: PlayedGame) -> None:
            show(report)
            on_game(experiment, gate, report, played)

        told: dict[str, Any] = {"names": (experiment.name, "without"), "on_begin": begin, "on_game": game}
        report = play_match(match, gate.games, sprt=Sprt(*gate.sprt), make_workers=make_workers, **told)
        row = result_row(key, experiment, gate, report)
        if verdict(row) != Verdict.H1.value or gate is queue.gates[-1]:
            row["kept"] = verdict(row) == Verdict.H1.value
        ledger.add(row)
        status.write(folder)
        on_result(row)
        return row

    with Run.start(folder, KIND, unit="experiments", title=queue.title, settings=queue.summary()) as run:
        status.write(folder)
        for number, experiment in enumerate(queue.experiments, start=1):
            for gate in queue.gates:
                row = result(number, experiment, gate)
                if verdict(row) != Verdict.H1.value:
                    break
            run.log(number, elo=row["elo"], elo_low=row["low"], elo_high=row["high"])
