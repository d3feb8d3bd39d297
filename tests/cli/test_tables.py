"""Tables in a narrow terminal: text wraps, and no number or name is cut off."""

import io
import re
import shlex
from pathlib import Path

import pytest
from rich.console import Console

from okapi.cli import main
from okapi.cli.console import make_table, print_table

CUT = re.compile(r"\S…")
"""What rich leaves of a cell that is too wide; intervals are written with spaces: -5 … +7."""

LONG = ("a-player-with-a-very-long-name-indeed", "another-player-with-a-name-that-is-long")
SUITE = Path(__file__).parent.parent / "arena" / "suite.epd"


def test_numbers_survive_a_terminal_that_is_too_narrow() -> None:
    table = make_table("player", "nodes", "seconds", "nodes/s", text=["player"])
    table.add_row(LONG[0], "123,456,789", "1,234.5", "100,005")
    written = io.StringIO()
    print_table(table, Console(file=written, width=20))

    shown = written.getvalue()
    assert all(number in shown for number in ("123,456,789", "1,234.5", "100,005")) and not CUT.search(shown)
    assert LONG[0] == "".join(line.split()[0] for line in shown.splitlines()[1:])


def test_a_table_that_fits_is_not_wrapped() -> None:
    table = make_table("player", "elo", text=["player"], title="the title")
    table.add_row(LONG[0], "-12")
    written = io.StringIO()
    print_table(table, Console(file=written, width=80))

    assert f"{LONG[0]}  -12" == written.getvalue().splitlines()[-1].strip()


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of players with long names."""
    pgn = tmp_path_factory.mktemp("games") / "games.pgn"
    line = f"match material vazquez-five --games 4 --depth 1 --names {' '.join(LONG)} --out {pgn} --store {pgn}.db"
    assert 0 == main(shlex.split(line))
    return pgn


@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize(
    "line",
    [
        "rate GAMES --los",
        "rate GAMES --incremental",
        f"match material vazquez-five --games 4 --depth 1 --names {' '.join(LONG)} --store GAMES.db",
        f"tournament material vazquez-five --rounds 2 --depth 1 --names {' '.join(LONG)} --store GAMES.two",
        f"suite {SUITE} --depth 1 --player material",
        "brains list",
        "brains show okapi-resnet",
        "brains compare okapi-28 vazquez-exploitation --most 60 --worst 0",
        "analyse startpos --depth 6 --multipv 3",
        "train --list",
        "tune --list",
        "encode --list",
    ],
)
def test_nothing_is_cut_off(
    games: Path, line: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    capsys.readouterr()
    assert 0 == main(shlex.split(line.replace("GAMES", str(games))))

    shown = capsys.readouterr().out
    assert shown and not CUT.search(shown)


def test_the_list_of_recipes_keeps_to_the_width_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert 0 == main(["train", "--list"])

    assert all(len(line) <= 80 for line in capsys.readouterr().out.splitlines())
