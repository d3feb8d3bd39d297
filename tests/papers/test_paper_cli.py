"""`okapi paper`: what it prints, its JSON, its exit codes, and what it says when it is used wrongly."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from okapi.cli import main
from okapi.cli.console import Exit
from okapi.papers import PAPERS
from okapi.papers.experiment import ExperimentContext, Paper

Capture = pytest.CaptureFixture[str]


def counting(lab: ExperimentContext) -> dict[str, Any]:
    lab.tell("one, two, three")
    return {"count": 3}


def interrupted(lab: ExperimentContext) -> dict[str, Any]:
    raise KeyboardInterrupt


MADE_UP = Paper(
    name="made2026",
    title="Made up",
    experiments={"counting": counting},
    figures=lambda results: {
        "count": {"what": "count", "theirs": 2, "ours": results["counting"].data["count"], "text": "theirs 2, ours 3"}
    },
    page=lambda results: f"<p>{list(results)}</p>",
)


@pytest.fixture(autouse=True)
def made_up_paper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("okapi.cli.paper.PAPERS", [*PAPERS, "made2026"])
    monkeypatch.setattr("okapi.cli.paper.read_paper", lambda name: MADE_UP)


def paper(options: str) -> int:
    return main(["paper", *shlex.split(options)])


def test_it_says_what_goes_on_and_where_the_page_is(tmp_path: Path, capsys: Capture) -> None:
    assert Exit.DONE == paper(f"made2026 --size tiny --out {tmp_path}")

    said = capsys.readouterr()
    assert "1/1 counting: begins" in said.err and "counting: one, two, three" in said.err
    assert "theirs 2, ours 3" in said.out and str(tmp_path / "index.html") in said.out
    assert "<p>['counting']</p>" == (tmp_path / "index.html").read_text()


def test_json(tmp_path: Path, capsys: Capture) -> None:
    for became in ("done", "kept"):
        assert Exit.DONE == paper(f"made2026 --out {tmp_path} --json")
        (line,) = capsys.readouterr().out.splitlines()
        answer = json.loads(line)
        assert ("made2026", str(tmp_path), {"counting": became}) == (
            answer["paper"],
            answer["folder"],
            answer["experiments"],
        )
        assert 3 == answer["figures"]["count"]["ours"]


def test_only_the_page(tmp_path: Path, capsys: Capture) -> None:
    paper(f"made2026 --out {tmp_path}")
    (tmp_path / "index.html").unlink()

    assert Exit.DONE == paper(f"made2026 --out {tmp_path} --seed 5 --page")
    assert (tmp_path / "index.html").exists()
    assert Exit.INPUT == paper(f"made2026 --out {tmp_path / 'nowhere'} --page")


def test_interrupted(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MADE_UP.experiments, "later", interrupted)  # type: ignore[arg-type]

    assert Exit.INTERRUPTED == paper(f"made2026 --out {tmp_path}")
    assert "1 result is safe" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ("made2027", Exit.INPUT, "did you mean `made2026`?"),
        ("xyz", Exit.INPUT, "`vazquez2012`"),
        ("made2026 --only conuting", Exit.USAGE, "did you mean `counting`?"),
        ("made2026 --change counting", Exit.USAGE, "write it as EXPERIMENT.KEY=VALUE"),
        ("made2026 --change conuting.runs=3", Exit.USAGE, "did you mean `counting`?"),
        ("made2026 --size huge", Exit.USAGE, "huge"),
        ("made2026 --games nowhere.pgn", Exit.INPUT, "no games at `nowhere.pgn`"),
        ("made2026 --labels nowhere.tsv", Exit.INPUT, "no labels at `nowhere.tsv`"),
        ("made2026 --threads 2 --cluster auto", Exit.USAGE, "not both"),
        ("", Exit.USAGE, "vazquez2012"),
    ],
)
def test_wrong_use(options: str, code: Exit, said: str, tmp_path: Path, capsys: Capture) -> None:
    assert code == paper(f"{options} --out {tmp_path}")
    assert said in capsys.readouterr().err


def test_other_settings_need_another_folder(tmp_path: Path, capsys: Capture) -> None:
    paper(f"made2026 --size tiny --out {tmp_path}")

    assert Exit.USAGE == paper(f"made2026 --size quick --out {tmp_path}")
    assert "size tiny, not quick" in capsys.readouterr().err
