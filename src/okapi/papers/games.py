"""Games that Okapi plays itself where no games of masters are given; they are always the same, and kept."""

from typing import Final

from okapi.brains import load
from okapi.core import Color, Evaluator, Game, InProcessMatch, Limits, MatchPlayer, Position, random_openings
from okapi.data.store import Store, StoreWriter
from okapi.papers.experiment import ExperimentContext
from okapi.recipes.config import Size
from okapi.recipes.exercises import MasterGames, master_games
from okapi.recipes.labels import GameLibrary

GAMES: Final[dict[Size, int]] = {"tiny": 40, "quick": 400, "full": 2_000}

PLAYER: Final = "okapi-28"
NODES: Final = 200
SEED: Final = 2015
"""The brain, its nodes for a move, and the seed of the random moves at the start."""

RATINGS: Final = range(2000, 2800, 100)
"""Ratings that are written into the games in turn, so that there are bands of ratings; the play is the same."""


def exercises_of(context: ExperimentContext) -> MasterGames:
    """Positions of a context's games with what was played there, or of games that are played now."""
    return master_games(context.games, context.size, context.executor)


def game_store(context: ExperimentContext) -> Store:
    """The games of a context as a store, or some that are played now: always the same, however many threads play."""
    if context.games is not None:
        return GameLibrary.open(context.games, context.folder, context.tell).store
    path = context.folder / "games.okapi"
    if path.exists():
        return Store.open(path)
    player = MatchPlayer(Evaluator.from_brain(load(PLAYER)), Limits(nodes=NODES))
    starts = random_openings(GAMES[context.size], seed=SEED)
    match = InProcessMatch(player, player, [(start, Color.WHITE) for start in starts], threads=context.executor.workers)
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    with StoreWriter.open(part) as writer:
        for match_game in match.raw():
            moves = (*starts[match_game.number].history(), *match_game.moves)
            elo = str(RATINGS[match_game.number % len(RATINGS)])
            writer.add(Game(Position.start(), moves, match_game.result, tags={"WhiteElo": elo, "BlackElo": elo}))
    part.replace(path)
    return Store.open(path)
