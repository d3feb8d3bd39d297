"""The proof that the rules are right: counts that everybody agrees on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from okapi import Position

OURS = Path(__file__).parent / "perft.epd"
SHARED = Path(__file__).parents[3] / "shared" / "data" / "perft"


def counts(file: Path, most: int) -> Iterator[tuple[str, int, int]]:
    """The positions of a file with the deepest count that is not above `most`."""
    for line in file.read_text(encoding="utf-8").splitlines():
        fen, *listed = line.split(";")
        depths = [(int(item.split()[0][1:]), int(item.split()[1])) for item in listed]
        small = [(depth, nodes) for depth, nodes in depths if nodes <= most]
        if small:
            yield fen.strip(), *small[-1]


@pytest.mark.parametrize(("fen", "depth", "nodes"), list(counts(OURS, 1_000_000)))
def test_perft(fen: str, depth: int, nodes: int) -> None:
    assert nodes == Position.from_fen(fen).perft(depth)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the big suites are not here: ../shared/data/perft")
@pytest.mark.parametrize("suite", ["perftsuite.epd", "fischer960.epd", "random6838.epd"])
def test_perft_of_the_big_suites(suite: str) -> None:
    """Shallow here; bench/perft_suites.py goes to the end."""
    wrong = [
        (fen, depth)
        for fen, depth, nodes in counts(SHARED / suite, 20_000)
        if nodes != Position.from_fen(fen).perft(depth)
    ]

    assert wrong == []


def test_divided_counts_add_up() -> None:
    position = Position.start()

    assert 8902 == sum(nodes for _, nodes in position.perft_divide(3))
    assert {str(move) for move, _ in position.perft_divide(1)} == {str(move) for move in position.legal_moves()}


def test_depth_zero_is_the_position_itself() -> None:
    assert 1 == Position.start().perft(0)


@pytest.mark.parametrize("depth", [-1, -100])
def test_a_negative_depth_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="0 or more"):
        Position.start().perft(depth)
