"""The run that ships for the time-lapse: scripts/record_run.py makes it."""

from okapi.brains import evaluator
from okapi.core import Position
from okapi.data.runs import RunInfo
from okapi.web.timelapse import RECORDED, ages_of, recorded_runs


def test_a_brain_grows_from_random_to_better_than_counting_pieces() -> None:
    folder = recorded_runs()["first"]
    ages = ages_of(folder)
    elos = [numbers["elo_material"] for _, numbers in ages]

    assert 0 == ages[0][0].step and RunInfo.read(folder).total == ages[-1][0].step
    assert 12 <= len(ages) <= 24 and all("elo_previous" in numbers for _, numbers in ages[1:])
    assert elos[0] < -500 and elos[-1] > 150
    assert all(evaluator(str(age.path)).centipawns(Position.start()) is not None for age, _ in ages)


def test_it_is_small() -> None:
    assert sum(file.stat().st_size for file in RECORDED.rglob("*")) < 310_000
