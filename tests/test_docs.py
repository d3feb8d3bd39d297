"""A claim in prose is executed, or it is not made."""

import doctest
import importlib
import inspect
import json
import os
import pkgutil
import re
import runpy
import shlex
import shutil
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import okapi
from okapi.arena.elo import MatchResult, estimate_elo
from okapi.brains import SHIPPED
from okapi.brains.card import ModelCard
from okapi.cli import main
from okapi.cli.app import command_names, make_app, with_runs_folder, with_whole_fens
from okapi.web.app import STATIC

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def modules() -> list[str]:
    return ["okapi", *(found.name for found in pkgutil.walk_packages(okapi.__path__, "okapi."))]


@pytest.mark.parametrize("name", [name for name in modules() if not name.endswith("__main__")])
def test_every_example_in_a_docstring_runs(name: str) -> None:
    module: ModuleType = importlib.import_module(name)
    if name == "okapi.api.board" and not (STATIC / "index.html").is_file():
        pytest.skip("the board's page is not built: make web")

    assert 0 == doctest.testmod(module, optionflags=FLAGS).failed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_example_in_the_docs_runs(page: Path) -> None:
    assert 0 == doctest.testfile(str(page), module_relative=False, optionflags=FLAGS, encoding="utf-8").failed


def blocks() -> Iterator[tuple[str, list[str]]]:
    """Code blocks of the pages, each with the name of its page; a blank line ends a block."""
    for page in PAGES:
        for block in re.findall(r"(?:^(?: {4}|\t)\S.*\n)+", page.read_text(encoding="utf-8") + "\n", re.MULTILINE):
            yield page.name, textwrap.dedent(block).replace("\\\n", " ").splitlines()


def shown_commands() -> list[tuple[str, str]]:
    """Commands such as `$ okapi perft 5`, with the output that is shown below each."""
    found: dict[str, str] = {}
    for page, lines in blocks():
        command = ""
        for line in lines:
            if line.startswith("$ okapi "):
                command = line[2:].split(" # ")[0].strip()
                assert command not in found, f"{page} and another page show the output of `{command}`"
                found[command] = ""
            elif command:
                found[command] += line + "\n"
    return sorted(found.items())


def usage_lines() -> list[str]:
    """Commands without `$`: they need files, another engine, or hours."""
    lines = (line for _, lines in blocks() for line in lines if not any(first.startswith("$") for first in lines))
    found = {line.split(" # ")[0].strip() for line in lines if line.startswith("okapi ")}
    return sorted(line for line in found if "…" not in line)


@pytest.mark.parametrize(("command", "expected"), shown_commands(), ids=lambda text: str(text)[:60])
def test_every_command_in_the_docs_prints_what_they_show(
    command: str, expected: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    code = main(shlex.split(command)[1:])
    printed = capsys.readouterr()
    got = " ".join((printed.out or printed.err).split())
    parts = [re.escape(" ".join(part.split())) for part in expected.split("…")]

    assert expected.strip(), f"the docs show no output of `{command}`"
    assert (3 if expected.startswith("error:") else 0) == code
    assert re.fullmatch(".*".join(parts), got), f"expected, where … is anything:\n{expected}"


@pytest.mark.parametrize("line", usage_lines())
def test_every_other_command_in_the_docs_has_options_that_exist(line: str) -> None:
    arguments = with_whole_fens(with_runs_folder(shlex.split(line)[1:]))

    make_app(arguments).parse_args(arguments, exit_on_error=False, print_error=False)


SMALL_FILES = """
okapi analyse game.pgn --out report.html
okapi analyse game.pgn --pgn marked.pgn --nodes 200000
okapi rate games.pgn --incremental --anchor stockfish-2000=2000
okapi rate games.pgn more.pgn --anchor stockfish-2000=2000 --los
okapi games stats games.okapi --out games.svg
okapi games split games.okapi
okapi games split games.okapi --train 90 --validation 5 --test 5 --salt 7 --fresh
okapi games export games.okapi --out draws.pgn.gz --result 1/2-1/2
okapi games doctor train.samples test.samples
okapi brains add ~/Downloads/brain.safetensors --name mine
okapi brains compare mine --teacher labels.samples --out apart.html
okapi brains rename mine first-try
okapi brains remove first-try
okapi explain pieces startpos
okapi explain changes vazquez-five okapi-28
okapi moves startpos --elo 2100 --top 5
okapi moves --file positions.fen --json
okapi tournament material vazquez-five vazquez-exploitation --depth 4 --rounds 20 --pgn games.pgn
okapi train giraffe --size tiny
"""
"""Commands of the docs that take seconds where the files they name are small; in this order, in one folder."""
MAKE_THEM = """
okapi games import games.pgn --out games.okapi
okapi samples convert scores.csv --out labels.samples
okapi samples convert scores.csv --out train.samples
okapi samples convert positions.fen --out test.samples
"""
SHORT_GAME = '[White "stockfish-2000"]\n[Black "okapi"]\n[Result "{0}"]\n\n1. f3 e5 2. g4 {1} {0}\n\n'


def test_the_commands_that_need_small_files_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    used = {line.partition(" > ")[0] for line in usage_lines()}
    assert [] == [line for line in SMALL_FILES.split("\n")[1:-1] if line not in used], "no page has these"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    lost, drawn = SHORT_GAME.format("0-1", "Qh4#"), SHORT_GAME.format("1/2-1/2", "d5")
    rows = [f"{position.fen()},{value}" for position, value in zip(first_positions(), (20, -30, 40), strict=True)]
    (tmp_path / "game.pgn").write_text(lost)
    for name in ("games.pgn", "more.pgn"):
        (tmp_path / name).write_text(20 * lost + 10 * drawn)
    (tmp_path / "positions.fen").write_text("\n".join(row.partition(",")[0] for row in rows))
    (tmp_path / "Downloads").mkdir()
    shutil.copy(SHIPPED / "okapi-28.safetensors", tmp_path / "Downloads" / "brain.safetensors")
    (tmp_path / "scores.csv").write_text("\n".join(("fen,cp_white", *rows)))
    for line in (*MAKE_THEM.split("\n")[1:-1], *SMALL_FILES.split("\n")[1:-1]):
        code = main([os.path.expanduser(word) for word in shlex.split(line)[1:]])
        said = capsys.readouterr()
        assert 0 == code, f"{line}\n{said.out}\n{said.err}"
        assert said.out + said.err, line
        for file in re.findall(r"--(?:out|pgn) (\S+)", line):
            assert (tmp_path / file).stat().st_size, line


def first_positions() -> list[okapi.Position]:
    """The start, and the positions after a move and after two."""
    found = [okapi.Position()]
    for san in ("e4", "c5"):
        found.append(okapi.Position(found[-1].fen()))
        found[-1].play(san)
    return found


@pytest.mark.parametrize("name", okapi.__all__)
def test_every_public_name_has_a_sentence_and_an_example(name: str) -> None:
    """With its signature they are the Python API of the site, which scripts/docs.py checks again when it is built."""
    if name == "__version__":
        return
    sentence, _, rest = inspect.cleandoc(getattr(okapi, name).__doc__ or "").partition("\n")

    assert sentence[:1].isupper() and ">>> " in rest


def test_every_key_of_a_shipped_card_is_documented() -> None:
    page = (ROOT / "docs" / "reference" / "brains.md").read_text(encoding="utf-8")
    shipped = (Path(okapi.__file__).parent / "brains" / "shipped").glob("*.safetensors")

    assert {key for path in shipped for key in ModelCard.read(path).metadata if f"`{key}`" not in page} == set()


@pytest.mark.parametrize("command", command_names())
def test_every_command_is_documented(command: str) -> None:
    assert any(f"okapi {command}" in page.read_text(encoding="utf-8") for page in PAGES if page != PAGES[0])


def test_the_gap_to_stockfish_is_drawn_from_its_ledger() -> None:
    """`python scripts/draw_gap.py` writes the picture and the table anew."""
    docs = ROOT / "docs"
    script = runpy.run_path(str(ROOT / "scripts" / "draw_gap.py"))
    rows = json.loads((docs / "explanation" / "stockfish.json").read_bytes())

    assert rows == script["against"](rows, script["OPPONENT"])
    assert script["table"](rows) in (docs / "explanation" / "champion.md").read_text(encoding="utf-8")
    assert script["picture"](rows, script["OPPONENT"]) == (docs / "images" / "stockfish.svg").read_text(
        encoding="utf-8"
    )


def test_the_gap_to_stockfish_is_that_of_its_games() -> None:
    rows = json.loads((ROOT / "docs" / "explanation" / "stockfish.json").read_bytes())
    dates = [row["date"] for row in rows if row["date"] is not None]

    assert dates == sorted(dates)
    for row in (row for row in rows if row["pairs"] is not None):
        counts = row["wins"], row["draws"], row["losses"]
        found = estimate_elo(MatchResult(*counts, tuple(row["pairs"])))
        assert sum(counts) == row["games"]
        assert [row["elo"], row["low"], row["high"]] == pytest.approx([found.elo, found.low, found.high], abs=0.5)


def test_the_readme_has_the_newest_gap_to_stockfish() -> None:
    *_, row = json.loads((ROOT / "docs" / "explanation" / "stockfish.json").read_bytes())
    ours, theirs = row["nps"]["champion"], row["nps"][row["opponent"]]
    text = PAGES[0].read_text(encoding="utf-8")

    elo, low, high = (f"{row[name]:.0f}".replace("-", "−") for name in ("elo", "low", "high"))
    assert f"{row['games']} games | {elo} Elo ({low} … {high}) |" in text
    assert f"| its nodes a second | {ours / 1e6:.1f} million, {ours / theirs:.2f} × Stockfish's |" in text


@pytest.mark.parametrize("key", ["opponent", "against"])
def test_a_gap_is_drawn_from_each_kind_of_ledger(key: str) -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "draw_gap.py"))
    limits = {"opponent": "limits", "against": "gate"}[key]
    elos = {"2026-11-20": -160.0, "2026-11-21": -120.0, None: -200.0}
    rows = [
        {key: "x", limits: "1+0.01, so", "date": day, "elo": elo, "low": None, "high": 0} for day, elo in elos.items()
    ]
    drawn = script["picture"](script["against"]([*rows, {key: "y", "date": "2026-11-22"}], "x"), "x")

    assert 2 == drawn.count("<circle") and ">2026-11-21<" in drawn and ">1+0.01<" in drawn and "2026-11-22" not in drawn
