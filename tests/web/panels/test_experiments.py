"""The panel of experiments: the ledgers of queues, the test that is being played, and files that are damaged."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from okapi.arena import experiments
from okapi.arena.experiments import STATUS, Ledger, Queue, play_experiments
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page, Visit

QUEUE = """
against = "random"
gates = [{nodes = 100, games = 40, sprt = [0, 200]}]

[counts]
player = "material"
about = "Counts pieces."
commit = "1a2b3c4"

[same]
player = "random"
"""


@pytest.fixture
def folder(runs: Path) -> Path:
    return runs


@pytest.fixture
def state(folder: Path) -> AppState:
    return AppState(threads=1, runs=folder)


@pytest.fixture
def queue(tmp_path: Path) -> Queue:
    return write(tmp_path / "queue.toml")


@pytest.fixture
def visit(visiting: Any, state: AppState) -> Iterator["Visit"]:
    with visiting(state, "#experiments") as visit:
        yield visit


def write(path: Path, text: str = QUEUE) -> Queue:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return Queue.read(path)


def play(queue: Queue, **told: Any) -> Ledger:
    ledger = Ledger(queue.path.with_suffix(".json"))
    play_experiments(queue, ledger, **told)
    return ledger


def interrupt(queue: Queue, after: int) -> None:
    """End a queue as Ctrl-C does, after so many games."""

    def on_game(_: object, __: object, report: Any, ___: object) -> None:
        if report.games >= after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(queue, on_game=on_game)


def shown(page: "Page", **chosen: str) -> Any:
    page.ask("experiments.watch", **chosen)
    return page.news("experiments.shown")


class TestTheServer:
    def test_without_a_queue_there_is_nothing_to_show(self, page: "Page") -> None:
        news = shown(page)

        assert ([], None, None) == (news["queues"], news["queue"], news["shown"])

    def test_the_ledger_is_shown_with_its_newest_result_first(self, page: "Page", queue: Queue) -> None:
        rows = play(queue).rows
        news = shown(page)
        newest, oldest = news["shown"]["rows"]

        assert [f"{queue.path.parent.name}/queue.toml"] == [each["title"] for each in news["queues"]]
        assert ("done", None, None) == tuple(news["shown"][key] for key in ("state", "playing", "problem"))
        assert ("counts", "Counts pieces.", "1a2b3c4") == tuple(oldest[key] for key in ("name", "about", "commit"))
        assert ("H1 accepted", "yes", "nodes=100, SPRT 0 200") == tuple(
            oldest[key] for key in ("verdict", "kept", "gate")
        )
        assert ("same", "H0 accepted", "no") == tuple(newest[key] for key in ("name", "verdict", "kept"))
        assert (rows[0]["games"], rows[0]["date"]) == (oldest["games"], oldest["date"])
        assert "won" in oldest["counts"] and "…" in oldest["interval"]

    def test_the_test_that_is_being_played_is_shown_with_its_games(
        self, page: "Page", queue: Queue, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(experiments, "LOG_INTERVAL_S", 0.0)
        seen = []

        def on_game(*_: object) -> None:
            if not seen:
                seen.append(shown(page)["shown"])

        play(queue, on_game=on_game)
        (news,) = seen
        playing = news["playing"]

        assert ("running", "counts", 1, 2, 40) == (
            news["state"],
            *(playing[key] for key in ("name", "number", "experiments", "most")),
        )
        assert playing["games"] == sum(playing["match"][key] for key in ("wins", "draws", "losses")) > 0
        assert playing["match"]["sprt"]["lower"] < 0 and "okapi experiment queue.toml" == news["command"]
        page.news("experiments.shown", lambda news: news["shown"]["playing"] is None)

    def test_an_interrupted_test_is_shown_and_goes_on(self, page: "Page", queue: Queue) -> None:
        interrupt(queue, after=2)
        before = shown(page)["shown"]
        rows = play(queue).rows
        after = page.news("experiments.shown", lambda news: news["shown"]["state"] == "done")["shown"]

        assert ("stopped", "counts", []) == (before["state"], before["playing"]["name"], before["rows"])
        assert (None, len(rows)) == (after["playing"], len(after["rows"]))

    def test_a_result_that_was_written_before_a_kill_is_not_shown_twice(
        self, page: "Page", queue: Queue, folder: Path
    ) -> None:
        interrupt(queue, after=2)
        (status,) = folder.glob(f"*/{STATUS}")
        kept = status.read_bytes()
        play(queue)
        status.write_bytes(kept)
        news = shown(page)["shown"]

        assert (None, 2) == (news["playing"], len(news["rows"]))

    def test_the_page_is_told_of_a_new_result(self, page: "Page", queue: Queue) -> None:
        assert None is shown(page)["shown"]
        play(queue)
        news = page.news("experiments.shown", lambda news: news["shown"] and len(news["shown"]["rows"]) == 2)

        assert "counts" == news["shown"]["rows"][1]["name"]

    def test_another_queue_can_be_chosen(self, page: "Page", queue: Queue, tmp_path: Path) -> None:
        play(queue)
        time.sleep(0.01)
        play(write(tmp_path / "other" / "queue.toml", QUEUE.replace("[counts]", "[pieces]")))
        newest = shown(page)
        names = [each["name"] for each in newest["queues"]]
        older = shown(page, queue=names[1])

        assert ["other/queue.toml", f"{tmp_path.name}/queue.toml"] == [each["title"] for each in newest["queues"]]
        assert ("pieces", "counts") == tuple(news["shown"]["rows"][-1]["name"] for news in (newest, older))

    @pytest.mark.parametrize("name", ["..", "../secret", "/etc", "nowhere"])
    def test_only_names_of_the_list_are_read(self, page: "Page", queue: Queue, name: str) -> None:
        play(queue)
        news = shown(page, queue=name)

        assert news["queue"] == news["queues"][0]["name"] and news["shown"]["rows"]

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("", "is not JSON"),
            ('[{"key": "a", "na', "is not JSON"),
            ("7", "is no ledger"),
            ('[{"key": "a", "name": "b"}]', "row 1 has no"),
            ("[[]]", "row 1 is no result"),
            ("[" * 100_000, "is not JSON"),
        ],
    )
    def test_a_damaged_ledger_is_told_and_left_alone(self, page: "Page", queue: Queue, content: str, said: str) -> None:
        ledger = play(queue).path
        ledger.write_text(content, encoding="utf-8")
        news = shown(page)["shown"]

        assert said in news["problem"]["error"] and "queue.json" in news["problem"]["error"] and [] == news["rows"]
        assert content == ledger.read_text(encoding="utf-8")

    @pytest.mark.parametrize("content", ["", "[]", "{}", '{"queue": 7}'])
    def test_a_damaged_status_is_told(self, page: "Page", queue: Queue, folder: Path, content: str) -> None:
        play(queue)
        (status,) = folder.glob(f"*/{STATUS}")
        status.write_text(content, encoding="utf-8")
        news = shown(page)["shown"]

        assert "damaged" in news["problem"]["error"] and "okapi experiment" in news["problem"]["hint"]

    def test_a_ledger_of_an_earlier_version_is_read(self, page: "Page", queue: Queue) -> None:
        ledger = play(queue)
        old = [{name: value for name, value in row.items() if name not in ("kept", "commit")} for row in ledger.rows]
        ledger.path.write_text(json.dumps(old), encoding="utf-8")
        rows = shown(page)["shown"]["rows"]

        assert [("no", ""), ("passed", "")] == [(row["kept"], row["commit"]) for row in rows]

    def test_a_ledger_that_is_gone_has_no_results(self, page: "Page", queue: Queue) -> None:
        play(queue).path.unlink()

        assert ([], None) == tuple(shown(page)["shown"][key] for key in ("rows", "problem"))


class TestInTheBrowser:
    def test_an_empty_page_says_how_to_begin_and_then_shows_the_ledger(self, visit: "Visit", queue: Queue) -> None:
        visit.until(lambda: "okapi experiment queue.toml" in visit.find(".experiments").text)
        assert [] == visit.serious()
        play(queue)
        visit.until(lambda: len(visit.all(".experiments tbody tr")) == 2)
        same, counts = (row.text for row in visit.all(".experiments tbody tr"))

        assert "Counts pieces." in counts and "1a2b3c4" in counts and "H1 accepted" in counts and "yes" in counts
        assert "H0 accepted" in same and "no" in same
        assert "done" == visit.find(".experiments .state").text and not visit.all(".experiments .match-card")
        assert [] == visit.serious()

    def test_an_interrupted_test_says_what_goes_on(
        self, visit: "Visit", queue: Queue, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(experiments, "LOG_INTERVAL_S", 0.0)
        interrupt(queue, after=2)
        visit.until(lambda: "Interrupted" in visit.find(".playing h3").text)

        assert "Interrupted: counts" == visit.find(".playing h3").text
        assert "Experiment 1 of 2. nodes=100, SPRT 0 200: 2 of at most 40 games" in visit.find(".playing").text
        assert "okapi experiment queue.toml" in visit.find(".queue-head").text
        assert [] == visit.serious()

    def test_on_a_phone_everything_fits(self, visit: "Visit", queue: Queue) -> None:
        play(queue)
        with visit.on_a_phone():
            visit.open("#experiments")
            visit.until(lambda: visit.all(".experiments tbody tr"))

            assert visit.fits
