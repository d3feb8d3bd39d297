"""lai2015: what was published makes sense, what is counted is counted right, and the whole thesis at its smallest."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from html_reader import check

from okapi.arena.suite import SuiteAnswer, read_suite
from okapi.cli import main
from okapi.core import Decision, Value
from okapi.errors import UsageError
from okapi.models.express import express, rebuilt
from okapi.models.lai2015 import MODALITIES, Apart, apart, together
from okapi.papers.experiment import ExperimentContext
from okapi.papers.lai2015 import PAPER
from okapi.papers.lai2015.engine import marked
from okapi.papers.lai2015.headlines import PUBLISHED
from okapi.papers.lai2015.learning import table_2
from okapi.papers.lai2015.players import Players
from okapi.papers.lai2015.representation import NETWORKS, features
from okapi.papers.lai2015.search import below_move, places, tree_picture
from okapi.recipes.config import RecipeConfig

torch.set_num_threads(1)

SUITE = Path(__file__).with_name("strategic.epd")


def lab(folder: Path) -> ExperimentContext:
    return ExperimentContext(size="tiny", folder=folder, seed=1, executor=RecipeConfig().executor)


# --- What was published -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("table", "in_three"), [(PUBLISHED.table_4, 69.59), (PUBLISHED.table_5, 55.38)])
def test_ranks_are_all_there_is(table: tuple[float, ...], in_three: float) -> None:
    assert 12 == len(table)
    assert pytest.approx(100, abs=0.03) == sum(table)
    assert pytest.approx(in_three, abs=0.02) == sum(table[:3])


def test_table_2_follows_from_its_scores() -> None:
    scores = [step.score for step in PUBLISHED.table_2]
    changes = [0, *np.diff(scores)]

    assert [step.change for step in PUBLISHED.table_2] == changes
    for place, step in enumerate(PUBLISHED.table_2):
        assert pytest.approx(step.contribution, abs=0.01) == step.change * 0.7**place


def test_more_time_brings_more_points() -> None:
    one, half, tenth = (engine.points for engine in PUBLISHED.table_3[:3])
    assert one > half > tenth
    assert all(engine.points < PUBLISHED.most_points for engine in PUBLISHED.table_3)


def test_table_2_here_is_the_thesis_but_for_its_sum(tmp_path: Path) -> None:
    told = table_2(lab(tmp_path))

    assert pytest.approx([step.contribution for step in PUBLISHED.table_2], abs=0.01) == told["contributions"]
    assert pytest.approx(3.9147, abs=0.0005) == told["total"]
    assert pytest.approx(told["total"] / 0.7, abs=0.001) == told["by_the_rule"]


def test_figures_1_and_2(tmp_path: Path) -> None:
    told = features(lab(tmp_path))

    assert len(PUBLISHED.table_1) == told["agree"]
    assert 363 == sum(told["kinds"].values())
    assert told["apart"]["bitmap-768"]["left"] == told["apart"]["bitmap-768"]["right"]
    assert told["apart"]["giraffe-363"]["left"] < told["apart"]["giraffe-363"]["right"]


# --- What is counted --------------------------------------------------------------------------------------------------


def test_points_are_parts_of_15000() -> None:
    tasks = read_suite(SUITE)
    moves = [task.position.move(san) for task, san in zip(tasks, ("O-O", "h3", "h4", "Rb8"), strict=True)]
    answers = [
        SuiteAnswer(task, Decision(move, Value(0.5, task.position.turn), (move,), nodes), 0.1)
        for task, move, nodes in zip(tasks, moves, (100, 300, 0, 200), strict=True)
    ]

    told = marked(answers)
    assert PUBLISHED.most_points * (1.0 + 0.3 + 0.2 + 0.0) / 4 == told["points"]
    assert told["low"] < told["points"] < told["high"]
    assert (1, 4, 200, 0) == tuple(told[key] for key in ("solved", "count", "nodes", "failed"))
    assert {"Safety": 0.65, "Kings": 0.1} == told["themes"]


def test_who_plays() -> None:
    with_network, alone = Players("giraffe", "giraffe-moves"), Players("giraffe", None)

    assert "alphabeta:giraffe,budget=depth+ask=4,moves=giraffe-moves" == with_network.player()
    assert "alphabeta:giraffe,budget=learned,moves=giraffe-moves" == with_network.player("learned")
    assert "alphabeta:giraffe" == alone.player() == with_network.player("depth")
    ordered = Players("giraffe", "giraffe-moves", "ordered").player()
    assert "alphabeta:giraffe,budget=depth+ask=4,moves=giraffe-moves,with=learned_ordering" == ordered
    assert "alphabeta:giraffe,budget=even,without=all" == with_network.player("even", "all")


def test_what_grows_below_a_move() -> None:
    parents = np.array([-1, 0, 0, 1, 1, 2, 4])

    assert [False, True, False, True, True, False, True] == below_move(parents, np.array([1])).tolist()


def test_a_tree_has_room_for_every_leaf() -> None:
    nodes = [(-1, 0, 0), (0, 1, 1), (0, 1, 0), (0, 1, 0), (1, 2, 1), (1, 2, 1), (2, 2, 0)]

    leaves = sorted(place for place, node in zip(places(nodes), range(7), strict=True) if node in (3, 4, 5, 6))
    assert pytest.approx([1 / 8, 3 / 8, 5 / 8, 7 / 8]) == leaves
    assert "7 nodes to ply 2, 3 of them below e4" in tree_picture("depth", nodes, "e4")


# --- The lessons ------------------------------------------------------------------------------------------------------


def test_networks_of_one_class_are_of_a_size() -> None:
    for weight in ("light", "heavy"):
        sizes = [_size(network.model, network.arguments) for network in NETWORKS if network.weight == weight]
        assert max(sizes) < 1.05 * min(sizes)


def test_modalities_stay_apart_while_they_learn() -> None:
    model = apart([3, 4, 2], 5)
    for _ in range(3):
        model.zero_grad()
        (model(torch.rand(8, sum(MODALITIES.values()))) - 1).square().mean().backward()
        with torch.no_grad():
            for weights in model.parameters():
                assert weights.grad is not None
                weights.sub_(10 * weights.grad.sign())
    first = model[0]
    assert isinstance(first, Apart)

    outside = first.weight.detach()[first.within == 0]
    assert 0 == outside.count_nonzero()
    seen = torch.rand(4, sum(MODALITIES.values()))
    assert torch.allclose(model(seen), rebuilt(express(model))(seen), atol=1e-6)


def test_as_many_neurons_as_kinds_of_features() -> None:
    with pytest.raises(UsageError, match="2 groups of neurons for 3 kinds"):
        apart([3, 4], 5)


def _size(model: str, arguments: dict[str, object]) -> int:
    made = {"apart": apart, "together": together}[model](**arguments)  # type: ignore[operator]
    return sum(
        layer.size if isinstance(layer, Apart) else sum(weights.numel() for weights in layer.parameters())
        for layer in made
    )


# --- All of it --------------------------------------------------------------------------------------------------------


def test_from_the_command_to_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("okapi.papers.rating.is_installed", lambda: False)
    monkeypatch.setattr("okapi.papers.lai2015.engine.ENGINES", {"Nobody": "uci:no-such-engine"})
    monkeypatch.setattr("okapi.recipes.labels.NODES", 40)
    monkeypatch.setattr("okapi.papers.games.NODES", 40)
    changes = ["--change", f"sts.suite={SUITE}"]

    assert 0 == main(
        ["paper", "lai2015", "--size", "tiny", "--threads", "1", "--out", str(tmp_path), "--json", *changes]
    )
    answer = json.loads(capsys.readouterr().out)
    skipped = {"strength"}
    assert {name: "skipped" if name in skipped else "done" for name in PAPER.experiments} == answer["experiments"]
    page = (tmp_path / "index.html").read_text()
    check(page)
    assert "stockfish is not installed" in page
    assert "Nobody" in page and "not installed</td>" in page
    assert not re.search(r"\b(nan|None|inf)\b", page)
