"""
The networks of M. Sabatelli, F. Bidoia, V. Codreanu, M. Wiering, *Learning to Evaluate Chess Positions with Deep Neural
Networks and Limited Lookahead*, 2018: four datasets (section 3.1), and a network for each (section 3.2).

docs/explanation/sabatelli2018.md says where the paper is silent, and what was chosen.
"""

from typing import TYPE_CHECKING, Any, Final

from okapi.errors import UsageError
from okapi.recipes.config import RecipeConfig
from okapi.recipes.labels import load_labels
from okapi.recipes.splits import usual_shares
from okapi.recipes.targets import Target

if TYPE_CHECKING:
    from okapi.recipes.jobs import TrainingJob
    from okapi.recipes.training import Training

INPUTS: Final = ("bitmap", "algebraic")

IMAGES: Final[dict[str, dict[str, tuple[str, dict[str, int]]]]] = {
    "mlp": {"planes": ("planes-18", {"inputs": 18 * 64}), "giraffe": ("giraffe-363", {"inputs": 363})},
    "cnn": {"planes": ("planes-18", {"channels": 18})},
}
"""More informative inputs, the future work of section 6: encodings, and arguments of the networks. Features of lai2015
are no image, so a convolutional network cannot have them."""

CLIP: Final = 1500
"""Centipawns: dataset 4 goes from -15 to 15 pawns. The paper does not say what its values were divided by."""

LOST: Final = tuple(range(-750, -149, 100))
WON: Final = tuple(range(151, 752, 100))
"""Where classes begin: seven of losing below -1.5 pawns and seven of winning above 1.5, a pawn each. A value on an edge
belongs to the class above it, and 1.5 itself is a draw: so the upper edges lie a centipawn further."""

DRAWN: Final = (-100, -50, 0, 50, 100)
"""What dataset 3 cuts the draws at: six classes from -1.5 to 1.5, half a pawn each; 0 is in the upper half."""

REGRESSION: Final = 4
EDGES: Final = {1: (LOST[-1], WON[0]), 2: (*LOST, *WON), 3: (*LOST, *DRAWN, *WON)}
DATASETS: Final = (*EDGES, REGRESSION)


def target(dataset: int) -> Target:
    """What a network is to say of a position.

    >>> [len(target(dataset).edges) + 1 for dataset in (1, 2, 3)], target(4).high
    ([3, 15, 20], 1500.0)
    """
    return Target.number(-CLIP, CLIP) if dataset == REGRESSION else Target.classes(EDGES[dataset])


def outputs(dataset: int) -> int:
    return 1 if dataset == REGRESSION else len(EDGES[dataset]) + 1


MODELS: Final = {"mlp": {1: "mlp_1", 2: "mlp_2", 3: "mlp_2", 4: "mlp_4"}, "cnn": dict.fromkeys(DATASETS, "cnn")}
SHAPES: Final = {"mlp": "768", "cnn": "12x8x8"}

ADAM: Final[dict[str, Any]] = {"name": "adam", "lr": 0.001, "betas": [0.90, 0.99], "eps": 1e-8}
"""The paper writes 1e-0.8, which is a misprint: 0.158 would leave Adam hardly any of its scaling."""


PLAYERS: Final = ("player-large", "player-small", "player-score")
"""Beyond the paper: its perceptrons of datasets 4 and 1, to play with; the last one to say expected scores."""


def network_job(
    network: str, input_: str, dataset: int, *, parts: str, epochs: int, seed: int = 1, shrink: int = 1
) -> "TrainingJob":
    """One network of Tables 1 to 3, on one split of the positions. `shrink` divides its numbers of units."""
    regression = dataset == REGRESSION
    encoding, sizes = IMAGES[network].get(input_, (f"{input_}-{SHAPES[network]}", {}))
    optimiser, batch = ADAM, 128
    if network == "cnn":
        optimiser = {"name": "sgd", "lr": 0.01, "momentum": 0.0}
    elif regression:
        optimiser, batch = {"name": "sgd", "lr": 0.001, "momentum": 0.7, "nesterov": True}, 256
    how: dict[str, Any] = {"loss": "squared" if regression else "cross-entropy", "optimiser": optimiser, "batch": batch}
    how |= {"epochs": epochs, "patience": 5, "seed": seed, "encoding": encoding}
    arguments = {"outputs": outputs(dataset), "shrink": shrink, **sizes}
    return _job(MODELS[network][dataset], target(dataset), parts, arguments=arguments, **how)


def players(*, parts: str, epochs: int, seed: int = 1, shrink: int = 1) -> "dict[str, TrainingJob]":
    """Networks of the paper's shapes, to play with, trained as one would now: a rate that falls to nothing, larger
    minibatches, mirrored positions."""
    same: dict[str, Any] = {"encoding": "bitmap-768", "loss": "squared", "epochs": epochs, "seed": seed}
    same |= {"optimiser": {"name": "adamw", "lr": 0.001, "weight_decay": 0.01}, "batch": 1024, "mirror": True}
    same |= {"schedule": {"name": "cosine", "warmup": 500}}
    pawns, small = target(REGRESSION), {"dropout": 0.1}
    networks = [("mlp_4", pawns, {"dropout": 0.3}), ("mlp_1", pawns, small)]
    networks.append(("mlp_1", Target.score(), {**small, "squashed": True}))
    return {
        name: _job(model, says, parts, arguments={"outputs": 1, "shrink": shrink, **shape}, **same)
        for name, (model, says, shape) in zip(PLAYERS, networks, strict=True)
    }


def _job(model: str, says: Target, parts: str, **plan: Any) -> "TrainingJob":
    from okapi.recipes.jobs import TrainingJob
    from okapi.training.supervised import SupervisedConfig

    return TrainingJob(SupervisedConfig(model=f"okapi.models.sabatelli2018:{model}", **plan), says, parts)


def network(config: RecipeConfig, network: str, dataset: int) -> "Training":
    """A network of section 3.2: `mlp` or `cnn`, for one of the datasets."""
    settings = config.settings_of("sabatelli-player")
    how = {"parts": settings["split"], "epochs": settings["epochs"], "seed": config.seed, "shrink": settings["shrink"]}
    job = network_job(network, _one_of(settings, "input", INPUTS), dataset, **how)
    called = {"mlp": "perceptron", "cnn": "convolutional network"}[network]
    title = f"The {called} of sabatelli2018 for dataset {dataset}"
    return _training(f"sabatelli-{network}-{dataset}", title, job, settings, config)


def player(config: RecipeConfig) -> "Training":
    """The small perceptron as a player: 1048, 500 and 50 units that say the expected score."""
    settings = config.settings_of("sabatelli-player")
    if settings["input"] != INPUTS[0]:
        raise UsageError("the player reads bitmaps", hint="leave `input` as it is")
    every = players(parts=settings["split"], epochs=settings["epochs"], seed=config.seed, shrink=settings["shrink"])
    title = "The small perceptron of sabatelli2018 as a player"
    return _training("sabatelli-player", title, every["player-score"], settings, config)


def _training(name: str, title: str, job: "TrainingJob", settings: dict[str, Any], config: RecipeConfig) -> "Training":
    from okapi.recipes.training import LabelTraining

    how = _one_of(settings, "split", ("games", "positions"))
    labels = load_labels(config, most=settings["positions"] or None)
    split = {"how": how, "shares": usual_shares(labels)}
    return LabelTraining.of(config, name, title, job.plan, job.target, labels, settings, **split)


def _one_of(settings: dict[str, Any], name: str, known: tuple[str, ...]) -> Any:
    if settings[name] not in known:
        raise UsageError(f"`{name}` is {settings[name]!r}", hint=f"expected {' or '.join(known)}")
    return settings[name]
