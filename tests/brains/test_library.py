"""Brains of the user, found by name from every folder."""

import json
import os
import shutil
from pathlib import Path

import pytest

from okapi import brains
from okapi.brains import SHIPPED, card, everything, find
from okapi.brains.library import (
    PLAYER_KINDS,
    EarlierBrain,
    Library,
    checkpoints,
    default_library,
    run_folder,
    runs_folder,
)
from okapi.errors import NotFound, UsageError
from okapi.players.spec import PLAYERS, kind_of


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty runs folder, and an empty folder to start programs in."""
    monkeypatch.setenv("OKAPI_RUNS", str(tmp_path / "data" / "runs"))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path / "data" / "runs"


def put(path: Path, brain: str = "material") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(SHIPPED / f"{brain}.safetensors", path)
    return path


def test_a_run_and_its_checkpoints_are_found_by_name(runs: Path) -> None:
    last = put(runs / "mine" / "brain.safetensors")
    first = put(runs / "mine" / "checkpoints" / "000012.safetensors")
    best = put(runs / "bred" / "champions" / "0003.safetensors")

    assert (last, first, best) == (find("mine"), find("mine@12"), find("bred@3"))
    assert ("mine", "mine@12") == (card("mine").name, card("mine@12").name)
    assert {"mine", "bred"} == set(default_library().brains())
    assert ("alphabeta", "mine@12,nodes=5") == kind_of("mine@12,nodes=5")
    assert [EarlierBrain(12, first)] == checkpoints(runs / "mine")


def test_a_run_that_is_not_at_its_end_has_its_last_checkpoint(runs: Path) -> None:
    put(runs / "mine" / "checkpoints" / "000002.safetensors")
    last = put(runs / "mine" / "checkpoints" / "000010.safetensors")

    assert last == find("mine")


def test_a_checkpoint_that_was_not_kept_lists_those_that_were(runs: Path) -> None:
    put(runs / "mine" / "checkpoints" / "000012.safetensors")
    with pytest.raises(NotFound, match="mine@13") as error:
        find("mine@13")

    assert "12" in error.value.hint


def test_a_mistyped_name_suggests_the_users_brain(runs: Path) -> None:
    put(runs / "gargantua" / "brain.safetensors")
    with pytest.raises(NotFound) as error:
        find("gargantuo")

    assert "`gargantua`" in error.value.hint


def test_names_never_become_paths(runs: Path, tmp_path: Path) -> None:
    put(tmp_path / "data" / "secret" / "brain.safetensors")
    put(runs / "mine" / "brain.safetensors")

    assert all(Library(runs).find(name) is None for name in ("../secret", "..", ".", "mine/../../secret", "/", ""))


def test_a_path_with_an_at_sign_is_a_path(runs: Path) -> None:
    put(runs / "mine" / "brain.safetensors")
    file = put(Path("mine@home/brain.safetensors"), "okapi-28")

    assert file == find("mine@home/brain.safetensors") and runs / "mine" / "brain.safetensors" == find("mine")


def test_a_shipped_name_wins(runs: Path) -> None:
    put(runs / "material" / "brain.safetensors", "okapi-28")

    assert SHIPPED / "material.safetensors" == find("material")


def test_every_kind_of_player_is_refused_as_a_name() -> None:
    assert set(PLAYERS) == PLAYER_KINDS


@pytest.mark.parametrize("name", ["material", "random", "a,b", "a@3", "mine.safetensors", "-x", "a:b"])
def test_a_name_that_cannot_be_used_is_refused_before_the_run(runs: Path, name: str) -> None:
    with pytest.raises(UsageError):
        run_folder(name, "default")

    assert not runs.exists() or not (runs / name).exists()


def test_out_is_a_name_or_a_path(runs: Path, tmp_path: Path) -> None:
    assert runs / "mine" == run_folder("mine", "default") and runs / "default" == run_folder(None, "default")
    put(run_folder("here/yours", "default") / "brain.safetensors")
    os.chdir(tmp_path)

    assert tmp_path / "elsewhere" / "here" / "yours" / "brain.safetensors" == find("yours")
    assert "yours" == card(str(tmp_path / "elsewhere/here/yours/brain.safetensors")).name


def test_two_runs_of_one_name_get_two_names(runs: Path, tmp_path: Path) -> None:
    folders = [run_folder(tmp_path / place / "mine", "default") for place in ("a", "b")]
    for folder, brain in zip(folders, ("material", "okapi-28"), strict=True):
        put(folder / "brain.safetensors", brain)
    again = [run_folder(folder, "default") for folder in folders]

    assert folders == again and {"mine", "mine-2"} == set(default_library().brains())


def test_a_run_whose_folder_was_deleted_gives_its_name_back(runs: Path, tmp_path: Path) -> None:
    for place in ("a", "b"):
        folder = run_folder(tmp_path / place / "mine", "default")
        put(folder / "brain.safetensors")
        if place == "a":
            shutil.rmtree(folder)

    assert ["mine"] == list(default_library().brains()) and {"mine": str(tmp_path / "b" / "mine")} == json.loads(
        (runs / "index.json").read_text()
    )


def test_old_runs_of_this_folder_are_found_and_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OKAPI_RUNS")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", "")
    monkeypatch.chdir(tmp_path)
    old = put(tmp_path / "runs" / "before" / "brain.safetensors")

    assert old.samefile(find("before")) and old.parent.samefile(run_folder(None, "before"))
    assert runs_folder() / "new" == run_folder(None, "new") and tmp_path / "home" in runs_folder().parents


def test_reading_needs_no_home_and_writing_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("OKAPI_RUNS", str(tmp_path / "file" / "runs"))

    assert [] == list(default_library().brains()) and SHIPPED / "material.safetensors" == find("material")
    with pytest.raises(NotFound, match="cannot be written") as error:
        run_folder("mine", "default")
    assert "OKAPI_RUNS" in error.value.hint
    assert tmp_path / "mine" == run_folder(tmp_path / "mine", "default")  # its own folder can be written


def test_a_user_without_a_home_reads_and_writes_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OKAPI_RUNS", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "")
    monkeypatch.chdir(tmp_path)

    assert tmp_path / "runs" == runs_folder() and default_library().old is None


def test_a_damaged_index_or_brain_hides_nothing_else(runs: Path) -> None:
    put(runs / "good" / "brain.safetensors")
    (runs / "bad").mkdir()
    (runs / "bad" / "brain.safetensors").write_bytes(b"no brain")
    (runs / "index.json").write_text("[")

    assert ["good"] == [found.name for found in everything() if found.path.parent != SHIPPED]
    assert len(brains.shipped()) + 1 == len(everything())
