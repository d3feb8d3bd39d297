"""`okapi train moves`: a network learns which moves people play, from games."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.errors import InvalidText, UsageError
from okapi.recipes.arrays import NONE, TEST, TRAIN, VALIDATION
from okapi.recipes.config import RecipeConfig, Size
from okapi.recipes.game_jobs import GameJob, GameTarget
from okapi.recipes.labels import GameLibrary
from okapi.recipes.played_moves import PlayedMoves
from okapi.recipes.splits import TournamentSplit, split_by_tournament
from okapi.recipes.training import Training
from okapi.training.supervised import Dataset, SupervisedConfig

__all__ = ["MOVE", "GameTraining", "game_library", "moves"]

MOVE: Final = GameTarget(task="move")

FULL: Final[dict[str, Any]] = {
    "games": 100_000,
    "elo": 2000,
    "channels": 128,
    "blocks": 10,
    "squeeze": 32,
    "width": 64,
    "batch": 1024,
    "epochs": 10,
    "patience": 2,
    "lr": 0.002,
}
USUAL: Final[dict[Size, dict[str, Any]]] = {
    "tiny": {**FULL, "games": 200, "channels": 8, "blocks": 1, "squeeze": 4, "width": 8, "batch": 64, "epochs": 2},
    "quick": {**FULL, "games": 4_000, "channels": 64, "blocks": 4, "batch": 256, "epochs": 3},
    "full": FULL,
}
"""Games: at most so many, 0 is all; of players with at least this Elo. A hundred thousand take 2 GB of memory."""

PLANES: Final = 19
"""Of planes-18+elo."""

HELD_OUT: Final = 0.05
"""The share of the tournaments that is for validation, and as much again for the test."""

LEAST_GAMES: Final = 20
"""Fewer cannot be split."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GameTraining(Training):
    """A training on moves of games."""

    job: GameJob
    watched: PlayedMoves
    parts: NDArray[np.uint8]
    """The part of each move."""

    def part(self, part: int) -> PlayedMoves:
        """The moves of one part."""
        return self.watched.take(self.parts == part)

    def dataset(self, part: int) -> Dataset:
        """Positions and moves of one part."""
        return self.part(part).dataset()

    def output(self) -> dict[str, Any]:
        """Moves; the network does not predict promotions, so their shares are counted."""
        return {"form": "moves", "promotions": self.part(TRAIN).promotions()}


def moves(config: RecipeConfig) -> Training:
    settings = config.settings(USUAL[config.size])
    library = game_library(config)
    split, parts = _split(library, settings["elo"], settings["games"], config.seed)
    chosen = np.flatnonzero(parts != NONE)
    watched = PlayedMoves.played(library.store, chosen)
    steps = settings["epochs"] * len(watched) // settings["batch"]
    plan = SupervisedConfig(
        model="okapi.models.resnet:from_to",
        arguments={"planes": PLANES, **{key: settings[key] for key in ("channels", "blocks", "squeeze", "width")}},
        encoding="planes-18+elo",
        loss="choice",
        optimiser={"name": "adamw", "lr": settings["lr"], "weight_decay": 0.01},
        schedule={"name": "cosine", "warmup": max(1, min(200, steps // 10))},
        batch=settings["batch"],
        epochs=settings["epochs"],
        patience=settings["patience"],
        seed=config.seed,
    )
    about = {"games": library.name, "used": len(chosen), "split": split, "positions": len(watched)}
    return GameTraining(
        name="moves",
        title="A network that predicts moves",
        job=GameJob(plan, MOVE),
        watched=watched,
        parts=parts[watched.games],
        settings={**settings, "size": config.size, "seed": config.seed, **about},
    )


def game_library(config: RecipeConfig) -> GameLibrary:
    """The games of a config: UsageError if it has none. A PGN file becomes a store, once."""
    if config.games is None:
        raise UsageError("this recipe needs games", hint="--games FILE: a PGN file or a game store")
    if config.cache is not None:
        config.cache.mkdir(parents=True, exist_ok=True)
    return GameLibrary.open(config.games, config.cache, lambda line: None)


def _split(library: GameLibrary, elo: int, most: int, seed: int) -> tuple[str, NDArray[np.uint8]]:
    """What they are split by, and the part of each game; by single games where there are too few tournaments.

    Of more games than are wanted, those with the lowest hashes are taken.
    """
    store = library.store
    parts = split_by_tournament(store, TournamentSplit(validation=HELD_OUT, test=HELD_OUT, least_elo=elo, salt=seed))
    usable = np.flatnonzero(parts != NONE)
    if len(usable) < LEAST_GAMES:
        raise InvalidText(
            f"{library.name} has {len(usable)} games of players with {elo} Elo and more",
            hint=f"at least {LEAST_GAMES} are needed, better some thousands; --elo N sets a lower limit",
        )
    by_hash = usable[np.argsort(store.hashes()[usable], kind="stable")]
    if most:
        parts[by_hash[most:]] = NONE
        by_hash = by_hash[:most]
    if {TRAIN, VALIDATION, TEST} <= set(parts.tolist()):
        return "tournaments", parts
    held = max(1, round(HELD_OUT * len(by_hash)))
    parts[by_hash] = TRAIN
    parts[by_hash[:held]], parts[by_hash[held : 2 * held]] = TEST, VALIDATION
    return "games", parts
