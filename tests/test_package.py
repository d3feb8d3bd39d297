"""What a user gets: names, versions, types, and an import that costs nothing."""

import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import okapi
from okapi.core import _core

ROOT = Path(__file__).parent.parent


def test_the_version_is_the_same_everywhere() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

    assert declared == okapi.__version__ == version("okapi-chess")


def test_the_changelog_begins_with_this_version() -> None:
    changelog = ROOT / "CHANGELOG.md"
    if not changelog.exists():
        pytest.skip("only in the repository")

    assert f"## {okapi.__version__}" in changelog.read_text(encoding="utf-8")


def test_every_exported_name_exists() -> None:
    for name in okapi.__all__:
        assert hasattr(okapi, name)


def test_import_brings_no_heavy_company() -> None:
    """`import chess` takes a while and `import torch` seconds: an engine must be up before that."""
    code = "import sys, okapi; print([m for m in ('chess', 'torch', 'numpy', 'rich', 'cyclopts') if m in sys.modules])"

    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert answer.stdout.strip() == "[]"


def test_the_board_and_every_command_load_without_torch() -> None:
    code = (
        "import sys, pkgutil, importlib, okapi.cli, okapi.web.server; "
        "[importlib.import_module(f'okapi.cli.{module.name}') for module in pkgutil.iter_modules(okapi.cli.__path__)]"
    )

    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.modules['torch'] = None; {code}"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stderr


def test_the_stub_is_what_the_bindings_say(tmp_path: Path) -> None:
    """`make stubs` writes it."""
    pytest.importorskip("nanobind")
    stub = ROOT / "src" / "okapi" / "core" / "_core.pyi"
    made = tmp_path / "_core.pyi"
    options = ["-q", "-m", _core.__name__, "-o", str(made)]
    subprocess.run([sys.executable, "-m", "nanobind.stubgen", *options], check=True, cwd=tmp_path)
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", "--line-length", "120", str(made)], check=True)

    assert stub.read_text(encoding="utf-8") == made.read_text(encoding="utf-8")


THEIR_SCRIPT = "import sys; from okapi import mongo; sys.exit(mongo())"
"""Of the unrelated distribution `okapi` on PyPI, which installs a package and a script of this name, too."""


@pytest.mark.parametrize("start", [["-m", "okapi"], ["-c", "from okapi.cli import run; run()"], ["-c", THEIR_SCRIPT]])
def test_a_package_of_the_same_name_over_this_one_is_explained(tmp_path: Path, start: list[str]) -> None:
    """As pip leaves it: their __init__.py in place of ours, and the rest of ours beside it.

    Python starts without site (-S), which would find an editable install first.
    """
    mixed = tmp_path / "okapi"
    shutil.copytree(Path(okapi.__file__).parent, mixed, ignore=shutil.ignore_patterns("*.safetensors", "static"))
    (mixed / "__init__.py").write_text("__version__ = '0.12.0'\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    done = subprocess.run(
        [sys.executable, "-S", *start], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert 3 == done.returncode
    assert "unrelated distribution `okapi`" in done.stderr and "Traceback" not in done.stderr
