"""`okapi train personal`: a brain that predicts moves learns on from one player's moves, gently."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import ModelCard, card, find, predictor
from okapi.brains.files import read_tensors
from okapi.brains.library import BRAIN
from okapi.brains.move_values import KEYS
from okapi.core import Color
from okapi.data.store import Store
from okapi.errors import InvalidText, NotFound, WrongBrain, did_you_mean
from okapi.files import file_hash, replace_file
from okapi.models.express import Expressed
from okapi.recipes.arrays import NONE, TEST, TRAIN, VALIDATION
from okapi.recipes.config import RecipeConfig
from okapi.recipes.game_jobs import GameJob
from okapi.recipes.moves import MOVE, GameTraining, PlayedMoves, game_library, move_ranks
from okapi.recipes.proportions import Difference, Proportion, paired_difference
from okapi.recipes.run import RecipeResult
from okapi.recipes.training import Training
from okapi.training.supervised import CHOICE, SupervisedConfig

HELD_OUT, TO_CHOOSE_BY = 0.2, 0.1
"""Shares of the games: the newest ones are for the test, those before them for validation."""


def parts_by_age(games: int) -> NDArray[np.uint8]:
    """The part of each game, from the oldest to the newest."""
    test, validation = round(games * HELD_OUT), round(games * TO_CHOOSE_BY)
    counts = [games - test - validation, validation, test]
    return np.repeat(np.array([TRAIN, VALIDATION, TEST], np.uint8), counts)


def warm_start_plan(made: Mapping[str, Any], settings: Mapping[str, Any], *, seed: int, start: str) -> SupervisedConfig:
    network = {name: made[name] for name in ("model", "arguments", "encoding")}
    how = {"loss": CHOICE, "optimiser": {"name": "adamw", "lr": settings["lr"]}, "seed": seed, "warm_start": start}
    return SupervisedConfig.from_settings(settings, **network, **how)


def improvement(before: NDArray[Any], after: NDArray[Any], games: NDArray[Any]) -> dict[str, Any]:
    """The improvement as JSON: from the ranks of the played moves, before and after; 0 is the first.

    >>> improvement(np.array([0, 5, 1, 9]), np.array([0, 0, 0, 2]), np.array([1, 1, 2, 2]))["after"]
    {'top_1': 0.75, 'top_3': 1.0}
    """
    shares = {
        what: {f"top_{most}": round(Proportion(int((places < most).sum()), len(places)).value, 5) for most in (1, 3)}
        for what, places in (("before", before), ("after", after))
    }
    gain = paired_difference(after == 0, before == 0, games)
    points = {"gain": round(gain.points, 3), "low": round(gain.low, 3), "high": round(gain.high, 3)}
    counts = {"held_out_games": len(np.unique(games)), "held_out_moves": len(games)}
    return {**shares, **points, **counts, "verdict": gain.verdict}


def most_frequent_player(store: Store) -> str:
    """The player with the most games: InvalidText without names."""
    if not (counts := _counts(store)):
        told = f"the games of `{store.path}` do not say who played"
        raise InvalidText(told, hint="they need the tags White and Black")
    return counts.most_common(1)[0][0]


def games_by(store: Store, player: str) -> NDArray[np.int64]:
    """The numbers of a player's games, the oldest first; those of one day as they stand in the file. NotFound."""
    mine = (_played_by(store, player, "White") | _played_by(store, player, "Black")) & (store.plies() > 0)
    if not mine.any():
        counts = _counts(store)
        hint = did_you_mean(player, counts) if counts else "the games do not say who played"
        raise NotFound(f"nobody is called `{player}` in {len(store):,} games", hint=hint)
    found = np.flatnonzero(mine)
    return found[np.argsort(store.columns().date[found], kind="stable")]


def moves_by(store: Store, player: str, games: NDArray[np.int64]) -> PlayedMoves:
    sides = {"White": Color.WHITE, "Black": Color.BLACK}
    mine = {side: games[_played_by(store, player, tag)[games]] for tag, side in sides.items()}
    return PlayedMoves.joined([PlayedMoves.played(store, some, side) for side, some in mine.items()])


def _counts(store: Store) -> Counter[str]:
    counts: Counter[str] = Counter()
    for names in map(store.texts, ("White", "Black")):
        some = np.bincount(names.index[names.index >= 0], minlength=len(names.values))
        counts.update(dict(zip(names.values, some.tolist(), strict=True)))
    del counts[""], counts["?"]  # how PGN writes an unknown player
    return counts


def _played_by(store: Store, player: str, tag: str) -> NDArray[np.bool_]:
    names = store.texts(tag)
    found: NDArray[np.bool_] = names.index == (names.values.index(player) if player in names.values else -2)
    return found


LEAST_GAMES: Final = 20
"""With fewer, an improvement could not be told from chance."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Personal(GameTraining):
    player: str
    brain: Path

    def card(self) -> dict[str, str]:
        newest = int(np.median(self.part(TEST).elos))
        entries = {**super().card(), "name": self.player, "elo": str(newest)}
        values = ModelCard.read(self.brain).details().get("values")
        if isinstance(values, dict):  # without what they did in the test of that brain
            entries["values"] = json.dumps({key: values[key] for key in KEYS if key in values})
        return entries

    def base(self) -> Expressed:
        return Expressed(card(str(self.brain)).details()["layers"], read_tensors(self.brain))

    def end(self, folder: Path) -> RecipeResult:
        """How often the brain predicts the player's moves in the test games, and how often its base did."""
        path, held = folder / "gain.json", self.part(TEST)
        if path.exists():
            figures = json.loads(path.read_bytes())
        else:
            brains = (predictor(str(brain), values=False) for brain in (self.brain, folder / BRAIN))
            predicted = (brain.probabilities(held.positions, elo=held.elos) for brain in brains)
            before, after = (move_ranks(each, held.moves) for each in predicted)
            figures = improvement(before, after, held.games) | {"player": self.player}
            replace_file(path, json.dumps(figures, indent=1).encode())
        return RecipeResult(figures=figures, lines=_sentences(figures))


def personal(config: RecipeConfig) -> Training:
    settings = config.settings_of("personal")
    library = game_library(config)
    player = settings["player"] or most_frequent_player(library.store)
    games = games_by(library.store, player)[-settings["games"] :]
    if len(games) < LEAST_GAMES:
        hint = f"at least {LEAST_GAMES} are needed, better some hundreds"
        raise InvalidText(f"{library.name} has {len(games)} games of {player}", hint=hint)
    brain = find(settings["brain"])
    watched = moves_by(library.store, player, games)
    if settings["elo"]:
        watched = replace(watched, elos=np.full_like(watched.elos, settings["elo"]))
    parts = np.full(len(library.store), NONE, np.uint8)
    parts[games] = parts_by_age(len(games))
    about = {"brain": f"{ModelCard.read(brain).name} {file_hash(brain)}", "from": library.name, "player": player}
    told: dict[str, Any] = {"title": f"Moves of {player}, from {len(games)} games", "player": player, "brain": brain}
    told["settings"] = config.about({**settings, **about, "games": len(games), "positions": len(watched)})
    job = GameJob(_plan(brain, settings, config.seed), MOVE)
    return Personal(name="personal", **told, job=job, watched=watched, parts=parts[watched.games])


def _plan(brain: Path, settings: Mapping[str, Any], seed: int) -> SupervisedConfig:
    """The config of a warm start from a brain: WrongBrain if its card has no training config."""
    told = card(str(brain))
    named = f"brain `{told.name}` does not"
    if not told.predicts_moves or told.details()["output"]["form"] != "moves":
        raise WrongBrain(f"{named} predict whole moves with one network", hint="--brain okapi-human")
    made = told.details().get("settings", {}).get("plan")
    if made is None:
        raise WrongBrain(f"{named} say how it was made", hint="`okapi train moves` makes such brains")
    start = f"start-{file_hash(brain)}.npz"
    return warm_start_plan({**made, "encoding": told.encoding}, settings, seed=seed, start=start)


def _sentences(figures: Mapping[str, Any]) -> list[str]:
    count = figures["held_out_moves"]
    before, after = (Proportion(round(figures[what]["top_1"] * count), count) for what in ("before", "after"))
    gain = Difference(figures["gain"], figures["low"], figures["high"])
    verdict = {"confirmed": "the brain knows the player better now"}
    verdict["refuted"] = "the brain has become worse: keep the one it began with"
    verdict["undecided"] = "the gain is within what chance does: more games would tell"
    return [
        f"{figures['player']}: {count:,} moves of the {figures['held_out_games']} newest games, which it never saw",
        f"the move that was played is its first choice: before {before}, now {after}",
        f"{gain} points: {verdict[gain.verdict]}",
    ]
