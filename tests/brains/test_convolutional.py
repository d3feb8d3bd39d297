"""Thinking and playing with convolutional brains, through the one door to all brains."""

import io
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import images
import numpy as np
import pytest
from networks import NUMBER, SCORE, Perceptron

from okapi.arena.in_process import InProcessWorkers, can_play_in_process
from okapi.arena.match import Match, WorkerFactory, play_match
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import LocalWorkers
from okapi.brains import evaluations, evaluator, is_native
from okapi.brains.evaluation import Convolutional
from okapi.cli import main
from okapi.core import Evaluator, Limits, Position, RawBrain, Search
from okapi.core.evaluation import choose, evaluate
from okapi.core.packed import pack, random_positions
from okapi.errors import InvalidBrain
from okapi.players import parse_player

POSITIONS = random_positions(300, seed=3)[::3]
MIDDLEGAME = Position.from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3")


@pytest.fixture(scope="module")
def brain(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(images.write(tmp_path_factory.mktemp("brains")))


class TestTheDoor:
    def test_an_evaluator_says_what_the_brain_thinks(self, brain: str) -> None:
        wanted = Convolutional.open(Path(brain)).centipawns(POSITIONS)

        assert not is_native(brain)
        assert wanted.tolist() == evaluate([evaluator(brain)], POSITIONS)[0].tolist()

    def test_opinions_are_values_and_classes(self, brain: str) -> None:
        told = evaluations(brain, POSITIONS)
        cp = evaluate([evaluator(brain)], POSITIONS)[0]

        assert told.classes is not None
        np.testing.assert_allclose(told.classes.sum(axis=1), 1, atol=1e-5)
        np.testing.assert_allclose(told.values, 1 / (1 + 10 ** (-cp / 400)), atol=1e-3)
        assert images.CLASSES == told.output

    @pytest.mark.parametrize("output", [NUMBER, SCORE, images.CLASSES], ids=lambda output: str(output["form"]))
    def test_perceptrons_have_opinions_of_the_same_shape(self, tmp_path: Path, output: Mapping[str, Any]) -> None:
        count = len(output.get("values", [0]))
        network = Perceptron.random("vector-65", [8, count], ["tanh", "none" if count > 1 else "sigmoid"], output)
        path = tmp_path / "made.safetensors"
        path.write_bytes(network.file())
        told = evaluations(str(path), POSITIONS)
        cp = evaluate([evaluator(str(path))], POSITIONS)[0]

        np.testing.assert_allclose(told.values, 1 / (1 + 10 ** (-cp / 400)), atol=1e-3)
        assert (told.classes is None) == (count == 1)
        assert told.output == output

    def test_brains_of_the_core_have_opinions_too(self) -> None:
        told = evaluations("material", pack([Position.from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")]))

        assert (0.36, None, {}) == (told.values.round(2).item(), told.classes, told.output)

    def test_okapi_brains_needs_no_numpy(self) -> None:
        code = "import sys; sys.modules['numpy'] = None; import okapi.brains"

        assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


class TestPlaying:
    def test_a_choice_at_one_ply_is_one_question(self, brain: str) -> None:
        sizes: list[int] = []
        network = Convolutional.open(Path(brain))

        def tell(rows: np.ndarray, values: np.ndarray) -> None:
            sizes.append(len(rows))
            values[:] = network.centipawns(rows.view(POSITIONS.dtype)[:, 0])

        naive = Search(Evaluator.from_packed(tell), without=["all"]).run(MIDDLEGAME, Limits(depth=1))
        greedy = parse_player(f"greedy:{brain}").choose(MIDDLEGAME, Limits())

        assert [1, len(MIDDLEGAME.legal_moves())] == sizes, "the position itself, and all that follow"
        assert naive.move == greedy.move

    def test_a_search_in_batches_is_the_same_search(self, brain: str) -> None:
        """The memory of values is small and its batches are many; neither may change what is found."""
        native = Evaluator.from_brain(RawBrain.default())

        def tell(rows: np.ndarray, values: np.ndarray) -> None:
            values[:] = evaluate([native], rows.view(POSITIONS.dtype)[:, 0])[0]

        asked, known = (
            Search(judging, table_mb=1).run(MIDDLEGAME, Limits(depth=6))
            for judging in (Evaluator.from_packed(tell), native)
        )

        assert (known.nodes, known.move, known.value) == (asked.nodes, asked.move, asked.value)

    def test_several_threads_ask_together(self, brain: str) -> None:
        one, four = (choose([evaluator(brain)], POSITIONS[::20], depth=2, threads=threads) for threads in (1, 4))

        assert one.all()
        assert one.tolist() == four.tolist()

    @pytest.mark.parametrize("make_workers", [partial(InProcessWorkers, threads=3), partial(LocalWorkers, count=1)])
    def test_a_match_can_be_played(self, brain: str, make_workers: WorkerFactory, tmp_path: Path) -> None:
        (tmp_path / "mates.epd").write_text("6k1/5ppp/8/8/8/8/8/R5K1 w - -\n")
        match = Match(
            first=f"alphabeta:{brain},hash=1",
            second="alphabeta:material,hash=1",
            control=TimeControl(nodes=60),
            openings=str(tmp_path / "mates.epd"),
        )
        report = play_match(match, 2, store=tmp_path / "games.sqlite", make_workers=make_workers)

        assert can_play_in_process(match.game_settings())
        assert 2 == report.games
        assert not report.faults

    def test_what_goes_wrong_in_a_game_is_told(self, tmp_path: Path) -> None:
        tensors = {name: np.full_like(values, 3e38) for name, values in images.sabatelli().items()}
        exploding = images.write(tmp_path, made=tensors, name="exploding")

        with pytest.raises(InvalidBrain, match="not finite"):
            parse_player(str(exploding)).choose(Position.start(), Limits(depth=2))

    def test_it_speaks_uci(
        self, brain: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO("uci\nposition startpos moves e2e4\ngo depth 2\n"))

        assert 0 == main(["uci", "--brain", brain])
        assert "bestmove" in capfd.readouterr().out

    def test_the_native_program_says_who_can(self, brain: str) -> None:
        with pytest.raises(InvalidBrain, match="okapi uci --brain"):
            Evaluator.from_brain(RawBrain.open(brain))
