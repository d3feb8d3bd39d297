"""
Table 3: the Strategic Test Suite, for Giraffe with more and more time and for engines that many have, in one run.

The suite is not ours to ship: --change sts.suite=FILE names an EPD file whose moves have points. Points are told as
parts of 15,000, whatever a file counts and however many of the 1,500 positions it has.
"""

import json
import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.suite import Answer, Task, by_theme, read_suite, run_suite
from okapi.core import Limits
from okapi.errors import NotFound, PlayerFailed, UsageError
from okapi.papers.lai2015.cast import CAST, Cast, cast, made
from okapi.papers.lai2015.published import MOST_POINTS
from okapi.players.engine import DIALECTS, Engine
from okapi.players.process import find_program
from okapi.players.spec import engine_options, kind_of, parse_player
from okapi.recipes.lab import Lab, write_text
from okapi.recipes.order import Size
from okapi.recipes.shares import Z

__all__ = ["ENGINES", "Entrant", "marked", "sts"]

ENGINES: Final = {
    "Stockfish": "uci:stockfish{Threads=1,Hash=16}",
    "Ethereal": "uci:ethereal-chess{Threads=1,Hash=16}",
    "Toga II": "uci:toga2{Number of Threads=1,Hash=16,OwnBook=false}",
    "Glaurung": "uci:glaurung{Threads=1,Hash=16,OwnBook=false,Ponder=false}",
    "GNU Chess": "uci:gnuchess --uci{Hash=16,OwnBook=false}",
    "Phalanx": "xboard:phalanx -b- -l-",
    "HoiChess": "xboard:hoichess",
    "Fairy-Max": "xboard:fairymax",
    "Sjeng": "xboard:sjeng",
    "Sunfish": "uci:sunfish-uci",
}
"""Debian's engines and Sunfish from PyPI, one thread each, without books."""

TIMES: Final[dict[Size, str]] = {"tiny": "10", "quick": "100", "full": "100,500,1000"}
"""Milliseconds that Giraffe has for a position; others have the first of them."""

COUNT: Final[dict[Size, int]] = {"tiny": 4, "quick": 100, "full": 0}
"""Positions, spread evenly over the file; 0: all."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player, and how long it has for a position."""

    name: str
    player: str
    movetime_ms: int


def sts(lab: Lab) -> dict[str, Any]:
    """One after the other, nobody beside them. `only` names some, with commas between; `others` are added to them.

    `others` are written NAME=PLAYER, with semicolons between.
    """
    usual = {**CAST, "suite": "", "times": TIMES[lab.size], "count": COUNT[lab.size], "only": "", "others": ""}
    chosen = lab.chosen("sts", usual)
    if not chosen["suite"]:
        return {"skipped": "the suite is not ours to ship: --change sts.suite=FILE"}
    who = cast(lab, chosen)
    if isinstance(who, str):
        return {"skipped": who}
    suite = _file(chosen["suite"])
    tasks = _spread(read_suite(suite), chosen["count"])
    times = [int(text) for text in chosen["times"].split(",")]
    wanted = [name for name in chosen["only"].split(",") if name]
    everybody = _entrants(who, made(lab, "tdleaf", "bootstrap"), times, chosen["others"])
    entrants = [each for each in everybody if not wanted or each.name in wanted]
    absent = {each.name: why for each in entrants if (why := _missing(each.player))}
    rows = [_answered(lab, each, tasks, suite) for each in entrants if each.name not in absent]
    return {
        "suite": suite.name,
        "positions": len(tasks),
        "rows": sorted(rows, key=lambda row: -float(row["points"])),
        "absent": absent,
    }


def marked(answers: Sequence[Answer]) -> dict[str, Any]:
    """Points of 15,000 with their interval over positions, positions solved, and nodes where they are known."""
    shares = np.array([answer.points / answer.task.most for answer in answers])
    total, themes = by_theme(answers)
    spread = Z * float(shares.std(ddof=1)) / math.sqrt(len(shares)) if len(shares) > 1 else 1.0
    nodes = [answer.decision.nodes for answer in answers if answer.decision is not None and answer.decision.nodes]
    return {
        "points": round(MOST_POINTS * float(shares.mean())),
        "low": round(MOST_POINTS * max(0.0, float(shares.mean()) - spread)),
        "high": round(MOST_POINTS * min(1.0, float(shares.mean()) + spread)),
        "solved": total.solved,
        "count": len(answers),
        "nodes": round(sum(nodes) / len(nodes)) if nodes else None,
        "seconds": round(sum(answer.seconds for answer in answers) / len(answers), 4),
        "failed": sum(answer.decision is None for answer in answers),
        "themes": {name: round(score.points / score.max_points, 4) for name, score in themes.items()},
    }


def _entrants(who: Cast, bootstrap: Path | None, times: Sequence[int], others: str) -> list[Entrant]:
    first = times[0]
    giraffe = [Entrant(f"Giraffe ({time / 1000:g} s)", who.player(), time) for time in times]
    plain = [] if who.moves is None else [Entrant("Giraffe by depth", who.player("depth"), first)]
    named = (text.partition("=") for text in others.split(";") if text)
    return [
        *giraffe,
        *plain,
        *([] if bootstrap is None else [Entrant("bootstrap", f"alphabeta:{bootstrap}", first)]),
        Entrant("material", "alphabeta:material", first),
        *(Entrant(name, player, first) for name, _, player in named),
        *(Entrant(name, player, first) for name, player in ENGINES.items()),
    ]


def _answered(lab: Lab, entrant: Entrant, tasks: Sequence[Task], suite: Path) -> dict[str, Any]:
    """A row; one that was found before is read."""
    about = {"player": entrant.player, "movetime_ms": entrant.movetime_ms, "suite": suite.name, "count": len(tasks)}
    stem = "".join(letter if letter.isalnum() else "-" for letter in entrant.name.lower())
    path = lab.folder / "sts" / f"{stem}.json"
    if path.exists() and (kept := json.loads(path.read_text()))["about"] == about:
        return dict(kept["row"])
    answers: list[Answer] = []
    limits = Limits(movetime_ms=entrant.movetime_ms, overhead_ms=0)
    for answer in run_suite(tasks, partial(parse_player, entrant.player), limits):
        answers.append(answer)
        lab.tell(f"sts: {entrant.name}, position {len(answers)} of {len(tasks)}")
    row = {"name": entrant.name, "player": entrant.player, "movetime_ms": entrant.movetime_ms, **marked(answers)}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps({"about": about, "row": row}, indent=1))
    return row


def _spread(tasks: list[Task], count: int) -> list[Task]:
    return [tasks[index * len(tasks) // count] for index in range(count)] if 0 < count < len(tasks) else tasks


def _missing(player: str) -> str:
    """Why a program cannot play; nothing where it can."""
    kind, rest = kind_of(player)
    if kind not in DIALECTS:
        return ""
    command, options = engine_options(rest)
    if find_program(shlex.split(command)[0]) is None:
        return "not installed"
    try:
        Engine(command, options=options, dialect=kind).close()
    except (PlayerFailed, UsageError) as error:
        return str(error).splitlines()[0]
    return ""


def _file(name: str) -> Path:
    path = Path(name).expanduser()
    if not path.is_file():
        raise NotFound(f"no suite at `{name}`", hint="--change sts.suite=FILE names an EPD file")
    return path
