"""The two commands that the README leads with."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.skipif(
    shutil.which("make") is None or not (ROOT / ".venv" / ".installed").exists(),
    reason="needs make and what `make test` has built",
)
def test_make_play_without_a_terminal_plays_a_game_and_ends() -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(
        ["make", "play"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stderr
    assert "Okapi against itself" in done.stdout


def test_the_container_is_built_from_the_packages_of_the_readme() -> None:
    if not (ROOT / "Dockerfile").exists():
        pytest.skip("no Dockerfile here")
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    build, run = text.split("FROM debian:12-slim AS system\n")
    named = re.search(r"`apt-get install ([^`]+)`", (ROOT / "README.md").read_text(encoding="utf-8"))
    installed = re.search(r"--no-install-recommends ([^\n\\&]+)", build)

    assert named and installed and set(named[1].split()) == set(installed[1].split())
    assert run.index("USER okapi") < run.index("CMD")
    assert "torch" not in run and "--constraint constraints.txt" in build
