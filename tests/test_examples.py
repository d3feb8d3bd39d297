"""The staircase: every step runs."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_runs(example: Path) -> None:
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, check=False, timeout=120)

    assert 0 == done.returncode, done.stderr
    assert done.stdout and not done.stderr
