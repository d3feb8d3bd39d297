"""A split is honest where it says so: nothing of a test game is trained on, and neighbours are counted."""

from pathlib import Path

import numpy as np
import pytest
from labels import OPENINGS, along, consecutive, nameless, write_games, write_labels

from okapi.core import Position
from okapi.core.keys import position_keys
from okapi.core.packed import unpack
from okapi.errors import UsageError
from okapi.recipes import splits
from okapi.recipes.arrays import NONE, TEST, TRAIN, VALIDATION
from okapi.recipes.config import RecipeConfig
from okapi.recipes.labels import LabelledPositions, load_labels
from okapi.recipes.splits import both_splits, neighbours, split_labels, thinned

HALVES = (0.5, 0.2, 0.3)


@pytest.fixture
def made() -> LabelledPositions:
    """Consecutive positions of forty games."""
    return load_labels(RecipeConfig("tiny"))


def keys_of(labels: LabelledPositions, split: np.ndarray, part: int) -> set[int]:
    return set(position_keys(labels.positions[split == part]).tolist())


def test_by_games_no_game_and_no_position_is_in_two_parts(made: LabelledPositions) -> None:
    split = split_labels(made, "games", seed=7)

    assert made.games is not None
    games = [set(made.games[split == part].tolist()) for part in (TRAIN, VALIDATION, TEST)]
    assert 40 == len(set.union(*games)) == sum(map(len, games))
    assert (split == split_labels(made, "games", seed=7)).all() and (split != split_labels(made, "games", seed=4)).any()
    for part, share in ((TRAIN, 0.8), (VALIDATION, 0.1), (TEST, 0.1)):
        assert abs((split == part).mean() - share) < 0.06


def test_few_long_games_are_for_every_purpose(made: LabelledPositions) -> None:
    assert made.games is not None
    few = made.take(made.games < 4)

    assert {TRAIN, VALIDATION, TEST} <= set(split_labels(few, "games", shares=(0.98, 0.01, 0.01)).tolist())
    assert TEST not in split_labels(few, "games", shares=(0.9, 0.1, 0.0))


def test_a_position_of_two_games_is_left_to_the_test(tmp_path: Path) -> None:
    labels = load_labels(RecipeConfig(labels=write_labels(tmp_path / "some.samples", consecutive())))
    seen = set()
    for seed in range(12):
        split = split_labels(labels, "games", seed, HALVES)
        apart = [keys_of(labels, split, part) for part in (TRAIN, VALIDATION, TEST)]
        assert sum(map(len, apart)) == len(set.union(*apart))
        seen |= set(split.tolist())
    assert {TRAIN, VALIDATION, TEST, NONE} == seen  # 1 e4 stands in two games


def test_by_positions_sizes_are_kept_and_the_same_position_stays_together(tmp_path: Path) -> None:
    samples = np.concatenate([consecutive()] * 2)
    labels = load_labels(RecipeConfig(labels=write_labels(tmp_path / "some.samples", samples)))
    split = split_labels(labels, "positions", 1, HALVES)

    apart = [keys_of(labels, split, part) for part in (TRAIN, VALIDATION, TEST)]
    assert sum(map(len, apart)) == len(set.union(*apart)) and min(map(len, apart)) > 0


def test_both_ways_have_the_same_sizes(made: LabelledPositions) -> None:
    split = both_splits(made)

    counts = [np.bincount(each, minlength=256).tolist() for each in split.values()]
    assert ["games", "positions"] == list(split) and counts[0] == counts[1]
    assert neighbours(made, split["positions"])["share"] > 0.9 > 0.1 > neighbours(made, split["games"])["share"]


def test_neighbours_are_one_legal_move_away(made: LabelledPositions) -> None:
    """The slow way: all moves of all positions, one by one."""
    some = made.take(np.arange(600))
    split = split_labels(some, "positions", 1, HALVES)
    positions = [unpack(row) for row in some.positions]
    train = {positions[row].key for row in np.flatnonzero(split == TRAIN)}
    reached = {
        positions[row].after(move).key
        for row in np.flatnonzero(split == TRAIN)
        for move in positions[row].legal_moves()
    }
    test = [positions[row] for row in np.flatnonzero(split == TEST)]
    near = [each.key in reached or any(each.after(move).key in train for move in each.legal_moves()) for each in test]

    found = neighbours(some, split)
    assert (len(test), sum(near)) == (found["test"], found["near"])
    assert 0 == neighbours(some, np.full(len(some), TRAIN, np.uint8))["share"]


def test_thinned_games_have_no_neighbours(made: LabelledPositions) -> None:
    few = thinned(made, 4)

    assert few.games is not None and made.games is not None
    assert set(few.games.tolist()) == set(made.games.tolist()) and abs(len(few) / len(made) - 0.25) < 0.02
    assert all((np.diff(few.plies[few.games == game]) % 4 == 0).all() for game in np.unique(few.games))
    assert neighbours(few, split_labels(few, "positions"))["share"] < 0.1


def looked_up(folder: Path) -> tuple[list[list[Position]], list[Position], LabelledPositions]:
    """Lines of games, positions that stand in none, and labels of both and of what is one move away, without games."""
    lines = [along(moves) for moves in OPENINGS]
    beside = [line[n].after(line[n].legal_moves()[-n]) for line in lines for n in range(1, len(line))]
    strangers = along("a4 b6 a5 bxa5 h4")[3:]
    direct = {position.key: position for line in lines for position in line[1:]}
    rows = [*direct.values(), *beside, *strangers]
    games = write_games(folder / "games.okapi")
    labels = load_labels(RecipeConfig(labels=write_labels(folder / "some.tsv", nameless(rows)), games=games))
    return lines, strangers, labels


def test_few_games_are_shared_by_test_and_validation(tmp_path: Path) -> None:
    split = split_labels(looked_up(tmp_path)[2], "games", 1, (0.2, 0.4, 0.4))

    assert min((split == part).sum() for part in (VALIDATION, TEST)) > 0


def test_what_stands_in_a_held_out_game_or_beside_it_is_not_trained_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file without games: those of each part are found again from its rows, the slow way."""
    monkeypatch.setattr(splits, "GAMES_AT_A_TIME", 1)
    lines, strangers, labels = looked_up(tmp_path)

    split = split_labels(labels, "games", 1, (0.75, 0.1, 0.15))
    around = [
        {each.key for each in line} | {each.after(move).key for each in line for move in each.legal_moves()}
        for line in lines
    ]
    keys = labels.keys()
    trained, tested = ({int(key) for key in keys[split == part]} for part in (TRAIN, TEST))
    held = [keys_near for keys_near in around if not keys_near & trained]
    assert 2 <= len(held) < len(OPENINGS) and tested <= set.union(*held)
    assert {each.key for each in strangers} <= trained
    assert min((split == part).sum() for part in (TRAIN, VALIDATION, TEST)) > 0
    assert (split == split_labels(labels, "games", 1, (0.75, 0.1, 0.15))).all()


def test_without_games_there_is_one_way(tmp_path: Path) -> None:
    labels = load_labels(RecipeConfig(labels=write_labels(tmp_path / "some.tsv", nameless(along(OPENINGS[0])))))

    assert ["positions"] == list(both_splits(labels))
    with pytest.raises(UsageError, match="names no games") as caught:
        split_labels(labels, "games")
    assert "--games" in str(caught.value.hint)
    with pytest.raises(UsageError, match="does not say where in a game"):
        thinned(labels, 2)
