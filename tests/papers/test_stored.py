"""Stored results: what the docs hold is made from them, and numbers in the docs are theirs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from vazquez_results import all_results

from okapi.papers import PAPERS
from okapi.papers.experiment import ExperimentResult
from okapi.papers.headlines import Headline, verdicts
from okapi.papers.page import read_paper
from okapi.papers.stored import PAGE, store, stored_files

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

    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.parent.name != "results"}
    assert {*files, "results"} | ({"pictures"} if any("/" in file for file in files) else set()) == found
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
