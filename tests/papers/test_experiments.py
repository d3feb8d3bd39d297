"""Nothing is made twice, nothing is mixed, and what was interrupted goes on."""

import json
import math
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from okapi.data.runs import RunInfo
from okapi.errors import InvalidText, NotFound, UsageError
from okapi.optimize.executor import ThreadExecutor
from okapi.papers import PAPERS
from okapi.papers.experiment import (
    ExperimentContext,
    ExperimentResult,
    ExperimentSkipped,
    Paper,
    Results,
    run_experiments,
    stored_results,
)
from okapi.papers.jobs import jobs_folder
from okapi.papers.page import PaperPage, read_paper


class Bench:
    """A paper of three experiments that remembers which were made; the second fails as often as it is told to."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.failures: list[BaseException] = []
        self.engine = True
        self.told: list[tuple[int, int, str, str]] = []

    def first(self, lab: ExperimentContext) -> dict[str, Any]:
        """Counts."""
        self.made.append("first")
        lab.tell("counting")
        return {"count": lab.seed}

    def second(self, lab: ExperimentContext) -> dict[str, Any]:
        """Builds on the first."""
        self.made.append("second")
        if self.failures:
            raise self.failures.pop()
        return {"double": 2 * lab.result("first")["count"]}

    def third(self, lab: ExperimentContext) -> dict[str, Any]:
        """Needs an engine."""
        self.made.append("third")
        return {"elo": 2000, "high": math.inf} if self.engine else {"skipped": "there is no stockfish"}

    def paper(self) -> Paper:
        return Paper(
            name="made2026",
            title="Made up",
            experiments={"first": self.first, "second": self.second, "third": self.third},
            figures=lambda results: {"double": results["second"].data["double"]},
            page=lambda results: f"<p>{', '.join(results)}</p>",
        )

    def watch(self, number: int, total: int, name: str, what: str) -> None:
        self.told.append((number, total, name, what))


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def lab(tmp_path: Path) -> ExperimentContext:
    return ExperimentContext(
        size="tiny", folder=tmp_path / "lab", seed=7, executor=ThreadExecutor(1), tell=lambda line: None
    )


def test_results_are_kept_and_not_made_again(bench: Bench, lab: ExperimentContext) -> None:
    assert dict.fromkeys(("first", "second", "third"), "done") == run_experiments(bench.paper(), lab, watch=bench.watch)
    assert {"double": 14} == ExperimentResult.read(lab.folder / "results" / "second.json").data
    assert dict.fromkeys(("first", "second", "third"), "kept") == run_experiments(bench.paper(), lab, watch=bench.watch)
    assert ["first", "second", "third"] == bench.made
    assert (1, 3, "first", "begun") == bench.told[0] and (3, 3, "third", "kept") == bench.told[-1]


def test_what_was_interrupted_goes_on(bench: Bench, lab: ExperimentContext) -> None:
    bench.failures = [KeyboardInterrupt()]

    with pytest.raises(KeyboardInterrupt):
        run_experiments(bench.paper(), lab, watch=bench.watch)
    assert "stopped" == RunInfo.read(lab.folder).state
    assert ["first"] == list(stored_results(bench.paper(), lab.folder))

    became = run_experiments(bench.paper(), lab, watch=bench.watch)
    assert ("kept", "done") == (became["first"], became["second"])
    assert ["first", "second", "second", "third"] == bench.made


@pytest.mark.parametrize(
    ("change", "said"), [({"seed": 8}, "seed 7, not 8"), ({"size": "full"}, "size tiny, not full")]
)
def test_results_of_other_settings_are_refused(
    change: dict[str, Any], said: str, bench: Bench, lab: ExperimentContext, tmp_path: Path
) -> None:
    run_experiments(bench.paper(), lab, ["first"], watch=bench.watch)

    with pytest.raises(UsageError, match=said):
        run_experiments(bench.paper(), replace(lab, **change), ["third"], watch=bench.watch)


def test_other_games_are_other_settings(bench: Bench, lab: ExperimentContext, tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 *")
    with_games = replace(lab, games=games)
    run_experiments(bench.paper(), with_games, ["first"], watch=bench.watch)
    games.write_text("1. d4 *")

    with pytest.raises(UsageError, match=r"games games.pgn .*, not games.pgn "):
        run_experiments(bench.paper(), with_games, watch=bench.watch)
    with pytest.raises(UsageError, match="not none"):
        run_experiments(bench.paper(), lab, watch=bench.watch)


def test_other_labels_are_other_settings_and_recipes_get_them(
    bench: Bench, lab: ExperimentContext, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.tsv"
    labels.write_text("fen\tcentipawns_mover\n")
    with_labels = replace(lab, labels=labels)
    run_experiments(bench.paper(), with_labels, ["first"], watch=bench.watch)

    assert labels == with_labels.recipe_config().labels
    labels.write_text("fen\tcentipawns_white\n")
    with pytest.raises(UsageError, match=r"labels labels.tsv .*, not labels.tsv "):
        run_experiments(bench.paper(), with_labels, watch=bench.watch)


def test_what_was_skipped_is_tried_again(bench: Bench, lab: ExperimentContext) -> None:
    bench.engine = False
    assert "skipped" == run_experiments(bench.paper(), lab, watch=bench.watch)["third"]
    assert "there is no stockfish" == stored_results(bench.paper(), lab.folder)["third"].skipped

    bench.engine = True
    assert "done" == run_experiments(bench.paper(), lab, watch=bench.watch)["third"]
    assert "kept" == run_experiments(bench.paper(), lab, watch=bench.watch)["third"]


def test_only_some(bench: Bench, lab: ExperimentContext) -> None:
    assert ["first", "third"] == list(run_experiments(bench.paper(), lab, ["third", "first"], watch=bench.watch))
    with pytest.raises(UsageError, match="no experiment `frist`") as caught:
        run_experiments(bench.paper(), lab, ["frist"], watch=bench.watch)
    assert "did you mean `first`?" == caught.value.hint


def test_an_experiment_that_builds_on_another_says_which(bench: Bench, lab: ExperimentContext) -> None:
    with pytest.raises(NotFound, match="`first` has to be made first"):
        run_experiments(bench.paper(), lab, ["second"], watch=bench.watch)


def test_nothing_builds_on_what_was_skipped(bench: Bench, lab: ExperimentContext) -> None:
    bench.engine = False
    run_experiments(bench.paper(), lab, watch=bench.watch)

    with pytest.raises(NotFound, match="there is no stockfish"):
        lab.result("third")


def test_a_damaged_result_is_reported(bench: Bench, lab: ExperimentContext) -> None:
    run_experiments(bench.paper(), lab, watch=bench.watch)
    (lab.folder / "results" / "first.json").write_text("{")

    with pytest.raises(InvalidText, match=r"first.json` is no result"):
        run_experiments(bench.paper(), lab, watch=bench.watch)


def test_page_and_figures_are_written_from_results(bench: Bench, lab: ExperimentContext) -> None:
    run_experiments(bench.paper(), lab, watch=bench.watch)

    assert {"double": 14} == bench.paper().write(lab.folder)
    assert "<p>first, second, third</p>" == (lab.folder / "index.html").read_text()
    assert not list(lab.folder.glob("**/*.new"))


def test_results_say_how_they_came_about(bench: Bench, lab: ExperimentContext) -> None:
    run_experiments(bench.paper(), lab, watch=bench.watch)
    results: Results = stored_results(bench.paper(), lab.folder)

    assert {"size": "tiny", "seed": 7, "games": None, "labels": None, "changes": {}} == results["first"].settings
    assert {"elo": 2000, "high": None} == results["third"].data
    assert results["first"].version and "×" in results["first"].machine and results["first"].seconds >= 0


@pytest.mark.parametrize("name", list(PAPERS))
def test_every_paper_is_there_with_all_its_experiments(name: str) -> None:
    paper = read_paper(name)
    experiments = PaperPage(name).declared["experiments"]

    assert name == paper.name and list(experiments) == list(paper.experiments)
    assert all(callable(resolve_name(f"okapi.papers.{name}.{where}")) for where in experiments.values())


@pytest.mark.parametrize("name", list(PAPERS))
def test_a_page_shows_every_part_that_is_declared_and_no_other(name: str) -> None:
    page = PaperPage(name)
    rows = [row for section in page.declared["section"] for row in section["show"]]
    shown = {part for row in rows for part in row[2:]}

    assert {row[0] for row in rows if len(row) > 1} <= set(page.declared["experiments"])
    assert all(callable(page.part(part)) for part in shown)
    assert {part for kind in ("table", "chart", "figure") for part in page.declared.get(kind, {})} <= shown


def test_an_experiment_that_cannot_be_made_here_is_skipped(bench: Bench, lab: ExperimentContext) -> None:
    bench.failures.append(ExperimentSkipped("11 jobs are for a machine with a GPU"))
    run_experiments(bench.paper(), lab, watch=bench.watch)

    assert "11 jobs are for a machine with a GPU" == stored_results(bench.paper(), lab.folder)["second"].skipped


def test_what_is_to_be_different_is_a_setting_of_its_experiment(bench: Bench, lab: ExperimentContext) -> None:
    changed = replace(lab, changes={"first": {"runs": "3"}})

    assert {"runs": 3, "games": 20} == changed.chosen("first", {"runs": 30, "games": 20})
    assert {"runs": 30} == changed.chosen("second", {"runs": 30})
    with pytest.raises(UsageError, match="first: the recipe has no setting `runs`"):
        changed.chosen("first", {"games": 20})
    run_experiments(bench.paper(), changed, watch=bench.watch)
    with pytest.raises(UsageError, match=r"first.json` was made with changes runs=3, not none"):
        run_experiments(bench.paper(), lab, watch=bench.watch)


def test_settings_have_their_old_names_for_one_release(lab: ExperimentContext) -> None:
    changed = replace(lab, changes={"first": {"course": "elsewhere"}})

    assert {"jobs": "elsewhere"} == changed.chosen("first", {"jobs": ""})


def test_results_of_an_older_version_are_read(tmp_path: Path) -> None:
    old = {"course": "courses/tables", "lessons": {"a": {"test": 1}}, "rows": [{"lesson": "a"}]}
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"data": old, "settings": {}, "seconds": 1, "version": "0.8", "machine": "m"}))

    new = {"jobs_folder": "courses/tables", "jobs": {"a": {"test": 1}}, "rows": [{"job": "a"}]}
    assert new == ExperimentResult.read(path).data


@pytest.mark.parametrize("name", ["tables", ""])
def test_training_jobs_of_an_older_version_are_found(name: str, lab: ExperimentContext) -> None:
    assert lab.folder / "jobs" / name == jobs_folder(lab, {"jobs": ""}, name)
    old = lab.folder / ("courses" if name else "course") / name
    old.mkdir(parents=True)

    assert old == jobs_folder(lab, {"jobs": ""}, name)
    assert Path("elsewhere") == jobs_folder(lab, {"jobs": "elsewhere"}, name)


def test_an_unknown_experiment_cannot_be_changed(bench: Bench, lab: ExperimentContext) -> None:
    with pytest.raises(UsageError, match="no experiment `frist`"):
        run_experiments(bench.paper(), replace(lab, changes={"frist": {"runs": 3}}), watch=bench.watch)
