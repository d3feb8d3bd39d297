"""For all tests."""

import signal
import sys
from itertools import count
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "brains"))

# Who was started in the background ignores Ctrl-C, and so do the programs that tests start to press it on.
signal.signal(signal.SIGINT, signal.default_int_handler)


OPTIONAL = {"torch", "cma", "onnxruntime", "ray", "sklearn", "sunfish"}
"""Packages that README calls optional. A test module that cannot be imported without one is skipped, and says so."""


class ModuleOfTests(pytest.Module):
    """A module whose optional package is missing is skipped instead of being an error."""

    def _getobj(self) -> object:
        try:
            return super()._getobj()
        except self.CollectError as error:
            missing = error.__cause__
            if isinstance(missing, ModuleNotFoundError) and (missing.name or "").partition(".")[0] in OPTIONAL:
                pytest.skip(f"{missing.name} is not installed", allow_module_level=True)
            raise


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    return ModuleOfTests.from_parent(parent, path=module_path)


NUMBERS = count()


@pytest.fixture(autouse=True)
def runs(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test has a runs folder of its own; none reads or writes that of who runs the tests."""
    folder = tmp_path_factory.getbasetemp() / f"library-{next(NUMBERS)}" / "runs"
    monkeypatch.setenv("OKAPI_RUNS", str(folder))
    return folder


@pytest.fixture(scope="session")
def sorter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small network of random weights that sorts positions into three classes, seen by White."""
    from images import write

    return write(tmp_path_factory.mktemp("brains"), name="sorter")
