"""Three thousand lines of nonsense; `bench/fuzz_uci.py 1000000` says a million."""

import runpy
import sys
from pathlib import Path

import pytest

FUZZER = Path(__file__).parents[2] / "bench" / "fuzz_uci.py"


@pytest.mark.skipif(not FUZZER.exists(), reason="bench/ is not part of the source distribution")
@pytest.mark.skipif(sys.platform == "win32", reason="select() knows no pipes there")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nonsense_is_survived_and_every_go_answered_once(uci_path: str, seed: int) -> None:
    fuzz = runpy.run_path(str(FUZZER))["fuzz"]
    assert fuzz(uci_path, 1000, seed) > 100
