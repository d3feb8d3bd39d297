"""
The networks of the thesis, and how each of them is trained.

The seven are `piece` to `king`; the variants of `piece`, which have other inputs or layers or the shape of the thesis'
own program, are trained as long as `piece-short` and are to be compared with it.

Section 2.7 uses AdaGrad at 0.1, then 0.01, in batches of 1000; `piece-letter` does that, and `outcome-letter` has its
RMSprop. The others have the same networks, trained with AdamW and a cosine schedule.
"""

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from okapi.papers.singh2015.headlines import SMALL
from okapi.recipes.config import Size
from okapi.recipes.game_jobs import GameJob, GameTarget
from okapi.training.losses import CHOICE
from okapi.training.supervised import SupervisedConfig

NETWORKS: Final = ("piece", "pawn", "rook", "knight", "bishop", "queen", "king")
"""The seven, in the thesis' order."""

GAMMAS: Final = (0.7, 0.9, 0.99)

OURS: Final = "ours"
"""One network instead of seven."""
VALUE: Final = "value"
"""A small one that predicts the winner."""
QUICK_VALUE: Final = "value-quick"
"""The same as a perceptron, fast enough for a search: a hundred thousand evaluations a second."""
TEACHER: Final = "teacher"
"""Ours, trained further on the best moves of a stronger player."""

UNMIRRORED: Final = "piece-unmirrored"
"""PIECE without mirrored positions, and with less weight decay: as long as `piece`."""

MILLION: Final = 1_000_000

Precision = Literal["float32", "bfloat16"]


_KERAS: Final = {"name": "keras-rmsprop", "eps": 1e-6}
_USUAL: Final = {"name": "rmsprop", "eps": 1e-8}

LETTER_OUTCOMES: Final[dict[str, tuple[dict[str, Any], Precision]]] = {
    "outcome-letter": (_KERAS, "float32"),
    "outcome-letter-bfloat16": (_KERAS, "bfloat16"),
    "outcome-letter-epsilon": (_USUAL, "float32"),
    "outcome-letter-both": (_USUAL, "bfloat16"),
}
"""V by the thesis' RMSprop: Keras of 2015 divided by sqrt(v + 1e-6), which is never below a thousandth; and with other
divisors, sqrt(v) + 1e-8, and numbers of 16 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkSizes:
    """Sizes of the networks, and of their training."""

    channels: tuple[int, int, int]
    hidden: int
    """Of ChessNet-1 and ChessNet-2."""
    coded: tuple[int, int, int]
    """Of the network that the thesis' own program has."""
    ours: tuple[int, int, int, int]
    """Channels, blocks, squeeze and width of our one network."""
    value: tuple[int, int, int, int, int]
    """Channels, blocks, squeeze, head and hidden neurons of our small value network."""
    dense: tuple[int, int]
    """Hidden neurons of the perceptron that values."""
    samples: int
    """Between two validations."""
    rank: dict[str, int]
    """Of the first dense layer in the networks that ship, by the network; "" is the default."""
    epochs: dict[str, int]
    """Multiples of `samples`, by training job; "" is the default."""
    batch: dict[str, int]
    """By training job; "" is the default."""
    precision: Precision = "float32"
    compiled: bool = False


def outcome(gamma: float) -> str:
    """The training job of the evaluation network with a discount.

    >>> outcome(0.7)
    'outcome-0.7'
    """
    return f"outcome-{gamma:g}"


def small(name: str) -> str:
    """The training job that makes a network small: its first dense layer becomes a product of two, and learns on.

    >>> small("piece")
    'piece-small'
    """
    return name + SMALL


SCALES: Final[dict[Size, NetworkSizes]] = {
    "tiny": NetworkSizes(
        channels=(4, 4, 4),
        hidden=8,
        coded=(4, 4, 4),
        ours=(8, 1, 4, 8),
        value=(8, 1, 4, 4, 8),
        dense=(16, 8),
        samples=512,
        rank={"": 4},
        epochs={"": 1},
        batch={"": 64},
    ),
    "quick": NetworkSizes(
        channels=(16, 24, 32),
        hidden=128,
        coded=(16, 24, 32),
        ours=(32, 3, 8, 32),
        value=(16, 2, 8, 8, 32),
        dense=(64, 32),
        samples=20_000,
        rank={"": 16},
        epochs={"piece": 4, UNMIRRORED: 4, OURS: 6, VALUE: 3, "": 2},
        batch={"": 256},
    ),
    "full": NetworkSizes(
        channels=(64, 96, 256),
        hidden=1024,
        coded=(96, 256, 384),
        ours=(128, 10, 32, 64),
        value=(64, 6, 16, 32, 128),
        dense=(256, 32),
        samples=8 * MILLION,
        rank={"piece": 192, "pawn": 24, "king": 24, "knight": 32, "bishop": 32, "": 48},
        epochs={
            **dict.fromkeys((*NETWORKS, UNMIRRORED), 38),
            **dict.fromkeys(map(outcome, GAMMAS), 8),
            **dict.fromkeys(map(small, (*NETWORKS, outcome(GAMMAS[0]))), 4),
            small("piece"): 12,
            **dict.fromkeys(LETTER_OUTCOMES, 2),
            OURS: 18,
            VALUE: 3,
            TEACHER: 4,
            "": 8,
        },
        batch={"piece-letter": 1000, **dict.fromkeys(LETTER_OUTCOMES, 1024), OURS: 4096, TEACHER: 2048, "": 8192},
        precision="bfloat16",
        compiled=True,
    ),
}


def training_jobs(size: Size, seed: int = 1) -> dict[str, GameJob]:
    """All training jobs by name. `teacher` needs best moves beside the games."""
    scale = SCALES[size]
    seven = {
        name: _squares(scale, name, seed, task=name, encoding=f"planes-12+elo{'' if name == 'piece' else '+piece'}")
        for name in NETWORKS
    }
    others = {
        "piece-letter": _letter(scale, seed),
        **{name: _letter_outcome(scale, name, seed) for name in LETTER_OUTCOMES},
        UNMIRRORED: _squares(scale, UNMIRRORED, seed, task="piece", encoding="planes-12+elo"),
        "piece-short": _squares(scale, "piece-short", seed, task="piece", encoding="planes-12+elo"),
        "piece-6": _squares(scale, "piece-6", seed, task="piece", encoding="planes-6+elo"),
        "piece-plain": _squares(scale, "piece-plain", seed, task="piece", encoding="planes-12"),
        "piece-outcome": _squares(scale, "piece-outcome", seed, task="piece", encoding="planes-12+elo+outcome"),
        "piece-coded": _squares(scale, "piece-coded", seed, task="piece", encoding="planes-12+elo", coded=True),
        "rook-plain": _squares(scale, "rook-plain", seed, task="rook", encoding="planes-12+elo"),
    }
    values = {outcome(gamma): _outcome(scale, gamma, seed) for gamma in GAMMAS}
    to_ship = {**seven, outcome(GAMMAS[0]): values[outcome(GAMMAS[0])]}
    shipped = {small(name): _small(scale, name, job) for name, job in to_ship.items()}
    beyond = {
        OURS: _ours(scale, seed),
        VALUE: _value(scale, seed),
        QUICK_VALUE: _quick_value(scale, seed),
        TEACHER: _teacher(scale, seed),
    }
    return {**seven, **values, **shipped, **beyond, **others}


PLANES: Final = {"planes-6": 6, "planes-12": 12, "planes-18": 18}

TODAY: Final = {"name": "adamw", "lr": 0.001, "weight_decay": 0.01}
SEVEN: Final = {**TODAY, "weight_decay": 0.1}
"""Of the seven networks, which have seen each of their samples many times at the end."""


def _planes(encoding: str) -> int:
    base, *layers = encoding.split("+")
    return PLANES[base] + len(layers)


def _plan(
    scale: NetworkSizes, name: str, seed: int, model: str, arguments: dict[str, Any], encoding: str, **how: Any
) -> SupervisedConfig:
    epochs, batch = scale.epochs.get(name, scale.epochs[""]), scale.batch.get(name, scale.batch[""])
    usual = {
        "loss": CHOICE,
        "optimiser": TODAY,
        "schedule": {"name": "cosine", "warmup": max(1, min(500, epochs * scale.samples // batch // 10))},
        "batch": batch,
        "epochs": epochs,
        "samples": scale.samples,
        "precision": scale.precision,
        # Compiling makes these slower.
        "compile": scale.compiled and not model.startswith(("resnet", "perceptron")),
    }
    return SupervisedConfig(
        model=f"okapi.models.{model}", arguments=arguments, encoding=encoding, seed=seed, **{**usual, **how}
    )


def _squares(scale: NetworkSizes, name: str, seed: int, *, task: str, encoding: str, coded: bool = False) -> GameJob:
    planes = _planes(encoding)
    model, arguments = "singh2015:chessnet_1", {"planes": planes, "channels": scale.channels, "hidden": scale.hidden}
    if coded:
        model, arguments = "singh2015:as_coded", {"planes": planes, "channels": scale.coded}
    how: dict[str, Any] = {"optimiser": SEVEN, "mirror": True} if name in NETWORKS else {}
    return GameJob(_plan(scale, name, seed, model, arguments, encoding, **how), GameTarget(task=task))


def _small(scale: NetworkSizes, name: str, job: GameJob) -> GameJob:
    batch = job.plan.batch
    epochs = scale.epochs.get(small(name), scale.epochs[""])
    plan = replace(
        job.plan,
        arguments={**job.plan.arguments, "rank": scale.rank.get(name, scale.rank[""])},
        optimiser={**job.plan.optimiser, "lr": 0.0005},
        schedule={"name": "cosine", "warmup": max(1, min(100, epochs * scale.samples // batch // 10))},
        epochs=epochs,
        warm_start=f"job:{name}",
    )
    return GameJob(plan, job.target)


def _letter(scale: NetworkSizes, seed: int) -> GameJob:
    """Section 2.7, its 300,000 batches shortened, the learning rate lowered after as large a part of them."""
    same = _squares(scale, "piece-letter", seed, task="piece", encoding="planes-12+elo")
    batches = same.plan.epochs * scale.samples // same.plan.batch
    how = {
        "optimiser": {"name": "adagrad", "lr": 0.1},
        "schedule": {"name": "step", "every": max(1, batches // 6), "gamma": 0.1, "most": 1},
        "compile": False,
    }
    arguments = {**same.plan.arguments, "deviation": 0.01}
    plan = _plan(scale, "piece-letter", seed, "singh2015:chessnet_1", arguments, "planes-12+elo", **how)
    return GameJob(plan, GameTarget(task="piece"))


def _outcome(scale: NetworkSizes, gamma: float, seed: int) -> GameJob:
    """Section 2.4: six planes, one number; as one learns today."""
    return _v(scale, outcome(gamma), gamma, seed)


def _letter_outcome(scale: NetworkSizes, name: str, seed: int) -> GameJob:
    """The same by the thesis' RMSprop."""
    optimiser, precision = LETTER_OUTCOMES[name]
    how: dict[str, Any] = {"schedule": {}, "precision": precision}
    return _v(scale, name, GAMMAS[0], seed, optimiser={"lr": 0.001, "alpha": 0.9, **optimiser}, **how)


def _v(scale: NetworkSizes, name: str, gamma: float, seed: int, **how: Any) -> GameJob:
    arguments = {"planes": 6, "channels": scale.channels, "hidden": scale.hidden}
    plan = _plan(scale, name, seed, "singh2015:chessnet_2", arguments, "planes-6", loss="squared", **how)
    return GameJob(plan, GameTarget(task="outcome", gamma=gamma, both_views=True))


def _ours(scale: NetworkSizes, seed: int) -> GameJob:
    plan = _plan(scale, OURS, seed, "resnet:from_to", _trunk(scale), "planes-18+elo", optimiser={**TODAY, "lr": 0.002})
    return GameJob(plan, GameTarget(task="move"))


def _teacher(scale: NetworkSizes, seed: int) -> GameJob:
    how = {"optimiser": {**TODAY, "lr": 0.0005}, "warm_start": f"job:{OURS}"}
    plan = _plan(scale, TEACHER, seed, "resnet:from_to", _trunk(scale), "planes-18+elo", **how)
    return GameJob(plan, GameTarget(task="best"))


def _trunk(scale: NetworkSizes) -> dict[str, Any]:
    channels, blocks, squeeze, width = scale.ours
    return {"planes": 19, "channels": channels, "blocks": blocks, "squeeze": squeeze, "width": width}


def _value(scale: NetworkSizes, seed: int) -> GameJob:
    channels, blocks, squeeze, head, hidden = scale.value
    arguments = {
        "planes": 18,
        "channels": channels,
        "blocks": blocks,
        "outputs": 1,
        "squeeze": squeeze,
        "head": head,
        "hidden": hidden,
        "last": "tanh",
    }
    plan = _plan(scale, VALUE, seed, "resnet:resnet", arguments, "planes-18", loss="squared")
    return GameJob(plan, GameTarget(task="outcome", gamma=GAMMAS[-1]))


def _quick_value(scale: NetworkSizes, seed: int) -> GameJob:
    arguments = {"inputs": 768, "hidden": list(scale.dense), "outputs": 1, "last": "tanh"}
    plan = _plan(scale, QUICK_VALUE, seed, "perceptron:perceptron", arguments, "bitmap-768", loss="squared")
    return GameJob(plan, GameTarget(task="outcome", gamma=GAMMAS[-1]))
