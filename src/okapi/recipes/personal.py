"""
One player's moves: a brain that predicts moves learns on from that player's games alone.

The newest games are held out: is the brain, after it has seen the others, better at saying what the player does there?
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import card, find, predictor
from okapi.brains.files import read_tensors
from okapi.errors import InvalidText, WrongBrain
from okapi.files import file_hash, replace_file
from okapi.models.express import Expressed
from okapi.recipes.arrays import NONE, TEST
from okapi.recipes.config import RecipeConfig
from okapi.recipes.evolution import BRAIN
from okapi.recipes.game_jobs import GameJob
from okapi.recipes.moves import MOVE, GameTraining, game_library
from okapi.recipes.one_player import busiest, games_by, moves_by
from okapi.recipes.played_moves import PlayedMoves
from okapi.recipes.proportions import Difference, Proportion
from okapi.recipes.training import Findings, Training
from okapi.recipes.tuning import USUAL, gained, going_on, parts_by_age
from okapi.training.supervised import SupervisedConfig

__all__ = ["LEAST_GAMES", "Personal", "matched", "personal"]

WHOSE: Final[dict[str, Any]] = {"player": "", "brain": "okapi-human", "elo": 0, "games": 0}
"""No player: the one with the most games. No Elo: that of each game. Games: the newest so many, 0 is all."""

LEAST_GAMES: Final = 20
"""Fewer teach nothing, and what they would teach could not be told from chance."""

GAIN: Final = "gain.json"


@dataclass(frozen=True, kw_only=True, eq=False)
class Personal(GameTraining):
    """A training on one player's moves."""

    player: str
    brain: Path
    """The file of the one that learns on."""

    def card(self) -> dict[str, str]:
        """What the brain is to say of itself."""
        newest = int(np.median(self.part(TEST).elos))
        return {**super().card(), "name": self.player, "elo": str(newest)}

    def base(self) -> Expressed:
        """The network of the brain."""
        return Expressed(card(str(self.brain)).details()["layers"], read_tensors(self.brain))

    def end(self, folder: Path) -> Findings:
        """How often the brain says what the player did in the held-out games, and how often its base did."""
        path = folder / GAIN
        if path.exists():
            figures = json.loads(path.read_bytes())
        else:
            held = self.part(TEST)
            before, after = (matched(str(brain), held) for brain in (self.brain, folder / BRAIN))
            figures = gained(before, after, held.games) | {"player": self.player}
            replace_file(path, json.dumps(figures, indent=1).encode())
        return Findings(figures, _sentences(figures))


def personal(order: RecipeConfig) -> Training:
    """A brain that predicts moves learns on from one player's games; how much better does it know the player then?"""
    settings = order.settings({**WHOSE, **USUAL[order.size]})
    library = game_library(order)
    player = settings["player"] or busiest(library.store)
    games = games_by(library.store, player)[-settings["games"] :]
    if len(games) < LEAST_GAMES:
        raise InvalidText(
            f"{library.name} has {len(games)} games of {player}",
            hint=f"at least {LEAST_GAMES} are needed, some hundreds are well",
        )
    brain = find(settings["brain"])
    watched = moves_by(library.store, player, games)
    if settings["elo"]:
        watched = replace(watched, elos=np.full_like(watched.elos, settings["elo"]))
    parts = np.full(len(library.store), NONE, np.uint8)
    parts[games] = parts_by_age(len(games))
    plan = _plan(brain, settings, order.seed)
    about = {"brain": f"{card(str(brain)).name} {file_hash(brain)}", "from": library.name}
    counts = {"player": player, "games": len(games), "positions": len(watched)}
    return Personal(
        name="personal",
        title=f"Moves of {player}, from {len(games)} games",
        lesson=GameJob(plan, MOVE),
        watched=watched,
        parts=parts[watched.games],
        settings={**settings, **about, **counts, "size": order.size, "seed": order.seed},
        player=player,
        brain=brain,
    )


def matched(brain: str, held: PlayedMoves) -> NDArray[np.int64]:
    """The place of each move that was played among what a brain thinks likely: 0 is the first one."""
    said = predictor(brain).probabilities(held.positions, elo=held.elos)
    rows = np.repeat(np.arange(len(held)), np.diff(said.starts))
    hits = np.flatnonzero(said.moves == held.moves[rows])
    places = np.full(len(held), np.iinfo(np.int64).max)
    places[rows[hits]] = hits - said.starts[rows[hits]]
    return places


def _plan(brain: Path, settings: Mapping[str, Any], seed: int) -> SupervisedConfig:
    """The network of a brain, and how it goes on: WrongBrain if nobody knows how that was made."""
    told = card(str(brain))
    if not told.predicts_moves or told.details()["output"]["form"] != "moves":
        raise WrongBrain(
            f"brain `{told.name}` does not predict whole moves with one network", hint="--brain okapi-human"
        )
    made = told.details().get("settings", {}).get("plan")
    if made is None:
        raise WrongBrain(
            f"brain `{told.name}` does not say how it was made", hint="`okapi train moves` makes such brains"
        )
    made = {**made, "encoding": told.encoding}
    return going_on(made, settings, seed=seed, start=f"start-{file_hash(brain)}.npz")


def _sentences(figures: Mapping[str, Any]) -> list[str]:
    count = figures["held_out_moves"]
    before, after = (Proportion(round(figures[what]["top_1"] * count), count) for what in ("before", "after"))
    verdict = {
        "confirmed": "the brain knows the player better now",
        "refuted": "the brain has become worse: keep the one it began with",
        "undecided": "the gain is within what chance does: more games would tell",
    }
    gain = Difference(figures["gain"], figures["low"], figures["high"])
    return [
        f"{figures['player']}: {count:,} moves of the {figures['held_out_games']} newest games, which it never saw",
        f"the move that was played is its first choice: before {before}, now {after}",
        f"{gain} points: {verdict[gain.verdict]}",
    ]
