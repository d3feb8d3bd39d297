"""`okapi train moves`: a network learns which moves people play, from the games of a store."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.brains.move_prediction import MoveProbabilities
from okapi.core import Color
from okapi.data.store import Store
from okapi.encodings.boards import move_squares
from okapi.encodings.layers import UNKNOWN_ELO
from okapi.errors import InvalidText, UsageError
from okapi.recipes.arrays import NONE, TEST, TRAIN, VALIDATION
from okapi.recipes.config import RecipeConfig
from okapi.recipes.game_jobs import GameJob, GameTarget, network_rows
from okapi.recipes.labels import GameLibrary, LabelledPositions, load_labels
from okapi.recipes.splits import TournamentSplit, split_by_tournament, split_labels, usual_split
from okapi.recipes.training import Training
from okapi.training.supervised import Dataset, SupervisedConfig


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlayedMoves:
    """Positions, the moves played (Move.bits), the plies before them and the numbers of the games: of one length."""

    positions: NDArray[np.void]
    moves: NDArray[np.uint16]
    elos: NDArray[np.int32]
    plies: NDArray[np.int32]
    games: NDArray[np.int64]
    outcomes: NDArray[np.int8]
    """For the mover: 0 lost, 1 drawn, 2 won; -1 unknown."""

    @classmethod
    def played(cls, store: Store, games: ArrayLike, side: Color | None = None) -> "PlayedMoves":
        """The moves of some games of a store; of one side, or of both."""
        samples, columns = store.played(games), store.columns()
        which, turn = samples["game"].astype(np.int64), samples["position"]["turn"]
        elos = np.where(turn == 0, columns.white_elo[which], columns.black_elo[which])
        known: dict[str, Any] = {"moves": samples["move"].astype(np.uint16), "plies": samples["ply"].astype(np.int32)}
        known |= {"outcomes": samples["result"].astype(np.int8), "games": which}
        elos = np.where(elos > 0, elos, UNKNOWN_ELO).astype(np.int32)
        every = PlayedMoves(positions=np.ascontiguousarray(samples["position"]), elos=elos, **known)
        there = every.moves != 0
        return every.take(there if side is None else there & (turn == (side is Color.BLACK)))

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        return cls(**{each.name: np.concatenate([getattr(one, each.name) for one in several]) for each in fields(cls)})

    def __len__(self) -> int:
        return len(self.moves)

    def take(self, which: NDArray[Any]) -> Self:
        return type(self)(**{each.name: getattr(self, each.name)[which] for each in fields(self)})

    def dataset(self) -> Dataset:
        """`network_rows`, and 64 · from + to, as the mover counts."""
        origin, target = move_squares(self.moves)
        known = network_rows(self.positions, self.elos, origin, np.where(self.outcomes < 0, 1, self.outcomes))
        turned = 56 * self.positions["turn"].astype(np.int64)
        return Dataset(known, 64 * (origin ^ turned) + (target ^ turned))

    def promotions(self) -> list[float]:
        """The shares of queen, rook, bishop and knight among what pawns became; the queen's is 1 where none did."""
        promoting = self.moves[self.moves >> 14 == 1]  # the two bits below are 3 for a queen … 0 for a knight
        counts = np.bincount(promoting >> 12 & 3, minlength=4)[::-1] if len(promoting) else np.eye(4)[0]
        return [round(float(share), 6) for share in counts / counts.sum()]


def move_ranks(predicted: MoveProbabilities, moves: NDArray[np.uint16]) -> NDArray[np.int64]:
    """The rank of each position's move among those that a brain predicts: 0 is the first; beyond all, if it is none."""
    rows = np.repeat(np.arange(len(moves)), np.diff(predicted.starts))
    hits = np.flatnonzero(predicted.moves == moves[rows])
    ranks = np.full(len(moves), np.iinfo(np.int64).max)
    ranks[rows[hits]] = hits - predicted.starts[rows[hits]]
    return ranks


MOVE: Final = GameTarget(task="move")

HELD_OUT: Final = 0.05
"""The share of the tournaments that is for validation, and as much again for the test."""

LEAST_GAMES: Final = 20
"""Fewer cannot be split."""


@dataclass(frozen=True, kw_only=True, eq=False)
class GameTraining(Training):
    job: GameJob
    watched: PlayedMoves
    parts: NDArray[np.uint8]

    def part(self, part: int) -> PlayedMoves:
        return self.watched.take(self.parts == part)

    def dataset(self, part: int) -> Dataset:
        return self.part(part).dataset()

    def output(self) -> dict[str, Any]:
        """Moves; the network does not predict promotions, so their shares are counted."""
        return {"form": "moves", "promotions": self.part(TRAIN).promotions()}


def moves(config: RecipeConfig) -> Training:
    """From the moves of games or, where there are labels and no games, from the teacher's best moves."""
    settings = config.settings_of("moves")
    if config.labels is not None and config.games is None:
        labels = load_labels(config)
        watched, rows, about = _best_moves(labels, config.seed)
    else:
        library = game_library(config)
        split, parts = _split(library, settings["elo"], settings["games"], config.seed)
        chosen = np.flatnonzero(parts != NONE)
        watched = PlayedMoves.played(library.store, chosen)
        rows = parts[watched.games]
        about = {"games": library.name, "used": len(chosen), "split": split, "positions": len(watched)}
    steps = settings["epochs"] * len(watched) // settings["batch"]
    sizes = {key: settings[key] for key in ("channels", "blocks", "squeeze", "width")}
    network = {"model": "okapi.models.resnet:from_to", "arguments": {"planes": 19, **sizes}, "loss": "choice"}
    how: dict[str, Any] = {"optimiser": {"name": "adamw", "lr": settings["lr"], "weight_decay": 0.01}}
    how["schedule"] = {"name": "cosine", "warmup": max(1, min(200, steps // 10))}
    plan = SupervisedConfig.from_settings(settings, encoding="planes-18+elo", seed=config.seed, **network, **how)
    title, told = "A network that predicts moves", config.about(settings, **about)
    return GameTraining(name="moves", title=title, job=GameJob(plan, MOVE), settings=told, watched=watched, parts=rows)


def _best_moves(labels: LabelledPositions, seed: int) -> tuple[PlayedMoves, NDArray[np.uint8], dict[str, Any]]:
    """The teacher's moves, the part of each, and what to say about them."""
    if labels.moves is None or not (there := labels.moves != 0).any():
        raise InvalidText(f"{labels.name} has no best moves", hint="`okapi label` finds some")
    how = usual_split(labels)
    labels, parts = labels.take(there), split_labels(labels, how, seed)[there]
    games = np.zeros(len(labels), np.int64) if labels.games is None else labels.games
    plies, elos = np.maximum(labels.plies, 0).astype(np.int32), np.full(len(labels), UNKNOWN_ELO, np.int32)
    known: dict[str, Any] = {"moves": labels.moves, "games": games, "plies": plies, "elos": elos}
    watched = PlayedMoves(positions=labels.positions, **known, outcomes=np.full(len(labels), -1, np.int8))
    return watched, parts, {**labels.about(), "used": len(labels), "split": how}


def game_library(config: RecipeConfig) -> GameLibrary:
    """The games of a config: UsageError if it has none. A PGN file becomes a store, once."""
    if config.games is None:
        raise UsageError("this recipe needs games", hint="--games FILE: a PGN file or a game store")
    if config.cache is not None:
        config.cache.mkdir(parents=True, exist_ok=True)
    return GameLibrary.open(config.games, config.cache, lambda line: None)


def _split(library: GameLibrary, elo: int, most: int, seed: int) -> tuple[str, NDArray[np.uint8]]:
    """What `most` games, those with the lowest hashes, are split by: tournaments if there are enough; and the parts."""
    store = library.store
    parts = split_by_tournament(store, TournamentSplit(validation=HELD_OUT, test=HELD_OUT, least_elo=elo, salt=seed))
    usable = np.flatnonzero(parts != NONE)
    if len(usable) < LEAST_GAMES:
        hint = f"at least {LEAST_GAMES} are needed, better some thousands; --elo N sets a lower limit"
        raise InvalidText(f"{library.name} has {len(usable)} games of players with {elo} Elo and more", hint=hint)
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
