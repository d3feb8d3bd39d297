"""Test suites."""

from pathlib import Path

import pytest

from okapi.errors import InvalidEpd, NotFound
from okapi.formats.epd import Epd, read_epd

LINE = '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";'


def test_reads_a_line() -> None:
    epd = Epd.parse(LINE)

    assert "BK.01" == epd.operations["id"]
    assert ["Qd1+"] == [epd.position.san(move) for move in epd.moves("bm")]
    assert () == epd.moves("am")


@pytest.mark.parametrize("line", ["", "8/8/8/8/8/8/8/8 w - - bm e4;", LINE.replace("Qd1+", "Qd9"), "hello world"])
def test_a_wrong_line_is_refused(line: str) -> None:
    with pytest.raises(InvalidEpd):
        Epd.parse(line)


def test_a_file_says_which_line_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "suite.epd"
    file.write_text(f"# a comment\n{LINE}\n\nnonsense\n", encoding="utf-8")

    with pytest.raises(InvalidEpd, match=r"suite\.epd, line 4"):
        list(read_epd(file))


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        list(read_epd(tmp_path / "none.epd"))
