"""The plan of a league: ways of learning × budgets × seeds, what each training costs, and who plays where.

A budget is a number of positions or a number of multiplications. Multiplications are those of learning, of making the
data and of the teacher: a labelled position costs the teacher's search; a position of own games costs the nodes of its
search. They are counted as an evaluator's weights for each evaluation (64 times for a convolution's, one for each
square; of an NNUE the rows of some 20 pieces), and `times` and `passes` of ways.toml say how often it evaluates.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

from okapi.arena.time_control import TimeControl
from okapi.brains.files import read_tensors
from okapi.errors import NotFound, UsageError, did_you_mean
from okapi.recipes import Size, find_recipe
from okapi.recipes.league.result import REFERENCE, LeagueMark

TABLES: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("ways.toml").read_text(encoding="utf-8"))
MARKS: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("marks.toml").read_text(encoding="utf-8"))

COSTS: Final[dict[str, Any]] = TABLES["costs"]

LABEL: Final[float] = TABLES["teacher"]["nodes"] * TABLES["teacher"]["multiplications"]
"""Multiplications of the teacher for one position."""

USUAL: Final = "alphabeta:{brain}"

BudgetKind = Literal["data", "compute"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueWay:
    """An entry of ways.toml, which says what each field means."""

    name: str
    title: str
    recipe: str
    learns: Literal["labels", "own games", "both"]
    times: float
    passes: float | str
    expected: tuple[float, float]
    paper: str = ""
    length: str = ""
    each: int = 1
    after: str = ""
    same: bool = False
    begins: str = ""
    player: str = USUAL
    slow: bool = False
    cheap: bool = False
    uses: int | None = None
    most: float = math.inf
    gpu: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, name: str, size: Size) -> Self:
        row = {key: value for key, value in TABLES["ways"][name].items() if key not in get_args(Size)}
        settings = row.pop("settings", {}) | TABLES["ways"][name].get(size, {})
        return cls(name=name, settings=settings, **row | {"expected": tuple(row["expected"][size])})

    @property
    def searches(self) -> bool:
        return self.player.startswith("alphabeta")

    @property
    def labelled(self) -> bool:
        return self.learns != "own games"

    def changes(self, positions: int) -> dict[str, Any]:
        """The settings of its recipe for so many positions; nothing is measured on the way."""
        told = {self.length: max(1, round(positions / self.each))} if self.length else {}
        return {"snapshots": 0, "elo": False, **self.settings, **told}

    def operations(self, positions: float, passes: float, multiplications: float) -> float:
        """Of learning, of making the data and of the teacher."""
        looked_at = min(positions, self.uses or positions)
        return (positions * LABEL if self.labelled else 0.0) + looked_at * passes * self.times * multiplications

    def affordable(self, operations: float) -> int:
        """Positions that so many multiplications pay for, as far as is known before."""
        return int(operations / self.operations(1.0, *self.expected))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One training: a way, its budget and its seed."""

    way: LeagueWay
    kind: BudgetKind
    budget: float
    positions: int
    seed: int

    @property
    def name(self) -> str:
        """Of its folder, and in the tables.

        >>> Cell(way=LeagueWay.read("mlp", "tiny"), kind="data", budget=1e4, positions=10_000, seed=1).name
        'mlp-d4-1'
        """
        power = f"{math.log10(self.budget):.1f}".removesuffix(".0").replace(".", "_")
        return f"{self.way.name}-{self.kind[0]}{power}-{self.seed}"

    @property
    def group(self) -> str:
        """Its way and budget: what seeds share."""
        return self.name.rpartition("-")[0]

    @property
    def parent(self) -> str:
        """The training that it builds on; empty if there is none."""
        return self.name.replace(self.way.name, self.way.after, 1) if self.way.after else ""

    @property
    def learning(self) -> float:
        """Multiplications of its training, as expected, without the teacher's."""
        teacher = LABEL * self.positions if self.way.labelled else 0.0
        return self.way.operations(self.positions, *self.way.expected) - teacher


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """How all play in one pool."""

    name: str
    depth: int | None = None
    nodes: int | None = None
    tc: str | None = None
    options: str = ""
    slow: bool = False
    largest: bool = False
    engines: Sequence[str] = ()
    half_width: float = 0.0
    most: float = math.inf
    """Games of the pool, after which no round begins."""

    @classmethod
    def read(cls, name: str) -> Self:
        return cls(name=name, **TABLES["conditions"][name])

    @property
    def control(self) -> TimeControl:
        return TimeControl.from_text(self.tc, nodes=self.nodes, depth=self.depth)

    def player(self, pattern: str, brain: str) -> str:
        """How a brain plays here: all that search have the same options."""
        told = pattern.format(brain=brain)
        return f"{told},{self.options}" if self.options and pattern.startswith("alphabeta") else told

    def admits(self, mark: "Mark") -> bool:
        """Who is too slow for a thousand nodes has no time with a clock."""
        return mark.most_nodes >= (self.nodes or 1000)

    def fixed(self, pattern: str, brain: str) -> str:
        """The same for a pool where others have other limits."""
        limits = (("depth", self.depth), ("nodes", self.nodes))
        return ",".join([self.player(pattern, brain), *(f"{name}={limit}" for name, limit in limits if limit)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A brain that ships, as a point of comparison: often a paper's own player."""

    entry: LeagueMark
    player: str
    most_nodes: float
    """A node takes it so long that it does not play where more are allowed."""

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Self:
        told = {key: row[key] for key in ("name", "way", "learned_from")}
        operations = sum(math.prod(factors) for factors in row["operations"])
        entry = LeagueMark(**told, samples=sum(row["samples"]), operations=operations)
        return cls(entry=entry, player=row.get("player", USUAL), most_nodes=row.get("most_nodes", math.inf))

    @property
    def name(self) -> str:
        return self.entry.name


ALL_MARKS: Final = {row["name"]: Mark.read(row) for row in MARKS["entrants"]}
WAYS: Final = tuple(TABLES["ways"])


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaguePlan:
    size: Size
    recipes: Size
    """The size of the recipes that it trains."""
    cells: Sequence[Cell]
    conditions: Sequence[Condition]
    marks: Sequence[Mark]
    games: int
    """Of each player in a pool, at most."""
    half_width: float
    """Elo: whose interval is no wider plays no more."""
    seed: int
    left_out: Mapping[str, str]

    @classmethod
    def make(
        cls,
        size: Size,
        available: int,
        *,
        ways: Sequence[str] = (),
        budgets: Sequence[int] = (),
        pools: Sequence[str] = (),
        marks: Sequence[str] = (),
        half_width: float | None = None,
        seed: int = 1,
    ) -> Self:
        """All trainings of a size, where there are so many labelled positions. NotFound for an unknown name.

        With `budgets` there is one training of each way for each, instead of those of the size.
        """
        given = (("way", ways, WAYS), ("pool", pools, [*TABLES["conditions"]]), ("mark", marks, [*ALL_MARKS]))
        for what, names, known in given:
            for name in (name for name in names if name not in known):
                raise NotFound(f"`{name}` is no {what} of the league", hint=did_you_mean(name, known))
        row = TABLES["sizes"][size]
        if budgets:
            row = {**row, "data": dict.fromkeys(budgets, 1), "cheap": {}, "compute": {}}
        chosen = ways or row.get("ways", WAYS)
        needed = {TABLES["ways"][name].get("after", "") for name in chosen}
        left_out: dict[str, str] = {}
        most = max(float(level) for level in (*row["data"], *row.get("cheap", {})))
        cells: dict[str, Cell] = {}
        for name in (name for name in WAYS if name in chosen or name in needed):
            for cell in _cells(LeagueWay.read(name, size), row, seed):
                pays = f"it pays for {cell.positions:,} positions, more than a league of this size has"
                reasons = (
                    ("the budget pays for too few positions", cell.positions < cell.way.each),
                    (pays, cell.positions > most),
                    (f"it is given {cell.way.most:,.0f} positions at most", cell.positions > cell.way.most),
                    (f"there are {available:,} labelled positions", cell.way.labelled and cell.positions > available),
                )
                if why := [why for why, holds in reasons if holds]:
                    left_out[cell.name] = why[0]
                else:
                    cells[cell.name] = cell
        if len(cells) < 2:
            raise UsageError("a league needs two trainings or more", hint="--ways mlp nnue-labels")
        plan = cls(
            size=size,
            recipes=row["recipes"],
            cells=[cell for cell in cells.values() if not cell.parent or cell.parent in cells],
            conditions=[Condition.read(name) for name in pools or row["conditions"]],
            marks=[ALL_MARKS[name] for name in dict.fromkeys([REFERENCE, *(marks or row["marks"])])],
            games=row["games"],
            half_width=half_width or row["half_width"],
            seed=seed,
            left_out=left_out,
        )
        return replace(plan, cells=plan.needed())

    def needed(self) -> list[Cell]:
        """The trainings whose brains play somewhere, and those that they build on."""
        playing = {cell.name: cell for cell in self.cells if any(self.plays(one, cell) for one in self.conditions)}
        parents = {cell.parent for cell in playing.values()}
        return [cell for cell in self.cells if cell.name in playing or cell.name in parents]

    def plays(self, condition: Condition, cell: Cell) -> bool:
        """Does the brain of a training play under a condition?"""
        own_search = condition.options and "," in cell.way.player
        if own_search or (not condition.slow and cell.way.slow and cell.way.searches):
            return False
        of_way = [one for one in self.cells if one.way.name == cell.way.name]
        return not condition.largest or cell is max(of_way, key=lambda one: one.positions)

    def width(self, condition: Condition) -> float:
        """Elo: whose interval is no wider plays no more there."""
        return max(self.half_width, condition.half_width)

    def too_slow(self) -> dict[str, str]:
        """Who does not play under which condition."""
        slow = sorted({cell.way.name for cell in self.cells if cell.way.slow and cell.way.searches})
        out: dict[str, str] = {}
        for condition in self.conditions:
            names = [*(() if condition.slow else slow), *(one.name for one in self.marks if not condition.admits(one))]
            out |= {f"{name}, {condition.name}": "its games would take too long" for name in names}
        return out

    def waves(self) -> tuple[list[Cell], list[Cell]]:
        """Trainings that build on none, then those that build on them."""
        return [cell for cell in self.cells if not cell.parent], [cell for cell in self.cells if cell.parent]

    def estimate(self, processors: int) -> dict[str, float]:
        """Hours of this machine, minutes of a GPU for what may be handed over, and games at most."""
        gpu = sum(cell.learning for cell in self.cells if cell.way.gpu)
        seconds = sum(_seconds(cell) for cell in self.cells)
        games, playing = 0.0, 0.0
        for condition in self.conditions:
            players = sum(map(condition.admits, self.marks)) + sum(self.plays(condition, cell) for cell in self.cells)
            needed = players * min(self.games, (COSTS["half_width"] / self.width(condition)) ** 2) / 2
            there = min(needed, condition.most)
            games += there
            playing += (
                there * COSTS["game_s"] * (condition.nodes or 30) / 1000
                if not condition.tc
                else there * COSTS["clock_game_s"]
            )
        hours, training = (round(each / 3600 / processors, 2) for each in (seconds + playing, seconds))
        told = {"trainings": len(self.cells), "hours": hours, "training_hours": training}
        return {**told, "gpu_minutes": round(gpu / COSTS["gpu_speed"] / 60, 1), "games": round(games)}


def _seconds(cell: Cell) -> float:
    if cell.way.same:
        return 0.0
    looked_at = cell.way.expected[0] * min(cell.positions, cell.way.uses or cell.positions)
    each = COSTS["position_s"][find_recipe(cell.way.recipe).method]
    return float(COSTS["start_s"] + max(cell.learning / COSTS["speed"], looked_at * each))


def _cells(way: LeagueWay, row: Mapping[str, Any], seed: int) -> Iterator[Cell]:
    data = row["data"] | (row.get("cheap", {}) if way.cheap else {})
    levels: dict[tuple[BudgetKind, float], int] = {("data", float(key)): seeds for key, seeds in data.items()}
    levels |= {("compute", float(key)): seeds for key, seeds in row["compute"].items()}
    given = [budget for kind, budget in levels if kind == "data"]
    for (kind, budget), seeds in levels.items():
        positions = int(budget) if kind == "data" else way.affordable(budget)
        if kind == "compute" and any(abs(positions / other - 1) < 0.15 for other in given):
            continue  # the brain of that many positions has this budget, too
        for number in range(seeds):
            yield Cell(way=way, kind=kind, budget=budget, positions=positions, seed=seed + number)


# --- Multiplications --------------------------------------------------------------------------------------------------


def multiplications(brain: Path) -> int:
    """Of one evaluation, about: weights; 64 times those of convolutions, once for each square."""
    tensors = read_tensors(brain)
    if (rows := tensors.get("accumulator.weight")) is not None:  # an NNUE: each of some 20 pieces adds a row, twice
        return int(2 * 20 * rows.shape[1] + tensors["output.weight"].shape[1])
    weights = {name: tensor for name, tensor in tensors.items() if tensor.ndim != 1 or len(tensors) <= 2}
    return sum(tensor.size * (64 if tensor.ndim == 4 else 1) for tensor in weights.values())
