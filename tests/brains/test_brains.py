"""Brains on disk."""

import json
import struct
from pathlib import Path

import pytest

from okapi import Evaluator, Position
from okapi.analysis.attribution import Terms, explains
from okapi.brains import ModelCard, card, default_name, evaluator, find, load, predictor, shipped
from okapi.core.packed import pack
from okapi.errors import InvalidBrain, NotFound


def safetensors(folder: Path, header: object, data: bytes = b"") -> Path:
    """A file as somebody else might make it."""
    text = json.dumps(header).encode()
    file = folder / "some.safetensors"
    file.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return file


NETWORKS = ("perceptron", "convolutional", "seven-networks", "giraffe-moves")


JUDGES = [brain for brain in shipped() if not brain.predicts_moves]
PREDICTORS = [brain for brain in shipped() if brain.predicts_moves]


@pytest.mark.parametrize("brain", PREDICTORS, ids=lambda brain: brain.name)
def test_every_shipped_brain_that_predicts_knows_how_to_open_and_to_take_back(brain: ModelCard) -> None:
    start = Position.start()
    taken = Position.from_fen("r1bqkbnr/pppp1ppp/2B5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 3")

    opening, answer = predictor(brain.name).moves(pack([start, taken]))

    assert start.san(opening[0][0]) in ("e4", "d4", "Nf3", "c4")
    assert taken.san(answer[0][0]) in ("dxc6", "bxc6")


@pytest.mark.parametrize("brain", JUDGES, ids=lambda brain: brain.name)
def test_every_shipped_brain_that_judges_can_be_thought_with(brain: ModelCard) -> None:
    thinks = evaluator(brain.name)

    assert abs(thinks.centipawns(Position.start())) < 100
    assert thinks.centipawns(Position.from_fen("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")) > 200


@pytest.mark.parametrize("brain", shipped(), ids=lambda brain: brain.name)
def test_every_shipped_brain_has_a_card(brain: ModelCard) -> None:
    assert brain.path.stem == brain.name
    assert brain.kind and brain.encoding and brain.weights > 0
    assert brain.details()["okapi"] == "1"


@pytest.mark.parametrize("brain", shipped(), ids=lambda brain: brain.name)
def test_the_core_reads_the_same_card(brain: ModelCard) -> None:
    assert dict(brain.metadata) == load(brain.name).card


@pytest.mark.parametrize("brain", [b for b in shipped() if b.kind not in NETWORKS], ids=lambda brain: brain.name)
def test_both_sides_see_the_same(brain: ModelCard) -> None:
    """What is good for White is as good for Black when the board is turned round; networks learn each side apart."""
    thinks = evaluator(brain.name)
    white = Position.from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1")
    black = Position.from_fen("rnb1k1nr/pppp1ppp/5q2/2b1p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 1")

    assert thinks.centipawns(white) == thinks.centipawns(black)


def test_the_default_is_one_of_them() -> None:
    assert default_name() in {brain.name for brain in shipped()}
    assert load().card == load(default_name()).card


def test_a_brain_can_be_named_by_its_path() -> None:
    assert card(str(find("material"))) == card("material")


@pytest.mark.parametrize("name", ["materiel", "../material", "nowhere/brain.safetensors", ""])
def test_a_brain_that_is_not_there(name: str) -> None:
    with pytest.raises(NotFound) as caught:
        find(name)

    assert "okapi brains list" in caught.value.hint


def test_a_shipped_brain_is_found_by_its_former_name() -> None:
    assert card("okapi-resnet") == card("okapi-tower")


def test_a_mistyped_name_gets_a_suggestion() -> None:
    with pytest.raises(NotFound) as caught:
        load("materiel")

    assert "did you mean `material`?" in caught.value.hint


@pytest.mark.parametrize("content", [b"", b"1234", b"\xff" * 8, b"\x10" + bytes(7) + b"not json at all.", bytes(100)])
def test_files_that_are_no_brains(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "no.safetensors"
    file.write_bytes(content)

    with pytest.raises(InvalidBrain):
        card(str(file))
    with pytest.raises(InvalidBrain):
        load(str(file))


@pytest.mark.parametrize(
    "header",
    [
        [],
        {},
        {"__metadata__": {}},
        {"__metadata__": {"okapi": "1", "kind": "material"}, "weights": {}},
        {"__metadata__": {"okapi": "1", "kind": "material"}, "weights": {"shape": "no"}},
    ],
)
def test_headers_that_are_no_brains(tmp_path: Path, header: object) -> None:
    with pytest.raises(InvalidBrain):
        card(str(safetensors(tmp_path, header)))


def test_a_kind_that_this_build_does_not_know(tmp_path: Path) -> None:
    weights = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}
    file = safetensors(tmp_path, {"__metadata__": {"okapi": "1", "kind": "tortoise"}, "weights": weights}, bytes(4))

    assert "tortoise" == card(str(file)).kind
    with pytest.raises(InvalidBrain, match="tortoise"):
        Evaluator.from_brain(load(str(file)))


@pytest.mark.parametrize("brain", [*filter(explains, shipped())], ids=lambda brain: brain.name)
def test_terms_add_up_to_the_opinion(brain: ModelCard) -> None:
    terms, thinks = Terms(brain.name), Evaluator.from_brain(load(brain.name))
    position = Position.from_fen("r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 0 8")
    explained = terms(position)

    assert explained.centipawns == -thinks.centipawns(position)
    assert abs(explained.rest) <= len(explained.terms) / 2, "each is rounded to a centipawn"
