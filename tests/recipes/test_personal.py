"""Trainings from games: a network that predicts moves, and the same one after it has watched one player."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from played_games import season, stored, written  # noqa: E402
from toy_training import trained  # noqa: E402

from okapi.brains import card, predictor  # noqa: E402
from okapi.brains.files import read_tensors, with_card, write_brain  # noqa: E402
from okapi.errors import InvalidBrain, InvalidText, NotFound, Unfinished, UsageError, WrongBrain  # noqa: E402
from okapi.optimize.executor import ThreadExecutor  # noqa: E402
from okapi.recipes.arrays import TEST, TRAIN, VALIDATION  # noqa: E402
from okapi.recipes.config import RecipeConfig  # noqa: E402
from okapi.recipes.moves import GameTraining, move_ranks, moves  # noqa: E402
from okapi.recipes.personal import Personal, games_by, most_frequent_player, personal  # noqa: E402

ANNA, BO = "Anna, A", "Bo, B"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two players of different habits."""
    path: Path = tmp_path_factory.mktemp("games") / "games.okapi"
    stored(path, [*season(90, BO), *season(60, ANNA, max, seed=1000)])
    return path


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small brain that has watched Bo."""
    folder: Path = tmp_path_factory.mktemp("base")
    stored(folder / "bo.okapi", season(90, BO))
    trained(moves(order(folder / "bo.okapi", lr=0.02)), folder)
    return folder / "brain.safetensors"


def order(path: Path | None, /, **changes: Any) -> RecipeConfig:
    return RecipeConfig("tiny", 1, ThreadExecutor(1), path, changes)


def of_anna(path: Path, base: Path, /, **changes: Any) -> Personal:
    made = personal(order(path, player=ANNA, brain=str(base), lr=0.01, epochs=3, **changes))
    assert isinstance(made, Personal)
    return made


def test_a_network_learns_moves_from_games(base: Path) -> None:
    said = card(str(base))
    details = said.details()

    assert ("moves", "planes-18+elo") == (details["name"], said.encoding) and said.predicts_moves
    assert ("tournaments", 90) == (details["settings"]["split"], details["settings"]["used"])
    assert details["test"]["accuracy"] > 0.4


def test_tournaments_stay_together(games: Path) -> None:
    made = moves(order(games))
    assert isinstance(made, GameTraining)

    parts = [set(made.part(part).games.tolist()) for part in (TRAIN, VALIDATION, TEST)]
    assert all(parts) and 150 == sum(map(len, parts)) == len(set.union(*parts))
    cups = [{(game // 3 if game < 90 else (game - 90) // 3) for game in part} for part in parts]
    assert not cups[0] & cups[1] and not cups[0] & cups[2] and not cups[1] & cups[2]


def test_a_few_games_of_one_tournament_are_split_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "one.okapi"
    stored(path, [replace(game, tags={**game.tags, "Event": "Cup"}) for game in season(30, BO)])

    made = moves(order(path))
    assert "games" == made.settings["split"]
    assert all(len(made.dataset(part)) for part in (TRAIN, VALIDATION, TEST))


def test_at_most_so_many_games_of_strong_players(games: Path) -> None:
    assert 50 == moves(order(games, games=50)).settings["used"]
    assert 120 > moves(order(games, elo=2030)).settings["used"]


def test_the_gain_is_told(games: Path, base: Path, tmp_path: Path) -> None:
    training = of_anna(games, base)
    _, found = trained(training, tmp_path)

    told = found.figures
    assert (ANNA, 12, 144) == tuple(told[key] for key in ("player", "held_out_games", "held_out_moves"))
    assert told["before"]["top_1"] + 0.2 < told["after"]["top_1"] <= told["after"]["top_3"]
    assert 20 < told["low"] < told["gain"] < told["high"] and "confirmed" == told["verdict"]
    assert told["gain"] == pytest.approx(100 * (told["after"]["top_1"] - told["before"]["top_1"]), abs=0.01)
    assert ANNA in found.lines[0] and "better now" in found.lines[-1]
    assert told == trained(training, tmp_path)[1].figures


def test_the_brain_plays_as_the_player_does(games: Path, base: Path, tmp_path: Path) -> None:
    training = of_anna(games, base)
    trained(training, tmp_path)
    brain = str(tmp_path / "brain.safetensors")

    assert ANNA == card(brain).details()["name"]
    held = training.part(TEST)
    slow = []
    for row, listed in enumerate(predictor(brain).moves(held.positions, elo=held.elos)):
        played = [move.bits for move, _ in listed]
        slow.append(played.index(held.moves[row]))
    said = predictor(brain).probabilities(held.positions, elo=held.elos)
    assert slow == move_ranks(said, held.moves).tolist()


def test_the_brain_has_the_rating_of_the_newest_games(games: Path, base: Path, tmp_path: Path) -> None:
    training = of_anna(games, base)
    trained(training, tmp_path)
    said = predictor(str(tmp_path / "brain.safetensors"))
    held = training.part(TEST).positions

    assert "2053" == said.card.metadata["elo"]
    usual, told, other = (said.probabilities(held, elo=elo).probabilities for elo in (None, 2053, 2800))
    assert np.array_equal(usual, told) and not np.allclose(usual, other)


def test_the_factors_of_a_search_stay_without_the_test_of_the_brain_before(
    games: Path, base: Path, tmp_path: Path
) -> None:
    factors = {"brain": "material", "nodes": 9, "power": 0.7, "weights": [1.0, 0.5]}
    weighed = tmp_path / "weighed.safetensors"
    weighed.write_bytes(with_card(base.read_bytes(), {"values": json.dumps({**factors, "test": {"tested": 40}})}))

    assert factors == json.loads(of_anna(games, weighed).card()["values"])
    assert "values" not in of_anna(games, base).card()


def test_a_card_with_a_rating_that_is_none_is_refused(base: Path, tmp_path: Path) -> None:
    entries = {key: value for key, value in card(str(base)).metadata.items() if key != "okapi"}
    write_brain(tmp_path / "odd.safetensors", {**entries, "elo": "strong"}, read_tensors(base))

    with pytest.raises(InvalidBrain, match="not a rating"):
        predictor(str(tmp_path / "odd.safetensors"))


def test_broken_off_it_comes_to_the_same_brain(games: Path, base: Path, tmp_path: Path) -> None:
    looks = iter([False, False, True])
    with pytest.raises(Unfinished):
        trained(of_anna(games, base), tmp_path / "broken", stop=lambda: next(looks, False))
    for name in ("broken", "calm"):
        trained(of_anna(games, base), tmp_path / name)

    assert (tmp_path / "broken" / "brain.safetensors").read_bytes() == (
        tmp_path / "calm" / "brain.safetensors"
    ).read_bytes()


def test_only_the_players_moves_and_the_newest_games_for_the_test(games: Path, base: Path) -> None:
    training = of_anna(games, base)

    assert {0} == set(training.watched.positions["turn"].tolist())
    assert (42, 6, 12) == tuple(len(set(training.part(part).games)) for part in (TRAIN, VALIDATION, TEST))
    newest = [training.part(part).games for part in (TRAIN, VALIDATION, TEST)]
    assert newest[0].max() < newest[1].min() and newest[1].max() < newest[2].min()
    assert set(range(90, 150)) == set(training.watched.games.tolist())


def test_ratings_are_those_of_the_games_or_what_is_asked_for(games: Path, base: Path) -> None:
    assert set(range(2000, 2060)) == set(of_anna(games, base).watched.elos.tolist())
    assert {1650} == set(of_anna(games, base, elo=1650).watched.elos.tolist())


def test_the_newest_so_many_games(games: Path, base: Path) -> None:
    training = of_anna(games, base, games=40)

    assert set(range(110, 150)) == set(training.watched.games.tolist())


def test_whoever_has_most_games_is_meant(games: Path, base: Path) -> None:
    made = personal(order(games, brain=str(base)))

    assert isinstance(made, Personal) and BO == made.player and "90 games" in made.title


def test_games_are_ordered_by_their_dates(tmp_path: Path) -> None:
    dates = ("2020.05.01", "2019.??.??", "2020.04.30", "2020.05.01", "????.??.??")
    store = stored(tmp_path / "x.okapi", [written("e4 e5", White="A", Black="B", Date=date) for date in dates])

    assert [4, 1, 2, 0, 3] == games_by(store, "B").tolist()
    assert most_frequent_player(store) in ("A", "B")


def test_who_is_not_there_is_told(games: Path, base: Path) -> None:
    with pytest.raises(NotFound, match="nobody is called `Ana, A` in 150 games") as error:
        personal(order(games, player="Ana, A", brain=str(base)))
    assert ANNA in error.value.hint


def test_too_few_games_are_told(games: Path, base: Path, tmp_path: Path) -> None:
    path = tmp_path / "few.okapi"
    stored(path, season(19, ANNA))

    with pytest.raises(InvalidText, match="has 19 games of Anna, A") as error:
        personal(order(path, brain=str(base)))
    assert "at least 20" in error.value.hint
    with pytest.raises(InvalidText, match="has 19 games of players with 2000"):
        moves(order(path))


@pytest.mark.parametrize("make", [moves, personal])
def test_without_games_there_is_nothing_to_watch(make: Any) -> None:
    with pytest.raises(UsageError, match="needs games"):
        make(order(None))


def test_games_of_nobody_are_told(base: Path, tmp_path: Path) -> None:
    path = tmp_path / "nobody.okapi"
    stored(path, [written("e4 e5"), written("d4 d5", White="?", Black="?")])

    with pytest.raises(InvalidText, match="do not say who played"):
        personal(order(path, brain=str(base)))


def test_a_brain_that_does_not_predict_moves_is_refused(games: Path) -> None:
    with pytest.raises(WrongBrain, match="`material` does not predict whole moves"):
        personal(order(games, brain="material"))


def test_a_brain_of_unknown_origin_is_refused(games: Path, base: Path, tmp_path: Path) -> None:
    said = card(str(base))
    known = {"name": "stranger", "kind": said.kind, "encoding": said.encoding}
    layers = {key: value for key, value in said.metadata.items() if key in ("layers", "output")}
    write_brain(tmp_path / "stranger.safetensors", {**known, **layers}, read_tensors(base))

    with pytest.raises(WrongBrain, match="does not say how it was made"):
        personal(order(games, brain=str(tmp_path / "stranger.safetensors")))


def test_another_base_in_the_same_folder_is_refused(games: Path, base: Path, tmp_path: Path) -> None:
    trained(of_anna(games, base), tmp_path / "run")
    tensors = {name: 2 * tensor for name, tensor in read_tensors(base).items()}
    other = tmp_path / "other.safetensors"
    write_brain(other, {key: value for key, value in card(str(base)).metadata.items() if key != "okapi"}, tensors)

    with pytest.raises(UsageError, match="begun"):
        trained(of_anna(games, other), tmp_path / "run")
    assert np.isfinite(read_tensors(tmp_path / "run" / "brain.safetensors")["1.weight"]).all()
