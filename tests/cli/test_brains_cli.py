"""`okapi brains compare`, and what `show` and `eval` tell of networks."""

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_nnue import random_nnue

from okapi.analysis.compare import DisagreementList
from okapi.analysis.positions import self_play_positions
from okapi.brains import card, evaluations, find
from okapi.brains.files import read_tensors
from okapi.cli import main
from okapi.cli.console import Exit
from okapi.core.networks import Network
from okapi.core.packed import NO_GAME, SAMPLE, random_positions
from okapi.data.sources import write_samples
from okapi.encodings import find_encoding

Capture = pytest.CaptureFixture[str]


def okapi(line: str) -> int:
    return main(shlex.split(line))


def data(capsys: Capture) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Positions of random games, whose teacher counts 100 for every one of them."""
    rows = np.zeros(200, SAMPLE)
    rows["position"], rows["game"], rows["value"] = random_positions(200, seed=4), NO_GAME, 100
    write_samples(tmp_path / "labels.samples", [rows])
    return tmp_path / "labels.samples"


class TestCompare:
    def test_the_numbers_are_those_of_the_brains(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("brains compare okapi-28 material --most 300 --worst 3 --json")
        answer = data(capsys)
        positions = self_play_positions(300)["position"]
        apart = np.abs(evaluations("okapi-28", positions).values - evaluations("material", positions).values)

        (pair,) = answer["pairs"]
        assert (["okapi-28", "material"], 300) == (answer["judges"], answer["positions"])
        assert float(apart.mean()) == pytest.approx(pair["mean"], abs=1e-5)
        assert pair["low"] < pair["mean"] < pair["high"] and pair["correlation"] > 0.8
        assert {"opening", "in check", "queens off"} <= set(pair["kinds"])
        worst = answer["worst"][0]["values"]
        assert float(apart.max()) == pytest.approx(abs(worst["okapi-28"] - worst["material"]), abs=1e-4)

    def test_as_text_there_are_boards(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("brains compare okapi-28 material --most 200 --worst 1")
        text = capsys.readouterr().out

        assert "okapi-28 – material: apart by 0." in text and "middlegame" in text
        assert "a  b  c  d  e  f  g  h" in text and "to move" in text

    def test_a_teacher_is_a_judge(self, labels: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"brains compare material --teacher {labels} --json")
        (pair,) = data(capsys)["pairs"]
        exact = np.abs(evaluations("material", random_positions(200, seed=4)).values - 1 / (1 + 10 ** (-100 / 400)))

        assert ("material", "teacher") == (pair["first"], pair["second"])
        assert float(exact.mean()) == pytest.approx(pair["mean"], abs=1e-4)
        assert pair["correlation"] is None, "a teacher who always says the same agrees with nobody"

    def test_two_brains_and_their_teacher(self, labels: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"brains compare okapi-28 material --teacher {labels} --worst 0")

        assert "okapi-28 – material" in (text := capsys.readouterr().out) and "material – teacher" in text

    def test_boards_of_each_kind_of_position(self, labels: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"brains compare material --teacher {labels} --worst 0 --each 1")
        assert "in check: where material and teacher are furthest apart" in capsys.readouterr().out
        assert Exit.DONE == okapi(f"brains compare material --teacher {labels} --worst 0 --each 2 --json")

        assert 2 == len(data(capsys)["worst_of_kind"]["in check"])

    def test_where_nothing_hangs_only_knowledge_is_compared(self, labels: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"brains compare material --teacher {labels} --quiet --json")
        answer = data(capsys)

        (pair,) = answer["pairs"]
        assert answer["positions"] == pair["kinds"]["quiet"]["positions"] < 200
        assert not {"in check", "something to take", "something to save"} & set(pair["kinds"])

    def test_a_page_shows_it_all(self, labels: Path, tmp_path: Path) -> None:
        page = tmp_path / "apart.html"
        assert Exit.DONE == okapi(f"brains compare okapi-28 material --teacher {labels} --worst 2 --page {page} --json")
        html = page.read_text()

        assert 2 == html.count('class="board"') and "One against the other" in html
        assert "queens off" in html and "okapi-28 – teacher" in html

    def test_a_list_is_left_for_the_board(self, labels: Path, tmp_path: Path) -> None:
        assert Exit.DONE == okapi(f"brains compare material --teacher {labels} --leave {tmp_path} --json")
        listed = DisagreementList.read(tmp_path / "disagreements.json")

        assert ("material", "labels.samples") == (listed.brain, listed.teacher)
        apart = [abs(told.teacher - told.value) for told in listed.positions]
        assert apart == sorted(apart, reverse=True) and len(apart) > 20

    def test_two_files_of_one_name_are_told_apart_by_their_paths(
        self, sorter: Path, tmp_path: Path, capsys: Capture
    ) -> None:
        (tmp_path / "copy.safetensors").write_bytes(sorter.read_bytes())
        assert Exit.DONE == okapi(f"brains compare {sorter} {tmp_path / 'copy.safetensors'} --most 50 --json")
        answer = data(capsys)

        assert str(sorter) in answer["judges"] and 0 == answer["pairs"][0]["mean"]

    @pytest.mark.parametrize(
        ("wrong", "code"),
        [
            ("material", Exit.USAGE),
            ("material material", Exit.USAGE),
            ("material okapi-28 --leave .", Exit.USAGE),
            ("material --teacher a.samples --positions b.samples", Exit.USAGE),
            ("material okapi-28 --positions no-such.epd", Exit.INPUT),
            ("material materiel", Exit.INPUT),
        ],
    )
    def test_wrong_usage_is_told(self, wrong: str, code: Exit, capsys: Capture) -> None:
        assert code == okapi(f"brains compare {wrong}")
        assert "hint:" in capsys.readouterr().err


class TestANetwork:
    def test_show_has_a_row_for_each_layer(self, sorter: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"brains show {sorter}")
        text = " ".join(capsys.readouterr().out.split())

        assert "convolve 5×5 12 → 3 elu 903" in text and "dense 7 → 3 none 24" in text
        assert "3 classes, for White, with borders at -1.00 +1.00 pawns" in text

    def test_eval_tells_classes_of_the_side_to_move(self, sorter: Path, tmp_path: Path, capsys: Capture) -> None:
        fens = [f"4k3/8/8/8/8/8/4P3/4K3 {turn} - - 0 1" for turn in "wb"]
        (tmp_path / "some.fen").write_text("\n".join(fens))
        assert Exit.DONE == okapi(f"eval --file {tmp_path / 'some.fen'} --brain {sorter} --json")
        white, black = map(json.loads, capsys.readouterr().out.splitlines())

        for answer in (white, black):
            shares = [share["probability"] for share in answer["classes"]]
            assert 1 == pytest.approx(sum(shares), abs=1e-3)
            assert sum(map(float.__mul__, shares, (0.1, 0.5, 0.9))) == pytest.approx(answer["value"], abs=2e-3)
        assert [None, -100, 100] == [share["low"] for share in black["classes"]]

    def test_eval_draws_them(self, sorter: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"eval startpos --brain {sorter}")
        assert "below -1.00" in (text := capsys.readouterr().out) and "above +1.00" in text

    def test_a_sum_of_weights_has_no_classes(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("eval startpos --brain material --json")
        assert "classes" not in data(capsys)


class TestExport:
    @pytest.mark.parametrize("brain", ["okapi-resnet", "okapi-human", "sheehan-a"])
    def test_the_model_says_what_the_brain_says(self, brain: str, tmp_path: Path, capsys: Capture) -> None:
        onnxruntime = pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")
        file = tmp_path / "brain.onnx"
        assert Exit.DONE == okapi(f"brains export {brain} --onnx {file} --json")
        told = data(capsys)
        assert {"file": str(file), "format": "onnx", "size": file.stat().st_size} == {
            key: told[key] for key in ("file", "format", "size")
        }

        encoding = find_encoding(told["encoding"])
        planes = encoding.encode_many(random_positions(20, seed=3), np.float32)
        session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
        here = Network(card(brain).details()["layers"], read_tensors(find(brain)), encoding.shape)
        np.testing.assert_allclose(here.answers(planes), session.run(None, {"input": planes})[0], atol=2e-3)

    def test_other_kinds_are_refused(self, tmp_path: Path, capsys: Capture) -> None:
        assert Exit.INPUT == okapi(f"brains export material --onnx {tmp_path / 'no.onnx'}")
        assert "cannot be exported to ONNX" in capsys.readouterr().err
        assert not (tmp_path / "no.onnx").exists()

    def test_a_network_of_stockfish_goes_back_byte_for_byte(self, tmp_path: Path, capsys: Capture) -> None:
        content = random_nnue().to_bytes()
        (tmp_path / "a.nnue").write_bytes(content)
        assert Exit.DONE == okapi(f"brains import {tmp_path / 'a.nnue'} --out {tmp_path / 'a.safetensors'}")
        assert Exit.DONE == okapi(f"brains export {tmp_path / 'a.safetensors'} --nnue {tmp_path / 'b.nnue'}")
        assert content == (tmp_path / "b.nnue").read_bytes()

    def test_stockfish_does_not_read_other_kinds(self, tmp_path: Path, capsys: Capture) -> None:
        assert Exit.INPUT == okapi(f"brains export champion --out {tmp_path / 'no.nnue'}")
        said = capsys.readouterr().err
        assert "`nnue`" in said and "halfka" in said
        assert not (tmp_path / "no.nnue").exists()

    def test_the_name_says_what_to_write(self, tmp_path: Path, capsys: Capture) -> None:
        assert Exit.USAGE == okapi(f"brains export champion --out {tmp_path / 'no.bin'}")
        assert ".onnx or .nnue" in capsys.readouterr().err
