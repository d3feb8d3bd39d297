"""What the command line imports before it answers: help and lists must not wait for numpy, torch or the core."""

import inspect
import subprocess
import sys
from pkgutil import resolve_name

import pytest

from okapi.cli.app import COMMANDS, Subcommands, summary

SLOW = ("torch", "numpy", "chess", "okapi.core", "okapi.brains", "starlette")

PROGRAM = f"""
import sys
from okapi.cli import main
code = main(sys.argv[1:])
print(*(name for name in {SLOW!r} if name in sys.modules), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize(
    "line", ["--help", "", "games --help", "train --help", "train --list", "train --list --json", "match --help"]
)
def test_nothing_slow_is_imported(line: str) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *line.split()], capture_output=True, text=True, check=True)

    assert "" == done.stderr.strip()
    assert done.stdout


def functions() -> list[str]:
    commands = [command for group in COMMANDS.values() for command in group.values()]
    return [
        name for each in commands for name in (each.functions.values() if isinstance(each, Subcommands) else [each])
    ]


@pytest.mark.parametrize("function", functions())
def test_the_summary_in_a_list_is_that_of_the_command(function: str) -> None:
    text = inspect.getdoc(resolve_name(function))

    assert text is not None
    assert " ".join(text.partition("\n\n")[0].split()) == summary(function)
