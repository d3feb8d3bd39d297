"""The doctor finds what is wrong with samples, says so, and fixes no more than that."""

from collections.abc import Callable

import chess
import numpy as np
import pytest
from labelled import SCALE, samples
from numpy.typing import NDArray

from okapi.brains.output import expected_scores
from okapi.core.packed import NO_VALUE, fens
from okapi.data.doctor.checks import DoctorReport, Finding, Severity, report_on
from okapi.data.doctor.examine import SampleFixer
from okapi.data.doctor.statistics import (
    BIN,
    BINS,
    CalibrationCurve,
    ColumnAgreement,
    PointOfView,
    SampleCounts,
    flipped,
    material,
)
from okapi.data.samples import Columns

Rows = NDArray[np.void]


def tallied(rows: Rows, chunk: int = 500) -> SampleCounts:
    tally = SampleCounts()
    for start in range(0, len(rows), chunk):
        tally.add(rows[start : start + chunk])
    return tally


def examined(rows: Rows) -> DoctorReport:
    return report_on(tallied(rows), "some")


def finding(report: DoctorReport, check: str) -> Finding:
    (found,) = [finding for finding in report.findings if finding.check == check]
    return found


def unique(rows: Rows) -> Rows:
    return SampleFixer(PointOfView.MOVER, PointOfView.MOVER).fix(rows)


def test_good_samples_are_healthy() -> None:
    report = examined(unique(samples()))

    assert report.healthy
    assert not report.fixable
    for check in ("broken-positions", "illegal-moves", "view-of-values", "view-of-results", "values"):
        assert Severity.OK is finding(report, check).severity


def test_counts_do_not_depend_on_chunks() -> None:
    rows = samples()

    assert examined(rows).figures == report_on(tallied(rows, 7000), "some").figures


def test_counts_are_what_python_chess_counts() -> None:
    rows = samples(games=4)
    boards = [chess.Board(fen) for fen in fens(rows["position"])]
    worth = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}

    def balance(board: chess.Board) -> int:
        return sum(worth[p.piece_type] * (1 if p.color == board.turn else -1) for p in board.piece_map().values())

    figures = examined(rows).figures
    assert [balance(board) for board in boards] == material(rows["position"]).tolist()
    assert sum(board.is_check() for board in boards) == figures["traits"]["in_check"]
    assert sum(board.turn for board in boards) == figures["white_to_move"]
    assert sum(len(board.piece_map()) for board in boards) == sum(
        n * count for n, count in enumerate(figures["pieces"])
    )
    assert len(rows) == sum(figures["plies"].values())


# --- Signs ----------------------------------------------------------------------------------------------------------


def values_seen_by(view: PointOfView, rows: Rows) -> Rows:
    wrong = flipped(view, rows["position"]["turn"])
    rows["value"][wrong] *= -1
    return rows


def results_seen_by(view: PointOfView, rows: Rows) -> Rows:
    wrong = flipped(view, rows["position"]["turn"])
    rows["result"][wrong] = 2 - rows["result"][wrong]
    return rows


@pytest.mark.parametrize("view", [PointOfView.WHITE, PointOfView.BLACK, PointOfView.OPPONENT])
@pytest.mark.parametrize(("check", "spoil"), [("values", values_seen_by), ("results", results_seen_by)])
def test_a_wrong_view_is_named_and_fixed(
    check: str, spoil: Callable[[PointOfView, Rows], Rows], view: PointOfView
) -> None:
    right = unique(samples())
    spoiled = spoil(view, right.copy())
    tally = tallied(spoiled)
    report = report_on(tally, "some")

    assert Severity.FAULT is finding(report, f"view-of-{check}").severity
    assert {PointOfView.WHITE: "White's", PointOfView.BLACK: "Black's", PointOfView.OPPONENT: "not to move"}[
        view
    ] in finding(report, f"view-of-{check}").text
    assert [f"view-of-{check}"] == [found.check for found in report.findings if found.severity is Severity.FAULT]
    assert right.tobytes() == SampleFixer.after(tally).fix(spoiled).tobytes()


def test_both_wrong_at_once_are_both_fixed() -> None:
    right = unique(samples())
    spoiled = results_seen_by(PointOfView.BLACK, values_seen_by(PointOfView.WHITE, right.copy()))

    assert right.tobytes() == SampleFixer.after(tallied(spoiled)).fix(spoiled).tobytes()


def test_a_column_that_is_right_is_a_witness_for_the_other() -> None:
    rows = unique(samples())
    clear = material(rows["position"]) >= 3
    rows["result"][clear] = -1
    report = examined(results_seen_by(PointOfView.WHITE, rows[(rows["result"] >= 0) | clear]))

    assert "White's view" in finding(report, "view-of-results").text
    assert Severity.OK is finding(report, "view-of-values").severity


def test_where_nobody_can_tell_which_is_wrong_nothing_is_turned() -> None:
    rows = unique(samples(games=80))
    rows = values_seen_by(PointOfView.WHITE, rows[np.abs(material(rows["position"])) < 3])
    tally = tallied(rows)
    report = report_on(tally, "some")

    assert Severity.FAULT is finding(report, "views-disagree").severity
    assert rows.tobytes() == SampleFixer.after(tally).fix(rows).tobytes()


def test_few_rows_prove_nothing() -> None:
    assert PointOfView.UNKNOWN is ColumnAgreement([10, 0], [0, 10]).view
    assert PointOfView.WHITE is ColumnAgreement([60, 0], [0, 60]).view
    assert PointOfView.UNKNOWN is ColumnAgreement([60, 0], [0, 60]).certain_view
    assert PointOfView.UNKNOWN is ColumnAgreement([600, 500], [0, 500]).view


def test_lines_and_wdl_turn_with_their_value() -> None:
    rows = unique(samples())
    wide = np.zeros(len(rows), Columns(lines=2, wdl=True).dtype)
    for name in rows.dtype.names or ():
        wide[name] = rows[name]
    wide["lines"]["value"] = rows["value"][:, np.newaxis]
    wide["lines"]["value"][:, 1] = NO_VALUE
    wide["wdl"] = (700, 200, 100)
    fixed = SampleFixer(PointOfView.OPPONENT, PointOfView.MOVER).fix(wide)

    assert (-rows["value"]).tolist() == fixed["lines"]["value"][:, 0].tolist()
    assert {NO_VALUE} == set(fixed["lines"]["value"][:, 1].tolist())
    assert [100, 200, 700] == fixed["wdl"][0].tolist()


# --- Everything else ------------------------------------------------------------------------------------------------


def test_broken_rows_are_left_out() -> None:
    rows = unique(samples())
    rows["position"]["occupied"][5] = 0
    rows["position"]["turn"][6] = 9
    report = examined(rows)

    assert (Severity.FAULT, 2) == (
        finding(report, "broken-positions").severity,
        finding(report, "broken-positions").count,
    )
    assert len(rows) - 2 == len(unique(rows))


def test_illegal_moves_are_taken_away() -> None:
    rows = unique(samples())
    rows["move"][0] = 0 | 8 << 6  # the rook takes its own pawn
    fixed = unique(rows)

    assert 1 == finding(examined(rows), "illegal-moves").count
    assert (0, len(rows)) == (fixed["move"][0], len(fixed))


def test_repeated_positions_are_counted_and_the_first_is_kept() -> None:
    rows = unique(samples())
    twice = np.concatenate([rows, rows[:10]])
    twice["position"]["halfmove_clock"][-10:] += 1

    assert 10 == finding(examined(twice), "repeated-positions").count
    assert rows.tobytes() == unique(twice).tobytes()


def test_values_out_of_range_are_taken_away() -> None:
    rows = unique(samples())
    rows["value"][:2] = 32001, -32767

    assert (Severity.FAULT, 2) == (finding(examined(rows), "values").severity, finding(examined(rows), "values").count)
    assert [NO_VALUE, NO_VALUE] == unique(rows)["value"][:2].tolist()


def test_results_after_random_moves_are_taken_away() -> None:
    rows = unique(samples())
    rows["flags"][:4] = 1
    rows["result"][4] = 77

    report = examined(rows)
    assert 4 == finding(report, "random-with-result").count
    assert 1 == finding(report, "results").count
    assert [-1] * 5 == unique(rows)["result"][:5].tolist()


@pytest.mark.parametrize(("field", "value", "check"), [("value", 0, "values"), ("result", 1, "results")])
def test_labels_that_say_nothing_are_noticed(field: str, value: int, check: str) -> None:
    rows = samples()
    rows[field] = value

    assert finding(examined(rows), check).severity in (Severity.WARNING, Severity.FAULT)


def test_one_side_only_is_noticed() -> None:
    rows = samples()

    assert "White is to move" in finding(examined(rows[rows["position"]["turn"] == 0]), "one-side-to-move").text


def test_nothing_at_all_is_no_crash() -> None:
    assert examined(samples()[:0]).healthy


# --- Calibration ----------------------------------------------------------------------------------------------------


def test_the_scale_of_values_is_found() -> None:
    scale = tallied(samples()).calibration.scale

    assert scale is not None and abs(scale - SCALE) < 0.1 * SCALE


@pytest.mark.parametrize("scale", [120.0, 400.0, 1000.0, -300.0])
def test_a_perfect_curve_gives_its_scale_back(scale: float) -> None:
    count = np.full(BINS, 1000)
    values = (np.arange(BINS) - BINS // 2) * float(BIN)
    curve = CalibrationCurve(count, count * expected_scores(values, scale))

    assert curve.scale == pytest.approx(scale, rel=1e-3)
    assert curve.error == pytest.approx(0.0, abs=1e-3)


def test_an_odd_unit_is_noticed() -> None:
    rows = unique(samples())
    rows["value"] = np.clip(rows["value"] // 10, -30000, 30000)

    assert Severity.WARNING is finding(examined(rows), "calibration").severity
