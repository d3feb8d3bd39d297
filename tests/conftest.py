"""For all tests."""

import os
import signal
import sys
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent / "brains"))

# Who was started in the background ignores Ctrl-C, and so do the programs that tests start to press it on.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Compiled modules are kept, also where the environment says otherwise: without them every process compiles all tests,
# and every program that a test starts compiles okapi.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Tests run side by side: a second thread of torch or numpy would only wait, and waits by computing.
os.environ.setdefault("OMP_NUM_THREADS", "1")


OPTIONAL = {"torch", "cma", "onnxruntime", "ray", "sklearn", "sunfish"}
"""Packages that README calls optional. A test module that cannot be imported without one is skipped, and says so."""


SLOW = (
    *("distribution/", "papers/", "recipes/", "training/", "web/"),
    *("analysis/report/test_sentences.py", "analysis/test_embedding_map.py", "api/test_match.py"),
    *("api/test_training.py", "arena/test_hostile.py", "arena/test_match.py", "arena/test_ratings.py"),
    *("arena/test_resume.py", "arena/test_selfplay.py", "arena/test_tournament.py", "brains/test_halfka.py"),
    *("cli/test_brains_cli.py", "cli/test_cli.py", "cli/test_conventions.py", "cli/test_evolve_cli.py"),
    *("cli/test_experiment_cli.py", "cli/test_label_cli.py"),
    *("cli/test_library_cli.py", "cli/test_moves_cli.py", "cli/test_progress.py", "cli/test_samples_cli.py"),
    *("cli/test_samples_play_cli.py", "cli/test_train_cli.py", "core/test_constants.py", "core/test_fen.py"),
    *("core/test_keys.py", "core/test_rules.py", "data/test_label.py", "data/test_pgn.py", "data/test_samples.py"),
    *("data/test_store.py", "encodings/test_twins.py", "formats/test_streams.py", "players/test_engine.py"),
    *("players/test_negamax.py", "players/test_teacher.py", "test_commits.py", "test_docs.py", "test_examples.py"),
    *("test_make.py", "uci/test_uci_bad_input.py", "uci/test_uci_control.py", "uci/test_uci_human.py"),
    *("uci/test_uci_lines.py", "uci/test_uci_options.py", "uci/test_uci_player.py"),
)
"""Folders and modules whose tests are marked slow: each takes two seconds or more. `make check` leaves them out."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where slow tests are left out, their modules are not even imported."""
    name = collection_path.relative_to(Path(__file__).parent).as_posix() + "/" * collection_path.is_dir()
    return True if config.getoption("markexpr") == "not slow" and name.startswith(SLOW) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    root = Path(__file__).parent
    for item in items:
        if item.path.relative_to(root).as_posix().startswith(SLOW):
            item.add_marker(pytest.mark.slow)


@cache
def _runs_in_one_process(file: Path) -> bool:
    """Do the tests of a module share something that takes a while to make: a fixture, or a browser?"""
    return 'scope="module"' in file.read_text(encoding="utf-8") or Path(__file__).parent / "web" in file.parents


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Spread tests over processes: some modules as a whole and first, all other tests one by one.

    xdist's own groups (loadgroup) have no effect under pytest 9.2, which keeps the names of tests elsewhere.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            return file if _runs_in_one_process(config.rootpath / file) else nodeid

    return Scheduling(config, log)


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
