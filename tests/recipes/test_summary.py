"""What a run says at its end."""

from pathlib import Path

from okapi.brains import find
from okapi.recipes.config import RecipeConfig
from okapi.recipes.run import DataUse, RecipeResult, RecipeRun
from okapi.recipes.summary import read_summary, summarise

USED = DataUse(used=199_942, found=391_446, left_out={"unquiet": 150_000, "twice": 41_504, "unreadable": 0})
FALLING = [{"epoch": epoch, "train_loss": 1 / epoch, "validation_loss": 1 / epoch} for epoch in (1, 2, 3)]
RISING = [*FALLING, {"epoch": 4, "train_loss": 0.2, "validation_loss": 0.4}]


def run(folder: Path, brain: str, **changes: str) -> RecipeRun:
    folder.mkdir(exist_ok=True)
    (folder / "brain.safetensors").write_bytes(find(brain).read_bytes())
    config = RecipeConfig(size="tiny", changes={"elo_games": "8", "elo_depth": "2", **changes})
    return RecipeRun(name="nnue", config=config, folder=folder)


def test_it_says_what_was_used_and_how_strong_it_is(tmp_path: Path) -> None:
    summary = summarise(run(tmp_path / "mine", "champion"), RecipeResult(figures={}, data=USED, curve=FALLING))
    text = " ".join(summary.sentences)

    assert "199,942 of 391,446 positions; left out: 150,000 unquiet, 41,504 twice." in text
    assert summary.elo["elo"] > 0 and f"+{summary.elo['elo']:.0f} Elo" in text and "8 games at depth 2" in text
    assert "still learning" in text and "overfitted" not in text
    assert summary == read_summary(tmp_path / "mine")


def test_it_says_where_it_overfitted(tmp_path: Path) -> None:
    summary = summarise(run(tmp_path / "mine", "champion", elo="off"), RecipeResult(figures={}, curve=RISING))
    text = " ".join(summary.sentences)

    assert "overfitted after epoch 3 of 4: the validation loss rose by 20%" in text
    assert {} == summary.elo and "Elo" not in text and "more positions" in text


def test_another_brain_is_measured_again(tmp_path: Path) -> None:
    first = summarise(run(tmp_path / "mine", "champion"), RecipeResult(figures={}))
    again = summarise(run(tmp_path / "mine", "material"), RecipeResult(figures={}))

    assert first.elo["elo"] > 0 == again.elo["elo"]


def test_a_brain_that_predicts_moves_plays_no_match(tmp_path: Path) -> None:
    assert {} == summarise(run(tmp_path / "mine", "okapi-human"), RecipeResult(figures={})).elo
