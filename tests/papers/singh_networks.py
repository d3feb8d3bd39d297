"""A trained for tests: random games with ratings, random networks, and a report that somebody could have written."""

from pathlib import Path
from random import Random

from networks import write_mover, write_seven

from okapi.core import Game, Position
from okapi.data.store import Store, StoreWriter
from okapi.papers.singh2015.training import EvaluationSet, TrainedNetworks, first_moves
from okapi.training.report import TrainingReport
from okapi.training.supervised import SupervisedConfig

GAMES = 24
TRAINED = 8
"""The first of them."""

PLAN = SupervisedConfig(
    model="okapi.models.singh2015:chessnet_1",
    arguments={"planes": 13},
    encoding="planes-12+elo",
    loss="choice",
    optimiser={"name": "adagrad", "lr": 0.1},
    batch=1000,
    epochs=2,
)


def random_store(path: Path, plies: int = 30) -> Store:
    """Games of random moves, whose players are rated from 2000 to 2750."""
    rng = Random(1)
    with StoreWriter.open(path) as writer:
        for number in range(GAMES):
            position, moves = Position.start(), []
            for _ in range(plies):
                moves.append(rng.choice(position.legal_moves()))
                position.play(moves[-1])
            elo = str(2000 + 750 * number // GAMES)
            tags = {"WhiteElo": elo, "BlackElo": elo}
            writer.add(Game(Position.start(), tuple(moves), rng.choice(["1-0", "1/2-1/2", "0-1"]), tags=tags))
    return Store.open(path)


def report(accuracy: float = 0.25) -> TrainingReport:
    """Of a network that learned for two epochs."""
    answers = {"loss": 2.5, "accuracy": accuracy, "top_3": 0.5, "top_5": 0.7, "top_10": 0.9}
    told = {f"validation_{name}": value for name, value in answers.items()}
    return TrainingReport(
        epochs=2,
        best_epoch=2,
        seconds=1.5,
        samples_per_second=2000.0,
        device="cpu",
        busy=None,
        train={"count": 100, **answers},
        validation={"count": 100, **answers},
        test={"count": 100, **answers},
        curve=[{"epoch": epoch, "train_loss": 3.0 - epoch / 2, **told} for epoch in (1, 2)],
        about={"config": PLAN.as_json()},
    )


def made_up_networks(folder: Path) -> TrainedNetworks:
    """All of it."""
    store = random_store(folder / "games.okapi")
    training, tests = list(range(TRAINED)), list(range(TRAINED, GAMES))
    return TrainedNetworks(
        seven=write_seven(folder),
        ours=write_mover(folder),
        teacher=None,
        value=None,
        quick_value=None,
        outcome={},
        reports={"piece": report(), "piece-short": report(), "piece-letter": report(0.2)},
        tests=EvaluationSet.of(store, tests, training),
        first_moves=first_moves(store, training),
    )
