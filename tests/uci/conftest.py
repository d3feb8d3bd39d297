"""A fresh okapi-uci for each test."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # these tests share uci_driver.py, however pytest imports them

from uci_driver import Engine, program, running


@pytest.fixture(scope="session")
def uci_path() -> str:
    path = program()
    if path is None:
        pytest.skip("no okapi-uci here: pip install . or set OKAPI_UCI")
    return path


@pytest.fixture
def engine(uci_path: str) -> Iterator[Engine]:
    with running(uci_path) as engine:
        yield engine
