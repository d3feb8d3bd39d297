"""HumanMoves: heat maps, likely moves and the map of positions, with small brains made up for this."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np
import pytest
from networks import NUMBER, Perceptron, write_mover, write_seven

from okapi.brains.embedding_map import EmbeddingMap, embedder
from okapi.brains.move_prediction import Predictor
from okapi.core import Position
from okapi.core.packed import pack_fens, random_positions
from okapi.web.state import AppState, LruCache

if TYPE_CHECKING:
    from conftest import Page, Visit

START = Position.start().fen()
CASTLES = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
MATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
PINNED = "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two brains that predict moves, one that judges and has an atlas, one that has none, one that is broken."""
    folder = tmp_path_factory.mktemp("house") / "runs" / "made"
    folder.mkdir(parents=True)
    write_mover(folder)
    write_seven(folder, encoding="planes-12")
    for name in ("judge", "plain"):
        write_judge(folder / f"{name}.safetensors")
    (folder / "broken.safetensors").write_bytes(b"nonsense")
    draw_atlas(folder / "judge.safetensors")
    return folder.parent


def write_judge(path: Path, seed: int = 1) -> None:
    path.write_bytes(Perceptron.random("bitmap-768", [16, 1], ["tanh", "tanh"], NUMBER, seed).file())


def draw_atlas(brain: Path) -> None:
    """A map whose plane is what the first two nodes say."""
    seen = embedder(brain)(random_positions(200, seed=3))
    atlas = EmbeddingMap(
        brain=brain,
        points=seen[:, :2],
        values=np.linspace(0, 1, len(seen), dtype=np.float32),
        mean=np.zeros(16, np.float32),
        directions=np.eye(16, dtype=np.float32),
        features=seen,
    )
    atlas.write(brain.with_suffix(".atlas"))


@pytest.fixture
def state(runs: Path) -> AppState:
    return AppState(threads=2, runs=runs)


def feel(page: "Page", fen: str, brain: str = "made/mover", **more: Any) -> dict[str, Any]:
    answer = page.ask("human_moves.predict", fen=fen, brain=brain, **more)
    assert answer["ok"], answer
    return page.news("human_moves.predicted")


class TestTheServer:
    def test_brains_are_sorted_by_what_they_do(self, page: "Page", state: AppState) -> None:
        page.ask("human_moves.listed")
        news = page.news("human_moves.listed")

        assert "okapi-human" == news["brains"][0]
        assert {"made/mover", "made/seven"} <= set(news["brains"])
        assert not {"made/judge", "made/broken"} & set(news["brains"])
        assert "made/judge" in news["atlases"] and "made/plain" not in news["atlases"]
        page.ask("compare.listed")
        judges = {brain["brain"] for brain in page.news("compare.listed")["brains"]}
        assert "made/judge" in judges and not judges & set(news["brains"])
        assert not set(state.brains) & set(news["brains"])

    @pytest.mark.parametrize("brain", ["made/mover", "made/seven"])
    @pytest.mark.parametrize("fen", [START, CASTLES, PINNED, "8/P6k/8/8/8/8/8/K7 w - - 0 1", START.replace(" w", " b")])
    def test_both_heat_maps_are_the_brains(self, page: "Page", runs: Path, brain: str, fen: str) -> None:
        news = feel(page, fen, brain)
        asked = Predictor.open(runs / f"{brain}.safetensors")
        squares = asked.squares(pack_fens([fen]))

        for named, index in (("e2", 12), ("e7", 52), ("a1", 0)):
            assert news["said"]["origin"].get(named, 0) == pytest.approx(squares.origin[0, index], abs=6e-4)
        for start, ends in news["said"]["targets"].items():
            row = squares.target[0, 8 * "12345678".index(start[1]) + "abcdefgh".index(start[0])]
            assert sum(ends.values()) == pytest.approx(row.sum(), abs=0.05)
        assert [move["uci"] for move in news["moves"]] == [
            Position.from_fen(fen).uci(move) for move, _ in asked.moves(pack_fens([fen]))[0]
        ]
        for shares in (news["masked"]["origin"], *news["masked"]["targets"].values()):
            assert 1 == pytest.approx(sum(shares.values()), abs=0.01)
        assert 0 <= news["astray"] <= 1 and fen == news["fen"]

    def test_masked_squares_are_legal_and_castling_is_where_the_king_lands(self, page: "Page") -> None:
        news = feel(page, CASTLES)
        position = page.ask("human_moves.predict", fen=CASTLES)["position"]

        assert set(news["masked"]["origin"]) <= set(position["destinations"])
        assert "g1" in news["masked"]["targets"]["e1"] and "h1" not in news["masked"]["targets"]["e1"]
        assert ["e1", "g1"] in [move["squares"] for move in news["moves"] if move["san"].startswith("O-O")]

    def test_a_piece_that_cannot_move_has_a_map_too(self, page: "Page") -> None:
        news = feel(page, PINNED)

        assert "e2" not in news["masked"]["origin"] and "e2" in news["said"]["targets"]

    def test_the_rating_matters_to_a_brain_that_was_told_it(self, page: "Page") -> None:
        low, high = (feel(page, START, elo=elo, number=elo) for elo in (2000, 2900))
        assert ["elo"] == low["inputs"] and 2900 == high["number"] and low["moves"] != high["moves"]

        low, high = (feel(page, START, "made/seven", elo=elo) for elo in (2000, 2900))
        assert [] == low["inputs"] and low["moves"] == high["moves"]

    def test_a_game_that_is_over_has_no_moves(self, page: "Page") -> None:
        news = feel(page, MATE)

        assert [] == news["moves"] and {} == news["masked"]["origin"] and 1 == news["astray"]

    def test_texts_become_lines_and_moves_lead_on(self, page: "Page") -> None:
        opened = page.ask("human_moves.open", text="1. e4 e5 (1... c5) 2. Nf3 *")
        assert ["e4", "e5", "Nf3"] == [move["san"] for move in opened["moves"]] and "white" == opened["start_turn"]

        move = page.ask("human_moves.move", fen=opened["moves"][-1]["fen"], move="b8c6")["move"]
        assert ("Nc6", ["b8", "c6"]) == (move["san"], move["squares"])
        assert "O-O" == page.ask("human_moves.move", fen=CASTLES, move="e1g1")["move"]["san"]

    def test_a_game_has_its_way_on_the_map(self, page: "Page", runs: Path) -> None:
        page.ask("human_moves.atlas", brain="made/judge")
        dots = page.news("human_moves.atlas")
        page.ask("human_moves.trace", brain="made/judge", start=START, moves=["e2e4", "e7e5"], number=7)
        walked = page.news("human_moves.traced")

        assert 200 == len(dots["points"]) == len(dots["values"])
        assert [0, 100] == [min(dots["values"]), max(dots["values"])]
        assert (0, 1000) == (min(map(min, dots["points"])), max(map(max, dots["points"])))
        assert 7 == walked["number"] and 3 == len(walked["points"])
        assert all(0 <= place <= 1000 for point in walked["points"] for place in point)

    @pytest.mark.parametrize(
        ("action", "wrong"),
        [
            ("predict", {"fen": "nonsense", "brain": "made/mover"}),
            ("predict", {"fen": START, "brain": "made/judge"}),
            ("predict", {"fen": START, "brain": "made/broken"}),
            ("predict", {"fen": START, "brain": "../runs/made/mover"}),
            ("predict", {"fen": START, "brain": "made/mover", "elo": 1999}),
            ("predict", {"fen": START, "brain": "made/mover", "elo": "strong"}),
            ("move", {"fen": START, "move": "e2e5"}),
            ("open", {"text": "1. e5 *"}),
            ("atlas", {"brain": "made/plain"}),
            ("atlas", {"brain": "/etc/passwd"}),
            ("trace", {"brain": "made/judge", "start": START, "moves": ["e2e4", "e2e4"]}),
            ("trace", {"brain": "made/judge", "start": START, "moves": ["g1f3", "g8f6", "f3g1", "f6g8"] * 151}),
        ],
    )
    def test_nonsense_is_refused_and_nothing_is_lost(self, page: "Page", action: str, wrong: dict[str, Any]) -> None:
        refused = page.ask(f"human_moves.{action}", **wrong)

        assert not refused["ok"] and refused["error"]
        assert feel(page, START)["moves"]

    def test_an_atlas_of_another_brain_is_refused_as_news(self, page: "Page", runs: Path) -> None:
        changed = runs / "made" / "changed.safetensors"
        changed.write_bytes((runs / "made" / "judge.safetensors").read_bytes())
        draw_atlas(changed)
        write_judge(changed, seed=2)

        assert page.ask("human_moves.trace", brain="made/changed", start=START, number=5)["ok"]
        assert "another brain" in page.news("error")["error"]
        assert {"of": "traced", "number": 5}.items() <= page.news("human_moves.failed").items()
        changed.with_suffix(".atlas").unlink()


class TestWhatIsKept:
    def test_the_last_few_files_and_none_that_has_changed(self, tmp_path: Path) -> None:
        reads: list[str] = []

        def read(path: Path) -> str:
            reads.append(path.name)
            return path.read_text()

        kept = LruCache(read, most=2)
        files = [tmp_path / name for name in "abc"]
        for file in (*files, files[2]):
            file.write_text("old") if not file.exists() else None
            with kept.use(file) as text:
                assert "old" == text
        assert ["a", "b", "c"] == reads
        files[2].write_text("newer")
        with kept.use(files[2]) as text, kept.use(files[0]):
            assert "newer" == text
        assert ["a", "b", "c", "c", "a"] == reads


@pytest.fixture
def visit(visiting: Any, state: AppState) -> Iterator["Visit"]:
    with visiting(state, "#human_moves") as visit:
        visit.until(lambda: visit.all(".likely-move"))
        choose(visit, "made/mover")
        yield visit


def choose(visit: "Visit", brain: str) -> None:
    """In the list of brains; what the one that ships would play is gone then."""
    before = visit.texts(".likely-move")
    visit.driver.execute_script(CHOOSE, brain)
    visit.until(lambda: visit.texts(".likely-move") not in ([], before))


CHOOSE = """
    const lists = [...document.querySelectorAll('.human-moves select')];
    const list = lists.find((list) => [...list.options].some((option) => option.value === arguments[0]));
    list.value = arguments[0];
    list.dispatchEvent(new Event('change'));
"""


def numbers(visit: "Visit") -> dict[str, int]:
    """The small numbers on the board, by square."""
    script = """
        const found = {};
        for (const n of document.querySelectorAll('.heat-numbers span'))
            if (n.textContent) found[n.dataset.square] = Number(n.textContent);
        return found;
    """
    found: dict[str, int] = visit.driver.execute_script(script)
    return found


DRAG = """
    window.asked = 0;
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) {
        window.asked += text.includes('human_moves.predict');
        send.call(this, text);
    };
    const slider = document.querySelector('.human-moves input[type=range]');
    for (let elo = 2025; elo <= 2900; elo += 25) {
        slider.value = elo;
        slider.dispatchEvent(new Event('input'));
    }
"""
"""The slider goes from one end to the other faster than anybody could answer."""


def click_on(visit: "Visit", square: str) -> None:
    """With the mouse, as chessground wants it; White is at the bottom."""
    from selenium.webdriver.common.action_chains import ActionChains

    board = visit.find(".human-moves cg-board")
    size = board.size["width"] / 8
    right, up = "abcdefgh".index(square[0]) - 3.5, int(square[1]) - 4.5
    ActionChains(visit.driver).move_to_element_with_offset(board, int(right * size), int(-up * size)).click().perform()


class TestInTheBrowser:
    def test_pieces_then_squares_then_a_move_and_the_map(self, visit: "Visit") -> None:
        visit.until(lambda: numbers(visit))
        assert {square[1] for square in numbers(visit)} <= {"1", "2"}
        click_on(visit, "b1")
        visit.until(lambda: {"a3", "c3"} == set(numbers(visit)))
        assert "on b1" in visit.find(".human-moves .says").text
        click_on(visit, "e5")
        visit.until(lambda: {"a3", "c3"} != set(numbers(visit)) and numbers(visit))

        visit.driver.execute_script(DRAG)
        visit.until(lambda: "A player rated 2900" in visit.find(".human-moves .says").text)
        assert 2 == visit.driver.execute_script("return window.asked"), "one in flight, then the newest"
        visit.find("input[role=switch]").click()
        visit.until(
            lambda: visit.all(".heat-colours i.illegal") and {"3", "4", "5", "6"} & {s[1] for s in numbers(visit)}
        )

        visit.driver.execute_script("document.querySelector('.likely-move').click()")
        visit.until(lambda: len(visit.all(".human-moves .moves button")) == 1)
        visit.until(lambda: len(visit.all(".stop")) == 2 and visit.find(".stop.here.black"))
        assert [] == visit.serious()
        with visit.on_a_phone():
            assert visit.fits
        visit.driver.refresh()
        visit.until(lambda: len(visit.all(".human-moves .moves button")) == 1 and visit.all(".likely-move"))

    def test_a_rating_that_no_brain_has_seen_is_refused(self, visit: "Visit") -> None:
        visit.until(lambda: "(2000 to 2900)" in visit.find(".human-moves-controls").text)
        visit.driver.execute_script("location.hash = '#human_moves?elo=500'")

        visit.until(lambda: "A rating of 500 is refused" in visit.find(".banner").text)
        visit.until(lambda: "A player rated 2000" in visit.find(".human-moves .says").text)

    def test_it_follows_the_game_of_play_and_links_lead_here(self, visit: "Visit") -> None:
        from selenium.webdriver.common.keys import Keys

        visit.driver.execute_script("location.hash = '#play'")
        visit.until(lambda: visit.find(".entry")).send_keys("d4" + Keys.ENTER)
        visit.until(lambda: "d4" in visit.texts(".play .moves button"))
        visit.driver.execute_script("location.hash = '#human_moves'")
        visit.until(lambda: "d4" in visit.texts(".human-moves .moves button"))
        visit.driver.execute_script(f"location.hash = '#human_moves?fen={quote(PINNED)}'")
        visit.until(lambda: len(visit.all(".human-moves cg-board piece")) == 4)
        assert not visit.all(".human-moves .moves button")
