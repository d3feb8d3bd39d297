"""Labels are read from whatever file holds them, or made here; long work is done once."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from labels import OPENINGS, along, consecutive, nameless, write_games, write_labels

from okapi.core.keys import position_keys
from okapi.core.packed import NO_VALUE
from okapi.data.pgn import export_games
from okapi.errors import InvalidText, NotFound
from okapi.formats.samples.text import TableFormat
from okapi.optimize.executor import ThreadExecutor
from okapi.recipes import labels as reading
from okapi.recipes.config import RecipeConfig
from okapi.recipes.labels import GameLibrary, load_labels


@pytest.fixture
def lab(tmp_path: Path) -> RecipeConfig:
    return RecipeConfig("tiny", executor=ThreadExecutor(1), cache=tmp_path / "labels")


def refuse(*_: object) -> None:
    raise AssertionError("this was done before")


def test_games_and_plies_stand_in_a_sample_file(tmp_path: Path) -> None:
    samples = consecutive()
    samples["value"][3] = NO_VALUE
    samples["flags"][5] = 1
    labels = load_labels(RecipeConfig(labels=write_labels(tmp_path / "some.samples", samples)))

    kept = np.delete(samples, 3)
    assert labels.games is not None and (kept["game"] == labels.games).all() and (kept["ply"] == labels.plies).all()
    assert (kept["value"] == labels.values).all() and (kept["position"] == labels.positions).all()
    assert [4] == np.flatnonzero(labels.random).tolist()
    about = labels.about()
    assert about.pop("labels").startswith("some.samples ")
    assert {"positions": 27, "random": 1, "games": 5} == about


def test_a_table_whose_header_names_nobody_speaks_for_the_mover(tmp_path: Path, lab: RecipeConfig) -> None:
    up, down = "4k3/8/8/8/8/8/3Q4/4K3", "4k3/3q4/8/8/8/8/8/4K3"
    table = tmp_path / "some.tsv"
    table.write_text(
        f"fen\tcentipawns\tresult\n{up} w - -\t900\t1-0\n{up} b - -\t-900\t-\n{down} b - -\t900\t0-1\n", "utf-8"
    )
    labels = load_labels(replace(lab, labels=table))

    assert [900, -900, 900] == labels.values.tolist()
    assert labels.games is None and [False, True, False] == labels.random.tolist()

    table.write_text(table.read_text("utf-8").replace("-900", "700").replace("b - -\t900", "b - -\t-900"), "utf-8")
    with pytest.raises(InvalidText, match="they seem to be White's"):
        load_labels(replace(lab, labels=table))


def test_what_was_read_once_is_kept(tmp_path: Path, lab: RecipeConfig, monkeypatch: pytest.MonkeyPatch) -> None:
    table = write_labels(tmp_path / "some.tsv", nameless(along(OPENINGS[0])))
    games = write_games(tmp_path / "games.okapi")
    first = load_labels(replace(lab, labels=table, games=games))

    monkeypatch.setattr(TableFormat, "read", refuse)
    monkeypatch.setattr(GameLibrary, "_find", refuse)
    again = load_labels(replace(lab, labels=table, games=games))

    assert first.games is not None and again.games is not None
    assert (first.positions == again.positions).all() and (first.games == again.games).all()


@pytest.mark.parametrize("name", ["games.okapi", "games.pgn"])
def test_positions_are_found_in_games(name: str, tmp_path: Path, lab: RecipeConfig) -> None:
    table = write_labels(tmp_path / "some.tsv", nameless([*along(OPENINGS[2])[1:], *along("b3 b6 Bb2")[1:]]))
    games = write_games(tmp_path / "games.okapi")
    if name.endswith("pgn"):
        export_games(games, tmp_path / name)
    labels = load_labels(replace(lab, labels=table, games=tmp_path / name))

    assert labels.games is not None and labels.library is not None and labels.library.name.startswith(name)
    assert [0, 2, 2, 2, 2, 2, -1, -1, -1] == labels.games.tolist()  # 1 e4 stands in the first game already
    assert 6 == labels.about()["found"]["positions"]
    assert load_labels(replace(lab, labels=table)).games is None


def test_not_too_many_and_whole_games(tmp_path: Path) -> None:
    order = RecipeConfig(labels=write_labels(tmp_path / "some.samples", consecutive()))
    all_of_them, some, same = load_labels(order), load_labels(order, most=15), load_labels(order, most=15)

    assert all_of_them.games is not None and some.games is not None
    assert 10 <= len(some) <= 15 and (some.positions == same.positions).all()
    for game in np.unique(some.games):
        assert (some.games == game).sum() == (all_of_them.games == game).sum()

    nobody = RecipeConfig(labels=write_labels(tmp_path / "other.tsv", nameless(along(OPENINGS[1]))))
    assert 4 == len(load_labels(nobody, most=4))


def test_missing_and_empty_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.tsv").write_text("fen\tcentipawns_mover\n", "utf-8")
    (tmp_path / "strange.bin").write_bytes(bytes(range(256)))
    unlabelled = consecutive()
    unlabelled["value"] = NO_VALUE

    with pytest.raises(NotFound, match="no labels at"):
        load_labels(RecipeConfig(labels=tmp_path / "none.samples"))
    with pytest.raises(InvalidText, match=r"empty.tsv has no positions"):
        load_labels(RecipeConfig(labels=tmp_path / "empty.tsv"))
    with pytest.raises(InvalidText, match="no file of samples that okapi knows"):
        load_labels(RecipeConfig(labels=tmp_path / "strange.bin"))
    with pytest.raises(InvalidText, match="no position with a value"):
        load_labels(RecipeConfig(labels=write_labels(tmp_path / "some.samples", unlabelled)))


def test_without_a_file_okapi_plays_and_labels(
    tmp_path: Path, lab: RecipeConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(reading.GAMES, "tiny", 4)
    reading.own_labels.cache_clear()
    labels = load_labels(lab)
    reading.own_labels.cache_clear()
    alike = load_labels(RecipeConfig("tiny", executor=ThreadExecutor(3)))
    reading.own_labels.cache_clear()

    assert "made here" == labels.name and labels.games is not None
    assert (labels.positions == alike.positions).all() and (labels.values == alike.values).all()
    assert len(labels) == len(np.unique(position_keys(labels.positions)))
    follows = np.diff(labels.plies)[np.diff(labels.games) == 0]
    assert (follows == 1).mean() > 0.9 and 4 == len(np.unique(labels.games))
    assert len(np.unique(labels.values)) > 50
    assert (tmp_path / "labels" / "made-tiny.samples").exists()
