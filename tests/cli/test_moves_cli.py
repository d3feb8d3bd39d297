"""`okapi moves`, and what other commands say to a brain that predicts moves."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from networks import write_mover, write_seven

from okapi.brains import predictor
from okapi.cli import main
from okapi.cli.console import Exit
from okapi.core import Position
from okapi.core.packed import fens, pack, random_positions

Capture = pytest.CaptureFixture[str]

PROMOTING = "8/P5k1/8/8/8/8/8/4K2R w K - 0 1"
MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"


def okapi(line: str) -> int:
    return main(shlex.split(line))


def data(capsys: Capture) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.fixture(scope="module", params=["one", "seven"])
def brain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("brains")
    return write_mover(folder) if request.param == "one" else write_seven(folder)


class TestOnePosition:
    def test_json_has_every_legal_move(self, brain: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f'moves "{PROMOTING}" --brain {brain} --elo 2100 --json')
        said = data(capsys)
        position = Position.from_fen(PROMOTING)
        (wanted,) = predictor(str(brain)).moves(pack([position]), elo=2100)

        assert [position.uci(move) for move, _ in wanted] == [move for move, _ in said["moves"]]
        assert [share for _, share in wanted] == pytest.approx([share for _, share in said["moves"]], abs=1e-6)
        assert (PROMOTING, 2100) == (said["fen"], said["elo"])
        assert {"a7a8q", "a7a8n", "e1g1"} <= {move for move, _ in said["moves"]}

    def test_top_says_how_many(self, brain: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"moves startpos --brain {brain} --top 4 --json")

        assert 4 == len(data(capsys)["moves"])

    def test_unmasked_says_what_is_illegal(self, brain: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f'moves "{PROMOTING}" --brain {brain} --unmasked --squares --top 4095 --json')
        said = data(capsys)
        legal = {Position.from_fen(PROMOTING).uci(move) for move in Position.from_fen(PROMOTING).legal_moves()}
        named = dict(said["moves"])

        assert not legal & set(said["illegal"])
        assert 1 == pytest.approx(said["illegal_share"] + sum(named.get(move, 0) for move in legal), abs=1e-3)
        assert named["h1h8"] == pytest.approx(said["from"]["h1"] * said["to"]["h1"]["h8"], abs=1e-5)
        assert {"a7", "e1", "h1"} == set(said["to"])

    def test_text_has_a_board_and_bars(self, brain: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"moves startpos --brain {brain} --elo 2300 --top 20")
        text = capsys.readouterr().out

        assert "rating 2300" in text and "White to move" in text
        assert all(f"{move} " in text for move in ("e4", "Nf3", "h3"))
        assert "█" in text and "8  r   n   b   q   k   b   n   r" in text

    def test_text_without_masking_marks_what_is_illegal(self, brain: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f'moves "{PROMOTING}" --brain {brain} --unmasked --top 90')

        assert "% of the probability is on illegal moves" in (text := capsys.readouterr().out)
        assert "? " in text

    def test_a_game_that_is_over(self, brain: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f'moves "{MATED}" --brain {brain} --json')
        assert [] == data(capsys)["moves"]
        assert Exit.DONE == okapi(f'moves "{MATED}" --brain {brain}')
        assert "game is over" in capsys.readouterr().out


class TestFiles:
    def test_one_object_a_line(self, brain: Path, capsys: Capture, tmp_path: Path) -> None:
        positions = random_positions(600, seed=2)[::2]
        (tmp_path / "some.fen").write_text("# of random games\n\n" + "\n".join(fens(positions)))
        assert Exit.DONE == okapi(f"moves --file {tmp_path}/some.fen --brain {brain} --json")
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        wanted = predictor(str(brain)).moves(positions)

        assert fens(positions) == [line["fen"] for line in lines]
        assert [str(found[0][0]) for found in wanted if found] == [
            line["moves"][0][0] for line in lines if line["moves"]
        ]

    def test_text_has_a_line_for_each(self, brain: Path, capsys: Capture, tmp_path: Path) -> None:
        (tmp_path / "some.fen").write_text(f"startpos\n{MATED}\n")
        assert Exit.DONE == okapi(f"moves --file {tmp_path}/some.fen --brain {brain} --top 2")
        first, second = capsys.readouterr().out.splitlines()

        assert 2 == first.count("%") and first.endswith("w KQkq - 0 1")
        assert MATED == second.strip()

    def test_a_wrong_line_has_a_number(self, brain: Path, capsys: Capture, tmp_path: Path) -> None:
        (tmp_path / "some.fen").write_text("startpos\n\nnonsense\n")

        assert Exit.INPUT == okapi(f"moves --file {tmp_path}/some.fen --brain {brain} --json")
        assert "some.fen, line 3" in capsys.readouterr().err


class TestWrongUse:
    @pytest.mark.parametrize(
        ("line", "code", "message", "hint"),
        [
            ("moves", Exit.USAGE, "a FEN or --file", "okapi moves startpos"),
            ("moves startpos --top 0", Exit.USAGE, "--top is 0", "1 or more"),
            ("moves startpos --squares", Exit.USAGE, "--squares is for --json", ""),
            ("moves startpos --elo 9000", Exit.USAGE, "--elo is 9000", "2000 to 2900"),
            ("moves startpos --elo 500", Exit.USAGE, "no brain has seen games of such players", "2000 to 2900"),
            ("moves startpos --brain {deaf} --elo 2000", Exit.USAGE, "has no rating as input", "+elo"),
            ("moves startpos --brain material", Exit.INPUT, "does not predict moves", "okapi eval --brain material"),
            ("moves nonsense --brain {deaf}", Exit.INPUT, "the piece placement", "expected"),
            ("moves --file no.fen --brain {deaf}", Exit.INPUT, "cannot be read", ""),
            ("eval startpos --brain {deaf}", Exit.INPUT, "does not evaluate positions", "okapi moves --brain"),
            ("analyse startpos --brain {deaf}", Exit.INPUT, "does not evaluate positions", "okapi moves --brain"),
            ("bench --brain {deaf}", Exit.INPUT, "does not evaluate positions", "okapi moves --brain"),
            ("brains compare material {deaf}", Exit.INPUT, "does not evaluate positions", "okapi moves --brain"),
        ],
    )
    def test_says_what_is_wrong_and_what_to_do(
        self, capsys: Capture, tmp_path: Path, line: str, code: Exit, message: str, hint: str
    ) -> None:
        deaf = write_mover(tmp_path, encoding="planes-6")

        assert code == okapi(line.format(deaf=deaf))
        assert message in (err := capsys.readouterr().err)
        assert hint in err.partition("hint: ")[2]


class TestCards:
    def test_show_explains_such_a_brain(self, brain: Path, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"brains show {brain}")
        text = " ".join(capsys.readouterr().out.split())

        assert "the move: a probability for each" in text and "pawns become queen 90.0%" in text
        assert "from-to" in text or "knight planes-12+elo+piece convolve 3-3, dense 8-64 2,585" in text
