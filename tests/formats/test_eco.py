from importlib import resources

import numpy as np
import pytest

from okapi import Game, Position
from okapi.core.keys import position_keys
from okapi.core.packed import pack
from okapi.formats.eco import find_openings, named_lines, opening, openings_by_key


def test_every_code_has_its_line() -> None:
    assert {f"{volume}{number:02}" for volume in "ABCDE" for number in range(100)} == {
        line.eco for line in named_lines()
    }


@pytest.mark.parametrize("volume", "abcde")
def test_every_file_says_where_it_comes_from_and_its_licence(volume: str) -> None:
    text = (resources.files("okapi.formats.eco") / f"{volume}.tsv").read_text(encoding="utf-8")
    header = [line for line in text.splitlines() if line.startswith("#")]

    assert text.startswith("\n".join(header))
    assert "Written for Okapi" in header[0] and "# SPDX-License-Identifier: GPL-3.0-or-later" == header[-1]
    assert not [line for line in named_lines() if line.eco.startswith("#")]


def test_codes_are_in_order() -> None:
    codes = [line.eco for line in named_lines()]

    assert sorted(codes) == codes


def test_every_line_is_legal_and_written_as_we_write_it() -> None:
    for line in named_lines():
        position = Position.start()
        for san in line.moves:
            assert san == position.san(position.move(san)), line
            position.play(san)


def test_no_position_has_two_names_and_no_name_two_positions() -> None:
    assert len(named_lines()) == len(openings_by_key()) == len({line.name for line in named_lines()})


@pytest.mark.parametrize(
    ("moves", "eco", "name", "ply"),
    [
        ("e4 e5 Nf3 Nc6 Bb5 a6", "C70", "Ruy Lopez: Morphy Defence", 6),
        ("Nf3 c5 e4 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6", "B90", "Sicilian Defence: Najdorf Variation", 10),
        ("c4 Nf6 d4 g6 Nc3 d5", "D80", "Grünfeld Defence", 6),
        ("e4 e6 d4 d5 Nc3 Bb4 e5 c5 a3 Bxc3+ bxc3 Ne7 Nf3 Nbc6", "C19", None, 13),
        ("g3 d5 Nf3", "A07", "King's Indian Attack", 3),
    ],
)
def test_the_longest_line_wins_whatever_the_order_of_moves(moves: str, eco: str, name: str | None, ply: int) -> None:
    found = opening(Game.of(moves.split()))

    assert found is not None
    assert (eco, ply) == (found.eco, found.ply)
    assert name is None or name == found.name


def test_a_game_that_begins_elsewhere_has_no_opening() -> None:
    assert opening(Game.of(["Kd2"], Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1"))) is None
    assert opening(Game.of([])) is None


def test_many_positions_at_once_are_found_as_one_by_one() -> None:
    positions = [Position.start()]
    for san in ["e4", "c5", "Nf3", "d6", "d4", "cxd4", "Nxd4", "h5"]:
        positions.append(positions[-1].after(san))

    found = find_openings(position_keys(pack(positions)))

    assert np.int32 == found.dtype
    known = openings_by_key()
    for position, index in zip(positions, found, strict=True):
        one = known.get(position.key)
        assert (one is None) == (index == -1)
        if one is not None:
            assert (one.eco, one.name) == (named_lines()[index].eco, named_lines()[index].name)
