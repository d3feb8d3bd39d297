"""Stored results: what the docs hold is made from them, and numbers in the docs are theirs."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from vazquez_results import all_results

from okapi.errors import NotFound
from okapi.optimize.executor import ThreadExecutor
from okapi.papers import PAPERS
from okapi.papers.experiment import ExperimentContext, ExperimentResult, cost_left, run_experiments, stored_results
from okapi.papers.headlines import Headline, verdicts
from okapi.papers.page import read_paper
from okapi.papers.stored import PAGE, RUNS, store, stored_files, stored_runs
from okapi.recipes.vazquez2012.pieces import Sitting, play

ROOT = Path(__file__).parent.parent.parent
STORED = sorted(path.name for path in (ROOT / "docs" / "papers").glob("*") if path.is_dir())
PAGES = [ROOT / "README.md", *sorted(page for page in (ROOT / "docs").glob("**/*.md") if "papers" not in page.parts)]

SOURCE = re.compile(r"\[([^\]]*)\]\(((?:docs/|\.\./)*papers/[^)#]+\.json)#([^)]+)\)")
"""A number in a page: [59.4 %](papers/NAME/results/EXPERIMENT.json#path.to.value)."""

MOST_BYTES = 1_000_000


def numbers() -> list[tuple[Path, str, str, str]]:
    return [(page, *found) for page in PAGES for found in SOURCE.findall(page.read_text(encoding="utf-8"))]


def value_at(path: Path, place: str) -> Any:
    value = json.loads(path.read_text(encoding="utf-8"))
    for part in place.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def agrees(text: str, value: float) -> bool:
    """Is the text the value, rounded to as many digits as the text has? Shares may be written in per cent."""
    said = text.replace("\u2212", "-").replace(",", "").replace("+", "")
    digits = re.search(r"-?\d+(?:\.(\d+))?", said)
    if digits is None:
        return False
    half = 0.5001 * 10.0 ** -len(digits[1] or "")
    return any(abs(float(digits[0]) - times * value) <= half for times in ((1, 100) if "%" in text else (1,)))


@pytest.mark.parametrize(("page", "text", "file", "place"), numbers(), ids=str)
def test_a_number_in_the_docs_is_that_of_its_stored_result(page: Path, text: str, file: str, place: str) -> None:
    assert agrees(text, value_at(page.parent / file, place)), f"{page.name}: {text}, not {place}"


@pytest.mark.parametrize("name", STORED)
def test_everything_stored_is_made_from_the_results(name: str) -> None:
    assert name in PAPERS
    folder = ROOT / "docs" / "papers" / name
    files = stored_files(read_paper(name), folder)

    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    made = {path for path in found if path.partition("/")[0] not in ("results", RUNS)}
    assert set(files) == made
    for file, text in files.items():
        assert text == (folder / file).read_text(encoding="utf-8"), f"okapi paper {name} --page --store docs/papers"
    assert sum(path.stat().st_size for path in folder.rglob("*")) < MOST_BYTES


def test_a_run_is_stored_beside_other_results(tmp_path: Path) -> None:
    paper = read_paper("vazquez2012")
    results = all_results()
    for name in ("pieces", "five"):
        results[name].write(tmp_path / "run" / "results" / f"{name}.json")
    results["exploration"].write(tmp_path / "docs" / "vazquez2012" / "results" / "exploration.json")

    folder = store(paper, tmp_path / "run", tmp_path / "docs")

    assert ["exploration", "five", "pieces"] == sorted(path.stem for path in (folder / "results").iterdir())
    page = (folder / PAGE).read_text(encoding="utf-8")
    assert "| thesis: wins |" in page.replace("| run | thesis: wins", "| run | thesis: wins") and "## Summary" in page
    assert all((folder / picture).exists() for picture in re.findall(r"\]\((pictures/[^)]*)\)", page))
    assert results["five"] == ExperimentResult.read(folder / "results" / "five.json")


PIECES = read_paper("vazquez2012")


def lab(folder: Path, stop_at: str = "nothing", docs: Path | None = None) -> ExperimentContext:
    """Three runs of three generations; Ctrl-C when a line of progress begins like this."""

    def tell(line: str) -> None:
        if line.startswith(stop_at):
            raise KeyboardInterrupt

    return ExperimentContext(
        size="tiny",
        folder=folder,
        seed=3,
        executor=ThreadExecutor(2),
        tell=tell,
        changes={"pieces": {"runs": 3}},
        stored=docs and stored_runs(PIECES, docs),
    )


def make(where: ExperimentContext) -> ExperimentResult:
    run_experiments(PIECES, where, ["pieces"], watch=lambda *told: None)
    return stored_results(PIECES, where.folder)["pieces"]


def without_times(result: ExperimentResult) -> dict[str, Any]:
    runs = [{key: value for key, value in run.items() if key != "seconds"} for run in result.data["runs"]]
    return {**result.data, "seconds": 0, "runs": runs}


def test_stored_runs_are_continued_in_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = tmp_path / "docs"
    played: list[Sitting] = []

    def counted_play(games: Sitting) -> list[float]:
        played.append(games)
        return play(games)

    with pytest.raises(KeyboardInterrupt):
        make(lab(tmp_path / "first", "pieces: run 2, generation 2"))
    folder = store(PIECES, tmp_path / "first", docs)
    stored = sorted(path.relative_to(folder).as_posix() for path in (folder / RUNS).rglob("*") if path.is_file())
    page = (folder / PAGE).read_text(encoding="utf-8")
    part = stored_results(PIECES, folder)["pieces"]

    monkeypatch.setattr("okapi.recipes.vazquez2012.pieces.play", counted_play)
    resumed = make(lab(tmp_path / "second", docs=docs))
    games = len(played)
    whole = make(lab(tmp_path / "third"))

    run = f"{RUNS}/pieces/run-0"
    assert [
        f"{run}1/champions/0000.safetensors",
        f"{run}1/champions/0003.safetensors",
        f"{run}1/row.json",
        f"{run}2/tape.jsonl",
    ] == stored
    assert "1 of 3 runs" == part.unfinished and page.count("1 of 3 runs") >= 3
    assert "1 run of 3, the interval of its games" in page
    how = "--size tiny --seed 3 --only pieces --change pieces.runs=3 --store docs/papers"
    assert f"1 of 3 runs so far; the others: okapi paper vazquez2012 {how}" in page
    assert without_times(whole) == without_times(resumed) and not resumed.unfinished
    assert 0 < games < (len(played) - games) / 2, "run 1 and half of run 2 are not played again"


def test_stored_runs_are_never_replaced_by_less(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    for stop in ("pieces: run 3", "pieces: run 2, generation 1"):
        where = lab(tmp_path / stop[-1], stop)
        with pytest.raises(KeyboardInterrupt):
            make(where)
        folder = store(PIECES, where.folder, docs)

    assert "2 of 3 runs" == stored_results(PIECES, folder)["pieces"].unfinished
    assert (folder / RUNS / "pieces" / "run-02" / "row.json").exists()

    other = replace(lab(tmp_path / "other", docs=docs), seed=4)
    assert [4, 5, 6] == [run["seed"] for run in make(other).data["runs"]], "runs of other seeds are not taken"


def test_what_builds_on_unfinished_runs_waits(tmp_path: Path) -> None:
    where = lab(tmp_path, "pieces: run 2")
    with pytest.raises(KeyboardInterrupt):
        make(where)

    assert 2 / 3 == pytest.approx(cost_left(replace(PIECES, cost={"pieces": (1, 0)}), tmp_path)[0])
    with pytest.raises(NotFound, match="finished first: 1 of 3 runs"):
        where.result("pieces")


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        (93, None, None, "reproduced"),
        (60, 55, 65, "refuted"),
        (88, 80, 95, "undecidable"),
        (None,) * 3 + ("not measured",),
    ],
)
def test_a_verdict_follows_from_the_figure(
    value: float | None, low: float | None, high: float | None, expected: str
) -> None:
    figure = Headline("score", 93.0, "percent", "pieces", letter=value, letter_low=low, letter_high=high)
    claim = {"where": "Table 9", "claim": "91 to 95.5 %", "figure": "score", "least": 91}

    (row,) = verdicts([claim], {"score": figure})

    assert expected == row["verdict"] and row["why"]


def test_the_best_is_the_best_only_if_its_interval_says_so() -> None:
    claim = {"where": "5.3.1", "claim": "90 % is the best", "figure": "rate", "least": 90, "most": 90, "whole": True}

    def verdict(low: float, high: float) -> str:
        figure = Headline("rate", 90.0, "percent", "rates", letter=90, letter_low=low, letter_high=high)
        return verdicts([claim], {"rate": figure})[0]["verdict"]

    assert ("reproduced", "undecidable") == (verdict(90, 90), verdict(80, 90))
