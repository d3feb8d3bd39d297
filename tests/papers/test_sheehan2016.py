"""sheehan2016: what was published makes sense, data are cut as it says, and the whole paper runs at its smallest."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from html_reader import check

from okapi.cli import main
from okapi.core import Position
from okapi.core.packed import POSITION, fens, pack
from okapi.papers.jobs import differential
from okapi.papers.page import read_paper
from okapi.papers.sheehan2016.headlines import PUBLISHED
from okapi.papers.sheehan2016.play import triplets
from okapi.papers.sheehan2016.training import GAME, jobs
from okapi.recipes import RECIPES, find_recipe
from okapi.recipes.config import RecipeConfig
from okapi.recipes.exercises import master_games
from okapi.recipes.sheehan2016 import TABLE_2, buckets

PAPER = read_paper("sheehan2016")


def test_table_3() -> None:
    assert pytest.approx(PUBLISHED.table_3["Net A"] - PUBLISHED.table_3["Net C"]) == PUBLISHED.gain
    assert list(TABLE_2) == list(PUBLISHED.table_3)


def test_the_game_of_figure_5_has_its_differentials() -> None:
    published = {board.name: board.differential for board in PUBLISHED.figure_5}
    for name, moves in GAME.items():
        position = Position.start()
        before, found, _ = PUBLISHED.alekhine.partition(moves)
        for san in (before + found).split():
            position.play(san)

        assert [published[name]] == differential(pack([position])).tolist()


def test_the_differential_is_that_of_table_1() -> None:
    letters = dict(zip("PNBRQ", PUBLISHED.table_1.values(), strict=True))
    for letter, worth in letters.items():
        white, black = (
            Position.from_fen(f"4k3/8/8/8/8/{piece}7/8/4K3 w - - 0 1") for piece in (letter, letter.lower())
        )

        assert [worth, -worth] == differential(pack([white, black])).tolist()


def test_buckets_have_equal_population_among_those_that_are_trained_on() -> None:
    rng = np.random.default_rng(1)
    values, turns = rng.normal(30, 300, 20_000).astype(np.int16), rng.integers(0, 2, 20_000)
    trained = np.arange(20_000) < 15_000

    target = buckets(values, turns, trained)
    counts = np.bincount(target.of(values, turns)[trained], minlength=10)
    assert 10 == len(counts)
    assert counts.min() > 1400
    assert counts.max() < 1600
    assert target == buckets(values[:15_000], turns[:15_000], trained[:15_000])


def test_buckets_stay_ten_where_most_positions_are_level() -> None:
    values = np.array([0] * 80 + list(range(-10, 10)), np.int16)

    assert 9 == len(buckets(values, np.zeros(100, np.int64), np.ones(100, np.bool_)).edges)


@pytest.mark.parametrize("size", ["tiny", "quick", "full"])
def test_every_net_has_lessons_under_every_split(size: str) -> None:
    values, turns = np.arange(-500, 500).astype(np.int16), np.zeros(1000, np.int64)
    parts = {"games": np.zeros(1000, np.uint8), "positions": np.zeros(1000, np.uint8)}

    made = jobs(size, values, turns, parts)  # type: ignore[arg-type]
    for split in parts:
        assert {"a-letter", "b-letter", "c-letter", "a-better", "c-better"} <= {
            name.removesuffix(f"-{split}") for name in made if name.endswith(split)
        }
    assert ["ours-own-games"] == [name for name in made if name.startswith("ours")]


def test_triplets_are_a_position_the_next_one_and_another() -> None:
    order = RecipeConfig(size="tiny")
    exercises = master_games(None, "tiny", order.executor).training.take(np.arange(200))

    made = triplets(exercises, np.random.default_rng(1))
    assert len(made) > 100
    for sample in made[:20]:
        p, q, r = (Position.from_fen(fen) for fen in fens(np.ascontiguousarray(sample).view(POSITION).reshape(-1)))
        reached = {p.after(move).fen().rsplit(" ", 2)[0] for move in p.legal_moves()}
        assert {board.fen().rsplit(" ", 2)[0] for board in (q, r)} <= reached
        assert q.fen() != r.fen()


@pytest.mark.parametrize("name", [name for name in RECIPES if name.startswith("sheehan-")])
def test_trainings_can_be_had(name: str) -> None:
    made = find_recipe(name).make(RecipeConfig(size="tiny"))

    assert name == made.name
    assert 10 == len(made.job.target.edges) + 1


def test_from_the_command_to_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("okapi.papers.rating.is_installed", lambda: False)

    assert 0 == main(["paper", "sheehan2016", "--size", "tiny", "--threads", "1", "--out", str(tmp_path), "--json"])
    answer = json.loads(capsys.readouterr().out)
    skipped = {"strength"}
    assert {name: "skipped" if name in skipped else "done" for name in PAPER.experiments} == answer["experiments"]
    assert {key for key, figure in answer["figures"].items() if figure["ours"] is None} == {
        key for key, figure in answer["figures"].items() if figure["experiment"] in skipped
    }
    page = (tmp_path / "index.html").read_text()
    check(page)
    assert "stockfish is not installed" in page
    assert not re.search(r"\b(nan|None|inf)\b", page)
