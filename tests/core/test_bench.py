"""One number for both programs."""

import re
import subprocess

from okapi.core import Evaluator, RawBrain
from okapi.core.search import bench
from okapi.uci import okapi_uci


def test_python_and_the_native_program_search_the_same_tree() -> None:
    said = subprocess.run([okapi_uci(), "bench", "6"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"(\d+) nodes (\d+) nps", said)

    assert match is not None
    assert int(match[1]) == bench(Evaluator.from_brain(RawBrain.default()), depth=6).nodes
