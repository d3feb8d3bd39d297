"""Optimisers and schedules of the learning rate, by name."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import torch
from torch import Tensor, nn

from okapi.errors import UsageError, did_you_mean


class KerasRMSprop(torch.optim.Optimizer):
    """RMSprop as Keras had it in 2015: eps is added to the mean square, and the root is taken of both."""

    def __init__(self, params: list[Tensor], lr: float | Tensor = 0.001, alpha: float = 0.9, eps: float = 1e-6) -> None:
        super().__init__(params, {"lr": lr, "alpha": alpha, "eps": eps})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            weights = [each for each in group["params"] if each.grad is not None]
            for each in weights:
                if "square_avg" not in self.state[each]:
                    self.state[each]["square_avg"] = torch.zeros_like(each)
            gradients = [each.grad for each in weights]
            squares = [self.state[each]["square_avg"] for each in weights]
            torch._foreach_mul_(squares, group["alpha"])
            torch._foreach_addcmul_(squares, gradients, gradients, 1 - group["alpha"])
            steps = torch._foreach_div(gradients, torch._foreach_sqrt(torch._foreach_add(squares, group["eps"])))
            torch._foreach_mul_(steps, group["lr"])
            torch._foreach_sub_(weights, steps)


@dataclass(frozen=True, slots=True)
class _Entry:
    """An optimiser of torch, the settings that it takes, and how it is fastest."""

    make: Callable[..., torch.optim.Optimizer]
    takes: tuple[str, ...]
    on_cpu: Mapping[str, bool] = field(default_factory=lambda: {"fused": True})
    on_cuda: Mapping[str, bool] = field(default_factory=lambda: {"fused": True})
    capturable: bool = True  # can its step be captured in a CUDA graph?


_ADAM: Final = ("lr", "betas", "eps", "weight_decay", "amsgrad")
_ADAGRAD: Final = ("lr", "eps", "lr_decay", "weight_decay", "initial_accumulator_value")
_RMSPROP: Final = ("lr", "alpha", "eps", "momentum", "centered", "weight_decay")
_FOREACH: Final = {"foreach": True}
_CAPTURABLE: Final = {"foreach": True, "capturable": True}

OPTIMISERS: Final = {
    "adam": _Entry(torch.optim.Adam, _ADAM, on_cuda={"fused": True, "capturable": True}),
    "adamw": _Entry(torch.optim.AdamW, _ADAM, on_cuda={"fused": True, "capturable": True}),
    "sgd": _Entry(torch.optim.SGD, ("lr", "momentum", "nesterov", "weight_decay", "dampening")),
    "rmsprop": _Entry(torch.optim.RMSprop, _RMSPROP, _FOREACH, _CAPTURABLE),
    "keras-rmsprop": _Entry(KerasRMSprop, ("lr", "alpha", "eps"), on_cpu={}, on_cuda={}),
    "adagrad": _Entry(torch.optim.Adagrad, _ADAGRAD, on_cuda=_FOREACH, capturable=False),
    "adadelta": _Entry(torch.optim.Adadelta, ("lr", "rho", "eps", "weight_decay"), _FOREACH, _CAPTURABLE),
}


def _step(step: int, total: int, every: int, gamma: float, most: int | None = None) -> float:
    """Multiply by gamma every so many steps, at most `most` times."""
    return float(gamma ** min(step // every, math.inf if most is None else most))


def _cosine(step: int, total: int, warmup: int = 0, floor: float = 0.0) -> float:
    if step < warmup:
        return (step + 1) / warmup
    share = min(1.0, (step - warmup) / max(1, total - warmup))
    return floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * share))


SCHEDULES: Final[dict[str, tuple[Callable[..., float], tuple[str, ...]]]] = {
    "constant": (lambda step, total: 1.0, ()),
    "step": (_step, ("every", "gamma", "most")),
    "cosine": (_cosine, ("warmup", "floor")),
}
"""The factor of the learning rate at a step of so many, and the settings of each schedule."""


def check_optimiser(optimiser: Mapping[str, Any], schedule: Mapping[str, Any]) -> None:
    """UsageError for an unknown name or setting of an optimiser, or of the schedule of its learning rate."""
    takes = {name: entry.takes for name, entry in OPTIMISERS.items()}
    _check_names("optimiser", optimiser.get("name"), optimiser, takes)
    rate = optimiser.get("lr")
    if not isinstance(rate, int | float) or not rate > 0:
        raise UsageError(f"the learning rate `lr` is {rate!r}", hint="expected a number above 0")
    make_optimiser(optimiser, [nn.Parameter(torch.zeros(1))], torch.device("cpu"))
    takes = {name: settings for name, (_, settings) in SCHEDULES.items()}
    _check_names("schedule", schedule.get("name", "constant"), schedule, takes)
    try:
        rate_at({"lr": 1.0}, schedule, 0, 1)
    except (TypeError, ZeroDivisionError) as error:
        raise UsageError(f"the schedule {dict(schedule)} is incomplete: {error}") from None


def make_optimiser(
    config: Mapping[str, Any], weights: Iterable[nn.Parameter], device: torch.device
) -> torch.optim.Optimizer:
    """Make an optimiser; on a GPU its learning rate is a tensor there, so that a captured step sees it change."""
    known, cuda = OPTIMISERS[config["name"]], device.type == "cuda"
    settings = {**config, **(known.on_cuda if cuda else known.on_cpu)}
    settings.pop("name")
    if "betas" in settings:
        settings["betas"] = tuple(settings["betas"])
    if cuda and known.capturable:
        settings["lr"] = torch.tensor(float(config["lr"]), device=device)
    try:
        return known.make(list(weights), **settings)
    except (TypeError, ValueError) as error:
        raise UsageError(f"the optimiser {dict(config)} is not possible: {error}") from None


def decaying(model: nn.Module, decay: float) -> list[dict[str, Any]]:
    """Groups of parameters: matrices and filters decay, biases and factors do not."""
    weights = list(model.parameters())
    flat, others = ([each for each in weights if (each.dim() == 1) == wanted] for wanted in (True, False))
    return [{"params": others, "weight_decay": decay}, {"params": flat, "weight_decay": 0.0}]


def set_rate(optimiser: torch.optim.Optimizer, rate: float | Tensor) -> None:
    for group in optimiser.param_groups:
        if isinstance(group["lr"], Tensor):
            group["lr"].fill_(rate)
        else:
            group["lr"] = rate


def load_optimiser(optimiser: torch.optim.Optimizer, state: dict[str, Any]) -> None:
    """Load a state; how the optimiser computes, and where its learning rate is stored, stay as they are here."""
    here = [dict(group) for group in optimiser.param_groups]
    optimiser.load_state_dict(state)
    for group, own in zip(optimiser.param_groups, here, strict=True):
        group.update({name: own[name] for name in ("lr", "fused", "foreach", "capturable") if name in own})


def rate_at(optimiser: Mapping[str, Any], schedule: Mapping[str, Any], step: int, total: int) -> float:
    """The learning rate at a step of so many.

    >>> rate_at({"lr": 0.1}, {"name": "step", "every": 1000, "gamma": 0.5}, 2500, 10000)
    0.025
    """
    settings = dict(schedule)
    factor = SCHEDULES[settings.pop("name", "constant")][0]
    return float(optimiser["lr"]) * factor(step, total, **settings)


def _check_names(what: str, name: Any, config: Mapping[str, Any], takes: Mapping[str, tuple[str, ...]]) -> None:
    if name not in takes:
        raise UsageError(f"no {what} `{name}`", hint=did_you_mean(str(name), takes))
    for setting in config:
        if setting not in ("name", *takes[name]):
            raise UsageError(f"the {what} `{name}` takes no `{setting}`", hint=did_you_mean(setting, takes[name]))
