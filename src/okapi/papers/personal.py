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

from okapi.arena.fingerprint import file_hash
from okapi.brains import find, passport, predictor
from okapi.brains.writing import read_tensors
from okapi.errors import InvalidText, WrongBrain
from okapi.files import replace_file
from okapi.learn.supervised import Plan
from okapi.models.express import Expressed
from okapi.papers.arrays import NONE, TEST, TRAIN, VALIDATION
from okapi.papers.from_games import MOVE, FromGames, games_of
from okapi.papers.games_course import Spectacle
from okapi.papers.one_player import busiest, games_by, moves_by
from okapi.papers.order import Order, Size
from okapi.papers.raising import BRAIN
from okapi.papers.shares import Apart, Share, paired
from okapi.papers.trainings import Found, Training
from okapi.papers.watched import Watched

__all__ = ["LEAST_GAMES", "Personal", "matched", "personal"]

QUICK: Final[dict[str, Any]] = {
    "player": "",
    "brain": "okapi-human",
    "elo": 0,
    "games": 0,
    "lr": 0.0002,
    "batch": 64,
    "epochs": 6,
    "samples": 10_000,
    "patience": 2,
}
USUAL: Final[dict[Size, dict[str, Any]]] = {
    "tiny": {**QUICK, "batch": 32, "epochs": 1, "samples": 500},
    "quick": QUICK,
    "full": {**QUICK, "epochs": 20, "samples": 100_000, "patience": 4},
}
"""No player: the one with the most games. No Elo: that of each game. Games: the newest so many, 0 is all. Samples: of
an epoch, so that thousands of games take no longer than hundreds."""

LEAST_GAMES: Final = 20
"""Fewer teach nothing, and what they would teach could not be told from chance."""

HELD_OUT, TO_CHOOSE_BY = 0.2, 0.1
"""Shares of the games: the newest ones are for the test, those before them for validation."""

GAIN: Final = "gain.json"
NEARLY: Final = 3
"""The played move is also looked for among so many."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Personal(FromGames):
    """A training on one player's moves."""

    player: str
    brain: Path
    """The file of the one that learns on."""

    def passport(self) -> dict[str, str]:
        """What the brain is to say of itself."""
        return {**super().passport(), "name": self.player}

    def base(self) -> Expressed:
        """The network of the brain."""
        return Expressed(passport(str(self.brain)).details()["layers"], read_tensors(self.brain))

    def end(self, folder: Path) -> Found:
        """How often the brain says what the player did in the held-out games, and how often its base did."""
        path = folder / GAIN
        if path.exists():
            figures = json.loads(path.read_bytes())
        else:
            held = self.part(TEST)
            before, after = (matched(str(brain), held) for brain in (self.brain, folder / BRAIN))
            figures = _figures(before, after, held.games) | {"player": self.player}
            replace_file(path, json.dumps(figures, indent=1).encode())
        return Found(figures, _sentences(figures))


def personal(order: Order) -> Training:
    """A brain that predicts moves learns on from one player's games; how much better does it know the player then?"""
    settings = order.settings(USUAL[order.size])
    library = games_of(order)
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
    parts[games] = _parts(len(games))
    plan = _plan(brain, settings, order.seed)
    about = {"brain": f"{passport(str(brain)).name} {file_hash(brain)}", "from": library.name}
    counts = {"player": player, "games": len(games), "positions": len(watched)}
    return Personal(
        name="personal",
        title=f"Moves of {player}, from {len(games)} games",
        lesson=Spectacle(plan, MOVE),
        watched=watched,
        parts=parts[watched.games],
        settings={**settings, **about, **counts, "size": order.size, "seed": order.seed},
        player=player,
        brain=brain,
    )


def matched(brain: str, held: Watched) -> NDArray[np.int64]:
    """The place of each move that was played among what a brain thinks likely: 0 is the first one."""
    said = predictor(brain).likely(held.positions, elo=held.elos)
    rows = np.repeat(np.arange(len(held)), np.diff(said.starts))
    hits = np.flatnonzero(said.moves == held.moves[rows])
    places = np.full(len(held), np.iinfo(np.int64).max)
    places[rows[hits]] = hits - said.starts[rows[hits]]
    return places


def _parts(games: int) -> NDArray[np.uint8]:
    """The part of each game, from the oldest to the newest."""
    test, validation = round(games * HELD_OUT), round(games * TO_CHOOSE_BY)
    train = games - test - validation
    return np.repeat(np.array([TRAIN, VALIDATION, TEST], np.uint8), [train, validation, test])


def _plan(brain: Path, settings: Mapping[str, Any], seed: int) -> Plan:
    """The network of a brain, and how it goes on: WrongBrain if nobody knows how that was made."""
    told = passport(str(brain))
    if not told.predicts_moves or told.details()["output"]["form"] != "moves":
        raise WrongBrain(
            f"brain `{told.name}` does not predict whole moves with one network", hint="--brain okapi-human"
        )
    made = told.details().get("settings", {}).get("plan")
    if made is None:
        raise WrongBrain(
            f"brain `{told.name}` does not say how it was made", hint="`okapi train moves` makes such brains"
        )
    return Plan(
        model=made["model"],
        arguments=made["arguments"],
        encoding=told.encoding,
        loss="choice",
        optimiser={"name": "adamw", "lr": settings["lr"]},
        batch=settings["batch"],
        epochs=settings["epochs"],
        samples=settings["samples"],
        patience=settings["patience"],
        seed=seed,
        start=f"start-{file_hash(brain)}.npz",
    )


def _figures(before: NDArray[np.int64], after: NDArray[np.int64], games: NDArray[np.int64]) -> dict[str, Any]:
    gain = paired(after == 0, before == 0, games)
    told = {"before": before, "after": after}
    shares = {
        what: {f"top_{most}": round(Share(int((places < most).sum()), len(places)).value, 5) for most in (1, NEARLY)}
        for what, places in told.items()
    }
    points = {"gain": gain.points, "low": gain.low, "high": gain.high}
    counts = {"held_out_games": len(np.unique(games)), "held_out_moves": len(games)}
    return {**shares, **{name: round(value, 3) for name, value in points.items()}, **counts, "verdict": gain.verdict}


def _sentences(figures: Mapping[str, Any]) -> list[str]:
    count = figures["held_out_moves"]
    before, after = (Share(round(figures[what]["top_1"] * count), count) for what in ("before", "after"))
    verdict = {
        "confirmed": "the brain knows the player better now",
        "refuted": "the brain has become worse: keep the one it began with",
        "undecided": "the gain is within what chance does: more games would tell",
    }
    gain = Apart(figures["gain"], figures["low"], figures["high"])
    return [
        f"{figures['player']}: {count:,} moves of the {figures['held_out_games']} newest games, which it never saw",
        f"the move that was played is its first choice: before {before}, now {after}",
        f"{gain} points: {verdict[gain.verdict]}",
    ]
