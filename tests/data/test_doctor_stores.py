"""The doctor finds what is wrong with stores and between two files, says so, and fixes no more than that."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from labelled import samples
from shuffled_games import some_games, stored
from written_games import LONG, MATE, TAGS, game, one_sided

from okapi.cli import main
from okapi.cli.console import Exit
from okapi.core import Game, Position
from okapi.data.doctor import Examination, Finding, Severity, examine
from okapi.data.doctor.statistics import PointOfView
from okapi.data.samples import Samples, SampleWriter
from okapi.data.split import Shares, Split, make_split
from okapi.data.store import Store


def found(examination: Examination, check: str) -> Finding:
    (finding,) = [finding for finding in examination.report.findings if finding.check == check]
    return finding


def checks(examination: Examination, severity: Severity) -> set[str]:
    return {finding.check for finding in examination.report.findings if finding.severity is severity}


def fixed(examination: Examination, to: Path) -> list[Game]:
    assert examination.fix(to) == len(Store.open(to))
    return list(Store.open(to))


# --- Games ----------------------------------------------------------------------------------------------------------


def test_a_good_store_is_healthy(tmp_path: Path) -> None:
    examination = examine(stored(tmp_path / "a.okapi", [game(LONG), game([*LONG[:-2], "Nf1"], Date="1852.01.01")]))

    assert examination.report.healthy
    assert not checks(examination, Severity.WARNING)


def test_a_game_that_stands_twice_is_kept_once(tmp_path: Path) -> None:
    games = [game(LONG, Event="one"), game(LONG, Event="two", White="Adolf Anderssen"), game(LONG, White="Morphy, P")]
    examination = examine(stored(tmp_path / "a.okapi", games))

    assert (Severity.FAULT, 1) == (found(examination, "duplicates").severity, found(examination, "duplicates").count)
    assert (Severity.NOTE, 1) == (found(examination, "same-moves").severity, found(examination, "same-moves").count)
    assert ["one", None] == [kept.tags.get("Event") for kept in fixed(examination, tmp_path / "b.okapi")]


def test_a_game_without_its_last_moves_is_nearly_the_same(tmp_path: Path) -> None:
    other_day, other_game = game(LONG[:-4], Date="1851.06.22"), game([*LONG[:10], "d3", *LONG[11:15]])
    games = [game(LONG[:-3]), game(LONG), other_day, other_game]
    examination = examine(stored(tmp_path / "a.okapi", games))

    assert (Severity.WARNING, 1) == (
        found(examination, "near-duplicates").severity,
        found(examination, "near-duplicates").count,
    )
    assert [24, 20, 15] == [len(kept.moves) for kept in fixed(examination, tmp_path / "b.okapi")]


@pytest.mark.parametrize(("told", "right"), [("1-0", "0-1"), ("1/2-1/2", "0-1"), ("*", "0-1")])
def test_the_board_is_believed(told: str, right: str, tmp_path: Path) -> None:
    examination = examine(stored(tmp_path / "a.okapi", [game(MATE, told), game(MATE, "0-1", White="Other")]))

    check = "decided-without-result" if told == "*" else "contradicted-results"
    assert 1 == found(examination, check).count
    assert (told == "*") == examination.report.healthy
    assert [right, "0-1"] == [kept.result for kept in fixed(examination, tmp_path / "b.okapi")]


def test_stalemate_is_a_draw(tmp_path: Path) -> None:
    start = Position.from_fen("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
    wrong = Game(start, (start.move("f1f7"),), "1-0", tags=TAGS)
    examination = examine(stored(tmp_path / "a.okapi", [wrong]))

    assert ["1/2-1/2"] == [kept.result for kept in fixed(examination, tmp_path / "b.okapi")]


def test_impossible_tags_are_taken_away(tmp_path: Path) -> None:
    wrong = game(LONG, WhiteElo="9999", BlackElo="2400", Date="2019.02.31")
    vague, odd = game(LONG[:20], Date="1900.??.??", BlackElo="0"), game(LONG[:18], Date="1900.13.01")
    examination = examine(stored(tmp_path / "a.okapi", [wrong, vague, odd, game(LONG[:16], Date="????.??.??")]))

    assert {"impossible-elo", "impossible-date"} == checks(examination, Severity.WARNING)
    assert 2 == found(examination, "impossible-date").count
    first, second, third, _ = fixed(examination, tmp_path / "b.okapi")
    assert "Date" not in third.tags
    assert {"White", "Black", "BlackElo"} == set(first.tags)
    assert ("1900.??.??", "0") == (second.tags["Date"], second.tags["BlackElo"])


def test_short_long_and_nameless_games_are_noted(tmp_path: Path) -> None:
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"] * 151
    examination = examine(stored(tmp_path / "a.okapi", [game(["e4"]), game(shuffle, "*"), game(LONG, White="?")]))

    assert {"too-short", "too-long", "without-names", "without-result"} <= checks(examination, Severity.NOTE)


def test_a_damaged_store_is_saved_as_far_as_it_can_be(tmp_path: Path) -> None:
    path = stored(tmp_path / "a.okapi", some_games(150))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    examination = examine(path)

    assert Severity.FAULT is found(examination, "damaged-blocks").severity
    kept = fixed(examination, tmp_path / "b.okapi")
    assert 0 < len(kept) < 150
    assert examine(tmp_path / "b.okapi").report.healthy


def test_a_torn_tail_is_noted(tmp_path: Path) -> None:
    path = stored(tmp_path / "a.okapi", [game(LONG)])
    path.write_bytes(path.read_bytes() + stored(tmp_path / "b.okapi", [game(LONG)]).read_bytes()[8:40])

    assert Severity.NOTE is found(examine(path), "torn-tail").severity


# --- Values of games ------------------------------------------------------------------------------------------------


def test_values_from_whites_view_are_found_and_turned_round(tmp_path: Path) -> None:
    right, wrong = (
        [one_sided(number, whose) for number in range(300)] for whose in (PointOfView.MOVER, PointOfView.WHITE)
    )
    examination = examine(stored(tmp_path / "wrong.okapi", wrong))

    assert {"view-of-values"} == checks(examination, Severity.FAULT)
    assert "White's view" in found(examination, "view-of-values").text
    for expected, actual in zip(right, fixed(examination, tmp_path / "fixed.okapi"), strict=True):
        assert [t.value for t in expected.decisions if t] == [t.value for t in actual.decisions if t]
    assert examine(tmp_path / "fixed.okapi").report.healthy


# --- Splits and pairs -----------------------------------------------------------------------------------------------


def test_a_split_is_counted_again(tmp_path: Path) -> None:
    path = stored(tmp_path / "a.okapi", some_games())
    split = make_split(Store.open(path), Shares(50, 20, 30))
    split.write(tmp_path / "a.okapi.split")
    assert Severity.OK is found(examine(path), "split").severity

    leaky = Split(split.shares, split.of, split.subsets, split.runs[:-20], split.counts)
    leaky.write(tmp_path / "a.okapi.split")
    assert Severity.FAULT is found(examine(path), "split").severity

    stored(path, some_games(1, seed=9))
    assert "knows 150 of the store's 151 games" in found(examine(path), "split").text


def test_games_and_positions_of_two_stores(tmp_path: Path) -> None:
    games = some_games(60)
    one, other = stored(tmp_path / "one.okapi", games[:40]), stored(tmp_path / "other.okapi", games[30:])
    pair = examine(one, other)
    common = {played.hash for played in (Store.open(other).record(n) for n in range(30))}
    shared = [n for n in range(40) if Store.open(one).record(n).hash in common]

    assert (Severity.FAULT, len(shared)) == (found(pair, "common-games").severity, found(pair, "common-games").count)
    assert Severity.FAULT is found(pair, "common-positions").severity
    assert 40 - len(shared) == len(fixed(pair, tmp_path / "fixed.okapi"))
    assert Severity.OK is found(examine(tmp_path / "fixed.okapi", other), "common-games").severity


def sample_file(path: Path, rows: Any) -> Path:
    with SampleWriter.open(path) as writer:
        writer.append(rows)
    return path


def test_positions_of_two_sample_files(tmp_path: Path) -> None:
    rows = samples()
    one = sample_file(tmp_path / "one.samples", rows[:3000])
    other = sample_file(tmp_path / "other.samples", rows[2900:])
    pair = examine(one, other)

    assert 70 < found(pair, "common-positions").count < 150
    assert 3000 - found(pair, "common-positions").count == pair.fix(tmp_path / "fixed.samples")
    assert examine(tmp_path / "fixed.samples", other).report.healthy


def test_a_store_and_a_sample_file(tmp_path: Path) -> None:
    store = stored(tmp_path / "a.okapi", some_games(20))
    rows = Store.open(store).samples(np.zeros(1, np.uint32), np.zeros(1, np.uint16))
    early = sample_file(tmp_path / "early.samples", rows)

    assert examine(store, early).report.healthy
    assert examine(early, store).report.healthy


# --- Files of samples -----------------------------------------------------------------------------------------------


def test_a_damaged_sample_file_is_saved_as_far_as_it_can_be(tmp_path: Path) -> None:
    path = tmp_path / "a.samples"
    with SampleWriter.open(path) as writer:
        for part in np.array_split(samples(), 4):
            writer.append(part)
            writer.commit()
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 0xFF
    path.write_bytes(data)
    examination = examine(path)

    assert Severity.FAULT is found(examination, "damaged-blocks").severity
    assert 0 < examination.fix(tmp_path / "b.samples") < len(samples())
    assert "a.samples" == Samples.open(tmp_path / "b.samples").card["mended"]


def test_text_is_read_and_lines_that_cannot_be_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 100 | 1.0\nnonsense | 1 | 1.0\n")

    assert "a.txt, line 2" in found(examine(path), "unreadable-entries").text


# --- The commands ---------------------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], expected: Exit, *words: object) -> dict[str, Any]:
    assert expected == main(["games", *map(str, words), "--json"])
    (line,) = capsys.readouterr().out.splitlines()
    answer: dict[str, Any] = json.loads(line)
    return answer


def test_the_doctor_has_a_code_for_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = stored(tmp_path / "good.okapi", [game(LONG)]), stored(tmp_path / "bad.okapi", [game(MATE, "1-0")])

    assert run(capsys, Exit.DONE, "doctor", good)["healthy"]
    answer = run(capsys, Exit.INPUT, "doctor", bad)
    assert not answer["healthy"]
    assert "contradicted-results" in [finding["check"] for finding in answer["findings"]]
    assert Exit.INPUT == main(["games", "doctor", str(bad)])
    assert "1 fault" in capsys.readouterr().out


def test_fixing_asks_and_never_writes_in_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad, new = stored(tmp_path / "bad.okapi", [game(MATE, "1-0")]), tmp_path / "new.okapi"

    assert Exit.USAGE == main(["games", "doctor", str(bad), "--fix"])
    assert Exit.USAGE == main(["games", "doctor", str(bad), "--fix", "--to", str(new)])
    assert "--yes" in capsys.readouterr().err
    assert not new.exists()
    assert 1 == run(capsys, Exit.DONE, "doctor", bad, "--fix", "--to", new, "--yes")["written"]
    assert "0-1" == Store.open(new)[0].result
    assert Exit.USAGE == main(["games", "doctor", str(bad), "--fix", "--to", str(bad), "--yes"])


def test_samples_are_shown_with_bars(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = sample_file(tmp_path / "a.samples", samples())

    assert Exit.DONE == main(["games", "doctor", str(file), "--picture", str(tmp_path / "a.svg")])
    shown = capsys.readouterr().out
    assert "what values were worth" in shown and "█" in shown and "The values are those of the side to move" in shown
    assert "ten to one" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_one_or_two_files(tmp_path: Path) -> None:
    assert Exit.USAGE == main(["games", "doctor"])
    assert Exit.INPUT == main(["games", "doctor", str(tmp_path / "nowhere.samples")])


def test_the_old_names_of_the_flag_and_the_key_still_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad, new = stored(tmp_path / "bad.okapi", [game(LONG), game(LONG)]), tmp_path / "new.okapi"

    answer = run(capsys, Exit.DONE, "doctor", bad, "--mend", "--to", new, "--yes")

    assert 1 == answer["written"]
    assert all(finding["mend"] == finding["fix"] for finding in answer["findings"])
