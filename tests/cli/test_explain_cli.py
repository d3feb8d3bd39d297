"""`okapi explain`: pieces, neurons, and what changed."""

import json
import shlex
from pathlib import Path
from typing import Any

import nnue_twin
import pytest

from okapi.cli import main
from okapi.cli.console import Exit

Capture = pytest.CaptureFixture[str]

ROOK = "4k3/pp6/8/8/8/8/8/4KR2 b - - 0 1"


def okapi(line: str) -> int:
    return main(shlex.split(line))


def data(capsys: Capture) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def made(tmp_path: Path) -> Path:
    path = tmp_path / "made.safetensors"
    path.write_bytes(nnue_twin.random_network(32).file({"name": "made"}))
    return path


class TestPieces:
    def test_each_has_its_number(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"explain pieces {ROOK} --brain material --json")
        answer = data(capsys)

        assert (300, 500, 200) == (answer["centipawns"], answer["white"], answer["black"])
        assert {"square": "f1", "piece": "R", "centipawns": 500, "usual": 500} == answer["pieces"][0]

    def test_as_text_it_is_a_board(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"explain pieces {ROOK} --brain material")
        lines = [line.split() for line in capsys.readouterr().out.splitlines()]

        assert ["7", "♟", "1.00", "♟", "1.00"] in lines and ["1", "♔", "♖", "5.00"] in lines

    def test_two_brains_differ(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("explain pieces startpos --brain okapi-28 --against material")
        assert "how much more each piece is worth to okapi-28" in (text := capsys.readouterr().out)
        assert "+1.17" in text, "the queen"

    def test_one_that_shields_its_king_stays(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("explain pieces 4r1k1/8/8/8/8/8/4B3/4K3 b - - 0 1")
        assert "cannot be taken off" in capsys.readouterr().out

    def test_a_brain_that_predicts_moves_has_no_worths(self, capsys: Capture) -> None:
        assert Exit.INPUT == okapi("explain pieces startpos --brain okapi-human")
        assert "predicts moves and does not evaluate" in capsys.readouterr().err


class TestNeurons:
    def test_they_are_sorted_by_influence(self, made: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"explain neurons {made} --most 200 --json")
        answer = data(capsys)
        influence = [fact["influence"] for fact in answer["neurons"]]

        assert sorted(influence, reverse=True) == influence and (32, 200) == (len(influence), answer["positions"])
        first = answer["neurons"][0]
        old = first["awake"], first["full"], first["favour"]
        assert (first["active"], first["saturated"], first["mean_contribution"]) == old

    def test_one_is_shown_with_maps_and_boards(self, made: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"explain neurons {made} 5 --most 200 --boards 2")
        text = capsys.readouterr().out

        assert "Neuron 5: influence" in text and "own knight" in text and "enemy king" in text
        assert 2 == text.count("activation ")
        assert all(len(line) <= 80 for line in text.splitlines() if line[:2] in {f"{rank} " for rank in range(1, 9)})

    def test_json_has_its_weights(self, made: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"explain neurons {made} 5 7 --most 200 --boards 1 --json")
        five, seven = data(capsys)["close"]

        assert 12 == len(five["weights"]) and 64 == len(five["weights"]["own rook"])
        assert five["weights"]["own pawn"][0] is None and 7 == seven["number"]

    @pytest.mark.parametrize(
        ("wrong", "says"), [("okapi-28", "has no neurons"), ("{made} 32", "0 to 31"), ("nobody", "no brain named")]
    )
    def test_what_cannot_be_shown_is_said(self, made: Path, wrong: str, says: str, capsys: Capture) -> None:
        assert Exit.INPUT == okapi(f"explain neurons {wrong.format(made=made)}")
        assert says in capsys.readouterr().err


class TestChanges:
    def test_what_changed_is_told(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("explain changes material okapi-28 --most 200 --removed 100 --worst 1")
        text = capsys.readouterr().out

        assert "from material to okapi-28" in text and "beyond its kind" in text and "to move" in text

    def test_as_json(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("explain changes material okapi-28 --most 200 --worths 100 --top 5 --json")
        answer = data(capsys)

        assert ["okapi-28", "material"] == answer["judges"] and 5 == len(answer["squares"])
        assert 500 == next(piece["before"] for piece in answer["pieces"] if piece["kind"] == "rook")

    def test_of_a_run_the_last_two_generations_are_compared(self, made: Path, tmp_path: Path, capsys: Capture) -> None:
        for number in ("00", "09", "10"):
            (tmp_path / number).mkdir()
            (tmp_path / number / "brain.safetensors").write_bytes(
                made.read_bytes().replace(b"made", b"no" + number.encode())
            )
        assert Exit.DONE == okapi(f"explain changes {tmp_path} --most 50 --worths 10 --json")

        assert ["no10", "no09"] == data(capsys)["judges"]
        assert Exit.USAGE == okapi(f"explain changes {tmp_path / '00'}")
        assert "is no run with two generations" in capsys.readouterr().err

    def test_the_former_flag_and_key_are_still_there(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("inside changes material okapi-28 --most 50 --worths 10 --json")
        answer = data(capsys)

        assert ["okapi-28", "material"] == answer["evaluators"] == answer["judges"]

    def test_nothing_changes_by_itself(self, capsys: Capture) -> None:
        assert Exit.USAGE == okapi("explain changes material material")
        assert "name two brains" in capsys.readouterr().err
