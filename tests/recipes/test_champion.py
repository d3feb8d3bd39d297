"""A champion is raised by rounds: nothing is lost, nothing is done twice, and only what is proved stronger is kept."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import nnue_twin
import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch")

from okapi.brains import card
from okapi.brains.nnue import QuantisedNnue
from okapi.data.datagen import DatagenConfig, generate_samples
from okapi.data.samples import Samples
from okapi.errors import Unfinished, UsageError, WrongBrain
from okapi.optimize.executor import ThreadExecutor
from okapi.recipes.champion import generation, run
from okapi.recipes.champion.config import ChampionConfig, champion
from okapi.recipes.champion.generation import ChampionGeneration, GenerationResult
from okapi.recipes.champion.run import ChampionResult, share_of, train_champion
from okapi.recipes.config import RecipeConfig
from okapi.recipes.nnue import NnueSpeed
from okapi.recipes.run import RecipeProgress, RecipeRun
from okapi.training.__main__ import main as nnue
from okapi.training.nnue import read_weights
from okapi.training.shards import PackingConfig, pack_samples

CHANGES = {"games": 16, "nodes": 6, "epochs": 1, "batch": 128, "test_games": 4, "test_nodes": 6, "validation": 0.25}


@pytest.fixture(autouse=True)
def in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MEASURE_S", 0.0)


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("labels") / "teacher.samples"
    generate_samples(DatagenConfig(brain="okapi-28", nodes=6), 16, path)
    return path


def wanted(labels: tuple[Path, ...] = (), **changes: Any) -> ChampionConfig:
    return champion(RecipeConfig("tiny", executor=ThreadExecutor(1), changes={**CHANGES, **changes}), labels)


def trained(champion: ChampionConfig, folder: Path, **how: Any) -> ChampionResult:
    order = RecipeConfig("tiny", changes={"snapshots": 0, "elo": False})
    return train_champion(champion, RecipeRun(name="champion", config=order, folder=folder, device="cpu", **how))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ChampionResult]:
    folder = tmp_path_factory.mktemp("whole") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "MEASURE_S", 0.0)
        return folder, trained(wanted(), folder)


def test_a_round(whole: tuple[Path, ChampionResult]) -> None:
    folder, crowned = whole
    (outcome,) = crowned.generations

    assert 4 == outcome.games
    assert outcome.accepted is (crowned.champion == 1) is (crowned.accepted == 1)
    assert outcome.positions == len(Samples.open(folder / "01" / "own.samples"))
    assert {"play", "pack", "train", "test"} == set(outcome.seconds)
    assert card(str(folder / "00" / "brain.safetensors")).name == "material"
    assert card(str(folder / "01" / "brain.safetensors")).name == "champion-1"
    assert card(str(crowned.brain)).details()["name"] == ("champion-1" if outcome.accepted else "material")


def test_what_is_done_is_not_done_again(whole: tuple[Path, ChampionResult]) -> None:
    folder, crowned = whole
    written = {path: path.stat().st_mtime_ns for path in (folder / "01").iterdir()}
    told: list[RecipeProgress] = []
    again = trained(wanted(), folder, watch=told.append)

    assert (crowned.generations, []) == (again.generations, told)
    assert written == {path: path.stat().st_mtime_ns for path in (folder / "01").iterdir()}


def impatient(every: int) -> Callable[[], bool]:
    asked = iter(range(1, 1_000))
    return lambda: next(asked) % every == 0


def test_interrupted_at_every_turn_it_comes_to_the_same(whole: tuple[Path, ChampionResult], tmp_path: Path) -> None:
    folder, crowned = whole
    stops = 0
    stop = impatient(2)
    while True:
        try:
            again = trained(wanted(), tmp_path / "run", stop=stop)
            break
        except Unfinished:
            stops += 1

    assert stops >= 3
    for name in ("own.samples", "training/weights.npz", "openings.epd"):
        assert (folder / "01" / name).read_bytes() == (tmp_path / "run" / "01" / name).read_bytes(), name
    same = [replace(outcome, seconds={}) for outcome in (*crowned.generations, *again.generations)]
    assert same[0] == same[1]


def test_other_settings_are_refused_and_more_generations_are_not(whole: tuple[Path, ChampionResult]) -> None:
    folder, _ = whole
    with pytest.raises(UsageError, match="begun with other settings: games 16, not 17"):
        trained(wanted(games=17), folder)
    crowned = trained(wanted(generations=2), folder)

    assert [1, 2] == [outcome.generation for outcome in crowned.generations]


def accept(*accepted: int) -> Callable[..., GenerationResult]:
    """A test of which is known how it ends."""

    def prove(here: ChampionGeneration, champion: Path) -> GenerationResult:
        proved = here.number in accepted
        return GenerationResult(
            generation=here.number,
            accepted=proved,
            positions=1,
            learned_from=1,
            validation_loss=0.1,
            value_mae=0.1,
            games=2,
            elo=1.0,
            low=None,
            high=None,
            verdict="H1 accepted" if proved else "H0 accepted",
        )

    return prove


def test_who_is_proved_stronger_plays_the_next_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChampionGeneration, "test", accept(1))
    crowned = trained(wanted(generations=3), tmp_path / "run")
    teachers = [Samples.open(tmp_path / "run" / f"0{n}" / "own.samples").card["teacher"] for n in (1, 2, 3)]
    parents = [card(str(tmp_path / "run" / f"0{n}" / "brain.safetensors")).metadata["parent"] for n in (1, 2, 3)]

    assert ["material", "champion-1", "champion-1"] == teachers == [parent.split()[0] for parent in parents]
    assert (1, 1) == (crowned.champion, crowned.accepted)
    told, first = card(str(crowned.brain)), card(str(tmp_path / "run" / "01" / "brain.safetensors"))
    strength = "+1 (? … ?) Elo over material at 6 nodes a move, 2 games after random moves, SPRT 0 10: H1 accepted"
    assert {**first.metadata, "strength": strength} == told.metadata
    assert not (tmp_path / "run" / "01" / "start.npz").exists()
    assert (tmp_path / "run" / "02" / "start.npz").exists()


def test_labels_come_first_and_fade(tmp_path: Path, labels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChampionGeneration, "test", accept())
    config = wanted((labels,), generations=2, window=1)
    trained(config, tmp_path / "run")
    orders = [(tmp_path / "run" / f"0{n}" / "train.sh").read_text() for n in (0, 1, 2)]

    assert card(str(tmp_path / "run" / "00" / "brain.safetensors")).name == "champion-0"
    assert [1.0, 1.0, 0.5, 0.25] == [config.share_of_labels(number) for number in range(4)]
    assert [False, True, False] == ["01/own " in order for order in orders]
    assert "02/own " in orders[2]
    assert all("labels/00-teacher-000" in order for order in orders)


def test_labels_may_be_packed_already(tmp_path: Path, labels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack_samples([labels], tmp_path / "packed", PackingConfig(validation=0.25))
    monkeypatch.setattr(ChampionGeneration, "test", accept())
    crowned = trained(wanted((tmp_path / "packed",), brain="material"), tmp_path / "run")

    assert 0 < crowned.estimate.labels < len(Samples.open(labels))
    assert not (tmp_path / "run" / "labels").exists()
    assert f"{tmp_path / 'packed' / '00-teacher-000.part.npz'} " in (tmp_path / "run" / "01" / "train.sh").read_text()


def test_a_share_of_the_parts() -> None:
    parts = [Path(name) for name in "abcde"]

    assert parts == share_of(parts, 1.0, 7)
    assert [] == share_of(parts, 0.0, 1) == share_of([], 0.5, 1)
    assert [Path("d"), Path("e"), Path("a")] == share_of(parts, 0.5, 2)


def test_trained_on_another_machine(
    whole: tuple[Path, ChampionResult],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "run"
    with pytest.raises(Unfinished, match="generation 1 is to be trained on another machine") as unfinished:
        trained(wanted(remote=True), folder)
    assert "sh 01/train.sh" in unfinished.value.hint

    monkeypatch.chdir(folder)
    command = (folder / "01" / "train.sh").read_text().split()
    assert command[:3] == ["python", "-m", "okapi.training"]
    assert 0 == nnue([*command[3:], "--device", "cpu", "--threads", "1"])
    monkeypatch.undo()
    monkeypatch.setattr(run, "MEASURE_S", 0.0)
    trained(wanted(elsewhere=True), folder)  # the old name of the setting
    here, there = (QuantisedNnue.open(run / "01" / "brain.safetensors").weight for run in (whole[0], folder))
    assert np.array_equal(here, there)


def test_a_brain_s_weights_are_where_learning_goes_on(tmp_path: Path) -> None:
    brain, plan = tmp_path / "brain.safetensors", wanted().plan
    network = replace(nnue_twin.random_network(plan.neurons, outputs=plan.buckets), scale=plan.scale // 2)
    brain.write_bytes(network.file({"name": "random"}))
    start = generation._weights_of(brain, plan, tmp_path / "start.npz")
    assert start is not None
    learned = {name: tensor.numpy() for name, tensor in read_weights(start).items()}

    assert np.array_equal(network.weight, np.rint(255 * learned["accumulator.weight"]))
    assert np.array_equal(network.output_weight, np.rint(2 * 64 * learned["output.weight"]))
    assert generation._weights_of(brain, replace(plan, neurons=64), tmp_path / "other.npz") is None


def test_the_estimate_knows_what_grows(labels: Path) -> None:
    pace = NnueSpeed(
        positions_per_second=100.0, nodes_per_second=1e4, positions_a_game=50.0, taken=0.5, samples_per_second=1e3
    )
    seen = run.estimate_champion(wanted((labels,), generations=3, window=2, games=10, epochs=2), pace, 1_000)

    assert (3, 500, 15.0) == (seen.generations, seen.positions, seen.play_seconds)
    # Labels: all for the beginning and the first generation, then a half, then a quarter. Own games: 250, then 500.
    assert seen.train_seconds == pytest.approx(2 * (1_000 + 1_250 + 1_000 + 750) / 1e3)
    assert seen.test_seconds == pytest.approx(3 * 4 * 50 * 6 / 1e4)


@pytest.mark.parametrize(
    ("changes", "error", "told"),
    [
        ({"games": 0}, UsageError, "`games` is 0"),
        ({"fade": 2.0}, UsageError, "`fade` is 2.0"),
        ({"neurons": 33}, UsageError, "`neurons` is 33"),
        ({"brain": "okapi-outcome"}, WrongBrain, "too slow"),
    ],
)
def test_wrong_orders_are_refused(changes: dict[str, Any], error: type[Exception], told: str) -> None:
    with pytest.raises(error, match=told):
        wanted(**changes)


def test_a_damaged_outcome_is_told(tmp_path: Path) -> None:
    (tmp_path / "outcome.json").write_text(json.dumps({"generation": 1}))
    with pytest.raises(Exception, match="is damaged"):
        GenerationResult.read(tmp_path / "outcome.json")
