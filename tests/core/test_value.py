"""One unit, with its point of view."""

import pytest

from okapi import Color, Limits, Position, Value


@pytest.mark.parametrize("centipawns", [-20000, -1000, -37, 0, 1, 250, 5000])
def test_centipawns_there_and_back(centipawns: int) -> None:
    value = Value.from_centipawns(centipawns, Color.WHITE)

    assert abs(value.centipawns - centipawns) <= max(1, abs(centipawns) // 20)


def test_four_hundred_centipawns_are_ten_to_one() -> None:
    assert 10 / 11 == pytest.approx(Value.from_centipawns(400, Color.WHITE).expected)


def test_the_other_side_sees_the_rest() -> None:
    value = Value(0.7, Color.WHITE)

    assert 0.7 == value.seen_by(Color.WHITE)
    assert pytest.approx(0.3) == value.seen_by(Color.BLACK)
    assert value == value.for_side(Color.WHITE)
    assert Color.BLACK is value.turned().side


def test_mates() -> None:
    assert (1.0, 3) == (Value.from_mate(3, Color.WHITE).expected, Value.from_mate(3, Color.WHITE).mate)
    assert -3 == Value.from_mate(3, Color.WHITE).turned().mate
    assert 0.0 == Value.from_mate(0, Color.BLACK).expected


@pytest.mark.parametrize("expected", [-0.01, 1.01, float("nan")])
def test_nonsense_is_refused(expected: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        Value(expected, Color.WHITE)


@pytest.mark.parametrize("limits", [{"depth": 0}, {"nodes": -1}, {"movetime_ms": 0}, {"mate": 0}, {"moves_to_go": 0}])
def test_limits_refuse_nonsense(limits: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="1 or more"):
        Limits(**limits)  # type: ignore[arg-type]


def test_limits_can_be_narrowed() -> None:
    moves = tuple(Position.start().legal_moves()[:2])

    assert moves == Limits(depth=3).among(moves).only
    assert Limits().endless and not Limits(depth=3).endless
