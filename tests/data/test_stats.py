"""Stats count what is there, and openings are found by position where no tag names them."""

import json
from pathlib import Path

import pytest
from shuffled_games import stored
from written_games import LONG, MATE, game, one_sided

from okapi.cli import main
from okapi.cli.console import Exit
from okapi.data.doctor.statistics import PointOfView
from okapi.data.stats import Stats
from okapi.data.store import Store


def test_stats_count_what_is_there(tmp_path: Path) -> None:
    games = [
        game(LONG, WhiteElo="2500", BlackElo="2600", ECO="B90", TimeControl="180+2"),
        game(MATE, "0-1", WhiteElo="?", Date="1999.01.01"),
        game(["e4"], "*", Date="????.??.??", TimeControl="nonsense"),
        one_sided(0, PointOfView.MOVER),
    ]
    stats = Stats.of(Store.open(stored(tmp_path / "a.okapi", games)))

    assert (4, len(LONG) + 4 + 1 + 6, 1) == (stats.games, stats.plies, stats.with_values)
    assert {"white": 2, "draw": 0, "black": 1, "unknown": 1} == stats.results
    assert (2, 2550.0, 2500, 2600) == (stats.elo.known, stats.elo.mean, stats.elo.lowest, stats.elo.highest)
    assert {"2500": 1, "2600": 1} == stats.elo.histogram.counts
    assert {"bullet": 0, "blitz": 1, "rapid": 0, "classical": 0, "unknown": 3} == stats.time_controls
    assert 4 == sum(stats.lengths.counts.values())
    # The tag is believed; other games are known by their positions.
    assert {"B90", "A00", "B00"} == {opening.eco for opening in stats.openings}
    assert 1 == stats.without_opening


def test_a_game_without_a_code_is_found_by_its_last_named_position(tmp_path: Path) -> None:
    transposed = ["Nf3", "Nc6", "e4", "e5", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"]
    (opening,) = Stats.of(Store.open(stored(tmp_path / "a.okapi", [game(transposed)]))).openings

    assert ("C84", 1, 1.0) == (opening.eco, opening.games, opening.white)


def test_an_empty_store_has_stats(tmp_path: Path) -> None:
    stats = Stats.of(Store.open(stored(tmp_path / "a.okapi", [])))

    assert (0, 0, None) == (stats.games, stats.plies, stats.elo.mean)
    assert 5 == len(stats.charts())


def test_stats_as_json_table_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = stored(tmp_path / "a.okapi", [game(LONG, WhiteElo="2500", BlackElo="2600")])
    assert Exit.DONE == main(["games", "stats", str(store), "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert {"games", "plies", "results", "elo", "lengths", "years", "openings", "time_controls"} <= set(answer)

    assert Exit.DONE == main(["games", "stats", str(store), "--picture", str(tmp_path / "a.svg")])
    assert "ratings: 2550 on average" in capsys.readouterr().out
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")
    assert Exit.USAGE == main(["games", "stats", str(store), "--picture", "a.png"])
