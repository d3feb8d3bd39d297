"""The lineage of a run: read while it is written, and with care."""

import json
from pathlib import Path
from typing import Any

import pytest

from okapi.data import evolution_log as module
from okapi.data.evolution_log import EvolutionLog, moved_most


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "genes.json").write_text(
        json.dumps({"names": ["pawn", "queen"], "low": [0, 0], "high": [100, 1000], "recipe": "tiny"})
    )
    return tmp_path


def tell(folder: Path, number: int, **changed: Any) -> None:
    """A line of generations.jsonl: pawns are learned, queens stay."""
    weights = {"best": [number, 900], "mean": [2 * number, 901], "deviation": [1, 2]}
    line = {"generation": number, "best": 1.0 + number, "mean": number, "spread": 0.5, "weights": weights} | changed
    with (folder / "generations.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")


def numbers(lineage: EvolutionLog) -> list[int]:
    return [passed.number for passed in lineage.generations]


def test_it_grows_with_its_run(folder: Path) -> None:
    lineage = EvolutionLog(folder)
    assert lineage.look() and lineage.genes is not None and [] == lineage.generations
    assert not lineage.look(), "nothing is new"
    tell(folder, 0)
    tell(folder, 1)
    with (folder / "generations.jsonl").open("a") as file:
        file.write('{"generation": 2, "bes')
    assert lineage.look() and [0, 1] == numbers(lineage)
    assert 2.0 == lineage.find(1).best and [2, 901] == lineage.find(1).weights[1].tolist()  # type: ignore[index]
    assert [0] == moved_most(lineage.genes, lineage.generations, 1)


def test_work_that_was_killed_goes_on_from_an_earlier_generation(folder: Path) -> None:
    lineage = EvolutionLog(folder)
    for number in (0, 1, 2, 3, 2):
        tell(folder, number)
    lineage.look()

    assert [0, 1, 2] == numbers(lineage)


def test_other_genes_are_another_lineage(folder: Path) -> None:
    lineage = EvolutionLog(folder)
    tell(folder, 0)
    lineage.look()
    (folder / "generations.jsonl").unlink()
    (folder / "new.json").write_text(json.dumps({"names": ["knight"], "low": [0], "high": [1]}))
    (folder / "new.json").replace(folder / "genes.json")

    assert lineage.look() and [] == lineage.generations and ("knight",) == lineage.genes.names  # type: ignore[union-attr]


def test_a_long_one_is_thinned_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_GENERATIONS", 10)
    lineage = EvolutionLog(folder)
    for number in range(100):
        tell(folder, number)
    lineage.look()

    assert len(lineage.generations) <= 11 and (0, 99) == (numbers(lineage)[0], numbers(lineage)[-1])
    assert lineage.find(98).number <= 98


@pytest.mark.parametrize(
    "wrong",
    [
        {"generation": -1},
        {"generation": "0"},
        {"best": None},
        {"mean": float("nan")},
        {"spread": 10**400},
        {"weights": {"best": [1], "mean": [1], "deviation": [1]}},
        {"weights": {"best": [1, 2]}},
        {"weights": [[1, 2]] * 3},
        {"weights": {"best": [1, "x"], "mean": [1, 2], "deviation": [1, 2]}},
    ],
)
def test_a_line_that_is_none_is_skipped(folder: Path, wrong: dict[str, Any]) -> None:
    lineage = EvolutionLog(folder)
    tell(folder, 0)
    tell(folder, 1, **wrong)
    tell(folder, 2, weights=None)
    lineage.look()

    assert [0, 2] == numbers(lineage) and lineage.find(2).weights is None


@pytest.mark.parametrize(
    "genes",
    [
        "nonsense",
        "[" * 100_000,
        '{"names": ["a"], "low": [0], "high": []}',
        '{"names": ["a"], "low": [null], "high": [1]}',
        json.dumps({"names": ["a"] * 5000, "low": [0] * 5000, "high": [1] * 5000}),
        " " * (1 << 21),
    ],
)
def test_damaged_genes_are_a_problem_that_is_told(folder: Path, genes: str) -> None:
    (folder / "genes.json").write_text(genes)
    tell(folder, 0)
    lineage = EvolutionLog(folder)
    lineage.look()

    assert "damaged or too large" in str(lineage.problem) and [] == lineage.generations


def test_champions_are_found_by_their_number(folder: Path) -> None:
    (folder / "champions").mkdir()
    for name in ("0000.safetensors", "0012.safetensors", "0013.safetensors.new", "x.safetensors"):
        (folder / "champions" / name).write_bytes(b"brain")
    lineage = EvolutionLog(folder)
    lineage.look()

    assert (0, 12) == lineage.champions
