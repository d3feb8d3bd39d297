"""`okapi encode`."""

import json

import numpy as np
import pytest

from okapi import Position
from okapi.cli import main
from okapi.encodings import ENCODINGS

FEN = "r1bqk2r/pppp1ppp/2n2n2/4p3/1bB1P3/2N2N2/PPPP1PPP/R1BQ1RK1 b kq - 5 5"


@pytest.mark.parametrize("name", ENCODINGS)
def test_json_is_the_array(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["encode", FEN, "--as", name, "--json"])
    printed = json.loads(capsys.readouterr().out)
    expected = ENCODINGS[name].encode(Position.from_fen(FEN))

    assert (name, list(expected.shape)) == (printed["encoding"], printed["shape"])
    np.testing.assert_array_equal(expected, np.array(printed["values"], expected.dtype))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("planes-6", "bishop                    queen                     king"),
        ("planes-12", "own pawn          enemy pawn        own rook          enemy rook"),
        ("vector-65", "piece differential: +0"),
        ("bitmap-768", "white pawn                white knight              white bishop"),
        ("algebraic-12x8x8", "·   ·   ·   ·   ·   · -10   ·"),
        ("giraffe-363", "White Bishop 2  c4                  3   2   3   2   7"),
        ("giraffe-363", "White King Position  g1"),
        ("piece-square-mirrored", "own king d1"),
    ],
)
def test_pictures(name: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["encode", FEN, "--as", name])

    assert expected in capsys.readouterr().out


def test_the_list_has_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["encode", "--list"])
    printed = capsys.readouterr().out
    assert all(name in printed for name in ENCODINGS)
    assert 0 == main(["encode", "--list", "--json"])
    assert list(ENCODINGS) == [found["name"] for found in json.loads(capsys.readouterr().out)["encodings"]]


def test_a_mistyped_name_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert 3 == main(["encode", FEN, "--as", "girafe-363"])
    assert "did you mean `giraffe-363`?" in capsys.readouterr().err


def test_a_name_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["encode", FEN])
    assert "planes-6" in capsys.readouterr().err


def test_giraffe_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["encode", FEN, "--as", "giraffe-363", "--words"])
    printed = capsys.readouterr().out
    assert "White Pawn 5 on e4: defended by a knight or bishop; attacked by a knight or bishop\n" in printed
    assert "\nsquares-centric\n" in printed

    assert 0 == main(["encode", FEN, "--as", "giraffe-363", "--words", "--json"])
    subjects = json.loads(capsys.readouterr().out)["subjects"]
    assert list(range(363)) == [fact["index"] for subject in subjects for fact in subject["facts"]]


def test_other_encodings_have_no_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["encode", FEN, "--as", "planes-6", "--words"])
    assert "--words goes with --as giraffe-363" in capsys.readouterr().err
