"""Brains on the way of a run, and their Elo."""

import itertools
from pathlib import Path

import pytest

from okapi.brains import card, find
from okapi.data.runs import Run, RunReader, snapshot_steps
from okapi.recipes.config import RecipeConfig, SnapshotConfig
from okapi.recipes.snapshots import CHECKPOINTS, ShortMatch, Snapshots, measured_steps

QUICK = SnapshotConfig(elo_games=2, elo_depth=1)
STRONG, WEAK = "okapi-28", "material"


def brain(name: str) -> bytes:
    return find(name).read_bytes()


@pytest.mark.parametrize("total", [0, 1, 5, 50, 7820])
def test_snapshots_have_both_ends_and_are_dense_early(total: int) -> None:
    steps = snapshot_steps(total, 20)

    assert (0, total) == (steps[0], steps[-1]) and len(steps) <= 21
    gaps = [later - earlier for earlier, later in itertools.pairwise(steps)]
    assert all(gap > 0 for gap in gaps) and (not gaps or gaps[0] <= gaps[-1])
    assert [] == snapshot_steps(total, 0)


def test_each_snapshot_is_a_brain_with_its_elo_in_the_log(tmp_path: Path) -> None:
    with Run.start(tmp_path / "run", "train") as run:
        snapshots = Snapshots(run, QUICK, clock=itertools.count(0, 100).__next__)
        snapshots.take(0, brain(WEAK))
        snapshots.take(7, brain(STRONG))
        snapshots.finish()

    assert ["000000", "000007"] == sorted(file.stem for file in (tmp_path / "run" / CHECKPOINTS).iterdir())
    found = measured_steps(tmp_path / "run")
    assert [0, 7] == list(found)
    assert 0 == found[0]["elo_material"] and "elo_previous" not in found[0]
    for name in ("elo_material", "elo_previous"):
        assert found[7][f"{name}_low"] <= found[7][name] <= found[7][f"{name}_high"]
    assert 2 == found[7]["games"]


def test_matches_take_a_small_share_of_the_time(tmp_path: Path) -> None:
    """The clock stands still between snapshots: all the time is that of matches."""
    with Run.start(tmp_path / "run", "train") as run:
        snapshots = Snapshots(run, QUICK, clock=itertools.count(0, 1).__next__)
        for step in range(6):
            snapshots.take(step, brain(WEAK))
        snapshots.finish()

    measured = measured_steps(tmp_path / "run")
    assert 5 in measured and len(measured) < 4


def test_what_is_measured_late_keeps_the_whole_curve(tmp_path: Path) -> None:
    now = [0.0]
    with Run.start(tmp_path / "run", "train") as run:
        snapshots = Snapshots(run, QUICK, clock=lambda: now[0])
        for step in range(3):
            snapshots.take(step, brain(WEAK))
        now[0] = 1000.0
        snapshots.finish()
    reader = RunReader(tmp_path / "run")
    reader.look()

    assert [0, 1, 2] == reader.curves["elo_material"][0]


def slow_match(snapshots: Snapshots) -> dict[str, float]:
    snapshots._spent += 1.0
    return {"elo_material": 0.0}


def test_a_curve_reaches_the_end_although_the_first_snapshots_come_too_fast(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evolution: snapshots come each second, and there is time for one match in eight."""
    now = [0.0]
    with Run.start(tmp_path / "run", "train") as run:
        snapshots = Snapshots(run, QUICK, clock=lambda: now[0], begun=0.0)
        monkeypatch.setattr(snapshots, "_measure", lambda step: slow_match(snapshots))
        for step in range(60):
            now[0] = step
            snapshots.take(step, brain(WEAK))
        snapshots.finish()

    steps = list(measured_steps(tmp_path / "run"))
    assert (0, 59) == (steps[0], steps[-1]) and 5 <= len(steps) <= 9
    assert max(later - earlier for earlier, later in itertools.pairwise(steps)) <= 20


def test_resumed_it_measures_what_was_not_measured_and_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def clock() -> "itertools.count[int]":
        return itertools.count(0, 100)

    with Run.start(tmp_path / "run", "train") as run:
        first = Snapshots(run, QUICK, clock=clock().__next__)
        first.take(0, brain(WEAK))
        first.take(3, brain(STRONG))  # killed before finish
    before = measured_steps(tmp_path / "run")
    played: list[tuple[str, str]] = []
    play = ShortMatch.play
    monkeypatch.setattr(ShortMatch, "play", lambda self, *two: (played.append(two), play(self, *two))[1])
    with Run.start(tmp_path / "run", "train") as run:
        again = Snapshots(run, QUICK, clock=clock().__next__)
        again.take(3, brain(STRONG))
        again.take(9, brain(STRONG))
        again.finish()

    assert not [two for two in played if any(f"{step:06}" in two[0] for step in before)]
    assert [0, 3, 9] == sorted(measured_steps(tmp_path / "run"))


def test_a_setting_switches_them_off_and_is_no_setting_of_the_recipe() -> None:
    config = RecipeConfig(changes={"elo": "off", "snapshots": "5", "lr": "0.5"})

    assert SnapshotConfig(snapshots=5, elo=False) == config.snapshots()
    assert {"lr": 0.5} == config.settings({"lr": 0.1})


def test_the_same_match_gives_the_same_elo() -> None:
    match = ShortMatch(games=4, depth=1, threads=2)

    assert match.play(STRONG, WEAK) == match.play(STRONG, WEAK)
    assert "material" == card(WEAK).name
