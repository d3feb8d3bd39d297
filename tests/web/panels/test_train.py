"""The panel of trainings: one is started, paused and resumed, and a brain is seen at every age."""

import base64
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from okapi.brains.files import write_brain
from okapi.data.runs import Run, RunInfo
from okapi.errors import NotFound, TooBusy, UsageError
from okapi.web.app import make_app
from okapi.web.state import AppState
from okapi.web.timelapse import MOST_AGES, ages_of, recorded_runs
from okapi.web.trainings import Trainings

if TYPE_CHECKING:
    from conftest import Page, Visit

WAIT_S = 600
LONG = ("vazquez-pieces", "--size", "tiny", "--change", "generations=100000", "--threads", "1")
"""A training that is never finished here."""

HOME, RIGHT = "\ue011", "\ue014"  # as WebDriver writes these keys
FORK = "4k3/ppp2ppp/8/2r1b3/3P4/8/PP3PPP/4K1NR w K - 0 1"


def until(condition: Any) -> None:
    last = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < last, "it never came"
        time.sleep(0.05)


def grow(folder: Path, ages: int = 6, *, kind: str = "train", state: str = "done") -> Path:
    """A run whose brain learns that rooks are worth more than bishops."""
    (folder / "checkpoints").mkdir(parents=True)
    run = Run.start(folder, kind, total=ages, unit="epochs", title=f"{folder.name} grows")
    for step in range(1, ages + 1):
        worth = [100.0, 300.0, 320.0, 100.0 * step, 150.0 * step]
        write_brain(
            folder / "checkpoints" / f"{step:06}.safetensors",
            {"name": f"{folder.name}@{step}", "kind": "material", "encoding": "material-5"},
            {"weights": np.array(worth, np.float32)},
        )
        elo = {
            "elo_material": 40.0 * step - 160,
            "elo_material_low": 40.0 * step - 200,
            "elo_material_high": 40.0 * step,
        }
        run.log(step, train_loss=1 / step, validation_loss=1.2 / step, games=20, **elo)
    os.link(folder / "checkpoints" / f"{ages:06}.safetensors", folder / "brain.safetensors")
    run.finish(state)  # type: ignore[arg-type]
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def state(folder: Path) -> AppState:
    return AppState(threads=1, runs=folder)


@pytest.fixture
def trainings(folder: Path) -> Iterator[Trainings]:
    trainings = Trainings(folder)
    yield trainings
    for name in trainings.running():
        trainings.pause(name)
    until(lambda: not trainings.running())


def listed(page: "Page", name: str, wanted: Any) -> dict[str, Any]:
    """A training as the page sees it, once it is as it is wanted."""

    def found(news: dict[str, Any]) -> dict[str, Any] | None:
        return next((run for run in news["runs"] if run["name"] == name and wanted(run)), None)

    run = found(page.news("train.listed", lambda news: found(news) is not None))
    assert run is not None
    return run


class TestTrainings:
    def test_one_is_paused_and_resumed_by_another_server(self, trainings: Trainings, folder: Path) -> None:
        trainings.start("mine", LONG)
        until(lambda: list((folder / "mine").glob("champions/*")))
        later = Trainings(folder)
        assert ["mine"] == later.running()
        later.pause("mine")
        until(lambda: not later.is_running("mine"))
        assert "stopped" == RunInfo.read(folder / "mine").state

        trainings.resume("mine")
        until(lambda: len(RunInfo.read(folder / "mine").sessions) == 2)
        assert later.is_running("mine")

    def test_one_at_a_time_unless_asked(self, trainings: Trainings, folder: Path) -> None:
        trainings.start("mine", LONG)
        with pytest.raises(TooBusy, match="mine"):
            trainings.start("yours", LONG)
        assert not (folder / "yours").exists()

        trainings.start("yours", LONG, beside=True)
        assert ["mine", "yours"] == sorted(trainings.running())

    @pytest.mark.parametrize("name", ["", "..", "a/b", "../x", "champion", "random", "-x", "a b", ".x", "x" * 200])
    def test_a_name_that_is_no_run(self, trainings: Trainings, folder: Path, name: str) -> None:
        with pytest.raises(UsageError):
            trainings.start(name, LONG)
        assert [] == trainings.names()

    def test_a_name_that_is_taken(self, trainings: Trainings, folder: Path) -> None:
        grow(folder / "mine")
        with pytest.raises(UsageError, match="there is a run"):
            trainings.start("mine", LONG)
        with pytest.raises(NotFound):
            trainings.resume("mine")
        with pytest.raises(UsageError):
            trainings.pause("mine")

    def test_an_estimate_leaves_nothing_and_says_what_is_wrong(self, trainings: Trainings, folder: Path) -> None:
        *waiting, answer = trainings.estimate(["vazquez-pieces", "--size", "tiny", "--minutes", "1"])
        assert all(each == {} for each in waiting) and "players are scored" in answer["plan"] and not folder.exists()
        with pytest.raises(UsageError, match="no recipe"):
            list(trainings.estimate(["no-such-recipe"]))

    def test_why_it_failed_is_told(self, trainings: Trainings) -> None:
        trainings.start("mine", ["no-such-recipe"])
        until(lambda: not trainings.is_running("mine"))

        ((name, lives, line),) = trainings.unborn()
        assert ("mine", False) == (name, lives) and "no recipe `no-such-recipe`" in line


class TestTheServer:
    def test_only_recipes_that_fit_the_data(self, page: "Page", folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder.mkdir()
        (folder / "some.pgn").write_text("1. e4 *")
        recipes = {recipe["name"]: recipe["data"] for recipe in page.ask("train.offer")["recipes"]}
        assert "games" in recipes["vazquez-five"] and "games" not in recipes["mlp"]

        assert "teacher" not in recipes, "its length cannot be chosen in minutes"

        answer = page.ask("train.start", recipe="mlp", name="mine", minutes=1, data="some.pgn")
        assert not answer["ok"] and "games" in answer["error"]
        assert not (folder / "mine").exists()

    def test_files_of_another_folder_cannot_be_chosen(self, page: "Page", folder: Path, tmp_path: Path) -> None:
        (tmp_path / "secret.pgn").write_text("1. e4 *")
        for name in ("../secret.pgn", str(tmp_path / "secret.pgn"), "secret.pgn"):
            answer = page.ask("train.start", recipe="vazquez-five", name="mine", minutes=1, data=name)
            assert not answer["ok"] and "there is no file" in answer["error"]

    def test_a_shared_board_starts_nothing(self, state: AppState, static: Path, folder: Path) -> None:
        app = make_app(state, token="secret", static=static)
        here = "127.0.0.1:8000"
        headers = {"origin": f"http://{here}", "cookie": "okapi_token=secret"}
        asked = {
            "start": {"recipe": "vazquez-five", "name": "mine", "minutes": 1},
            "resume": {"run": "mine"},
            "pause": {"run": "mine"},
            "upload": {"name": "x.pgn", "at": 0, "data": "", "last": True},
        }
        with (
            TestClient(app, base_url=f"http://{here}") as client,
            client.websocket_connect(f"ws://{here}/socket", headers=headers) as connection,
        ):
            for number, (action, data) in enumerate(asked.items()):
                connection.send_text(json.dumps({"id": number, "do": f"train.{action}", **data}))
                while (answer := connection.receive_json()).get("id") != number:
                    pass
                assert not answer["ok"] and "shared" in answer["error"], action
        assert not folder.exists()

    def test_an_upload_comes_in_pieces(self, page: "Page", folder: Path) -> None:
        games = b"1. e4 e5 *\n" * 1000
        first, second = (base64.b64encode(part).decode() for part in (games[:5000], games[5000:]))
        assert page.ask("train.upload", name="up.pgn", at=0, data=first)["ok"]
        assert "up.pgn" not in [file["name"] for file in page.ask("train.offer")["data"]], "it is not whole yet"
        assert not page.ask("train.upload", name="up.pgn", at=9000, data=second)["ok"], "a piece is missing"
        assert page.ask("train.upload", name="up.pgn", at=5000, data=second, last=True)["ok"]

        assert {"name": "up.pgn", "kind": "games", "bytes": len(games)} in page.ask("train.offer")["data"]

    @pytest.mark.parametrize("name", ["../x.pgn", "/tmp/x.pgn", ".x.pgn", "x.sh", "", "a/x.pgn"])
    def test_an_upload_stays_in_its_folder(self, page: "Page", folder: Path, name: str) -> None:
        assert not page.ask("train.upload", name=name, at=0, data="", last=True)["ok"]
        assert not folder.exists()

    def test_ages_come_with_their_strength_and_pieces(self, page: "Page", folder: Path) -> None:
        grow(folder / "mine")
        assert page.ask("train.ages", run="mine")["ok"]
        ages = page.news("train.aged", lambda news: news["ready"] == 6)["ages"]

        assert [1, 2, 3, 4, 5, 6] == [age["step"] for age in ages]
        assert [-120, -80, -40, 0, 40, 80] == [age["elo_material"] for age in ages]
        assert [100, 200, 300, 400, 500, 600] == [age["pieces"]["kinds"][3] for age in ages]
        pawns, _, _, rooks, _ = ages[2]["pieces"]["squares"]
        assert {300} == set(rooks) - {None} and 64 == len(rooks) and None in pawns[:8]

    def test_moves_change_with_age(self, page: "Page", folder: Path) -> None:
        grow(folder / "mine")
        answer = page.ask("train.moves", run="mine", fen=FORK, number=7)
        assert FORK == answer["position"]["fen"]
        moves = page.news("train.moved", lambda news: news["number"] == 7)["moves"]

        assert ["dxe5", "dxc5"] == [moves[0]["san"], moves[-1]["san"]]

    @pytest.mark.parametrize("name", ["../mine", "..", "", "/etc", "nobody"])
    def test_only_runs_of_the_folder_have_ages(self, page: "Page", folder: Path, name: str) -> None:
        grow(folder.parent / "mine")
        grow(folder / "other")
        assert not page.ask("train.ages", run=name)["ok"]
        assert not page.ask("train.moves", run=name, fen=FORK)["ok"]

    def test_a_long_run_is_thinned_and_keeps_what_was_measured(self, folder: Path) -> None:
        grow(folder / "mine", 3)
        brain = (folder / "mine" / "brain.safetensors").read_bytes()
        for step in range(4, 301):
            (folder / "mine" / "checkpoints" / f"{step:06}.safetensors").write_bytes(brain)
        steps = [checkpoint.step for checkpoint, _ in ages_of(folder / "mine")]

        assert MOST_AGES == len(steps) and {1, 2, 3, 300} <= set(steps) and sorted(steps) == steps

    def test_a_match_is_played_from_the_card(self, page: "Page", folder: Path, state: AppState) -> None:
        grow(folder / "mine")
        number = page.ask("train.match", run="mine", against="material", games=2)["number"]
        (match,) = [match for match in state.tournaments.all if match.number == number]
        match.join()

        assert ["mine", "material"] == match.names
        assert "done" == match.state

    def test_the_card_of_a_run(self, page: "Page", folder: Path) -> None:
        grow(folder / "mine")
        page.ask("train.watch", run="mine")
        runs: dict[str, Any] = {}
        shown: dict[str, Any] = {}

        def both(news: dict[str, Any]) -> bool:
            """The list and the curves, whichever comes first: news that change nothing are not sent again."""
            if news.get("tell") == "train.listed":
                runs.update({run["name"]: run for run in news["runs"]})
            elif news.get("tell") == "train.shown":
                shown.update(news["run"] or {})
            return "done" == runs.get("mine", {}).get("state") and bool(shown)

        page.wait(both)
        run = runs["mine"]
        assert (True, 6, False) == (run["brain"], run["ages"], run["own"]) and run["last_at"] >= run["started"]
        assert [1, 2, 3, 4, 5, 6] == shown["curves"]["elo_material"][0]


@pytest.fixture
def visit(visiting: Any, state: AppState) -> Iterator["Visit"]:
    with visiting(state, "#train") as visit:
        yield visit


CHOOSE_POSITION = """
    const position = document.querySelector('.lapse-where select');
    position.value = arguments[0];
    position.dispatchEvent(new Event('change'));
"""
SEEN_BY_SLIDER = """
    const [place, done] = arguments;
    const lapse = document.querySelector('.lapse'), slider = lapse.querySelector('input[type=range]');
    const send = WebSocket.prototype.send;
    let sent = 0;
    WebSocket.prototype.send = function (data) { sent++; send.call(this, data); };
    const begun = performance.now();
    slider.value = place;
    slider.dispatchEvent(new Event('input'));
    requestAnimationFrame(() => requestAnimationFrame(() => {
        WebSocket.prototype.send = send;
        const text = (selector) => lapse.querySelector(selector).textContent;
        done({
            age: lapse.dataset.age, sent, ms: performance.now() - begun, plays: text('figcaption .lapse-fact'),
            elo: text('.lapse-elo'), cells: [...lapse.querySelectorAll('.piece-cell')].map((cell) => cell.textContent),
            arrows: lapse.querySelectorAll('.cg-shapes line').length,
        });
    }));
"""


class TestInTheBrowser:
    @pytest.fixture
    def lapse(self, folder: Path, visit: "Visit") -> "Visit":
        """A run whose ages are all known."""
        grow(folder / "mine")
        visit.until(lambda: "6" == visit.find(".lapse").get_attribute("data-age"))
        visit.find(".piece-kinds button[title=rook]").click()
        visit.until(
            lambda: "6.00 pawns" in visit.texts(".lapse-fact")[1] and "It plays" in visit.texts(".lapse-fact")[0]
        )
        return visit

    def test_the_slider_shows_every_age_at_once_and_asks_for_nothing(self, lapse: "Visit") -> None:
        lapse.driver.execute_script(CHOOSE_POSITION, "2")
        lapse.until(lambda: "It plays dxc5" in lapse.texts(".lapse-fact")[0])
        for place in (0, 5, 2):
            seen = lapse.driver.execute_async_script(SEEN_BY_SLIDER, place)
            step = place + 1
            assert (str(step), 0, 1) == (seen["age"], seen["sent"], seen["arrows"])
            assert {str(100 * step), ""} == set(seen["cells"])
            assert seen["plays"].startswith("It plays dxe5" if place < 3 else "It plays dxc5")
            assert seen["elo"].startswith(("−120", "+80", "−40")[(0, 5, 2).index(place)])

    def test_keys_walk_through_the_ages_and_play_stops_at_the_last(self, lapse: "Visit") -> None:
        age = lambda: lapse.find(".lapse").get_attribute("data-age")  # noqa: E731
        body = lapse.find("body")
        body.send_keys(HOME)
        lapse.until(lambda: "1" == age())
        body.send_keys(RIGHT)
        lapse.until(lambda: "2" == age())
        body.send_keys("p")
        lapse.until(lambda: "6" == age())
        lapse.until(lambda: "Play the ages" in lapse.texts(".generations button"))

        assert [] == lapse.serious()

    def test_a_position_of_ones_own(self, lapse: "Visit") -> None:
        lapse.driver.execute_script(CHOOSE_POSITION, "own")
        fen = lapse.find(".lapse-where input")
        fen.clear()
        fen.send_keys("7k/8/8/8/8/8/8/K6R b - - 0 1\n")
        lapse.until(lambda: "It plays Kg" in lapse.texts(".lapse-fact")[0])
        fen.clear()
        fen.send_keys("nonsense\n")
        lapse.until(lambda: "nonsense" in lapse.find(".banner").text)

    def test_it_is_played_at_an_age(self, lapse: "Visit") -> None:
        lapse.find("body").send_keys(HOME)
        lapse.until(lambda: lapse.find(".lapse-strength a").get_attribute("href").endswith("brain=mine%401"))
        lapse.find(".lapse-strength a").click()
        lapse.until(lambda: "mine@1" in lapse.find("#panel-play .stage").text)

    def test_on_a_phone_everything_fits(self, lapse: "Visit") -> None:
        with lapse.on_a_phone():
            lapse.open("#train")
            lapse.until(lambda: lapse.find(".piece-cell").is_displayed())

            assert lapse.fits

    def test_a_card_says_how_the_run_ended_and_not_as_an_error(self, lapse: "Visit", folder: Path) -> None:
        told = {"sentences": ["It learned from 10 of 12 positions.", "`okapi play --brain mine` shows it."]}
        (folder / "mine" / "summary.json").write_text(json.dumps(told), encoding="utf-8")
        lapse.open("#train")
        lapse.until(lambda: ["okapi play --brain mine"] == lapse.texts(".run-card code"))
        assert "10 of 12 positions" in lapse.find(".run-card").text
        assert not lapse.find(".run-card .run-note").is_displayed()

    def test_a_card_has_what_one_does_next(self, lapse: "Visit") -> None:
        lapse.until(lambda: lapse.find(".run-card"))
        assert ["Play", "Explain"] == lapse.texts(".run-card .card-buttons a")
        assert ["Match", "Card"] == lapse.texts(".run-card .card-buttons button")
        lapse.click("Card")
        lapse.until(lambda: "material" in lapse.find("dialog.model-card").text)
        lapse.click("Close", "//dialog")
        lapse.click("Match")
        lapse.click("Play the match", "//dialog")
        lapse.until(lambda: "mine" in lapse.find("#panel-tournaments .tournament-head").text)

    def test_both_losses_and_elo_are_drawn(self, lapse: "Visit") -> None:
        lapse.find(".run-card .run-name").click()
        lapse.until(lambda: len([e for e in lapse.all(".training-charts canvas") if e.is_displayed()]) == 2)
        assert {"training loss", "validation loss"} <= set(lapse.texts(".training-charts .u-legend th"))

    def test_before_any_training_the_recorded_run_grows_and_plays(self, visit: "Visit") -> None:
        visit.until(lambda: "pawns on average" in visit.texts(".lapse-fact")[1])
        last = visit.find(".lapse").get_attribute("data-age")
        assert list(recorded_runs()) == visit.texts(".lapse-head option") and int(last) > 0
        assert "Elo" in visit.find(".lapse-elo").text and [] == visit.all(".run-card")
        visit.driver.execute_script("document.querySelector('.lapse-strength a').click()")
        visit.until(lambda: f"{next(iter(recorded_runs()))}@{last}" in visit.find("#panel-play .stage").text)

    def test_the_plan_is_shown_before_it_starts(self, visit: "Visit", folder: Path) -> None:
        visit.until(lambda: "okapi train" in visit.find(".train-says code").text)
        visit.set("Recipe", "vazquez-pieces")
        visit.set("Size", "tiny")
        visit.click("Estimate")
        until(lambda: "players are scored" in visit.find(".train-plan").text)
        visit.set("Minutes", "20")
        assert "" == visit.find(".train-plan").text and not folder.exists()

    def test_a_brain_that_a_command_left_is_listed_by_itself(self, visit: "Visit", folder: Path) -> None:
        visit.open("#tournaments")
        visit.until(lambda: visit.all(".entrants input"))
        grow(folder / "mine")
        visit.until(lambda: visit.all(".entrants input[name=mine]"))
