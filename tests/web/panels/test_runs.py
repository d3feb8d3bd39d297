"""The panel of runs: what grows in a folder grows on the page."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from okapi.core import Color, Position, Value
from okapi.data.runs import Run
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page, Visit


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def state(folder: Path) -> AppState:
    return AppState(threads=1, runs=folder)


@pytest.fixture
def visit(visiting: Any, state: AppState) -> Iterator["Visit"]:
    with visiting(state, "#runs") as visit:
        yield visit


class TestTheServer:
    def test_the_list_and_the_curves_grow(self, page: "Page", folder: Path) -> None:
        with Run.start(folder / "bowl", "train", total=10) as run:
            run.log(step=1, loss=0.5)
            page.ask("runs.watch", names=["bowl"])
            page.news("runs.shown", lambda news: news["runs"] and news["runs"][0]["curves"]["loss"] == [[1], [0.5]])
            run.log(step=2, loss=0.25)
            page.news("runs.shown", lambda news: news["runs"][0]["curves"]["loss"] == [[1, 2], [0.5, 0.25]])
        (listed,) = page.news("runs.listed", lambda news: news["runs"][0]["state"] == "done")["runs"]

        assert ("bowl", "train", 2, 10) == tuple(listed[key] for key in ("name", "kind", "step", "total"))

    @pytest.mark.parametrize("name", ["../secret", "..", "/etc", "bowl/../../secret", ""])
    def test_only_names_inside_the_folder_are_served(self, page: "Page", folder: Path, name: str) -> None:
        Run.start(folder.parent / "secret", "train").finish()
        Run.start(folder / "bowl", "train").finish()
        page.ask("runs.watch", names=[name])
        page.news("runs.listed", lambda news: len(news["runs"]) == 1)

        assert [] == page.news("runs.shown")["runs"]

    def test_samples_are_read_with_care(self, page: "Page", folder: Path) -> None:
        with Run.start(folder / "bowl", "train") as run:
            run.sample(Position.start(), Value(0.5, Color.WHITE))
            with (folder / "bowl" / "samples.jsonl").open("a") as file:
                file.write(json.dumps({"fen": "nonsense", "white": 7, "note": ["x"] * 1000}) + "\n")
        page.ask("runs.watch", names=["bowl"])
        (run_seen,) = page.news("runs.shown", lambda news: news["runs"])["runs"]

        assert ["+0.00", None] == [(sample.get("value") or {}).get("text") for sample in run_seen["samples"]]

    def test_the_eyes_close_when_nobody_looks(self, page: "Page", state: AppState) -> None:
        page.ask("runs.watch", names=[])
        page.news("runs.listed")
        page.ask("runs.rest")
        last = time.monotonic() + 5
        while any(thread.name == "watching" for thread in threading.enumerate()):
            assert time.monotonic() < last
            time.sleep(0.02)

    def test_seven_runs_at_once_are_too_many(self, page: "Page") -> None:
        assert not page.ask("runs.watch", names=[str(number) for number in range(7)])["ok"]


class TestInTheBrowser:
    def test_a_curve_grows_while_the_page_is_open(self, visit: "Visit", folder: Path) -> None:
        visit.until(lambda: "There are no runs in the folder" in visit.find(".empty").text)
        with Run.start(folder / "bowl", "train", total=100, settings={"rate": 0.1}) as run:
            for step in range(1, 4):
                run.log(step=step, loss=1 / step)
            run.sample(Position.start(), Value(0.5, Color.WHITE), note="the start")
            visit.until(lambda: "3 of 100 steps" in visit.find(".run-about").text)
            visit.until(lambda: visit.find(".curve canvas"))
            before = visit.driver.execute_script("return document.querySelector('.curve canvas').toDataURL()")
            for step in range(4, 51):
                run.log(step=step, loss=1 / step)
            visit.until(lambda: "50 of 100 steps" in visit.find(".run-about").text)
            after = visit.driver.execute_script("return document.querySelector('.curve canvas').toDataURL()")
            assert before != after, "the curve has grown"
            assert ["loss"] == visit.texts(".curve figcaption")
            assert visit.find(".sample piece") and "running" == visit.find(".run-item .state").text
        visit.until(lambda: "done" == visit.find(".run-item .state").text)

        assert [] == visit.serious()

    def test_runs_are_compared(self, visit: "Visit", folder: Path) -> None:
        for name in ("bowl", "cup"):
            with Run.start(folder / name, "train") as run:
                run.log(step=1, loss=1.0)
                run.log(step=2, loss=0.5)
        visit.until(lambda: len(visit.all(".run-item")) == 2 and len(visit.all(".run-about")) == 1)
        visit.find(".run-item:not(.chosen) input").click()
        visit.until(lambda: len(visit.all(".run-about")) == 2)

        assert {"bowl", "cup"} <= set(" ".join(visit.texts(".u-legend th")).split())

    def test_on_a_phone_everything_fits(self, visit: "Visit", folder: Path) -> None:
        with Run.start(folder / "bowl", "train") as run:
            run.log(step=1, loss=1.0, accuracy=0.5)
            run.log(step=2, loss=0.5, accuracy=0.6)
        with visit.on_a_phone():
            visit.open("#runs")
            visit.until(lambda: len(visit.all(".curve canvas")) == 2)

            assert visit.fits

    def test_strength_comes_first_with_its_interval(self, visit: "Visit", folder: Path) -> None:
        with Run.start(folder / "giraffe", "train", unit="iterations") as run:
            run.log(step=1, loss=1.0)
            run.log(step=2, loss=0.5)
            run.log(step=1, sts=6012, elo=51.26, elo_low=20.0, elo_high=82.0)
            visit.until(lambda: ["STS points", "Elo", "loss"] == visit.texts(".curve figcaption"))
            visit.until(lambda: "STS points 6,012 · Elo 51.26 (20 to 82)" == visit.find(".run-strength").text)
            run.log(step=2, elo=102.0, elo_low=70.0, elo_high=134.0)
            visit.until(lambda: "Elo 102 (70 to 134)" in visit.find(".run-strength").text)
            assert "2 iterations" in visit.find(".run-about").text
