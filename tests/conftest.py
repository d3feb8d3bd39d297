"""For all tests."""

import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "brains"))

# Who was started in the background ignores Ctrl-C, and so do the programs that tests start to press it on.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def sorter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small network of random weights that sorts positions into three classes, seen by White."""
    from images import write

    return write(tmp_path_factory.mktemp("brains"), name="sorter")
