"""The learners that a user would pick instead, as recipes on the twenty-eight weights, and their table."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from okapi.brains import find
from okapi.brains.library import BRAIN
from okapi.core import Evaluator, RawBrain
from okapi.core.packed import unpack
from okapi.core.samples import quiet
from okapi.optimize.executor import ThreadExecutor
from okapi.optimize.population import ParameterSpace
from okapi.papers import rating as rated
from okapi.papers.experiment import ExperimentContext, ExperimentResult
from okapi.papers.vazquez2012.beyond import GRADIENT, HOOKE_JEEVES, LEARNERS, PIECES, RESULTS, beyond, beyond_rating
from okapi.papers.vazquez2012.weights import LEVEL
from okapi.recipes import RECIPES, find_recipe
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import run_evolution
from okapi.recipes.exercises import master_games
from okapi.recipes.vazquez2012.twenty_eight import GENES, GENES_35, Expression, Expression35, linear_dataset, theory

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

NAMES = [name for name in RECIPES if name.startswith(("vazquez-28-", "vazquez-35"))]


@pytest.mark.parametrize("name", NAMES)
def test_a_recipe_keeps_to_bounds_and_budget_whoever_works(name: str, tmp_path: Path) -> None:
    if name == "vazquez-28-cma":
        pytest.importorskip("cma", reason="pip install 'okapi-chess[learn]'")
    last, _ = (
        run_evolution(
            find_recipe(name).make(RecipeConfig("tiny", executor=ThreadExecutor(threads))), tmp_path / str(threads)
        )
        for threads in (2, 1)
    )

    genes = GENES if "28" in name else GENES_35
    assert np.array_equal(genes.clip(last.population), last.population)
    assert last.evaluations <= 36 + 2 * len(GENES) + 1
    assert (tmp_path / "1" / BRAIN).read_bytes() == (tmp_path / "2" / BRAIN).read_bytes()
    assert f"linear-{name[8:10]}" == RawBrain.open(str(tmp_path / "1" / BRAIN)).kind


@pytest.mark.parametrize(("genes", "expression"), [(GENES, Expression), (GENES_35, Expression35)])
def test_what_the_gradient_reads_is_what_the_brain_thinks(genes: ParameterSpace, expression: type[Expression]) -> None:
    """Weights times rows of the dataset are the evaluator's opinion, in centipawns."""
    exercises = master_games(None, "tiny", ThreadExecutor(2)).training
    express = expression("letter")
    weights = genes.random(np.random.default_rng(1), 1)[0]
    learned = linear_dataset(exercises, genes, express.divisors, threads=1)
    later = exercises.rows[(exercises.rows["result"] >= 0) & (exercises.rows["ply"] >= 16)]
    rows = later[quiet(later)]
    opinion = Evaluator.from_brain(RawBrain.from_bytes(express(weights, {"name": "random"})))
    expected = [opinion.centipawns(position) for position in map(unpack, rows["position"][:50])]

    assert len(rows) == len(learned.results)
    assert np.allclose(expected, (learned.known + learned.factors @ weights)[:50], atol=1.5)


def test_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {name: LEARNERS[name] for name in ("Hooke-Jeeves", "gradient")}
    monkeypatch.setattr("okapi.papers.vazquez2012.beyond.LEARNERS", chosen)
    told: list[str] = []
    lab = ExperimentContext(size="tiny", folder=tmp_path, seed=1, executor=ThreadExecutor(2), tell=told.append)
    found = beyond(lab)

    assert list(chosen) == [row["learner"] for row in found["rows"]] == [line.split(":")[0] for line in told]
    for row in found["rows"]:
        assert 8 == row["games"] and 0 <= row["trained"] <= 1 and 0 <= row["fresh"] <= 1
        assert row["seconds"] > 0 and all((tmp_path / run["brain"]).exists() for run in row["runs"])
    assert found == beyond(lab)


def test_theory_is_within_the_bounds() -> None:
    for genes in (GENES, GENES_35):
        assert [300.0, 300.0, 500.0, 900.0] == theory(genes)[:4].tolist()
        assert not theory(genes)[4:].any()


@pytest.mark.skipif(not rated.is_installed(), reason="stockfish is not installed")
def test_the_strongest_are_rated(tmp_path: Path) -> None:
    lab = ExperimentContext(size="tiny", folder=tmp_path, seed=1, executor=ThreadExecutor(2), tell=lambda line: None)
    exploited = ExperimentResult(
        data={"brain": str(find("vazquez-exploitation"))}, settings={}, seconds=1, version="", machine=""
    )
    exploited.write(tmp_path / "results" / "exploitation.json")
    found = beyond_rating(lab)

    evolved = [HOOKE_JEEVES, RESULTS, *([PIECES] if find_spec("cma") else [])]
    assert {*evolved, GRADIENT, f"stockfish-{LEVEL}"} == {row["name"] for row in found["rows"]}
    assert evolved == found["players"]
