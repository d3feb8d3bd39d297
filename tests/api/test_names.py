"""What `from okapi import …` gives: documented, typed, imported late."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import okapi
from okapi.web.app import STATIC

SCRIPT = """
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from torch import nn

from okapi import Brain, Dataset, Decision, Limits, MatchReport, Move, Position, TrainingResult, match, play, train


class Mine:
    def choose(self, position: Position, limits: Limits) -> Move:
        return position.legal_moves()[0]


def first(position: Position) -> str:
    return str(position.legal_moves()[0])


one: float = Brain.load("champion").evaluate(Position())
many: NDArray[np.float64] = Brain.load(Path("mine.safetensors")).evaluate([Position(), Position()])
brain = Brain.from_torch(nn.Sequential(nn.Flatten(), nn.Linear(1152, 1)), encoding="planes-18", name="mine")
decision: Decision = brain.choose(Position(), Limits(nodes=10))
path: Path = brain.save("mine.safetensors")
for player in (Mine, Mine(), first, lambda position: position.move("e4"), brain, "material", Path("b.safetensors")):
    pass
results: list[MatchReport] = [
    match(Mine, "material", games=2),
    match(Mine(), brain, nodes=100),
    match(first, Path("b.safetensors"), depth=2),
    match(lambda position: position.move("e4"), "random"),
]
elo: float = results[0].elo + results[0].low + results[0].high
result: TrainingResult = train("perceptron", labels="labels.samples", out=Path("runs"), minutes=2, change={"lr": 0.01})
inputs, targets = Dataset.load(Path("labels.samples")).arrays("planes-18")
with play(result.brain, browser=False) as board:
    print(board.url)
"""


@pytest.mark.parametrize("name", [name for name in okapi.__all__ if name != "__version__"])
def test_every_name_has_a_sentence_and_an_example_that_runs(name: str) -> None:
    if name in ("play", "Board") and not (STATIC / "index.html").is_file():
        pytest.skip("the board's page is not built: make web")
    thing = getattr(okapi, name)
    text = doctest.script_from_examples(thing.__doc__ or "")
    found = doctest.DocTestFinder(recurse=False).find(thing, name, globs={**vars(sys.modules[thing.__module__])})

    assert thing.__doc__ and ">>> " in thing.__doc__, text
    assert [0] == [doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed for test in found]


def test_importing_okapi_imports_neither_numpy_nor_torch_nor_the_core() -> None:
    program = "import sys, okapi; dir(okapi); print(*{'numpy', 'torch', 'okapi.core', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "" == done.stdout.strip()


def test_torch_is_imported_only_for_networks_in_torch() -> None:
    program = "import sys; from okapi import Brain, Dataset, Position, match; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "False" == done.stdout.strip()


@pytest.mark.slow
def test_a_typed_script_passes_mypy_strict(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],  # with the settings and the cache of the project: `make lint` has filled it
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    assert Path(okapi.__file__).with_name("py.typed").is_file()
