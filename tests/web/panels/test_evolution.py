"""The panel of evolution: generations pass by while they are bred, and champions play each other."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from okapi.brains.files import write_brain
from okapi.data.runs import Run
from okapi.optimize.executor import ThreadExecutor
from okapi.recipes import find_recipe
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import run_evolution
from okapi.web.state import AppState

if TYPE_CHECKING:
    from conftest import Page, Visit

PIECES = ("pawn", "knight", "bishop", "rook", "queen")
HOME, RIGHT = "\ue011", "\ue014"  # as WebDriver writes these keys
SQUARES = tuple(f"bishop_pawns.own.{file}{rank}" for rank in "234567" for file in "abcdefgh")


class Breeding:
    """Writes what a run of evolution writes, one generation after another: pieces that learn what they are worth."""

    def __init__(self, folder: Path, *, total: int = 20, genes: tuple[str, ...] = PIECES) -> None:
        self.folder, self._genes = folder, genes
        self._run = Run.start(folder, "evolve", total=total, unit="generations", title=f"{folder.name}, bred")
        self._number = 0
        (folder / "champions").mkdir(exist_ok=True)
        told = {"names": genes, "low": [0] * len(genes), "high": [1000] * len(genes), "recipe": "five"}
        (folder / "genes.json").write_text(json.dumps(told))

    def pass_by(self, generations: int = 1) -> None:
        for _ in range(generations):
            self._pass()

    def __enter__(self) -> "Breeding":
        return self

    def __exit__(self, *error: object) -> None:
        self._run.finish()

    def _pass(self) -> None:
        number, self._number = self._number, self._number + 1
        worth = [100.0, *(100.0 + number * 20 * place for place in range(1, 5))]
        best = [*worth, *(float(place % 48) for place in range(5, len(self._genes)))]
        weights = {"best": best, "mean": [one - 5 for one in best], "deviation": [3.0] * len(best)}
        write_brain(
            self.folder / "champions" / f"{number:04}.safetensors",
            {"name": f"champion {number}", "kind": "material", "encoding": "material-5"},
            {"weights": np.array(worth, np.float32)},
        )
        score = {"best": number + 1.0, "mean": float(number), "spread": 0.5}
        line = {"generation": number, "at": time.time(), **score, "weights": weights}
        with (self.folder / "generations.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
        self._run.log(number, **score)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def state(folder: Path) -> AppState:
    return AppState(threads=1, runs=folder)


@pytest.fixture
def bred(folder: Path) -> Path:
    """A run of twenty generations."""
    with Breeding(folder / "five") as breeding:
        breeding.pass_by(20)
    return breeding.folder


def watch(page: "Page", run: str, **wanted: Any) -> dict[str, Any]:
    """All about a run, once it has been read."""
    assert page.ask("evolution.watch", run=run, **wanted)["ok"]
    shown: dict[str, Any] = page.news("evolution.shown", lambda news: news["run"] and "genes" in news["run"])["run"]
    return shown


def begin(page: "Page", **changed: Any) -> dict[str, Any]:
    meeting = {"run": "five", "first": 0, "second": 19, "depth": 1, "games": 20} | changed
    return page.ask("evolution.begin", **meeting)


def stands(page: "Page", state: str) -> dict[str, Any]:
    news = page.news("evolution.matches", lambda news: news["match"] and news["match"]["state"] == state)
    match: dict[str, Any] = news["match"]
    return match


class TestGenerations:
    def test_they_pass_while_they_are_bred(self, page: "Page", folder: Path) -> None:
        Run.start(folder / "other", "train").finish()
        with Breeding(folder / "five") as breeding:
            breeding.pass_by(2)
            first = watch(page, "five")
            assert ([0, 1], "running", 20) == (first["generations"], first["state"], first["total"])
            breeding.pass_by()
            last = page.news("evolution.shown", lambda news: len(news["run"]["generations"]) == 3)["run"]

        assert [1, 2, 3] == last["scores"]["best"] and [0.5] * 3 == last["scores"]["spread"]
        assert [0, 2] == last["champions"] and PIECES == tuple(last["genes"]["names"])
        listed = page.news("evolution.listed", lambda news: news["runs"][0]["state"] == "done")["runs"]
        assert ["five"] == [run["name"] for run in listed], "other kinds of runs are not shown here"

    def test_weights_are_those_that_moved_most_or_those_that_are_wanted(self, page: "Page", bred: Path) -> None:
        assert [0, 1, 2, 3, 4] == [curve["gene"] for curve in watch(page, "five")["weights"]]
        (queen,) = watch(page, "five", genes=[4])["weights"]

        assert (100, 1620) == (queen["best"][0], queen["best"][-1]) and 20 == len(queen["mean"])
        assert [] == watch(page, "five", genes=[77])["weights"]

    def test_one_generation_tells_every_weight(self, page: "Page", bred: Path) -> None:
        watch(page, "five")
        answer = page.ask("evolution.generation", run="five", generation=7)

        assert [100, 240, 380, 520, 660] == answer["weights"]["best"] and answer["champion"]
        assert [3] * 5 == answer["weights"]["deviation"] and 7 == answer["generation"]

    def test_a_run_that_has_only_begun(self, page: "Page", folder: Path) -> None:
        with Run.start(folder / "five", "evolve"):
            assert watch(page, "five")["genes"] is None

    def test_a_damaged_run_is_told_of(self, page: "Page", bred: Path) -> None:
        (bred / "genes.json").write_text("nonsense")

        assert "damaged" in watch(page, "five")["problem"]["error"]

    @pytest.mark.parametrize("name", ["../secret", "..", "/etc", "five/../../secret", "", "x" * 300])
    def test_only_names_inside_the_folder_are_served(self, page: "Page", bred: Path, name: str) -> None:
        with Breeding(bred.parent.parent / "secret") as secret:
            secret.pass_by(2)
        page.ask("evolution.watch", run=name)

        assert not page.ask("evolution.generation", run=name, generation=0)["ok"]
        assert not begin(page, run=name, second=1)["ok"]


class TestOkapiEvolve:
    def test_what_it_writes_is_shown_and_its_champions_play(self, page: "Page", folder: Path) -> None:
        config = RecipeConfig(size="tiny", executor=ThreadExecutor(1))
        last = run_evolution(find_recipe("vazquez-pieces").make(config), folder / "pieces")
        shown = watch(page, "pieces")
        answer = page.ask("evolution.generation", run="pieces", generation=last.number)
        begin(page, run="pieces", first=last.number, second=0, games=2)

        assert 426 == len(shown["genes"]["names"]) and last.number == shown["step"] == shown["generations"][-1]
        assert last.best_score == shown["scores"]["best"][-1]
        assert last.best.tolist() == pytest.approx(answer["weights"]["best"], abs=1e-3)
        assert 2 == stands(page, "done")["games"]


class TestChampions:
    def test_two_of_them_play(self, page: "Page", bred: Path) -> None:
        watch(page, "five")
        assert begin(page, first=19, second=0)["ok"]
        match = stands(page, "done")

        assert 20 == match["games"] == len(match["played"]) and ["five@19", "five@0"] == match["names"]
        assert match["match"]["elo"] > 0, "who knows what a queen is worth is stronger"

    def test_a_game_can_be_played_through(self, page: "Page", bred: Path) -> None:
        watch(page, "five")
        number = begin(page, games=2)["number"]
        match = stands(page, "done")
        game = page.ask("evolution.game", number=number, game=1)["game"]

        assert ("five@19", "five@0") == (game["white"], game["black"]), "colours change"
        assert match["played"][1]["plies"] == len(game["moves"]) and game["result"] in game["pgn"]
        assert not page.ask("evolution.game", number=number, game=2)["ok"]

    def test_a_match_is_stopped_and_goes_on(self, page: "Page", bred: Path) -> None:
        watch(page, "five")
        number = begin(page, games=400, depth=4)["number"]
        page.news("evolution.matches", lambda news: news["match"] and news["match"]["games"] >= 1)
        page.ask("evolution.stop", number=number)
        stopped = stands(page, "stopped")
        assert 1 <= stopped["games"] < 400
        assert number == begin(page, games=400, depth=4)["number"]
        page.news("evolution.matches", lambda news: news["match"]["games"] > stopped["games"])
        page.ask("evolution.stop", number=number)
        stands(page, "stopped")

    def test_matches_of_other_runs_are_not_shown(self, page: "Page", bred: Path) -> None:
        watch(page, "five")
        number = begin(page, games=2)["number"]
        stands(page, "done")
        page.ask("evolution.watch", run="other")

        assert page.news("evolution.matches", lambda news: not news["matches"])["match"] is None
        assert not page.ask("evolution.stop", number=number)["ok"]

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            ({"second": 0}, "against itself"),
            ({"second": 20}, "there is no checkpoint `five@20`"),
            ({"depth": 7}, "expected 1 to 6"),
            ({"games": 401}, "expected 2 to 400"),
            ({"first": -1}, "expected 0"),
            ({"first": "0"}, "expected a whole number"),
        ],
    )
    def test_nonsense_is_refused(
        self, page: "Page", state: AppState, bred: Path, wrong: dict[str, Any], said: str
    ) -> None:
        assert said in begin(page, **wrong)["error"] and not state.tournaments.all

    def test_a_damaged_champion_is_refused(self, page: "Page", state: AppState, bred: Path) -> None:
        (bred / "champions" / "0003.safetensors").write_bytes(b"nonsense")

        assert "not a safetensors file" in begin(page, first=3)["error"] and not state.tournaments.all

    def test_one_can_play_against_them(self, page: "Page", bred: Path) -> None:
        seat = {"player": "alphabeta", "brain": "five@12", "depth": 1}
        assert page.ask("play.new", white={"player": "person"}, black=seat)["ok"]
        page.ask("play.move", move="e4")
        game = page.game(lambda game: len(game["moves"]) == 2)

        assert "five@12, depth 1" == game["seats"]["black"]["title"]

    @pytest.mark.parametrize(
        "brain", ["five@20", "five@", "@3", "other@3", "../five@3", "five@-1", "five@٣", "five/champions/0003"]
    )
    def test_there_are_no_other_names(self, page: "Page", bred: Path, brain: str) -> None:
        (bred / "five@3").mkdir()

        assert not page.ask("play.new", white={"player": "alphabeta", "brain": brain}, black={"player": "person"})["ok"]


@pytest.fixture
def visit(visiting: Any, state: AppState) -> Iterator["Visit"]:
    with visiting(state, "#evolution") as visit:
        yield visit


class TestInTheBrowser:
    def test_generations_pass_by(self, visit: "Visit", folder: Path) -> None:
        visit.until(lambda: "There is no evolution in the folder" in visit.find(".empty").text)
        with Breeding(folder / "five", genes=(*PIECES, *SQUARES)) as breeding:
            breeding.pass_by(3)
            visit.until(lambda: "Generation 2 of 2" in visit.find(".generations output").text)
            visit.until(lambda: visit.find(".curves canvas"))
            breeding.pass_by(2)
            visit.until(lambda: "Generation 4 of 4" in visit.find(".generations output").text)
            visit.until(lambda: "queen 0 1,000 420 415 3" == " ".join(visit.all(".gene-rows tbody tr")[4].text.split()))
            assert "4 of 20 generations" in visit.find(".evolution-head").text
            assert 48 == len(visit.all(".heat")) and "bishop pawns own: 0 to 47" == visit.find(".heat-map caption").text
            assert [] == visit.serious()

            visit.find("body").send_keys(HOME)
            visit.until(lambda: "Generation 0 of 4" in visit.find(".generations output").text)
            visit.until(lambda: "queen 0 1,000 100 95 3" == " ".join(visit.all(".gene-rows tbody tr")[4].text.split()))
            visit.click("Play the generations")
            visit.until(lambda: "Generation 4 of 4" in visit.find(".generations output").text)

    def test_weights_are_chosen(self, visit: "Visit", bred: Path) -> None:
        visit.until(lambda: 5 == len(visit.all(".curves .curve")))
        visit.find(".gene-picker summary").click()
        visit.set("Search", "kni")
        visit.until(lambda: ["knight"] == visit.texts(".gene-list span") == visit.texts(".gene-rows td:first-child"))
        visit.find(".gene-list input").click()
        visit.until(lambda: 4 == len(visit.all(".curves .curve")))
        visit.click("Those that changed most")
        visit.until(lambda: 5 == len(visit.all(".curves .curve")))

    def test_champions_meet_and_a_game_is_played_through(self, visit: "Visit", bred: Path) -> None:
        visit.until(lambda: "19" == visit.find(".champion-form input").get_attribute("value"))
        visit.set("Plies", "2")
        visit.set("Games", "20")
        visit.click("Play the match")
        visit.until(lambda: "done · 20 of 20 games" in visit.find(".champion-match .quiet").text)
        assert "for generation 19 against generation 0" in visit.find(".match-card").text
        first, second = visit.all(".game-dot")[:2]
        first.send_keys(RIGHT)
        assert second == visit.driver.switch_to.active_element and "-1" == second.get_attribute("tabindex")
        visit.all(".game-dot")[3].click()
        visit.until(lambda: visit.find(".replay piece").is_displayed())
        assert visit.find(".replay [role=status]").text.startswith("Game 4: five@0 – five@19")
        visit.find(".replay .moves").send_keys(RIGHT, RIGHT)
        visit.until(lambda: visit.find(".replay .move.current") == visit.all(".replay .move")[1])
        assert "Generation 19 of 19" == visit.find(".generations output").text, "keys of the game are not the panel's"
        assert [] == visit.serious()

    def test_one_plays_against_a_champion(self, visit: "Visit", bred: Path) -> None:
        visit.until(lambda: "champion of generation 19" in visit.find(".play-champion").text)
        visit.find(".play-champion").click()
        visit.until(lambda: any("five@19" in text for text in visit.texts(".strip .name")))

    def test_on_a_phone_everything_fits(self, visit: "Visit", folder: Path) -> None:
        with Breeding(folder / "five", genes=(*PIECES, *SQUARES)) as breeding:
            breeding.pass_by(3)
        with visit.on_a_phone():
            visit.open("#evolution")
            visit.until(lambda: visit.find(".heat"))
            visit.set("Games", "4")
            visit.click("Play the match")
            visit.until(lambda: visit.find(".match-card"))

            assert visit.fits
