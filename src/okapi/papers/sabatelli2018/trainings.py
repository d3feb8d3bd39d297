"""One network of the paper at a time, for `okapi train`; and the small one to play with."""

from typing import Any, Final

from okapi.errors import UsageError
from okapi.papers.sabatelli2018.names import INPUTS
from okapi.papers.sabatelli2018.networks import lesson, players
from okapi.papers.sabatelli2018.teaching import EPOCHS, POSITIONS, SHRINK, shares
from okapi.recipes.course import Lesson
from okapi.recipes.labelled import labelled, parts
from okapi.recipes.order import Order, Size
from okapi.recipes.trainings import FromLabels, Training, TrainingMaker

__all__ = ["cnn_1", "cnn_2", "cnn_3", "cnn_4", "mlp_1", "mlp_2", "mlp_3", "mlp_4", "player"]

SAYS: Final = {1: "3 classes", 2: "15 classes", 3: "20 classes", 4: "a number from -15 to 15 pawns"}
CALLED: Final = {"mlp": "perceptron", "cnn": "convolutional network"}


def _usual(size: Size) -> dict[str, Any]:
    return {
        "input": INPUTS[0],
        "split": "games",
        "positions": POSITIONS[size],
        "epochs": EPOCHS[size],
        "shrink": SHRINK[size],
    }


def _maker(network: str, dataset: int) -> TrainingMaker:
    def make(order: Order) -> Training:
        settings = order.settings(_usual(order.size))
        taught = lesson(
            network,
            _one_of(settings, "input", INPUTS),
            dataset,
            parts=settings["split"],
            epochs=settings["epochs"],
            seed=order.seed,
            shrink=settings["shrink"],
        )
        title = f"The {CALLED[network]} of sabatelli2018 for dataset {dataset}"
        return _training(f"sabatelli-{network}-{dataset}", title, taught, settings, order)

    make.__doc__ = f"The {CALLED[network]} of dataset {dataset}: {SAYS[dataset]} (section 3.2)."
    return make


def player(order: Order) -> Training:
    """The small perceptron as a player: 1048, 500 and 50 units that say the expected score."""
    settings = order.settings(_usual(order.size))
    if settings["input"] != INPUTS[0]:
        raise UsageError("the player reads bitmaps", hint="leave `input` as it is")
    every = players(parts=settings["split"], epochs=settings["epochs"], seed=order.seed, shrink=settings["shrink"])
    title = "The small perceptron of sabatelli2018 as a player"
    return _training("sabatelli-player", title, every["player-score"], settings, order)


def _training(name: str, title: str, taught: Lesson, settings: dict[str, Any], order: Order) -> Training:
    how = _one_of(settings, "split", ("games", "positions"))
    labels = labelled(order, most=settings["positions"] or None)
    split = parts(labels, how, order.seed, shares(labels))
    about = {**settings, "size": order.size, "seed": order.seed, **labels.about()}
    return FromLabels(name=name, title=title, lesson=taught, labels=labels, parts=split, settings=about)


def _one_of(settings: dict[str, Any], name: str, known: tuple[str, ...]) -> Any:
    if settings[name] not in known:
        raise UsageError(f"`{name}` is {settings[name]!r}", hint=f"expected {' or '.join(known)}")
    return settings[name]


mlp_1, mlp_2, mlp_3, mlp_4 = (_maker("mlp", dataset) for dataset in SAYS)
cnn_1, cnn_2, cnn_3, cnn_4 = (_maker("cnn", dataset) for dataset in SAYS)
