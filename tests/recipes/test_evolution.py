import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toy import GENES, toy

from okapi.brains.card import ModelCard
from okapi.brains.files import read_tensors
from okapi.brains.library import BRAIN
from okapi.core import RawBrain
from okapi.data.runs import RunInfo, RunReader
from okapi.errors import UsageError
from okapi.optimize.executor import ThreadExecutor
from okapi.optimize.population import Generation
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import CHAMPIONS, GENERATIONS, read_generations, run_evolution


def everything(folder: Path) -> dict[str, object]:
    """All that a run leaves, without when and how long."""
    brains = {str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("**/*.safetensors")}
    lines = [{**line, "at": 0, "seconds": 0} for line in read_generations(folder)]
    return {**brains, "genes": (folder / "genes.json").read_bytes(), "generations": lines}


def test_a_folder_tells_everything(tmp_path: Path) -> None:
    seen: list[Generation] = []
    last = run_evolution(toy(RecipeConfig()), tmp_path / "run", seen.append)
    lines = read_generations(tmp_path / "run")
    card = ModelCard.read(tmp_path / "run" / BRAIN).details()
    follower = RunReader(tmp_path / "run")
    follower.look()

    assert list(range(7)) == [now.number for now in seen] == [line["generation"] for line in lines]
    assert last is seen[-1] and last.mean_score > seen[0].mean_score
    assert last.best_score == lines[-1]["best"] and 56 == lines[-1]["evaluations"]
    assert [round(number, 2) for number in last.best] == [round(n, 2) for n in lines[-1]["weights"]["best"]]
    assert GENES.names == tuple(json.loads((tmp_path / "run" / "genes.json").read_text())["names"])
    assert ("toy", "material", {"players": 8}) == (
        card["name"],
        card["kind"],
        {"players": card["settings"]["players"]},
    )
    assert 7 == len(card["curve"]["best"]) == len(card["curve"]["mean"])
    assert {"best", "mean", "spread", "knight"} < set(follower.curves)
    assert ("evolve", "generations", 6.0, "done") == (
        (about := RunInfo.read(tmp_path / "run")).kind,
        about.unit,
        about.total,
        about.state,
    )
    assert 7 == len(list((tmp_path / "run" / CHAMPIONS).iterdir()))


def test_champions_are_brains_that_think(tmp_path: Path) -> None:
    last = run_evolution(toy(RecipeConfig()), tmp_path)

    assert "toy 6" == RawBrain.open(str(tmp_path / CHAMPIONS / "0006.safetensors")).name
    assert last.best == pytest.approx(read_tensors(tmp_path / BRAIN)["weights"])


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(threads: int, tmp_path: Path) -> None:
    run_evolution(toy(RecipeConfig(executor=ThreadExecutor(threads))), tmp_path / "many")
    run_evolution(toy(RecipeConfig(executor=ThreadExecutor(1))), tmp_path / "one")
    run_evolution(toy(RecipeConfig(seed=2)), tmp_path / "other")

    assert everything(tmp_path / "one") == everything(tmp_path / "many")
    assert everything(tmp_path / "one") != everything(tmp_path / "other")


def test_killed_it_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    order = RecipeConfig(executor=ThreadExecutor(1), changes={"pause_ms": 20})
    run_evolution(toy(order), tmp_path / "calm")
    command = [sys.executable, str(Path(__file__).with_name("toy.py")), str(tmp_path / "killed"), "20"]
    for generations in (1, 4):
        process = subprocess.Popen(command)
        while len(read_generations(tmp_path / "killed")) < generations:
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert not (tmp_path / "killed" / BRAIN).exists()
    with (tmp_path / "killed" / GENERATIONS).open("ab") as file:
        file.write(b'{"generation":')
    run_evolution(toy(order), tmp_path / "killed")

    assert everything(tmp_path / "calm") == everything(tmp_path / "killed")
    assert 3 == len(RunInfo.read(tmp_path / "killed").sessions)


def test_what_is_finished_is_answered_at_once(tmp_path: Path) -> None:
    slow = RecipeConfig(changes={"pause_ms": 100})
    first = run_evolution(toy(slow), tmp_path)
    lines = (tmp_path / GENERATIONS).read_bytes()
    begun = time.monotonic()
    again = run_evolution(toy(slow), tmp_path)

    assert time.monotonic() - begun < 0.5
    assert first.population.tolist() == again.population.tolist()
    assert lines == (tmp_path / GENERATIONS).read_bytes()


def test_a_folder_with_other_settings_is_refused(tmp_path: Path) -> None:
    run_evolution(toy(RecipeConfig()), tmp_path)

    with pytest.raises(UsageError, match="settings differ"):
        run_evolution(toy(RecipeConfig(seed=2)), tmp_path)
    assert 7 == len(read_generations(tmp_path))


def test_changes_are_checked() -> None:
    assert 12 == toy(RecipeConfig(changes={"players": "12"})).settings["players"]
    with pytest.raises(UsageError, match="no setting `player`") as unknown:
        toy(RecipeConfig(changes={"player": 3}))
    assert "did you mean `players`?" == unknown.value.hint
    with pytest.raises(UsageError, match="`players` is 'many'"):
        toy(RecipeConfig(changes={"players": "many"}))
