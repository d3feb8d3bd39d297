"""Everything that decides what a pupil becomes, except for the pupil and the positions that it begins from."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from okapi.errors import UsageError
from okapi.training.supervised.optimisers import check_optimiser, check_schedule

__all__ = ["LETTER", "LOSSES", "OURS", "WAYS", "Plan", "Way"]

Way = Literal["ours", "letter"]

LOSSES: Final = ("absolute", "squared", "huber")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a pupil teaches itself."""

    iterations: int
    """Of playing and learning; also the length of the schedule."""
    starts: int
    """Positions that an iteration begins from."""
    plies: int
    """Played from each."""
    nodes: int
    """For each move."""
    random_moves: int
    """Played before the first search, so that positions come up that good players avoid."""
    discount: float
    """λ: how much less a change of the value counts for each ply that it is away."""
    same_side: bool
    """Compare a value with the one that the same side found two plies later, instead of the next one."""
    late: bool
    """Discount the first change, too, as Table 2 does."""
    learn_from: str
    """The leaves of "all" plies, or of the "start" alone."""
    least_plies: int
    """So many plies must follow a leaf: the last ones of a game have seen nothing that could teach them."""
    loss: str
    optimiser: Mapping[str, Any]
    schedule: Mapping[str, Any]
    batch: int
    """Leaves that are learned at once; 0: all that an iteration brought."""
    reuse: float
    """How often a leaf is learned, on average, as long as it is remembered."""
    window: int
    """The newest so many leaves are remembered."""
    average: float
    """The share of the past in the running mean of the weights after each step; 0: there is none."""
    plays: str
    """Who plays: the "newest" weights, or the "average". The brain in the end is the average, if there is one."""
    seed: int

    def __post_init__(self) -> None:
        check_optimiser(self.optimiser)
        check_schedule(self.schedule)
        _among("loss", self.loss, LOSSES)
        _among("learn_from", self.learn_from, ("all", "start"))
        _among("plays", self.plays, ("newest", "average"))
        for name in ("starts", "plies", "nodes", "window"):
            _within(name, getattr(self, name), 1, 1 << 30)
        for name in ("iterations", "random_moves", "batch", "least_plies"):
            _within(name, getattr(self, name), 0, 1 << 30)
        _within("discount", self.discount, 0, 1)
        _within("average", self.average, 0, 1)
        _within("reuse", self.reuse, 0, 1000)

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self)

    def steps(self, fresh: int) -> int:
        """Steps of learning that so many new leaves deserve."""
        return max(1, round(fresh * self.reuse / self.batch)) if self.batch else max(1, round(self.reuse))


LETTER: Final[dict[str, Any]] = {
    "starts": 256,
    "plies": 12,
    "nodes": 256,
    "random_moves": 1,
    "discount": 0.7,
    "same_side": False,
    "late": True,
    "learn_from": "start",
    "least_plies": 1,
    "loss": "absolute",
    "optimiser": {"name": "adadelta", "lr": 1.0},
    "schedule": {"name": "constant"},
    "batch": 0,
    "reuse": 1.0,
    "window": 1,
    "average": 0.0,
    "plays": "newest",
}
"""lai2015, section 4.5."""

OURS: Final[dict[str, Any]] = {
    **LETTER,
    "late": False,
    "learn_from": "all",
    "loss": "squared",
    "optimiser": {"name": "adam", "lr": 0.001},
    "schedule": {"name": "cosine", "warmup": 20, "floor": 0.02},
    "batch": 1024,
    "reuse": 4.0,
    "window": 300_000,
    "average": 0.999,
}
"""What learns most in an hour of two processors; docs/tdleaf.md says what was tried."""

WAYS: Final[dict[Way, dict[str, Any]]] = {"ours": OURS, "letter": LETTER}


def _among(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise UsageError(f"`{name}` is {value!r}", hint=f"expected {' or '.join(known)}")


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise UsageError(f"`{name}` is {value}", hint=f"expected {low} to {high}")
