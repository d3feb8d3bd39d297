"""Our rules against python-chess, on random games."""

import subprocess
import sys
from pathlib import Path

import pytest

COMPARE = Path(__file__).parents[2] / "bench" / "compare_rules.py"


@pytest.mark.skipif(not COMPARE.exists(), reason="bench/ comes only with the repository")
def test_nothing_differs_from_python_chess() -> None:
    """bench/compare_rules.py does the same with 200,000 positions."""
    command = [sys.executable, str(COMPARE), "--positions", "5000", "--workers", "1", "--seed", "17"]

    answer = subprocess.run(command, capture_output=True, text=True, check=False)

    assert answer.stdout.splitlines()[-1:] and " 0 differences" in answer.stdout, answer.stdout + answer.stderr
    assert answer.returncode == 0
