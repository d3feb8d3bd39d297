"""A claim in prose is executed, or it is not made."""

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

import okapi
from okapi.cli import main
from okapi.cli.app import command_names
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


def commands_in_the_docs() -> list[str]:
    """Lines such as `$ okapi perft 5` in the pages, without those that wait for a person or another program."""
    lines = [line for page in PAGES for line in page.read_text(encoding="utf-8").splitlines()]
    found = {match[1].split("  #")[0].strip() for line in lines if (match := re.match(r"\s*\$ (okapi .*)", line))}
    return sorted(line for line in found if not re.match(r"okapi (play|uci)|.*(\.pgn|\.fen|stockfish|runs/)", line))


@pytest.mark.parametrize("line", commands_in_the_docs())
def test_every_command_in_the_docs_works(line: str) -> None:
    expected = 0 if "girafe" not in line else 3

    assert expected == main(shlex.split(line)[1:])


@pytest.mark.parametrize("command", command_names())
def test_every_command_is_documented(command: str) -> None:
    assert any(f"okapi {command}" in page.read_text(encoding="utf-8") for page in PAGES if page != PAGES[0])
