"""singh2015: sample moves, V and material, the map of test boards, with networks that are made up, and their page."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from networks import tensors
from singh_networks import made_up_networks

from okapi.brains.files import write_brain
from okapi.core import Game, Position
from okapi.core.packed import pack, pack_fens
from okapi.data.store import Store, StoreWriter
from okapi.formats.html import document
from okapi.papers.experiment import ExperimentResult
from okapi.papers.page import PaperPage
from okapi.papers.singh2015 import accuracy, evaluation
from okapi.papers.singh2015.evaluation import after_each_move, correlation, material, packed_board, values
from okapi.papers.singh2015.headlines import PUBLISHED
from okapi.papers.singh2015.positions import CASES, CHECK, EVALUATED, MATE, SOCHI, Case
from okapi.papers.singh2015.training import EvaluationSet, TrainedNetworks

MOVES_OF_SOCHI = """e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6 c4 Nf6 Nc3 Bb4 Qd3 Nc6 Nxc6 dxc6 Qxd8+ Kxd8 e5 Nd7 Bf4 Bxc3+ bxc3 Kc7
 h4 b6 h5 h6 O-O-O Bb7 Rd3 c5 Rg3 Rag8 Bd3 Nf8 Be3 g6 hxg6 Nxg6 Rh5 Bc6 Bc2 Kb7 Rg4 a5 Bd1 Rd8 Bc2 Rdg8 Kd2"""


def write_value(folder: Path, gamma: float, seed: int = 1) -> Path:
    """A random ChessNet-2, as small as a test needs."""
    path = folder / f"outcome-{gamma}.safetensors"
    layers = [
        {"do": "convolve", "name": "1", "activation": "tanh"},
        {"do": "flatten"},
        {"do": "dense", "name": "2", "activation": "tanh"},
        {"do": "dense", "name": "3", "activation": "tanh"},
    ]
    card = {
        "name": path.stem,
        "kind": "convolutional",
        "encoding": "planes-6",
        "layers": json.dumps(layers),
        "output": json.dumps({"form": "number", "view": "mover", "low": 0, "high": 10_000}),
    }
    write_brain(path, card, tensors(seed, {"1": (4, 6, 3, 3), "2": (16, 256), "3": (1, 16)}))
    return path


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> TrainedNetworks:
    folder = tmp_path_factory.mktemp("trained")
    outcome = {gamma: write_value(folder, gamma) for gamma in (0.9, 0.7)}
    return replace(made_up_networks(folder), outcome=outcome)


@pytest.fixture(scope="module")
def expected(trained: TrainedNetworks) -> dict[str, Any]:
    assert trained.seven is not None and trained.ours is not None
    return accuracy.predictions({"seven": trained.seven, "ours": trained.ours})


@pytest.fixture(scope="module")
def judged(trained: TrainedNetworks) -> dict[str, Any]:
    return evaluation.evaluated(trained.outcome, trained.tests, games=12, played_out=1)


def result(data: dict[str, Any]) -> ExperimentResult:
    """As it comes back from a file."""
    return ExperimentResult(data=json.loads(json.dumps(data)), settings={}, seconds=1, version="1", machine="this")


def page_section(title: str, **found: dict[str, Any]) -> str:
    """A section of the page with these results."""
    page = PaperPage("singh2015")
    section = next(section for section in page.declared["section"] if section["title"] == title)
    return document("t", "s", [page.section(section, {name: result(data) for name, data in found.items()})])


class TestTheBoards:
    @pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)
    def test_the_move_that_was_hoped_for_is_legal(self, case: Case) -> None:
        assert case.move in {case.position.uci(move) for move in case.position.legal_moves()}

    def test_the_rook_mates(self) -> None:
        position = Position.from_fen(MATE)

        assert "checkmate" == position.after(position.move("Rd8")).ending()
        assert "Ra2" in {position.san(move) for move in position.legal_moves()}, "as Figure 3.12 says"

    def test_the_pawn_gives_check_and_is_guarded(self) -> None:
        board = chess.Board(CHECK)

        assert board.is_check() and [chess.H2] == list(board.checkers())
        assert {"g1h1", "g1f1"} == {move.uci() for move in board.legal_moves}

    def test_the_game_of_sochi_is_the_real_one(self) -> None:
        position = Position.start()
        for san in MOVES_OF_SOCHI.split():
            position.play(position.move(san))

        assert SOCHI == position.fen()
        assert set(PUBLISHED.table_3_5) <= {str(move) for move in position.legal_moves()}


class TestCases:
    def test_heat_maps_are_shares_of_one(self, expected: Mapping[str, Any]) -> None:
        assert 2 * len(CASES) == len(expected["rows"])
        for row in expected["rows"]:
            assert sum(row["moves"].values()) == pytest.approx(1, abs=1e-3)
            for how in ("unmasked", "masked"):
                assert sum(row[how]["origin"]) == pytest.approx(1, abs=1e-3)
                assert sum(row[how]["target"]) == pytest.approx(1 if row[how]["goes"] else 0, abs=1e-3)
            assert row["masked"]["goes"]

    def test_nothing_illegal_is_left_behind_the_mask(self, expected: Mapping[str, Any]) -> None:
        for row in expected["rows"]:
            case = next(case for case in CASES if case.key == row["key"])
            legal = {case.position.uci(move)[:4] for move in case.position.legal_moves()}
            masked = row["masked"]

            assert masked["piece"] + masked["goes"] in legal
            assert {move[:2] for move in legal} >= {
                name for name, share in zip(chess.SQUARE_NAMES, masked["origin"], strict=True) if share
            }
            assert 0 < row["illegal"] < 1, "random networks know no rules"

    def test_the_table_of_sochi_has_its_twenty_moves(self, expected: Mapping[str, Any]) -> None:
        rows = [row for row in expected["rows"] if row["key"] == "sochi"]

        assert [list(PUBLISHED.table_3_5)] * 2 == [list(row["table"]) for row in rows]

    def test_the_page_shows_three_boards_in_each_picture(self, expected: dict[str, Any]) -> None:
        drawn = page_section("Sample moves", cases=expected)

        assert 4 * len(CASES) == drawn.count('<svg class="board"')
        assert 3 * 4 * len(CASES) == drawn.count('class="panel"')
        assert 1 == drawn.count('id="white-pawn"'), "pieces stand in the page once"
        assert "Table 3.5" in drawn and "En passant: the seven networks" in drawn
        assert re.search(
            r"En passant: the seven networks</th>.*e.* %</td><td>[\d.]+ %</td><td>[\d.]+ %</td></tr>", drawn
        )

    def test_a_page_without_them_says_so(self) -> None:
        assert "the experiment cases was not made" in page_section("Sample moves")


class TestV:
    def test_boards_are_packed_as_the_core_does_it(self) -> None:
        for fen in (MATE, CHECK, SOCHI):
            assert pack_fens([fen]).tobytes() == packed_board(chess.Board(fen)).tobytes()

    def test_moves_into_check_are_judged_and_marked(self, trained: TrainedNetworks) -> None:
        rows = after_each_move(trained.outcome[0.7], Position.from_fen(CHECK))

        assert {"g1h1", "g1f1"} == {row["move"] for row in rows if row["legal"]}
        assert {"g1h2", "g1g2", "g1f2", "a6a7"} == {row["move"] for row in rows if not row["legal"]}
        assert rows == sorted(rows, key=lambda row: -row["value"])

    def test_a_value_behind_a_legal_move_is_the_opponents_turned_round(self, trained: TrainedNetworks) -> None:
        brain, position = trained.outcome[0.7], Position.from_fen(MATE)
        rows = {row["move"]: row["value"] for row in after_each_move(brain, position)}
        behind = pack([position.after(position.move("Rd8"))])

        assert rows["d2d8"] == pytest.approx(-values(brain, behind)[0], abs=1e-5)

    def test_material_is_counted_as_in_table_3_6(self) -> None:
        missing = MATE.replace("7P", "8")
        positions = pack_fens([Position.start().fen(), missing, missing.replace(" w ", " b ")])

        assert [0, -1, 1] == material(positions).tolist()


class TestCorrelation:
    def test_it_is_pearsons(self) -> None:
        rng = np.random.default_rng(1)
        x = rng.normal(size=300)
        y = x + rng.normal(size=300)
        found = correlation(x, y, np.arange(300) // 3)

        assert found["value"] == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-4)
        assert found["low"] < found["value"] < found["high"]
        assert (300, 100) == (found["boards"], found["games"])

    def test_boards_that_say_the_same_make_nobody_surer(self) -> None:
        rng = np.random.default_rng(2)
        x, y = rng.normal(size=(2, 50))
        once = correlation(x, y, np.arange(50))
        often = correlation(np.repeat(x, 40), np.repeat(y, 40), np.repeat(np.arange(50), 40))

        assert often["value"] == pytest.approx(once["value"], abs=1e-4)
        assert often["high"] - often["low"] == pytest.approx(once["high"] - once["low"], abs=2e-4)

    def test_a_number_that_never_changes_goes_with_nothing(self) -> None:
        assert correlation(np.zeros(5), np.arange(5), np.arange(5))["value"] is None


class TestEvaluation:
    def test_games_that_ended_in_mate_are_told_from_others(self, trained: TrainedNetworks, tmp_path: Path) -> None:
        position, moves = Position.start(), []
        for san in ("f3", "e5", "g4", "Qh4#"):
            moves.append(position.move(san))
            position.play(moves[-1])
        with StoreWriter.open(tmp_path / "games.okapi") as writer:
            writer.add(Game(Position.start(), tuple(moves), "0-1"))
            writer.add(Game(Position.start(), tuple(moves[:2]), "1-0"))
        boards = evaluation.EvaluatedBoards(
            EvaluationSet.of(Store.open(tmp_path / "games.okapi"), [0, 1], []), trained.outcome[0.7]
        )

        assert [True] * 4 + [False] * 2 == boards.mated.tolist()
        assert [4, 3, 2, 1, 2, 1] == boards.left.tolist()
        on, game = evaluation.play_out(boards, 5, 1)
        assert len(on) > 2 and {1} == set(game.tolist()), "only what was resigned is played on"

    def test_the_smallest_discount_is_looked_at_closely(self, judged: Mapping[str, Any]) -> None:
        assert 0.7 == judged["gamma"]
        assert ["0.7", "0.9"] == list(judged["correlations"])
        assert len(EVALUATED) * 2 == len(judged["best"])

    def test_parts_of_the_boards_are_told_apart(self, judged: Mapping[str, Any]) -> None:
        rows = {row["boards_of"]: row for row in judged["reasons"]}
        near = [row["boards"] for name, row in rows.items() if "plies from the end" in name]

        assert rows["all test boards"]["boards"] == sum(near)
        on, before, both = (row["boards"] for row in judged["reasons"][-3:])
        assert both == on + before

    def test_examples_fit_their_rules(self, judged: Mapping[str, Any]) -> None:
        by_title = {row["title"]: row for row in judged["examples"]}

        assert by_title["highest V"]["value"] >= by_title["lowest V"]["value"]
        assert 0 == by_title["highest V with equal material"]["material"]
        assert by_title["most material"]["material"] == max(row["material"] for row in judged["examples"])

    def test_the_page_says_why(self, judged: dict[str, Any]) -> None:
        drawn = page_section("Board evaluations", evaluation=judged)

        for words in ("Figure 3.11", "Figure 3.13", "Figure 3.14", "Figure 3.15", "0.8194", "games that were resigned"):
            assert words in drawn
        assert "the experiment trajectories was not made" in drawn


class TestTrajectories:
    def test_a_winner_and_a_loser_walk_over_the_map(self, trained: TrainedNetworks) -> None:
        pytest.importorskip("sklearn", reason="pip install 'okapi-chess[analysis]'")
        told = evaluation.mapped(trained.outcome[0.7], trained.tests, boards=60, perplexity=10, rounds=50)
        drawn = page_section("Board evaluations", trajectories={"gamma": 0.7, **told})

        assert 60 == len(told["points"]) == len(told["values"])
        assert told["plies"] == len(told["winner"]) + len(told["loser"])
        assert 0 < told["games"] and 0 <= told["above"] <= told["games"]
        assert "Figure 3.16" in drawn and "the winner" in drawn
        assert 4 == drawn.count("<polyline")
