"""A plan: everything that decides what a network becomes, except for what it is taught."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, Self

from okapi.errors import UsageError, did_you_mean
from okapi.models import current_name
from okapi.models.torch_encodings import check_torch_encoding
from okapi.training.supervised.losses import CHOICE, LOSSES
from okapi.training.supervised.optimisers import check_optimiser, check_schedule

__all__ = ["Plan"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a network is made and trained; JSON both ways.

    >>> plan = Plan(
    ...     model="okapi.models.perceptron:perceptron",
    ...     arguments={"inputs": 768, "hidden": [100], "outputs": 3},
    ...     encoding="bitmap-768",
    ...     loss="cross-entropy",
    ...     optimiser={"name": "adam", "lr": 0.001},
    ...     batch=128,
    ...     epochs=10,
    ... )
    >>> Plan.from_json(plan.as_json()) == plan
    True
    """

    model: str
    """The function that makes the network, such as okapi.models.perceptron:perceptron."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """What it is given."""
    encoding: str
    """What the network sees; one of okapi.models.torch_encodings."""
    loss: str
    """One of LOSSES."""
    optimiser: Mapping[str, Any]
    """Its name, its learning rate `lr`, and whatever else it takes."""
    schedule: Mapping[str, Any] = field(default_factory=dict)
    """How the learning rate goes on; constant if nothing is said."""
    batch: int
    """Samples that make a step; over all processes, if there are several."""
    epochs: int
    """At most so many times through all training samples."""
    samples: int | None = None
    """Of an epoch, where all are too many between two looks at the validation samples: each epoch draws others."""
    patience: int | None = None
    """Epochs without a better loss on the validation samples after which it is enough."""
    seed: int = 1
    precision: Literal["float32", "bfloat16"] = "float32"
    compile: bool = False
    """Let torch compile the network, where the machine can."""
    mirror: bool = False
    """Show half of the positions with files a to h turned round, where nobody may castle any more."""
    smooth: float = 0.0
    """Of cross-entropy: the share of certainty that is spread over all classes."""
    start: str | None = None
    """The network it begins with: lesson:NAME, one of the same course, or a learned.npz, as seen from the lesson's
    folder. Batch normalisation then stands still."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "model", current_name(self.model))
        if self.loss not in LOSSES:
            raise UsageError(f"no loss `{self.loss}`", hint=did_you_mean(self.loss, LOSSES))
        check_torch_encoding(self.encoding)
        if self.mirror and self.loss == CHOICE:
            raise UsageError("squares and moves would have to be mirrored with the positions", hint="mirror=False")
        for name in ("batch", "epochs", "samples", "patience"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < 1):
                raise UsageError(f"`{name}` is {value!r}", hint="expected a whole number from 1 on")
        if self.precision not in ("float32", "bfloat16"):
            raise UsageError(f"`precision` is {self.precision!r}", hint="expected float32 or bfloat16")
        if not 0 <= self.smooth < 1:
            raise UsageError(f"`smooth` is {self.smooth!r}", hint="expected a share from 0 on, below 1")
        check_optimiser(self.optimiser)
        check_schedule(self.schedule)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        """UsageError for what no plan has."""
        known = [each.name for each in fields(cls)]
        for name in told:
            if name not in known:
                raise UsageError(f"a plan has no `{name}`", hint=did_you_mean(name, known))
        try:
            return cls(**told)
        except TypeError as error:
            raise UsageError(f"a plan is not whole: {error}") from None

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self)
