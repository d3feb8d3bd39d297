"""The league: its plan, its trainings, its pools, the laws that are fitted, what it says, and the command."""

import itertools
import json
import math
import runpy
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from okapi.arena.games import PlayedGame
from okapi.arena.match import local_workers
from okapi.arena.settings import GameSettings
from okapi.arena.standings import Standings, StandingsRow
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import LostGame, SerialWorkers, Workers
from okapi.brains import card, find, shipped
from okapi.cli import main
from okapi.core.packed import NO_GAME, SAMPLE, random_positions, unpack
from okapi.data.sources import read_samples, write_samples
from okapi.errors import InvalidText, NotFound, UsageError
from okapi.optimize.executor import ThreadExecutor
from okapi.players.spec import OF_PAPERS
from okapi.recipes import RECIPES, find_recipe, usual_settings
from okapi.recipes.config import SNAPSHOTS, RecipeConfig
from okapi.recipes.league import laws as league_laws
from okapi.recipes.league import result as league_result
from okapi.recipes.league.experiment import MORE, LeagueTrainings, Pool, first_positions, prepare
from okapi.recipes.league.laws import (
    Expectations,
    Point,
    averages,
    expected_and_rated,
    expected_of_plan,
    fit,
    laws,
    predictions,
)
from okapi.recipes.league.plan import (
    ALL_MARKS,
    LABEL,
    TABLES,
    WAYS,
    Cell,
    Condition,
    LeaguePlan,
    LeagueWay,
    multiplications,
)
from okapi.recipes.league.report import (
    answers,
    as_markdown,
    expectation,
    in_one,
    laws_as_json,
    league_page,
    pictures,
    verdicts,
)
from okapi.recipes.league.result import (
    LIMITS,
    REFERENCE,
    RESULT,
    SHIPPED,
    LeagueBrain,
    LeagueMark,
    LeaguePool,
    LeagueResult,
    LeagueRow,
    on_one_scale,
)
from okapi.recipes.run import DataUse, RecipeResult, RecipeRun
from okapi.recipes.summary import summarise

torch = pytest.importorskip("torch")

from okapi.recipes.nnue import PositionsConfig  # noqa: E402
from okapi.training.nnue import NnueConfig  # noqa: E402

Capture = pytest.CaptureFixture[str]
DOCS = Path(__file__).parents[2] / "docs" / "explanation" / "league.md"
SIZES = ("tiny", "quick", "full")
PLENTY = 1 << 40


def ship_league() -> dict[str, Any]:
    """The script that puts a league among what ships."""
    return runpy.run_path(str(DOCS.parents[2] / "scripts" / "ship_league.py"))


def row(name: str, elo: float, half: float = 20.0) -> LeagueRow:
    half = 0.0 if name == REFERENCE else half
    return LeagueRow(name=name, elo=elo, low=elo - half, high=elo + half, games=100, score=0.5)


def brain(way: str, positions: int, seed: int = 1) -> LeagueBrain:
    return LeagueBrain(
        name=f"{way}-d{math.log10(positions):g}-{seed}",
        way=way,
        kind="data",
        budget=float(positions),
        seed=seed,
        positions=positions,
        operations=positions * 1e8,
        passes=2.0,
        multiplications=58,
        train_seconds=1.0,
    )


@pytest.fixture
def result() -> LeagueResult:
    """An MLP that gains 50 Elo a doubling, and five weights that gain nothing, at two limits."""
    brains = [brain(way, 1000 * 4**level, seed) for way in ("mlp", "five") for level in (0, 1) for seed in (1, 2)]
    pools = []
    for name, nodes, more in (("100 nodes", 100, 0), ("1,000 nodes", 1000, 30)):
        rows = [row(REFERENCE, 0.0), row("giraffe", 400.0)]
        for one in brains:
            gained = 100.0 * (one.positions > 1000) if one.way == "mlp" else 0.0
            rows.append(row(one.name, gained + (more if one.way == "mlp" else 0) + one.seed))
        pools.append(LeaguePool(name=name, limits=f"nodes={nodes}", games=500, rows=tuple(rows)))
    linked = (row(REFERENCE, 0.0), row(f"{REFERENCE} @ 1,000 nodes", 200.0))
    pools.append(LeaguePool(name=LIMITS, limits="nodes=100", games=50, rows=linked))
    mark = LeagueMark(name="giraffe", way="TD-Leaf", learned_from="own games", samples=9e6, operations=6e13)
    left_out = {"five-d7-1": "there are 5 labelled positions"}
    return LeagueResult(
        size="quick",
        brains=tuple(brains),
        marks=(mark,),
        pools=tuple(pools),
        left_out=left_out,
        command="okapi league & more",
    )


# --- The plan -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("size", SIZES)
def test_a_way_is_a_recipe_that_can_be_told_a_budget(name: str, size: Any) -> None:
    way = LeagueWay.read(name, size)
    usual = usual_settings(way.recipe, size)

    assert way.recipe in RECIPES and way.after in ("", *WAYS)
    assert ("labels" in find_recipe(way.recipe).takes) or not way.labelled
    in_code = {"epochs", "lr", "batch"} | set(PositionsConfig().as_json()) | set(NnueConfig().as_json())
    assert set(way.changes(5000)) - set(SNAPSHOTS) - set(usual) <= in_code
    assert (way.changes(50_000)[way.length] == max(1, round(50_000 / way.each))) if way.length else True


@pytest.mark.parametrize("size", SIZES)
def test_a_plan_has_every_way_with_every_budget_and_says_what_is_not_there(size: Any) -> None:
    plan, few = LeaguePlan.make(size, PLENTY), LeaguePlan.make(size, 10_000)
    row = TABLES["sizes"][size]
    there = {(cell.way.name, cell.kind, cell.budget, cell.seed) for cell in plan.cells}

    assert len(plan.cells) == len({cell.name for cell in plan.cells}) == len(there)
    for name, (budget, seeds) in itertools.product(row.get("ways", WAYS), row["data"].items()):
        wanted = {(name, "data", float(budget), seed) for seed in range(1, seeds + 1)}
        assert wanted <= there or any(gone.startswith(f"{name}-d") for gone in plan.left_out)
    labelled = [cell for cell in few.cells if cell.way.labelled]
    assert all(cell.positions <= 10_000 for cell in labelled)
    assert plan.estimate(2)["trainings"] == len(plan.cells) and plan.estimate(1)["hours"] >= plan.estimate(2)["hours"]


def test_fifteen_ways_have_three_budgets_with_three_seeds_in_the_full_plan() -> None:
    seeds: dict[str, list[int]] = {}
    for (way, _), cells in itertools.groupby(
        LeaguePlan.make("full", 1_800_000).cells, lambda cell: (cell.way.name, cell.positions)
    ):
        seeds.setdefault(way, []).append(len(list(cells)))
    row = TABLES["sizes"]["full"]

    assert len(WAYS) >= 15 and sum(counts.count(3) >= 3 for counts in seeds.values()) >= 15
    assert row["games"] >= 800 and row["half_width"] <= 25
    assert {"depth", "nodes", "tc"} <= {key for name in row["conditions"] for key in TABLES["conditions"][name]}


def test_a_budget_of_compute_that_buys_the_positions_of_another_is_no_training_of_its_own() -> None:
    cells = [cell for cell in LeaguePlan.make("full", 1_800_000).cells if cell.way.name == "28-gradient"]

    assert {"data"} == {cell.kind for cell in cells}, "nearly all of its multiplications are the teacher's"
    bought = {cell.positions for cell in LeaguePlan.make("full", 1_800_000).cells if cell.kind == "compute"}
    assert bought and not bought & {1_000, 10_000, 100_000, 1_000_000}


def test_where_only_the_largest_play_each_way_has_one_brain() -> None:
    plan = LeaguePlan.make("full", 1_800_000)
    (condition,) = (one for one in plan.conditions if one.name == "10,000 nodes")
    there = [cell for cell in plan.cells if plan.plays(condition, cell)]

    assert len(there) == len({cell.way.name for cell in there}) > 10
    assert "mlp-d6-1" in {cell.name for cell in there} and plan.width(condition) > plan.half_width


def test_only_those_who_play_are_trained_and_what_they_build_on() -> None:
    plan = LeaguePlan.make("full", 1_800_000, pools=["1+0.01"])
    names = {cell.name for cell in plan.cells}

    assert len(names) == len({cell.way.name for cell in plan.cells})
    assert {"28-evolution-d5-1", "28-hooke-d5-1", "nnue-both-d6-1", "nnue-own-d6-1"} < names
    assert not any(cell.way.slow and cell.way.searches for cell in plan.cells)


def test_compute_buys_positions_and_the_teacher_is_paid() -> None:
    way = LeagueWay.read("mlp", "full")
    positions = way.affordable(1e15)
    spent = way.operations(positions, *way.expected)

    assert 0.999e15 < spent <= 1e15
    assert way.operations(10, 0, 0) == 10 * LABEL
    assert LeagueWay.read("tdleaf-28", "full").operations(10, 0, 0) == 0, "own games have no teacher"
    five = LeagueWay.read("five", "quick")
    assert five.operations(1e6, 100, 6) - 1e6 * LABEL == 384 * 100 * 35 * 6, "a pass looks at so many"


def test_a_training_that_builds_on_another_comes_after_it() -> None:
    first, second = LeaguePlan.make("quick", PLENTY).waves()
    names = {cell.name for cell in first}

    assert second and all(cell.parent in names for cell in second)
    assert {"28-evolution-d4-2"} == {cell.parent for cell in second if cell.name == "28-hooke-d4-2"}


@pytest.mark.parametrize(
    ("name", "expected"), [("material", 5), ("vazquez-five", 6), ("champion", 2 * 20 * 1024 + 2 * 1024)]
)
def test_multiplications_of_an_evaluation(name: str, expected: int) -> None:
    assert abs(multiplications(find(name)) - expected) <= 1


def test_unknown_ways_and_single_trainings_are_refused() -> None:
    with pytest.raises(NotFound, match="mpl"):
        LeaguePlan.make("tiny", 10_000, ways=["mpl"])
    with pytest.raises(NotFound, match="no pool of the league"):
        LeaguePlan.make("tiny", 10_000, pools=["10 nodes"])
    with pytest.raises(UsageError, match="two trainings"):
        LeaguePlan.make("tiny", 10, ways=["five"])


def test_a_part_of_a_league_has_the_budgets_pools_marks_and_intervals_that_were_asked_for() -> None:
    plan = LeaguePlan.make(
        "full", PLENTY, ways=["mlp"], budgets=[300, 3000], pools=["100 nodes"], marks=["giraffe"], half_width=60
    )

    assert ["mlp-d2_5-1", "mlp-d3_5-1"] == [cell.name for cell in plan.cells]
    assert ["100 nodes"] == [condition.name for condition in plan.conditions]
    assert [REFERENCE, "giraffe"] == [mark.name for mark in plan.marks]
    assert 60 == plan.width(plan.conditions[0]) > LeaguePlan.make("full", PLENTY).width(plan.conditions[0])


def test_every_mark_ships() -> None:
    ships = {one.name for one in shipped()}

    assert set(ALL_MARKS) <= ships
    assert all(set(TABLES["sizes"][size]["marks"]) <= set(ALL_MARKS) for size in SIZES)


@pytest.mark.parametrize("name", ["sheehan-a", "sabatelli-mlp"])
def test_compute_is_what_the_card_tells(name: str) -> None:
    told = card(name)
    epochs = told.details()["settings"]["plan"]["epochs"]

    assert ALL_MARKS[name].entry.operations == 3 * epochs * 1_866_062 * told.weights, "docs/explanation/sheehan2016.md"


# --- Data -----------------------------------------------------------------------------------------------------------


def labelled(path: Path, count: int = 1500) -> Path:
    samples = np.zeros(count, SAMPLE)
    samples["position"] = random_positions(count, seed=1)
    samples["move"] = [unpack(one).legal_moves()[0].bits for one in samples["position"]]
    samples["value"], samples["game"], samples["result"] = np.arange(count) % 300, np.arange(count) // 10, -1
    write_samples(path, [samples])
    return path


def test_smaller_budgets_are_parts_of_larger_ones_and_games_stay_whole(tmp_path: Path) -> None:
    config = RecipeConfig("tiny", 1, ThreadExecutor(1), labels=labelled(tmp_path / "labels.samples"))
    count = prepare(config, tmp_path / "data")
    files = [first_positions(tmp_path / "data", positions) for positions in (100, 400)]
    few, many = (np.concatenate(list(read_samples(path))) for path in files)

    assert count == prepare(config, tmp_path / "data") and 1000 < count < 1500
    assert (100, 400) == (len(few), len(many))
    assert few.tobytes() == many[:100].tobytes()
    assert NO_GAME not in few["game"] and len(np.unique(few["game"])) <= 11
    with pytest.raises(UsageError, match="begun with other settings"):
        prepare(replace(config, labels=labelled(tmp_path / "other.samples", 700)), tmp_path / "data")


# --- Pools ----------------------------------------------------------------------------------------------------------

PLAYERS = ("material", "vazquez-five", "okapi-28", "vazquez-28", "vazquez-exploration")


def pool(folder: Path, **changes: Any) -> Pool:
    usual: dict[str, Any] = {
        "name": "one ply",
        "players": {name: f"alphabeta:{name}" for name in PLAYERS},
        "control": TimeControl(depth=1),
        "anchors": {},
        "games": 40,
        "half_width": 60.0,
        "most": math.inf,
        "seed": 1,
        "folder": folder,
    }
    return Pool(**{**usual, **changes})


class Stops(Exception):
    """In the place of kill -9."""


class Killed:
    """Workers that die after so many games."""

    left = 0

    def __init__(self, settings: GameSettings) -> None:
        self._inside: Workers = local_workers(settings, 1)

    @property
    def free(self) -> int:
        return self._inside.free

    def start(self, pairing: Any) -> None:
        self._inside.start(pairing)

    def finished(self, timeout: float) -> "list[PlayedGame | LostGame]":
        if Killed.left <= 0:
            raise Stops
        Killed.left -= 1
        return self._inside.finished(timeout)

    def close(self) -> None:
        self._inside.close()


def test_a_pool_that_is_stopped_at_any_moment_comes_to_the_same_table(tmp_path: Path) -> None:
    calm = pool(tmp_path / "calm").play()
    stopped = 0
    for games in (1, 2, 5, 9, 14):
        Killed.left = games
        with pytest.raises(Stops):
            pool(tmp_path / "killed", make_workers=Killed).play()
        stopped += 1

    assert 5 == stopped
    assert calm == pool(tmp_path / "killed").play()
    assert calm == pool(tmp_path / "killed", make_workers=Killed).play(), "everything is stored"


def test_on_a_cluster_all_games_of_a_round_are_played_together(tmp_path: Path) -> None:
    alone = pool(tmp_path / "alone").play()
    asked: list[int] = []

    def workers(settings: GameSettings) -> Workers:
        asked.append(len(settings.players))
        return SerialWorkers(settings)

    rounds: list[int] = []
    usual = pool(tmp_path / "together", together=True, make_workers=workers)
    together = usual.play(lambda name, games, widest: rounds.append(games))

    assert len(rounds) == len(asked) and len(PLAYERS) == asked[0], "one set of workers a round, for all who play in it"
    assert alone == together


def test_who_has_the_widest_interval_plays_until_it_is_narrow_enough_or_has_played_enough(tmp_path: Path) -> None:
    rounds: list[float] = []
    told = pool(tmp_path, games=1000, half_width=110).play(lambda name, games, widest: rounds.append(widest))
    few = pool(tmp_path, games=20, half_width=1).play()
    lines: list[str] = []
    stopped = pool(tmp_path / "again", games=1000, half_width=110, most=1, tell=lines.append).play()

    assert set(PLAYERS) == {one.name for one in told.rows}
    assert max(one.high - one.elo for one in told.rows) <= 110 and rounds[-1] <= 110 < rounds[0]
    assert sum(one.games for one in few.rows) <= 2 * len(PLAYERS) * (20 + MORE[0]), (
        "each is given so many, and an opponent"
    )
    assert 0 < stopped.games < told.games, "only the first round"
    assert [f"one ply: {done} of {stopped.games} games of a round" for done in range(1, stopped.games + 1)] == lines
    reference = next(one for one in told.rows if one.name == REFERENCE)
    assert 0 == reference.elo and reference.low < 0 < reference.high, "its distance to the mean is measured"


def test_an_engine_that_loses_by_its_clock_says_nothing_of_the_scale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = Standings.rows

    def late(standings: Standings) -> list[StandingsRow]:
        return [replace(row, faults={"time": row.games}) if row.name == "okapi-28" else row for row in rows(standings)]

    anchors = {"okapi-28": 500.0, "vazquez-28": 300.0}
    sound = pool(tmp_path, anchors=anchors).play()
    monkeypatch.setattr(Standings, "rows", late)
    told = pool(tmp_path, anchors=anchors).play()

    assert 400 == pytest.approx(np.mean([one.elo for one in sound.rows if one.name in anchors]), abs=0.1)
    assert {"okapi-28"} == {one.name for one in told.rows if one.faults}
    assert [300.0] == [one.elo for one in told.rows if one.name == "vazquez-28"]
    assert "okapi-28" in sound.note and "okapi-28" not in told.note


def test_all_play_with_the_same_switches() -> None:
    thesis = Condition.read("1,000 nodes, as lai2015")

    assert OF_PAPERS["giraffe-2015"]["player"] == thesis.player("alphabeta:{brain}", "giraffe")
    assert "top-prob:a" == thesis.player("top-prob:{brain}", "a")
    assert "alphabeta:a,depth=1,nodes=200" == Condition.read("one ply").fixed("alphabeta:{brain}", "a")
    assert (1, 200) == (Condition.read("one ply").control.depth, Condition.read("one ply").control.nodes)


def test_one_ply_is_no_number_of_nodes(result: LeagueResult) -> None:
    ply = replace(result.pools[0], name="one ply", limits=str(Condition.read("one ply").control))
    main_pool = replace(result, pools=(ply, *result.pools[1:])).main

    assert main_pool is not None and "1,000 nodes" == main_pool.name


# --- Laws -----------------------------------------------------------------------------------------------------------


def test_a_law_finds_the_slope_that_the_points_have() -> None:
    rng, inside = np.random.default_rng(1), 0
    for _ in range(40):
        rated = [
            Point(2.0**power, 10 + 40 * power + rng.normal(0, 10), 20.0) for power in (10, 11, 12, 13) for _ in range(4)
        ]
        law = fit("mlp", "100 nodes", "data", rated)
        assert law is not None and law.high - law.low < 30 and law.x == (2.0**10, 2.0**13)
        inside += law.low < 40 < law.high

    assert 35 <= inside <= 40, "19 of 20, about"
    assert fit("mlp", "100 nodes", "data", rated[:4]) is None, "one budget has no slope"


WALKERS = ("mlp", "five", "28-gradient", "buckets", "pieces", "28-cma")


def walking(rng: np.random.Generator, step: float) -> LeagueResult:
    """Six ways whose Elo walks over four budgets, each of three seeds."""
    brains = tuple(brain(way, 1000 * 4**level, seed) for way in WALKERS for level in range(4) for seed in (1, 2, 3))
    elos = {way: np.cumsum(40 + rng.normal(0, step * math.sqrt(2), 4)) for way in WALKERS}
    level = {1000 * 4**level: level for level in range(4)}
    rows = [row(one.name, elos[one.way][level[one.positions]] + rng.normal(0, 10)) for one in brains]
    return LeagueResult(brains=brains, pools=(LeaguePool(name="pool", limits="nodes=9", games=1, rows=tuple(rows)),))


@pytest.mark.parametrize("step", [5.0, 60.0])
def test_an_expectation_holds_for_brains_that_were_not_rated(step: float) -> None:
    rng, inside, widths = np.random.default_rng(4), [], []
    for _ in range(8):
        league = walking(rng, step)
        there = next(iter(league.pools))
        for way, budget in itertools.product(WALKERS, (4000, 16_000)):
            out = [one for one in league.brains if one.way == way and one.positions == budget]
            rest = replace(league, brains=tuple(one for one in league.brains if one not in out))
            found = expected_and_rated(rest, there, out[:1])
            inside += [one.within for one in found]
            widths += [one.expected.high - one.expected.low for one in found]

    assert 96 == len(inside) and 84 <= sum(inside), "19 of 20, about"
    assert (np.median(widths) > 150) == (step > 50), "ways that wander are expected with less certainty"


def test_between_two_budgets_a_brain_is_expected_on_the_line_and_far_away_nobody_knows(result: LeagueResult) -> None:
    expectations = Expectations.of(result, result.pools[0])
    there, between, far = (expectations.expect("mlp", x) for x in (1000, 2000, 1_000_000))

    assert there is not None and between is not None and far is not None
    assert abs(there.elo - 1.5) < 15 and abs(between.elo - 51.5) < 15
    assert far.high - far.low > 3 * (between.high - between.low) > 2 * (there.high - there.low)
    assert expectations.expect("pieces", 1000) is None


def test_a_plan_is_told_what_the_league_that_ships_expects(result: LeagueResult) -> None:
    plan = LeaguePlan.make("full", PLENTY, ways=["mlp", "five"], budgets=[2000], pools=["100 nodes", "one ply"])
    told = expected_of_plan(plan, result)

    assert {("mlp-d3_3-1", "100 nodes"), ("five-d3_3-1", "100 nodes")} == {(one["name"], one["pool"]) for one in told}
    assert {"elo", "low", "high"} <= set(told[0])


def test_laws_of_a_league(result: LeagueResult) -> None:
    found = {(law.way, law.pool, law.of): law for law in laws(result)}

    assert 50 == found["mlp", "100 nodes", "data"].slope == found["mlp", "100 nodes", "compute"].slope
    assert found["five", "100 nodes", "data"].low <= 0 <= found["five", "100 nodes", "data"].high
    doublings = math.log2(10)
    assert round(200 / doublings, 1) == found["five", LIMITS, "nodes"].slope
    assert round(230 / doublings, 1) == found["mlp", LIMITS, "nodes"].slope
    assert {"elo_per_doubling", "low", "high", "way", "pool", "of"} <= set(laws_as_json(result)[0])


def test_trainings_are_told_what_the_league_expects(result: LeagueResult) -> None:
    told = expectation("mlp", 4000, result)

    assert "`mlp` has 50 (" in told and "of 4000 positions it expects 13" in told and "at 1,000 nodes." in told
    assert "beyond what was measured" in expectation("mlp", 10**8, result)
    assert "" == expectation("personal", 4000, result) == expectation("mlp", 4000, LeagueResult())


def test_a_summary_compares_with_the_league(result: LeagueResult, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (league_result, league_laws):
        monkeypatch.setattr(module, "shipped", lambda: result)
    run = RecipeRun(name="mlp", config=RecipeConfig("tiny"), folder=Path("nowhere"))
    done = RecipeResult(figures={}, data=DataUse(used=4000, found=5000))

    assert any("it expects 13" in sentence for sentence in summarise(run, done).sentences)


def test_pools_are_put_on_one_scale(result: LeagueResult) -> None:
    assert [("100 nodes", 400.0), ("1,000 nodes", 600.0)] == [
        (there.name, elo) for there, _, elo in on_one_scale(result, "giraffe")
    ]


# --- What it says ---------------------------------------------------------------------------------------------------


def test_seeds_are_averaged(result: LeagueResult) -> None:
    main_pool = result.main
    assert main_pool is not None and "1,000 nodes" == main_pool.name
    (one,) = [each for each in averages(result, main_pool) if each.way == "mlp" and each.budget == 1000]

    assert 31.5 == one.elo and one.low < 31.5 - 20 / math.sqrt(2) and 2 == len(one.names)


def test_three_sentences_answer(result: LeagueResult) -> None:
    best, steepest, searched = answers(result)

    assert "with 1000 to 4000 positions it is a perceptron on the teacher's value (132 (" in best
    assert (
        "a perceptron on the teacher's value gains most, 50 (" in steepest
        and "five weights by evolution least" in steepest
    )
    assert "sure for 1 of 2 ways." in steepest
    assert "twice the nodes give a perceptron on the teacher's value 69" in searched


def test_a_paper_is_judged_by_two_ways_with_the_same_budget(result: LeagueResult) -> None:
    renamed = {"mlp": "sabatelli-mlp", "five": "sabatelli-cnn"}
    brains = tuple(replace(one, way=renamed[one.way]) for one in result.brains)
    (told,) = verdicts(replace(result, brains=brains))

    assert told.startswith("sabatelli2018: a perceptron judges positions better")
    assert "From 4000 positions" in told and "is 130 (" in told and told.endswith("it holds at 1,000 nodes.")
    assert [] == verdicts(result), "nobody is judged by one way"


def test_the_largest_budget_is_foretold_from_the_others(result: LeagueResult) -> None:
    assert [] == predictions(result), "two budgets have a law, one has none"
    largest = [replace(brain("mlp", 16_000), name="mlp-new"), replace(brain("five", 16_000), name="five-new")]
    main_pool = replace(result.pools[1], rows=(*result.pools[1].rows, row("mlp-new", 232.0), row("five-new", 532.0)))
    more = replace(result, brains=(*result.brains, *largest), pools=(main_pool, result.pools[2]))
    mlp, five = predictions(more)

    assert mlp.within and abs(mlp.expected.elo - 232) < 15
    assert not five.within and five.expected.high < 532
    assert "1 of 2 are within, and " in as_markdown(more)


def test_a_result_is_read_as_it_was_written(result: LeagueResult, tmp_path: Path) -> None:
    result.write(tmp_path / RESULT)

    assert result == LeagueResult.read(tmp_path / RESULT)


@pytest.mark.parametrize("damage", ["", "[]", "null", '{"brains": 1}', '{"brains": [{"name": "x"}]}'])
def test_a_damaged_file_is_told(damage: str, tmp_path: Path) -> None:
    (tmp_path / RESULT).write_text(damage)
    with pytest.raises(InvalidText, match="damaged"):
        LeagueResult.read(tmp_path / RESULT)


@pytest.mark.parametrize(("sound", "damaged"), [('"elo": 400.0', '"elo": NaN'), ('"games": 500', '"games": []')])
def test_numbers_that_cannot_be_drawn_are_told(result: LeagueResult, sound: str, damaged: str, tmp_path: Path) -> None:
    text = json.dumps(result.as_json())
    assert sound in text
    (tmp_path / RESULT).write_text(text.replace(sound, damaged))
    with pytest.raises(InvalidText, match="damaged"):
        LeagueResult.read(tmp_path / RESULT)
    with pytest.raises(NotFound):
        LeagueResult.read(tmp_path / "elsewhere.json")


def test_four_pictures_show_the_ways_and_the_papers_players(result: LeagueResult) -> None:
    drawn = ElementTree.fromstring(in_one(result))
    texts = {element.text for element in drawn.iter() if element.text}

    assert 4 == len(pictures(result)) and {"mlp", "five", "▸ giraffe"} <= texts
    assert "&amp; more" in league_page(result) and "& more" not in league_page(result)


def test_text_has_every_way_and_what_was_left_out(result: LeagueResult) -> None:
    text = as_markdown(result)

    assert "| a perceptron on the teacher's value (`mlp`) | 32 ± 14 |" in text and "`giraffe` 400 ± 20" in text
    assert "1,000 nodes 200" in text, "what the limit gives to material"
    assert "five-d7-1: there are 5" in league_page(result)


def test_data_can_be_taken_to_other_programs(result: LeagueResult, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert result.write_parquet(tmp_path / "league.parquet")
    found = parquet.read_table(tmp_path / "league.parquet").to_pylist()

    assert len(found) == sum(len(each.rows) for each in result.pools)
    assert {"mlp", "five", None} == {each["way"] for each in found}


@pytest.mark.skipif(not (SHIPPED.is_file() and DOCS.is_file()), reason="only in the repository, with a league")
def test_the_docs_have_the_league_that_ships() -> None:
    ships, picture = LeagueResult.read(SHIPPED), DOCS.parents[1] / "images" / "league.svg"

    assert ship_league()["text"](ships) in DOCS.read_text(encoding="utf-8")
    assert in_one(ships) == picture.read_text(encoding="utf-8")


@pytest.mark.skipif(not DOCS.is_file(), reason="only in the repository")
def test_what_is_stored_was_expected_by_the_league_that_ships() -> None:
    told = json.loads(DOCS.with_name("league-expected.json").read_bytes())
    words = shlex.split(told["command"])
    starts = [place for place, word in enumerate(words) if word.startswith("--")]
    chosen = {words[start]: words[start + 1 : end] for start, end in itertools.pairwise([*starts, len(words)])}
    plan = LeaguePlan.make(
        "full", PLENTY, ways=chosen["--ways"], budgets=list(map(int, chosen["--budgets"])), pools=chosen["--pools"]
    )

    ships = ship_league()["as_expected"](LeagueResult.read(SHIPPED))
    assert 30 == len(told["expected"]) and expected_of_plan(plan, ships) == told["expected"]


# --- The command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def played(tmp_path: Path, capsys: Capture) -> Any:
    labels = labelled(tmp_path / "labels.samples")
    command = ["league", "--size", "tiny", "--out", str(tmp_path / "out"), "--labels", str(labels), "--json"]
    assert 0 == main([*command, "--ways", "five", "28-hooke", "--concurrency", "1"])
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_the_command_trains_rates_and_goes_on(played: dict[str, Any], tmp_path: Path, capsys: Capture) -> None:
    stored = LeagueResult.read(tmp_path / "out" / RESULT)
    again = ["league", "--size", "tiny", "--out", str(tmp_path / "out"), "--labels", str(tmp_path / "labels.samples")]
    files = {path.name for path in (tmp_path / "out").iterdir()}

    assert {"five", "28-evolution", "28-hooke"} == set(stored.ways)
    assert ["one ply", "20 nodes", LIMITS] == [each["name"] for each in played["pools"]] and played["laws"]
    assert {"league.html", "league.json", "league.md", "league.svg", "games", "brains", "labels"} <= files
    assert 0 == main([*again, "--ways", "five", "28-hooke", "--concurrency", "1"])
    assert stored.pools == LeagueResult.read(tmp_path / "out" / RESULT).pools


def test_an_estimate_costs_nothing(tmp_path: Path, capsys: Capture) -> None:
    assert 0 == main(["league", "--estimate", "--size", "full", "--out", str(tmp_path / "out"), "--json"])
    told = json.loads(capsys.readouterr().out)

    assert told["hours"] > told["training_hours"] > 0 and told["gpu_minutes"] > 0 and told["games"] >= 40_000
    assert not (tmp_path / "out").exists()


def test_a_training_that_fails_is_left_out_and_the_others_go_on(tmp_path: Path) -> None:
    config = RecipeConfig("tiny", 1, ThreadExecutor(1), labels=labelled(tmp_path / "labels.samples"))
    plan = LeaguePlan.make("tiny", prepare(config, tmp_path / "out" / "labels"), ways=["five", "28-gradient"])
    plan = replace(plan, cells=[cell for cell in plan.cells if cell.kind == "data"])
    broken = replace(plan.cells[0], way=replace(plan.cells[0].way, settings={"no_such_setting": 1}))
    trainings = LeagueTrainings(replace(plan, cells=[broken, *plan.cells[1:]]), tmp_path / "out")
    trainings.run(ThreadExecutor(1), lambda line: None)

    assert [broken.name] == list(trainings.failed()) and "no_such_setting" in trainings.failed()[broken.name]
    assert [cell.name for cell in plan.cells[1:]] == [entry.name for entry in trainings.entries()]


def test_a_way_plays_the_brain_of_another(tmp_path: Path) -> None:
    config = RecipeConfig("tiny", 1, ThreadExecutor(1), labels=labelled(tmp_path / "labels.samples"))
    plan = LeaguePlan.make("tiny", prepare(config, tmp_path / "out" / "labels"), ways=["five", "28-gradient"])
    five = next(cell for cell in plan.cells if cell.way.name == "five")
    again = replace(five, way=replace(five.way, name="again", after="five", same=True))
    trainings = LeagueTrainings(replace(plan, cells=[five, again]), tmp_path / "out")
    trainings.run(ThreadExecutor(1), lambda line: None)

    assert trainings.brain(five).read_bytes() == trainings.brain(again).read_bytes()
    assert [five.name, again.name] == [entry.name for entry in trainings.entries()]


def test_pools_and_players_of_another_league_are_added(result: LeagueResult) -> None:
    rows = (row(REFERENCE, 0.0), row("giraffe", 410.0), row("new-d3-1", 50.0))
    pools = (replace(result.pools[0], rows=rows, games=40), replace(result.pools[1], name="1+0.01", rows=rows))
    other = replace(result, brains=(replace(brain("five", 1000), name="new-d3-1", way="new"),), pools=pools)
    joined = ship_league()["joined"](result, other)
    found = joined.pool("100 nodes").row("new-d3-1")

    assert ["100 nodes", "1,000 nodes", LIMITS, "1+0.01"] == [each.name for each in joined.pools]
    assert (50.0, 540) == (found.elo, joined.pool("100 nodes").games)
    assert "new" in joined.ways and 400 == joined.pool("100 nodes").row("giraffe").elo


def test_trainings_are_handed_over_and_taken_back(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from okapi.recipes.jobs import job_folders, run_jobs

    config = RecipeConfig("tiny", 1, ThreadExecutor(1), labels=labelled(tmp_path / "labels.samples"))
    plan = LeaguePlan.make("tiny", prepare(config, tmp_path / "league" / "labels"), ways=["mlp", "five"])
    trainings = LeagueTrainings(plan, tmp_path / "league")
    handed: list[Cell] = [cell for cell in plan.cells if cell.way.gpu]

    assert len(handed) == trainings.hand_over(tmp_path / "jobs") > 1
    for folder in job_folders(tmp_path / "jobs")[:1]:
        run_jobs(folder, device="cpu")
    assert len(handed) - 1 == trainings.collect(tmp_path / "jobs")
    done = [cell for cell in handed if trainings.done(cell)]
    assert 1 == len(done) and card(str(trainings.brain(done[0]))).weights > 1000


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--ways", "mpl", "--estimate"], 3, "no way of the league"),
        (["--labels", "nowhere.samples"], 3, "no file at"),
        (["--size", "huge"], 2, "huge"),
    ],
)
def test_wrong_usage_is_told(options: list[str], code: int, says: str, tmp_path: Path, capsys: Capture) -> None:
    assert code == main(["league", "--out", str(tmp_path), *options])
    assert says in capsys.readouterr().err
